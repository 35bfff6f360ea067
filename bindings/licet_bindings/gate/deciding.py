"""The gate on a candidate document: a decision, and what each check could still change about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from licet import (
    Candidate,
    Decision,
    DecisionKind,
    Gate,
    GateEntry,
    InvalidInput,
    ObservationModel,
    Observed,
)
from licet.beliefs import (
    GateModel,
    answer_probability,
    compile_candidate,
    error_probability,
    expected_loss,
    harm_probability,
    violation_probability,
)
from licet.information import affordable, after_use, stopping
from licet.memories import CLIP
from licet.planner import Position, start, step
from licet.rationals import exact
from licet.renderer import number
from licet.verdicts import invalidated
from licet_bindings.errors import expected_one_of
from licet_bindings.gate.documents import CandidateDocument, default_budget
from licet_bindings.gate.policies import DEFAULT_POLICY, Ending, NamedPolicy, gate_policy
from licet_bindings.gate.reasons import WORDS, contradicting, ended


class Observation(NamedTuple):
    """What a verifier answered: that it refutes (True), supports (False), or nothing (None)."""

    verifier: str
    refutes: bool | None


class Outlook(NamedTuple):
    """How things would stand after one answer, without a further check.

    Attributes:
        probability: of the answer.
        decision: proceed, abstain or replan.
        stopping_value: V_stop then: the loss of proceeding or of abstaining, whichever it is.
        expected_loss: of proceeding then.
        harm_probability: of proceeding then.
    """

    probability: Fraction
    decision: DecisionKind
    stopping_value: Fraction
    expected_loss: Fraction
    harm_probability: Fraction


class Prospect(NamedTuple):
    """What a verifier that can be asked and paid may answer; None for an impossible answer."""

    verifier: str
    support: Outlook | None
    refute: Outlook | None


class Believed(NamedTuple):
    """What is believed of a claim or a premise.

    Attributes:
        name: its name.
        now: the probability that the claim is wrong, or the premise violated, after the answers.
        before: the same before any answer.
    """

    name: str
    now: Fraction
    before: Fraction


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision on a candidate document, and what it rests on.

    Attributes:
        document: the candidate.
        policy: the policy that chose checks.
        kind: what is decided; another than the kernel's only for a baseline that overrides it.
        reason: in plain words.
        kernel: the kernel's own decision; it is never Proceed where the screens do not admit it.
        prospects: for each verifier that can be asked and paid, what it could change.
        uses_left: for each verifier how often it may still be asked; 0 when it is not available.
        spent: verification cost so far.
        history: every answer, in order.
        claims: what is believed of each.
        premises: what is believed of each.
        model: how answers are modelled.
    """

    document: CandidateDocument
    policy: NamedPolicy
    kind: DecisionKind
    reason: str
    kernel: Decision
    prospects: tuple[Prospect, ...]
    uses_left: Mapping[str, int]
    spent: Fraction
    history: tuple[GateEntry, ...]
    claims: tuple[Believed, ...]
    premises: tuple[Believed, ...]
    model: ObservationModel

    @property
    def baseline(self) -> bool:
        """Whether the policy ends without Equation (2): for evaluation, not for use."""
        return self.policy.ending is not Ending.EQUATION_2


def decide_candidate(
    document: CandidateDocument,
    *,
    policy: str = DEFAULT_POLICY,
    budget: Fraction | None = None,
    observations: Iterable[Observation] = (),
    model: ObservationModel = ObservationModel.EXACT,
) -> Decided:
    """Return what the gate decides on a candidate after some observations.

    Args:
        document: the candidate.
        policy: the name of the policy that chooses checks.
        budget: verification cost from the beginning; None for the document's.
        observations: what verifiers answered so far, in order.
        model: how the answer of a verifier that covers several claims is modelled.

    Raises:
        InvalidInput: there is no such policy or verifier, the candidate is too large for the
            policy, or an observation could not have been paid.
    """
    named = gate_policy(policy)
    limit = default_budget(document) if budget is None else budget
    gate = Gate(document.candidate, budget=limit, policy=named.checks, observation=model)
    for observation in observations:
        _observe(gate, document.candidate, observation)
    kernel, history = gate.decide(), gate.history
    compiled = compile_candidate(document.candidate, model, CLIP)
    position = _position(compiled, limit, history)
    premises = tuple(_premises(compiled, position, start(compiled, limit)))
    violated = {premise.name: premise.now for premise in premises}.get(kernel.premise or "")
    final = kernel.kind is DecisionKind.REPLAN or contradicting(history) is not None
    kind, reason = ended(named, document.candidate, kernel, history, violated)
    return Decided(
        document,
        named,
        kind,
        reason,
        kernel,
        # What is rejected or contradicted stays so, whatever is answered.
        () if final else tuple(_prospects(compiled, position)),
        MappingProxyType(
            {q.name: left for q, left in zip(compiled.verifiers, position.uses, strict=True)}
        ),
        limit - gate.remaining,
        history,
        tuple(_claims(compiled, position, start(compiled, limit))),
        premises,
        model,
    )


def _observe(gate: Gate, candidate: Candidate, observation: Observation) -> None:
    name, refutes = observation
    names = [verifier.identifier for verifier in candidate.verifiers]
    if name not in names:
        raise InvalidInput(
            "observe", f"no verifier is named {name!r}; {expected_one_of(name, names)}"
        )
    observed = gate.fail(name) if refutes is None else gate.observe(name, refutes)
    if observed is Observed.REFUSED:
        raise InvalidInput(
            "observe",
            f"answer {len(gate.history)}, {name}={WORDS[refutes]}, cannot have been given:"
            f" {_why_refused(gate, candidate, name)}",
        )


def _why_refused(gate: Gate, candidate: Candidate, name: str) -> str:
    verifier = next(q for q in candidate.verifiers if q.identifier == name)
    if not verifier.available:
        return "it is not available"
    taken = [entry for entry in gate.history if entry.observed is not Observed.REFUSED]
    if sum(entry.verifier == name for entry in taken) == verifier.uses:
        return f"it has no use left of {verifier.uses}"
    cost = exact(verifier.cost, "cost")
    return f"it costs {number(cost)}, and {number(gate.remaining)} is left of the budget"


def _claims(model: GateModel, position: Position, first: Position) -> Iterator[Believed]:
    for index, claim in enumerate(model.candidate.claims):
        now, before = (error_probability(model, at.belief, index) for at in (position, first))
        yield Believed(claim.identifier, now, before)


def _premises(model: GateModel, position: Position, first: Position) -> Iterator[Believed]:
    for index, premise in enumerate(model.candidate.premises):
        now, before = (violation_probability(model, at.belief, index) for at in (position, first))
        yield Believed(premise.identifier, now, before)


def _position(model: GateModel, budget: Fraction, history: Iterable[GateEntry]) -> Position:
    position = start(model, budget)
    names = [verifier.name for verifier in model.verifiers]
    for entry in history:
        index = names.index(entry.verifier)
        if entry.observed is Observed.RECORDED and entry.refutes is not None:
            position = step(model, position, index, entry.refutes)
        else:
            position = position._replace(
                uses=after_use(position.uses, index),
                budget=position.budget - model.verifiers[index].cost,
            )
    return position


def _prospects(model: GateModel, position: Position) -> Iterator[Prospect]:
    for verifier in affordable(model, position.uses, position.budget):
        yield Prospect(
            model.verifiers[verifier].name,
            _outlook(model, position, verifier, refutes=False),
            _outlook(model, position, verifier, refutes=True),
        )


def _outlook(model: GateModel, position: Position, verifier: int, refutes: bool) -> Outlook | None:
    chance = answer_probability(model, position.belief, verifier, refutes)
    if chance == 0:
        return None
    then = step(model, position, verifier, refutes)
    stop = stopping(model, then.belief)
    kind = DecisionKind.PROCEED if stop.proceed else DecisionKind.ABSTAIN
    if invalidated(model, then) is not None:
        kind = DecisionKind.REPLAN
    loss, harm = expected_loss(model, then.belief), harm_probability(model, then.belief)
    return Outlook(chance, kind, stop.value, loss, harm)
