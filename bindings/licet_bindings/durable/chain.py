"""The chain of a ledger: every entry in its place, and none changed, added, removed or moved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, NamedTuple

from licet_bindings.durable.audited import Finding
from licet_bindings.durable.entries import (
    EMPTY,
    OPENINGS,
    Head,
    Kind,
    LedgerEntry,
    digest_of,
)
from licet_bindings.errors import printable

_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|\+00:00)"
)


class Opened(NamedTuple):
    """An episode so far: its opening, and the numbers and the last position of its entries."""

    opening: LedgerEntry
    sequences: list[int]
    last: int


class Chain:
    """Follows a ledger's entries in order; `take` says what is wrong with each.

    Each entry is judged against the one before it as it stands, so that one change does not make
    everything behind it a finding.

    Attributes:
        head: the last entry's number and digest.
        episodes: the reviews and gates by the number of their opening.
        passes: whether the pinned head was met.
    """

    def __init__(self, pinned: Head | None = None) -> None:
        """Begin before the first entry; `pinned` is a head that the chain has to pass through."""
        self.head = EMPTY
        self.episodes: dict[int, Opened] = {}
        self._pinned = pinned
        self.passes = False
        self._names: dict[tuple[bool, str], int] = {}
        self._last_time: datetime | None = None

    def take(self, entry: LedgerEntry) -> Iterator[Finding]:
        """Yield what is wrong with the next entry, and go on behind it."""
        about = entry.episode if entry.episode in self.episodes else None
        for problem in (*self._link(entry), *self._place(entry), *self._form(entry)):
            yield Finding(entry.sequence, problem, about)
        self.head = Head(entry.sequence, entry.digest)

    def turned_back(self, entry: LedgerEntry) -> bool:
        """Return whether the entry's time lies before that of the one before it."""
        now, before = _moment(entry.time), self._last_time
        self._last_time = now or before
        return now is not None and before is not None and now < before

    def ended(self) -> Iterator[Finding]:
        """Yield what is wrong with where the chain ends."""
        if self._pinned is not None and self._pinned.sequence > self.head.sequence:
            problem = f"entry {self._pinned.sequence} was there once: the end is cut off"
            yield Finding(None, f"{problem}, the ledger ends at entry {self.head.sequence}")

    def _link(self, entry: LedgerEntry) -> Iterator[str]:
        expected = self.head.sequence + 1
        if entry.sequence > expected:
            yield f"entries {expected} to {entry.sequence - 1} are missing before it"
        elif entry.sequence < expected:
            yield f"expected entry {expected}; it stands out of order, or twice"
        if entry.previous != self.head.digest:
            yield (
                f"its link is not the digest of entry {self.head.sequence}:"
                " one of the two was changed, removed or moved"
                if self.head.sequence
                else "expected no link to an entry before the first one"
            )
        if digest_of(entry) != entry.digest:
            yield "its digest is not that of its content: it was changed"
        pinned = self._pinned
        if pinned is None or entry.sequence != pinned.sequence:
            return
        if entry.digest == pinned.digest:
            self.passes = True
        else:
            problem = "its digest is not the one that was noted elsewhere"
            yield f"{problem}: the ledger was written anew, up to here or before"

    def _place(self, entry: LedgerEntry) -> Iterator[str]:
        if entry.kind is Kind.PROGRAM or entry.kind in OPENINGS:
            if (entry.episode, entry.position) != (entry.sequence, 0):
                yield f"a {entry.kind} has position 0 of an episode of its own, not this one"
            if entry.kind in OPENINGS and entry.sequence not in self.episodes:
                self.episodes[entry.sequence] = Opened(entry, [entry.sequence], 0)
            return
        opened = self.episodes.get(entry.episode)
        if opened is None:
            yield f"it belongs to an episode that was not opened, {entry.episode}"
            return
        if entry.position != opened.last + 1:
            yield (
                f"expected position {opened.last + 1} of episode {entry.episode},"
                f" found {entry.position}"
            )
        opened.sequences.append(entry.sequence)
        self.episodes[entry.episode] = opened._replace(last=entry.position)

    def _form(self, entry: LedgerEntry) -> Iterator[str]:
        if _moment(entry.time) is None:
            yield f"expected a time of RFC 3339 in UTC, found {printable(entry.time)}"
        if entry.kind is Kind.PROGRAM:
            found = sha256(entry.body).hexdigest()
            if entry.name != found:
                yield f"the program's hash is {found}, not {printable(entry.name)}"
        elif entry.kind not in OPENINGS:
            if entry.name:
                yield f"expected no name, found {printable(entry.name)}"
            return
        key = (entry.kind is Kind.PROGRAM, entry.name)
        first = self._names.setdefault(key, entry.sequence)
        if first != entry.sequence:
            yield f"entry {first} has the name {printable(entry.name)} already"


def _moment(text: str) -> datetime | None:
    """Return the moment that a time means, None where it is none of UTC."""
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
