"""Values by sums are the values of the reference, to the last digit; sizes are bounded."""

from dataclasses import replace
from fractions import Fraction
from time import process_time

import pytest
from hypothesis import given

from licet import Candidate, Claim, FailureMode, Gate, InvalidInput, Loss, Premise, Verifier
from licet import information as reference
from licet.beliefs import compile_candidate, harm_probability
from licet.information import affordable
from licet.planner import start, step
from licet.policies import PAIR_LIMIT, greedy_policy, pair_size, two_step_policy
from licet.sums import one_step_values, table, two_step_values
from licet_proofs.gate_generators import budgets, candidates


@given(candidates(), budgets)
def test_values_by_sums_are_those_of_the_reference(candidate: Candidate, budget: Fraction) -> None:
    model = compile_candidate(candidate)
    position = start(model, budget)
    for _ in range(2):
        asked = affordable(model, position.uses, position.budget)
        belief, uses, left = position.belief, position.uses, position.budget
        assert one_step_values(model, belief, asked) == {
            q: reference.one_step(model, belief, q) for q in asked
        }
        assert two_step_values(model, belief, uses, left) == {
            q: reference.two_step(model, belief, q, uses, left) for q in asked
        }
        if not asked:
            return
        (_, refutes, _), *_ = reference.outcomes(model, belief, asked[-1])
        position = step(model, position, asked[-1], refutes)


@given(candidates())
def test_a_table_holds_the_whole_belief(candidate: Candidate) -> None:
    model = compile_candidate(candidate)
    belief = start(model, Fraction(0)).belief
    sums = table(model, belief, tuple(range(len(model.verifiers))))
    assert sum(cell.weight for _, cell in sums.cells) == belief.total
    for index, q in enumerate(model.verifiers):
        weight = sum(weight for mask, weight in belief.states if mask & q.covers)
        assert sums.hit[index].weight == weight


def independent(claims: int, verifiers: int) -> Candidate:
    names = [f"c{number}" for number in range(claims)]
    return Candidate(
        "act",
        tuple(Claim(name, 0.1) for name in names),
        tuple(Premise(f"{name}_holds", name) for name in names),
        tuple(FailureMode((f"{name}_holds",), 1, f"{name}_fails") for name in names),
        tuple(
            Verifier.symmetric(f"v{number}", 1, (names[number % claims],), 0.9)
            for number in range(verifiers)
        ),
        Loss(abstain=1, price=0.1),
    )


@pytest.mark.slow
def test_the_largest_model_is_decided_without_a_long_wait() -> None:
    started = process_time()
    Gate(independent(14, 20), budget=4).decide()
    # Seconds; it took minutes when beliefs were updated one by one.
    assert process_time() - started < 60


def test_what_the_two_step_policy_cannot_take_it_refuses_up_front() -> None:
    large = independent(10, 100)
    model = compile_candidate(large)
    assert pair_size(model) > PAIR_LIMIT
    with pytest.raises(InvalidInput, match="use the greedy policy"):
        Gate(large, budget=4)
    decision = Gate(large, budget=4, policy=greedy_policy).decide()
    assert len(decision.worth) == 100
    assert decision.two_step == {}
    away = replace(large, verifiers=tuple(replace(q, available=False) for q in large.verifiers))
    assert Gate(away, budget=4, policy=two_step_policy).decide().worth == {}


def test_harm_is_compared_in_the_units_of_the_losses() -> None:
    halves = replace(
        independent(1, 1),
        failure_modes=(FailureMode(("c0_holds",), Fraction(3, 2), "g"),),
        loss=Loss(abstain=1, price=0.1, harm_loss=2, max_harm_probability=0),
    )
    model = compile_candidate(halves)
    belief = start(model, Fraction(0)).belief
    assert harm_probability(model, belief) == 0
    assert table(model, belief, (0,)).total.harm == 0
