"""Agents on natural records and uncertain places: the zeros, and what breaks them."""

from dataclasses import replace

import pytest

from benchmarks.experiments.agents import splits, systems
from benchmarks.experiments.agents.ladder import REACHING
from benchmarks.experiments.agents.splits import SPLITS, Cell, Found
from benchmarks.experiments.agents.systems import COMPLETED, GATED, LADDER, OTHERS, UNENFORCED
from benchmarks.experiments.agents.temperaments import OVERCLAIMS, STOPS, TEMPERAMENTS
from benchmarks.experiments.corpus.tasks import Split
from benchmarks.experiments.part import Size


@pytest.fixture(scope="module")
def found() -> Found:
    return splits.run(Size.QUICK, 7)


def test_nothing_fails_and_every_cell_is_shown(found: Found) -> None:
    assert list(splits.failures(found)) == []
    one = len(TEMPERAMENTS) * (len(LADDER) * 4 + len(OTHERS))
    assert len(found.cells) == one * len(SPLITS)
    shown = [shown.table for shown in splits.tables(found)]
    assert [len(table.rows) for table in shown] == [7, 28, 7, 28, 7]
    assert all(len(row) == len(table.header) for table in shown for row in table.rows)


@pytest.mark.parametrize("field", ["unsupported", "premature"])
@pytest.mark.parametrize("system", GATED)
def test_a_conclusion_that_slips_through_a_gate_is_said(
    found: Found, system: str, field: str
) -> None:
    planted = changed(found, system, STOPS, **{field: 0.01})
    assert any(f": {system}, " in each for each in splits.failures(planted))


@pytest.mark.parametrize("field", ["unsupported", "premature"])
def test_an_overclaimer_that_claims_nothing_false_is_said(found: Found, field: str) -> None:
    planted = changed(found, UNENFORCED, OVERCLAIMS, **{field: 0.0})
    assert len(list(splits.failures(planted))) == len(SPLITS)


def test_completion_that_earns_nothing_is_said(found: Found) -> None:
    planted = changed(found, COMPLETED, STOPS, utility=0.0)
    assert len(list(splits.failures(planted))) == len(SPLITS)


def test_a_gate_that_admits_everything_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "established", lambda review, conclusion: True)
    places = range(len(splits._tasks(Size.QUICK, 7)))
    scores = [pair for n in places for pair in splits.measure(Size.QUICK, 7, n).scores.items()]
    assert any(score.unsupported for key, score in scores if key.system == "AgentSpec, stop")


def test_completion_that_misses_a_promised_ceiling_is_said(found: Found) -> None:
    assert all(each.tasks for each in found.sufficiency.values())
    missed = {name: each._replace(reached=0) for name, each in found.sufficiency.items()}
    said = list(splits.failures(found._replace(sufficiency=missed)))
    assert len(said) == len(missed) == 3
    given = {name: each for name, each in found.promises.items() if each.promised}
    broken = {name: each._replace(kept=each.promised - 1) for name, each in given.items()}
    assert {*REACHING} <= given.keys() < TEMPERAMENTS.keys()
    assert len(list(splits.failures(found._replace(promises=broken)))) == len(given)


def test_nothing_is_promised_where_places_are_uncertain() -> None:
    tasks = splits._tasks(Size.QUICK, 7)
    assert {task.split for task in tasks if task.sufficient is not None} == {Split.NATURAL}


def changed(found: Found, system: str, temperament: str, **fields: float) -> Found:
    """Return what was found with figures of one agent replaced on both splits."""
    return found._replace(
        cells=tuple(
            Cell(key, replace(summary, **fields))
            if (key.system, key.temperament) == (system, temperament)
            else Cell(key, summary)
            for key, summary in found.cells
        )
    )
