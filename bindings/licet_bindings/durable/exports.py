"""What is exported of a ledger: all of it, or one episode; and what an export shows by itself.

All of a ledger is a chain from its first entry, and can be brought into an empty store. One episode
is its program and its entries: each has the digest of its content, none is missing up to the last,
but what other episodes wrote in between is not there, so it is no ledger.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from licet import InvalidInput
from licet_bindings.durable.entries import (
    EMPTY,
    OPENINGS,
    Head,
    Kind,
    LedgerEntry,
    digest_of,
)
from licet_bindings.durable.errors import Damaged
from licet_bindings.durable.stores import Store
from licet_bindings.errors import shown


class Exported(NamedTuple):
    """What an export was found to be.

    Attributes:
        entries: how many entries it has.
        head: its last entry's number and digest; a ledger's own head, where it has all of it.
        episode: the name of the one episode that it has; None for a ledger from its first entry.
        ended: of one episode, whether its outcome is there.
    """

    entries: int
    head: Head
    episode: str | None
    ended: bool


def chained(entries: Iterable[tuple[str, LedgerEntry]]) -> Iterator[LedgerEntry]:
    """Yield entries, given with what messages call them, while they are a ledger's from its first.

    Raises:
        Damaged: one does not follow from those before it, or has not the digest of its content.
    """
    chain = _Chain()
    for place, entry in entries:
        _require_digest(place, entry)
        chain.take(place, entry)
        yield entry


def ledger_entries(store: Store, name: str) -> Iterator[LedgerEntry]:
    """Yield all entries of a ledger, each verified before it is given.

    Args:
        store: where they are kept.
        name: what messages call the ledger.

    Raises:
        Damaged: the chain is broken.
        LedgerError: the ledger cannot be read.
    """
    return chained((f"{name}: entry {entry.sequence}", entry) for entry in store.entries())


def verified_head(store: Store, name: str) -> Head:
    """Return the head of a ledger whose chain was followed from its first entry.

    Raises:
        Damaged: the chain is broken.
        LedgerError: the ledger cannot be read.
    """
    head = EMPTY
    for entry in ledger_entries(store, name):
        head = Head(entry.sequence, entry.digest)
    return head


def episode_entries(store: Store, ledger: str, episode: str) -> tuple[LedgerEntry, ...]:
    """Return the entries of one episode, its program's first, verified.

    Args:
        store: where they are kept.
        ledger: what messages call the ledger.
        episode: the episode's name.

    Raises:
        InvalidInput: there is no such episode.
        Damaged: they are not as they were written, or not all there.
        LedgerError: the ledger cannot be read.
    """
    opening = store.opening(episode)
    if opening is None:
        raise InvalidInput("episode", f"{ledger} has no review and no gate {shown(episode)}")
    entries = store.episode(opening.sequence)
    digest = program_hash(opening)
    program = store.program(digest) if digest else None
    found = (*([program] if program else []), *entries)
    verified = _Episode(ledger)
    for entry in found:
        place = f"{ledger}: entry {entry.sequence}"
        _require_digest(place, entry)
        verified.take(place, entry)
    verified.require_whole()
    return found


def examine(name: str, entries: Iterable[tuple[str, LedgerEntry]]) -> Exported:
    """Return what an export is: a ledger from its first entry, or one episode of one.

    Args:
        name: what messages call the export.
        entries: its entries, with what messages call each.

    Raises:
        Damaged: it is neither, or an entry has not the digest of its content.
    """
    episode, chain, count, last = _Episode(name), _Chain(), 0, EMPTY
    forms: list[_Chain | _Episode] = [episode, chain]
    for place, entry in entries:
        _require_digest(place, entry)
        for form in tuple(forms):
            try:
                form.take(place, entry)
            except Damaged:
                forms.remove(form)
                if not forms:
                    raise
        count, last = count + 1, Head(entry.sequence, entry.digest)
    if chain in forms:
        return Exported(count, last, None, False)
    episode.require_whole()
    return Exported(count, last, episode.name, episode.ended)


def program_hash(opening: LedgerEntry) -> str:
    """Return the hash of the program that an opening names, "" where it names none."""
    try:
        content = json.loads(opening.body)
    except (ValueError, RecursionError):
        return ""
    named = content.get("program_sha256") if isinstance(content, dict) else None
    return named if isinstance(named, str) else ""


class _Chain:
    """A ledger from its first entry, taken entry by entry."""

    def __init__(self) -> None:
        self._head = EMPTY

    def take(self, place: str, entry: LedgerEntry) -> None:
        """Take the next entry.

        Raises:
            Damaged: it is not the next one.
        """
        head = self._head
        if entry.sequence != head.sequence + 1:
            expected = f"expected entry {head.sequence + 1} of a ledger from its first"
            raise Damaged(place, f"{expected}, found entry {entry.sequence}")
        if entry.previous != head.digest:
            raise Damaged(place, f"it was not written behind this entry {head.sequence}")
        self._head = Head(entry.sequence, entry.digest)


class _Episode:
    """One episode, taken entry by entry; before its opening comes its program."""

    def __init__(self, export: str) -> None:
        self._export = export
        self._program: LedgerEntry | None = None
        self._opening: LedgerEntry | None = None
        self._last: LedgerEntry | None = None
        self.ended = False

    @property
    def name(self) -> str:
        return self._opening.name if self._opening else ""

    def take(self, place: str, entry: LedgerEntry) -> None:
        """Take the next entry.

        Raises:
            Damaged: it is not the next one.
        """
        problem = self._misplaced(entry)
        if problem:
            raise Damaged(place, problem)
        if entry.kind is Kind.PROGRAM:
            self._program = entry
        elif entry.position == 0:
            self._opening = entry
        self._last = entry
        self.ended = self.ended or entry.kind is Kind.OUTCOME

    def _misplaced(self, entry: LedgerEntry) -> str:
        last = self._last
        if last is not None and _contradicts(last, entry):
            return f"it does not follow entry {last.sequence}"
        if entry.kind is Kind.PROGRAM:
            fits = last is None and sha256(entry.body).hexdigest() == entry.name
            return "" if fits else "expected one program, under its hash"
        if self._opening is None:
            fits = entry.kind in OPENINGS and entry.episode == entry.sequence
            return "" if fits and entry.position == 0 else "expected an episode's opening"
        expected = (self._opening.sequence, 0 if last is None else last.position + 1)
        if (entry.episode, entry.position) != expected:
            return f"expected position {expected[1]} of episode {expected[0]}"
        return ""

    def require_whole(self) -> None:
        """Return if the opening is there, and the program that it names.

        Raises:
            Damaged: it is not.
        """
        if self._opening is None:
            raise Damaged(self._export, "expected an episode, found none")
        named, found = program_hash(self._opening), self._program.name if self._program else ""
        if named != found:
            expected = f"the program {named}" if named else "no program"
            raise Damaged(self._export, f"expected {expected}, found {found or 'none'}")


def _require_digest(place: str, entry: LedgerEntry) -> None:
    if digest_of(entry) != entry.digest:
        raise Damaged(place, "its digest is not that of its content")


def _contradicts(last: LedgerEntry, entry: LedgerEntry) -> bool:
    """Return whether two entries cannot stand in this order in one ledger."""
    behind = entry.sequence == last.sequence + 1
    return entry.sequence <= last.sequence or (behind and entry.previous != last.digest)
