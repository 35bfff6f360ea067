"""Ledgers of a few episodes that were written in turns, entry by entry."""

import json
from hashlib import sha256

from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.stores import Store

TIME = "2026-11-30T12:00:00Z"
PROGRAM = b'{"licet":1}'
HASH = sha256(PROGRAM).hexdigest()


def write_episodes(store: Store) -> None:
    """Write two reviews of one program and a gate, in turns; one body is no text."""
    _append(store, None, 0, Kind.PROGRAM, PROGRAM, HASH)
    opening = json.dumps({"program_sha256": HASH}).encode()
    first = _append(store, None, 0, Kind.REVIEW, opening, "first")
    _append(store, first, 1, Kind.EVENT, b'{"asked": "\xc3\xa9"}')
    second = _append(store, None, 0, Kind.REVIEW, opening, "second \N{GREEK SMALL LETTER ALPHA}")
    _append(store, first, 2, Kind.EVENT, b"\x00\xff")
    _append(store, second, 1, Kind.EVENT, b"")
    gate = _append(store, None, 0, Kind.GATE, b"{}", "gate")
    _append(store, first, 3, Kind.OUTCOME, b"{}")
    _append(store, gate, 1, Kind.ASKED, b'"once"')


def _append(
    store: Store, episode: int | None, position: int, kind: Kind, body: bytes, name: str = ""
) -> int:
    return store.append(Draft(episode, position, kind, TIME, body, name)).sequence
