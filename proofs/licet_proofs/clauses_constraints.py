"""The clauses of the constraints: what the formula adds to the definitions of the PRIME paper."""

from typing import Final

from .clauses import Clause, enumerated, generated

FORMULAS: Final = "formulas of up to 10 atoms, 100 clauses of up to 4 literals; any ledger"

CLAUSES: Final[tuple[Clause, ...]] = (
    Clause(
        "closure-under-constraints",
        "A literal is in the closure exactly when its atom does not conflict and it holds in every"
        " assignment that satisfies the constraints and the settled literals; the closure is bottom"
        " exactly where there is no such assignment. What is not decided within the limit on the"
        " search settles nothing.",
        "PRIME, appendix B, D1",
        (
            enumerated("every_small_closure_is_as_defined"),
            generated(
                f"{FORMULAS}, and any assignments handed in",
                "the_closure_is_what_every_assignment_shares",
                "assignments_that_are_kept_satisfy_everything",
                "a_search_at_its_limit_settles_nothing",
            ),
        ),
    ),
    Clause(
        "contradictions-named",
        "Where the settled literals contradict the constraints, those that are named do so too, and"
        " none of them can be left out; an attestation is among them only where what was checked"
        " does not contradict without it.",
        "PRIME, appendix A, residual status and conflicts",
        (
            enumerated("every_small_contradiction_is_named_and_no_more"),
            generated(FORMULAS, "what_contradicts_is_named_and_no_more"),
        ),
    ),
)
