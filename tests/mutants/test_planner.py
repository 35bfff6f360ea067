"""The exact planner: how large a plan is, what is refused, that positions are solved once."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from licet import InvalidInput, Verifier, planner
from licet.beliefs import GateModel, compile_candidate
from licet.planner import ExactPlanner, Position, lattice_size, step
from tests.gate.candidates import complementary, shipment


def asking(*verifiers: Verifier) -> GateModel:
    return compile_candidate(replace(shipment(10), verifiers=verifiers))


ASK = Verifier.symmetric("ask", 1, ("address",), 0.9)
CALL = replace(ASK, identifier="call", cost=2)


def test_the_longest_path_to_a_cost_is_kept() -> None:
    # Twice the first, or once the second, which costs as much.
    model = asking(replace(ASK, uses=2), CALL)
    assert lattice_size(model, Fraction(2)) == (1 + 2 + 3 + 2, 2)


def test_a_size_at_the_limit_is_counted_on() -> None:
    model = asking(ASK, CALL)
    assert lattice_size(model, Fraction(3)) == (9, 2)
    assert lattice_size(model, Fraction(3), limit=3).states > 3


def test_what_is_too_large_to_plan_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    model, budget = asking(ASK), Fraction(1)
    for name, limit, size in (
        ("LATTICE_LIMIT", 3, "3 positions (how often each verifier supported and refuted)"),
        ("DEPTH_LIMIT", 1, "1 answers in a row"),
        ("WORK_LIMIT", 6, "6 positions times hidden states (2)"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(planner, name, limit)
            ExactPlanner(model, budget)
            patched.setattr(planner, name, limit - 1)
            expected = (
                f"verifiers: at least {size} are more than the {limit - 1} that the exact planner"
                " takes; use the two-step policy"
            )
            with pytest.raises(InvalidInput, match=f"^{re.escape(expected)}$"):
                ExactPlanner(model, budget)


def test_what_cannot_be_answered_is_not_planned_for() -> None:
    # After a perfect answer the other one is impossible.
    sure = asking(Verifier.symmetric("ask", 1, ("address",), 1, uses=2))
    assert ExactPlanner(sure, Fraction(2)).value() == Fraction("0.1") + Fraction("0.28")


def test_each_position_is_reached_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = []

    def counted(model: GateModel, position: Position, verifier: int, refutes: bool) -> Position:
        reached.append((position, verifier, refutes))
        return step(model, position, verifier, refutes)

    monkeypatch.setattr(planner, "step", counted)
    unsure = tuple(replace(q, sensitivity=0.9) for q in complementary().verifiers)
    unsure = tuple(replace(q, specificity=0.9, uses=2) for q in unsure)
    model = compile_candidate(replace(complementary(), verifiers=unsure))
    ExactPlanner(model, Fraction(4)).value()
    assert len(reached) == lattice_size(model, Fraction(4)).states - 1
