"""Holds the gate's kernels against the core, position by position; needs numba and numpy.

Imported where a property runs. The core's values are exact rationals, and so is every comparison.
"""

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from licet import policies
from licet.beliefs import GateModel, answer_probability
from licet.information import affordable, one_step, price_of, stopping, two_step
from licet.planner import Counts, ExactPlanner, Position, start, step
from licet_kernels.gate.encoding import GateArrays, decode, encode
from licet_kernels.gate.information import (
    Information,
    greedy_policy,
    one_step_values,
    two_step_policy,
    two_step_values,
)
from licet_kernels.gate.plan import LayoutName, Plan, plan
from licet_kernels.gate.problem import may_be_worth_asking

from .expect import expect

RELATIVE: Final = Fraction(1, 10**12)
"""Of kappa + lambda B for plans; of greatest loss + kappa for values of information."""


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


def scale_of(model: GateModel) -> Fraction:
    """Return greatest loss + kappa."""
    return Fraction(max(model.losses.values()), model.unit) + model.abstain


def variants() -> Iterator[tuple[LayoutName, bool]]:
    """Yield both layouts, with equal verifiers as one type and without."""
    yield from (("dense", True), ("dense", False), ("subsets", True), ("subsets", False))


def compare_plans(model: GateModel, budget: Fraction) -> None:
    """Compare a kernel's plan with the reference at every position, in all variants.

    W within 1e-12 Z (kappa + lambda B), which no optimal value is above; what is chosen has no
    greater regret, and is what the reference chooses, because the models' numbers are far from
    almost equal.
    """
    solved, planner = solve(model, budget), ExactPlanner(model, budget)
    tolerance = RELATIVE * (model.abstain + model.price * budget)
    for layout, collapse in variants():
        made = plan(model, budget, layout=layout, collapse=collapse)
        expect(made.layout == layout, "the layout is", made.layout, "not", layout)
        for found in solved.values():
            if not made.covers(found.position):
                _expect_pruned(made, found)
                continue
            _compare_values(made, found, tolerance)
            chosen = made.choose(found.position)
            asked = chosen is not None and chosen in found.asking
            expect(chosen is None or asked, layout, found, "it asks what cannot be asked", chosen)
            regret = (found.stop if chosen is None else found.asking[chosen]) - found.value
            expect(regret <= tolerance, layout, collapse, found, "the regret of", chosen)
            reference = planner.choose(found.position)
            expect(chosen == reference, layout, collapse, found, chosen, "is not", reference)


def _expect_pruned(made: Plan, found: Solved) -> None:
    """Expect that something was asked there which is left out, and is worth asking nowhere."""
    known = {q for kind in made.problem.types for q in kind.members}
    left_out = [q for q, asked in enumerate(found.position.counts) if any(asked) and q not in known]
    worthless = [not may_be_worth_asking(made.model, made.model.verifiers[q]) for q in left_out]
    expect(any(worthless), made.layout, "does not cover", found)


def _compare_values(made: Plan, found: Solved, tolerance: Fraction) -> None:
    """Compare W, Z and V at one position."""
    spent = made.origin.budget - found.position.budget
    expected = found.probability * (found.value + made.model.price * spent)
    w = Fraction(made.weighted(found.position))
    near = abs(w - expected) <= tolerance * found.probability
    expect(near, made.layout, found, "W is", float(w), "not", float(expected))
    z = Fraction(made.probability(found.position))
    near = abs(z - found.probability) <= found.probability * RELATIVE
    expect(near, made.layout, found, "Z is", float(z))
    value = w / z - made.model.price * spent
    # W and Z err each; twice the tolerance covers both.
    expect(abs(value - found.value) <= 2 * tolerance, made.layout, found, "V is", float(value))


def compare_values(model: GateModel, budget: Fraction) -> None:
    """Compare one-step and two-step values with the core's, at every position."""
    tolerance = RELATIVE * scale_of(model)
    for position in (found.position for found in solve(model, budget).values()):
        greedy = one_step_values(model, position.belief)
        bounded = two_step_values(model, position.belief, position.uses, position.budget)
        askable = affordable(model, position.uses, position.budget)
        for q in range(len(model.verifiers)):
            one = one_step(model, position.belief, q)
            near = abs(Fraction(greedy[q]) - one) <= tolerance
            expect(near, position, q, "one step is", greedy[q], "not", one)
            if q not in askable:
                expect(bounded[q] == -np.inf, position, q, "cannot be asked, but is", bounded[q])
                continue
            two = two_step(model, position.belief, q, position.uses, position.budget)
            near = abs(Fraction(bounded[q]) - two) <= tolerance
            expect(near, position, q, "two steps are", bounded[q], "not", two)


def compare_choices(model: GateModel, budget: Fraction) -> None:
    """Compare what the greedy and the two-step policy choose, at every position."""
    Information(model)  # refuses what the kernels would leave to the core
    for fast, slow in (
        (greedy_policy, policies.greedy_policy),
        (two_step_policy, policies.two_step_policy),
    ):
        choose, reference = fast(model, budget), slow(model, budget)
        for found in solve(model, budget).values():
            chosen, expected = choose(found.position), reference(found.position)
            expect(chosen == expected, fast.__name__, found, "asks", chosen, "not", expected)


def compare_encodings(model: GateModel) -> None:
    """Encode a model and decode it: its numbers come back rounded, and the arrays as they were."""
    arrays = encode(model)
    back = decode(arrays)
    expect(_rounded(back) == _rounded(model), _rounded(back), "is not", _rounded(model))
    expect(_same(encode(back), arrays), encode(back), "is not", arrays)


def _same(first: GateArrays, second: GateArrays) -> bool:
    pairs = [(getattr(first, f.name), getattr(second, f.name)) for f in fields(GateArrays)]
    return all(
        np.array_equal(one, two) and np.asarray(one).dtype == np.asarray(two).dtype
        for one, two in pairs
    )


def _nearest(number: Fraction) -> Fraction:
    """Return what comes back of a number: its nearest double, read as the shortest decimal."""
    return Fraction(repr(float(number)))


def _rounded(model: GateModel) -> tuple[object, ...]:
    """Return all that is encoded of a model, with the nearest doubles for its numbers."""
    optional = (model.max_harm_probability, model.max_expected_loss, model.invalidation)
    return (
        tuple(map(_nearest, model.errors)),
        model.draws,
        tuple(
            tuple((wrong, right, _nearest(impact)) for wrong, right, impact in group)
            for group in model.groups
        ),
        tuple(
            (q.covers, q.cost, _nearest(q.sensitivity), _nearest(q.specificity), q.uses)
            for q in model.verifiers
        ),
        *map(_nearest, (model.abstain, model.price, model.harm_loss)),
        *(None if number is None else _nearest(number) for number in optional),
    )
