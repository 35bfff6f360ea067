"""The digest of an entry: what it is, and that every field is in it."""

from __future__ import annotations

from hashlib import sha256

import pytest

from licet_bindings.durable.entries import EMPTY, Kind, LedgerEntry, digest_of, entry_after
from tests.durable.drafts import event, opening

ENTRY = LedgerEntry(12, 3, 4, Kind.EVENT, "noon", "é", b"body", bytes(range(32)), bytes(32))


def test_the_digest_is_over_every_field_behind_its_length() -> None:
    fields = [
        b"licet ledger entry 1",
        b"12",
        b"3",
        b"4",
        b"event",
        b"noon",
        "é".encode(),
        b"body",
        bytes(range(32)),
    ]
    text = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    assert digest_of(ENTRY) == sha256(text).digest()


@pytest.mark.parametrize(
    "changed",
    [
        {"sequence": 13},
        {"episode": 4},
        {"position": 5},
        {"kind": Kind.ASKED},
        {"time": "noon "},
        {"name": "e"},
        {"body": b"Body"},
        {"previous": bytes(32)},
        # The same text in all, cut at another place.
        {"sequence": 1, "episode": 23},
        {"time": "noo", "name": "né"},
    ],
    ids="-".join,
)
def test_a_change_in_any_field_changes_the_digest(changed: dict[str, object]) -> None:
    other = LedgerEntry(**{**ENTRY._asdict(), **changed})  # type: ignore[arg-type]
    assert digest_of(other) != digest_of(ENTRY)


def test_the_digest_itself_is_not_in_it() -> None:
    assert digest_of(ENTRY._replace(digest=b"x")) == digest_of(ENTRY)


def test_an_entry_follows_the_head() -> None:
    first = entry_after(EMPTY, opening("a"))
    assert (first.sequence, first.episode, first.position) == (1, 1, 0)
    assert first.previous == bytes(32)
    second = entry_after(EMPTY._replace(sequence=1, digest=first.digest), event(1, 1))
    assert (second.sequence, second.episode, second.previous) == (2, 1, first.digest)
    assert second.digest == digest_of(second)
