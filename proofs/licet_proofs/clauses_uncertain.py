"""The clauses of evidence that is judged, retracted, or outside of the premises of Theorem 4.3."""

from typing import Final

from .clauses import Clause, enumerated, generated, worked
from .clauses_review import UNCERTAIN

CLAUSES: Final[tuple[Clause, ...]] = (
    Clause(
        "retractions",
        "A retraction withdraws what one attester attested of one atom before, and nothing else:"
        " the states and Auth are then those of the records that remain.",
        "PRIME, D1; appendix A, premise T4",
        (
            enumerated("every_short_dispute_is_as_defined"),
            generated(UNCERTAIN, "without_its_judgements_a_review_rests_on_its_checks"),
        ),
    ),
    Clause(
        "attestations",
        "An attestation is admitted exactly when its atom is judged on a text, that text was read"
        " in the review, the quote stands in it with 8 characters or more, and the second judge,"
        " where there is one, says the same of the condition and the text; each is charged a call.",
        "PRIME, appendix E.4; appendix C",
        (
            enumerated("an_attestation_is_admitted_exactly_by_the_rule"),
            generated(UNCERTAIN, "every_step_on_uncertain_evidence_is_that_of_the_algorithm"),
            worked(
                "every misbehaviour that is known",
                "a_judge_that_fails_admits_nothing",
                "a_text_that_fails_is_judged_by_nobody",
            ),
        ),
    ),
    Clause(
        "freshness",
        "What a check gave expires exactly when its caller names another digest than one that was"
        " read, with what was judged on its text; what is authorized then rests on the records that"
        " are left, in a review and of an outcome that is judged again.",
        "PRIME, D1 and Theorem 4.1 (ii), on the ledger without what has expired",
        (
            enumerated("every_short_ledger_that_expires_is_as_defined"),
            generated(
                f"{UNCERTAIN}; digests of reads, refreshes by caller and agent",
                "every_step_on_evidence_that_expires_is_that_of_the_algorithm",
                "nothing_that_rests_on_what_expired_is_reported",
                "an_old_outcome_is_judged_again_without_what_changed",
            ),
        ),
    ),
    Clause(
        "theorem-4.3-premises",
        "Without these premises it need not be: completion attests nothing, a place may be found in"
        " the last candidate, of conclusions that are not comparable one is enough for it, and"
        " under constraints that the record does not satisfy nothing is authorized.",
        "PRIME, Theorem 4.3; appendix A, partial orders",
        (worked("one review each", "completion_reaches_less_outside_its_premises"),),
    ),
)
