"""Making a new ledger of exported entries."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from licet import InvalidInput
from licet_bindings.durable.entries import Head
from licet_bindings.durable.exports import chained
from licet_bindings.durable.jsonl import read_entries
from licet_bindings.durable.sqlite_store import SqliteStore


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
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                os.unlink(f"{ledger}{suffix}")
        raise


def _claim(ledger: Path) -> None:
    """Make an empty file where nothing is."""
    try:
        os.close(os.open(ledger, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        problem = f"expected a path where nothing is, found {ledger}"
        raise InvalidInput("LEDGER", f"{problem}; a ledger is never written over") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidInput("LEDGER", f"{ledger} cannot be made: {why}") from None
