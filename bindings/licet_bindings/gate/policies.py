"""Policies by name: those of the kernel, the paper's adapted baselines, and how each one ends.

A policy chooses checks; it is opened for a model and a budget (`licet.policies.Policy`). Where it
chooses none, Equation (2) decides, screens included. Two baselines do not let it: `always-proceed`
executes whatever the screens say, and `never` always abstains. They exist for evaluation.

The paper lists the exact inputs of its adapted baselines in an appendix D that is not available.
What is done here instead is said where it is done.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from licet import InvalidInput, Number
from licet.beliefs import Belief, GateModel, answer_probability, error_probability, update
from licet.information import affordable, price_of
from licet.planner import Position
from licet.policies import (
    Chooser,
    Policy,
    always_verify_policy,
    greedy_policy,
    static_policy,
    stop_policy,
    two_step_policy,
)
from licet.rationals import non_negative, probability
from licet_kernels.gate.planning import exact_policy

DEFAULT_THRESHOLD: Final = Fraction(1, 20)
"""The score from which `environment_probing` asks; scores lie between 0 and 1."""


class Ending(Enum):
    """What decides where a policy asks for no more checks.

    EQUATION_2: the kernel, by Equation (2) and the screens. PROCEED: nothing, the action is
    executed. ABSTAIN: nothing, the action is abstained from.
    """

    EQUATION_2 = "equation 2"
    PROCEED = "proceed"
    ABSTAIN = "abstain"


class NamedPolicy(NamedTuple):
    """A policy as the command line and the benchmarks name it.

    Attributes:
        name: its name.
        policy: what chooses checks, for a `Gate`; of a baseline that overrides the gate it is
            refused there, for a `Gate` would end it by Equation (2) all the same.
        ending: what decides in the end.
        says: in a few words what it does.
    """

    name: str
    policy: Policy
    ending: Ending
    says: str

    @property
    def checks(self) -> Policy:
        """What chooses checks, for who looks at `ending` afterwards, as `decide_candidate` does."""
        return self.policy if self.ending is Ending.EQUATION_2 else stop_policy


def environment_probing(
    threshold: Number = DEFAULT_THRESHOLD, staleness: Mapping[str, Number] | None = None
) -> Policy:
    """Return the adapted environment-probing baseline: ask about the claim of the highest score.

    A claim's score is task criticality x staleness x uncertainty x dependency role, each from 0
    to 1; no loss enters it, so it is the same whatever is at stake. The claim of the highest score
    is asked about if that reaches the threshold, by the cheapest verifier that covers it; of equals
    the first listed.

    Adapted, for the paper's inputs are not available: criticality is 1 for a claim under a required
    premise, 1/2 under another, 0 under none; staleness is the probability with which the claim was
    taken to be wrong before any answer, which is where a calibrated model puts age, and 0 once a
    verifier that covers it has answered; uncertainty is the entropy of its present error
    probability, in bits; the role is 1 where some failure mode needs no premise but those of this
    claim, 1/2 where it fails only together with others, 0 in no failure mode. The paper sweeps
    thresholds from 0.5 to 2.5 on a scale of its own.

    Args:
        threshold: the least score that is asked about.
        staleness: for each claim by name a number from 0 to 1 in place of its error probability,
            from whoever knows when it was written; a claim left out is not stale.

    Raises:
        InvalidInput: the threshold is negative, or a staleness is outside [0, 1].

    Source: AMV, sections 5.1 and 6; Song and Cai (2026).
    """
    least = non_negative(threshold, "threshold")
    ages = None
    if staleness is not None:
        ages = {name: probability(v, f"staleness.{name}") for name, v in staleness.items()}

    def open_policy(model: GateModel, budget: Fraction) -> Chooser:
        return partial(_probe, model, _weights(model, ages), least)

    return open_policy


def _weights(model: GateModel, ages: Mapping[str, Fraction] | None) -> tuple[Fraction, ...]:
    """Return criticality x staleness x role of each claim, before any answer."""
    weights = []
    for index, claim in enumerate(model.candidate.claims):
        criticality = max(
            (
                Fraction(1) if premise.required else Fraction(1, 2)
                for premise in model.candidate.premises
                if premise.claim == claim.identifier
            ),
            default=Fraction(0),
        )
        stale = model.errors[index] if ages is None else ages.get(claim.identifier, Fraction(0))
        weights.append(criticality * stale * _role(model, 1 << index))
    return tuple(weights)


def _role(model: GateModel, claim: int) -> Fraction:
    needed = [wrong | right for modes in model.groups for wrong, right, _ in modes]
    if claim in needed:
        return Fraction(1)
    return Fraction(1, 2) if any(mask & claim for mask in needed) else Fraction(0)


def _probe(
    model: GateModel, weights: tuple[Fraction, ...], least: Fraction, position: Position
) -> int | None:
    asked = 0
    for verifier, counts in zip(model.verifiers, position.counts, strict=True):
        asked |= verifier.covers if any(counts) else 0
    best: tuple[float, int | None] = (0.0, None)
    for claim, weight in enumerate(weights):
        cheapest = _cheapest(model, position, claim)
        if asked >> claim & 1 or cheapest is None:
            continue
        score = float(weight) * _entropy(float(error_probability(model, position.belief, claim)))
        if score >= least and score > best[0]:
            best = (score, cheapest)
    return best[1]


def _cheapest(model: GateModel, position: Position, claim: int) -> int | None:
    covering = [
        verifier
        for verifier in affordable(model, position.uses, position.budget)
        if model.verifiers[verifier].covers >> claim & 1
    ]
    return min(covering, key=lambda verifier: model.verifiers[verifier].cost, default=None)


def _entropy(chance: float) -> float:
    """Return the entropy of a yes/no variable in bits."""
    return -sum(p * math.log2(p) for p in (chance, 1 - chance) if p > 0)


def cost_aware_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Open the adapted cost-aware baseline: one-step value of information without consequences.

    It weighs a check against its price as Equation (4) does, but by what it tells about the
    action's premises, not by what the action would cost: an error is worth 1 whatever is at stake.
    The value of a check is how much it lowers the probability that the better guess (that all
    premises under a failure mode hold, or that one is violated) is wrong, less lambda times its
    cost. The check of the greatest positive value is asked, of equals the first listed.

    Adapted, for the paper's inputs are not available: impacts, loss groups, the loss of abstaining
    and the screens enter nowhere; beliefs, costs and error rates are the gate's own.

    Source: AMV, sections 5.1 and 6; Ding et al. (2026).
    """
    return partial(_cost_aware, model)


def _cost_aware(model: GateModel, position: Position) -> int | None:
    values = {
        verifier: _guess_value(model, position.belief, verifier)
        for verifier in affordable(model, position.uses, position.budget)
    }
    best = max(values, key=lambda verifier: values[verifier], default=None)
    return best if best is not None and values[best] > 0 else None


def _guess_value(model: GateModel, belief: Belief, verifier: int) -> Fraction:
    expected = Fraction(0)
    for refutes in (False, True):
        chance = answer_probability(model, belief, verifier, refutes)
        if chance > 0:
            expected += chance * _wrong_guess(model, update(model, belief, verifier, refutes))
    return _wrong_guess(model, belief) - expected - price_of(model, verifier)


def _wrong_guess(model: GateModel, belief: Belief) -> Fraction:
    """Return the probability that the better guess about the action's premises is wrong."""
    must_be_right, must_be_wrong = _polarities(model)
    weights = [
        weight for wrong, weight in belief.states if wrong & must_be_right or ~wrong & must_be_wrong
    ]
    violated = Fraction(sum(weights), belief.total)
    return min(violated, 1 - violated)


def _polarities(model: GateModel) -> tuple[int, int]:
    """Return the claims that must be right, and those that must be wrong, for premises to hold."""
    modes = [mode for group in model.groups for mode in group]
    right = wrong = 0
    for violated_when_wrong, violated_when_right, _ in modes:
        right |= violated_when_wrong
        wrong |= violated_when_right
    return right, wrong


def _overriding(name: str) -> Policy:
    """Return what refuses to be opened, for a baseline that does not end by Equation (2)."""

    def refuse(model: GateModel, budget: Fraction) -> Chooser:
        raise InvalidInput(
            "policy",
            f"{name} overrides the gate, and a Gate decides by Equation (2) alone: take"
            " decide_candidate (or `licet gate --policy`) for it, or the policy stop",
        )

    return refuse


def _named() -> Iterator[NamedPolicy]:
    kernel = Ending.EQUATION_2
    yield NamedPolicy("exact", exact_policy, kernel, "the exact plan, Equation (3)")
    yield NamedPolicy(
        "two-step", two_step_policy, kernel, "one step ahead, two where one is not worth it"
    )
    yield NamedPolicy("greedy", greedy_policy, kernel, "one step ahead")
    yield NamedPolicy("static", static_policy, kernel, "the best fixed set of checks")
    yield NamedPolicy("always-verify", always_verify_policy, kernel, "every check that can be paid")
    yield NamedPolicy(
        "always-proceed",
        _overriding("always-proceed"),
        Ending.PROCEED,
        "executes whatever the screens say",
    )
    yield NamedPolicy("never", _overriding("never"), Ending.ABSTAIN, "always abstains")
    yield NamedPolicy("stop", stop_policy, kernel, "decides at once, without a check")
    yield NamedPolicy(
        "environment-probing",
        environment_probing(),
        kernel,
        "probes what looks doubtful, whatever is at stake",
    )
    yield NamedPolicy(
        "cost-aware",
        cost_aware_policy,
        kernel,
        "weighs information against its price, whatever is at stake",
    )


GATE_POLICIES: Final = MappingProxyType({policy.name: policy for policy in _named()})
"""The policies by name."""

DEFAULT_POLICY: Final = "two-step"


def gate_policy(name: str) -> NamedPolicy:
    """Return the policy of this name.

    Raises:
        InvalidInput: there is none; the message names those that there are.
    """
    if name not in GATE_POLICIES:
        raise InvalidInput("policy", f"expected one of {', '.join(GATE_POLICIES)}, found {name!r}")
    return GATE_POLICIES[name]
