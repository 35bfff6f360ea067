"""What each of several processes does at once with the others, once all of them are ready."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from licet import Entry, Outcome, Unwritten
from licet_bindings.durable.entries import LedgerEntry
from licet_bindings.durable.errors import LedgerError, Taken
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_files import connect
from licet_bindings.durable.sqlite_schema import INSERT
from licet_bindings.durable.sqlite_store import SqliteStore

from .scripted_reviews import ReviewScript
from .watched import Watched

PATIENCE: Final = 120.0
"""How long a process waits for the others, and for the ledger, in seconds."""

_PAUSE: Final = 0.002
_TRIES: Final = 1_000
_LETS_OTHERS: Final = 0.02
"""How long a call takes while processes contend for a review, in seconds."""


class Share(NamedTuple):
    """What one process does.

    Attributes:
        path: the file that it writes.
        seed: of the reviews.
        numbers: which ones it takes to their ends.
        name: of what all of them do now.
        process: its number.
        processes: how many they are.
    """

    path: Path
    seed: int
    numbers: range
    name: str
    process: int
    processes: int


class Span(NamedTuple):
    """What one process did.

    Attributes:
        started: when, by a clock that all processes share, in seconds.
        ended: when.
        entries: number and digest of each entry that it was given.
        ran: the calls that it ran: a review's name, and after how many events.
        refused: how often another process had gone on with a review.
        problem: what the ledger refused besides, and should not have; empty if nothing.
    """

    started: float
    ended: float
    entries: tuple[tuple[int, bytes], ...] = ()
    ran: tuple[tuple[str, int], ...] = ()
    refused: int = 0
    problem: str = ""


def review_alone(share: Share) -> Span:
    """Take the reviews to their ends, without a ledger."""
    scripts = _scripts(share)
    started = _together(share)
    for script in scripts:
        tape: list[bytes] = []
        review = script.opened(_nothing, tape, _Counted(tape))
        while not review.over:
            script.step(review, len(tape))
    return Span(started, time.monotonic())


def review_durably(share: Share) -> Span:
    """Take the reviews to their ends, on the ledger."""
    return _on_ledger(share, tries=1)


def insert_rows(share: Share, rows: Sequence[LedgerEntry]) -> Span:
    """Insert rows, each in a transaction of its own, numbered as they come."""
    with closing(connect(share.path, True, PATIENCE)) as connection:
        started = _together(share)
        for row in rows:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(INSERT, (None, *row[1:]))
            connection.execute("COMMIT")
        return Span(started, time.monotonic())


def contend(share: Share) -> Span:
    """Open each review, or go on with it, until it is over, whoever else does the same."""
    return _on_ledger(share, _TRIES)


def _scripts(share: Share) -> list[ReviewScript]:
    return [ReviewScript(share.seed, number) for number in share.numbers]


def _together(share: Share) -> float:
    """Wait until every process is here; return the time."""
    folder, pattern = share.path.parent, f"{share.name}-is-ready-*"
    (folder / pattern.replace("*", str(share.process))).touch()
    patience = time.monotonic() + PATIENCE
    while len(list(folder.glob(pattern))) < share.processes:
        if time.monotonic() > patience:
            raise TimeoutError(f"expected {share.processes} processes to be ready: {share.name}")
        time.sleep(_PAUSE)
    return time.monotonic()


def _on_ledger(share: Share, tries: int) -> Span:
    scripts, refused, problem = _scripts(share), 0, ""
    with closing(Watched(SqliteStore.open(share.path, timeout=PATIENCE))) as store:
        ledger, ran = DurableLedger(store), list[tuple[str, int]]()
        started = _together(share)
        try:
            for script in scripts:
                refused += _take(ledger, store, script, ran, tries)
        except LedgerError as error:
            problem = str(error)
        ended = time.monotonic()
    return Span(started, ended, tuple(store.acknowledged), tuple(ran), refused, problem)


def _take(
    ledger: DurableLedger,
    store: Watched,
    script: ReviewScript,
    ran: list[tuple[str, int]],
    tries: int,
) -> int:
    """Take a review to its end; return how often another process had gone on with it."""

    def begin(position: int) -> None:
        ran.append((script.name, position))
        if tries > 1:
            time.sleep(_LETS_OTHERS)

    for refused in range(tries):
        is_there = store.opening(script.name) is not None
        try:
            review = script.on_ledger(ledger, begin, store.tape, is_there)
            while not review.over:
                script.step(review, len(store.tape))
        except (Taken, Unwritten):
            continue
        return refused
    raise LedgerError(script.name, f"it was taken away {tries} times")


def _nothing(position: int) -> None:
    """Begin a call."""


class _Counted:
    """A journal that counts."""

    def __init__(self, tape: list[bytes]) -> None:
        self._tape = tape

    def record(self, position: int, entry: Entry) -> None:
        self._tape.append(b"")

    def conclude(self, outcome: Outcome, history: Sequence[Entry]) -> None:
        pass
