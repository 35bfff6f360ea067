"""Actions that licet decides on: what each needs, and the gate that it passes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from licet import Candidate, Decision, DecisionKind, Gate, InvalidInput, Number, Observed, Review
from licet.objects import identifier
from licet.rationals import exact, non_negative
from licet_bindings.agents.evidence import candidate_text, evidence_digest, program_digest
from licet_bindings.agents.grants import Binding, digest_of
from licet_bindings.gate.documents import CandidateDocument, default_budget
from licet_bindings.records.values import Json

_log: Final = logging.getLogger(__name__)

Arguments: TypeAlias = Mapping[str, Json]
"""What an action is called with, as JSON."""

CandidateOf: TypeAlias = Callable[[Arguments], Candidate]
"""Returns what the gate decides about, for an action with these arguments."""

Ask: TypeAlias = Callable[[str, Arguments], bool | None]
"""Asks a verifier about an action with these arguments: whether it refutes; None: no answer."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action of an agent that happens only if licet grants it.

    Attributes:
        name: the name of its tool.
        conclusions: what the review must have authorized before.
        candidate: what its gate decides about, made anew each time that the action is wanted: from
            the memory as it is then. Where it raises, the action is refused.
        ask: asks a verifier; what it raises, or answers that is no truth value, is no answer.
        budget: verification cost that all calls of the action may spend together; None takes what
            every use of every available verifier of the first candidate costs.
        approval: whether a person has to approve each call.
        repeatable: whether it may be done again with the same arguments.

    Raises:
        InvalidInput: it needs nothing, or a part is not what it should be.
    """

    name: str
    conclusions: tuple[str, ...] = ()
    candidate: CandidateOf | None = None
    ask: Ask | None = None
    budget: Number | None = None
    approval: bool = False
    repeatable: bool = False

    def __post_init__(self) -> None:
        """Refuse an action that would be granted without any condition."""
        identifier(self.name, "action.name")
        place = f"actions.{self.name}"
        if type(self.conclusions) is not tuple:
            raise InvalidInput(f"{place}.conclusions", "expected a tuple of conclusions")
        for conclusion in self.conclusions:
            identifier(conclusion, f"{place}.conclusions")
        if self.budget is not None:
            non_negative(self.budget, f"{place}.budget")
        for name in ("approval", "repeatable"):
            if type(getattr(self, name)) is not bool:
                raise InvalidInput(f"{place}.{name}", "expected a truth value")
        if not self.conclusions and self.candidate is None and not self.approval:
            raise InvalidInput(
                place, "expected conclusions, a candidate or approval; list it under `free` if none"
            )


class GatedAction:
    """The state of one action in a task: a gate for each set of arguments, and one budget.

    What a verifier answered about other arguments counts for nothing here. Not for several threads.
    """

    def __init__(self, action: Action, review: Review | None) -> None:
        """Take an action, and the review whose conclusions it needs.

        Raises:
            InvalidInput: it needs a conclusion that the review's program does not have.
        """
        self.action, self._review = action, review
        self._gates: dict[str, Gate] = {}
        self._budget = None if action.budget is None else exact(action.budget, "budget")
        known = () if review is None else review.commitment.compiled.conclusions
        for name in action.conclusions:
            if name not in known:
                place = f"actions.{action.name}.conclusions"
                raise InvalidInput(place, f"no conclusion of the review is named {name!r}")

    def refusal(self, arguments: Arguments) -> str | None:
        """Return why the action is refused now, or None; verifiers are asked where it pays."""
        missing = self.missing
        if missing or self.action.candidate is None:
            return missing
        decision = self._decided(self._gate(arguments, self.action.candidate), arguments)
        if decision.kind is DecisionKind.PROCEED and decision.admissible:
            return None
        return f"the gate says {decision.kind.value}: {decision.reason}"

    @property
    def missing(self) -> str | None:
        """Why the review does not allow the action, or None."""
        if self._review is None:
            return None
        authorized = self._review.authorized
        missing = [c for c in self.action.conclusions if c not in authorized]
        return f"not authorized by what was checked: {', '.join(missing)}" if missing else None

    def binding(self, arguments: Arguments, given: Json = None) -> Binding:
        """Return what a grant of the action is bound to now.

        Args:
            arguments: as they were validated.
            given: as they were given, where that is something else.
        """
        gate = self._gates.get(digest_of(dict(arguments)))
        return Binding(
            self.action.name,
            digest_of(dict(arguments), given),
            evidence_digest(self._review, gate),
            program_digest(self._review, gate),
        )

    def _gate(self, arguments: Arguments, candidate_of: CandidateOf) -> Gate:
        candidate, key = candidate_of(dict(arguments)), digest_of(dict(arguments))
        if type(candidate) is not Candidate:
            raise InvalidInput(f"actions.{self.action.name}.candidate", "expected a Candidate")
        gate = self._gates.get(key)
        if self._budget is None:
            self._budget = default_budget(CandidateDocument(self.action.name, candidate))
        if gate is None:
            gate = self._gates[key] = Gate(candidate, budget=self._left)
        elif candidate_text(candidate) != candidate_text(gate.candidates[-1]):
            gate.replan(candidate)
        return gate

    @property
    def _left(self) -> Fraction:
        return (self._budget or Fraction(0)) - sum(map(_paid, self._gates.values()))

    def _decided(self, gate: Gate, arguments: Arguments) -> Decision:
        """Return the gate's decision after asking what it asks for, while that can be paid."""
        decision = gate.decide()
        while decision.kind is DecisionKind.VERIFY and decision.verifier is not None:
            cost = _cost(decision.candidate, decision.verifier)
            if self.action.ask is None or cost > self._left:
                return decision
            refutes = _asked(self.action.ask, decision.verifier, arguments)
            if refutes is None:
                observed = gate.fail(decision.verifier)
            else:
                observed = gate.observe(decision.verifier, refutes)
            if observed is Observed.REFUSED:
                return decision
            decision = gate.decide()
        return decision


def _asked(ask: Ask, verifier: str, arguments: Arguments) -> bool | None:
    try:
        refutes = ask(verifier, dict(arguments))
    except Exception:
        _log.warning("verifier %s", verifier, exc_info=True)
        return None
    return refutes if type(refutes) is bool else None


def _paid(gate: Gate) -> Fraction:
    """Return what a gate's reports have cost."""
    return sum(
        (
            _cost(gate.candidates[entry.candidate], entry.verifier)
            for entry in gate.history
            if entry.observed is not Observed.REFUSED
        ),
        Fraction(0),
    )


def _cost(candidate: Candidate, verifier: str) -> Fraction:
    return next(exact(q.cost, "cost") for q in candidate.verifiers if q.identifier == verifier)
