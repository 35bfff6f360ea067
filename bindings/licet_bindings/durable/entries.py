"""The lines of a ledger, and the chain of digests that runs through all of them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum, unique
from hashlib import sha256
from typing import Final, NamedTuple


@unique
class Kind(StrEnum):
    """What an entry holds.

    PROGRAM: a program's canonical text. REVIEW, GATE: the opening of an episode. EVENT: what
    happened in it, and the answer. ASKED: a verifier was started. RESUMED: somebody goes on with
    the episode. OUTCOME: its end.
    """

    PROGRAM = "program"
    REVIEW = "review"
    GATE = "gate"
    EVENT = "event"
    ASKED = "asked"
    RESUMED = "resumed"
    OUTCOME = "outcome"


OPENINGS: Final = frozenset({Kind.REVIEW, Kind.GATE})
"""The kinds that open an episode which others follow; a program is one by itself."""


class Draft(NamedTuple):
    """What is to be appended.

    Attributes:
        episode: the sequence number of the episode's opening; None opens one.
        position: the place in the episode, 0 the opening, each one after the one before.
        kind: what it holds.
        time: when, as text from the caller's clock (RFC 3339, UTC).
        body: the content.
        name: of an opening, the caller's name for the episode; of a program, the SHA-256 of its
            body in hexadecimal. Empty otherwise.
    """

    episode: int | None
    position: int
    kind: Kind
    time: str
    body: bytes
    name: str = ""


class LedgerEntry(NamedTuple):
    """An entry as it is stored.

    Attributes:
        sequence: its number in the ledger, 1 the first.
        episode: the sequence number of its episode's opening.
        position: its place in the episode, 0 the opening.
        kind: what it holds.
        time: when, as text.
        name: of an opening or a program, its name; empty otherwise.
        body: the content.
        previous: the digest of the entry before it, `NO_DIGEST` for the first.
        digest: the SHA-256 of all of the above (`digest_of`).
    """

    sequence: int
    episode: int
    position: int
    kind: Kind
    time: str
    name: str
    body: bytes
    previous: bytes
    digest: bytes


class Head(NamedTuple):
    """The last entry's number and digest: whoever keeps them elsewhere can tell a cut-off end."""

    sequence: int
    digest: bytes


NO_DIGEST: Final = bytes(32)
"""What stands for the digest of the entry before the first."""

EMPTY: Final = Head(0, NO_DIGEST)
"""The head of a ledger without entries."""

_DOMAIN: Final = b"licet ledger entry 1"


def digest_of(entry: LedgerEntry) -> bytes:
    """Return the SHA-256 of an entry's fields but for its digest, 32 bytes.

    Each field is preceded by its length, 8 bytes, most significant first, and all of them by a
    constant of this format; so two entries that differ anywhere are two texts.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair.
    """
    hashed = sha256()
    for field in _encoded(entry):
        hashed.update(len(field).to_bytes(8, "big"))
        hashed.update(field)
    return hashed.digest()


def entry_after(head: Head, draft: Draft) -> LedgerEntry:
    """Return the entry that a draft becomes behind a head; whether it fits there is not asked."""
    sequence = head.sequence + 1
    entry = LedgerEntry(
        sequence,
        sequence if draft.episode is None else draft.episode,
        draft.position,
        draft.kind,
        draft.time,
        draft.name,
        draft.body,
        head.digest,
        NO_DIGEST,
    )
    return entry._replace(digest=digest_of(entry))


def _encoded(entry: LedgerEntry) -> Iterator[bytes]:
    yield _DOMAIN
    for number in (entry.sequence, entry.episode, entry.position):
        yield str(number).encode()
    for text in (entry.kind, entry.time, entry.name):
        yield text.encode()
    yield entry.body
    yield entry.previous
