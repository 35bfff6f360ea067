"""Candidates on which ties, and screens exactly at their bound, are certain."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier

from .equation_3 import COMPLEMENTS

ONE_CHECK: Final = Candidate(
    "ship",
    (Claim("address", 0.28),),
    (Premise("deliverable", "address"),),
    (FailureMode(("deliverable",), 10, "g"),),
    (Verifier.symmetric("ask", 1, ("address",), 0.95),),
    Loss(abstain=1, price=0.1),
)
"""One premise and one check of it."""

AT_THE_BOUND: Final = replace(
    COMPLEMENTS,
    claims=(Claim("address", 0.05), Claim("stock", 0.3)),
    failure_modes=(FailureMode(("deliverable",), 10, "g"), FailureMode(("available",), 0.3, "h")),
    verifiers=(
        Verifier.symmetric("ask", Fraction(1, 2), ("address",), 0.65, uses=2),
        Verifier.symmetric("look", Fraction(1, 3), ("address",), 0.65),
        Verifier.symmetric("count", 0, ("stock",), 0.8),
    ),
    loss=Loss(abstain=1, price=0.01, harm_loss=0.5, max_harm_probability=0.05),
)
"""Pr(harm) is exactly epsilon before any check, and again after answers that cancel."""

AT_THE_CAP: Final = replace(
    COMPLEMENTS,
    claims=(Claim("address", 0.3), Claim("stock", 0)),
    failure_modes=(FailureMode(("deliverable",), Fraction(1, 3), "g"),),
    loss=Loss(abstain=1, price=0.01, max_expected_loss=0.1),
)
"""The expected loss of Proceed is exactly the cap: 3/10 x 1/3 = 1/10."""

OFTEN: Final = replace(
    ONE_CHECK,
    verifiers=(Verifier.symmetric("ask", Fraction(1, 3), ("address",), 0.8, uses=4),),
)
"""One check, asked up to four times."""

PAIR: Final = replace(
    ONE_CHECK,
    verifiers=(*ONE_CHECK.verifiers, replace(ONE_CHECK.verifiers[0], identifier="ask_again")),
)
"""Two checks that nothing tells apart, and nothing else."""

PAIR_AND_BETTER: Final = replace(
    PAIR, verifiers=(*PAIR.verifiers, Verifier("inspect", Fraction(3, 2), ("address",), 1, 1))
)
"""Two checks that nothing tells apart, then a better one that costs more."""

HARMFUL: Final = replace(
    ONE_CHECK,
    failure_modes=(FailureMode(("deliverable",), 2, "g"),),
    verifiers=(Verifier.symmetric("ask", 1, ("address",), 0.6),),
    loss=Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.1),
)
"""Proceeding would cost less than declining; the harm screen refuses it, answers or not."""

WORTHLESS: Final = replace(
    ONE_CHECK,
    claims=(Claim("address", 0.005),),
    failure_modes=(FailureMode(("deliverable",), 1000, "g"),),
    verifiers=(
        Verifier.symmetric("toss", 0, ("address",), 0.5),
        Verifier("always", Fraction(1, 2), ("address",), 1, 0),
        Verifier.symmetric("oracle", 1, ("address",), 1),
        Verifier.symmetric("dear", Fraction(99, 100), ("address",), 1),
    ),
    loss=Loss(abstain=1, price=1),
)
"""A free toss, which ties; a priced one; a price of kappa; and one just below that is worth it."""

CASES: Final = (
    *(COMPLEMENTS, AT_THE_BOUND, AT_THE_CAP, OFTEN, PAIR_AND_BETTER, PAIR, HARMFUL),
    WORTHLESS,
)
