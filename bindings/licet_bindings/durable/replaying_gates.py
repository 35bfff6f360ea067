"""Replays a gate from what a ledger has of it: the core decides each time anew."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from licet import (
    Candidate,
    Decision,
    DecisionKind,
    Gate,
    GateEntry,
    GateEvent,
    InvalidInput,
    Number,
    ObservationModel,
)
from licet.beliefs import GateModel
from licet.planner import Position
from licet.policies import Chooser, Policy
from licet.rationals import exact
from licet_bindings.durable.audited import GateStep
from licet_bindings.durable.entries import LedgerEntry
from licet_bindings.durable.replaying import DoesNotFollow
from licet_bindings.errors import shown

_IMPOSSIBLE: Final = -1
"""A choice that no model has."""


class GateReplay:
    """A gate that is replayed event by event.

    It is a gate of its own, which is asked what the recorded one was asked; what it writes has to
    be what was recorded. Under a policy of the caller's own, which no ledger holds, the recorded
    choices stand for it: whether to proceed, to abstain or to replan is the core's word all the
    same, and a choice that could not be paid is refused.

    Attributes:
        steps: the events so far.
    """

    def __init__(
        self,
        candidate: Candidate,
        budget: Number,
        policy: Policy | None,
        observation: ObservationModel,
    ) -> None:
        """Begin with a gate as it was opened; a policy of the caller's own is None.

        Raises:
            DoesNotFollow: no gate can be opened so.
        """
        self._candidate = candidate
        self._choice: str | None = None
        self._written: GateEvent | None = None
        self.steps: list[GateStep] = []
        chosen = self._recorded_choices if policy is None else policy
        try:
            self._gate = Gate(
                candidate, budget=budget, policy=chosen, observation=observation, journal=self
            )
        except InvalidInput as fault:
            raise DoesNotFollow(f"no gate can be opened so: {fault}") from None

    @property
    def remaining(self) -> Fraction:
        """What is left of the budget."""
        return self._gate.remaining

    @property
    def askable(self) -> tuple[str, ...]:
        """The verifiers that have a use left and can be paid."""
        return self._gate.askable

    def record(self, position: int, event: GateEvent) -> None:
        """Take what the replayed gate writes."""
        self._written = event

    def take(self, written: LedgerEntry, event: GateEvent) -> None:
        """Take an event.

        Raises:
            DoesNotFollow: it cannot come here, or something else follows.
        """
        try:
            follows = self._again(event)
        except InvalidInput as fault:
            raise DoesNotFollow(str(fault)) from None
        if follows is None or _unworded(follows) != _unworded(event):
            raise DoesNotFollow(_difference(event, follows))
        self.steps.append(GateStep(written, follows))

    def _again(self, event: GateEvent) -> GateEvent | None:
        self._written = None
        match event:
            case GateEntry(_, verifier, None, _):
                self._gate.fail(verifier)
            case GateEntry(_, verifier, bool(refutes), _):
                self._gate.observe(verifier, refutes)
            case Candidate():
                self._gate.replan(event)
                self._candidate = event
            case Decision():
                self._choice = event.verifier
                return self._barred(event, self._gate.decide())
        return self._written

    def _barred(self, recorded: Decision, follows: Decision) -> Decision:
        """Return what follows where a report was cut off, which no journal tells but the decision.

        It is Abstain, whatever follows otherwise.
        """
        verifiers = (verifier.identifier for verifier in self._candidate.verifiers)
        reasons = {f"a report of {name} was cut off: report it again" for name in verifiers}
        if recorded.kind is not DecisionKind.ABSTAIN or recorded.reason not in reasons:
            return follows
        return follows._replace(
            kind=DecisionKind.ABSTAIN,
            verifier=None,
            premise=None,
            reason=recorded.reason,
            admissible=False,
            stopping_value=exact(self._candidate.loss.abstain, "loss.abstain"),
        )

    def _recorded_choices(self, model: GateModel, budget: Fraction) -> Chooser:
        names = [verifier.name for verifier in model.verifiers]

        def choose(position: Position) -> int | None:
            if self._choice is None:
                return None
            return names.index(self._choice) if self._choice in names else _IMPOSSIBLE

        return choose


def _unworded(event: GateEvent) -> GateEvent:
    """Return an event without its reason, which is for people."""
    return event._replace(reason="") if isinstance(event, Decision) else event


def _difference(recorded: GateEvent, follows: GateEvent | None) -> str:
    """Return in which field what follows is not what was written, and both."""
    if type(recorded) is type(follows) and isinstance(recorded, Decision | GateEntry):
        for name in recorded._fields:
            found, expected = getattr(recorded, name), getattr(follows, name)
            if found != expected:
                what = f"the {'decision' if isinstance(recorded, Decision) else 'report'}'s {name}"
                return f"{what} is {_plain(expected)}, and {_plain(found)} was written"
    return "something else follows"


def _plain(value: object) -> str:
    return shown(str(getattr(value, "value", value)))
