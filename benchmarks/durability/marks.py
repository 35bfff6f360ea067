"""What a writer tells on a pipe: where it is, what it ran, and what it acknowledged.

A mark is one write of less than a pipe's buffer, so it is there as a whole or not at all; and what
was written to a pipe outlives the writer.
"""

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum, unique
from hashlib import sha256
from typing import Final, NamedTuple


@unique
class What(StrEnum):
    """What a writer is busy with."""

    STARTING = "the process starts"
    OPENING = "the ledger is opened"
    LOOKING = "an episode is looked up, or read to go on with it"
    THINKING = "the agent thinks"
    RESOLVER = "a resolver or a judge runs"
    VERIFIER = "a verifier runs"
    CLOSING = "the ledger is closed"
    PROGRAM = "writes: a program"
    REVIEW = "writes: a review's opening"
    GATE = "writes: a gate's opening"
    CALL = "writes: a request that a call follows"
    EVENT = "writes: another event"
    ASKED = "writes: a verifier is asked"
    RESUMED = "writes: an episode is gone on with"
    OUTCOME = "writes: an outcome and its certificate"


@unique
class Stage(StrEnum):
    """How far an entry has come."""

    NONE = ""
    BEFORE = "before it"
    INSERT = "insert"
    COMMIT = "commit"
    AFTER = "after it"


class Place(NamedTuple):
    """Where a writer is."""

    what: What
    stage: Stage = Stage.NONE


NOWHERE: Final = Place(What.STARTING)

_LONG_ENOUGH: Final = 60
"""Seconds after which a writer that waits for its end gives up."""

_PLACE, _RAN, _ENTRY, _ANSWER = b"@>=!"


class Stop(NamedTuple):
    """Where a writer waits for its end: as it comes to a place for the nth time."""

    place: Place
    visit: int


class Marks:
    """Tells it on a pipe."""

    def __init__(self, pipe: int, stop: Stop | None = None) -> None:
        """Use the end of the pipe that can be written."""
        self._pipe, self._stop, self._visits = pipe, stop, 0

    def at(self, what: What, stage: Stage = Stage.NONE) -> None:
        """Tell where the writer is from now on; where it is to wait for its end, do."""
        os.write(self._pipe, f"@{what}|{stage}\n".encode())
        if self._stop is not None and self._stop.place == (what, stage):
            self._visits += 1
            if self._visits == self._stop.visit:
                time.sleep(_LONG_ENOUGH)

    def ran(self, episode: str, position: int) -> None:
        """Tell that a call was begun, after so many events."""
        os.write(self._pipe, f">{episode} {position}\n".encode())

    def entry(self, sequence: int, digest: bytes) -> None:
        """Acknowledge an entry of the ledger."""
        os.write(self._pipe, f"={sequence} {digest.hex()}\n".encode())

    def answer(self, episode: str, position: int, event: bytes) -> None:
        """Acknowledge an event of an episode with what was answered."""
        os.write(self._pipe, f"!{episode} {position} {sha256(event).hexdigest()}\n".encode())


@dataclass(slots=True)
class Heard:
    """What writers told.

    Attributes:
        place: where the last one was when it was last heard.
        ran: how often the call after so many events of an episode was begun.
        entries: the digest of each acknowledged entry.
        answers: the SHA-256 of each acknowledged event.
    """

    place: Place = NOWHERE
    ran: Counter[tuple[str, int]] = field(default_factory=Counter)
    entries: dict[int, str] = field(default_factory=dict)
    answers: dict[tuple[str, int], str] = field(default_factory=dict)

    def take(self, mark: bytes) -> Place | None:
        """Take one mark, without its end; return where the writer is now, if it says so."""
        kind, text = mark[0], mark[1:].decode()
        if kind == _PLACE:
            what, stage = text.split("|")
            self.place = Place(What(what), Stage(stage))
            return self.place
        key, *rest = text.split(" ")
        if kind == _RAN:
            self.ran[key, int(rest[0])] += 1
        elif kind == _ENTRY:
            self.entries[int(key)] = rest[0]
        elif kind == _ANSWER:
            self.answers[key, int(rest[0])] = rest[1]
        return None
