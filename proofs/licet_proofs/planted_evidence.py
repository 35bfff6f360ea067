"""Bugs to plant in what is recorded: what it settles, and how judgements are admitted."""

from typing import Final

from .planted_bug import Bug

STEP: Final = "every_step_on_uncertain_evidence_is_that_of_the_algorithm"
NOTHING: Final = "nothing_unauthorized_is_reported_on_uncertain_evidence"
CHECKS_ALONE: Final = "without_its_judgements_a_review_rests_on_its_checks"
ERROR: Final = "user_error_on_uncertain_evidence_comes_from_the_program_or_who_told"
JUDGE: Final = "a_judge_that_fails_admits_nothing"

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
        "standing = [each for each in standing if not retracts(record, each)]",
        "standing = list(standing)",
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
        """        getattr(value, "atom", None) == retraction.atom
        and getattr(value, "attester", retraction.attester) == retraction.attester""",
        CHECKS_ALONE,
    ),
    Bug(
        "what contradicts the constraints still authorizes",
        "ledger.py",
        "return Closed(Settled(0, 0, conflict, atoms, suspended=True), kept)",
        "return Closed(settled, kept)",
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
        'return f"its text was not read in this review; run check {check.identifier} first"',
        "text = quote",
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
        'reason = resolution.reason if type(resolution) is Failed else "expected a truth value"',
        'return after_charge(*_decided(done, asked, True, UNCONFIRMED))\n    reason = ""',
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

BUGS: Final = (*LEDGER, *ATTESTATIONS)
