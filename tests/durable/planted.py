"""Bugs planted in the ledger, each with what the benchmarks of durability must object to.

`python -O -m tests.durable.planted` plants one after another, each in a process of its own, kills
writers or lets several write at once, and prints the violations by kind as JSON.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import licet.episode
import licet.review
from benchmarks.durability.aftermath import Found
from benchmarks.durability.at_once import Share, contend, review_durably
from benchmarks.durability.killing import Aim, in_fork
from benchmarks.durability.kills import run_chunk
from benchmarks.durability.marks import Place, Stage, Stop, What
from benchmarks.durability.writers import look
from licet import Answer, AnswerKind, AttestRequest, CheckRequest, Failed, Judge, Resolver, Review
from licet.messages import Resolution
from licet.state import Episode, Transition, charge
from licet_bindings.durable.contents import Contents
from licet_bindings.durable.entries import Draft, LedgerEntry
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore

PROCESSES = 4
CONTESTED = range(PROCESSES, PROCESSES + 4)


class LateStore(SqliteStore):
    """Acknowledges each entry before it is committed: that comes with the next one."""

    def append(self, draft: Draft) -> LedgerEntry:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        return super().append(draft)

    def _commit(self, connection: sqlite3.Connection, entry: LedgerEntry) -> None:
        """Leave it to the next entry: this is the bug."""


def entries_are_acknowledged_before_they_are_committed() -> None:
    patch("benchmarks.durability.writer.SqliteStore", LateStore).start()
    patch("benchmarks.durability.at_once.SqliteStore", LateStore).start()


def a_call_that_was_cut_off_is_made_again() -> None:
    def go_on(review: Review) -> None:
        review._drive(Answer(AnswerKind.RUN))

    patch.object(Review, "_drop_interrupted", go_on).start()


def a_call_that_was_cut_off_is_charged_twice() -> None:
    sound = licet.episode.resolve

    def resolve(episode: Episode, resolution: Resolution) -> Transition:
        if resolution == Failed("the call was interrupted"):
            episode = charge(episode, 1)
        return sound(episode, resolution)

    patch.object(licet.review, "resolve", resolve).start()


def whoever_goes_on_asks_again() -> None:
    sound = DurableLedger.resume

    def resume(
        ledger: DurableLedger, name: str, resolver: Resolver, *, judge: Judge | None = None
    ) -> Review:
        review = sound(ledger, name, resolver, judge=judge)
        if review.history and not review.over:
            asked = review.history[-2].event
            assert isinstance(asked, CheckRequest | AttestRequest)
            review.request(asked)
        return review

    patch.object(DurableLedger, "resume", resume).start()


def nobody_is_refused() -> None:
    patch.object(Contents, "_check_position", lambda *_: None).start()


# What the kills must object to, at least.
KILLED: dict[Callable[[], None], str] = {
    entries_are_acknowledged_before_they_are_committed: "acknowledged entry",
    a_call_that_was_cut_off_is_made_again: "another course",
    a_call_that_was_cut_off_is_charged_twice: "another end",
    whoever_goes_on_asks_again: "another course",
}
# What several processes at once must.
AT_ONCE: dict[Callable[[], None], str] = {
    entries_are_acknowledged_before_they_are_committed: "lost or doubled",
    nobody_is_refused: "audit",
}


def kill_two(folder: Path) -> Counter[str]:
    """Kill a writer while a resolver runs, and the next one as it comes to write an event."""
    aims = iter((Place(What.RESOLVER), Place(What.EVENT, Stage.BEFORE)))

    def draw(random: Random) -> Aim:
        return Aim(Stop(next(aims), 1), is_waited=True, delay=0)

    return run_chunk(folder, 7, 0, 2, draw).violations


def write_at_once(folder: Path) -> Counter[str]:
    """Let some processes write reviews of their own, and then go on with the same ones."""
    path = folder / "ledger"

    def shares(name: str, *numbers: range) -> list[Share]:
        return [Share(path, 7, each, name, n, PROCESSES) for n, each in enumerate(numbers)]

    with get_context("fork").Pool(PROCESSES) as pool:
        own = shares("own", *(range(n, n + 1) for n in range(PROCESSES)))
        spans = pool.map(review_durably, own, 1)
        contested = shares("contest", *[CONTESTED] * PROCESSES)
        spans += pool.map(contend, contested, 1)
    patch.stopall()
    found = Found()
    look(path, 7, range(CONTESTED.stop), spans, found)
    return Counter(violation.kind for violation in found.violations)


def nothing() -> None:
    """Plant no bug."""


def found_with(plant: Callable[[], None], work: Callable[[Path], Counter[str]]) -> Counter[str]:
    """Return the violations that are found with a bug."""
    plant()
    with TemporaryDirectory() as made:
        return work(Path(made))


def all_found() -> dict[str, dict[str, Counter[str]]]:
    """Return for kills and for several at once what is found with each bug, and without."""
    runs = (("killed", KILLED, kill_two), ("at once", AT_ONCE, write_at_once))
    return {
        run: {each.__name__: in_fork(found_with, each, work) for each in (nothing, *planted)}
        for run, planted, work in runs
    }


if __name__ == "__main__":
    print(json.dumps(all_found()))
