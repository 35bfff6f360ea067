"""Exact planning behind one interface: which engine, failed calls, refusals, imports."""

import subprocess
import sys
import tracemalloc
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Candidate,
    DecisionKind,
    Gate,
    InvalidInput,
    Loss,
    ObservationModel,
    Verifier,
)
from licet.beliefs import GateModel, answer_probability, compile_candidate
from licet.information import affordable, after_use
from licet.planner import ExactPlanner, Position, start, step
from licet.policies import policy_tree
from licet_kernels import compilation
from licet_kernels.gate import planning, subsets
from licet_kernels.gate.plan import MEMORY_LIMIT, LayoutName, plan
from licet_kernels.gate.planning import (
    KernelPlanner,
    exact_policy,
    plan_size,
    require_plannable,
    uses_reference,
)
from licet_kernels.gate.subsets import subset_size
from licet_proofs.gate_cases import WORTHLESS
from licet_proofs.gate_generators import budgets, candidates
from tests.gate.candidates import complementary, shipment

from .models import synthetic

TWO = Fraction(2)


def without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (planning, compilation):
        monkeypatch.setattr(module, "available", lambda: False)


@pytest.mark.slow
@given(candidates(), budgets, st.lists(st.tuples(st.integers(0, 3), st.sampled_from("srf"))))
def test_failed_calls_are_planned_around(
    candidate: Candidate, budget: Fraction, calls: list[tuple[int, str]]
) -> None:
    model = compile_candidate(candidate)
    kernel, reference = KernelPlanner(model, budget), ExactPlanner(model, budget)
    position = start(model, budget)
    for number, answer in calls:
        assert kernel.choose(position) == reference.choose(position)
        askable = affordable(model, position.uses, position.budget)
        if not askable:
            break
        verifier = askable[number % len(askable)]
        position = after(model, position, verifier, answer)
    assert kernel.choose(position) == reference.choose(position)
    # Back at the start: a position that the latest plan may not cover.
    assert kernel.choose(start(model, budget)) == reference.choose(start(model, budget))


def after(model: GateModel, position: Position, verifier: int, answer: str) -> Position:
    """The position after an answer; after a failed call where it fails or cannot be."""
    refutes = answer == "r"
    if answer != "f" and answer_probability(model, position.belief, verifier, refutes) > 0:
        return step(model, position, verifier, refutes)
    return position._replace(
        uses=after_use(position.uses, verifier),
        budget=position.budget - model.verifiers[verifier].cost,
    )


@pytest.mark.slow
def test_both_engines_are_used_and_attain_the_same() -> None:
    model, large = synthetic(6, claims=3, loss=Loss(abstain=2, price=0.03)), Fraction(6)
    assert uses_reference(model, TWO)
    assert not uses_reference(model, large)
    for budget in (TWO, large):
        tree = policy_tree(model, exact_policy, budget)
        assert tree.verifier is not None
        assert abs(tree.value - ExactPlanner(model, budget).value()) <= Fraction(1, 10**12)
        assert abs(plan(model, budget).value - tree.value) <= 1e-12


@pytest.mark.slow
def test_a_gate_takes_the_policy() -> None:
    gate = Gate(complementary(), budget=2, policy=lambda *opened: KernelPlanner(*opened).choose)
    assert gate.decide().verifier == "ask_user"
    gate.fail("ask_user")
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_without_numba_the_reference_plans_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    without_kernels(monkeypatch)
    model = synthetic(6, claims=2)
    assert exact_policy(model, TWO)(start(model, TWO)) == ExactPlanner(model, TWO).choose(
        start(model, TWO)
    )
    with pytest.raises(InvalidInput, match=r"policy: .* pip install 'licet\[kernels\]'"):
        plan(model, TWO)


def test_without_numba_what_is_too_large_is_refused_with_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_kernels(monkeypatch)
    instead = r"without the compiled kernels: pip install 'licet\[kernels\]'; or use the two-step"
    wide, long = synthetic(12), synthetic(1, uses=101)
    hidden = synthetic(8, claims=8)
    for refused in (exact_policy, require_plannable):
        for model, budget, counted in (
            (wide, 12, r"at least \d\d,\d{3} positions .* than the 20,000"),
            (long, 101, "at least 101 answers in a row are more than the 100"),
            (hidden, 8, r"at least [\d,]+ positions times hidden states \(256\) .* the 524,288"),
        ):
            with pytest.raises(InvalidInput, match=f"verifiers: .*{counted} .*{instead}"):
                refused(model, Fraction(budget))


def test_the_shared_observation_model_is_refused() -> None:
    model = compile_candidate(complementary(), ObservationModel.SHARED)
    for planner in (exact_policy, KernelPlanner, plan_size, plan):
        with pytest.raises(InvalidInput, match="needs the exact observation model"):
            planner(model, TWO)


@pytest.mark.parametrize(
    ("verifiers", "uses", "budget"),
    [
        (40, 1, 40),
        (19, 1, 19),
        pytest.param(3, 10_000, 10**6, marks=pytest.mark.slow),
        (64, 1, 8),
    ],
)
def test_a_model_over_the_limit_is_refused_before_memory_is_taken(
    verifiers: int, uses: int, budget: int
) -> None:
    model = synthetic(verifiers, uses=uses)
    start(model, Fraction(budget))
    tracemalloc.start()
    try:
        for planner in (exact_policy, plan_size):
            with pytest.raises(InvalidInput) as refusal:
                planner(model, Fraction(budget))
            assert refusal.value.place == "verifiers"
            assert f"more than the {MEMORY_LIMIT:,}" in refusal.value.problem
            assert "use the two-step policy" in refusal.value.problem
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_costs_of_too_many_sums_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Any two of 60 verifiers leave something for a third; hardly any two sums are equal.
    costs = tuple(1 + Fraction(k**3 % 1_000_003, 10**7) for k in range(60))
    model = synthetic(60, costs=costs)
    assert plan_size(model, Fraction(7, 2)).layout == "subsets"
    monkeypatch.setattr(subsets, "SUM_LIMIT", 1_000)
    with pytest.raises(InvalidInput, match="over 1,000 different sums within the budget"):
        plan_size(model, Fraction(7, 2))


@pytest.mark.slow
@pytest.mark.parametrize(("uses", "budget"), [(1, 3), (2, 4), (3, 20)])
def test_the_memory_named_beforehand_is_what_is_taken(uses: int, budget: int) -> None:
    model = synthetic(6, uses=uses, costs=(1, 2))
    made = plan(model, Fraction(budget), layout="subsets")
    named = subset_size(made.problem, 10**9)
    assert made.states == named.states
    assert made.memory <= named.memory <= 1.3 * made.memory + 1_000


def test_the_size_is_that_of_the_plan() -> None:
    model = synthetic(10, costs=(1, 2))
    assert plan_size(model, Fraction(100)) == (3**10, "dense", 8 * 3**10)
    assert plan_size(synthetic(18, copies=1), Fraction(18)).memory < 3_500_000_000
    size = plan_size(synthetic(30), Fraction(4))
    assert (size.states, size.layout) == (1 + 60 + 435 * 4 + 4060 * 8 + 27405 * 16, "subsets")


def test_equal_verifiers_make_a_small_plan() -> None:
    assert plan_size(synthetic(4, copies=4), Fraction(16)).states == 15**4


def test_a_verifier_without_uses_or_beyond_the_budget_is_never_asked() -> None:
    free = Verifier.symmetric("free", 0, ("address",), 1, uses=0)
    away = Verifier("away", 0, ("address",), 1, 1, available=False)
    dear = Verifier.symmetric("dear", 3, ("address",), 1)
    model = compile_candidate(replace(shipment(10), verifiers=(free, away, dear)))
    assert plan_size(model, TWO).states == 1
    assert plan(model, TWO).choose(start(model, TWO)) is None


def test_what_no_answer_can_be_worth_takes_no_states() -> None:
    model = compile_candidate(WORTHLESS)
    # The priced toss and the price of kappa are left out.
    assert plan_size(model, TWO).states == 3**2
    planner, made = ExactPlanner(model, TWO), plan(model, TWO)
    first = start(model, TWO)
    assert abs(Fraction(made.value) - planner.value()) < Fraction(1, 10**12)
    assert made.choose(first) == planner.choose(first) is not None
    for verifier in range(4):
        position = step(model, first, verifier, True)
        assert made.covers(position) == (verifier not in (1, 2))
        assert KernelPlanner(model, TWO).choose(position) == planner.choose(position)


@pytest.mark.parametrize(
    ("screen", "reliability", "uses"),
    [
        ({"harm_loss": 0.5, "max_harm_probability": 0}, Fraction(999_999, 1_000_000), 60),
        ({"harm_loss": 0.5, "max_harm_probability": 0}, 0.99, 170),
        ({"max_expected_loss": 0}, Fraction(999_999, 1_000_000), 60),
    ],
)
@pytest.mark.parametrize("layout", ["dense", "subsets"])
def test_what_a_double_cannot_hold_passes_no_screen_of_0(
    screen: dict[str, float], reliability: float, uses: int, layout: LayoutName
) -> None:
    """Answers make harm less likely than a double can say, and never impossible."""
    candidate = replace(
        shipment(8),
        verifiers=(Verifier.symmetric("ask", 1, ("address",), reliability, uses=uses),),
        loss=Loss(abstain=1, price=0.001, **screen),
    )
    model, budget = compile_candidate(candidate), Fraction(uses)
    made = plan(model, budget, layout=layout)
    assert abs(made.value - 1) < 1e-12
    assert made.choose(start(model, budget)) is None


def test_importing_the_package_imports_no_compiler() -> None:
    code = (
        "import sys, licet_kernels, licet_kernels.gate.planning as planning\n"
        "assert not {'numba', 'numpy'} & set(sys.modules), 'imported too early'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_plan_does_not_cover_a_position_beside_its_own() -> None:
    """The first verifier costs more than abstaining: the plan has no type for it."""
    candidate = replace(
        shipment(3),
        verifiers=(
            Verifier.symmetric("costly", 20, ["address"], 0.95),
            Verifier.symmetric("perfect", 1, ["address"], 1),
        ),
    )
    model = compile_candidate(candidate)
    first = start(model, Fraction(24))
    beside = [step(model, first, 0, refutes) for refutes in (False, True)]
    planner, reference = KernelPlanner(model, Fraction(24)), ExactPlanner(model, Fraction(24))
    for position in (first, *beside, first):
        assert planner.choose(position) == reference.choose(position)


@pytest.mark.parametrize("impact", [8, 10**9, 10**14, 10**30])
def test_a_great_loss_hides_no_check_that_is_worth_it(impact: int) -> None:
    """A perfect check is asked however much is at stake: it saves 0.62 of a kappa of 1."""
    candidate = replace(shipment(impact), verifiers=(Verifier("ask", 1, ("address",), 1, 1),))
    model = compile_candidate(candidate)
    made = plan(model, Fraction(4))
    assert made.value == pytest.approx(0.38)
    assert made.choose(start(model, Fraction(4))) == 0
