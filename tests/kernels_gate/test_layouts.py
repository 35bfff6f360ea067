"""Layouts, symmetry and threads: the same W everywhere, on models too large for the reference."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from licet import Loss, Verifier
from licet.beliefs import GateModel, compile_candidate
from licet.planner import start
from licet_kernels.gate import plan as plans
from licet_kernels.gate import subsets
from licet_kernels.gate.dense import DenseLayout, counts_of, dense_layout, state_of
from licet_kernels.gate.plan import Plan, plan
from licet_kernels.gate.problem import Settled, problem_at
from licet_kernels.gate.screens import settle_exactly
from licet_kernels.gate.subsets import SubsetLayout, subset_counts, subset_state
from licet_proofs.gate_cases import AT_THE_BOUND

from .models import synthetic

pytestmark = pytest.mark.slow

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
NO_SCREEN = Loss(abstain=2, price=0.03)
CAPPED = Loss(abstain=2, price=0.03, max_expected_loss=1, harm_loss=1, max_harm_probability=0.3)


def at_the_bound_again() -> GateModel:
    """Seven checks of unequal costs whose answers cancel: the harm screen is often at its bound."""
    checks = tuple(
        Verifier.symmetric(f"q{k}", 1 + Fraction(k, 100), ("address", "stock")[k % 4 // 3 :][:1], r)
        for k, r in enumerate((0.65, 0.65, 0.7, 0.8, 0.7, 0.65, 0.7))
    )
    return compile_candidate(replace(AT_THE_BOUND, verifiers=checks))


MODELS: dict[str, tuple[GateModel, Fraction]] = {
    "one use each": (synthetic(9), Fraction(9)),
    "one use each, half the budget": (synthetic(9), Fraction(5)),
    "no screen": (synthetic(8, loss=NO_SCREEN), Fraction(7)),
    "both screens": (synthetic(8, loss=CAPPED, seed=1), Fraction(8)),
    "unequal costs": (synthetic(8, costs=(1, HALF, THIRD, 0)), Fraction(2)),
    "three uses each": (synthetic(4, uses=3, costs=(1, HALF)), Fraction(5)),
    "seven uses": (synthetic(2, uses=7), Fraction(11)),
    "four types of two": (synthetic(4, copies=2), Fraction(8)),
    "uses one, two and many": (synthetic(3, uses=2, copies=2, seed=5), Fraction(7)),
    "more hidden states": (synthetic(8, claims=8), Fraction(4)),
    "screens exactly at their bound": (at_the_bound_again(), Fraction(7)),
}


def by_counts(made: Plan) -> dict[tuple[tuple[int, int], ...], float]:
    """W of every state within the budget, by counts of types."""
    table = {}
    for state in np.flatnonzero(np.isfinite(made.w)).tolist():
        if isinstance(made.shape, DenseLayout):
            table[counts_of(made.shape, made.problem, state)] = made.w[state]
        else:
            table[subset_counts(made.shape, state)] = made.w[state]
    return table


@pytest.mark.parametrize("name", MODELS)
def test_both_layouts_agree_everywhere(name: str) -> None:
    model, budget = MODELS[name]
    dense, subsets = (plan(model, budget, layout=layout) for layout in ("dense", "subsets"))
    first, second = by_counts(dense), by_counts(subsets)
    assert first.keys() == second.keys()
    assert len(second) == subsets.states
    difference = max(abs(first[counts] - second[counts]) for counts in first)
    assert difference <= 1e-13 * dense.problem.scale


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("layout", ["dense", "subsets"])
def test_threads_change_nothing(name: str, layout: str) -> None:
    model, budget = MODELS[name]
    alone, together = (plan(model, budget, layout=layout, threads=n) for n in (1, 3))
    assert np.array_equal(alone.w, together.w)


@pytest.mark.parametrize("layout", ["dense", "subsets"])
def test_equal_verifiers_as_one_type_change_nothing(layout: str) -> None:
    for copies, uses, budget in ((2, 1, 6), (3, 1, 4), (2, 2, 5)):
        model = synthetic(3, copies=copies, uses=uses)
        collapsed = plan(model, Fraction(budget), layout=layout)
        apart = plan(model, Fraction(budget), layout=layout, collapse=False)
        assert len(collapsed.problem.types) == 3 < len(apart.problem.types)
        assert collapsed.states < apart.states
        types = [kind.members[0] % 3 for kind in apart.problem.types]
        whole = by_counts(collapsed)
        for counts, value in by_counts(apart).items():
            merged = [(0, 0)] * 3
            for t, (s, r) in zip(types, counts, strict=True):
                merged[t] = (merged[t][0] + s, merged[t][1] + r)
            assert abs(value - whole[tuple(merged)]) <= 1e-13 * apart.problem.scale


@pytest.mark.parametrize("name", MODELS)
def test_sums_by_sets_of_claims_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, budget = MODELS[name]
    by_sets = plan(model, budget, layout="subsets")
    monkeypatch.setattr(subsets, "SET_CLAIMS", -1)
    by_states = plan(model, budget, layout="subsets")
    assert np.allclose(by_sets.w, by_states.w, rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("name", MODELS)
def test_indices_and_counts_are_inverse(name: str) -> None:
    model, budget = MODELS[name]
    problem = problem_at(model, start(model, budget))
    shape = dense_layout(problem.types)
    for state in range(0, shape.states, 97):
        assert state_of(shape, problem, counts_of(shape, problem, state)) == state
    tree = plan(model, budget, layout="subsets").shape
    assert isinstance(tree, SubsetLayout)
    for state in range(0, tree.states, 97):
        assert subset_state(tree, subset_counts(tree, state)) == state


def test_an_exact_root_far_beyond_one_block() -> None:
    # Nine verifiers fill four blocks of the dense layout; two claims keep the reference quick.
    from licet.planner import ExactPlanner

    model = synthetic(9, claims=2, costs=(1, 2))
    for budget in (Fraction(3), Fraction(4)):
        value = float(ExactPlanner(model, budget).value())
        for layout in ("dense", "subsets"):
            found = plan(model, budget, layout=layout, collapse=False).value
            assert abs(found - value) <= 1e-12 * 10


def test_screens_exactly_at_their_bound_are_decided_by_the_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, budget = MODELS["screens exactly at their bound"]
    decided = []

    def settle(*arguments: Any) -> Settled:  # noqa: ANN401
        decided.append(settle_exactly(*arguments))
        return decided[-1]

    monkeypatch.setattr(plans, "settle_exactly", settle)
    values = [plan(model, budget, layout=x, threads=2).value for x in ("dense", "subsets")]
    assert abs(values[0] - values[1]) <= 1e-13
    assert [len(settled.states) for settled in decided] == [len(decided[0].states)] * 2
    assert len(decided[0].states) > 20
    assert decided[0].admits.all()
