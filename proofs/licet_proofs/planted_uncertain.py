"""Bugs to plant in how evidence is located, shown and committed to, where it is uncertain."""

from typing import Final

from .planted_bug import Bug

STEP: Final = "every_step_on_uncertain_evidence_is_that_of_the_algorithm"
NOTHING: Final = "nothing_unauthorized_is_reported_on_uncertain_evidence"
UNRESOLVED: Final = "an_unresolved_conclusion_shows_what_can_be_done_about_it"
CONTRADICTION: Final = "a_contradiction_names_the_attestations_that_make_it"
SHOWN: Final = "every_shown_condition_names_what_established_it"
HASH: Final = "the_hash_tells_programs_apart"
UNSOUND: Final = "an_unsound_program_is_refused"

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
        "place = check.candidates.index(candidate) if candidate else",
        "place =",
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
        "problem = _undecided(clauses_of(specification.constraints, _bits(specification)))",
        'problem = ""',
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

BUGS: Final = (*PLACES, *OUTCOMES, *COMMITMENTS)
