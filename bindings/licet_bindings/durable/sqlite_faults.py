"""What SQLite complains of, as the one error that a ledger gives for it."""

from __future__ import annotations

import sqlite3
from typing import Final

from .errors import Damaged, LedgerError, Locked, NotALedger

_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_MISMATCH})
_PROBLEMS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the file or its folder may not be written",
    sqlite3.SQLITE_PERM: "the file or its folder may not be written",
    sqlite3.SQLITE_CANTOPEN: "the file, or one beside it (-wal, -shm), cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk fails, or takes no more",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_TOOBIG: "an entry is larger than SQLite takes",
}
_PRIMARY: Final = 0xFF
"""The part of a result code that says what happened; the rest says where."""


def ledger_error(place: str, error: sqlite3.Error) -> LedgerError:
    """Return the error of a ledger for one of SQLite.

    Args:
        place: the ledger's name.
        error: what SQLite raised.
    """
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & _PRIMARY
    if primary in _LOCKED:
        return Locked(place, "it is locked by another process: try again")
    if primary == sqlite3.SQLITE_NOTADB:
        return NotALedger(place, "expected a ledger, found a file that is no SQLite database")
    if primary in _DAMAGED or "decode" in str(error):
        return Damaged(place, f"SQLite cannot read it: {error}")
    return LedgerError(place, _told(primary, error))


def _told(primary: int | None, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None)
    if primary is None or primary not in _PROBLEMS:
        return f"SQLite says {error}"
    return f"{_PROBLEMS[primary]} ({name})"
