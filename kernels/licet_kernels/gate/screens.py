"""Screens that doubles cannot decide, decided in rationals.

Where Pr(harm) or R(b) equals its bound exactly, rounding decides a comparison in doubles, and a
wrong decision is no small error: Proceed would count as admissible where it is not. So the sweep
notes every state whose comparison lies within a proven bound on the rounding error, these states
are decided here by the core, and the sweep runs again.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd, prod
from typing import Final, TypeAlias

import numpy as np

from licet import InvalidInput
from licet.beliefs import Belief, GateModel, admissible

from .problem import Integers, Problem, Settled

# At most so many states are decided exactly.
SCREEN_LIMIT: Final = 100_000

Counts: TypeAlias = tuple[tuple[int, int], ...]
"""For each type of verifiers, how often it answered support and refute."""

Factor: TypeAlias = tuple[int, int]
"""What a belief's weights are multiplied by: where nothing covered is wrong, and where it is."""


def nothing_settled() -> Settled:
    """Return that no screen was decided exactly yet."""
    return Settled(np.empty(0, np.int64), np.empty(0, np.bool_), SCREEN_LIMIT)


def settle_exactly(
    model: GateModel,
    belief: Belief,
    problem: Problem,
    counts_of: Callable[[int], Counts],
    found: Iterable[Integers],
) -> Settled:
    """Return the exact decisions of the screens at some states.

    Args:
        model: the model.
        belief: the belief where planning starts.
        problem: the problem from there.
        counts_of: gives the counts of a state.
        found: the states.

    Raises:
        InvalidInput: there are more than `SCREEN_LIMIT`.
    """
    states = np.unique(np.concatenate(list(found)))
    if len(states) > SCREEN_LIMIT:
        raise InvalidInput(
            "loss",
            f"at over {SCREEN_LIMIT:,} lattice states a screen lies exactly at its bound, more than"
            " are decided in exact arithmetic; move the bound a little, or use the two-step policy",
        )
    known: dict[tuple[Factor, ...], bool] = {}
    admits = []
    for state in states.tolist():
        factors = _factors(model, problem, counts_of(state))
        key = tuple(factors.values())
        if key not in known:
            known[key] = admissible(model, _weighed(belief, factors))
        admits.append(known[key])
    return Settled(states, np.array(admits, np.bool_), SCREEN_LIMIT)


def _factors(model: GateModel, problem: Problem, counts: Counts) -> dict[int, Factor]:
    """Return for each coverage its likelihoods, in lowest terms; equal ones give equal beliefs."""
    factors: dict[int, Factor] = {}
    for kind, (supported, refuted) in zip(problem.types, counts, strict=True):
        q = model.verifiers[kind.members[0]]
        right = q.specificity**supported * (1 - q.specificity) ** refuted
        wrong = (1 - q.sensitivity) ** supported * q.sensitivity**refuted
        before = factors.get(q.covers, (1, 1))
        factors[q.covers] = _lowest_terms(before[0] * right, before[1] * wrong)
    return factors


def _lowest_terms(right: Fraction, wrong: Fraction) -> Factor:
    first = right.numerator * wrong.denominator
    second = wrong.numerator * right.denominator
    common = gcd(first, second) or 1
    return first // common, second // common


def _weighed(belief: Belief, factors: dict[int, Factor]) -> Belief:
    """Return the belief after the answers that the factors stand for."""
    states = []
    for mask, weight in belief.states:
        likelihoods = (
            wrong if mask & covers else right for covers, (right, wrong) in factors.items()
        )
        if after := weight * prod(likelihoods):
            states.append((mask, after))
    return Belief(tuple(states), sum(weight for _, weight in states))
