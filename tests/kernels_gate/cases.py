"""Candidates on which ties, and screens exactly at their bound, are certain."""

from dataclasses import replace
from fractions import Fraction

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from tests.gate.candidates import complementary, shipment


def at_the_bound() -> Candidate:
    """Pr(harm) is exactly epsilon before any check, and again after answers that cancel."""
    return Candidate(
        "ship",
        (Claim("address", 0.05), Claim("stock", 0.3)),
        (Premise("deliverable", "address"), Premise("available", "stock")),
        (FailureMode(("deliverable",), 10, "g"), FailureMode(("available",), 0.3, "h")),
        (
            Verifier.symmetric("ask", Fraction(1, 2), ("address",), 0.65, uses=2),
            Verifier.symmetric("look", Fraction(1, 3), ("address",), 0.65),
            Verifier.symmetric("count", 0, ("stock",), 0.8),
        ),
        Loss(abstain=1, price=0.01, harm_loss=0.5, max_harm_probability=0.05),
    )


def at_the_cap() -> Candidate:
    """The expected loss of Proceed is exactly the cap: 3/10 x 1/3 = 1/10."""
    return replace(
        complementary(),
        claims=(Claim("address", 0.3), Claim("stock", 0)),
        failure_modes=(FailureMode(("deliverable",), Fraction(1, 3), "g"),),
        loss=Loss(abstain=1, price=0.01, max_expected_loss=0.1),
    )


def often() -> Candidate:
    """One check, asked up to four times."""
    ask = Verifier.symmetric("ask", Fraction(1, 3), ("address",), 0.8, uses=4)
    return replace(shipment(10), verifiers=(ask,))


def twins() -> Candidate:
    """Two checks that nothing tells apart, then a better one that costs more."""
    candidate = shipment(10)
    twin = replace(candidate.verifiers[0], identifier="ask_again")
    better = Verifier("inspect", Fraction(3, 2), ("address",), 1, 1)
    return replace(candidate, verifiers=(*candidate.verifiers, twin, better))


def pair() -> Candidate:
    """Two checks that nothing tells apart, and nothing else."""
    return replace(twins(), verifiers=twins().verifiers[:2])


def harmful() -> Candidate:
    """Proceeding would cost less than declining; the harm screen refuses it, answers or not."""
    screened = Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.1)
    return shipment(2, reliability=0.6, loss=screened)
