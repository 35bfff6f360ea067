"""Plans of the kernels against the reference: every state's worth, and what is chosen there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from licet import ReviewModel, ReviewPlanner
from licet.review_planner import (
    ReviewState,
    answers,
    initial_state,
    useful_checks,
)
from licet_kernels.review.lattice import LatticePlan
from tests.kernels_review.problems import (
    Problem,
    problems,
)

# Of the greatest utility.
TOLERANCE = Fraction(1, 10**12)
HALF = Fraction(1, 2)


def plan_of(model: ReviewModel, regret: bool = False, threads: int | None = None) -> LatticePlan:
    return LatticePlan(model, initial_state(model), regret=regret, threads=threads)


def states_from(model: ReviewModel, state: ReviewState) -> Iterator[ReviewState]:
    """Every state that useful checks lead to, each once."""
    seen, waiting = {state}, [state]
    while waiting:
        state = waiting.pop()
        yield state
        for check in useful_checks(model, state):
            for _, after in answers(model, state, check):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def agree(model: ReviewModel, plan: LatticePlan, planner: ReviewPlanner) -> None:
    """Both say the same of every state, and in a tie they choose the same."""
    tolerance = TOLERANCE * max(model.utilities)
    for state in states_from(model, plan.root):
        assert abs(Fraction(plan.worth(state)) - planner.worth(state)) <= tolerance
        chosen = plan.choose(state)
        if chosen != planner.choose(state):
            assert chosen is not None
            reached = answers(model, state, chosen)
            worths = [(chance, planner.worth(after)) for chance, after in reached]
            worth = min(w for _, w in worths) if plan.regret else sum(p * w for p, w in worths)
            assert 0 < planner.worth(state) - worth <= tolerance


@given(problems(most_checks=5), st.booleans())
@settings(max_examples=150)
def test_every_state_has_the_worth_and_choice_of_the_reference(
    problem: Problem, regret: bool
) -> None:
    model = problem.model
    agree(model, plan_of(model, regret), ReviewPlanner(model, regret=regret))


@given(problems(most_checks=5), st.booleans())
@settings(max_examples=60)
def test_following_a_plan_comes_to_what_the_reference_says(problem: Problem, regret: bool) -> None:
    model = problem.model
    followed = plan_of(model, regret).follow()
    planner = ReviewPlanner(model, regret=regret)
    tolerance, start = TOLERANCE * max(model.utilities), initial_state(model)

    def own_choice(model: ReviewModel, state: ReviewState) -> tuple[int, ...]:
        check = planner.choose(state)
        return () if check is None else (check,)

    expectation = ReviewPlanner(model, own_choice).worth(start)
    assert abs(Fraction(followed.utility) - expectation) <= tolerance
    worst = -ReviewPlanner(model, own_choice, regret=True).worth(start)
    assert abs(Fraction(followed.regret) - worst) <= tolerance
