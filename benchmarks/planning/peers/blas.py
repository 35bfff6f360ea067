"""One-step and two-step values of all verifiers at once, as matrix products of numpy's BLAS."""

from typing import NamedTuple

import numpy as np

from .tabulated import Array, Tables


class Questions(NamedTuple):
    """What numpy works on: likelihoods of all answers, and whether there are screens at all.

    Attributes:
        likelihoods: rows 2q (support) and 2q + 1 (refute), shape (2 verifiers, states).
        columns: ones, losses and, where there is a screen on harm, harm: shape (columns, states).
        tables: the model.
    """

    likelihoods: Array
    columns: Array
    tables: Tables


def questions(tables: Tables) -> Questions:
    """Prepare a model; what depends on no belief is not timed."""
    likelihoods = np.empty((2 * len(tables.refutes), len(tables.prior)))
    likelihoods[0::2], likelihoods[1::2] = 1 - tables.refutes, tables.refutes
    columns = [np.ones_like(tables.losses), tables.losses]
    if np.isfinite(tables.max_harm):
        columns.append(tables.harmful)
    return Questions(likelihoods, np.array(columns), tables)


def one_step(asked: Questions, belief: Array) -> Array:
    """Return VOI(q; b), Equation (4), of every verifier, shape (verifiers,)."""
    tables = asked.tables
    weighted = asked.columns * belief
    after = _stopping(tables, [asked.likelihoods @ column for column in weighted])
    now = _stopping(tables, list(weighted.sum(axis=1)))
    return now - (after[0::2] + after[1::2]) - tables.price * tables.costs


def two_step(asked: Questions, belief: Array, budget: float) -> Array:
    """Return the two-step value, Equation (5), of every verifier; one use of each is left.

    A verifier that costs more than the budget has the value minus infinity.
    """
    tables, likelihoods = asked.tables, asked.likelihoods
    weighted = asked.columns * belief
    sums = [(likelihoods * column) @ likelihoods.T for column in weighted]
    both = _stopping(tables, sums)
    second = both[:, 0::2] + both[:, 1::2]
    first = [likelihoods @ column for column in weighted]
    second += np.multiply.outer(first[0], tables.price * tables.costs)
    dear = tables.costs[:, None] + tables.costs > budget
    np.fill_diagonal(dear, True)
    second[np.repeat(dear, 2, axis=0)] = np.inf
    best = np.minimum(_stopping(tables, first), second.min(axis=1))
    now = _stopping(tables, list(weighted.sum(axis=1)))
    values = now - tables.price * tables.costs - (best[0::2] + best[1::2])
    return np.where(tables.costs <= budget, values, -np.inf)


def _stopping(tables: Tables, sums: list[Array]) -> Array:
    """Return V_stop times Pr, elementwise, of unnormalized sums of the columns."""
    chance, risk = sums[0], sums[1]
    stop = tables.abstain * chance
    if len(sums) == 2 and not np.isfinite(tables.max_loss):
        return np.minimum(risk, stop)
    admitted = risk <= tables.max_loss * chance
    if len(sums) > 2:
        admitted &= sums[2] <= tables.max_harm * chance
    return np.where(admitted, np.minimum(risk, stop), stop)
