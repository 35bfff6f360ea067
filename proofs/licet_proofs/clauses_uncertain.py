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
        "theorem-4.3-premises",
        "Without these premises it need not be: completion attests nothing, a place may be found in"
        " the last candidate, of conclusions that are not comparable one is enough for it, and"
        " under constraints that the record does not satisfy nothing is authorized.",
        "PRIME, Theorem 4.3; appendix A, partial orders",
        (worked("one review each", "completion_reaches_less_outside_its_premises"),),
    ),
)
