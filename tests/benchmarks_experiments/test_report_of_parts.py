"""`python -m benchmarks.experiments`: what it writes, prints and returns, with toy parts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from benchmarks.experiments import __main__ as command
from benchmarks.experiments import registry
from benchmarks.experiments.files import REPORT, plain
from benchmarks.experiments.part import Setting, Shown, Size
from benchmarks.report import Table


@dataclass(frozen=True)
class Found:
    size: Size
    share: Fraction
    seed: int


class Toy:
    """A part that finds a half, and one failure if it is told to."""

    TITLE = "A toy"

    def __init__(self, name: str, *failures: str) -> None:
        self.NAME, self._failures = name, failures

    def run(self, size: Size, seed: int) -> Found:
        return Found(size, Fraction(1, 2), seed)

    def tables(self, result: Found) -> Sequence[Shown]:
        table = Table("Shares", ("what", "share"), (("a|b", f"{float(result.share)}"),))
        return [Shown(table, Setting.LIKE, "drawn, not measured")]

    def pictures(self, result: Found, folder: Path) -> Sequence[str]:
        (folder / f"{self.NAME}.svg").write_text("<svg/>", "utf-8")
        return [f"{self.NAME}.svg"]

    def failures(self, result: Found) -> Sequence[str]:
        return self._failures


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {"first": Toy("first"), "second": Toy("second")}
    monkeypatch.setattr(command, "parts", lambda: known)


def run(folder: Path, *arguments: str) -> int:
    return command.main([*arguments, "--quick", "--results", str(folder)])


@pytest.mark.usefixtures("toys")
def test_the_report_holds_every_part_in_order_and_each_has_its_files(tmp_path: Path) -> None:
    assert run(tmp_path, "second") == 0
    assert run(tmp_path, "first") == 0
    report = (tmp_path / REPORT).read_text("utf-8")
    assert report.index("`first`") < report.index("`second`")
    assert "| a\\|b | 0.5 |" in report
    assert "*like setting*: drawn, not measured" in report
    assert "![A toy](second.svg)" in report
    assert json.loads((tmp_path / "first.json").read_text("utf-8")) == {
        "part": "first",
        "size": "quick",
        "seed": 7,
        "failures": [],
        "result": {"size": "quick", "share": 0.5, "seed": 7},
    }


@pytest.mark.usefixtures("toys")
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        run(tmp_path / folder)
    written = [{f.name: f.read_bytes() for f in (tmp_path / n).iterdir()} for n in ("one", "other")]
    assert written[0] == written[1]
    assert len(written[0]) == 7


@pytest.mark.usefixtures("toys")
def test_json_is_all_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--json", "--quick", "--seed", "3"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(one["part"], one["result"]["seed"]) for one in printed] == [
        ("first", 3),
        ("second", 3),
    ]


@pytest.mark.usefixtures("toys")
def test_an_unknown_part_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main(["third"])
    assert stopped.value.code == 2
    assert "no part is named 'third'; expected one of first, second" in capsys.readouterr().err


@pytest.mark.usefixtures("toys")
def test_results_that_cannot_be_written_are_bad_input_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file", "utf-8")
    monkeypatch.setattr(Toy, "run", None)
    for folder in (taken, taken / "below"):
        with pytest.raises(SystemExit) as stopped:
            run(folder)
        assert stopped.value.code == 2
        assert f"no results can be written to {folder}: " in capsys.readouterr().err
    assert taken.read_text("utf-8") == "a file"


@pytest.mark.usefixtures("toys")
def test_a_part_that_is_named_twice_is_run_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["first", "first", "--json", "--quick"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1


def test_what_does_not_hold_is_said_and_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "parts", lambda: {"toy": Toy("toy", "one is two")})
    assert run(tmp_path) == 1
    assert "Does not hold: one is two" in capsys.readouterr().out
    assert "**Does not hold:** one is two." in (tmp_path / REPORT).read_text("utf-8")


def test_a_name_that_two_parts_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_listed", lambda: iter((Toy("twin"), Toy("twin"))))
    with pytest.raises(ValueError, match="found the part 'twin' twice"):
        registry.parts()


def test_every_part_is_complete() -> None:
    for name, part in registry.parts().items():
        assert name == part.NAME
        assert part.TITLE
        assert callable(part.run)
        assert callable(part.tables)
        assert callable(part.pictures)


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(TypeError, match="expected plain data, found object"):
        plain({"x": object()})
