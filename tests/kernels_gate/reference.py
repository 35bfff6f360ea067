"""What kernels are compared with: every position's exact value, from the core's own pieces."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from licet.beliefs import GateModel, answer_probability
from licet.information import affordable, price_of, stopping
from licet.planner import Counts, ExactPlanner, Position, start, step
from licet_kernels.gate.plan import LayoutName, Plan, plan


class Solved(NamedTuple):
    """A position, the exact probability of one sequence of answers to it, and its exact values.

    Attributes:
        position: the position.
        probability: Z.
        value: V* of Equation (3).
        stop: V_stop of Equation (2).
        asking: for each verifier that can be asked and paid, the value of asking it.
    """

    position: Position
    probability: Fraction
    value: Fraction
    stop: Fraction
    asking: dict[int, Fraction]


def solve(model: GateModel, budget: Fraction) -> dict[Counts, Solved]:
    """Return every position that answers lead to, by backward induction in rationals."""
    solved: dict[Counts, Solved] = {}

    def visit(position: Position, probability: Fraction) -> Solved:
        if position.counts in solved:
            return solved[position.counts]
        stop = stopping(model, position.belief).value
        asking = {}
        for q in affordable(model, position.uses, position.budget):
            asking[q] = price_of(model, q)
            for refutes in (False, True):
                chance = answer_probability(model, position.belief, q, refutes)
                if chance > 0:
                    after = visit(step(model, position, q, refutes), probability * chance)
                    asking[q] += chance * after.value
        value = min(stop, *asking.values()) if asking else stop
        solved[position.counts] = Solved(position, probability, value, stop, asking)
        return solved[position.counts]

    visit(start(model, budget), Fraction(1))
    return solved


def variants() -> Iterator[tuple[LayoutName, bool]]:
    """Yield both layouts, with equal verifiers as one type and without."""
    yield from (("dense", True), ("dense", False), ("subsets", True), ("subsets", False))


def check_everywhere(model: GateModel, budget: Fraction) -> None:
    """Compare a kernel's plan with the reference at every position, in all variants.

    W within 1e-12 Z (greatest loss + kappa + lambda B); and what is chosen, which is what the
    reference chooses, because the models' numbers are far from almost equal.
    """
    solved, planner = solve(model, budget), ExactPlanner(model, budget)
    greatest = Fraction(max(model.losses.values()), model.unit)
    tolerance = Fraction(1, 10**12) * (greatest + model.abstain + model.price * budget)
    for layout, collapse in variants():
        made = plan(model, budget, layout=layout, collapse=collapse)
        assert made.layout == layout
        for found in solved.values():
            compare(made, found, tolerance)
            chosen = made.choose(found.position)
            regret = (found.stop if chosen is None else found.asking[chosen]) - found.value
            assert regret <= tolerance, (layout, collapse, found, chosen)
            assert chosen == planner.choose(found.position), (layout, collapse, found)


def compare(made: Plan, found: Solved, tolerance: Fraction) -> None:
    """Compare W and Z at one position."""
    assert made.covers(found.position)
    spent = made.origin.budget - found.position.budget
    expected = found.probability * (found.value + made.model.price * spent)
    actual = Fraction(made.weighted(found.position))
    assert abs(actual - expected) <= tolerance * found.probability, (made.layout, found)
    z = Fraction(made.probability(found.position))
    assert abs(z - found.probability) <= found.probability / 10**12
