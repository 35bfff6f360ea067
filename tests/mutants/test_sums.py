"""Values by sums are those of the reference on fixed models, at the edges of the screens."""

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet import information as reference
from licet.beliefs import compile_candidate
from licet.information import affordable
from licet.planner import start
from licet.sums import one_step_values, table, two_step_values
from tests.gate.candidates import shipment

NAMES = ("a", "b", "c")
THREE = Candidate(
    "act",
    tuple(map(Claim, NAMES, (Fraction(1, 4), Fraction(1, 3), Fraction(1, 5)))),
    tuple(map(Premise, NAMES, NAMES)),
    (FailureMode(("a", "b"), 9), FailureMode(("b", "c"), 5), FailureMode(("c",), Fraction(7, 2))),
    (
        Verifier("first", 1, ("a", "b"), 0.75, 0.5),
        Verifier("second", 0.5, ("b",), 1, 0.75, uses=2),
        Verifier("third", Fraction(1, 3), ("b", "c"), 0.9, 0.8),
    ),
    Loss(abstain=2, price=0.1),
)
"""Three verifiers that overlap."""

SURE = replace(THREE, claims=(THREE.claims[0], Claim("b", 0), THREE.claims[2]))
"""The second verifier hits no state."""

# After support the harm has probability 0.014 / 0.698.
HARM = Fraction(7, 349)


def screened(harm_loss: int, most: Fraction) -> Candidate:
    loss = Loss(abstain=1, price=0.1, harm_loss=harm_loss, max_harm_probability=most)
    return shipment(10, loss=loss)


@pytest.mark.parametrize(
    "candidate",
    [THREE, SURE, screened(0, HARM), screened(0, HARM - Fraction(1, 10**6)), screened(10, HARM)],
)
def test_values_are_those_of_the_reference(candidate: Candidate) -> None:
    model = compile_candidate(candidate)
    position = start(model, Fraction(3))
    belief, uses, budget = position.belief, position.uses, position.budget
    asked = affordable(model, uses, budget)
    assert one_step_values(model, belief, asked) == {
        q: reference.one_step(model, belief, q) for q in asked
    }
    for left in (budget, Fraction(1)):
        assert two_step_values(model, belief, uses, left) == {
            q: reference.two_step(model, belief, q, uses, left)
            for q in affordable(model, uses, left)
        }


def test_a_check_saves_nothing_where_what_it_leaves_is_barred() -> None:
    worth = Fraction(1) - Fraction("0.14") - Fraction("0.302") - Fraction("0.1")
    for most, saved in ((HARM, worth), (HARM - Fraction(1, 10**6), -Fraction(1, 10))):
        model = compile_candidate(screened(0, most))
        assert one_step_values(model, start(model, Fraction(1)).belief, (0,)) == {0: saved}


def test_a_loss_of_delta_is_no_harm() -> None:
    for harm_loss, harm in ((10, 0), (9, 28)):
        model = compile_candidate(screened(harm_loss, HARM))
        sums = table(model, start(model, Fraction(1)).belief, (0,))
        assert Fraction(sums.total.harm, sums.total.weight) == Fraction(harm, 100)


def test_over_no_states_the_sums_are_zero() -> None:
    model = compile_candidate(SURE)
    sums = table(model, start(model, Fraction(1)).belief, (0, 1))
    assert sums.hit[1] == (0, 0, 0)
    assert sums.hit[0].weight * 4 == sums.total.weight
