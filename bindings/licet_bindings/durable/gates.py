"""Gates in a ledger: every report, replan and decision is written before the gate answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from fractions import Fraction
from threading import Lock, RLock, get_ident
from typing import Final, NamedTuple, TypeVar

from licet import (
    Candidate,
    Decision,
    Gate,
    GateEntry,
    GateEvent,
    InvalidInput,
    ObservationModel,
    Observed,
)
from licet.messages import described
from licet_bindings.durable.codecs import FRACTION, TEXT, body_of, choice, record, value_of
from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.durable.episodes import RESUMPTION, EpisodeWriter, entry_named
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.event_json import CANDIDATE, gate_event_bytes, gate_event_of

Result = TypeVar("Result")

OWN: Final = "own"
"""What stands for the name of a policy of the caller's."""


class GateOpening(NamedTuple):
    """What a gate is opened with.

    Attributes:
        name: the caller's name for it.
        candidate: the action that it is about.
        budget: verification cost that may be spent.
        policy: the name of the policy that chooses checks; `own` for one of the caller's.
        observation: how answers are modelled.
        sqlite: the version of the SQLite library where it was opened.
    """

    name: str
    candidate: Candidate
    budget: Fraction
    policy: str
    observation: ObservationModel
    sqlite: str = sqlite3.sqlite_version


class Asking(NamedTuple):
    """What is written before a verifier is run."""

    verifier: str


class WrittenGate(NamedTuple):
    """A gate as a ledger has it.

    Attributes:
        opening: what it was opened with.
        events: every report, replan and decision, in order.
        asked: the verifier that was run and has no report; None where there is none.
    """

    opening: GateOpening
    events: tuple[GateEvent, ...]
    asked: str | None


_OPENING: Final = record(
    GateOpening,
    name=TEXT,
    candidate=CANDIDATE,
    budget=FRACTION,
    policy=TEXT,
    observation=choice(ObservationModel),
    sqlite=TEXT,
)
ASKING: Final = record(Asking, verifier=TEXT)
"""A verifier that is run."""


def gate_opening_bytes(opening: GateOpening) -> bytes:
    """Return what opens a gate as canonical JSON.

    Raises:
        InvalidInput: it holds what could not be given back exactly.
    """
    return body_of(_OPENING, opening, "gate")


def gate_opening_of(entry: LedgerEntry) -> GateOpening:
    """Return what a gate was opened with.

    Raises:
        Damaged: the entry is not what `gate_opening_bytes` writes, under the gate's name.
    """
    opening = value_of(_OPENING, entry.body, entry_named(entry))
    if opening.name != entry.name:
        raise Damaged(entry_named(entry), "expected the name that its body has")
    return opening


def written_gate(entries: Sequence[LedgerEntry]) -> WrittenGate:
    """Return a gate as the entries of its episode say; whether it replays is not asked.

    Raises:
        Damaged: they are not those of a gate.
    """
    opening = gate_opening_of(entries[0])
    events: list[GateEvent] = []
    asked: str | None = None
    for entry in entries[1:]:
        place = entry_named(entry)
        if entry.kind is Kind.EVENT:
            event = gate_event_of(entry.body, place)
            if asked is not None and not (isinstance(event, GateEntry) and event.verifier == asked):
                raise Damaged(place, f"expected the report of {asked}, which was asked")
            events.append(event)
            asked = None
        elif entry.kind is Kind.ASKED and asked is None:
            asked = value_of(ASKING, entry.body, place).verifier
        elif entry.kind is Kind.RESUMED:
            value_of(RESUMPTION, entry.body, place)
        else:
            raise Damaged(place, f"expected an event of a gate, found a {entry.kind}")
    return WrittenGate(opening, tuple(events), asked)


class GateJournal:
    """Writes a gate to a ledger, event by event."""

    def __init__(self, recorded: int = 0) -> None:
        """Begin behind this many events; nothing is taken before there is a writer."""
        self._recorded = recorded
        self.writer: EpisodeWriter | None = None

    def record(self, position: int, event: GateEvent) -> None:
        """Write an event.

        Raises:
            Taken: the gate was resumed elsewhere.
            LedgerError: the event was not written, or may not have been.
        """
        if self.writer is None or position != self._recorded:
            raise LedgerError("gate", f"expected event {self._recorded} of it, found {position}")
        self.writer.append(Kind.EVENT, gate_event_bytes(event))
        self._recorded += 1


class _Asked(NamedTuple):
    """A verifier that was run, its answer once it has one, and how many reports came before."""

    verifier: str
    refutes: bool | None
    reports: int


class _Flight(NamedTuple):
    """A verifier that is being asked, in which thread, and what becomes of its report."""

    thread: int
    observed: Future[Observed]


class DurableGate:
    """A gate that writes to a ledger before it answers: `DurableLedger.gate` opens one.

    What is said of `licet.Gate` holds: any thread may call, one call is taken after another, and a
    call from within the gate's own policy or verifier is refused.

    >>> from licet import Claim, FailureMode, Loss, Premise, Verifier
    >>> from licet_bindings.durable.ledgers import DurableLedger
    >>> from licet_bindings.durable.memory_store import MemoryStore
    >>> ship = Candidate(
    ...     "ship_order",
    ...     (Claim("address", 0.28),),
    ...     (Premise("deliverable", "address"),),
    ...     (FailureMode(("deliverable",), 10, "wrong_recipient"),),
    ...     (Verifier.symmetric("ask_user", 1, ("address",), 0.95),),
    ...     Loss(abstain=1, price=0.1),
    ... )
    >>> ledger = DurableLedger(MemoryStore())
    >>> gate = ledger.gate(ship, name="order 7", budget=4)
    >>> gate.decide().verifier
    'ask_user'
    >>> gate.verify("ask_user", lambda: False).value
    'recorded'
    >>> ledger.resume_gate("order 7").decide().kind.value
    'proceed'
    """

    def __init__(
        self, name: str, gate: Gate, writer: EpisodeWriter, asked: str | None = None
    ) -> None:
        """Use `DurableLedger.gate` or `DurableLedger.resume_gate`."""
        self._name, self._gate, self._writer = name, gate, writer
        self._lock, self._busy = RLock(), False
        self._flights: dict[str, _Flight] = {}
        self._flights_lock = Lock()
        self._asked = None if asked is None else _Asked(asked, None, len(gate.history))
        self._finish()

    def __copy__(self) -> DurableGate:
        """Refuse: two gates on one budget would spend it twice."""
        raise TypeError("a gate cannot be copied")

    def __repr__(self) -> str:
        """Name the gate, and say what is left of its budget."""
        return f"<DurableGate {self._name!r}: {self.remaining} left>"

    def decide(self) -> Decision:
        """Return the decision as things stand, as `Gate.decide` does, once it is written.

        Raises:
            InvalidInput: the policy chooses what cannot be asked and paid, or asks its own gate.
            LedgerError: it could not be written.
            Unwritten: something before it may not have been.
        """
        return self._alone(self._gate.decide)

    def verify(self, verifier: str, refutes: Callable[[], bool]) -> Observed:
        """Ask a verifier, and report what it answers.

        That it is asked is written before it is run, so that a run that is cut off is charged once,
        as a failed one. A verifier that has no use left or costs too much is not run; the answer is
        `REFUSED`. A call for one that is being asked in another thread waits for that answer and
        returns what became of it: one run, one charge, one report.

        Args:
            verifier: its name.
            refutes: asks it, and returns whether it refutes. Whatever it raises, or returns other
                than a truth value, is a failed call: charged.

        Raises:
            InvalidInput: no verifier has this name, `refutes` is no function, or the gate is asked
                from within its own verifier.
            LedgerError: it could not be written.
            Unwritten: something before it may not have been.
        """
        if not callable(refutes):
            raise InvalidInput("refutes", f"expected a function, found {described(refutes)}")
        if type(verifier) is not str:
            raise InvalidInput("verifier", f"no verifier is named {described(verifier)}")
        own = _Flight(get_ident(), Future())
        try:  # Wherever an interrupt comes, no flight is left that nobody would land.
            with self._flights_lock:
                flight = self._flights.setdefault(verifier, own)
            if flight is own:
                observed = self._alone(lambda: self._verified(verifier, refutes))
                self._land(verifier, own)
                own.observed.set_result(observed)
                return observed
        except BaseException as error:
            self._land(verifier, own)
            if not own.observed.done():
                own.observed.set_exception(error)
            raise
        if flight.thread == own.thread:
            raise InvalidInput("gate", f"asked from within its own verifier {verifier}")
        return flight.observed.result()

    def observe(self, verifier: str, refutes: bool) -> Observed:
        """Record what a verifier answered that was asked elsewhere, as `Gate.observe` does.

        Raises:
            InvalidInput: no verifier has this name, or `refutes` is no truth value.
            LedgerError: it could not be written.
            Unwritten: something before it may not have been.
        """
        return self._alone(lambda: self._gate.observe(verifier, refutes))

    def fail(self, verifier: str) -> Observed:
        """Record that a verifier gave no answer, as `Gate.fail` does.

        Raises:
            InvalidInput: no verifier has this name.
            LedgerError: it could not be written.
            Unwritten: something before it may not have been.
        """
        return self._alone(lambda: self._gate.fail(verifier))

    def replan(self, candidate: Candidate) -> None:
        """Take a new candidate for the same episode, as `Gate.replan` does.

        Raises:
            InvalidInput: it is refused; the earlier candidate then stays.
            LedgerError: it could not be written.
            Unwritten: something before it may not have been.
        """
        self._alone(lambda: self._gate.replan(candidate))

    @property
    def name(self) -> str:
        """Its name in the ledger."""
        return self._name

    @property
    def remaining(self) -> Fraction:
        """What is left of the budget; never negative."""
        return self._gate.remaining

    @property
    def askable(self) -> tuple[str, ...]:
        """The verifiers that have a use left and can be paid, as listed."""
        return self._gate.askable

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every candidate so far; the last is the present one."""
        return self._gate.candidates

    @property
    def history(self) -> tuple[GateEntry, ...]:
        """Every report, from the first."""
        return self._gate.history

    def _alone(self, act: Callable[[], Result]) -> Result:
        with self._lock:
            if self._busy:
                raise InvalidInput("gate", "asked from within its own verifier, or another call")
            self._busy = True
            try:
                self._finish()
                return act()
            finally:
                self._busy = False

    def _verified(self, verifier: str, refutes: Callable[[], bool]) -> Observed:
        if verifier not in self._gate.askable:
            return self._gate.fail(verifier)
        reports = len(self._gate.history)
        # Before it is written: whatever interrupts what follows, it is charged once.
        self._asked = _Asked(verifier, None, reports)
        self._writer.append(Kind.ASKED, body_of(ASKING, Asking(verifier), "asked"))
        self._asked = _Asked(verifier, _answer(refutes), reports)
        self._finish()
        return self._gate.history[reports].observed

    def _finish(self) -> None:
        """Report what became of a verifier that was run; as a failed one if it was cut off."""
        if self._asked is not None:
            verifier, refutes, reports = self._asked
            if len(self._gate.history) == reports:
                if refutes is None:
                    self._gate.fail(verifier)
                else:
                    self._gate.observe(verifier, refutes)
            self._asked = None

    def _land(self, verifier: str, own: _Flight) -> None:
        with self._flights_lock:
            if self._flights.get(verifier) is own:
                del self._flights[verifier]


def _answer(refutes: Callable[[], bool]) -> bool | None:
    try:
        answer = refutes()
    except Exception:
        return None
    return answer if type(answer) is bool else None
