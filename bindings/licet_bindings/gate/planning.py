"""Exact plans of candidate documents, and what bounded policies lose to them (AMV, section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from licet import DecisionKind, InvalidInput
from licet.beliefs import GateModel, compile_candidate, expected_loss, harm_probability
from licet.information import outcomes, price_of, stopping
from licet.memories import CLIP
from licet.planner import Key, Position, lattice_size, start, step
from licet.policies import Chooser, Node, policy_tree
from licet_bindings.gate.documents import CandidateDocument, clipped_claims, default_budget
from licet_bindings.gate.policies import gate_policy
from licet_kernels.gate.planning import exact_policy, uses_reference

COMPARED: Final = (
    "two-step",
    "greedy",
    "static",
    "always-verify",
    "stop",
    "environment-probing",
    "cost-aware",
)
"""The bounded policies that a plan is compared with; all of them end by Equation (2)."""

LISTED_NODES: Final = 10_000
"""The largest tree that is built whole, in nodes."""

FOLLOWED: Final = 1 << 20
"""Positions times hidden states through which a policy is followed in exact numbers, at most."""

COUNTED_STATES: Final = 10**12
"""The most lattice states that a plan says it has; it may have more."""


class Evaluation(NamedTuple):
    """What a policy is worth on a candidate.

    Attributes:
        value: the expected objective: loss plus the price of what is asked.
        cost: the expected verification cost.
        proceeds: the probability that it proceeds.
        harms: the probability that it proceeds and the loss exceeds delta.
        nodes: how many nodes its tree has.
    """

    value: Fraction
    cost: Fraction
    proceeds: Fraction
    harms: Fraction
    nodes: int


@dataclass(frozen=True, slots=True)
class PlanNode:
    """A decision of a plan, how things stand there, and what follows each answer.

    Attributes:
        decision: verify, proceed or abstain.
        verifier: for VERIFY, which one.
        value: the expected objective from here on, what was spent before left out.
        cost: the expected verification cost from here on.
        probability: of coming here.
        expected_loss: of proceeding here.
        harm_probability: of proceeding here.
        support: what follows when the verifier supports; None where it cannot.
        refute: what follows when it refutes; None where it cannot.
    """

    decision: DecisionKind
    verifier: str | None
    value: Fraction
    cost: Fraction
    probability: Fraction
    expected_loss: Fraction
    harm_probability: Fraction
    support: PlanNode | None
    refute: PlanNode | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The exact plan of a candidate under a budget.

    Attributes:
        document: the candidate.
        budget: verification cost that may be spent.
        states: how many count vectors the budget reaches, at most.
        exact: what the exact policy is worth.
        policies: what each bounded policy is worth; None where the candidate is too large for it.
        root: the exact policy as a tree; None where it has more nodes than `LISTED_NODES`.
        clipped: the claims whose error probability the gate clips.
    """

    document: CandidateDocument
    budget: Fraction
    states: int
    exact: Evaluation
    policies: Mapping[str, Evaluation | None]
    root: PlanNode | None
    clipped: tuple[str, ...]

    @property
    def regret(self) -> dict[str, Fraction | None]:
        """What each bounded policy loses to the exact one in expected objective; never negative."""
        return {
            name: None if found is None else found.value - self.exact.value
            for name, found in self.policies.items()
        }


def plan_candidate(document: CandidateDocument, budget: Fraction | None = None) -> Plan:
    """Return the exact plan of a candidate, Equation (3), and the bounded policies beside it.

    As the gate does, it clips error probabilities to [0.01, 0.99]. Invalidation (rho) is left out:
    a new plan is no terminal decision of this one.

    Args:
        document: the candidate.
        budget: verification cost that may be spent; None for the document's.

    Raises:
        InvalidInput: the candidate is too large to plan exactly; its size, the limit, and the
            policy to use instead are named, and nothing is planned.
    """
    limit = default_budget(document) if budget is None else budget
    model = compile_candidate(document.candidate, clip=CLIP)
    choose = exact_policy(model, limit)  # Refuses what is too large.
    exact = evaluate(model, choose, limit)
    root = None
    if exact.nodes <= LISTED_NODES:
        tree = policy_tree(model, lambda model, budget: choose, limit)
        root = _plan_node(model, tree, start(model, limit))
    return Plan(
        document,
        limit,
        lattice_size(model, limit, COUNTED_STATES).states,
        exact,
        MappingProxyType({name: _bounded(model, name, limit) for name in COMPARED}),
        root,
        clipped_claims(document),
    )


def _bounded(model: GateModel, name: str, budget: Fraction) -> Evaluation | None:
    # Where the exact plan needs the kernels, they look ahead too; their choices are the same.
    small = uses_reference(model, budget)
    policy = gate_policy(name).policy if small else _QUICK.get(name, gate_policy(name).policy)
    try:
        return evaluate(model, policy(model, budget), budget)
    except InvalidInput:  # It has a limit of its own; the others are compared all the same.
        return None


def _quick_two_step(model: GateModel, budget: Fraction) -> Chooser:
    from licet_kernels.gate.information import two_step_policy

    return two_step_policy(model, budget)


def _quick_greedy(model: GateModel, budget: Fraction) -> Chooser:
    from licet_kernels.gate.information import greedy_policy

    return greedy_policy(model, budget)


_QUICK: Final = MappingProxyType({"two-step": _quick_two_step, "greedy": _quick_greedy})


def evaluate(model: GateModel, choose: Chooser, budget: Fraction) -> Evaluation:
    """Return what an opened policy is worth, in the exact observation model.

    The policy must choose by the position alone, as all of this package do; positions with the
    same counts are then one, and each is looked at once.

    Raises:
        InvalidInput: the policy chooses what cannot be asked and paid, or reaches too many
            positions to be followed in exact numbers.
    """
    return _evaluate(model, choose, start(model, budget), {})


def _evaluate(
    model: GateModel, choose: Chooser, position: Position, known: dict[Key, Evaluation]
) -> Evaluation:
    key = position[1:]
    if key in known:
        return known[key]
    if len(known) * len(model.losses) > FOLLOWED:
        raise InvalidInput(
            "verifiers",
            f"the policy reaches more than {len(known):,} positions of {len(model.losses):,} hidden"
            " states, too many to follow in exact numbers; plan a smaller budget, or let `licet"
            " gate --policy exact` choose one check at a time",
        )
    verifier = choose(position)
    if verifier is None:
        known[key] = _stopped(model, position)
        return known[key]
    value, cost = price_of(model, verifier), model.verifiers[verifier].cost
    proceeds = harms = Fraction(0)
    nodes = 1
    for chance, refutes, _ in outcomes(model, position.belief, verifier):
        after = _evaluate(model, choose, step(model, position, verifier, refutes), known)
        value += chance * after.value
        cost += chance * after.cost
        proceeds += chance * after.proceeds
        harms += chance * after.harms
        nodes += after.nodes
    known[key] = Evaluation(value, cost, proceeds, harms, nodes)
    return known[key]


def _stopped(model: GateModel, position: Position) -> Evaluation:
    stop = stopping(model, position.belief)
    nothing = Fraction(0)
    if not stop.proceed:
        return Evaluation(stop.value, nothing, nothing, nothing, 1)
    harm = harm_probability(model, position.belief)
    return Evaluation(stop.value, nothing, Fraction(1), harm, 1)


def _plan_node(model: GateModel, node: Node, position: Position) -> PlanNode:
    below = {
        refutes: _plan_node(model, child, step(model, position, node.verifier, refutes))
        for refutes, child in node.children
        if node.verifier is not None
    }
    if node.verifier is None:
        decision = DecisionKind.PROCEED if node.proceed else DecisionKind.ABSTAIN
    else:
        decision = DecisionKind.VERIFY
    return PlanNode(
        decision,
        None if node.verifier is None else model.verifiers[node.verifier].name,
        node.value,
        node.cost,
        node.probability,
        expected_loss(model, position.belief),
        harm_probability(model, position.belief),
        below.get(False),
        below.get(True),
    )
