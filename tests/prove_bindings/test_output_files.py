"""The files that `licet prove` writes: refused at once or written whole, and nothing lost."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from licet_bindings.outputs import OutputFile
from licet_proofs import suite
from licet_proofs.clauses import Clause, clauses
from licet_proofs.suite import CheckResult, Report, Row
from licet_proofs.table import lines_in, promised
from tests.bindings.commands import licet as run_licet
from tests.bindings.programs import EXAMPLES

CANDIDATE = EXAMPLES / "gate" / "high_value.json"
OPTIONS = ("--output", "--markdown")


def good(chosen: Sequence[Clause], done: object, *, examples: int) -> Report:
    """A run in which everything is as it must be."""
    rows = [
        Row(
            clause,
            part,
            part.bounds_in(suite.confirm.required()),
            tuple(CheckResult(name, part.promised, 7, 0.1) for name in part.checks),
        )
        for clause in chosen
        for part in clause.parts
    ]
    return Report(tuple(rows))


@pytest.fixture
def _all_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "run", good)


@pytest.fixture
def _nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(chosen: Sequence[Clause], done: object, *, examples: int) -> Report:
        raise AssertionError("it ran")

    monkeypatch.setattr(suite, "run", run)


def unwritable(folder: Path) -> list[tuple[Path, str]]:
    """Return paths that nothing can be written to, and why."""
    (folder / "file").write_text("old", encoding="utf-8")
    (folder / "loop").symlink_to("loop")
    return [
        (folder, "Is a directory"),
        (folder / "nowhere" / "results", "No such file or directory"),
        (folder / "file" / "results", "Not a directory"),
        (folder / "loop", "Too many levels of symbolic links"),
    ]


@pytest.mark.usefixtures("_nothing_runs")
@pytest.mark.parametrize("option", OPTIONS)
def test_what_cannot_be_written_is_refused_before_anything_runs(
    option: str, tmp_path: Path
) -> None:
    for path, why in unwritable(tmp_path):
        done = run_licet("prove", option, path)
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"licet: {option}: {tmp_path}")
        assert "cannot be written" in line
        assert why in line
    assert (tmp_path / "file").read_text("utf-8") == "old"


@pytest.mark.usefixtures("_nothing_runs")
def test_a_page_that_cannot_be_read_is_refused_before_anything_runs(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"\xff")
    done = run_licet("prove", "--markdown", page)
    assert done.exit_code == 2
    assert f"licet: --markdown: {page} cannot be read" in done.stderr
    assert page.read_bytes() == b"\xff"


def test_a_program_is_not_checked_where_its_results_cannot_be_written(tmp_path: Path) -> None:
    output = tmp_path / "nowhere" / "results"
    done = run_licet("prove", "--program", CANDIDATE, "--output", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"licet: --output: {output} cannot be written")


@pytest.mark.usefixtures("_all_good")
def test_what_was_found_is_printed_though_a_disk_is_full(tmp_path: Path) -> None:
    shown = run_licet("prove", "--output", "/dev/full", "--markdown", "/dev/full")
    assert shown.exit_code == 2
    assert shown.stdout.startswith("clause ")
    assert [line.partition("cannot")[0] for line in shown.stderr.splitlines()] == [
        f"licet: {option}: /dev/full " for option in ("--markdown", "--output")
    ]
    done = run_licet("prove", "--json", "--output", "/dev/full")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["good"] is True


@pytest.mark.usefixtures("_all_good")
def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    file = tmp_path / "results"
    file.write_text("old", encoding="utf-8")
    for option in OPTIONS:
        done = run_licet("prove", option, file)
        assert done.exit_code == 2
        assert f"licet: {option}: {file} cannot be written: No space left" in done.stderr
        assert done.stdout.startswith("clause ")
    assert [each.name for each in tmp_path.iterdir()] == ["results"]
    assert file.read_text("utf-8") == "old"


def test_a_run_that_is_interrupted_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(chosen: Sequence[Clause], done: object, *, examples: int) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr(suite, "run", run)
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old", encoding="utf-8")
    done = run_licet("prove", "--output", old, "--markdown", new)
    assert done.exit_code == 130
    assert [each.name for each in tmp_path.iterdir()] == ["old"]
    assert old.read_text("utf-8") == "old"


@pytest.mark.usefixtures("_all_good")
def test_a_written_file_keeps_its_place_and_its_mode(tmp_path: Path) -> None:
    file, link, new = (tmp_path / name for name in ("file", "link", "new"))
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to("file")
    before = os.umask(0o027)
    try:
        done = run_licet("prove", "--output", link, "--markdown", new)
    finally:
        os.umask(before)
    assert done.exit_code == 0, done.output
    assert link.is_symlink()
    assert json.loads(file.read_text("utf-8"))["good"] is True
    assert lines_in(new.read_text("utf-8")) == promised(clauses().values())
    assert [oct(each.stat().st_mode & 0o777) for each in (file, new)] == ["0o640", "0o640"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "link", "new"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EBUSY])
def test_a_file_that_cannot_be_replaced_is_written_in_its_place(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where it is mounted by itself, or its directory takes no new file."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "replace", refused)
    file = tmp_path / "file"
    file.write_text("old", encoding="utf-8")
    OutputFile(file, "--output").write("new")
    assert file.read_text("utf-8") == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    file = OutputFile(pipe, "--output")
    file.require_writable()
    assert file.text() == ""
    file.write("new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert pipe.is_fifo()
