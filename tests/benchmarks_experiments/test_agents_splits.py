"""Agents on natural records and uncertain places: the zeros, and what breaks them."""

from dataclasses import replace

import pytest

from benchmarks.experiments.agents import splits, systems
from benchmarks.experiments.agents.splits import SPLITS, Cell, Found
from benchmarks.experiments.agents.systems import COMPLETED, GATED, LADDER, OTHERS, UNENFORCED
from benchmarks.experiments.agents.temperaments import OVERCLAIMS, STOPS, TEMPERAMENTS
from benchmarks.experiments.part import Size


@pytest.fixture(scope="module")
def found() -> Found:
    return splits.run(Size.QUICK, 7)


def test_nothing_fails_and_every_cell_is_shown(found: Found) -> None:
    assert list(splits.failures(found)) == []
    one = len(TEMPERAMENTS) * (len(LADDER) * 4 + len(OTHERS))
    assert len(found.cells) == one * len(SPLITS)
    shown = [shown.table for shown in splits.tables(found)]
    assert [len(table.rows) for table in shown] == [7, 28, 7, 28]
    assert all(len(row) == len(table.header) for table in shown for row in table.rows)


@pytest.mark.parametrize("field", ["unsupported", "premature"])
@pytest.mark.parametrize("system", GATED)
def test_a_conclusion_that_slips_through_a_gate_is_said(
    found: Found, system: str, field: str
) -> None:
    planted = changed(found, system, STOPS, **{field: 0.01})
    assert any(f": {system}, " in each for each in splits.failures(planted))


def test_an_overclaimer_that_claims_nothing_false_is_said(found: Found) -> None:
    planted = changed(found, UNENFORCED, OVERCLAIMS, unsupported=0.0)
    assert len(list(splits.failures(planted))) == len(SPLITS)


def test_completion_that_earns_nothing_is_said(found: Found) -> None:
    planted = changed(found, COMPLETED, STOPS, utility=0.0)
    assert len(list(splits.failures(planted))) == len(SPLITS)


def test_a_gate_that_admits_everything_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "established", lambda review, conclusion: True)
    places = range(len(splits._tasks(Size.QUICK, 7)))
    scores = [score for place in places for score in splits.measure(Size.QUICK, 7, place).items()]
    assert any(score.unsupported for key, score in scores if key.system == "AgentSpec, stop")


def changed(found: Found, system: str, temperament: str, **fields: float) -> Found:
    """Return what was found with figures of one agent replaced on both splits."""
    return Found(
        tuple(
            Cell(key, replace(summary, **fields))
            if (key.system, key.temperament) == (system, temperament)
            else Cell(key, summary)
            for key, summary in found.cells
        )
    )
