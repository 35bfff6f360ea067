"""What a policy's decisions are worth on a candidate, counted over hidden states.

Everything is added up from the definitions, hidden state by hidden state in whole numbers, and
nothing of the kernel's beliefs is used: so a value of the kernel can be checked against it, and
decisions that were made on another model of observation can be judged in the exact one.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import NamedTuple

from licet import Candidate, Number, Verifier, exact
from licet.policies import Node


class Worth(NamedTuple):
    """What decisions are worth, as expectations under the exact observation model.

    Attributes:
        objective: loss plus lambda times verification cost.
        loss: of proceeding or abstaining alone.
        cost: of verification.
        checks: how many verifiers are asked.
        verifies: the probability that one is asked at all.
        several: the probability that more than one is.
        proceeds: the probability that the action is executed.
        harms: the probability that it is executed and its loss exceeds delta.
        safe: the probability that executing it would exceed no harm, whatever is decided.
    """

    objective: Fraction
    loss: Fraction
    cost: Fraction
    checks: Fraction
    verifies: Fraction
    several: Fraction
    proceeds: Fraction
    harms: Fraction
    safe: Fraction

    @property
    def completes(self) -> Fraction:
        """The probability that the action is executed without harm: safe completion."""
        return self.proceeds - self.harms


class State(NamedTuple):
    """The set of wrong claims, its weight, the loss of proceeding, and whether that is harm."""

    wrong: frozenset[str]
    weight: int
    loss: Fraction
    harmful: bool


class Leaf(NamedTuple):
    """Where a policy stops: what was asked, whether it proceeds, the weights of the states."""

    asked: tuple[int, ...]
    proceed: bool
    weights: tuple[int, ...]


def worth(tree: Node, candidate: Candidate, harm: Number | None = None) -> Worth:
    """Return what a tree of decisions is worth on a candidate whose claims are independent.

    Args:
        tree: what is decided after which answers, as `licet.policies.policy_tree` returns it.
        candidate: the candidate.
        harm: the loss from which an outcome counts as harm; None for the candidate's own delta.

    Raises:
        ValueError: claims share a draw, or the tree leaves out an answer that can be given.
    """
    bound = exact(candidate.loss.harm_loss if harm is None else harm, "harm")
    states = hidden_states(candidate, bound)
    unit = _unit(candidate)
    likelihoods = [_likelihoods(verifier, states, unit) for verifier in candidate.verifiers]
    total = Fraction(1, sum(state.weight for state in states))
    abstain, price = exact(candidate.loss.abstain, "loss"), exact(candidate.loss.price, "loss")
    costs = [exact(verifier.cost, "cost") for verifier in candidate.verifiers]
    reached = loss = cost = checks = verifies = several = proceeds = harms = Fraction(0)
    for leaf in _leaves(tree, (), tuple(state.weight for state in states), likelihoods):
        share = total / unit ** len(leaf.asked)
        chance = share * sum(leaf.weights)
        reached += chance
        cost += chance * sum((costs[asked] for asked in leaf.asked), Fraction(0))
        checks += chance * len(leaf.asked)
        verifies += chance * (len(leaf.asked) > 0)
        several += chance * (len(leaf.asked) > 1)
        if leaf.proceed:
            weighed = list(zip(leaf.weights, states, strict=True))
            loss += share * sum((w * state.loss for w, state in weighed), Fraction(0))
            proceeds += chance
            harms += share * sum(w for w, state in weighed if state.harmful)
        else:
            loss += chance * abstain
    if reached != 1:
        raise ValueError(f"expected a tree for every answer, found one for {float(reached):.3g}")
    safe = total * sum(state.weight for state in states if not state.harmful)
    objective = loss + price * cost
    return Worth(objective, loss, cost, checks, verifies, several, proceeds, harms, safe)


def hidden_states(candidate: Candidate, harm: Fraction) -> tuple[State, ...]:
    """Return every set of wrong claims with its weight, in a unit common to all.

    Raises:
        ValueError: claims share a draw; they would not be independent.
    """
    if any(claim.draw is not None for claim in candidate.claims):
        raise ValueError("expected claims that are independent, found a shared draw")
    errors = [(claim.identifier, exact(claim.error, "error")) for claim in candidate.claims]
    states = []
    for combination in product((False, True), repeat=len(errors)):
        wrong, weight = frozenset[str](), 1
        for is_wrong, (name, error) in zip(combination, errors, strict=True):
            weight *= error.numerator if is_wrong else error.denominator - error.numerator
            wrong |= {name} if is_wrong else frozenset()
        loss = proceeding_loss(candidate, wrong)
        states.append(State(wrong, weight, loss, loss > harm))
    return tuple(states)


def proceeding_loss(candidate: Candidate, wrong: frozenset[str]) -> Fraction:
    """Return L(Proceed, z): for each group its greatest active impact once."""
    violated = {p.identifier: (p.claim in wrong) != p.contradicts for p in candidate.premises}
    charged: dict[str, Fraction] = {}
    for mode in candidate.failure_modes:
        if all(violated[name] for name in mode.premises):
            impact = exact(mode.impact, "impact")
            charged[mode.group] = max(charged.get(mode.group, Fraction(0)), impact)
    return sum(charged.values(), Fraction(0))


def _likelihoods(
    verifier: Verifier, states: tuple[State, ...], unit: int
) -> Mapping[bool, tuple[int, ...]]:
    """Return for refute and support the likelihood in each state, in units of 1/`unit`."""
    wrong = [bool(state.wrong.intersection(verifier.covers)) for state in states]
    hit = int(exact(verifier.sensitivity, "sensitivity") * unit)
    rejected = int(exact(verifier.specificity, "specificity") * unit)
    refuting = tuple(hit if is_wrong else unit - rejected for is_wrong in wrong)
    return {True: refuting, False: tuple(unit - factor for factor in refuting)}


def _unit(candidate: Candidate) -> int:
    """Return the common denominator of all error rates of the verifiers."""
    rates = (
        exact(rate, "rate").denominator
        for verifier in candidate.verifiers
        for rate in (verifier.sensitivity, verifier.specificity)
    )
    return lcm(*rates)


def _leaves(
    node: Node,
    asked: tuple[int, ...],
    weights: tuple[int, ...],
    likelihoods: Sequence[Mapping[bool, tuple[int, ...]]],
) -> Iterator[Leaf]:
    if node.verifier is None:
        yield Leaf(asked, node.proceed, weights)
        return
    for refutes, child in node.children:
        factors = likelihoods[node.verifier][refutes]
        after = tuple(w * f for w, f in zip(weights, factors, strict=True))
        yield from _leaves(child, (*asked, node.verifier), after, likelihoods)
