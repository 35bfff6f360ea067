"""Bugs to plant in how evidence is judged, retracted, located and closed under constraints."""

from typing import Final

from .planted_bug import Bug

STEP: Final = "every_step_on_uncertain_evidence_is_that_of_the_algorithm"
NOTHING: Final = "nothing_unauthorized_is_reported_on_uncertain_evidence"
UNRESOLVED: Final = "an_unresolved_conclusion_shows_what_can_be_done_about_it"
CONTRADICTION: Final = "a_contradiction_names_the_attestations_that_make_it"
CHECKS_ALONE: Final = "without_its_judgements_a_review_rests_on_its_checks"
ERROR: Final = "user_error_on_uncertain_evidence_comes_from_the_program_or_who_told"
JUDGE: Final = "a_judge_that_fails_admits_nothing"
SHOWN: Final = "every_shown_condition_names_what_established_it"
HASH: Final = "the_hash_tells_programs_apart"
UNSOUND: Final = "an_unsound_program_is_refused"

LEDGER: Final = (
    Bug(
        "a conflict of attesters is read as true",
        "ledger.py",
        "return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, unavailable)",
        "return Settled(ones, zeros & ~ones, 0, unavailable)",
        NOTHING,
    ),
    Bug(
        "a retraction is forgotten",
        "ledger.py",
        "values = [value for value in values if not retracts(record, value)]",
        "values = list(values)",
        CHECKS_ALONE,
    ),
    Bug(
        "a retraction withdraws what others attested",
        "ledger.py",
        "        and value.attester == retraction.attester\n",
        "",
        STEP,
    ),
    Bug(
        "a retraction withdraws what a check observed",
        "ledger.py",
        """        isinstance(value, Attestation)
        and value.atom == retraction.atom
        and value.attester == retraction.attester""",
        """        value.atom == retraction.atom
        and getattr(value, "attester", retraction.attester) == retraction.attester""",
        CHECKS_ALONE,
    ),
    Bug(
        "what contradicts the constraints still authorizes",
        "ledger.py",
        "return Closed(Settled(0, 0, conflict, atoms, suspended=True), tuple(models))",
        "return Closed(settled, tuple(models))",
        NOTHING,
    ),
    Bug(
        "the constraints are ignored",
        "ledger.py",
        "    if not program.clauses:\n",
        "    if True:\n",
        NOTHING,
    ),
    Bug(
        "a constraint is read with its literals negated",
        "validation.py",
        """            sum(bit[literal.atom] for literal in clause if literal.positive),
            sum(bit[literal.atom] for literal in clause if not literal.positive),""",
        """            sum(bit[literal.atom] for literal in clause if not literal.positive),
            sum(bit[literal.atom] for literal in clause if literal.positive),""",
        ERROR,
    ),
    Bug(
        "what is undecided is taken for settled",
        "ledger.py",
        "if found.consistency is not Consistency.CONSISTENT:",
        "if found.consistency is Consistency.CONTRADICTED:",
        "a_search_that_is_cut_short_authorizes_nothing_more",
    ),
    Bug(
        "what is undecided is not said to be suspended",
        "ledger.py",
        "Settled(0, 0, conflict, atoms, suspended=True)",
        "Settled(0, 0, conflict, atoms, found.consistency is Consistency.CONTRADICTED)",
        "a_review_whose_search_is_cut_short_is_suspended",
    ),
)

ATTESTATIONS: Final = (
    Bug(
        "what was rejected is admitted",
        "attestations.py",
        "    if rejected:\n        return Transition(\n",
        "    if rejected == UNCONFIRMED:\n        return Transition(\n",
        STEP,
    ),
    Bug(
        "no quote is looked up",
        "attestations.py",
        "    if quote not in text:\n",
        "    if False:\n",
        STEP,
    ),
    Bug(
        "the blanks around a quote count",
        "attestations.py",
        "len(quote.strip()) < QUOTE_LENGTH",
        "len(quote) < QUOTE_LENGTH",
        STEP,
    ),
    Bug(
        "a quote of seven characters is enough",
        "attestations.py",
        "QUOTE_LENGTH: Final = 8",
        "QUOTE_LENGTH: Final = 7",
        STEP,
    ),
    Bug(
        "a text need not have been read",
        "attestations.py",
        '        return f"its text was not read in this review; run check {check.identifier} first"\n',
        "        text = quote\n",
        "a_text_that_fails_is_judged_by_nobody",
    ),
    Bug(
        "a judge who fails agrees",
        "resolving.py",
        '        return Failed(f"the {who} raised {described(error)}")',
        "        return Judged(True) if episode.judging else Failed(described(error))",
        JUDGE,
    ),
    Bug(
        "whatever a judge answers is a truth value",
        "resolving.py",
        "return Judged(value) if type(value) is bool else",
        "return Judged(bool(value)) if True else",
        JUDGE,
    ),
    Bug(
        "a judge who fails rejects for good",
        "attestations.py",
        '    reason = resolution.reason if type(resolution) is Failed else "expected a truth value"\n',
        '    return after_charge(*_decided(done, asked, True, UNCONFIRMED))\n    reason = ""\n',
        JUDGE,
    ),
    Bug(
        "the judge is told what the attester says",
        "resolving.py",
        "value = judge(condition, text)",
        'value = judge(f"{condition}: {asked.value}", text)',
        STEP,
    ),
    Bug(
        "the judge is shown the quote alone",
        "resolving.py",
        "value = judge(condition, text)",
        "value = judge(condition, asked.quote)",
        STEP,
    ),
    Bug(
        "a judge who says true confirms whatever was said",
        "attestations.py",
        'rejected = "" if resolution.value is asked.value else UNCONFIRMED',
        'rejected = "" if resolution.value else UNCONFIRMED',
        STEP,
    ),
    Bug(
        "an attestation is not charged",
        "attestations.py",
        "charged, calls = charge(episode, units), calls_of(program, units)",
        "charged, calls = episode, calls_of(program, units)",
        STEP,
    ),
    Bug(
        "a repeated attestation is charged again",
        "attestations.py",
        "    for known in episode.judgements:\n",
        "    for known in ():\n",
        STEP,
    ),
    Bug(
        "a rejection before the read lasts after it",
        "attestations.py",
        "if (known.request, known.read) == (asked, text is not None):",
        "if known.request == asked:",
        STEP,
    ),
    Bug(
        "what was retracted is still answered from the cache",
        "attestations.py",
        "replace(with_records(episode, retraction), judgements=kept, seal=SEAL)",
        "replace(with_records(episode, retraction), seal=SEAL)",
        STEP,
    ),
    Bug(
        "nothing can be retracted",
        "attestations.py",
        "    if not any(retracts(retraction, value) for value in episode.ledger.admitted):\n",
        "    if True:\n",
        "an_attester_alone_can_mislead",
    ),
    Bug(
        "an agent attests in any name",
        "messages.py",
        "return AttestRequest(asked.atom, asked.value, asked.quote, attester)",
        "return AttestRequest(asked.atom, asked.value, asked.quote, asked.attester)",
        STEP,
    ),
    Bug(
        "an agent retracts what others attested",
        "messages.py",
        "return RetractRequest(asked.atom, attester)",
        "return RetractRequest(asked.atom, asked.attester)",
        STEP,
    ),
)

PLACES: Final = (
    Bug(
        "completion reads a candidate again",
        "completion.py",
        "over = episode.read | episode.attempted",
        "over = episode.read",
        STEP,
    ),
    Bug(
        "what holds without any candidate is its contrary",
        "episode.py",
        "Unavailable(EXHAUSTED) if check.exhausted is None else check.exhausted",
        "Unavailable(EXHAUSTED) if check.exhausted is None else not check.exhausted",
        STEP,
    ),
    Bug(
        "without any candidate the atom is false",
        "episode.py",
        "Unavailable(EXHAUSTED) if check.exhausted is None else check.exhausted",
        "bool(check.exhausted)",
        STEP,
    ),
    Bug(
        "one empty candidate is enough",
        "episode.py",
        "    if first_unread(marked, index) is not None:\n",
        "    if False:\n",
        STEP,
    ),
    Bug(
        "a candidate that fails is an empty one",
        "episode.py",
        "            answer = Answer(AnswerKind.FAILED,",
        """            made = {Reading(index, episode.candidate)}
            settled = replace(settled, read=settled.read | made, seal=SEAL)
            answer = Answer(AnswerKind.FAILED,""",
        "a_candidate_that_fails_is_not_an_empty_one",
    ),
    Bug(
        "the candidate that was asked for is not the one that is read",
        "episode.py",
        "place = check.candidates.index(candidate) if candidate else first_unread(episode, index) or 0",
        "place = first_unread(episode, index) or 0",
        STEP,
    ),
    Bug(
        "a candidate that is none is taken for the first",
        "episode.py",
        "    if candidate and candidate not in check.candidates:\n        return None\n",
        '    if candidate not in check.candidates:\n        candidate = ""\n',
        STEP,
    ),
    Bug(
        "completion reads texts",
        "completion.py",
        "left = runnable(episode) & ~episode.tried & ~program.texts",
        "left = runnable(episode) & ~episode.tried",
        "completion_reaches_less_outside_its_premises",
    ),
    Bug(
        "nothing is held for what is judged on a text that was read",
        "state.py",
        "return target(program, episode.settled, episode.left, runnable(episode) | read, read)",
        "return target(program, episode.settled, episode.left, runnable(episode))",
        STEP,
    ),
    Bug(
        "a text that was read is paid again",
        "state.py",
        "return target(program, episode.settled, episode.left, runnable(episode) | read, read)",
        "return target(program, episode.settled, episode.left, runnable(episode) | read)",
        STEP,
    ),
    Bug(
        "an attestation is not foreseen",
        "compiled.py",
        "ATTESTATION_COST * unit if check.kind is CheckKind.TEXT else 0,",
        "0,",
        STEP,
    ),
    Bug(
        "the agent is not told what to attest",
        "guidance.py",
        "tuple(p.atom for p in route.literals if p.atom in names & judged)",
        "()",
        STEP,
    ),
)

OUTCOMES: Final = (
    Bug(
        "the utilities of all that is stated are added",
        "outcome.py",
        "return max((utilities[name] for name in self.conclusions), default=Fraction(0))",
        "return sum((utilities[name] for name in self.conclusions), Fraction(0))",
        NOTHING,
    ),
    Bug(
        "what attestations oppose is impossible",
        "decisions.py",
        "    if opposed & bit and not _sides(firm or settled, positive)[1] & bit:\n",
        "    if False:\n",
        UNRESOLVED,
    ),
    Bug(
        "statuses are told while they are suspended",
        "outcome.py",
        "    if standing.settled.suspended:\n",
        "    if False:\n",
        UNRESOLVED,
    ),
    Bug(
        "every attestation is named for a contradiction",
        "outcome.py",
        "return Suspension(True, tuple(value for value in attestations if value.atom in named))",
        "return Suspension(True, tuple(attestations))",
        CONTRADICTION,
    ),
    Bug(
        "of a contradiction the checks are named rather than the attestations",
        "outcome.py",
        "needed = contradicting(program.clauses, said.true, said.false, judged)",
        "needed = contradicting(program.clauses, said.true, said.false, ~judged)",
        CONTRADICTION,
    ),
    Bug(
        "a quote is no slot",
        "renderer.py",
        "{attester.kind.value} {attester.name}: {span(value.quote)}",
        '{attester.kind.value} {attester.name}: \\"{value.quote}\\"',
        "a_report_of_uncertain_evidence_asserts_what_is_authorized",
    ),
    Bug(
        "everything is said to be implied",
        "renderer.py",
        "{_source(next(values, None))}",
        "{_source(None)}",
        SHOWN,
    ),
    Bug(
        "a quote is cut to fit",
        "renderer.py",
        "{attester.kind.value} {attester.name}: {span(value.quote)}",
        "{attester.kind.value} {attester.name}: {span(value.quote[:12])}",
        SHOWN,
    ),
    Bug(
        "what was retracted is still shown",
        "renderer.py",
        "value for value in outcome.ledger.admitted if value.atom == literal.atom",
        "value for value in outcome.ledger.records if isinstance(value, Attestation | Observation)"
        " and value.atom == literal.atom",
        SHOWN,
    ),
    Bug(
        "the constraints are told",
        "renderer.py",
        '        f"  nothing is authorized: {what}",\n',
        '        f"  nothing is authorized: {what}",\n'
        "        *(str(p) for c in outcome.commitment.specification.constraints for p in c),\n",
        "a_suspension_shows_attestations_and_never_the_formula",
    ),
)

COMMITMENTS: Final = (
    Bug(
        "validation takes constraints that nothing satisfies",
        "validation.py",
        "        problem = _unsatisfiable(_clauses(specification))\n",
        '        problem = ""\n',
        UNSOUND,
    ),
    Bug(
        "validation takes routes that the constraints exclude",
        "validation.py",
        "    if not specification.constraints:\n",
        "    if True:\n",
        UNSOUND,
    ),
    Bug(
        "validation takes a judged atom that is read as well",
        "validation.py",
        "                if settling[atom] > 1:\n",
        "                if False:\n",
        UNSOUND,
    ),
    Bug(
        "the hash forgets the constraints",
        "commitment.py",
        '        content["constraints"] = sorted(clauses)\n',
        "        pass\n",
        HASH,
    ),
    Bug(
        "the hash forgets what holds without any candidate",
        "commitment.py",
        "content += [check.kind.value, list(check.candidates), check.exhausted]",
        "content += [check.kind.value, list(check.candidates)]",
        HASH,
    ),
    Bug(
        "the hash forgets the order of candidates",
        "commitment.py",
        "content += [check.kind.value, list(check.candidates), check.exhausted]",
        "content += [check.kind.value, sorted(check.candidates), check.exhausted]",
        HASH,
    ),
    Bug(
        "the hash hangs on the order of constraints",
        "commitment.py",
        '        content["constraints"] = sorted(clauses)\n',
        '        content["constraints"] = [[*map(str, c)] for c in specification.constraints]\n',
        "the_hash_does_not_hang_on_the_order_of_keys",
    ),
)

BUGS: Final = (*LEDGER, *ATTESTATIONS, *PLACES, *OUTCOMES, *COMMITMENTS)
