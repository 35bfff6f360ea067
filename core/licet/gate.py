"""`Gate`: whether an action may commit on what is remembered (AMV, section 3.3, Algorithm 1)."""

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from threading import RLock
from typing import Final, NamedTuple

from icontract import ensure

from .beliefs import (
    GateModel,
    admissible,
    answer_probability,
    compile_candidate,
    expected_loss,
    harm_probability,
    violation_probability,
)
from .candidate import Candidate, ObservationModel
from .errors import InvalidInput
from .information import affordable, after_use, stopping
from .planner import Position, start, step
from .policies import Chooser, Policy, one_step_values, two_step_policy, two_step_values
from .rationals import Number, non_negative

# The paper clips calibrated probabilities before the gate reads them (appendix B.2).
CLIP: Final = (Fraction(1, 100), Fraction(99, 100))


class DecisionKind(Enum):
    """What the gate decides."""

    PROCEED = "proceed"
    VERIFY = "verify"
    ABSTAIN = "abstain"
    REPLAN = "replan"


class Evidence(NamedTuple):
    """What a verifier answered so far, and how often."""

    verifier: str
    supported: int
    refuted: int


class Decision(NamedTuple):
    """A decision of the gate, and why.

    Attributes:
        kind: proceed, verify, abstain or replan.
        verifier: for VERIFY, which one to ask next.
        premise: for REPLAN, the required premise whose violation reached the threshold.
        reason: in plain words.
        expected_loss: R(b) of Proceed.
        harm_probability: Pr(L > delta).
        stopping_value: V_stop(b).
        admissible: whether the screens admit Proceed.
        worth: for each verifier that can be asked and paid, its one-step value, Equation (4).
        two_step: the same by Equation (5), where no one-step value is positive.
        evidence: the answers that the belief rests on.
        budget: what is left.
    """

    kind: DecisionKind
    verifier: str | None
    premise: str | None
    reason: str
    expected_loss: Fraction
    harm_probability: Fraction
    stopping_value: Fraction
    admissible: bool
    worth: Mapping[str, Fraction]
    two_step: Mapping[str, Fraction]
    evidence: tuple[Evidence, ...]
    budget: Fraction


class Observed(Enum):
    """What became of a report.

    RECORDED: charged, and the belief updated. FAILED: charged, the verifier gave no answer.
    CONTRADICTION: charged; the belief excludes the answer, so the model is wrong. REFUSED: nothing
    was charged; the verifier has no use left, or costs more than is left.
    """

    RECORDED = "recorded"
    FAILED = "failed"
    CONTRADICTION = "contradiction"
    REFUSED = "refused"


class GateEntry(NamedTuple):
    """One line of a gate's history.

    Attributes:
        candidate: to which candidate it belongs, 0 for the first, one more after each replan.
        verifier: its name.
        refutes: its answer; None when it failed.
        observed: what became of it.
    """

    candidate: int
    verifier: str
    refutes: bool | None
    observed: Observed


@ensure(lambda result: result.kind is not DecisionKind.PROCEED or result.admissible)
@ensure(lambda result: (result.kind is DecisionKind.VERIFY) == (result.verifier is not None))
@ensure(lambda result: (result.kind is DecisionKind.REPLAN) == (result.premise is not None))
@ensure(lambda position, result: result.budget == position.budget)
def decide(model: GateModel, position: Position, choose: Chooser) -> Decision:
    """Return the gate's decision at a position; it changes nothing.

    After an observation, a required premise whose violation probability reaches rho asks for a new
    plan. Else the policy may choose a verifier; where it chooses none, Equation (2) decides.

    Raises:
        InvalidInput: the policy chooses what cannot be asked and paid.
    """
    premise = _invalidated(model, position)
    if premise is not None:
        reason = f"the required premise {premise} is too likely to be violated"
        return _decision(model, position, DecisionKind.REPLAN, reason, premise=premise)
    chosen = choose(position)
    if chosen is not None:
        if chosen not in affordable(model, position.uses, position.budget):
            raise InvalidInput("policy", "expected a verifier that can be asked and paid")
        name, reason = model.verifiers[chosen].name, "the policy finds it worth its price"
        return _decision(model, position, DecisionKind.VERIFY, reason, verifier=name)
    if stopping(model, position.belief).proceed:
        reason = "the screens admit it, and it costs no more than declining"
        return _decision(model, position, DecisionKind.PROCEED, reason)
    reason = (
        "proceeding costs more than declining, and the policy asks for no check"
        if admissible(model, position.belief)
        else "the screens do not admit proceeding, and the policy asks for no check"
    )
    return _decision(model, position, DecisionKind.ABSTAIN, reason)


def _invalidated(model: GateModel, position: Position) -> str | None:
    """Return the first required premise that the answers have invalidated, if any."""
    if model.invalidation is None or not _evidence(model, position):
        return None
    for index, premise in enumerate(model.candidate.premises):
        violated = violation_probability(model, position.belief, index)
        if premise.required and violated >= model.invalidation:
            return premise.identifier
    return None


def _evidence(model: GateModel, position: Position) -> tuple[Evidence, ...]:
    counted = zip(model.verifiers, position.counts, strict=True)
    return tuple(Evidence(q.name, *counts) for q, counts in counted if any(counts))


def _decision(
    model: GateModel,
    position: Position,
    kind: DecisionKind,
    reason: str,
    verifier: str | None = None,
    premise: str | None = None,
) -> Decision:
    belief = position.belief
    one = one_step_values(model, position)
    two = {} if any(value > 0 for value in one.values()) else two_step_values(model, position)
    return Decision(
        kind,
        verifier,
        premise,
        reason,
        expected_loss(model, belief),
        harm_probability(model, belief),
        stopping(model, belief).value,
        admissible(model, belief),
        {model.verifiers[q].name: value for q, value in one.items()},
        {model.verifiers[q].name: value for q, value in two.items()},
        _evidence(model, position),
        position.budget,
    )


class Gate:
    """One action before it commits: ask for a decision, report an observation, ask again.

    Every method may be called from several threads at once. A decision holds for the observations
    reported before it. Observations of one candidate do not carry over to the next; what was spent
    does.

    >>> from licet import Candidate, Claim, FailureMode, Gate, Loss, Premise, Verifier
    >>> gate = Gate(
    ...     Candidate(
    ...         "ship_order",
    ...         (Claim("address", 0.28),),
    ...         (Premise("deliverable", "address"),),
    ...         (FailureMode(("deliverable",), 10, "wrong_recipient"),),
    ...         (Verifier.symmetric("ask_user", 1, ("address",), 0.95),),
    ...         Loss(abstain=1, price=0.1),
    ...     ),
    ...     budget=4,
    ... )
    >>> decision = gate.decide()
    >>> decision.kind.value, decision.verifier
    ('verify', 'ask_user')
    >>> gate.observe("ask_user", refutes=False).value
    'recorded'
    >>> gate.decide().kind.value
    'proceed'
    """

    def __init__(
        self,
        candidate: Candidate,
        *,
        budget: Number,
        policy: Policy = two_step_policy,
        observation: ObservationModel = ObservationModel.EXACT,
    ) -> None:
        """Open a gate for a candidate.

        Args:
            candidate: the action with its claims, premises, failure modes, verifiers and losses.
                Error probabilities are clipped to [0.01, 0.99].
            budget: verification cost that may be spent, over all replans.
            policy: chooses queries; whether to proceed is decided by Equation (2) alone.
            observation: how answers are modelled.

        Raises:
            InvalidInput: the budget is no number of at least 0, or the candidate is too large for
                the belief or the policy.
        """
        self._lock = RLock()
        self._policy = policy
        self._observation = observation
        self._history: list[GateEntry] = []
        self._candidates = 0
        self._open(candidate, non_negative(budget, "budget"))

    def _open(self, candidate: Candidate, budget: Fraction) -> None:
        # Whatever refuses does so before anything changes.
        model = compile_candidate(candidate, self._observation, CLIP)
        choose = self._policy(model, budget)
        position = start(model, budget)
        self._model, self._choose, self._position = model, choose, position
        self._contradicted = False

    @ensure(lambda result: result.kind is not DecisionKind.PROCEED or result.admissible)
    def decide(self) -> Decision:
        """Return the decision as things stand.

        After an answer that the belief excludes it is Abstain, until there is a new candidate.
        """
        with self._lock:
            if not self._contradicted:
                return decide(self._model, self._position, self._choose)
            return _decision(
                self._model,
                self._position,
                DecisionKind.ABSTAIN,
                "an answer was impossible under the model, so its error rates are wrong",
            )

    @ensure(lambda self: self.remaining >= 0)
    def observe(self, verifier: str, refutes: bool) -> Observed:
        """Record what a verifier answered, and charge its cost.

        Raises:
            InvalidInput: no verifier has this name, or `refutes` is no truth value.
        """
        if not isinstance(refutes, bool):
            raise InvalidInput("refutes", f"expected a truth value, found {refutes!r}")
        return self._record(verifier, refutes)

    @ensure(lambda self: self.remaining >= 0)
    def fail(self, verifier: str) -> Observed:
        """Record that a verifier gave no answer: charged, one use gone, the belief as it was.

        Raises:
            InvalidInput: no verifier has this name.
        """
        return self._record(verifier, None)

    @ensure(lambda self: self.remaining >= 0)
    def replan(self, candidate: Candidate) -> None:
        """Take a new candidate for the same episode; what is left of the budget carries over.

        Raises:
            InvalidInput: as on opening; the earlier candidate then stays.
        """
        with self._lock:
            self._open(candidate, self._position.budget)
            self._candidates += 1

    @property
    def remaining(self) -> Fraction:
        """What is left of the budget; never negative."""
        return self._position.budget

    @property
    def history(self) -> tuple[GateEntry, ...]:
        """Every report, from the first; reported again to a new gate, it decides the same."""
        with self._lock:
            return tuple(self._history)

    def _record(self, verifier: str, refutes: bool | None) -> Observed:
        with self._lock:
            names = [q.name for q in self._model.verifiers]
            if verifier not in names:
                raise InvalidInput("verifier", f"no verifier is named {verifier!r}")
            observed = self._take(names.index(verifier), refutes)
            self._history.append(GateEntry(self._candidates, verifier, refutes, observed))
            return observed

    def _take(self, index: int, refutes: bool | None) -> Observed:
        model, position = self._model, self._position
        if index not in affordable(model, position.uses, position.budget):
            return Observed.REFUSED
        if refutes is not None and answer_probability(model, position.belief, index, refutes) > 0:
            self._position = step(model, position, index, refutes)
            return Observed.RECORDED
        self._position = position._replace(
            uses=after_use(position.uses, index),
            budget=position.budget - model.verifiers[index].cost,
        )
        if refutes is None:
            return Observed.FAILED
        self._contradicted = True
        return Observed.CONTRADICTION
