"""The embedded store: one SQLite file with a write-ahead log, synchronized at every entry."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Self, TypeVar

from ..errors import printable
from .contents import Contents, Line
from .entries import EMPTY, Draft, Head, Kind, LedgerEntry, entry_after
from .errors import Damaged, LedgerError, Uncertain
from .sqlite_faults import ledger_error
from .sqlite_files import connect, connect_for_reading, file_number
from .sqlite_schema import COLUMNS, INSERT
from .stores import (
    check_draft,
    check_restored,
    draft_of,
    head_of,
    not_empty,
    nothing_to_restore,
)

Result = TypeVar("Result")

TIMEOUT: Final = 10.0
"""How long to wait for other processes unless told otherwise, in seconds."""

_TYPES: Final = (int, int, int, str, str, str, bytes, bytes, bytes)
_SELECT: Final = f"SELECT {COLUMNS} FROM entries"
_LAST: Final = f"{_SELECT} ORDER BY sequence DESC LIMIT 1"
_AFTER: Final = f"{_SELECT} WHERE sequence > ? ORDER BY sequence LIMIT ?"
_AT: Final = f"{_SELECT} WHERE sequence = ?"
_LINES: Final = (
    "SELECT sequence, episode, position, kind, name FROM entries WHERE sequence > ?"
    " ORDER BY sequence"
)
_KINDS: Final = {kind.value: kind for kind in Kind}
_BATCH: Final = 64
"""How many entries are read at once while they are yielded."""


class SqliteStore:
    """A ledger in one SQLite file.

    Several threads may use one store, and several processes one file, each with a store of its
    own: a store is of no use in a forked process. The file has to be on a local disk. Do not open
    and close the file by other means in a process that has a store on it: the system drops the
    store's locks with any handle that is closed.

    The file has no index, so that its every byte can be accounted for (`sqlite_schema`). The first
    append or look-up reads where everything is, a few microseconds an entry, and keeps it in
    memory; from then on only what others have added is read.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `SqliteStore.open` or `SqliteStore.read`."""
        place = str(path)
        self._place = place
        self._path = path.absolute()
        self._file = file_number(path)
        self._connection = connection
        self._contents = Contents(place)
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._is_closed = False
        self._uncertain = ""

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, create: bool = True, timeout: float = TIMEOUT
    ) -> Self:
        """Open a ledger for reading and writing.

        Args:
            path: its file. A symbolic link is followed; a hard link is refused.
            create: whether a ledger is begun where there is no file, or an empty one.
            timeout: how long an append waits for other processes, in seconds.

        Raises:
            NotALedger: the file is something else, or has a newer schema.
            Locked: another process holds it.
            LedgerError: it cannot be opened and written.
        """
        file = Path(path)
        return cls(file, connect(file, create, timeout))

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, timeout: float = TIMEOUT) -> Self:
        """Open a ledger for reading alone; its file stays as it is.

        Args:
            path: its file.
            timeout: how long to wait for other processes, in seconds.

        Raises:
            NotALedger: the file is something else, or has a newer schema.
            LedgerError: it cannot be read.
        """
        file = Path(path)
        return cls(file, connect_for_reading(file, timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, draft: Draft) -> LedgerEntry:
        """Append an entry, as a whole or not at all; it is durable when this returns.

        What interrupts the commit leaves it open whether the entry was written: this store then
        takes nothing more, and one that is opened anew says what is there.

        Raises:
            Taken: the position, the name or the program is there already, were it the very same.
            Damaged: the last entry is not what its digest says.
            Locked: another process held the ledger for too long.
            Uncertain: whether it was written is not known, for this entry or one before.
            LedgerError: it was not written.
        """
        check_draft(self._place, draft)

        def write(connection: sqlite3.Connection) -> LedgerEntry:
            self._check_file()
            return self._inserted(connection, draft)

        def append(connection: sqlite3.Connection) -> LedgerEntry:
            self._catch_up(connection)  # The most of it before others have to wait.
            return self._committed(connection, write)

        return self._using(append)

    def restore(self, entries: Iterable[LedgerEntry]) -> Head:
        """Write all entries of another ledger as they are, or none; durable when this returns.

        Args:
            entries: its entries from the first, taken one by one; what this raises goes through.
                They must not come from this store.

        Raises:
            Damaged: an entry is not what follows from its content and those before it.
            Locked: another process held the ledger for too long.
            Uncertain: whether they were written is not known.
            LedgerError: there are entries here already, or none was given.
        """

        def write(connection: sqlite3.Connection) -> LedgerEntry:
            self._check_file()
            try:
                return self._restored(connection, entries)
            except BaseException:
                self._contents = Contents(self._place)  # It has what is taken back now.
                raise

        last = self._using(lambda connection: self._committed(connection, write))
        return Head(last.sequence, last.digest)

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        """Yield the entries behind the one of this number, in order.

        Raises:
            Damaged: an entry is none, by its columns.
            LedgerError: the file cannot be read.
        """
        size = _BATCH
        while True:
            try:
                batch = self._selected(_AFTER, after, size)
            except Damaged:
                if size == 1:
                    raise
                size = 1  # Those before it can be read.
                continue
            if not batch:
                return
            yield from batch
            after = batch[-1].sequence

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        """Return the entries of a review or a gate, in order; none where there is no such one.

        Raises:
            Damaged: an entry is none, by its columns.
            LedgerError: the file cannot be read.
        """
        numbers = self._looked_up(lambda contents: contents.episode(opening))
        return tuple(entry for number in numbers for entry in self._selected(_AT, number))

    def opening(self, name: str) -> LedgerEntry | None:
        """Return the opening of the review or the gate of this name.

        Raises:
            LedgerError: the file cannot be read.
        """
        return self._at(self._looked_up(lambda contents: contents.opening(name)))

    def program(self, sha256: str) -> LedgerEntry | None:
        """Return the entry of the program of this hash, in hexadecimal.

        Raises:
            LedgerError: the file cannot be read.
        """
        return self._at(self._looked_up(lambda contents: contents.program(sha256)))

    def head(self) -> Head:
        """Return the last entry's number and digest.

        Raises:
            LedgerError: the file cannot be read.
        """
        last = self._selected(_LAST)
        return Head(last[0].sequence, last[0].digest) if last else EMPTY

    def close(self) -> None:
        """Close the store; closing it again, or in a forked process, does nothing.

        The last one to close takes the log into the file.
        """
        if self._process != os.getpid():
            return
        with self._lock:
            self._is_closed = True
            with suppress(sqlite3.Error):
                self._connection.close()

    def _selected(self, statement: str, *values: int) -> tuple[LedgerEntry, ...]:
        rows = self._using(lambda connection: connection.execute(statement, values).fetchall())
        return tuple(_entry_of(self._place, row) for row in rows)

    def _at(self, number: int | None) -> LedgerEntry | None:
        found = () if number is None else self._selected(_AT, number)
        return found[0] if found else None

    def _looked_up(self, act: Callable[[Contents], Result]) -> Result:
        """Look something up in contents that have every entry."""

        def look_up(connection: sqlite3.Connection) -> Result:
            self._catch_up(connection)
            return act(self._contents)

        return self._using(look_up)

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        # Cut off within a line they would not be what is written: then they are read anew.
        contents, self._contents = self._contents, Contents(self._place)
        with closing(connection.execute(_LINES, (contents.seen,))) as rows:
            for row in rows:
                contents.add(_line_of(self._place, row))
        self._contents = contents

    # The two below are no context managers of `contextlib`: an interrupt can come between what
    # these begin and the block that would end it, and leave the lock and the ledger held.

    def _using(self, act: Callable[[sqlite3.Connection], Result]) -> Result:
        """Give the connection to one thread at a time, and what it raises as a `LedgerError`."""
        if self._process != os.getpid():
            problem = "the store was opened before this process was forked: open one of its own"
            raise LedgerError(self._place, problem)
        with self._lock:
            if self._is_closed:
                raise LedgerError(self._place, "the store is closed")
            if self._uncertain:
                raise Uncertain(self._place, self._uncertain)
            try:
                result = act(self._connection)
            except sqlite3.Error as error:
                raise ledger_error(self._place, error) from None
        return result  # Not within: from a `return` to the end of the block nothing is guarded.

    def _committed(
        self, connection: sqlite3.Connection, write: Callable[[sqlite3.Connection], LedgerEntry]
    ) -> LedgerEntry:
        """Hold the ledger for one writer, and commit; what is not committed is taken back."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            entry = write(connection)
            self._commit(connection, entry)
        except BaseException:
            self._take_back(connection)
            raise
        return entry

    def _take_back(self, connection: sqlite3.Connection) -> None:
        """End the transaction; where its commit was begun or this fails, end the connection."""
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self._uncertain = self._uncertain or f"an entry could not be taken back: {error}"
        if self._uncertain:
            with suppress(sqlite3.Error):
                connection.close()

    def _check_file(self) -> None:
        """Whoever moves or replaces the file would take what is appended with it."""
        if file_number(self._path) != self._file:
            raise LedgerError(self._place, "another file has its name: open it again")

    def _inserted(self, connection: sqlite3.Connection, draft: Draft) -> LedgerEntry:
        self._catch_up(connection)
        self._contents.check(draft)
        row = connection.execute(_LAST).fetchone()
        head = EMPTY if row is None else head_of(self._place, _entry_of(self._place, row))
        entry = entry_after(head, draft)
        connection.execute(INSERT, entry)
        return entry

    def _restored(
        self, connection: sqlite3.Connection, entries: Iterable[LedgerEntry]
    ) -> LedgerEntry:
        """Insert entries that are as they were; return the last."""
        self._catch_up(connection)
        if self._contents.seen:
            raise not_empty(self._place, self._contents.seen)
        last: LedgerEntry | None = None
        for entry in entries:
            draft = draft_of(entry)
            check_draft(self._place, draft)
            last = self._inserted(connection, draft)
            check_restored(self._place, entry, last)
        if last is None:
            raise nothing_to_restore(self._place)
        return last

    def _commit(self, connection: sqlite3.Connection, entry: LedgerEntry) -> None:
        what = f"whether entry {entry.sequence} was written is not known"
        self._uncertain = f"{what}: open the ledger again to see what is there"
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            problem = f"{ledger_error(self._place, error).problem}; {self._uncertain}"
            raise Uncertain(self._place, problem) from None
        self._uncertain = ""


def _entry_of(place: str, row: tuple[object, ...]) -> LedgerEntry:
    if tuple(map(type, row)) != _TYPES:
        raise _no_entry(place, row)
    entry = LedgerEntry(*row)  # type: ignore[arg-type]  # The line above has looked.
    return entry._replace(kind=_kind_of(place, entry.sequence, entry.kind))


def _line_of(place: str, row: tuple[object, ...]) -> Line:
    sequence, episode, position, kind, name = row
    if (
        isinstance(sequence, int)
        and isinstance(episode, int)
        and isinstance(position, int)
        and isinstance(kind, str)
        and isinstance(name, str)
    ):
        return Line(sequence, episode, position, _kind_of(place, sequence, kind), name)
    raise _no_entry(place, row)


def _no_entry(place: str, row: tuple[object, ...]) -> Damaged:
    return Damaged(f"{place}: entry {row[0]}", "expected the columns of an entry")


def _kind_of(place: str, sequence: int, kind: str) -> Kind:
    found = _KINDS.get(kind)
    if found is None:
        raise Damaged(f"{place}: entry {sequence}", f"there is no kind {printable(kind)!r}")
    return found
