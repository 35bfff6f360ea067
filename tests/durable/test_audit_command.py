"""`licet audit`: what it prints, what it writes, and how it ends."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from licet_bindings.durable.ledgers import DurableLedger
from tests.bindings.commands import licet, lines
from tests.durable.ledgers import fill, ticking


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "ledger.db"
    with DurableLedger.open(path, clock=ticking()) as ledger:
        fill(ledger)
    return path


@pytest.fixture
def ledger(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "ledger.db"))


def head_of(ledger: Path) -> str:
    return str(lines(licet("audit", ledger, "--json"))[0]["head"])


def test_a_ledger_that_holds(ledger: Path) -> None:
    before = ledger.read_bytes()
    result = licet("audit", ledger)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[0] == f"{ledger}: all holds"
    assert "42 entries, 3 reviews, 2 gates, 5 of them replayed" in result.stdout
    assert "note: entry 25: the review is open" in result.stdout
    assert result.stdout.splitlines()[-1] == f"  head: {head_of(ledger)}"
    assert ledger.read_bytes() == before


def test_the_report_in_json_is_one_document(ledger: Path) -> None:
    result = licet("audit", ledger, "--json")
    (report,) = lines(result)
    assert result.exit_code == 0
    assert report["holds"] is True
    assert (report["entries"], report["reviews"], report["gates"]) == (42, 3, 2)
    assert report["first"] is None
    assert report["findings"] == []
    assert report["notes"] == [{"entry": 25, "episode": 20, "problem": "the review is open"}]


def test_a_changed_column_is_a_finding(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(f"UPDATE {table_of(ledger)} SET time = 'x' WHERE sequence = 7")
    result = licet("audit", ledger, "--json")
    assert result.exit_code == 1
    (report,) = lines(result)
    assert report["first"]["entry"] == 7
    assert report["first"]["problem"].startswith("its digest is not that of its content")
    said = licet("audit", ledger)
    assert said.exit_code == 1
    assert said.stdout.startswith(f"{ledger}: it does not hold, first at entry 7: its digest")


@pytest.mark.parametrize("row", [7, 42])
@pytest.mark.parametrize("edit", ["kind = 'x'", "name = CAST(x'ff' AS TEXT)"])
def test_an_entry_that_cannot_be_read_ends_the_chain_and_what_is_before_it_is_replayed(
    ledger: Path, row: int, edit: str
) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(f"UPDATE {table_of(ledger)} SET {edit} WHERE sequence = {row}")
    result = licet("audit", ledger, "--json")
    assert result.exit_code == 1
    (report,) = lines(result)
    assert report["entries"] == row - 1
    assert report["first"]["entry"] == row
    assert report["first"]["problem"].startswith("it cannot be read, nor what stands behind it")
    assert report["replayed"] == (1 if row == 7 else 5)


def test_a_removed_row_leaves_the_other_episodes_as_they_are(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(f"DELETE FROM {table_of(ledger)} WHERE sequence = 7")
    (report,) = lines(licet("audit", ledger, "--json"))
    assert report["first"]["entry"] == 8
    assert {found["episode"] for found in report["findings"]} <= {2, None}
    assert report["replayed"] == 5


def table_of(ledger: Path) -> str:
    with closing(sqlite3.connect(ledger)) as connection:
        return str(connection.execute("SELECT name FROM sqlite_schema").fetchone()[0])


def test_a_byte_that_no_query_reads_is_a_finding(ledger: Path) -> None:
    content = bytearray(ledger.read_bytes())
    content[75] ^= 1  # in the header, reserved
    ledger.write_bytes(content)
    result = licet("audit", ledger)
    assert result.exit_code == 1
    assert "header, byte 72, reserved bytes" in result.stdout


def test_a_head_that_was_noted_shows_a_cut_end(ledger: Path) -> None:
    head = head_of(ledger)
    passed = licet("audit", ledger, "--head", head)
    assert passed.exit_code == 0
    assert "the chain passes through it" in passed.stdout
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(f"DELETE FROM {table_of(ledger)} WHERE sequence = 42")
    result = licet("audit", ledger, "--head", head)
    assert result.exit_code == 1
    assert "entry 42 was there once: the end is cut off" in result.stdout
    other = f"5:{'0' * 64}"
    assert "not the one that was noted elsewhere" in licet("audit", ledger, "--head", other).stdout


@pytest.mark.parametrize("head", ["", "5", "5:abc", f"-1:{'0' * 64}", f"0:{'1' * 64}"])
def test_a_head_that_is_none_is_refused(ledger: Path, head: str) -> None:
    result = licet("audit", ledger, "--head", head)
    assert result.exit_code == 2
    assert result.stderr.startswith("licet: --head: expected an entry's number and its digest")


def test_a_report_is_written(ledger: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert licet("audit", ledger, "--html", report).exit_code == 0
    text = report.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.count("<article") == 5
    assert licet("audit", ledger, "--episode", "second", "--html", report).exit_code == 0
    assert report.read_text(encoding="utf-8").count("<article") == 1


def test_a_report_is_written_of_a_ledger_that_fails(ledger: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(f"UPDATE {table_of(ledger)} SET body = x'00' WHERE sequence = 7")
    report = tmp_path / "report.html"
    assert licet("audit", ledger, "--html", report).exit_code == 1
    assert "The ledger fails, first at entry 7" in report.read_text(encoding="utf-8")


def test_a_report_is_never_written_over_the_ledger(ledger: Path) -> None:
    before = ledger.read_bytes()
    result = licet("audit", ledger, "--html", ledger)
    assert result.exit_code == 2
    assert "--html: expected another file than" in result.stderr
    assert ledger.read_bytes() == before


def test_an_episode_that_is_not_there_is_bad_input(ledger: Path) -> None:
    result = licet("audit", ledger, "--episode", "fourth")
    assert result.exit_code == 2
    assert "there is no review or gate 'fourth'" in result.stderr


def test_what_is_no_ledger_is_bad_input(tmp_path: Path, ledger: Path) -> None:
    for name, content in (("text", b"not a database"), ("empty", b"")):
        (tmp_path / name).write_bytes(content)
        result = licet("audit", tmp_path / name)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
    with closing(sqlite3.connect(tmp_path / "foreign")) as connection, connection:
        connection.execute("CREATE TABLE entry (sequence INTEGER)")
    for path in (tmp_path / "foreign", tmp_path / "missing", tmp_path):
        result = licet("audit", path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    result = licet("audit", ledger)
    assert result.exit_code == 2
    assert "a newer licet wrote it" in result.stderr
    assert not (tmp_path / "missing").exists()


def test_a_file_that_was_cut_is_a_finding_or_bad_input(ledger: Path) -> None:
    content = ledger.read_bytes()
    ledger.write_bytes(content[: len(content) // 2 + 100])
    result = licet("audit", ledger, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["holds"] is False
