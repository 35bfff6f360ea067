"""Recursion and a dictionary, made faster with care: the planners that `textbook` would become.

The gate's keeps a numpy belief and a normalized value for every vector of counts; the review's
keeps a float for every ledger.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from licet import Commitment
from licet.beliefs import GateModel
from licet.decisions import Settled, authorized

from .tabulated import Array, Tables, tabulate


class Solved(NamedTuple):
    """A value, and the number of states that were solved for it."""

    value: float
    states: int


def plan_gate(model: GateModel, budget: Fraction) -> Solved:
    """Return V*(prior, budget), memoized on counts."""
    planner = _GatePlanner(tabulate(model))
    value = planner.solve(planner.tables.prior, 0, planner.tables.uses, float(budget))
    return Solved(value, len(planner.memo))


class _GatePlanner:
    """Beliefs are made once a state; the chances of all answers are one matrix product."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.memo: dict[int, float] = {}
        # Answers 2q (support) and 2q + 1 (refute) of verifier q, for every hidden state.
        self.likelihoods = np.empty((2 * len(tables.refutes), len(tables.prior)))
        self.likelihoods[0::2] = 1 - tables.refutes
        self.likelihoods[1::2] = tables.refutes
        self.costs = tables.costs.tolist()
        # A vector of counts as one number: what each answer adds to it.
        self.places = [1]
        for uses in tables.uses:
            self.places += [self.places[-1] * (uses + 1), self.places[-1] * (uses + 1) ** 2]

    def solve(self, belief: Array, counts: int, uses: tuple[int, ...], budget: float) -> float:
        """Return V*(b, B), where `uses` are left of each verifier."""
        best = self.stop(belief)
        asked = [q for q, left in enumerate(uses) if left and self.costs[q] <= budget]
        chances = (self.likelihoods @ belief).tolist() if asked else []
        for q in asked:
            value = self.tables.price * self.costs[q]
            for answer in (2 * q, 2 * q + 1):
                chance = chances[answer]
                if chance > 0:
                    after = counts + self.places[answer]
                    known = self.memo.get(after)
                    if known is None:
                        posterior = belief * self.likelihoods[answer] / chance
                        left = (*uses[:q], uses[q] - 1, *uses[q + 1 :])
                        known = self.solve(posterior, after, left, budget - self.costs[q])
                    value += chance * known
            best = min(best, value)
        self.memo[counts] = best
        return best

    def stop(self, belief: Array) -> float:
        tables = self.tables
        risk = float(belief @ tables.losses)
        if risk > tables.max_loss or float(belief @ tables.harmful) > tables.max_harm:
            return tables.abstain
        return min(risk, tables.abstain)


def plan_review(commitment: Commitment, priors: dict[str, Fraction], budget: int) -> Solved:
    """Return the greatest expected utility of the strongest authorized conclusion, by ledgers.

    For programs whose calls settle one atom each.
    """
    planner = _ReviewPlanner(commitment, priors)
    value = planner.solve(0, 0, budget * planner.program.unit)
    return Solved(value, len(planner.memo))


class _ReviewPlanner:
    def __init__(self, commitment: Commitment, priors: dict[str, Fraction]) -> None:
        self.program = program = commitment.compiled
        conclusions = commitment.specification.conclusions
        self.utilities = [float(conclusion.utility) for conclusion in conclusions]
        chances = [float(priors[name]) for name in program.atoms]
        self.calls = [(call.atoms, call.cost) for call in program.calls]
        self.chances = [chances[atoms.bit_length() - 1] for atoms, _ in self.calls]
        self.memo: dict[tuple[int, int], float] = {}

    def solve(self, true: int, false: int, budget: int) -> float:
        found = self.memo.get((true, false))
        if found is not None:
            return found
        best = self.stop(true, false)
        known = true | false
        for (atom, cost), chance in zip(self.calls, self.chances, strict=True):
            if not known & atom and cost <= budget:
                left = budget - cost
                value = chance * self.solve(true | atom, false, left)
                value += (1 - chance) * self.solve(true, false | atom, left)
                best = max(best, value)
        self.memo[true, false] = best
        return best

    def stop(self, true: int, false: int) -> float:
        mask = authorized(self.program, Settled(true, false))
        return max((u for c, u in enumerate(self.utilities) if mask >> c & 1), default=0.0)
