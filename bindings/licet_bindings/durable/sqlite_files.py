"""Opening a ledger's file: what is something else is refused, and a new one is begun whole.

No file is read but through SQLite: closing another handle on it would drop the locks that this
process holds.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from .errors import LedgerError, Locked, NotALedger
from .sqlite_faults import ledger_error
from .sqlite_schema import APPLICATION_ID, CHECKPOINT_PAGES, PAGE_SIZE, SCHEMA, USER_VERSION

_NO_ROOM: Final = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
"""What SQLite says where it cannot put anything beside a file."""

BESIDE: Final = ("-wal", "-shm", "-journal")
"""How the names of the files end that SQLite keeps beside a ledger."""

_RETRY_SECONDS: Final = 0.01


def beside(path: Path) -> tuple[Path, ...]:
    """Return the files that belong to a ledger while it is in use."""
    return tuple(Path(f"{path}{suffix}") for suffix in BESIDE)


def connect(path: Path, create: bool, timeout: float) -> sqlite3.Connection:
    """Open a ledger for writing, and begin it where there is none.

    Args:
        path: the file.
        create: whether a file that is not there, or is empty, becomes a ledger.
        timeout: how long to wait for other processes, in seconds.

    Raises:
        NotALedger: it is something else, or has a newer schema.
        Locked: another process holds it.
        LedgerError: it cannot be opened.
    """
    place = str(path)
    if path.name.endswith(BESIDE):
        problem = f"expected a name that does not end with {' or '.join(BESIDE)}"
        raise LedgerError(place, f"{problem}: what SQLite keeps beside another file has such a one")
    try:
        is_there = _is_there(path, create)
        _require_no_orphan(path)
        mode = "rw" if is_there else "rwc"
        connection = _connected(path, mode, timeout)
    except sqlite3.Error as error:
        raise ledger_error(place, error) from None
    except (OSError, ValueError) as error:
        raise _refusal(place, error) from None
    try:
        if _is_empty(connection):
            _begin_file(connection, place, create)
        check_identity(connection, place)
        _keep_a_log(connection, place, timeout)
        _set_up(connection)
        _try_to_write(connection)
    except BaseException as error:
        with suppress(sqlite3.Error):
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise ledger_error(place, error) from None
        raise
    return connection


def connect_for_reading(path: Path, timeout: float) -> sqlite3.Connection:
    """Open a ledger for reading alone; its file and its log are left as they are, byte for byte.

    SQLite may leave an empty log and its shared memory beside the file, for the next to take.

    Args:
        path: the file.
        timeout: how long to wait for other processes, in seconds.

    Raises:
        NotALedger: it is something else, or has a newer schema.
        LedgerError: it cannot be read.
    """
    place = str(path)
    try:
        _is_there(path, create=False)
        try:
            return _checked(_connected(path, "ro", timeout), place)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _NO_ROOM:
                raise
            # In a folder that may not be written there can be no shared memory beside the file.
            # Without a log nobody has written to it since it was closed, and none is needed.
            _require_no_log(path)
            return _checked(_connected(path, "ro&immutable=1", timeout), place)
    except sqlite3.Error as error:
        raise ledger_error(place, error) from None
    except (OSError, ValueError) as error:
        raise _refusal(place, error) from None


def file_number(path: Path) -> tuple[int, int]:
    """Return what tells a file from every other one on this machine, whatever its name.

    Raises:
        LedgerError: there is none of this name.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        raise LedgerError(str(path), f"the file is no longer there: {error.strerror}") from None
    return status.st_dev, status.st_ino


def check_identity(connection: sqlite3.Connection, place: str) -> None:
    """Return if a database is a ledger of this schema.

    Raises:
        NotALedger: it is not.
    """
    if _number(connection, "application_id") != APPLICATION_ID:
        raise NotALedger(place, "expected a ledger, found an SQLite database of something else")
    schema = _number(connection, "user_version")
    if schema != USER_VERSION:
        is_newer = "a newer licet wrote it" if schema > USER_VERSION else "there is no such schema"
        raise NotALedger(place, f"expected schema {USER_VERSION}, found {schema}: {is_newer}")
    found = tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema"))
    if found != SCHEMA or _number(connection, "page_size") != PAGE_SIZE:
        raise NotALedger(place, "expected the table and the pages of a ledger, found others")


def _checked(connection: sqlite3.Connection, place: str) -> sqlite3.Connection:
    try:
        if _is_empty(connection):
            raise _empty(place)
        check_identity(connection, place)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_there(path: Path, create: bool) -> bool:
    """Whether there is a file, which is then a regular one with one name."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if not create:
            raise LedgerError(str(path), "there is no such file") from None
        if not path.absolute().parent.is_dir():
            raise LedgerError(str(path), "there is no such folder to put it in") from None
        return False
    if not stat.S_ISREG(status.st_mode):
        raise LedgerError(str(path), "expected a file, found a folder or a device")
    if status.st_nlink > 1:
        # The log lies beside the name that a process used: under two names there would be two.
        problem = f"expected a file with one name, found {status.st_nlink} hard links to it"
        raise LedgerError(str(path), f"{problem}: copy it")
    return True


def _refusal(place: str, error: Exception) -> LedgerError:
    why = getattr(error, "strerror", None) or str(error)
    return LedgerError(place, f"it cannot be opened: {why}")


def _empty(place: str) -> NotALedger:
    return NotALedger(place, "expected a ledger, found an empty file")


def _require_no_log(path: Path) -> None:
    for suffix in ("-wal", "-journal"):
        log = f"{os.path.realpath(path)}{suffix}"
        if os.path.exists(log) and os.path.getsize(log) > 0:
            problem = f"its log ({suffix}) is needed too, and cannot be read where nothing is"
            raise LedgerError(str(path), f"{problem} written: copy both elsewhere")


def _require_no_orphan(path: Path) -> None:
    """Refuse a log without its file: SQLite would delete it, with the entries in it."""
    real = os.path.realpath(path)
    # The log first: whoever begins a ledger at this moment has filled its file before.
    if _size(f"{real}-wal") > 0 and _size(real) == 0:
        problem = "its log (-wal) is there, and the file it belongs to is not"
        raise LedgerError(str(path), f"{problem}: put that back, or move the log away")


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _connected(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{Path(os.path.realpath(path)).as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,  # Every transaction is begun and committed by name.
        check_same_thread=False,  # The store has a lock.
    )


def _is_empty(connection: sqlite3.Connection) -> bool:
    return _number(connection, "page_count") == 0


def _begin_file(connection: sqlite3.Connection, place: str, create: bool) -> None:
    if not create:
        raise _empty(place)
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    connection.execute("PRAGMA encoding = 'UTF-8'")
    connection.execute("PRAGMA auto_vacuum = NONE")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN EXCLUSIVE")
    # Nobody was faster: a transaction gives even an empty file its first page.
    if _number(connection, "application_id") != APPLICATION_ID:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {USER_VERSION}")
    connection.execute("COMMIT")


def _keep_a_log(connection: sqlite3.Connection, place: str, timeout: float) -> None:
    """Turn to the write-ahead log, for which the file must be free of others for a moment."""
    last_try = time.monotonic() + timeout
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if not isinstance(ledger_error(place, error), Locked) or time.monotonic() >= last_try:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            break
    if mode != "wal":
        raise LedgerError(place, f"expected a write-ahead log to be possible here, found {mode}")


def _set_up(connection: sqlite3.Connection) -> None:
    for setting in (
        "synchronous = FULL",  # The log is on the disk before a commit returns.
        "fullfsync = ON",  # So that macOS means it.
        "checkpoint_fullfsync = ON",
        "secure_delete = ON",  # What is moved is overwritten with zeros.
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
        "journal_size_limit = 0",  # No old frames behind the end of the log.
        "mmap_size = 0",
        "cell_size_check = ON",
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {setting}").fetchall()


def _try_to_write(connection: sqlite3.Connection) -> None:
    """Begin to write nothing, for SQLite opens a file that may not be written without a word."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM entries WHERE FALSE")
    connection.execute("ROLLBACK")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (number,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(number)
