"""What a ledger needs of a database: a few calls, whatever keeps the entries."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol

from ..errors import printable
from .entries import OPENINGS, Draft, Head, Kind, LedgerEntry, digest_of
from .errors import Damaged, LedgerError, Taken


class Store(Protocol):
    """Where entries are kept: they are appended, and never changed or deleted.

    Reading gives what is stored and verifies nothing; that is an audit's work. Every call raises
    a `LedgerError` where the database fails.
    """

    def append(self, draft: Draft) -> LedgerEntry:
        """Append an entry, as a whole or not at all; it is durable when this returns.

        Raises:
            Taken: the position, the name or the program is there already, were it the very same.
            Uncertain: whether it was written is not known; from then on every append refuses.
            LedgerError: it was not written.
        """

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        """Yield the entries behind the one of this number, in order."""

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        """Return the entries of an episode, in order; none where there is no such one."""

    def opening(self, name: str) -> LedgerEntry | None:
        """Return the opening of the review or the gate of this name."""

    def program(self, sha256: str) -> LedgerEntry | None:
        """Return the entry of the program of this hash, in hexadecimal."""

    def head(self) -> Head:
        """Return the last entry's number and digest."""

    def close(self) -> None:
        """Close the store; closing it again does nothing."""


def check_draft(place: str, draft: Draft) -> None:
    """Return if a draft is one that a ledger can hold, wherever it is to be put.

    Args:
        place: the ledger's name, for messages.
        draft: what is to be appended.

    Raises:
        LedgerError: its kind, position, episode and name do not go together.
    """
    if draft.kind is Kind.PROGRAM:
        expected = sha256(draft.body).hexdigest()
        if draft.name != expected:
            problem = f"expected {expected}, the program's SHA-256, as its name"
            raise LedgerError(place, f"{problem}, found {printable(draft.name)!r}")
    elif draft.kind in OPENINGS:
        if not draft.name:
            raise LedgerError(place, f"expected a name for the {draft.kind}")
    elif draft.name:
        raise LedgerError(place, f"expected no name for the {draft.kind}")
    is_opening = draft.kind is Kind.PROGRAM or draft.kind in OPENINGS
    if is_opening != (draft.episode is None) or is_opening != (draft.position == 0):
        problem = f"a {draft.kind} at position {draft.position} of {_episode_named(draft)}"
        raise LedgerError(place, f"expected an opening to come first and alone, found {problem}")
    for text in (draft.name, draft.time):
        if not _is_unicode(text):
            raise LedgerError(place, f"expected Unicode text, found {printable(text)!r}")


def check_position(place: str, draft: Draft, opening: Kind | None, last: int) -> None:
    """Return if an entry that is no opening is the next one of its episode.

    Args:
        place: the ledger's name, for messages.
        draft: what is to be appended.
        opening: the kind of the entry that its episode begins with, None where there is none.
        last: the position of the episode's last entry.

    Raises:
        Taken: the position is taken.
        LedgerError: there is no such episode, or the position is not the next one.
    """
    if opening not in OPENINGS:
        raise LedgerError(place, f"there is no {_episode_named(draft)}")
    if draft.position <= last:
        problem = f"position {draft.position} of {_episode_named(draft)} is taken"
        raise Taken(place, f"{problem}: it is continued elsewhere")
    if draft.position != last + 1:
        problem = f"expected position {last + 1} of {_episode_named(draft)}"
        raise LedgerError(place, f"{problem}, found {draft.position}")


def check_head(place: str, last: LedgerEntry) -> None:
    """Return if the last entry has the digest of its own content.

    Raises:
        Damaged: it has not.
    """
    if digest_of(last) != last.digest:
        problem = "its digest is not that of its content; nothing is appended behind it"
        raise Damaged(f"{place}: entry {last.sequence}", problem)


def name_taken(place: str, draft: Draft) -> Taken:
    """Return the error for a name that is in the ledger already."""
    if draft.kind is Kind.PROGRAM:
        return Taken(place, f"the program {draft.name} is there already")
    return Taken(place, f"there is a review or a gate {printable(draft.name)!r} already")


def _episode_named(draft: Draft) -> str:
    return "a new episode" if draft.episode is None else f"episode {draft.episode}"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
