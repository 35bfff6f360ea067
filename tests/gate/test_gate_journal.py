"""A gate writes to its journal before it answers, and goes on from what the journal wrote."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given

from licet import (
    Candidate,
    Decision,
    Gate,
    GateEntry,
    GateEvent,
    InvalidInput,
    Observed,
    Unwritten,
)
from licet.policies import stop_policy
from licet_proofs.gate_generators import answers, budgets, candidates

from .candidates import shipment

FIRST, SECOND = shipment(10), shipment(1000, reliability=1)


class Kept:
    """A journal in memory that may fail at one position."""

    def __init__(self, failing: int = -1, error: type[BaseException] = OSError) -> None:
        self.events: list[GateEvent] = []
        self.failing, self.error = failing, error

    def record(self, position: int, event: GateEvent) -> None:
        assert position == len(self.events)
        if position == self.failing:
            raise self.error("no space")
        self.events.append(event)


STEPS: tuple[Callable[[Gate], object], ...] = (
    lambda gate: gate.decide(),
    lambda gate: gate.observe("ask_user", refutes=False),
    lambda gate: gate.decide(),
    lambda gate: gate.replan(SECOND),
    lambda gate: gate.decide(),
    lambda gate: gate.fail("ask_user"),
    lambda gate: gate.decide(),
)


def test_everything_is_written_in_order() -> None:
    kept = Kept()
    gate = Gate(FIRST, budget=4, journal=kept)
    for step in STEPS:
        step(gate)
    kinds = [Decision, GateEntry, Decision, Candidate, Decision, GateEntry, Decision]
    assert [type(event) for event in kept.events] == kinds


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("failing", range(len(STEPS)))
def test_nothing_is_decided_once_an_event_may_be_lost(
    failing: int, error: type[BaseException]
) -> None:
    gate = Gate(FIRST, budget=4, journal=Kept(failing, error))
    for step in STEPS[:failing]:
        step(gate)
    candidates, remaining = gate.candidates, gate.remaining
    with pytest.raises(error):
        STEPS[failing](gate)
    assert (gate.candidates, gate.remaining) == (candidates, remaining)
    for step in STEPS:
        with pytest.raises(Unwritten):
            step(gate)


@pytest.mark.parametrize("cut", range(len(STEPS) + 1))
def test_a_gate_goes_on_from_every_event(cut: int) -> None:
    kept = Kept()
    whole = Gate(FIRST, budget=4, journal=kept)
    for step in STEPS:
        step(whole)
    later = Kept()
    later.events += kept.events[:cut]
    again = Gate(FIRST, budget=4, history=kept.events[:cut], journal=later)
    for step in STEPS[cut:]:
        step(again)
    assert later.events == kept.events
    assert (again.history, again.remaining) == (whole.history, whole.remaining)
    assert again.decide() == whole.decide()


def test_a_report_that_came_to_something_else_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"history\.0: something else"):
        Gate(FIRST, budget=4, history=[GateEntry(0, "ask_user", False, Observed.REFUSED)])


def test_what_is_no_event_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"history\.0: expected an event"):
        Gate(FIRST, budget=4, history=["proceed"])  # type: ignore[list-item]


@given(candidates(), budgets, answers)
def test_what_can_be_asked_is_what_a_decision_weighs(
    candidate: Candidate, budget: Fraction, said: list[tuple[int, bool]]
) -> None:
    gate = Gate(candidate, budget=budget, policy=stop_policy)
    names = [verifier.identifier for verifier in candidate.verifiers]
    for place, refutes in said if names else ():
        assert gate.askable == tuple(gate.decide().worth)
        name = names[place % len(names)]
        is_askable = name in gate.askable
        assert (gate.observe(name, refutes) is not Observed.REFUSED) == is_askable
        gate.replan(candidate)
    assert gate.askable == tuple(gate.decide().worth)
