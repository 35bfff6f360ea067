"""One interface: the reference or the kernel by size, with one answer; and policies' values."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from licet import InvalidInput, ReviewModel, ReviewPlanner, review_model
from licet.review_planner import (
    STATE_LIMIT,
    ReviewState,
    initial_state,
    reported_utility,
    state_count,
    supported_utility,
    target_rule,
)
from licet_bindings.planned import bounded_policies
from licet_bindings.policies import ceiling, guided, in_order
from licet_kernels.review import planning
from licet_kernels.review.guided import follow_guided
from licet_kernels.review.lattice import LatticePlan
from licet_kernels.review.planning import (
    REFERENCE_STATES,
    evaluate,
    evaluate_guided,
    evaluate_plan,
    exact_plan,
    grow_tree,
    kernel_plan,
    stop_at_once,
    uses_reference,
)
from licet_kernels.review.problem import earned_at, ideal_at
from licet_proofs.generators import case_from
from licet_proofs.review_problems import Problem, problems
from tests.kernels_review.problems import expected, greatest_regret, reviewed

TOLERANCE = Fraction(1, 10**12)


def wide(number: int, budget: int) -> ReviewModel:
    """A route of each two neighbours of so many atoms."""
    atoms = [f"a{index:02}" for index in range(number)]
    routes = {"c1": [[a, b] for a, b in pairwise(atoms)]}
    return review_model(case_from(routes, atoms).commitment, budget, {"a00": Fraction(1, 3)})


@given(problems(most_checks=4), st.booleans())
@settings(max_examples=40)
def test_reference_and_kernel_give_the_same_plan(problem: Problem, regret: bool) -> None:
    model = problem.model
    start = initial_state(model)
    one, other = ReviewPlanner(model, regret=regret), kernel_plan(model, regret=regret)
    tolerance = TOLERANCE * max(model.utilities)
    assert abs(one.worth(start) - Fraction(other.worth(start))) <= tolerance
    followed, same = evaluate_plan(model, one), evaluate_plan(model, other)
    assert followed == same
    assert (-followed.regret if regret else followed.utility) == one.worth(start)


def test_the_size_decides_who_plans() -> None:
    small, large = wide(5, 5), wide(6, 6)
    assert state_count(small, initial_state(small)) == 3**5 <= REFERENCE_STATES < 3**6
    assert uses_reference(small)
    assert not uses_reference(large)
    assert isinstance(exact_plan(large), LatticePlan)


def test_without_the_compiler_the_reference_plans_what_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(planning, "available", lambda: False)
    model = wide(7, 7)
    assert isinstance(exact_plan(model), ReviewPlanner)
    assert evaluate_guided(model).states > 1
    with pytest.raises(
        InvalidInput, match=r"policy: 59,049 states .*licet\[kernels\].*guided policy"
    ):
        exact_plan(wide(10, 10))
    assert state_count(model, initial_state(model)) < STATE_LIMIT < 3**10


def test_small_plans_load_no_compiler_and_no_arrays() -> None:
    program = (
        "import sys; from licet_kernels.review.planning import exact_plan, evaluate_guided\n"
        "from licet_proofs.generators import case_from; from licet import review_model\n"
        "model = review_model(case_from({'c1': [['a', 'b']]}, 'ab').commitment, 2)\n"
        "exact_plan(model); evaluate_guided(model)\n"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_bounded_policies_come_to_what_their_reviews_do(problem: Problem) -> None:
    found = bounded_policies(problem.model)
    for name, policy in (("guided", guided), ("ceiling", ceiling), ("in-order", in_order)):
        done = reviewed(problem, policy)
        evaluation = found[name]
        assert evaluation is not None
        assert evaluation.utility == expected(done)
        assert evaluation.regret == greatest_regret(done)
        spent = sum((each.chance * each.outcome.spent for each in done), Fraction(0))
        # In order, a review whose budget is spent runs no more calls that cost nothing.
        assert evaluation.cost == spent
    stopped = found["stop"]
    assert stopped is not None
    assert (stopped.utility, stopped.cost) == (0, 0)


@pytest.mark.slow
@given(problems(most_checks=5))
@settings(max_examples=60)
def test_following_the_target_rule_on_arrays_is_following_it_on_the_core(problem: Problem) -> None:
    model = problem.model
    start, tolerance = initial_state(model), TOLERANCE * max(model.utilities)
    one, other = evaluate_guided(model), follow_guided(model)
    for reference in (ReviewPlanner(model, target_rule).worth(start), one.utility):
        assert abs(reference - other.utility) <= tolerance
    for reference in (-ReviewPlanner(model, target_rule, True).worth(start), one.regret):
        assert abs(reference - other.regret) <= tolerance
    assert abs(one.cost - other.cost) <= TOLERANCE * (1 + one.cost)
    assert one.states == other.states


@pytest.mark.slow
@given(problems(most_checks=5), st.integers(0, 63), st.integers(0, 63), st.integers(0, 63))
@settings(max_examples=100)
def test_utilities_of_a_ledger_are_those_of_the_core(
    problem: Problem, ones: int, zeros: int, gone: int
) -> None:
    settled = initial_state(problem.model).settled._replace(
        true=ones & ~zeros, false=zeros & ~ones, conflict=ones & zeros, unavailable=gone
    )
    model = problem.model
    assert earned_at(model, settled) == reported_utility(model, settled)
    assert ideal_at(model, settled) == supported_utility(model, settled)


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_a_plan_s_tree_adds_up(problem: Problem) -> None:
    model = problem.model
    plan = exact_plan(model)
    root = grow_tree(model, plan.choose, 10_000)
    assert root is not None
    evaluation, tolerance = evaluate_plan(model, plan), TOLERANCE * max(model.utilities)
    assert (root.utility, root.cost, root.regret) == evaluation[:3]
    nodes = list(root.nodes())
    assert len(nodes) == evaluation.states
    assert sum(node.probability for node in nodes if node.check is None) == 1
    for node in nodes:
        assert node.check == plan.choose(node.state)
        assert abs(node.utility - Fraction(plan.worth(node.state))) <= tolerance
        if node.children:
            assert sum(child.probability for child in node.children) == node.probability


def test_a_tree_larger_than_wanted_is_not_grown() -> None:
    model = wide(4, 4)
    plan = exact_plan(model)
    states = evaluate_plan(model, plan).states
    assert grow_tree(model, plan.choose, states - 1) is None
    assert grow_tree(model, plan.choose, states) is not None


def test_a_policy_that_asks_for_what_it_cannot_have_is_refused() -> None:
    model = wide(3, 1)
    for choose in (lambda state: 0, lambda state: 1 if state.left else 0):
        with pytest.raises(InvalidInput, match="policy: expected a check that was not made and"):
            evaluate(model, choose)
    with pytest.raises(InvalidInput, match="policy: expected one that reaches at most 2 states"):
        evaluate(wide(3, 2), exact_plan(wide(3, 2)).choose, 2)
    assert evaluate(model, stop_at_once).states == 1


def test_a_plan_of_many_states_is_followed_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    model = wide(8, 8)
    plan = exact_plan(model)
    exact = evaluate_plan(model, plan)

    def refuse(model: ReviewModel, choose: object) -> None:
        raise InvalidInput("policy", "too many")

    monkeypatch.setattr(planning, "evaluate", refuse)
    followed = evaluate_plan(model, plan)
    assert followed.states == exact.states
    for one, other in zip(followed[:3], exact[:3], strict=True):
        assert abs(one - other) < TOLERANCE * 10
    with pytest.raises(InvalidInput, match="too many"):
        evaluate_plan(model, ReviewPlanner(wide(3, 3)))


def test_the_choice_at_a_state_is_that_of_the_state_alone() -> None:
    """A plan that was led off its lattice still answers for it."""
    model = wide(6, 4)
    plan = kernel_plan(model)
    start = initial_state(model)
    first = plan.choose(start)
    assert first is not None
    failed = ReviewState(1 << first, start.settled, start.left - 1)
    elsewhere = plan.choose(failed)
    assert elsewhere not in (None, first)
    assert (plan.choose(start), plan.choose(failed)) == (first, elsewhere)
