"""The count lattice within a budget as numpy arrays: states, what stopping costs, where answers go.

A verifier with u uses has one digit: the pairs (supported, refuted) with supported + refuted <= u,
in order of their sum. A state is a row of digits.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .tabulated import Array, Tables

Integers: TypeAlias = NDArray[np.int64]
# Above this many products of two halves, a state's sums are taken one by one.
_PRODUCTS: Final = 4
_CHUNK: Final = 4096


class Query(NamedTuple):
    """A verifier asked in many states: the states, where support and refute lead, in any order."""

    verifier: int
    states: Integers
    supported: Integers
    refuted: Integers


@dataclass(frozen=True, slots=True)
class Lattice:
    """All states within the budget.

    Attributes:
        spent: what each state has cost, shape (states,).
        probability: Z, of one sequence of answers that leads there, shape (states,).
        stopping: V_stop, the least of an admissible Proceed and kappa, shape (states,).
        queries: for each verifier the states in which it can be asked and paid.
    """

    spent: Array
    probability: Array
    stopping: Array
    queries: tuple[Query, ...]


def lattice(tables: Tables, budget: float) -> Lattice:
    """Enumerate the lattice."""
    pairs = [_pairs(uses) for uses in tables.uses]
    digits, spent = _states(tables, pairs, budget)
    radices = [len(of_one) for of_one in pairs]
    weights = np.array(
        [int(np.prod(radices[q + 1 :], dtype=object)) for q in range(len(radices))], dtype=np.int64
    )
    keys = digits.astype(np.int64) @ weights
    dense = len(keys) == int(np.prod(radices, dtype=object))
    sums = _sums(tables, pairs, digits)
    queries = []
    for q, uses in enumerate(tables.uses):
        places = {pair: digit for digit, pair in enumerate(pairs[q])}
        moves = np.array(
            [
                [places.get((s + 1, r), -1), places.get((s, r + 1), -1)]
                if s + r < uses
                else (-1, -1)
                for s, r in pairs[q]
            ]
        )
        asked = (moves[digits[:, q], 0] >= 0) & (spent + tables.costs[q] <= budget)
        states = np.flatnonzero(asked)
        here = digits[states, q]
        after = [keys[states] + (moves[here, answer] - here) * weights[q] for answer in (0, 1)]
        supported, refuted = after if dense else (np.searchsorted(keys, key) for key in after)
        queries.append(Query(q, states, supported, refuted))
    probability, expected, harm = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        risk, harm = expected / probability, harm / probability
    barred = (harm > tables.max_harm) | (risk > tables.max_loss)
    stopping = np.where(barred, tables.abstain, np.minimum(risk, tables.abstain))
    return Lattice(spent, probability, np.nan_to_num(stopping), tuple(queries))


def _pairs(uses: int) -> list[tuple[int, int]]:
    return [(total - refuted, refuted) for total in range(uses + 1) for refuted in range(total + 1)]


def _states(
    tables: Tables, pairs: list[list[tuple[int, int]]], budget: float
) -> tuple[NDArray[np.int8], Array]:
    """Return the rows of digits within the budget, in lexicographic order, and what each costs."""
    digits, spent = np.zeros((1, 0), dtype=np.int8), np.zeros(1)
    for of_one, cost in zip(pairs, tables.costs, strict=True):
        costs = np.array([cost * sum(pair) for pair in of_one])
        total = spent[:, None] + costs
        row, digit = np.nonzero(total <= budget)
        digits = np.column_stack((digits[row], digit.astype(np.int8)))
        spent = total[row, digit]
    return digits, spent


def _sums(tables: Tables, pairs: list[list[tuple[int, int]]], digits: NDArray[np.int8]) -> Array:
    """Return Z and, unnormalized, the expected loss and the chance of harm, shape (states, 3).

    Each is a sum over hidden states of a product over verifiers. The verifiers are halved and the
    products of each half made once, so that the sums are a matrix product.
    """
    half = digits.shape[1] // 2
    left, i = _half(tables, pairs, digits[:, :half], 0)
    right, j = _half(tables, pairs, digits[:, half:], half)
    sums = np.empty((len(digits), 3))
    weights = (tables.prior, tables.prior * tables.losses, tables.prior * tables.harmful)
    for column, weight in enumerate(weights):
        weighted = left * weight
        if len(left) * len(right) <= _PRODUCTS * len(digits):
            sums[:, column] = (weighted @ right.T)[i, j]
            continue
        for start in range(0, len(digits), _CHUNK):
            part = slice(start, start + _CHUNK)
            sums[part, column] = np.einsum("sz,sz->s", weighted[i[part]], right[j[part]])
    return sums


def _half(
    tables: Tables,
    pairs: list[list[tuple[int, int]]],
    digits: NDArray[np.int8],
    first: int,
) -> tuple[Array, Integers]:
    """Return the likelihoods of each distinct row of digits, and which row each state has."""
    radices = [len(of_one) for of_one in pairs[first : first + digits.shape[1]]]
    weights = np.cumprod([1, *radices[:-1]], dtype=np.int64)[: digits.shape[1]]
    _, rows, which = np.unique(
        digits.astype(np.int64) @ weights, return_index=True, return_inverse=True
    )
    products = np.ones((len(rows), len(tables.prior)))
    for column in range(digits.shape[1]):
        refutes = tables.refutes[first + column]
        powers = np.array([(1 - refutes) ** s * refutes**r for s, r in pairs[first + column]])
        products *= powers[digits[rows, column]]
    return products, which
