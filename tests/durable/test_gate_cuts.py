"""A gate that is cut off anywhere and resumed is as one whose verifier failed there."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from licet import Candidate, Decision, Gate, GateEntry, GateEvent
from licet_bindings.durable.entries import Kind
from licet_bindings.durable.gates import DurableGate, written_gate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_proofs.gate_generators import budgets, candidates
from licet_proofs.gate_scripts import BOTH, DOUBTED, SAFE, TORN
from tests.durable.scripts import NOON, Step, first_entries, gate_steps

NAME = "the gate"


def opened(store: MemoryStore) -> DurableLedger:
    return DurableLedger(store, clock=lambda: NOON)


def events_of(store: MemoryStore) -> tuple[GateEvent, ...]:
    written = written_gate(store.episode(1))
    assert written.asked is None
    return written.events


def ran_whole(
    candidate: Candidate, budget: Fraction, steps: Sequence[Step], failing: int = -1
) -> tuple[MemoryStore, DurableGate, list[int], list[str]]:
    """Return a gate after its steps, how many entries there were before each, and what was run."""
    store, ran, before = MemoryStore(), list[str](), list[int]()
    gate = opened(store).gate(candidate, name=NAME, budget=budget)
    for step in steps:
        before.append(store.head().sequence)
        step(gate, ran, failing)
    return store, gate, before, ran


def check_cuts(candidate: Candidate, budget: Fraction, steps: Sequence[Step]) -> None:
    store, _gate, before, ran = ran_whole(candidate, budget, steps)
    assert [entry.kind for entry in store.entries()].count(Kind.ASKED) == len(ran)
    for count in range(1, store.head().sequence + 1):
        cut = first_entries(store, count)
        kinds = [entry.kind for entry in cut.entries()]
        asked = kinds.count(Kind.ASKED)
        failing = asked - 1 if kinds[-1] is Kind.ASKED else -1
        ran_again: list[str] = []
        again = opened(cut).resume_gate(NAME)
        assert [entry.kind for entry in cut.entries()][count:] == (
            [Kind.RESUMED] + [Kind.EVENT] * (failing >= 0)
        )
        for step, entries in zip(steps, before, strict=True):
            if entries >= count:
                step(again, ran_again, -1)
        expected_store, expected, _before, expected_ran = ran_whole(
            candidate, budget, steps, failing
        )
        assert events_of(cut) == events_of(expected_store)
        assert ran_again == expected_ran[asked:]
        assert (again.history, again.remaining) == (expected.history, expected.remaining)
        assert (again.candidates, again.askable) == (expected.candidates, expected.askable)
        assert again.decide() == expected.decide()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("candidate", [BOTH, DOUBTED, SAFE, TORN])
def test_a_gate_goes_on_from_every_entry(candidate: Candidate, seed: int) -> None:
    random = Random(seed)
    steps = gate_steps(random, candidate, (BOTH, DOUBTED, SAFE, TORN))
    check_cuts(candidate, Fraction(random.randint(1, 6)), steps)


@settings(max_examples=20, deadline=None)
@given(candidates(), budgets, st.integers(0, 1_000))
def test_any_gate_goes_on_from_every_entry(
    candidate: Candidate, budget: Fraction, seed: int
) -> None:
    check_cuts(candidate, budget, gate_steps(Random(seed), candidate, ()))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_written_is_what_a_gate_without_a_ledger_does(seed: int) -> None:
    store, gate, _before, _ran = ran_whole(
        BOTH, Fraction(4), gate_steps(Random(seed), BOTH, (SAFE, DOUBTED))
    )
    plain = Gate(BOTH, budget=4)
    for event in events_of(store):
        match event:
            case GateEntry(_, verifier, None, observed):
                assert plain.fail(verifier) is observed
            case GateEntry(_, verifier, bool(refutes), observed):
                assert plain.observe(verifier, refutes) is observed
            case Candidate():
                plain.replan(event)
            case Decision():
                assert plain.decide() == event
    assert (plain.history, plain.remaining) == (gate.history, gate.remaining)


def test_a_run_that_was_cut_off_is_charged_once_however_often_the_gate_is_resumed() -> None:
    store = MemoryStore()
    gate = opened(store).gate(DOUBTED, name=NAME, budget=4)
    gate.verify("ask", lambda: False)
    # The opening and what is asked: the process died while it was.
    cut = first_entries(store, 2)
    for _ in range(3):
        again = opened(cut).resume_gate(NAME)
        assert again.remaining == 3
        assert [(entry.verifier, entry.refutes) for entry in again.history] == [("ask", None)]
    reports = [entry for entry in cut.entries() if entry.kind is Kind.EVENT]
    assert len(reports) == 1
