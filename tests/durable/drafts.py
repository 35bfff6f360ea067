"""Drafts of entries, and stores of both sorts that take them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

from licet_bindings.durable.entries import NO_DIGEST, Draft, Kind, LedgerEntry, digest_of
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.durable.stores import Store

NOON: Final = "2026-01-02T12:00:00Z"

STORES: Final[dict[str, Callable[[Path], Store]]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda folder: SqliteStore.open(folder / "ledger"),
}


def opening(name: str, kind: Kind = Kind.REVIEW, body: bytes = b"{}") -> Draft:
    return Draft(None, 0, kind, NOON, body, name)


def program(body: bytes) -> Draft:
    return Draft(None, 0, Kind.PROGRAM, NOON, body, sha256(body).hexdigest())


def event(episode: int, position: int, body: bytes = b"event") -> Draft:
    return Draft(episode, position, Kind.EVENT, NOON, body)


def assert_chained(entries: tuple[LedgerEntry, ...]) -> None:
    """Every entry is numbered, links to the one before, and has its own digest."""
    previous = NO_DIGEST
    for number, entry in enumerate(entries, 1):
        assert entry.sequence == number
        assert entry.previous == previous
        assert entry.digest == digest_of(entry)
        previous = entry.digest
