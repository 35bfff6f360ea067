"""Generated models are what they are said to be, and the same from the same seed."""

from fractions import Fraction

import pytest

from benchmarks.planning.models import GateCase, ReviewCase
from licet.beliefs import prior
from licet.information import stopping


def test_a_seed_gives_one_model() -> None:
    assert GateCase(9).candidate() == GateCase(9).candidate()
    assert GateCase(9).candidate() != GateCase(9, seed=8).candidate()
    assert ReviewCase(9).commitment().sha256 == ReviewCase(9).commitment().sha256
    assert ReviewCase(9).priors() == ReviewCase(9).priors()


def test_more_verifiers_are_added_to_the_same_world() -> None:
    few, many = GateCase(5).candidate(), GateCase(30).candidate()
    assert many.verifiers[:5] == few.verifiers
    assert many.claims == few.claims
    assert many.failure_modes == few.failure_modes


@pytest.mark.parametrize("seed", range(5))
def test_a_gate_model_is_as_planned(seed: int) -> None:
    case = GateCase(64, 4, seed=seed)
    found = case.candidate()
    assert len(found.premises) == 8
    assert max(Fraction(claim.error) for claim in found.claims) <= Fraction(35, 100)
    assert (found.loss.abstain, found.loss.price) == (2, Fraction(3, 100))
    assert {q.cost for q in found.verifiers} == {1}
    overlapping = sum(len(q.covers) > 1 for q in found.verifiers) / 64
    assert 0.1 <= overlapping <= 0.7
    assert len(case.model().losses) == 256


def test_checks_are_worth_planning() -> None:
    model = GateCase(10).model()
    stop = stopping(model, prior(model)).value
    # Neither declining nor proceeding is plainly right.
    assert Fraction(1) < stop <= 2


def test_budgets_and_uses() -> None:
    assert GateCase(6, uses=3).spendable == 18
    assert GateCase(6, 4).spendable == 4
    assert {q.uses for q in GateCase(6, uses=3).candidate().verifiers} == {3}
    assert GateCase(6, 4, premises=5, uses=2).name == "m = 6, budget 4, 5 premises, 2 uses"


@pytest.mark.parametrize("atoms", [6, 10, 16, 18])
def test_every_atom_of_a_review_is_in_a_route(atoms: int) -> None:
    program = ReviewCase(atoms).commitment().compiled
    assert sum(map(len, program.routes)) == 24
    needed = 0
    for route in (route for routes in program.routes for route in routes):
        needed |= route.needs_true | route.needs_false
    assert needed.bit_count() == len(program.atoms) == atoms
    assert {call.atoms.bit_count() for call in program.calls} == {1}
