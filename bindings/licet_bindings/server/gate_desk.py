"""The desk for gates: decides on actions, and runs their verifiers and the actions themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from licet import DecisionKind, InvalidInput
from licet_bindings.agents.evidence import candidate_text
from licet_bindings.agents.grants import digest_of
from licet_bindings.durable.errors import Taken
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.gate.documents import default_budget
from licet_bindings.reports import json_number
from licet_bindings.server.answers import (
    NO_GATE,
    TOO_MANY,
    TOO_MANY_REQUESTS,
    TOO_MANY_SUBJECTS,
    UNWRITTEN,
    GateAnswer,
    decision_answer,
)
from licet_bindings.server.deeds import SAID, Deed, Deeds, named
from licet_bindings.server.handles import Handles, TooMany
from licet_bindings.server.limits import LONGEST_TEXT, Limits, Runner
from licet_bindings.server.offers import Action, GateOffer, is_subject
from licet_bindings.server.review_desk import OUTAGES

_log: Final = logging.getLogger(__name__)

BUSY: Final = "a verifier is being asked, or the action is being decided on; ask again"
NO_SUBJECT: Final = "expected printable characters, and no blanks at the ends"
ELSEWHERE: Final = "another client has this gate open; try again later"
NO_PLACE: Final = "too much is running; the action was not begun, try again later"


@dataclass(slots=True)
class _Seat:
    """A gate, what it is about, and what is going on at it.

    Attributes:
        client: who has it open; None where nobody has.
        handle: that client's handle; empty until it has one.
        deed: what became of the action.
        asking: verifiers that are being asked.
        acting: whether the action is being decided on or taken.
        decided: how often a decision was asked for.
        broken: whether the ledger did not take something; it takes no more then.
    """

    gate: DurableGate
    offer: GateOffer
    subject: str
    client: str | None
    deed: Deed
    handle: str = ""
    lock: Lock = field(default_factory=Lock)
    asking: int = 0
    acting: bool = False
    decided: int = 0
    broken: bool = False

    @property
    def key(self) -> str:
        """By what it is found again."""
        return named(self.gate.candidates[-1].action, self.subject)

    @property
    def is_busy(self) -> bool:
        """Whether something is going on at it."""
        return self.acting or self.asking > 0


class _Occupied(Exception):
    """Another client has the gate open, or something is still going on at it."""


class _TooManySubjects(Exception):
    """So many subjects are kept in mind that no more are."""


class GateDesk:
    """Gates of many clients, one for each action and subject.

    Whoever opens a gate again, be it in another session, goes on with what was asked, answered and
    spent: otherwise an agent could open gates until a verifier errs in its favour. What a client
    says of a claim is not asked for: answers come from the verifiers that the server runs alone.

    What was asked under one candidate counts under no other: where the document of an action was
    changed, its gates begin anew. That an action was begun counts whatever its document says.
    """

    def __init__(
        self,
        offers: Mapping[str, GateOffer],
        runner: Runner,
        limits: Limits,
        *,
        ledger: DurableLedger | None = None,
    ) -> None:
        """Begin without gates.

        Args:
            offers: the candidates by name.
            runner: runs verifiers and actions.
            limits: how many gates may be open, and for how long.
            ledger: where gates are kept; without one they are forgotten with the process.
        """
        self._offers, self._runner, self._limits = offers, runner, limits
        self._ledger = DurableLedger(MemoryStore()) if ledger is None else ledger
        self._deeds = Deeds(self._ledger)
        self._handles: Handles[_Seat] = Handles(limits, self._left, over=_is_over)
        self._lock = Lock()
        self._seats: dict[str, _Seat] = {}
        # Of a ledger in memory, so that it does not grow without end.
        self._in_mind: set[str] | None = set() if ledger is None else None

    def open(self, client: str, candidate: str, subject: str) -> GateAnswer:
        """Open the gate for an action on a subject, or go on with it."""
        offer = self._offers.get(candidate)
        if offer is None:
            expected = ", ".join(self._offers) or "none"
            return {"kind": "no_such_candidate", "reason": f"expected one of {expected}"}
        if not is_subject(subject):
            return {"kind": "no_such_subject", "reason": NO_SUBJECT}
        with self._lock:
            seat = self._seats.get(named(offer.document.candidate.action, subject))
            own = seat is not None and seat.client == client and bool(seat.handle)
        if seat is not None and own:
            if not seat.broken:
                return {**_about(seat, "opened"), "gate": seat.handle}
            # What is written is gone on with, under another handle.
            self._handles.close(seat.handle)
        return self._opened(client, offer, subject)

    def _opened(self, client: str, offer: GateOffer, subject: str) -> GateAnswer:
        try:
            handle = self._handles.add(client, lambda: self._seated(client, offer, subject))
        except TooMany:
            return {"kind": "too_many_open", "reason": TOO_MANY}
        except _TooManySubjects:
            return {"kind": "too_many_open", "reason": TOO_MANY_SUBJECTS}
        except _Occupied:
            return {"kind": "busy", "reason": ELSEWHERE}
        except OUTAGES as fault:
            return _unwritten(fault)
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            seat.handle = handle
            return {**_about(seat, "opened"), "gate": handle}

    def decide(self, client: str, handle: str) -> GateAnswer:
        """Say what is decided as things stand."""
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            with seat.lock:
                refused = self._refused(seat, seat.acting)
                if refused is not None:
                    return refused
                seat.decided += 1
            return self._decided(seat)

    def ask(self, client: str, handle: str, verifier: str) -> GateAnswer:
        """Ask a verifier, which the server runs; charged."""
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            with seat.lock:
                refused = self._refused(seat, seat.acting)
                if refused is not None:
                    return refused
                seat.decided += 1
                seat.asking += 1
            try:
                return self._asked(seat, verifier)
            finally:
                with seat.lock:
                    seat.asking -= 1
                self._drop_if_left(seat)

    def act(self, client: str, handle: str) -> GateAnswer:
        """Take the action, once, if it may proceed at this moment."""
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            if seat.offer.action is None:
                return _about(seat, "no_action", "the server does not take this action itself")
            with seat.lock:
                refused = self._refused(seat, seat.is_busy)
                if refused is not None:
                    return refused
                seat.decided += 1
                seat.acting = True
            try:
                return self._acted(seat, seat.offer.action)
            finally:
                with seat.lock:
                    seat.acting = False
                self._drop_if_left(seat)

    def close_client(self, client: str) -> None:
        """Close every gate of a client that has gone."""
        self._handles.close_client(client)

    def close(self) -> None:
        """Close every gate."""
        self._handles.close_all()

    def _seated(self, client: str, offer: GateOffer, subject: str) -> _Seat:
        """Give a client the gate of an action and a subject, which nobody else has then."""
        action = offer.document.candidate.action
        key = named(action, subject)
        with self._lock:
            if key in self._seats:
                raise _Occupied
            if self._in_mind is not None and key not in self._in_mind:
                if len(self._in_mind) >= self._limits.subjects:
                    raise _TooManySubjects
                self._in_mind.add(key)
            deed = self._deeds.of(action, subject)
            seat = _Seat(self._gate(offer, subject), offer, subject, client, deed)
            self._seats[key] = seat
            return seat

    def _gate(self, offer: GateOffer, subject: str) -> DurableGate:
        candidate = offer.document.candidate
        # Its budget too: one that was raised, or taken away, is another.
        digest = digest_of(candidate_text(candidate), str(default_budget(offer.document)))
        name = named(f"{candidate.action}/{digest}", subject)
        try:
            return self._ledger.gate(offer.document, name=name)
        except Taken:
            return self._ledger.resume_gate(name)

    def _left(self, seat: _Seat) -> None:
        """Take note that nobody has a gate open."""
        with self._lock:
            seat.client, seat.handle = None, ""
        self._drop_if_left(seat)

    def _drop_if_left(self, seat: _Seat) -> None:
        """Forget a gate that nobody has open, once nothing is going on at it any more."""
        with self._lock, seat.lock:
            here = self._seats.get(seat.key) is seat
            if here and seat.client is None and not seat.is_busy:
                del self._seats[seat.key]

    def _refused(self, seat: _Seat, busy: bool) -> GateAnswer | None:
        """Return why nothing is asked of a gate now, or None."""
        if busy:
            return _about(seat, "busy", BUSY)
        if seat.deed is not Deed.OPEN:
            return _about(seat, "used", SAID[seat.deed])
        if seat.decided >= self._limits.requests:
            return _about(seat, "too_many_requests", TOO_MANY_REQUESTS)
        return None

    def _decided(self, seat: _Seat) -> GateAnswer:
        try:
            return decision_answer(seat.gate, seat.gate.decide(), seat.subject)
        except OUTAGES as fault:
            seat.broken = True
            return _unwritten(fault)

    def _asked(self, seat: _Seat, verifier: str) -> GateAnswer:
        ask, runner = seat.offer.verifier, self._runner

        def refutes() -> bool:
            if ask is None:
                raise LookupError(verifier)
            try:
                return runner.run(f"verifier {verifier}", lambda: ask(verifier, seat.subject))
            except Exception:
                # The agent is told that it failed, and not why.
                _log.exception("verifier %s", verifier)
                raise

        try:
            observed = seat.gate.verify(verifier, refutes)
        except InvalidInput:
            return _about(seat, "no_such_verifier", "the candidate has no verifier of this name")
        except OUTAGES as fault:
            seat.broken = True
            return _unwritten(fault)
        return _about(seat, observed.value, _REASONS.get(observed.value, ""))

    def _acted(self, seat: _Seat, action: Action) -> GateAnswer:
        found = self._decided(seat)
        if found["kind"] != DecisionKind.PROCEED.value:
            return found
        name = f"action {seat.gate.candidates[-1].action}"
        try:
            self._runner.take_place(name)
        except TimeoutError:
            return _about(seat, "busy", NO_PLACE)
        try:
            # Before it is taken: whatever becomes of it, it is not begun again.
            first = self._deeds.begin(seat.offer.document, seat.subject)
        except OUTAGES as fault:
            self._runner.leave_place()
            seat.broken = True
            return _unwritten(fault)
        except BaseException:
            self._runner.leave_place()
            raise
        seat.deed = Deed.BEGUN
        if not first:
            self._runner.leave_place()
            return _about(seat, "used", SAID[seat.deed])
        return self._taken(seat, action, name, found)

    def _taken(self, seat: _Seat, action: Action, name: str, found: GateAnswer) -> GateAnswer:
        """Take an action that was begun, and say what is known of it."""
        taken = seat.gate.candidates[-1].action
        try:
            result = self._runner.run_placed(name, lambda: _text(action(taken, seat.subject)))
        except Exception:
            _log.exception("%s", name)
            found["kind"], found["reason"] = "failed", "the action may or may not have been taken"
            return found
        seat.deed = Deed.DONE
        try:
            self._deeds.done(seat.offer.document, seat.subject)
        except OUTAGES as fault:
            # It was taken all the same; the ledger says that it may have been.
            _log.error("the ledger: %s", fault)
        found["kind"], found["result"] = "done", result
        return found


def _is_over(seat: _Seat) -> bool:
    return seat.deed is not Deed.OPEN and not seat.is_busy


def _text(result: object) -> str:
    """Return what an action returned as a text that can be sent; one that has none says so."""
    try:
        text = str(result)[:LONGEST_TEXT]
    except Exception:
        return f"(a {type(result).__name__} without a text)"
    return text.encode("utf-8", "replace").decode("utf-8")


_REASONS: Final = {
    "failed": "the verifier gave no usable answer; the call was charged",
    "contradiction": "the answer was impossible under the candidate's error rates",
    "refused": "the verifier has no use left, or costs more than is left",
}


def _about(seat: _Seat, kind: str, reason: str = "") -> GateAnswer:
    gate = seat.gate
    return {
        "kind": kind,
        "reason": reason,
        "name": gate.name,
        "action": gate.candidates[-1].action,
        "subject": seat.subject,
        "askable": list(gate.askable),
        "remaining": json_number(gate.remaining),
    }


def _unwritten(fault: Exception) -> GateAnswer:
    _log.error("the ledger: %s", fault)
    return {"kind": "unwritten", "reason": UNWRITTEN}
