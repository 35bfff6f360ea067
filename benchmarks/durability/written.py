"""Ledgers of random episodes, for what does not depend on what the entries say."""

import sqlite3
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.file_pictures import Picture, take_picture
from licet_bindings.durable.sqlite_store import SqliteStore

WRITERS: Final = frozenset({int("{}{:03}{:03}".format(*sqlite3.sqlite_version_info))})
"""This SQLite, as SQLite numbers its versions."""

_TIME: Final = "2026-11-30T12:00:{:02}.{:06}Z"


def write(store: SqliteStore, episodes: int, random: Random) -> None:
    """Append a program and so many episodes, up to eight of them at once."""
    program = random.randbytes(2_000)
    store.append(_draft(random, None, 0, Kind.PROGRAM, program, sha256(program).hexdigest()))
    open_ones: list[list[int]] = []
    left = episodes
    while left or open_ones:
        if left and (not open_ones or (len(open_ones) < 8 and random.random() < 0.3)):
            name = f"{random.getrandbits(64):016x}"
            draft = _draft(random, None, 0, Kind.REVIEW, random.randbytes(250), name)
            # Its opening, the position that follows, and how many will.
            open_ones.append([store.append(draft).sequence, 1, random.randint(2, 9)])
            left -= 1
            continue
        episode = random.choice(open_ones)
        opening, position, last = episode
        kind = Kind.OUTCOME if position == last else Kind.EVENT
        length = 900 if kind is Kind.OUTCOME else random.choice((60, 120, 180, 600))
        store.append(_draft(random, opening, position, kind, random.randbytes(length)))
        episode[1] += 1
        if kind is Kind.OUTCOME:
            open_ones.remove(episode)


def closed_and_open(path: Path, episodes: int, seed: int) -> tuple[Picture, Picture]:
    """Write a ledger and return its bytes twice: without a log, and with one while it is open.

    Both hold `episodes` episodes; the second has a few more, most of whose entries are in the log
    alone.
    """
    random = Random(seed)
    with SqliteStore.open(path) as store:
        write(store, episodes, random)
        # Longer than any page and so on pages of its own.
        store.append(_draft(random, None, 0, Kind.REVIEW, random.randbytes(150_000), "long"))
    closed = take_picture(path)
    with SqliteStore.open(path) as store:
        write(store, 3, random)
        return closed, take_picture(path)


def _draft(
    random: Random, episode: int | None, position: int, kind: Kind, body: bytes, name: str = ""
) -> Draft:
    time = _TIME.format(random.randrange(60), random.randrange(10**6))
    return Draft(episode, position, kind, time, body, name)
