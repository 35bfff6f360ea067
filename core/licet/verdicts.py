"""The gate's decision at a position, and why (AMV, section 3.3, Algorithm 1)."""

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from icontract import ensure

from .beliefs import (
    Belief,
    GateModel,
    admissible,
    expected_loss,
    harm_probability,
    violation_probability,
)
from .candidate import Candidate
from .errors import InvalidInput
from .information import affordable, stopping
from .planner import Position
from .policies import PAIR_LIMIT, Chooser, one_step_values, pair_size, two_step_values


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
        candidate: the action that is decided on.
        verifier: for VERIFY, which one to ask next.
        premise: for REPLAN, the required premise whose violation reached the threshold.
        reason: in plain words.
        expected_loss: R(b) of Proceed.
        harm_probability: Pr(L > delta).
        stopping_value: V_stop(b); kappa where something else bars Proceed.
        admissible: whether Proceed is admitted: by the screens, and by nothing else that bars it.
        worth: for each verifier that can be asked and paid, its one-step value, Equation (4).
        two_step: the same by Equation (5), where no one-step value is positive and the model is not
            too large for it.
        evidence: the answers that the belief rests on.
        budget: what is left.
    """

    kind: DecisionKind
    candidate: Candidate
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
    premise = invalidated(model, position)
    if premise is not None:
        return rejection(model, position, premise)
    chosen, askable = choose(position), affordable(model, position.uses, position.budget)
    if chosen is not None:
        if type(chosen) is not int or chosen not in askable:
            raise InvalidInput("policy", "expected a verifier that can be asked and paid")
        name, reason = model.verifiers[chosen].name, "the policy asks for this check"
        return _decision(model, position, DecisionKind.VERIFY, reason, verifier=name)
    if stopping(model, position.belief).proceed:
        reason = "the screens admit it, and it costs no more than abstaining"
        return _decision(model, position, DecisionKind.PROCEED, reason)
    admitted = admissible(model, position.belief)
    reason = (
        (
            "proceeding costs more than abstaining"
            if admitted
            else "the screens do not admit proceeding"
        )
        + ", and "
        + ("the policy asks for no check" if askable else "no check can be asked and paid")
    )
    return _decision(model, position, DecisionKind.ABSTAIN, reason)


def rejection(model: GateModel, position: Position, premise: str) -> Decision:
    """Return ReplanRequired for a required premise that the answers have invalidated."""
    reason = f"the required premise {premise} is too likely to be violated"
    return _decision(model, position, DecisionKind.REPLAN, reason, premise=premise)


@ensure(lambda result: result.kind is DecisionKind.ABSTAIN and not result.admissible)
def barred(model: GateModel, position: Position, reason: str) -> Decision:
    """Return Abstain where something else than the screens bars Proceed."""
    decision = _decision(model, position, DecisionKind.ABSTAIN, reason)
    return decision._replace(admissible=False, stopping_value=model.abstain)


def invalidated(model: GateModel, position: Position) -> str | None:
    """Return the first required premise that the answers have invalidated, if any."""
    return violated_premise(model, position.belief) if _evidence(model, position) else None


def violated_premise(model: GateModel, belief: Belief) -> str | None:
    """Return the first required premise whose violation probability reaches rho, if any."""
    if model.invalidation is None:
        return None
    for index, premise in enumerate(model.candidate.premises):
        violated = violation_probability(model, belief, index)
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
    belief, one = position.belief, one_step_values(model, position)
    none_pays = all(value <= 0 for value in one.values())
    two = two_step_values(model, position) if none_pays and pair_size(model) <= PAIR_LIMIT else {}
    return Decision(
        kind,
        model.candidate,
        verifier,
        premise,
        reason,
        expected_loss(model, belief),
        harm_probability(model, belief),
        stopping(model, belief).value,
        admissible(model, belief),
        MappingProxyType({model.verifiers[q].name: value for q, value in one.items()}),
        MappingProxyType({model.verifiers[q].name: value for q, value in two.items()}),
        _evidence(model, position),
        position.budget,
    )
