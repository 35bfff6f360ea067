"""Appending to a file: as a whole or not at all, one at a time, and nothing in doubt."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from licet_bindings.durable.entries import Draft, Kind, LedgerEntry
from licet_bindings.durable.errors import Damaged, LedgerError, Locked, Taken, Uncertain
from licet_bindings.durable.sqlite_schema import INSERT
from licet_bindings.durable.sqlite_store import SqliteStore
from tests.durable.drafts import NOON, assert_chained, event, opening


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """A store with one episode."""
    with SqliteStore.open(path, timeout=0.05) as made:
        made.append(opening("a"))
        yield made


class Interposed:
    """A connection at whose commit something happens."""

    def __init__(self, connection: sqlite3.Connection, commit: Callable[[], None]) -> None:
        self._connection = connection
        self._commit = commit

    def execute(self, statement: str, *values: LedgerEntry) -> sqlite3.Cursor:
        if statement == "COMMIT":
            self._commit()
        return self._connection.execute(statement, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def interpose(store: SqliteStore, commit: Callable[[sqlite3.Connection], None]) -> None:
    connection = store._connection
    store._connection = Interposed(connection, lambda: commit(connection))  # type: ignore[assignment]


def raising(error: BaseException, *, is_committed: bool) -> Callable[[sqlite3.Connection], None]:
    def commit(connection: sqlite3.Connection) -> None:
        if is_committed:
            connection.execute("COMMIT")
        raise error

    return commit


@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), sqlite3.OperationalError("disk I/O error")])
def test_a_commit_in_doubt_stops_the_store_until_it_is_opened_again(
    store: SqliteStore, path: Path, error: BaseException, is_committed: bool
) -> None:
    interpose(store, raising(error, is_committed=is_committed))
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else Uncertain):
        store.append(event(1, 1))
    calls: list[Callable[[], object]] = [
        lambda: store.append(event(1, 1)),
        lambda: store.append(event(1, 2)),
        lambda: store.episode(1),
        lambda: list(store.entries()),
        store.head,
    ]
    for call in calls:
        with pytest.raises(Uncertain, match="whether entry 2 was written is not known: open"):
            call()
    with SqliteStore.open(path, timeout=0.05) as again:
        assert len(again.episode(1)) == (2 if is_committed else 1)
        assert again.append(event(1, len(again.episode(1)))).episode == 1
        assert_chained(tuple(again.entries()))


def test_what_fails_before_the_commit_leaves_no_doubt(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("licet_bindings.durable.sqlite_store.entry_after", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append(event(1, 1))
    assert store.append(event(1, 1)).sequence == 2


def test_a_full_disk_is_one_error_and_nothing_is_written(store: SqliteStore) -> None:
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="the disk is full") as raised:
        store.append(event(1, 1, b"x" * 100_000))
    assert not isinstance(raised.value, Uncertain)
    assert store.head().sequence == 1
    store._connection.execute("PRAGMA max_page_count = 1000")
    assert store.append(event(1, 1, b"x" * 100_000)).sequence == 2


def test_a_locked_ledger_can_be_tried_again(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match="it is locked by another process: try again"):
            store.append(event(1, 1))
        assert store.head().sequence == 1  # Reading waits for nobody.
        other.execute("ROLLBACK")
        assert store.append(event(1, 1)).sequence == 2


def test_an_entry_that_is_too_large_is_refused(store: SqliteStore) -> None:
    store._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)
    with pytest.raises(LedgerError, match="an entry is larger than SQLite takes"):
        store.append(event(1, 1, bytes(2000)))
    assert store.append(event(1, 1, bytes(200))).sequence == 2


def test_nothing_is_appended_behind_an_entry_that_was_changed(
    store: SqliteStore, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE entries SET body = X'00'")
        other.commit()
    with pytest.raises(Damaged, match="entry 1: its digest is not that of its content"):
        store.append(event(1, 1))
    assert [entry.body for entry in store.entries()] == [b"\0"]  # Reading gives what is stored.


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        # The types of a row's columns: a position of 0 becomes none.
        (b"\0\x09\x08\x19", b"\0\x09\x00\x19", "entry 1: expected the columns of an entry"),
        (NOON.encode(), b"\xff" + NOON[1:].encode(), "SQLite cannot read it: Could not decode"),
    ],
)
def test_a_row_that_is_no_entry_is_damage(path: Path, old: bytes, new: bytes, problem: str) -> None:
    with SqliteStore.open(path) as store:
        store.append(opening("a"))
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))
    with SqliteStore.read(path) as store:
        for call in (lambda: list(store.entries()), store.head):
            with pytest.raises(Damaged, match=problem):
                call()


DAMAGE = {
    "a gap": ((3, 1, 1, "event", NOON, ""), "entry 3: expected entry 2 before it"),
    "a position twice": ((2, 1, 0, "event", NOON, ""), "entry 2: .* at position 0 of episode 1"),
    "a position later": ((2, 1, 2, "event", NOON, ""), "entry 2: expected position 1"),
    "no such episode": ((2, 7, 1, "event", NOON, ""), "entry 2: there is no episode 7"),
    "a name twice": ((2, 2, 0, "gate", NOON, "a"), "entry 2: there is a review or a gate 'a'"),
    "no such kind": ((2, 1, 1, "else", NOON, ""), "entry 2: there is no kind 'else'"),
}


@pytest.mark.parametrize(("row", "problem"), DAMAGE.values(), ids=DAMAGE)
def test_a_ledger_that_no_store_wrote_is_not_looked_up_nor_continued(
    store: SqliteStore, path: Path, row: tuple[object, ...], problem: str
) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute(INSERT, (*row, b"", bytes(32), bytes(32)))
        other.commit()
    for call in (lambda: store.append(opening("b")), lambda: store.opening("a")):
        with pytest.raises(Damaged, match=problem):
            call()


def test_another_store_is_believed_only_when_it_has_committed(
    store: SqliteStore, path: Path
) -> None:
    with SqliteStore.open(path) as other:
        other.append(event(1, 1))
        assert len(store.episode(1)) == 2
        with pytest.raises(Taken, match="position 1 of episode 1 is taken"):
            store.append(event(1, 1, b"mine"))
        assert store.append(event(1, 2)).previous == other.episode(1)[1].digest


def test_threads_share_a_store(store: SqliteStore) -> None:
    threads, each = 8, 10
    start = threading.Barrier(threads)

    def write(number: int) -> None:
        start.wait()
        first = store.append(opening(f"thread {number}"))
        for position in range(1, each):
            store.append(event(first.sequence, position))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(write, range(threads)))
    entries = tuple(store.entries())
    assert len(entries) == 1 + threads * each
    assert_chained(entries)


def test_threads_that_append_the_same_append_it_once(store: SqliteStore) -> None:
    threads = 8
    start = threading.Barrier(threads)

    def write(_: int) -> bool:
        start.wait()
        try:
            store.append(event(1, 1))
        except Taken:
            return False
        return True

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(write, range(threads))) == 1
    assert len(store.episode(1)) == 2


def test_a_closed_store_refuses_and_may_be_closed_again(store: SqliteStore) -> None:
    store.close()
    store.close()
    for call in (store.head, lambda: store.append(event(1, 1))):
        with pytest.raises(LedgerError, match="the store is closed"):
            call()


def test_a_file_that_was_moved_takes_nothing_more(store: SqliteStore, path: Path) -> None:
    path.rename(path.with_name("moved"))
    with pytest.raises(LedgerError, match="the file is no longer there"):
        store.append(event(1, 1))
    path.touch()
    with pytest.raises(LedgerError, match="another file has its name"):
        store.append(event(1, 1))
    path.with_name("moved").rename(path)
    assert store.append(event(1, 1)).sequence == 2


def test_bodies_and_names_come_back_as_they_were(store: SqliteStore, path: Path) -> None:
    bodies = [b"", b"\0", bytes(range(256)), b"x" * 300_000]
    for position, body in enumerate(bodies, 1):
        store.append(event(1, position, body))
    names = ["a\0b", "a", "é", "e\u0301", "\U0001f512", "a" * 100_000, "'; DROP TABLE entries; --"]
    for name in names[:1] + names[2:]:
        store.append(opening(name, Kind.GATE))
    with SqliteStore.read(path) as again:
        assert [entry.body for entry in again.episode(1)[1:]] == bodies
        for name in names:
            found = again.opening(name)
            assert found is not None
            assert found.name == name


def test_a_draft_with_a_time_of_any_text_is_kept(store: SqliteStore) -> None:
    assert store.append(Draft(1, 1, Kind.RESUMED, "later", b"")).time == "later"
