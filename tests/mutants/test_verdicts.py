"""Decisions at a position, apart from the gate that leads to it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import DecisionKind, Gate, Loss, verdicts
from licet.beliefs import compile_candidate
from licet.planner import start, step
from licet.policies import pair_size, stop_policy
from tests.gate.candidates import complementary, shipment

INVALIDATING = shipment(10, loss=Loss(abstain=1, price=0.1, invalidation=0.75))


def test_the_decision_at_a_position_is_that_of_a_gate_that_is_there() -> None:
    for candidate in (INVALIDATING, shipment(10)):
        model = compile_candidate(candidate)
        for refutes in (False, True):
            gate = Gate(candidate, budget=4)
            gate.observe("ask_user", refutes)
            position = step(model, start(model, Fraction(4)), 0, refutes)
            decision = verdicts.decide(model, position, stop_policy(model, Fraction(4)))
            assert decision == gate.decide()
            replans = refutes and candidate is INVALIDATING
            assert (decision.kind is DecisionKind.REPLAN) == replans


def test_a_position_of_another_model_is_refused() -> None:
    model = compile_candidate(complementary())
    other = start(compile_candidate(shipment(10)), Fraction(4))
    with pytest.raises(ValueError, match="zip"):
        verdicts.invalidated(model, other)


def test_two_steps_are_told_where_one_step_gains_nothing() -> None:
    # The perfect check saves 1 - 0.28, and costs that.
    even = shipment(10, reliability=1, loss=Loss(abstain=1, price=0.72))
    decision = Gate(even, budget=4).decide()
    assert decision.worth == decision.two_step == {"ask_user": 0}
    gaining = replace(even, loss=Loss(abstain=1, price=0.71))
    assert Gate(gaining, budget=4).decide().two_step == {}


def test_two_steps_are_told_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(complementary(), budget=4)
    size = pair_size(compile_candidate(complementary()))
    for limit, told in ((size, {"ask_user", "look_up"}), (size - 1, set())):
        monkeypatch.setattr(verdicts, "PAIR_LIMIT", limit)
        assert gate.decide().two_step.keys() == told
