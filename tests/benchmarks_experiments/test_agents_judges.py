"""Simulated judges: false authorization follows their error, and a second judge lowers it."""

from dataclasses import replace

import pytest

from benchmarks.experiments.agents import judges
from benchmarks.experiments.agents.judges import ERRORS, GUIDED, OVERCLAIMS, THOROUGH, Found
from benchmarks.experiments.agents.judging import (
    Bench,
    Setup,
    expected_unsupported,
    judged_episode,
)
from benchmarks.experiments.corpus.generate import QUICK, generate
from benchmarks.experiments.corpus.tasks import Split, Task
from benchmarks.experiments.part import Size
from benchmarks.experiments.scoring.scores import score


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    return generate(7, QUICK).of(Split.TEXT)


def test_judges_that_are_never_wrong_state_what_the_record_supports(
    tasks: tuple[Task, ...],
) -> None:
    for task in tasks:
        for verified in (False, True):
            made = judged_episode(task, THOROUGH, Setup(0.0, verified), 7)
            strongest = task.reference.strongest
            assert made.stated == (() if strongest is None else (strongest,))
            assert len(made.admitted) == len(task.quotes)


def test_judges_that_are_always_wrong_admit_nothing_right(tasks: tuple[Task, ...]) -> None:
    for task in tasks[:8]:
        found = score(task, judged_episode(task, THOROUGH, Setup(1.0), 7))
        assert found.admitted == found.wrong == len(task.quotes)


def test_a_second_judge_that_errs_as_the_first_changes_nothing(tasks: tuple[Task, ...]) -> None:
    for task in tasks:
        alone = judged_episode(task, THOROUGH, Setup(0.3), 7)
        same = judged_episode(task, THOROUGH, Setup(0.3, True, 1.0), 7)
        assert (alone.stated, alone.admitted) == (same.stated, same.admitted)


def test_a_second_judge_only_takes_judgements_away(tasks: tuple[Task, ...]) -> None:
    fewer = 0
    for task in tasks:
        alone = judged_episode(task, THOROUGH, Setup(0.3), 7)
        checked = judged_episode(task, THOROUGH, Setup(0.3, True), 7)
        assert set(checked.admitted) <= set(alone.admitted)
        fewer += len(checked.admitted) < len(alone.admitted)
    assert fewer > 5


def test_a_judge_with_a_greater_error_is_wrong_where_one_with_a_smaller_is(
    tasks: tuple[Task, ...],
) -> None:
    wrong: dict[float, set[tuple[str, str]]] = {}
    for error in (0.05, 0.2, 0.5):
        wrong[error] = {
            (task.identifier, atom)
            for task in tasks
            for atom in task.quotes
            if Bench(task, Setup(error), 7).first(atom) is not task.reference.values[atom]
        }
    assert wrong[0.05] < wrong[0.2] < wrong[0.5]


def test_the_exact_probability_at_the_ends(tasks: tuple[Task, ...]) -> None:
    for task in tasks:
        assert expected_unsupported(task, Setup(0.0)) == 0
        always = judged_episode(task, THOROUGH, Setup(1.0), 7)
        assert expected_unsupported(task, Setup(1.0)) == score(task, always).unsupported
        shared = expected_unsupported(task, Setup(0.3, True, 1.0))
        assert shared == pytest.approx(expected_unsupported(task, Setup(0.3)))


@pytest.fixture(scope="module")
def found() -> Found:
    return judges.run(Size.QUICK, 7)


@pytest.mark.slow
def test_nothing_fails(found: Found) -> None:
    assert list(judges.failures(found)) == []
    shown = judges.tables(found)
    assert all(len(row) == len(each.table.header) for each in shown for row in each.table.rows)


def planted(found: Found, agent: str, setup: Setup, **figures: float) -> list[str]:
    """Return what is said when one cell has other figures."""
    cells = [
        replace(cell, summary=replace(cell.summary, **figures))
        if (cell.agent, cell.setup) == (agent, setup)
        else cell
        for cell in found.cells
    ]
    return list(judges.failures(replace(found, cells=tuple(cells))))


@pytest.mark.slow
def test_planted_violations_are_said(found: Found) -> None:
    never = Setup(0.0)
    assert "never wrong" in planted(found, GUIDED, never, unsupported=0.1)[0]
    assert "premature" in planted(found, GUIDED, Setup(0.1), premature=0.1)[0]
    assert "nothing enforces" in planted(found, OVERCLAIMS, never, unsupported=0.0)[0]
    assert "expected" in planted(found, THOROUGH, Setup(0.3), unsupported=90.0)[0]
    said = planted(found, GUIDED, Setup(ERRORS[-1], True), unsupported=99.0)
    assert "does not lower" in said[0]


@pytest.mark.slow
def test_a_second_judge_that_is_expected_to_help_nothing_is_said(found: Found) -> None:
    alone = found.cell(THOROUGH, Setup(ERRORS[-1])).expected
    cells = [
        replace(cell, expected=alone) if cell.setup == Setup(ERRORS[-1], True) else cell
        for cell in found.cells
        if cell.expected is not None or cell.setup != Setup(ERRORS[-1], True)
    ]
    kept = [cell for cell in found.cells if cell.expected is None]
    said = list(judges.failures(replace(found, cells=(*cells, *kept))))
    assert any("expected not to lower" in each for each in said)


@pytest.mark.slow
def test_few_episodes_of_any_seed_fail_nothing() -> None:
    for seed in (1, 2):
        assert list(judges.failures(judges.run(Size.QUICK, seed))) == []


@pytest.mark.slow
def test_false_authorization_that_does_not_rise_with_the_error_is_said(found: Found) -> None:
    cells = [
        replace(cell, expected=0.0) if cell.setup == Setup(ERRORS[1]) else cell
        for cell in found.cells
    ]
    said = list(judges.failures(replace(found, cells=tuple(cells))))
    assert any("does not rise with the error" in each for each in said)
