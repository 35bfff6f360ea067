"""Where the exact plan beats the target rule: the tightness example of Theorem 4.3.

c1 by e1 or by e3, c2 by e1 and e2 or by e3 and e4, c3 by e1, e5 and e2, worth 10, 20 and 30, one
call for each atom. On the record where e1, e3 and e4 hold, the rule ends with c1, c1 and c2 on 3, 4
and 5 calls.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from licet import Check, Review, ReviewModel, ReviewPlanner, review_model
from licet.review_planner import initial_state, target_rule
from licet_bindings.policies import Planned, guided, run_policy
from licet_kernels.review.planning import evaluate, evaluate_guided, exact_plan, kernel_plan
from tests.core.programs import tightness_example

RECORD = {"e1": True, "e2": False, "e3": True, "e4": True, "e5": False}

# e3 and e4 mostly hold, e2 and e5 hardly ever: the rule spends two calls on c3 all the same.
LIKELY = {
    "e1": Fraction(9, 10),
    "e2": Fraction(1, 10),
    "e3": Fraction(9, 10),
    "e4": Fraction(9, 10),
    "e5": Fraction(1, 10),
}


def model(budget: int, priors: dict[str, Fraction] = LIKELY) -> ReviewModel:
    return review_model(tightness_example(), budget, priors)


def utilities(budget: int, priors: dict[str, Fraction] = LIKELY) -> tuple[Fraction, Fraction]:
    """What is expected of the exact plan, and of the target rule."""
    problem = model(budget, priors)
    start = initial_state(problem)
    best = ReviewPlanner(problem).worth(start)
    return best, ReviewPlanner(problem, target_rule).worth(start)


@pytest.mark.parametrize("budget", range(7))
@pytest.mark.parametrize("priors", [LIKELY, {}, dict.fromkeys(LIKELY, Fraction(4, 5))])
def test_the_exact_plan_is_never_below_the_target_rule(
    budget: int, priors: dict[str, Fraction]
) -> None:
    best, rule = utilities(budget, priors)
    assert best >= rule


@pytest.mark.parametrize(
    ("budget", "best", "rule"),
    [
        (2, Fraction(18), Fraction(54, 5)),
        (3, Fraction(909, 50), Fraction(117, 10)),
        (4, Fraction(18261, 1000), Fraction(117, 10)),
    ],
)
def test_the_exact_plan_is_above_the_target_rule(
    budget: int, best: Fraction, rule: Fraction
) -> None:
    assert utilities(budget) == (best, rule)
    problem = model(budget)
    assert abs(kernel_plan(problem).worth(initial_state(problem)) - float(best)) < 1e-12
    assert evaluate(problem, exact_plan(problem).choose).utility == best
    assert evaluate_guided(problem).utility == rule


def test_with_even_priors_it_is_above_at_four_calls_alone() -> None:
    even = [utilities(budget, {}) for budget in range(6)]
    assert [best > rule for best, rule in even] == [False, False, False, False, True, False]
    assert even[4] == (Fraction(105, 8), Fraction(25, 2))


@pytest.mark.parametrize(("budget", "least", "rule"), [(3, 10, 10), (4, 0, 10), (5, 0, 0)])
def test_the_rule_is_regretted_at_four_calls_where_nothing_need_be(
    budget: int, least: int, rule: int
) -> None:
    problem = model(budget)
    start = initial_state(problem)
    assert ReviewPlanner(problem, regret=True).worth(start) == -least
    assert kernel_plan(problem, regret=True).worth(start) == -least
    assert evaluate_guided(problem).regret == rule


@pytest.mark.parametrize(
    ("budget", "planned", "rule"), [(3, "c2", "c1"), (4, "c2", "c1"), (5, "c2", "c2")]
)
def test_a_review_of_the_record_ends_higher_under_the_plan(
    budget: int, planned: str, rule: str
) -> None:
    commitment = tightness_example()

    def resolver(check: Check) -> dict[str, bool]:
        return {atom: RECORD[atom] for atom in check.settles}

    policy = Planned(commitment.compiled, exact_plan(model(budget)))
    for chosen, conclusion in ((policy, planned), (guided, rule)):
        review = Review(commitment, resolver, budget=budget)
        assert run_policy(review, chosen).conclusions == (conclusion,)
