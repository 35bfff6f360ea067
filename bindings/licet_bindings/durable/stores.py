"""What a ledger needs of a database: a few calls, whatever keeps the entries."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol

from ..errors import printable
from .entries import Draft, Head, Kind, LedgerEntry, digest_of
from .errors import Damaged, LedgerError


class Store(Protocol):
    """Where entries are kept: they are appended, and never changed or deleted.

    Reading gives what is stored and verifies no digest; that is an audit's work. Every call raises
    a `LedgerError` where the database fails.
    """

    def append(self, draft: Draft) -> LedgerEntry:
        """Append an entry, as a whole or not at all; it is durable when this returns.

        Raises:
            Taken: the position, the name or the program is there already, were it the very same.
            Uncertain: whether it was written is not known; from then on every call refuses.
            LedgerError: it was not written.
        """

    def entries(self, after: int = 0) -> Iterator[LedgerEntry]:
        """Yield the entries behind the one of this number, in order."""

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        """Return the entries of a review or a gate, in order; none where there is no such one."""

    def opening(self, name: str) -> LedgerEntry | None:
        """Return the opening of the review or the gate of this name."""

    def program(self, sha256: str) -> LedgerEntry | None:
        """Return the entry of the program of this hash, in hexadecimal."""

    def head(self) -> Head:
        """Return the last entry's number and digest."""

    def close(self) -> None:
        """Close the store; closing it again does nothing."""


def check_draft(place: str, draft: Draft) -> None:
    """Return if a draft's texts can be kept, and a program's name is its hash.

    Args:
        place: the ledger's name, for messages.
        draft: what is to be appended.

    Raises:
        LedgerError: they cannot, or it is not.
    """
    for text in (draft.time, draft.name):
        try:
            text.encode()
        except UnicodeEncodeError:
            problem = f"expected Unicode text, found {printable(text)!r}"
            raise LedgerError(place, problem) from None
    if draft.kind is Kind.PROGRAM:
        expected = sha256(draft.body).hexdigest()
        if draft.name != expected:
            problem = f"expected {expected}, the program's SHA-256, as its name"
            raise LedgerError(place, f"{problem}, found {printable(draft.name)!r}")


def head_of(place: str, last: LedgerEntry) -> Head:
    """Return the head that an entry is, if its digest is that of its content.

    Raises:
        Damaged: it is not.
    """
    if digest_of(last) != last.digest:
        problem = "its digest is not that of its content; nothing is appended behind it"
        raise Damaged(f"{place}: entry {last.sequence}", problem)
    return Head(last.sequence, last.digest)
