"""A store in memory, for tries: it keeps every rule of a ledger but outliving its process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from .entries import EMPTY, Draft, Head, Kind, LedgerEntry, entry_after
from .stores import check_draft, check_position, name_taken

_PLACE: Final = "memory"


class MemoryStore:
    """Entries in a list; several threads may use it."""

    def __init__(self) -> None:
        """Begin without entries."""
        self._entries: list[LedgerEntry] = []
        self._lock = threading.Lock()

    def append(self, draft: Draft) -> LedgerEntry:
        """Append an entry.

        Raises:
            Taken: the position, the name or the program is there already.
            LedgerError: the draft fits nowhere.
        """
        check_draft(_PLACE, draft)
        with self._lock:
            if draft.episode is None:
                if self._named(draft.kind is Kind.PROGRAM, draft.name) is not None:
                    raise name_taken(_PLACE, draft)
            else:
                before = self.episode(draft.episode)
                opening = before[0].kind if before else None
                check_position(_PLACE, draft, opening, len(before) - 1)
            entry = entry_after(self.head(), draft)
            self._entries.append(entry)
        return entry

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        """Yield the entries behind the one of this number, in order."""
        while after < len(self._entries):
            yield self._entries[after]
            after += 1

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        """Return the entries of an episode, in order; none where there is no such one."""
        return tuple(entry for entry in self.entries() if entry.episode == opening)

    def opening(self, name: str) -> LedgerEntry | None:
        """Return the opening of the review or the gate of this name."""
        return self._named(False, name)

    def program(self, sha256: str) -> LedgerEntry | None:
        """Return the entry of the program of this hash, in hexadecimal."""
        return self._named(True, sha256)

    def head(self) -> Head:
        """Return the last entry's number and digest."""
        if not self._entries:
            return EMPTY
        return Head(self._entries[-1].sequence, self._entries[-1].digest)

    def close(self) -> None:
        """Do nothing."""

    def _named(self, is_program: bool, name: str) -> LedgerEntry | None:
        for entry in self.entries():
            is_named = entry.position == 0 and entry.name == name
            if is_named and (entry.kind is Kind.PROGRAM) == is_program:
                return entry
        return None
