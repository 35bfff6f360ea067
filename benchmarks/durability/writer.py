"""A process that writes one episode after another to a ledger, until it is killed or done."""

import json
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from licet import AnswerKind, Review
from licet_bindings.durable.entries import Draft, Kind, LedgerEntry
from licet_bindings.durable.event_json import entry_bytes, gate_event_bytes
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_files import connect
from licet_bindings.durable.sqlite_store import TIMEOUT, SqliteStore
from licet_bindings.durable.stores import Store

from .marks import Marks, Stage, What
from .scripted_gates import GateScript
from .scripted_reviews import Begin, ReviewScript
from .watched import Watched

_WRITES: Final = {
    Kind.PROGRAM: What.PROGRAM,
    Kind.REVIEW: What.REVIEW,
    Kind.GATE: What.GATE,
    Kind.EVENT: What.EVENT,
    Kind.ASKED: What.ASKED,
    Kind.RESUMED: What.RESUMED,
    Kind.OUTCOME: What.OUTCOME,
}
_STAGES: Final = {"INSERT": Stage.INSERT, "COMMIT": Stage.COMMIT}
_SLOWEST_CALL: Final = 0.004
"""How long a resolver takes at most, in seconds."""


def name_of(number: int) -> str:
    """Return the name of the episode of this number; of three, one is a gate."""
    return f"gate-{number}" if number % 3 == 2 else f"review-{number}"


def script_named(seed: int, name: str) -> ReviewScript | GateScript:
    """Return the episode of this name."""
    kind, _, number = name.partition("-")
    return GateScript(seed, int(number)) if kind == "gate" else ReviewScript(seed, int(number))


def write_stream(path: Path, seed: int, first: int, last: int | None, marks: Marks) -> None:
    """Take every episode from `first` to its end: go on with it, or open it where there is none.

    Args:
        path: the ledger's file.
        seed: of the episodes.
        first: the number of the first.
        last: that of the last; None to go on until the process is killed.
        marks: where it is told.
    """
    numbers = count(first) if last is None else range(first, last + 1)
    store: Told | None = None
    for number in numbers:
        if store is None:
            marks.at(What.OPENING)
            store = _open(path, marks)
        _write(DurableLedger(store), store, seed, number, marks)
        # The ledger is closed and opened anew now and then.
        if number == last or Random(f"{seed} close {number}").random() < 0.3:
            marks.at(What.CLOSING)
            store.close()
            store = None


class Told(Watched):
    """A store that tells before and after each entry."""

    def __init__(self, store: Store, marks: Marks) -> None:
        """Tell of this store."""
        super().__init__(store)
        self._marks = marks
        self._reviews = set[int]()
        self.what = What.OPENING

    def append(self, draft: Draft) -> LedgerEntry:
        self.what = self._what(draft)
        self._marks.at(self.what, Stage.BEFORE)
        entry = super().append(draft)
        self._marks.entry(entry.sequence, entry.digest)
        self._marks.at(self.what, Stage.AFTER)
        self._see(entry)
        return entry

    def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
        entries = super().episode(opening)
        self._see(entries[0])
        return entries

    def _see(self, entry: LedgerEntry) -> None:
        if entry.kind is Kind.REVIEW:
            self._reviews.add(entry.sequence)

    def _what(self, draft: Draft) -> What:
        if draft.kind is Kind.EVENT and draft.episode in self._reviews:
            kind = AnswerKind(json.loads(draft.body)["answer"]["kind"])
            return What.CALL if kind in (AnswerKind.RUN, AnswerKind.JUDGE) else What.EVENT
        return _WRITES[draft.kind]


def _open(path: Path, marks: Marks) -> Told:
    connection = connect(path, True, TIMEOUT)
    for setting, expected in (("synchronous", 2), ("journal_mode", "wal")):
        (found,) = connection.execute(f"PRAGMA {setting}").fetchone()
        if found != expected:
            raise ValueError(f"expected {setting} to be {expected}, found {found}")
    told = Told(SqliteStore(path, connection), marks)

    def trace(statement: str) -> None:
        stage = _STAGES.get(statement[:6])
        if stage is not None:
            marks.at(told.what, stage)

    connection.set_trace_callback(trace)
    return told


def _write(ledger: DurableLedger, store: Told, seed: int, number: int, marks: Marks) -> None:
    marks.at(What.THINKING)
    script = script_named(seed, name_of(number))
    marks.at(What.LOOKING)
    is_there = store.opening(script.name) is not None
    if isinstance(script, ReviewScript):
        begin = _begin(What.RESOLVER, script.name, marks)
        review = script.on_ledger(ledger, begin, store.tape, is_there)
        _take_review(review, script, store.tape, marks)
    else:
        _take_gate(_gate(ledger, script, is_there), script, store.tape, marks)


def _take_review(review: Review, script: ReviewScript, tape: Sequence[bytes], marks: Marks) -> None:
    taken = len(review.history)
    while not review.over:
        marks.at(What.THINKING)
        script.step(review, len(tape))
        for position, entry in enumerate(review.history[taken:], taken):
            marks.answer(script.name, position, entry_bytes(entry))
        taken = len(review.history)


def _gate(ledger: DurableLedger, script: GateScript, is_there: bool) -> DurableGate:
    if is_there:
        return ledger.resume_gate(script.name)
    return ledger.gate(script.candidate, name=script.name, budget=script.budget)


def _take_gate(gate: DurableGate, script: GateScript, tape: Sequence[bytes], marks: Marks) -> None:
    begin = _begin(What.VERIFIER, script.name, marks)
    while not script.is_over(tape):
        marks.at(What.THINKING)
        answered = script.step(gate, begin, tape)
        marks.answer(script.name, len(tape) - 1, gate_event_bytes(answered))


def _begin(what: What, name: str, marks: Marks) -> Begin:
    def begin(position: int) -> None:
        marks.ran(name, position)
        marks.at(what)
        time.sleep(Random(f"{name} {position}").random() * _SLOWEST_CALL)

    return begin
