"""Opening a ledger's file: what it is begun with, and what is refused and left as it was."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from licet_bindings.durable.entries import EMPTY
from licet_bindings.durable.errors import Damaged, LedgerError, Locked, NotALedger
from licet_bindings.durable.sqlite_schema import (
    APPLICATION_ID,
    INSERT,
    PAGE_SIZE,
    SCHEMA,
    USER_VERSION,
)
from licet_bindings.durable.sqlite_store import SqliteStore
from tests.durable.drafts import event, opening, program
from tests.durable.unprivileged import without_privileges

POSIX = pytest.mark.skipif(os.name != "posix", reason="names and rights are those of POSIX")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A closed ledger of two entries."""
    path = tmp_path / "ledger"
    with SqliteStore.open(path) as store:
        store.append(opening("a"))
        store.append(event(1, 1))
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement).fetchall()


def test_the_file_keeps_what_was_appended(ledger: Path) -> None:
    with SqliteStore.open(ledger, create=False) as store:
        assert [entry.name for entry in store.entries()] == ["a", ""]
        assert store.append(event(1, 2)).sequence == 3
    with SqliteStore.read(ledger) as store:
        assert store.head().sequence == 3


def test_those_who_begin_a_ledger_together_begin_one(tmp_path: Path) -> None:
    threads = 8
    start = threading.Barrier(threads)

    def begin(path: Path) -> None:
        start.wait()
        with SqliteStore.open(path) as store:
            store.append(opening(f"thread {threading.get_ident()}"))

    with ThreadPoolExecutor(threads) as pool:
        for turn in range(5):
            path = tmp_path / f"ledger {turn}"
            list(pool.map(begin, [path] * threads))
            with SqliteStore.read(path) as store:
                assert len(list(store.entries())) == threads


def open_while(path: Path, other: sqlite3.Connection, ending: str) -> None:
    """Open a ledger while another connection is in the middle of something that ends soon."""
    with closing(other), ThreadPoolExecutor(1) as pool:
        opened = pool.submit(SqliteStore.open, path, timeout=20)
        time.sleep(0.2)
        other.execute(ending)
        other.close()
        with opened.result() as store:
            assert store.append(opening("a")).sequence == 1


def test_whoever_comes_while_a_ledger_is_begun_waits_for_it(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "ledger", isolation_level=None)
    other.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    other.execute("BEGIN IMMEDIATE")
    for statement in SCHEMA:
        other.execute(statement)
    other.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    other.execute(f"PRAGMA user_version = {USER_VERSION}")
    open_while(tmp_path / "ledger", other, "COMMIT")


@pytest.mark.parametrize("begin", ["BEGIN", "BEGIN IMMEDIATE"])
def test_whoever_turns_to_the_log_waits_for_the_others(tmp_path: Path, begin: str) -> None:
    path = tmp_path / "ledger"
    SqliteStore.open(path).close()
    change(path, "PRAGMA journal_mode = DELETE")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(begin)
    other.execute("SELECT * FROM entries").fetchall()
    open_while(path, other, "COMMIT")


def test_a_closed_ledger_is_one_file(ledger: Path) -> None:
    assert os.listdir(ledger.parent) == ["ledger"]


def test_a_ledger_is_written_as_it_has_to_be(tmp_path: Path) -> None:
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "secure_delete": 1,
        "journal_size_limit": 0,
        "page_size": PAGE_SIZE,
        "auto_vacuum": 0,
        "encoding": "UTF-8",
        "application_id": int.from_bytes(b"lict", "big"),
        "user_version": 1,
    }
    with SqliteStore.open(tmp_path / "ledger") as store:
        for name, value in expected.items():
            assert store._connection.execute(f"PRAGMA {name}").fetchone() == (value,), name


def test_the_file_is_a_function_of_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    for turn in range(3):
        with SqliteStore.open(path) as store:
            store.append(opening(f"review {turn}"))
            store.append(program(bytes([turn]) * 70_000))
            for position in range(1, 40):
                store.append(event(store.head().sequence - position, position, b"x" * 999 * turn))
                with pytest.raises(LedgerError):
                    store.append(opening(f"review {turn}"))
    with SqliteStore.read(path) as store, closing(sqlite3.connect(":memory:")) as twin:
        twin.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        twin.execute("PRAGMA secure_delete = ON")
        for statement in SCHEMA:
            twin.execute(statement)
        twin.executemany(INSERT, store.entries())
        twin.commit()
        expected = twin.serialize()
    found = path.read_bytes()
    header = 100
    assert len(found) == len(expected)
    assert found[header:] == expected[header:]


@pytest.mark.parametrize("content", [b"hello", b"hello " * 999, b"SQLite format 3\0" + b"x" * 999])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger"
    path.write_bytes(content)
    for call in (SqliteStore.open, SqliteStore.read):
        with pytest.raises(NotALedger, match="expected a ledger, found a file that is no SQLite"):
            call(path)
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["ledger"]


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_database_of_something_else_is_refused(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "ledger"
    change(path, f"PRAGMA journal_mode = {mode}", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
    content = path.read_bytes()
    for call in (SqliteStore.open, SqliteStore.read):
        with pytest.raises(NotALedger, match="found an SQLite database of something else"):
            call(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("PRAGMA user_version = 2", "expected schema 1, found 2: a newer licet wrote it"),
        ("PRAGMA user_version = 0", "expected schema 1, found 0: there is no such schema"),
        ("PRAGMA application_id = 7", "found an SQLite database of something else"),
        ("CREATE INDEX i ON entries (name)", "expected the table and the pages of a ledger"),
        ("CREATE TABLE t (x)", "expected the table and the pages of a ledger"),
        ("ALTER TABLE entries RENAME TO other", "expected the table and the pages of a ledger"),
    ],
)
def test_another_schema_is_refused(ledger: Path, statement: str, problem: str) -> None:
    change(ledger, statement)
    content = ledger.read_bytes()
    for call in (SqliteStore.open, SqliteStore.read):
        with pytest.raises(NotALedger, match=problem):
            call(ledger)
    assert ledger.read_bytes() == content


def test_other_pages_are_refused(ledger: Path) -> None:
    change(ledger, "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 4096", "VACUUM")
    with pytest.raises(NotALedger, match="expected the table and the pages of a ledger"):
        SqliteStore.open(ledger)


def test_a_ledger_without_its_log_gets_one_again(ledger: Path) -> None:
    change(ledger, "PRAGMA journal_mode = DELETE")
    with SqliteStore.open(ledger) as store:
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_becomes_a_ledger_only_where_one_may_be_begun(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.touch()
    for call in (lambda: SqliteStore.open(path, create=False), lambda: SqliteStore.read(path)):
        with pytest.raises(NotALedger, match="expected a ledger, found an empty file"):
            call()
    assert path.read_bytes() == b""
    with SqliteStore.open(path) as store:
        assert store.head() == EMPTY


@pytest.mark.parametrize("call", [lambda p: SqliteStore.open(p, create=False), SqliteStore.read])
def test_a_file_that_is_not_there_is_not_begun(
    tmp_path: Path, call: Callable[[Path], SqliteStore]
) -> None:
    with pytest.raises(LedgerError, match="there is no such file"):
        call(tmp_path / "ledger")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no such folder to put it in"):
        SqliteStore.open(tmp_path / "none" / "ledger")


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    for call in (SqliteStore.open, SqliteStore.read):
        with pytest.raises(LedgerError, match="expected a file, found a folder"):
            call(tmp_path)


@POSIX
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LedgerError, match="expected a file, found"):
        SqliteStore.open(tmp_path / "pipe")


@POSIX
def test_a_symbolic_link_is_followed(ledger: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(ledger)
    with SqliteStore.open(link) as store, SqliteStore.open(ledger) as other:
        store.append(event(1, 2))
        assert other.head() == store.head()


@POSIX
def test_a_circle_of_links_and_a_hard_link_are_refused(ledger: Path, tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    with pytest.raises(LedgerError, match="it cannot be opened: Too many levels"):
        SqliteStore.open(circle)
    os.link(ledger, tmp_path / "second name")
    with pytest.raises(LedgerError, match="found 2 hard links to it: copy it"):
        SqliteStore.open(ledger)


@pytest.mark.parametrize("name", ["a?mode=ro", "a#b", "a%20b", "é ü", "a b"])
def test_any_name_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    with SqliteStore.open(tmp_path / name) as store:
        store.append(opening("a"))
    assert os.listdir(tmp_path) == [name]


def test_a_name_with_a_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"it cannot be opened: .*embedded null"):
        SqliteStore.open(tmp_path / "a\0b")


@POSIX
def test_a_file_that_may_not_be_written_is_refused_and_can_be_read() -> None:
    with without_privileges() as folder:
        path = folder / "ledger"
        with SqliteStore.open(path) as store:
            store.append(opening("a"))
        path.chmod(0o444)
        with pytest.raises(LedgerError, match="the file or its folder may not be written"):
            SqliteStore.open(path)
        with SqliteStore.read(path) as store:
            assert store.head().sequence == 1
            with pytest.raises(LedgerError, match="the file or its folder may not be written"):
                store.append(event(1, 1))


@POSIX
def test_a_folder_that_may_not_be_written_is_refused_and_can_be_read() -> None:
    with without_privileges() as folder:
        path = folder / "ledger"
        with SqliteStore.open(path) as store:
            store.append(opening("a"))
        folder.chmod(0o555)
        with pytest.raises(LedgerError, match="the file or its folder may not be written"):
            SqliteStore.open(path)
        with pytest.raises(LedgerError, match="cannot be opened"):
            SqliteStore.open(folder / "other")
        with SqliteStore.read(path) as store:
            assert store.head().sequence == 1
        assert os.listdir(folder) == ["ledger"]


@POSIX
def test_a_log_is_not_passed_over_where_it_cannot_be_read() -> None:
    with without_privileges() as folder:
        path = folder / "ledger"
        with SqliteStore.open(path) as store:
            store.append(opening("a"))
            cut_off = {name: (folder / name).read_bytes() for name in ("ledger", "ledger-wal")}
        copied = folder / "copied"
        copied.mkdir()
        for name, content in cut_off.items():
            (copied / name).write_bytes(content)
        copied.chmod(0o555)
        with pytest.raises(LedgerError, match=r"its log \(-wal\) is needed too"):
            SqliteStore.read(copied / "ledger")
        copied.chmod(0o755)
        with SqliteStore.read(copied / "ledger") as store:
            assert store.head().sequence == 1


@POSIX
def test_a_file_that_may_not_be_read_is_refused() -> None:
    with without_privileges() as folder:
        path = folder / "ledger"
        SqliteStore.open(path).close()
        path.chmod(0)
        for call in (SqliteStore.open, SqliteStore.read):
            with pytest.raises(LedgerError, match="cannot be opened"):
                call(path)


def test_reading_changes_neither_the_file_nor_its_log(ledger: Path) -> None:
    log = ledger.with_name("ledger-wal")
    with SqliteStore.open(ledger) as writer:
        writer.append(event(1, 2))
        before = ledger.read_bytes(), log.read_bytes()
        with SqliteStore.read(ledger) as store:
            assert store.head().sequence == 3
        assert (ledger.read_bytes(), log.read_bytes()) == before


def test_pages_that_are_no_pages_are_damage(ledger: Path) -> None:
    content = bytearray(ledger.read_bytes())
    content[PAGE_SIZE : PAGE_SIZE + 8] = b"\xff" * 8
    ledger.write_bytes(content)
    with SqliteStore.open(ledger) as store:
        for call in (store.head, lambda: list(store.entries()), lambda: store.append(opening("b"))):
            with pytest.raises(Damaged, match="SQLite cannot read it"):
                call()


def test_a_locked_ledger_is_not_waited_for_forever(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match="it is locked by another process: try again"):
            SqliteStore.open(ledger, timeout=0.05)
        other.execute("ROLLBACK")
        SqliteStore.open(ledger, timeout=0.05).close()


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_a_ledger_has_no_name_under_which_sqlite_would_delete_it(tmp_path: Path, end: str) -> None:
    SqliteStore.open(tmp_path / "ledger").close()
    with pytest.raises(LedgerError, match="expected a name that does not end with"):
        SqliteStore.open(tmp_path / f"ledger{end}")
    assert not (tmp_path / f"ledger{end}").exists()
