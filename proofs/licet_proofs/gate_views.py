"""What the kernel holds, in the terms of the independent reading."""

from collections.abc import Sequence
from fractions import Fraction

from licet import Candidate, ObservationModel
from licet.beliefs import Belief, GateModel, compile_candidate
from licet.information import affordable
from licet.planner import Position, start, step
from licet.policies import Policy, policy_tree

from .independent_gate import Answers, Distribution


def model_of(
    candidate: Candidate, observation: ObservationModel = ObservationModel.EXACT
) -> GateModel:
    """Return the kernel's own form, error probabilities as they are."""
    return compile_candidate(candidate, observation)


def distribution_of(model: GateModel, belief: Belief) -> Distribution:
    """Return a belief as probabilities of sets of wrong claims."""
    names = [claim.identifier for claim in model.candidate.claims]
    return {
        frozenset(name for i, name in enumerate(names) if mask >> i & 1): Fraction(
            weight, belief.total
        )
        for mask, weight in belief.states
    }


def value_of(candidate: Candidate, policy: Policy, budget: Fraction) -> Fraction:
    """Return the expected objective of a policy in the exact model."""
    return policy_tree(model_of(candidate), policy, budget).value


def walk(
    model: GateModel, budget: Fraction, given: Sequence[tuple[int, bool]]
) -> tuple[Position, Answers]:
    """Return where given answers lead, and those that were taken.

    An answer is passed over where its verifier cannot be asked and paid, or where the kernel finds
    it impossible.
    """
    position, taken = start(model, budget), []
    for number, refutes in given:
        askable = affordable(model, position.uses, position.budget)
        if not askable:
            break
        verifier = askable[number % len(askable)]
        try:
            position = step(model, position, verifier, refutes)
        except ValueError:
            continue
        taken.append((model.verifiers[verifier].name, refutes))
    return position, taken
