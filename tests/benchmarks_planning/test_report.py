"""What the planning benchmark says: goals met or missed, nothing left out, pictures that draw."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.planning import goals, reviewing, scaling
from benchmarks.planning.contenders import (
    AGRUM,
    COPY,
    GATE,
    LICET,
    NAIVE,
    NEEDS,
    STORM,
    Reading,
    naive,
)
from benchmarks.planning.goals import MET, MISSED, NOT_MEASURED, Goal
from benchmarks.planning.models import GateCase, ReviewCase
from benchmarks.planning.pictures import plot_goals, plot_scaling
from benchmarks.planning.run import PICTURES, summary
from benchmarks.planning.scaling import Measured, Run, Suite
from benchmarks.planning.units import bytes_of, rate, ratio, seconds_of
from benchmarks.planning.worker import NOT_INSTALLED, Timed
from benchmarks.report import Result, as_json, as_markdown, machine, save
from tests.benchmarks_planning import toys


def timed(*seconds: float, states: int = 9, peak: int = 2_000_000_000, **parts: float) -> Timed:
    readings = tuple(Reading(parts or {"plan": s}, (1.0,), states, "dense") for s in seconds)
    return Timed(readings, peak, 1_000_000)


def measured(case: GateCase, **others: Timed) -> Measured:
    return Measured(case, {LICET: timed(0.01, 0.02, 0.01), **others}, {})


@pytest.fixture
def gates() -> dict[str, tuple[Measured, ...]]:
    storm = timed(0.0, build=0.9, solve=0.14)
    return {
        "full_budget": (
            measured(GateCase(10), **{NAIVE: timed(3.1)}),
            measured(GateCase(12), **{STORM: storm}),
            measured(GateCase(16), **{COPY: timed(0.001)}),
            measured(GateCase(18)),
        ),
        "small_budget": (
            measured(GateCase(4, 2), **{AGRUM: Timed((), missing=NOT_INSTALLED)}),
            measured(GateCase(30, 4)),
        ),
        # The same case without its peers does not hide the first.
        "premises": (measured(GateCase(12)),),
    }


def test_units_read_well() -> None:
    assert [seconds_of(s) for s in (4.2e-6, 0.031, 3.1, 123)] == [
        "4.2 us",
        "31 ms",
        "3.1 s",
        "123 s",
    ]
    assert [bytes_of(b) for b in (900, 8.19e5, 3.1e9)] == ["0.9 kB", "819 kB", "3.1 GB"]
    assert [ratio(r) for r in (0.5, 12, 1234)] == ["0.5x", "12x", "1,234x"]
    assert [rate(r) for r in (12_345, 2.5e6)] == ["12,345", "2.5 million"]


def test_a_goal_is_met_or_missed_at_its_bound() -> None:
    assert Goal("a", 8.0, 8, least=True).verdict == MET
    assert Goal("a", 7.99, 8, least=True).verdict == MISSED
    assert Goal("a", 3.5e9, 3.5e9, least=False, unit="bytes").verdict == MET
    assert Goal("a", 0.051, 0.05, least=False, unit="s").verdict == MISSED
    assert Goal("a", None, 8, least=True).verdict == NOT_MEASURED
    assert (
        "stormpy not installed"
        in Goal("a", None, 8, least=True, why="stormpy not installed").verdict
    )


def test_goals_are_ratios_of_one_run(gates: dict[str, tuple[Measured, ...]]) -> None:
    review = reviewing.Measured(
        ReviewCase(10), {LICET: timed(0.001), NAIVE: timed(0.9)}, {NAIVE: 0.0}
    )
    found = {goal.what: goal for goal in goals.goals(gates, [review], [])}
    verdicts = [goal.verdict for goal in found.values()]
    # naive 310x; budget 4 not there; storm 104x and 14x; copy 10x; memory; 10 ms; the others.
    assert verdicts == [
        *(MET, NOT_MEASURED, MET, MISSED, MET, MISSED, MET, MET),
        *(NOT_MEASURED, NOT_MEASURED, MISSED),
    ]
    table = goals.table(list(found.values()))
    assert table.rows[0][1:] == ("at least 300x", "310x", MET)
    assert table.rows[3][2:] == ("14x", MISSED)


def test_what_is_not_installed_is_in_the_table(gates: dict[str, tuple[Measured, ...]]) -> None:
    suite = Suite("small_budget", "title", ())
    table = scaling.tables([suite], gates)[0]
    column = table.header.index(AGRUM)
    assert [row[column] for row in table.rows] == [NOT_INSTALLED, "not run"]
    missing = {"full_budget": (measured(GateCase(12), **{STORM: Timed((), missing="gone")}),)}
    found = goals.goals(missing, [], [])
    assert found[2].verdict == f"{NOT_MEASURED}: stormpy gone"


@pytest.mark.slow
def test_a_wrong_planner_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GATE, LICET, naive)
    monkeypatch.delitem(NEEDS, LICET)
    suite = Suite("full_budget", "title", (Run(GateCase(3, premises=3), (LICET, NAIVE)),))
    honest = scaling.measure([suite], seconds=0)
    assert scaling.disagreements(honest) == []
    monkeypatch.setitem(GATE, NAIVE, toys.naive_but_wrong)
    wrong = scaling.measure([suite], seconds=0)
    [said] = scaling.disagreements(wrong)
    assert said.startswith("m = 3, full budget, 3 premises: naive memoized is ")
    assert "Values disagree: m = 3" in summary((), [said])


def test_tables_and_pictures_draw(gates: dict[str, tuple[Measured, ...]], tmp_path: Path) -> None:
    found = goals.goals(gates, [], [])
    suites = [Suite(name, name, ()) for name in gates]
    result = Result(
        name="planning",
        title="Planning",
        settings={},
        figures={"goals": goals.figures(found), "gate": scaling.figures(gates)},
        tables=(goals.table(found), *scaling.tables(suites, gates)),
        notes=(summary(found, []),),
        picture=PICTURES[0],
        more_pictures=PICTURES[1:],
    )
    save(result, machine(), tmp_path)
    for draw, name in zip((plot_scaling, plot_goals), PICTURES, strict=True):
        draw(result, tmp_path / name)
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")
        assert f"]({name})" in as_markdown(result, machine())
    text = as_markdown(result, machine())
    assert "| m = 18, full budget | 9 dense | 10 ms |" in text
    assert json.loads(as_json(result, machine()))["figures"]["gate"]["full_budget"]
    assert str(Path.home()) not in text
