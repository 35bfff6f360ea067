"""Scripted policies, HESP's controller and the exact planner: what holds, and what breaks it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.experiments.agents import scripted
from benchmarks.experiments.agents.base_rates import (
    BaseRates,
    count_rates,
    establishes,
    priors,
    stages,
)
from benchmarks.experiments.agents.hesp import Prior, Settings, controlled
from benchmarks.experiments.agents.scripted import Found, finder
from benchmarks.experiments.corpus.generate import QUICK, generate
from benchmarks.experiments.corpus.tasks import Split, Task
from benchmarks.experiments.part import Size
from benchmarks.experiments.scoring.scores import score
from licet_bindings.locating import true_places

from .episodes import task as small_task


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    return generate(7, QUICK).of(Split.BALANCED)


@pytest.fixture(scope="module")
def rates() -> BaseRates:
    return count_rates(generate(7, QUICK).of(Split.DEVELOPMENT))


@pytest.fixture(scope="module")
def found() -> Found:
    return scripted.run(Size.QUICK, 7)


def test_rates_are_counted_by_hypothesis_and_stage() -> None:
    routes = {"c1": [["a"]], "c2": [["a", "b"], ["a", "!d"]], "c3": [["a", "b", "e"]]}
    assert stages(routes) == {"a": 0, "b": 1, "!d": 1, "e": 2}
    counted = count_rates([small_task(("c1", "c2"))])
    # b is false and d true: neither literal is established; e is unknown.
    assert counted.hypotheses == tuple(Fraction(n, 5) for n in (1, 1, 2, 1))
    assert counted.within[2] == (Fraction(2, 3), Fraction(1, 4), Fraction(1, 3))
    assert counted.within[0] == (Fraction(1, 2),) * 3
    assert priors(small_task(), counted)["d"] == Fraction(3, 4)


def test_no_evidence_establishes_nothing() -> None:
    assert [establishes("a", v) for v in (True, False, None)] == [True, False, False]
    assert [establishes("!a", v) for v in (True, False, None)] == [False, True, False]


@pytest.mark.parametrize("prior", Prior)
def test_hesp_concludes_less_early_at_a_higher_threshold(
    tasks: tuple[Task, ...], rates: BaseRates, prior: Prior
) -> None:
    counts = []
    for threshold in (0.5, 0.8, 0.999999):
        made = [controlled(task, 20, rates, Settings(threshold, prior)) for task in tasks[:16]]
        counts.append(sum(score(t, m).premature for t, m in zip(tasks, made, strict=False)))
    assert counts[0] >= counts[1] >= counts[2] == 0
    assert counts[0] > 0


def test_hesp_at_certainty_states_what_the_record_supports(
    tasks: tuple[Task, ...], rates: BaseRates
) -> None:
    for task in tasks:
        made = controlled(task, 20, rates, Settings(0.999999))
        strongest = task.reference.strongest
        assert made.stated == (() if strongest is None else (strongest,))


def test_guesses_are_right_as_often_as_they_are_told() -> None:
    copies = generate(7, QUICK).of(Split.LOCATOR)
    for rate in (0.0, 0.7, 1.0):
        right = total = 0
        for task in copies:
            places = true_places(task.review_document, dict(task.record))
            guessed = scripted.guesses(task, places, rate, 7)
            right += sum(guessed[atom] == task.true_fields[atom] for atom in guessed)
            total += len(guessed)
        assert right / total == pytest.approx(rate, abs=0.1)


@pytest.mark.slow
def test_more_is_reached_where_places_are_known(found: Found) -> None:
    for budget in scripted.BUDGETS[:2]:
        utilities = [
            found.cell(Split.LOCATOR, name, budget).summary.utility
            for name in ("locator", finder(0.81), "blind")
        ]
        assert utilities == sorted(utilities, reverse=True)


@pytest.mark.slow
def test_nothing_fails_on_the_small_corpus(found: Found) -> None:
    assert list(scripted.failures(found)) == []
    assert found.cell(Split.BALANCED, scripted.HESP).summary.premature > 0
    assert len(found.expected) == 8 * len(scripted.BUDGETS)
    shown = scripted.tables(found)
    assert all(len(row) == len(each.table.header) for each in shown for row in each.table.rows)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["unsupported", "premature"])
def test_a_policy_that_states_what_it_did_not_check_is_said(found: Found, field: str) -> None:
    cells = list(found.cells)
    cells[0] = replace(cells[0], summary=replace(cells[0].summary, **{field: 0.01}))
    (said,) = scripted.failures(replace(found, cells=tuple(cells)))
    assert said.startswith(f"balanced, {cells[0].policy}, b_min: something is stated")


@pytest.mark.slow
def test_a_policy_expected_to_beat_the_exact_plan_is_said(found: Found) -> None:
    first = found.expected[0]
    worse = first._replace(exact=first.others["guided"] - 0.001)
    said = list(scripted.failures(replace(found, expected=(worse, *found.expected[1:]))))
    assert any("guided is expected to earn" in each for each in said)


@pytest.mark.slow
def test_ceiling_targeting_that_misses_full_information_is_said(found: Found) -> None:
    def lowered(cell: scripted.Cell) -> scripted.Cell:
        if (cell.split, cell.policy, cell.budget) != (Split.BALANCED, "ceiling", "20"):
            return cell
        return replace(cell, summary=replace(cell.summary, utility=cell.summary.utility - 1))

    (said,) = scripted.failures(replace(found, cells=tuple(map(lowered, found.cells))))
    assert "misses full information" in said
