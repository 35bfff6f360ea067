"""A gate and a second bookkeeper of its episode, told the same, step by step."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final
from unittest.mock import patch

from licet import Candidate, Decision, Gate, InvalidInput
from licet import gate as gate_module
from licet.beliefs import GateModel
from licet.planner import Position
from licet.policies import Chooser, Policy, greedy_policy, stop_policy, two_step_policy

from .bookkeeper import GREEDY, STOP, TWO_STEP, Books, Expected, KeptInPart
from .expect import PropertyFalls, expect

CHOOSERS: Final[dict[str, Policy]] = {
    STOP: stop_policy,
    GREEDY: greedy_policy,
    TWO_STEP: two_step_policy,
}
IN_A_REPORT: Final = (
    *("affordable", "answer_probability", "step", "update", "after_use", "expected_loss"),
    *("harm_probability", "violated_premise", "invalidated", "GateEntry"),
)
"""What a gate calls while it takes a report, where an interrupt may hit; some reports miss some."""
IN_A_REPLAN: Final = ("compile_candidate", "still_meant", "with_verifier", "start", "update")
IN_A_DECISION: Final = ("decide", "barred", "rejection", "stopping")


class Interrupt(BaseException):
    """What a caller's clock or keyboard raises, at any moment."""


def interrupt(*_: object, **__: object) -> None:
    """Raise it."""
    raise Interrupt


class Meddler:
    """A policy that chooses as another does; while it `meddles`, it asks its own gate first."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.gate: Gate | None = None
        self.meddles = self.lets_out = False
        self.let_through: list[str] = []

    def __call__(self, model: GateModel, budget: Fraction) -> Chooser:
        """Open the policy for a candidate."""
        self._meddle(model.candidate)
        chooser = self.policy(model, budget)

        def choose(position: Position) -> int | None:
            self._meddle(model.candidate)
            return chooser(position)

        return choose

    def _meddle(self, candidate: Candidate) -> None:
        gate = self.gate
        if gate is None or not self.meddles:
            return
        calls: list[tuple[str, Callable[[], object]]] = [
            ("decide", gate.decide),
            ("replan", lambda: gate.replan(candidate)),
        ]
        for verifier in candidate.verifiers:
            name = verifier.identifier
            calls.append(("observe", lambda name=name: gate.observe(name, False)))  # type: ignore[misc]
            calls.append(("fail", lambda name=name: gate.fail(name)))  # type: ignore[misc]
        self.meddles = False
        try:
            for what, call in calls:
                self._ask(what, call)
        finally:
            self.meddles = True

    def _ask(self, what: str, call: Callable[[], object]) -> None:
        try:
            call()
        except InvalidInput:
            if self.lets_out:
                raise
        else:
            self.let_through.append(what)


class Session:
    """A gate and the books of it, told the same; after each step they must agree."""

    def __init__(self, candidate: Candidate, budget: Fraction, policy: str = STOP) -> None:
        self.policy, self.meddler = policy, Meddler(CHOOSERS[policy])
        self.gate = Gate(candidate, budget=budget, policy=self.meddler)
        self.meddler.gate = self.gate
        self.books = Books(budget, [candidate])
        self.agree()

    def report(self, name: str, refutes: bool | None, interrupted: str = "") -> None:
        """Report an answer, or a failed call; an interrupt may cut it off."""
        known = name in {q.identifier for q in self.books.candidate.verifiers}
        found = self._tried(
            lambda: self.gate.fail(name) if refutes is None else self.gate.observe(name, refutes),
            interrupted,
        )
        if found is Interrupt:
            self.books.interrupted(name, refutes)
        elif known:
            expected = self.books.report(name, refutes)
            expect(found is expected, name, refutes, "became", found, "not", expected)
        else:
            expect(found is InvalidInput, name, "reports, though no verifier has this name")
        self.agree()

    def garble(self, name: str) -> None:
        """Report what is no truth value."""
        answer: Any = 1
        found = self._tried(lambda: self.gate.observe(name, answer))
        expect(found is InvalidInput, "what is no truth value became", found)
        self.agree()

    def replan(self, candidate: Candidate, interrupted: str = "") -> None:
        """Take a new candidate; an interrupt may keep it out."""
        found = self._tried(lambda: self.gate.replan(candidate), interrupted)
        if found is not Interrupt:
            try:
                self.books.replan(candidate)
            except KeptInPart as refused:
                expect(found is InvalidInput, "a new plan keeps in part", refused)
            else:
                expect(found is None, "a new plan is refused:", candidate)
        self.agree()

    def interrupt_a_decision(self, where: str) -> None:
        """Let an interrupt hit a decision; it must change nothing."""
        self._tried(self.gate.decide, where)
        self.agree()

    def meddle(self, lets_out: bool) -> None:
        """Let the policy ask its own gate, while it decides and opens a new plan."""
        self.meddler.meddles, self.meddler.lets_out = True, lets_out
        if lets_out:
            before = self.gate.history, self.gate.candidates, self.gate.remaining
            self._tried(self.gate.decide)
            self._tried(lambda: self.gate.replan(self.books.candidate))
            after = self.gate.history, self.gate.candidates, self.gate.remaining
            expect(before == after, "a policy that fails has changed something:", after)
        else:
            self.replan(self.books.candidate)
        self.meddler.meddles = False
        expect(not self.meddler.let_through, "its own policy is let in:", self.meddler.let_through)
        self.agree()

    def _tried(self, call: Callable[[], object], interrupted: str = "") -> object:
        """Return what a call returns, or the kind of what it raises, which must be one of two."""
        try:
            if not interrupted:
                return call()
            with patch.object(gate_module, interrupted, interrupt):
                return call()
        except (InvalidInput, Interrupt) as raised:
            return type(raised)
        except PropertyFalls:
            raise
        except Exception as error:
            raise PropertyFalls(f"it fails with {type(error).__name__}: {error}") from error

    def agree(self) -> None:
        """Compare all that the gate says with the books."""
        gate, books = self.gate, self.books
        expect(gate.remaining == books.left, "left", gate.remaining, "not", books.left)
        expect(gate.candidates == tuple(books.candidates), "it has other candidates")
        found = [(gate.candidates[e.candidate], *e[1:]) for e in gate.history]
        told = [(r.candidate, r.verifier.identifier, *r[2:]) for r in books.reports]
        expect(found == told, "its history is", found, "not", told)
        decision = self._tried(gate.decide)
        if not isinstance(decision, Decision):
            raise PropertyFalls("it refuses to decide")
        seen, expected = self._said(decision), books.decision(self.policy)
        for name, value in expected._asdict().items():
            expect(getattr(seen, name) == value, name, "is", getattr(seen, name), "not", value)

    def _said(self, decision: Decision) -> Expected:
        says = {name: getattr(decision, name) for name in Expected._fields}
        says["worth"] = dict(decision.worth)
        says["evidence"] = sorted(tuple(each) for each in decision.evidence)
        return Expected(**says)
