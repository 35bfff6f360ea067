"""The target rule's loss against the optimum is counted as it is."""

import pytest

from benchmarks.planning.models import ReviewCase
from benchmarks.report import as_markdown, machine
from benchmarks.target_rule import run
from benchmarks.target_rule.run import (
    Compared,
    budgets_of,
    cheapest_route,
    compare,
    target_rule,
    tightness_example,
)
from licet.review_planner import (
    ReviewPlanner,
    initial_state,
    review_model,
)
from licet.review_planner import target_rule as rule_of_the_core


def test_b_min_is_the_cheapest_route_to_the_strongest_conclusion() -> None:
    assert cheapest_route(tightness_example()) == 3
    assert budgets_of(tightness_example()) == {"b_min": 3, "b_min + 1": 4, "2 b_min": 6}


@pytest.mark.parametrize("seed", range(4))
def test_both_sides_are_the_cores(seed: int) -> None:
    case = ReviewCase(5, 6, seed=seed)
    for budget in budgets_of(case.commitment()).values():
        model = review_model(case.commitment(), budget, case.priors())
        start, found = initial_state(model), compare(model)
        assert found.optimum == pytest.approx(float(ReviewPlanner(model).worth(start)))
        rule = ReviewPlanner(model, rule_of_the_core).worth(start)
        assert found.rule == pytest.approx(float(rule))
        assert found.loss >= 0
        assert found.least_regret <= found.rule_regret


def test_the_example_loses_at_3_and_4_calls_where_priors_allow() -> None:
    found = run._example()
    assert found["3 calls, e2 1/5, the others 1/2"].loss > 0
    assert found["4 calls, e2 1/5, the others 1/2"].loss > 0
    assert found["4 calls, all 1/2"].loss > 0
    assert all(one.loss >= 0 for one in found.values())


@pytest.mark.slow
def test_a_small_run_reports() -> None:
    result = target_rule(3, shapes=((5, 6),))
    text = as_markdown(result, machine())
    assert "| 5 atoms, 6 routes, b_min |" in text
    assert "| 3 calls, all 1/2 |" in text
    assert "The optimum is nowhere below the target rule." in text
    assert not result.failed


def test_an_optimum_below_the_rule_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "compare", lambda model: Compared(99.0, 100.0, 0.0, 0.0))
    result = target_rule(1, shapes=((5, 6),))
    assert result.failed
    assert "that must not be" in result.notes[-1]
