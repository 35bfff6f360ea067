"""An episode in a ledger: how it is opened, written by one owner at a time, and read again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from licet import InvalidInput, Unwritten
from licet.errors import LOST
from licet_bindings.durable.clocks import Clock, time_text
from licet_bindings.durable.codecs import TEXT, body_of, record
from licet_bindings.durable.entries import Draft, Kind, LedgerEntry, digest_of
from licet_bindings.durable.errors import Damaged, Taken
from licet_bindings.durable.stores import Store
from licet_bindings.errors import shown

LONGEST_NAME: Final = 200
"""Characters of an episode's name, at most."""


class Resumption(NamedTuple):
    """What is written where somebody goes on with an episode.

    Attributes:
        sqlite: the version of the SQLite library there.
    """

    sqlite: str = sqlite3.sqlite_version


RESUMPTION: Final = record(Resumption, sqlite=TEXT)
"""A resumption."""


def require_name(name: str) -> None:
    """Return if `name` can be that of an episode.

    Raises:
        InvalidInput: it is no text of 1 to 200 characters, all of them printable.
    """
    if type(name) is not str or not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        problem = f"expected a text of 1 to {LONGEST_NAME} printable characters"
        raise InvalidInput("name", f"{problem}, found {shown(name)}")


class EpisodeWriter:
    """What appends to one episode, for one owner.

    Once an append raises, nothing more is appended: what was to be written may be there or not.
    """

    def __init__(self, store: Store, clock: Clock, name: str, opening: int, written: int) -> None:
        """Use `open` or `reopen`."""
        self._store, self._clock, self._name = store, clock, name
        self._opening, self._written = opening, written
        self._is_lost = self._is_claim_due = False

    @classmethod
    def open(cls, store: Store, clock: Clock, opening: Draft) -> EpisodeWriter:
        """Open an episode.

        Raises:
            Taken: there is a review or a gate of this name.
            LedgerError: the opening was not written.
        """
        return cls(store, clock, opening.name, store.append(opening).sequence, 1)

    @classmethod
    def reopen(cls, store: Store, clock: Clock, entries: Sequence[LedgerEntry]) -> EpisodeWriter:
        """Go on with an episode of these entries; the first that is appended claims it."""
        writer = cls(store, clock, entries[0].name, entries[0].sequence, len(entries))
        writer._is_claim_due = True
        return writer

    def claim(self) -> None:
        """Write that somebody goes on, once; whoever had the episode is refused from then on.

        Raises:
            Taken: somebody else goes on with it.
            LedgerError: it was not written.
        """
        if self._is_claim_due:
            self._is_claim_due = False
            self.append(Kind.RESUMED, body_of(RESUMPTION, Resumption(), "resumed"))

    def append(self, kind: Kind, body: bytes) -> None:
        """Append the next entry; it is durable when this returns.

        Raises:
            Taken: somebody else goes on with the episode.
            LedgerError: the entry was not written, or may not have been.
            Unwritten: so it was with one before.
        """
        self.claim()
        if self._is_lost:
            raise Unwritten(LOST)
        self._is_lost = True
        time = time_text(self._clock)
        try:
            self._store.append(Draft(self._opening, self._written, kind, time, body))
        except Taken as fault:
            problem = f"{shown(self._name)} was resumed elsewhere: {fault.problem}"
            raise Taken(fault.place, problem) from None
        self._written += 1
        self._is_lost = False


def read_opening(store: Store, name: str, kind: Kind) -> LedgerEntry:
    """Return the opening of the review or the gate of this name.

    Raises:
        InvalidInput: there is none, or it is one of the other kind.
        Damaged: it is not what its digest says.
        LedgerError: the ledger cannot be read.
    """
    entry = store.opening(name) if type(name) is str else None
    if entry is None:
        raise InvalidInput("name", f"no {kind} is named {shown(name)}")
    if entry.kind is not kind:
        raise InvalidInput("name", f"{shown(name)} is a {entry.kind}, not a {kind}")
    return intact(entry)


def read_episode(store: Store, opening: int) -> tuple[LedgerEntry, ...]:
    """Return the entries of an episode, each what its digest says, and none left out.

    Raises:
        Damaged: they are not.
        LedgerError: the ledger cannot be read.
    """
    entries = store.episode(opening)
    for position, entry in enumerate(entries):
        if (intact(entry).episode, entry.position) != (opening, position):
            raise Damaged(entry_named(entry), f"expected position {position} of its episode")
    return entries


def intact(entry: LedgerEntry) -> LedgerEntry:
    """Return an entry that is what its digest says.

    Raises:
        Damaged: it is not.
    """
    if digest_of(entry) != entry.digest:
        raise Damaged(entry_named(entry), "its digest is not that of its content")
    return entry


def entry_named(entry: LedgerEntry) -> str:
    """Return what messages call an entry."""
    return f"entry {entry.sequence}"
