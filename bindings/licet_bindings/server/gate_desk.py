"""The desk for gates: decides on actions, and runs their verifiers and the actions themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from licet import DecisionKind, InvalidInput
from licet_bindings.durable.errors import Taken
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.reports import json_number
from licet_bindings.server.answers import (
    NO_GATE,
    TOO_MANY,
    UNWRITTEN,
    GateAnswer,
    decision_answer,
)
from licet_bindings.server.handles import Handles, TooMany
from licet_bindings.server.limits import LONGEST_TEXT, Limits, Runner
from licet_bindings.server.offers import Action, GateOffer, is_subject
from licet_bindings.server.review_desk import OUTAGES

_log: Final = logging.getLogger(__name__)

BUSY: Final = "a verifier is being asked, or the action is being decided on; ask again"
NO_SUBJECT: Final = "expected printable characters, and no blanks at the ends"
TAKEN: Final = "(taken) "
"""What begins the name of a gate that marks, in the ledger, that an action was taken."""
USED: Final = "the action was taken once; open another gate for another time"


@dataclass(slots=True)
class _Seat:
    """A gate, what it is about, and what is going on at it.

    Attributes:
        client: who has it open; None where nobody has.
        handle: that client's handle; empty until it has one.
        asking: verifiers that are being asked.
        acting: whether the action is being decided on or taken.
        acted: whether it was taken.
    """

    gate: DurableGate
    offer: GateOffer
    candidate: str
    subject: str
    client: str | None
    handle: str = ""
    lock: Lock = field(default_factory=Lock)
    asking: int = 0
    acting: bool = False
    acted: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """By what it is found again."""
        return self.candidate, self.subject


class _Occupied(Exception):
    """Another client has the gate open, or this one is just opening it."""


class GateDesk:
    """Gates of many clients, one for each action and subject.

    Whoever opens a gate again, be it in another session, goes on with what was asked, answered and
    spent: otherwise an agent could open gates until a verifier errs in its favour. What a client
    says of a claim is not asked for: answers come from the verifiers that the server runs alone.
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
        self._offers, self._runner, self._ledger = offers, runner, ledger
        self._most = limits.subjects
        self._handles: Handles[_Seat] = Handles(limits, self._left)
        self._lock = Lock()
        self._seats: dict[tuple[str, str], _Seat] = {}

    def open(self, client: str, candidate: str, subject: str) -> GateAnswer:
        """Open the gate for an action on a subject, or go on with it."""
        offer = self._offers.get(candidate)
        if offer is None:
            expected = ", ".join(self._offers) or "none"
            return {"kind": "no_such_candidate", "reason": f"expected one of {expected}"}
        if not is_subject(subject):
            return {"kind": "no_such_subject", "reason": NO_SUBJECT}
        with self._lock:
            seat = self._seats.get((candidate, subject))
            if seat is not None and seat.client == client and seat.handle:
                return {**_about(seat, "opened"), "gate": seat.handle}
        return self._opened(client, candidate, subject)

    def _opened(self, client: str, candidate: str, subject: str) -> GateAnswer:
        try:
            handle = self._handles.add(client, lambda: self._seated(client, candidate, subject))
        except TooMany:
            return {"kind": "too_many_open", "reason": TOO_MANY}
        except _Occupied:
            return {"kind": "busy", "reason": "another client has this gate open; try again later"}
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
            if seat.acted:
                return _about(seat, "used", USED)
            return _decided(seat)

    def ask(self, client: str, handle: str, verifier: str) -> GateAnswer:
        """Ask a verifier, which the server runs; charged."""
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            with seat.lock:
                if seat.acting or seat.acted:
                    return _about(seat, "used", USED) if seat.acted else _about(seat, "busy", BUSY)
                seat.asking += 1
            try:
                return self._asked(seat, verifier)
            finally:
                with seat.lock:
                    seat.asking -= 1

    def act(self, client: str, handle: str) -> GateAnswer:
        """Take the action, once, if it may proceed at this moment."""
        with self._handles.use(client, handle) as seat:
            if seat is None:
                return {"kind": "no_such_gate", "reason": NO_GATE}
            if seat.offer.action is None:
                return _about(seat, "no_action", "the server does not take this action itself")
            with seat.lock:
                if seat.acted:
                    return _about(seat, "used", USED)
                if seat.acting or seat.asking:
                    return _about(seat, "busy", BUSY)
                seat.acting = True
            try:
                return self._acted(seat, seat.offer.action)
            finally:
                with seat.lock:
                    seat.acting = False

    def close_client(self, client: str) -> None:
        """Close every gate of a client that has gone."""
        self._handles.close_client(client)

    def close(self) -> None:
        """Close every gate."""
        self._handles.close_all()

    def _seated(self, client: str, candidate: str, subject: str) -> _Seat:
        """Give a client the gate of an action and a subject, which nobody else has then."""
        with self._lock:
            seat = self._seats.get((candidate, subject))
            if seat is None:
                if len(self._seats) >= self._most:
                    raise TooMany
                offer, name = self._offers[candidate], f"{candidate}/{subject}"
                gate = self._gate(offer, name)
                seat = _Seat(gate, offer, candidate, subject, client)
                self._seats[seat.key] = seat
            elif seat.client is not None:
                raise _Occupied
            seat.client = client
            return seat

    def _gate(self, offer: GateOffer, name: str) -> DurableGate:
        if self._ledger is None:
            return DurableLedger(MemoryStore()).gate(offer.document, name=name)
        try:
            return self._ledger.gate(offer.document, name=name)
        except Taken:
            gate = self._ledger.resume_gate(name)
        if gate.candidates[-1] != offer.document.candidate:
            gate.replan(offer.document.candidate)
        return gate

    def _left(self, seat: _Seat) -> None:
        """Take note that nobody has a gate open; without a ledger it is kept as it is."""
        with self._lock:
            seat.client, seat.handle = None, ""
            if self._ledger is not None:
                del self._seats[seat.key]

    def _asked(self, seat: _Seat, verifier: str) -> GateAnswer:
        ask, runner = seat.offer.verifier, self._runner

        def refutes() -> bool:
            if ask is None:
                raise LookupError(verifier)
            return runner.run(f"verifier {verifier}", lambda: ask(verifier, seat.subject))

        try:
            observed = seat.gate.verify(verifier, refutes)
        except InvalidInput:
            return _about(seat, "no_such_verifier", "the candidate has no verifier of this name")
        except OUTAGES as fault:
            return _unwritten(fault)
        return _about(seat, observed.value, _REASONS.get(observed.value, ""))

    def _acted(self, seat: _Seat, action: Action) -> GateAnswer:
        found = _decided(seat)
        if found["kind"] != DecisionKind.PROCEED.value:
            return found
        # Before it is taken: whatever becomes of it, it is not taken again.
        seat.acted = True
        if self._ledger is not None:
            mark = f"{TAKEN}{seat.gate.name}"
            try:
                self._ledger.gate(seat.offer.document, name=mark)
            except Taken:
                return _about(seat, "used", USED)
            except OUTAGES as fault:
                return _unwritten(fault)
        name = seat.gate.candidates[-1].action
        try:
            result = self._runner.run(f"action {name}", lambda: action(name, seat.subject))
        except Exception:
            _log.exception("action %s", name)
            found["kind"], found["reason"] = "failed", "the action may or may not have been taken"
            return found
        found["kind"], found["result"] = "done", str(result)[:LONGEST_TEXT]
        return found


_REASONS: Final = {
    "failed": "the verifier gave no usable answer; the call was charged",
    "contradiction": "the answer was impossible under the candidate's error rates",
    "refused": "the verifier has no use left, or costs more than is left",
}


def _decided(seat: _Seat) -> GateAnswer:
    try:
        return decision_answer(seat.gate, seat.gate.decide(), seat.subject)
    except OUTAGES as fault:
        return _unwritten(fault)


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
