"""The reference of review planning against the problem's statement, and against real reviews."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from licet import Check, InvalidInput, Review, ReviewModel, ReviewPlanner, Unavailable, review_model
from licet.decisions import Settled
from licet.review_planner import (
    STATE_LIMIT,
    Candidates,
    ReviewState,
    initial_state,
    state_count,
    target_rule,
    useful_checks,
)
from licet_bindings.policies import Planned, guided, run_policy
from licet_proofs.generators import case_from
from licet_proofs.review_problems import DISJOINT, Problem, problems
from tests.kernels_review.problems import Brute, expected, greatest_regret, reviewed

CHAIN = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}
HALF = Fraction(1, 2)


def value(
    model: ReviewModel, candidates: Candidates = useful_checks, regret: bool = False
) -> Fraction:
    return ReviewPlanner(model, candidates, regret).worth(initial_state(model))


def chain(budget: int = 3, *shared: Check, **priors: Fraction) -> ReviewModel:
    """c1 by a, c2 by a and b, c3 by a, b and not d, worth 1, 2 and 3."""
    return review_model(case_from(CHAIN, "abd", shared).commitment, budget, priors)


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_the_expectation_is_that_of_the_best_adaptive_policy(problem: Problem) -> None:
    assert value(problem.model) == Brute(problem, regret=False).best()


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_the_regret_is_that_of_the_best_adaptive_policy(problem: Problem) -> None:
    assert value(problem.model, regret=True) == Brute(problem, regret=True).best()


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_without_completion_only_an_empty_budget_is_worth_less(problem: Problem) -> None:
    best = Brute(problem, regret=False, completion=False).best()
    assert problem.budget == 0 or value(problem.model) == best


@pytest.mark.slow
@given(problems())
@settings(max_examples=40)
def test_a_real_review_under_the_plan_earns_what_was_planned(problem: Problem) -> None:
    planner = ReviewPlanner(problem.model)
    planned = planner.worth(initial_state(problem.model))
    policy = Planned(problem.case.commitment.compiled, planner)
    assert expected(reviewed(problem, policy)) == planned
    if problem.budget:
        assert expected(reviewed(problem, policy, completion=False)) == planned


@pytest.mark.slow
@given(problems())
@settings(max_examples=40)
def test_a_real_review_under_the_plan_is_never_regretted_more_than_planned(
    problem: Problem,
) -> None:
    planner = ReviewPlanner(problem.model, regret=True)
    planned = -planner.worth(initial_state(problem.model))
    policy = Planned(problem.case.commitment.compiled, planner)
    assert greatest_regret(reviewed(problem, policy)) == planned
    if problem.budget:
        assert greatest_regret(reviewed(problem, policy, completion=False)) == planned


@pytest.mark.slow
@given(problems())
@settings(max_examples=40)
def test_the_value_of_the_target_rule_is_what_guided_reviews_earn(problem: Problem) -> None:
    done = reviewed(problem, guided)
    assert value(problem.model, target_rule) == expected(done)
    assert -value(problem.model, target_rule, regret=True) == greatest_regret(done)


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=40)
def test_the_optimum_is_never_below_the_target_rule_nor_worse_with_more(problem: Problem) -> None:
    best = value(problem.model)
    assert best >= value(problem.model, target_rule)
    assert value(problem.model, regret=True) >= value(problem.model, target_rule, regret=True)
    richer = problem.model._replace(budget=problem.model.budget + 1)
    assert value(richer) >= best
    assert value(richer, regret=True) >= value(problem.model, regret=True)


@given(problems(DISJOINT))
@settings(max_examples=40)
def test_the_size_bounds_the_states_that_the_planner_reaches(problem: Problem) -> None:
    model = problem.model
    planner = ReviewPlanner(model)
    planner.worth(initial_state(model))
    # White box: what the memo holds.
    assert 1 <= len(planner._best) <= state_count(model, initial_state(model))


def test_of_equals_stopping_comes_first() -> None:
    model = chain(a=Fraction(0))
    assert ReviewPlanner(model).choose(initial_state(model)) is None


def test_of_equal_checks_the_first_by_identifier_comes_first() -> None:
    case = case_from({"c1": [["b"], ["a"]]}, "ba")
    model = review_model(case.commitment, 1)
    assert ReviewPlanner(model).choose(initial_state(model)) == 0
    assert case.commitment.compiled.checks == ("a", "b")


def test_what_costs_nothing_is_run_before_the_budget_is_spent() -> None:
    case = case_from({"c1": [["a", "b"]]}, "ab", (Check("z", ("b",), 0),))
    model = review_model(case.commitment, 1)
    planner = ReviewPlanner(model)
    assert case.commitment.compiled.checks[planner.choose(initial_state(model)) or 0] == "z"


def test_what_a_stop_leaves_out_is_no_use() -> None:
    """`d` alone could matter, but its route is dead; `b` is on a live route to something weaker."""
    model = chain()
    settled = Settled(true=0b011, false=0b100)  # a and b, and d
    assert useful_checks(model, ReviewState(0b111, settled, 0)) == ()
    assert useful_checks(model, ReviewState(0, Settled(false=0b001), 9)) == ()


def test_a_state_after_an_unavailable_read_is_planned_from() -> None:
    model = chain(a=HALF)
    gone = ReviewState(0b010, Settled(true=0b001, unavailable=0b010), 1)
    assert ReviewPlanner(model).choose(gone) is None
    assert ReviewPlanner(model).worth(gone) == 1
    assert ReviewPlanner(model, regret=True).worth(gone) == -2


def test_a_review_with_failing_and_empty_reads_ends_under_the_plan() -> None:
    case = case_from(CHAIN, "abd")
    planner = ReviewPlanner(review_model(case.commitment, 3))

    def resolver(check: Check) -> dict[str, bool | Unavailable]:
        if check.identifier == "a":
            raise OSError("no answer")
        return {atom: Unavailable("nothing there") for atom in check.settles}

    review = Review(case.commitment, resolver, budget=3)
    outcome = run_policy(review, Planned(case.commitment.compiled, planner))
    assert outcome.conclusions == ()
    assert [failure.check for failure in outcome.failures] == ["a", "a"]  # completion tries again


def test_a_plan_serves_its_own_program_only() -> None:
    one, other = case_from(CHAIN, "abd"), case_from({"c1": [["a"]]}, "ab")
    policy = Planned(one.commitment.compiled, ReviewPlanner(review_model(one.commitment, 3)))
    review = Review(other.commitment, lambda check: {}, budget=3)
    with pytest.raises(
        InvalidInput, match="policy: expected a plan for the program of this review"
    ):
        run_policy(review, policy)


@pytest.mark.slow
def test_a_program_over_the_limit_is_refused_with_its_size() -> None:
    atoms = [f"a{number:02}" for number in range(60)]
    model = review_model(case_from({"c1": [atoms]}, atoms).commitment, 60)
    with pytest.raises(InvalidInput, match=rf"checks: at least \d+ states .*{STATE_LIMIT}.*guided"):
        ReviewPlanner(model)
    assert STATE_LIMIT < state_count(model, initial_state(model)) < 3 * STATE_LIMIT
    assert ReviewPlanner(model._replace(budget=2)).worth(initial_state(model)._replace(left=2)) == 0


def test_a_check_of_many_atoms_is_counted_without_listing_its_answers() -> None:
    atoms = [f"a{number:02}" for number in range(60)]
    case = case_from({"c1": [atoms]}, atoms, (Check("all", tuple(atoms)),))
    model = review_model(case.commitment, 1)
    assert state_count(model, initial_state(model)) == 1 + 2**60


@pytest.mark.parametrize(
    ("budget", "priors", "message"),
    [
        (-1, {}, "budget: expected a number of at least 0"),
        (1, {"e": 1}, "priors.e: no atom has this name"),
        (1, {"a": 1.5}, "priors.a: expected a probability between 0 and 1"),
        (1, {"a": float("nan")}, "priors.a: expected a finite number"),
    ],
)
def test_bad_input_is_refused(budget: int, priors: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        review_model(case_from(CHAIN, "abd").commitment, budget, priors)
