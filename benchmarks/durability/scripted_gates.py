"""Gates that are settled by a seed: a candidate, and what is asked and answered."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final, Protocol

from licet import Candidate, Decision, DecisionKind, Gate, GateEntry, GateEvent, Observed
from licet_bindings.durable.event_json import gate_event_bytes, gate_event_of

from ..interventions.profiles import BUDGET, pair, profile, scaled, with_reliability
from .scripted_reviews import Begin, Cut, Ended

LONGEST: Final = 12
"""Events after which the agent takes the decision that there is."""


class OpenGate(Protocol):
    """What a script asks: `DurableGate`, and a gate that is kept nowhere."""

    def decide(self) -> Decision: ...

    def verify(self, verifier: str, refutes: "Asked") -> Observed: ...

    def observe(self, verifier: str, refutes: bool) -> Observed: ...

    def replan(self, candidate: Candidate) -> None: ...

    @property
    def history(self) -> tuple[GateEntry, ...]: ...


class Asked(Protocol):
    """Asks a verifier."""

    def __call__(self) -> bool: ...


class GateScript:
    """The gate of this number."""

    def __init__(self, seed: int, number: int) -> None:
        """Draw the candidate and the settings."""
        self._seed = f"{seed} {number}"
        random = Random(self._seed)
        self.name = f"gate-{number}"
        drawn = pair(random).high_risk if random.random() < 0.5 else profile(random).candidate
        self.candidate = scaled(with_reliability(drawn, Fraction(95, 100)), Fraction(1))
        self.budget = BUDGET

    def is_over(self, tape: Sequence[bytes]) -> bool:
        """Return whether the last decision ends the gate."""
        last = _last(tape)
        if not isinstance(last, Decision):
            return False
        if last.kind is DecisionKind.VERIFY:
            return len(tape) >= LONGEST
        return not self._replans(tape)

    def step(self, gate: OpenGate, begin: Begin, tape: Sequence[bytes]) -> GateEvent:
        """Do what comes after so many events, and return what the gate answers."""
        position, last = len(tape), _last(tape)
        if not isinstance(last, Decision):
            return gate.decide()
        if last.kind is not DecisionKind.VERIFY or last.verifier is None:
            replanned = self._replanned()
            gate.replan(replanned)
            return replanned
        random = Random(f"{self._seed} step {position}")
        if random.random() < 0.2:
            gate.observe(last.verifier, random.random() < 0.3)
        else:
            gate.verify(last.verifier, lambda: self._answer(begin, position))
        return gate.history[-1]

    def uninterrupted(self, cuts: Collection[int]) -> Ended:
        """Return how the gate ends without a ledger, if the calls at these positions fail."""
        tape: list[bytes] = []

        def begin(position: int) -> None:
            if position in cuts:
                raise Cut

        gate = _Unkept(self.candidate, self.budget, tape)
        while not self.is_over(tape):
            self.step(gate, begin, tape)
        return Ended(tuple(tape), None)

    def _answer(self, begin: Begin, position: int) -> bool:
        begin(position)
        random = Random(f"{self._seed} call {position}")
        if random.random() < 0.1:
            raise RuntimeError("no answer")
        return random.random() < 0.3

    def _replans(self, tape: Sequence[bytes]) -> bool:
        """Return whether the agent looks for another way after a decision; once, if at all."""
        has_replanned = any(isinstance(gate_event_of(body), Candidate) for body in tape)
        return Random(f"{self._seed} replan").random() < 0.4 and not has_replanned

    def _replanned(self) -> Candidate:
        return replace(scaled(self.candidate, Fraction(1, 3)), action="another")


class _Unkept:
    """A gate with a verifier's run, and its events as a ledger writes them; it is kept nowhere."""

    def __init__(self, candidate: Candidate, budget: int, tape: list[bytes]) -> None:
        self._tape = tape
        self._gate = Gate(candidate, budget=budget, journal=self)
        self.decide, self.observe = self._gate.decide, self._gate.observe
        self.replan = self._gate.replan

    def record(self, position: int, event: GateEvent) -> None:
        self._tape.append(gate_event_bytes(event))

    def verify(self, verifier: str, refutes: Asked) -> Observed:
        if verifier not in self._gate.askable:
            return self._gate.fail(verifier)
        try:
            answer = refutes()
        except Exception:
            return self._gate.fail(verifier)
        return self._gate.observe(verifier, answer)

    @property
    def history(self) -> tuple[GateEntry, ...]:
        return self._gate.history


def _last(tape: Sequence[bytes]) -> GateEvent | None:
    return gate_event_of(tape[-1]) if tape else None
