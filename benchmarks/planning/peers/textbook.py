"""The planners as the equations are written down: recursion, beliefs, and a dictionary.

The gate's is Equation (3) on numpy beliefs, memoized on how often each verifier answered what. The
review's is the same on ledgers, as sets of what was found true and false. `naive` holds planners
that somebody has made faster.
"""

from fractions import Fraction

import numpy as np

from licet import Commitment
from licet.beliefs import GateModel

from .naive import Solved
from .tabulated import Array, Tables, tabulate

Counts = tuple[tuple[int, int], ...]


def plan_gate(model: GateModel, budget: Fraction) -> Solved:
    """Return V*(prior, budget)."""
    planner = _GatePlanner(tabulate(model))
    counts = ((0, 0),) * len(planner.tables.uses)
    value = planner.solve(planner.tables.prior, counts, float(budget))
    return Solved(value, len(planner.memo))


class _GatePlanner:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.memo: dict[Counts, float] = {}

    def solve(self, belief: Array, counts: Counts, budget: float) -> float:
        """Return V*(b, B)."""
        if counts in self.memo:
            return self.memo[counts]
        best = self.stop(belief)
        for verifier, cost in enumerate(self.tables.costs):
            if sum(counts[verifier]) < self.tables.uses[verifier] and cost <= budget:
                value = self.tables.price * cost
                for refutes in (False, True):
                    rates = self.tables.refutes[verifier]
                    likelihood = rates if refutes else 1 - rates
                    chance = float(np.sum(belief * likelihood))
                    if chance > 0:
                        posterior = belief * likelihood / chance
                        after = _after(counts, verifier, refutes)
                        value += chance * self.solve(posterior, after, budget - cost)
                best = min(best, value)
        self.memo[counts] = best
        return best

    def stop(self, belief: Array) -> float:
        """Return V_stop(b), Equation (2)."""
        risk = float(np.sum(belief * self.tables.losses))
        harm = float(np.sum(belief * self.tables.harmful))
        admissible = harm <= self.tables.max_harm and risk <= self.tables.max_loss
        return min(risk, self.tables.abstain) if admissible else self.tables.abstain


def _after(counts: Counts, verifier: int, refutes: bool) -> Counts:
    supported, refuted = counts[verifier]
    pair = (supported + (not refutes), refuted + refutes)
    return (*counts[:verifier], pair, *counts[verifier + 1 :])


Ledger = frozenset[tuple[str, bool]]


def plan_review(commitment: Commitment, priors: dict[str, Fraction], budget: int) -> Solved:
    """Return the greatest expected utility of the strongest conclusion that a route establishes.

    For programs whose calls settle one atom each, at a cost of one call.
    """
    planner = _ReviewPlanner(commitment, {name: float(prior) for name, prior in priors.items()})
    value = planner.solve(frozenset(), budget)
    return Solved(value, len(planner.memo))


class _ReviewPlanner:
    def __init__(self, commitment: Commitment, priors: dict[str, float]) -> None:
        self.priors = priors
        self.routes = [
            (
                float(conclusion.utility),
                [
                    frozenset((literal.atom, literal.positive) for literal in route.literals)
                    for route in commitment.program.of_conclusion(conclusion.identifier)
                ],
            )
            for conclusion in commitment.specification.conclusions
        ]
        self.memo: dict[Ledger, float] = {}

    def solve(self, ledger: Ledger, budget: int) -> float:
        if ledger in self.memo:
            return self.memo[ledger]
        best = self.stop(ledger)
        known = {atom for atom, _ in ledger}
        if budget >= 1:
            for atom, prior in self.priors.items():
                if atom not in known:
                    true = self.solve(ledger | {(atom, True)}, budget - 1)
                    false = self.solve(ledger | {(atom, False)}, budget - 1)
                    best = max(best, prior * true + (1 - prior) * false)
        self.memo[ledger] = best
        return best

    def stop(self, ledger: Ledger) -> float:
        established = (
            utility for utility, routes in self.routes if any(route <= ledger for route in routes)
        )
        return max(established, default=0.0)
