"""Making a new ledger of exported entries."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from licet import InvalidInput
from licet_bindings.durable.entries import Head
from licet_bindings.durable.exports import chained
from licet_bindings.durable.jsonl import read_entries
from licet_bindings.durable.sqlite_store import SqliteStore

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What the names of the files end in that SQLite keeps beside a ledger's."""


def import_ledger(source: Path, ledger: Path) -> Head:
    """Make a new ledger of the entries of a file; they get the digests that they had.

    Args:
        source: JSON Lines of a whole ledger, an entry a line.
        ledger: where the new one is to be; nothing may be there.

    Returns:
        The new ledger's head, which is the old one's.

    Raises:
        InvalidInput: the file cannot be read, a line of it is no entry, or something is there
            already. Then there is no new ledger, nor in the cases below.
        Damaged: an entry does not follow from those before it.
        LedgerError: the new ledger cannot be written.
    """
    _claim(ledger)
    try:
        with SqliteStore.open(ledger) as store:
            return store.restore(chained(read_entries(source)))
    except BaseException:
        for suffix in ("", *_BESIDE):
            with suppress(OSError):
                os.unlink(f"{ledger}{suffix}")
        raise


def _claim(ledger: Path) -> None:
    """Make an empty file where nothing is, nor what would belong to it."""
    for beside in (f"{ledger}{suffix}" for suffix in _BESIDE):
        if os.path.lexists(beside):
            problem = f"expected a path where nothing is, found {beside}, of a ledger that is gone"
            raise InvalidInput("LEDGER", problem)
    try:
        os.close(os.open(ledger, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        problem = f"expected a path where nothing is, found {ledger}"
        raise InvalidInput("LEDGER", f"{problem}; a ledger is never written over") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidInput("LEDGER", f"{ledger} cannot be made: {why}") from None
