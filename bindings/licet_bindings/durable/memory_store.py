"""A store in memory, for tries: it keeps every rule of a ledger but outliving its process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from .contents import Contents, Line
from .entries import EMPTY, Draft, Head, LedgerEntry, entry_after
from .stores import check_draft

_PLACE: Final = "memory"


class MemoryStore:
    """Entries in a list; several threads may use it."""

    def __init__(self) -> None:
        """Begin without entries."""
        self._entries: list[LedgerEntry] = []
        self._contents = Contents(_PLACE)
        self._lock = threading.Lock()

    def append(self, draft: Draft) -> LedgerEntry:
        """Append an entry.

        Raises:
            Taken: the position, the name or the program is there already.
            LedgerError: the draft fits nowhere.
        """
        check_draft(_PLACE, draft)
        with self._lock:
            self._contents.check(draft)
            entry = entry_after(self.head(), draft)
            self._entries.append(entry)
            self._contents.add(
                Line(entry.sequence, entry.episode, entry.position, entry.kind, entry.name)
            )
        return entry

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        """Yield the entries behind the one of this number, in order."""
        after = max(after, 0)
        while after < len(self._entries):
            yield self._entries[after]
            after += 1

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        """Return the entries of a review or a gate, in order; none where there is no such one."""
        return tuple(self._entries[number - 1] for number in self._contents.episode(opening))

    def opening(self, name: str) -> LedgerEntry | None:
        """Return the opening of the review or the gate of this name."""
        return self._at(self._contents.opening(name))

    def program(self, sha256: str) -> LedgerEntry | None:
        """Return the entry of the program of this hash, in hexadecimal."""
        return self._at(self._contents.program(sha256))

    def head(self) -> Head:
        """Return the last entry's number and digest."""
        if not self._entries:
            return EMPTY
        return Head(self._entries[-1].sequence, self._entries[-1].digest)

    def close(self) -> None:
        """Do nothing."""

    def _at(self, number: int | None) -> LedgerEntry | None:
        return None if number is None else self._entries[number - 1]
