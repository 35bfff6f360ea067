"""The whole run, its tables, and what makes it fail."""

import json
from collections import Counter

import pytest

from benchmarks import __main__ as command
from benchmarks.conformance import run
from benchmarks.conformance.battery import Figures
from benchmarks.conformance.committing import Compared, compare, pairs_of
from benchmarks.conformance.evidence import bundled
from benchmarks.conformance.rendering import Rendered
from benchmarks.report import Result, as_json, as_markdown, machine


@pytest.mark.slow
def test_a_short_run_finds_nothing_and_fills_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pairs_of(bundled(), seeds=(4,))
    monkeypatch.setattr(run, "compare", lambda: compare(pairs))
    result = run.conformance(episodes=120, processes=1)
    assert not result.failed
    figures = json.loads(as_json(result, machine()))["figures"]
    for episodes in ("scripted", "generated"):
        assert set(figures["violations"][episodes].values()) == {0}
    assert figures["commitment"]["pairs"] == len(pairs)
    violations, renderer, commitment, *_ = result.tables
    assert [row[0] for row in violations.rows] == [
        "scripted",
        "generated, 120",
        "in the paper, scripted",
    ]
    assert all(len(row) == len(violations.header) for row in violations.rows)
    assert dict(row[:2] for row in renderer.rows)["round trips exact"].startswith("5")
    assert commitment.rows[0][1] == "0.000"
    assert all(row[1] > "0.3" for row in commitment.rows[1:])
    assert "| scripted | 0 |" in as_markdown(result, machine())


def _compared(**changes: int) -> Compared:
    found = Compared(pairs=2)
    found.by_input.update({leaks.name: 1 for leaks in run.LEAKY})
    for name, count in changes.items():
        setattr(found, name, count)
    return found


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("run_script", Figures(objections=Counter({"mask violations": 1}))),
        ("_run", Figures(objections=Counter({"retraction failure": 1}))),
        ("check_renderer", Rendered(inexact=["a case"])),
        ("check_renderer", Rendered(forged=["a slot"])),
        ("compare", _compared(hashes=1)),
        ("compare", _compared(answered=1)),
        ("compare", _compared(ran=1)),
        ("compare", Compared(pairs=2)),
    ],
)
def test_a_violation_fails_the_run(
    part: str, found: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound: dict[str, object] = {
        "run_script": Figures(),
        "_run": Figures(),
        "check_renderer": Rendered(),
        "compare": _compared(),
    }
    for name, result in {**sound, part: found}.items():
        monkeypatch.setattr(run, name, lambda *_, result=result: result)
    assert run.conformance().failed
    monkeypatch.setattr(run, part, lambda *_: sound[part])
    assert not run.conformance().failed


def test_the_command_says_that_it_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(*_: object, **__: object) -> Result:
        return Result("conformance", "", {}, {"violations": 1}, (), (), failed=True)

    monkeypatch.setattr(command, "conformance", found)
    assert command.main(["conformance", "--episodes", "10", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["figures"] == {"violations": 1}
