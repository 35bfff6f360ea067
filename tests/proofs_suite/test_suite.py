"""The suite: a check that falls, breaks, times out or says nothing is never confirmed or tested."""

from __future__ import annotations

import pytest

from licet_proofs import confirm, suite
from licet_proofs.clauses import Clause, Method, Part, Word
from licet_proofs.suite import CheckResult, Task, run, run_task
from licet_proofs.table import data_of, lines_in, markdown

MODULE = "tests.proofs_suite.planted"


def task(method: Method, name: str, bounds: str = "") -> Task:
    return Task(method, name, bounds, MODULE)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = ("two_cases", "a_case_differs", "no_case", "a_case_breaks")
    goals = ("a_square_is_a_square", "every_real_is_positive", "the_time_is_up")
    monkeypatch.setattr(confirm, "ENUMERATIONS", dict.fromkeys(cases, MODULE))
    monkeypatch.setattr(confirm, "SOLVED", dict.fromkeys(goals, MODULE))
    monkeypatch.setattr(confirm, "LIMIT", 3.0)


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("method", "name", "bounds", "verdict"),
    [
        (Method.ENUMERATION, "two_cases", "both: 2 cases", Word.CONFIRMED),
        (Method.ENUMERATION, "two_cases", "all three: 3 cases", Word.NOT_CONFIRMED),
        (Method.ENUMERATION, "two_cases", "", Word.NOT_CONFIRMED),
        (Method.ENUMERATION, "no_case", "none: 0 cases", Word.NOT_CONFIRMED),
        (Method.ENUMERATION, "a_case_breaks", "all: 9 cases", Word.NOT_CONFIRMED),
        (Method.ENUMERATION, "a_case_differs", "all: 9 cases", Word.FALLS),
        (Method.SOLVER, "a_square_is_a_square", "all reals: 1 goals", Word.CONFIRMED),
        (Method.SOLVER, "every_real_is_positive", "all reals: 1 goals", Word.FALLS),
        (Method.SOLVER, "the_time_is_up", "all reals: 1 goals", Word.NOT_CONFIRMED),
        (Method.SYMBOLIC, "false_for_large_values", "all integers", Word.FALLS),
        (Method.SYMBOLIC, "nothing_is_generated", "all", Word.NOT_CONFIRMED),
        (Method.SYMBOLIC, "no_such_check", "all", Word.BREAKS),
        (Method.GENERATED, "a_square_is_not_negative", "", Word.TESTED),
        (Method.GENERATED, "every_number_is_small", "", Word.FALLS),
        (Method.GENERATED, "a_property_that_breaks", "", Word.BREAKS),
        (Method.GENERATED, "nothing_is_generated", "", Word.BREAKS),
        (Method.WORKED, "nothing_is_generated", "", Word.TESTED),
    ],
)
def test_the_verdict_on_a_check(method: Method, name: str, bounds: str, verdict: Word) -> None:
    result = run_task(task(method, name, bounds))
    assert (result.name, result.verdict) == (name, verdict), result
    assert bool(result.detail) != verdict.is_good


@pytest.mark.slow
@pytest.mark.usefixtures("planted")
def test_what_times_out_is_neither_confirmed_nor_refuted() -> None:
    result = run_task(task(Method.SYMBOLIC, "lists_of_any_length", "lists of any length"))
    assert result.verdict is Word.NOT_CONFIRMED
    assert "CANNOT_CONFIRM" in result.detail


def test_only_what_was_generated_is_counted() -> None:
    calls = []
    tried = suite.try_property(MODULE, "a_square_is_not_negative")
    assert tried.generated > 1
    result = run_task(task(Method.WORKED, "nothing_is_generated"))
    assert result.covered == 1
    assert calls == []


def clause(*parts: Part) -> Clause:
    return Clause("planted", "It holds.", "nowhere", parts)


def run_planted(*parts: Part) -> tuple[suite.Report, list[CheckResult]]:
    seen: list[CheckResult] = []
    stand = {(part.method, name): MODULE for part in parts for name in part.checks}
    report = run(
        [clause(*parts)],
        lambda result, done, total: seen.append(result),
        examples=30,
        modules_of=stand,
    )
    return report, seen


@pytest.mark.slow
def test_a_run_counts_and_judges_every_part_by_its_worst_check() -> None:
    report, seen = run_planted(
        Part(Method.GENERATED, ("a_square_is_not_negative",), "integers"),
        Part(Method.GENERATED, ("a_square_is_not_negative", "every_number_is_small"), "integers"),
        Part(Method.WORKED, ("nothing_is_generated",), "nothing"),
    )
    assert [row.verdict for row in report.rows] == [Word.TESTED, Word.FALLS, Word.TESTED]
    assert (report.rows[0].covered, report.rows[0].unit) == (30, "examples")
    assert len(seen) == 3  # a check that shows two parts runs once
    assert not report.is_good
    assert data_of(report)["rows"][1]["verdict"] == "falls"
    assert [line.verdict for line in lines_in(markdown(report))] == ["tested", "falls", "tested"]


@pytest.mark.slow
def test_a_check_whose_process_ends_breaks_and_nothing_hangs() -> None:
    report, _ = run_planted(Part(Method.WORKED, ("the_process_ends",), "nothing"))
    assert [row.verdict for row in report.rows] == [Word.BREAKS]
    assert not report.is_good


def test_nothing_run_is_not_good() -> None:
    assert not suite.Report(()).is_good
    result = CheckResult("check", Word.TESTED, 1, 0.0)
    part = Part(Method.WORKED, ("check",), "nothing")
    row = suite.Row(clause(part), part, "nothing", (result,))
    assert suite.Report((row,)).is_good
    assert not suite.Report((row,), ("a condition is not listed",)).is_good
