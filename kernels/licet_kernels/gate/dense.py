"""The dense layout: every pair of counts of every type, and the sweep over it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ..compilation import run
from .problem import (
    Doubles,
    Integers,
    Problem,
    Settled,
    Truths,
    VerifierType,
    likelihood,
    scratch,
    terms_of,
)

if TYPE_CHECKING:
    from .dense_kernels import Block, Digits

Operation: TypeAlias = tuple[int, int, int, int]
"""(to, first, second, length): what is at `to` is made from what is at `first` and `second`."""

# The lowest types that have rows of their own, when each has one use.
ROW_TYPES: Final = 3

# A block has at least this many states, if there are so many; its sums fit a processor's cache.
BLOCK_STATES: Final = 6_000

# In several threads, the lattice is cut into at least this many parts.
PARTS: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class DenseLayout:
    """The shape of a dense lattice.

    Attributes:
        order: the types, lowest digit first: those with one use are lowest.
        radix: for each digit, how many pairs of counts the type has.
        stride: for each digit, how far apart its values are.
        states: how many states there are.
    """

    order: tuple[int, ...]
    radix: tuple[int, ...]
    stride: tuple[int, ...]
    states: int

    @property
    def memory(self) -> int:
        """Bytes: one double a state."""
        return 8 * self.states


def dense_layout(types: tuple[VerifierType, ...]) -> DenseLayout:
    """Return the dense layout for some types; it takes no memory."""
    order = tuple(sorted(range(len(types)), key=lambda t: types[t].uses))
    radix = tuple((types[t].uses + 1) * (types[t].uses + 2) // 2 for t in order)
    stride = tuple(prod(radix[:k]) for k in range(len(radix)))
    return DenseLayout(order, radix, stride, prod(radix))


def digit_of(uses: int, supported: int, refuted: int) -> int:
    """Return the digit of a pair of counts: by supports, then by refutes."""
    return supported * (uses + 1) - supported * (supported - 1) // 2 + refuted


def pairs(uses: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of counts (supported, refuted) in the order of their digits."""
    return ((s, r) for s in range(uses + 1) for r in range(uses + 1 - s))


def state_of(layout: DenseLayout, problem: Problem, counts: tuple[tuple[int, int], ...]) -> int:
    """Return the index of the counts (supported, refuted) of each type."""
    return sum(
        digit_of(problem.types[t].uses, *counts[t]) * stride
        for t, stride in zip(layout.order, layout.stride, strict=True)
    )


def counts_of(layout: DenseLayout, problem: Problem, state: int) -> tuple[tuple[int, int], ...]:
    """Return the counts of each type at a state: the inverse of `state_of`."""
    counts = [(0, 0)] * len(problem.types)
    for t, radix in zip(layout.order, layout.radix, strict=True):
        state, digit = divmod(state, radix)
        counts[t] = list(pairs(problem.types[t].uses))[digit]
    return tuple(counts)


def sweep_dense(
    problem: Problem, layout: DenseLayout, threads: int, settled: Settled, w: Doubles
) -> list[Integers]:
    """Fill w with W of every state of a dense lattice.

    Args:
        problem: the problem.
        layout: its dense layout.
        threads: how many threads to use.
        settled: screens that were decided exactly.
        w: float64 [states], written in place.

    Returns:
        The states whose screens doubles cannot decide and `settled` does not; at most
        `settled.limit` + 1 in each array.
    """
    from .dense_kernels import sweep
    from .stopping_kernels import Hidden

    kinds = [problem.types[t] for t in layout.order]
    wrong = np.ascontiguousarray(problem.wrong[list(layout.order)])
    digits, block = _digits(kinds), _block(problem, layout, kinds, wrong)
    top_size, levels = _parts(layout, kinds, len(block.spent), threads)
    hidden = Hidden(problem.weights, problem.losses, wrong)
    terms = terms_of(problem)
    found: list[Integers] = []

    def part(tops: Integers) -> None:
        own = scratch(settled)
        sweep(w, tops, top_size, hidden, digits, block, terms, own)
        if own.noted[0]:
            found.append(own.found[: own.noted[0]].copy())

    for tops in levels:
        run(part, np.array_split(tops, min(len(tops), 4 * threads)), threads)
    return found


def _digits(kinds: list[VerifierType]) -> "Digits":
    """Return the digit tables of types, lowest first."""
    from .dense_kernels import Digits

    rows = [
        (
            digit_of(kind.uses, s + 1, r) - digit_of(kind.uses, s, r) if s + r < kind.uses else 0,
            int(s + r < kind.uses),
            likelihood(kind.if_right, s, r),
            likelihood(kind.if_wrong, s, r),
            (s + r) * kind.cost,
        )
        for kind in kinds
        for s, r in pairs(kind.uses)
    ]
    support, refute, right, wrong, cost = zip(*rows, strict=True) if rows else ((),) * 5
    sizes = [(kind.uses + 1) * (kind.uses + 2) // 2 for kind in kinds]
    return Digits(
        np.cumsum([0, *sizes]),
        np.array(support, np.int64),
        np.array(refute, np.int64),
        np.array(right, np.float64),
        np.array(wrong, np.float64),
        np.array(cost, np.int64),
    )


def _block(
    problem: Problem, layout: DenseLayout, kinds: list[VerifierType], wrong: Truths
) -> "Block":
    """Return the block of the lowest digits, with its lists of additions and minima."""
    from .dense_kernels import Block

    types = next((k for k in range(len(kinds)) if layout.stride[k] >= BLOCK_STATES), len(kinds))
    kinds, stride = kinds[:types], layout.stride[:types]
    leaves = [[(n, kind.uses - n) for n in range(kind.uses + 1)] for kind in kinds]
    ends = [(kind, pair) for kind, leaf in zip(kinds, leaves, strict=True) for pair in leaf]
    positions = [
        [digit_of(kind.uses, *pair) * step for pair in leaf]
        for kind, leaf, step in zip(kinds, leaves, stride, strict=True)
    ]
    spent = np.zeros(1, np.int64)
    for kind in kinds:
        costs = np.array([(s + r) * kind.cost for s, r in pairs(kind.uses)], np.int64)
        spent = (costs[:, None] + spent[None, :]).reshape(-1)
    rows = types >= ROW_TYPES and all(kind.uses == 1 for kind in kinds[:ROW_TYPES])
    schedule = _Schedule(kinds, stride, ROW_TYPES if rows else 0)
    return Block(
        types,
        (1 << np.arange(types)) @ wrong[:types].astype(np.int64)
        if types
        else np.zeros(wrong.shape[1], np.int64),
        np.cumsum([0, *map(len, leaves)]),
        np.array([likelihood(kind.if_right, *pair) for kind, pair in ends]),
        np.array([likelihood(kind.if_wrong, *pair) for kind, pair in ends]),
        np.array([sum(place) for place in _lowest_first(positions)], np.int64),
        _table(schedule.fill(types, 0)),
        _table(schedule.sweep(types, 0)),
        spent,
        np.asarray(problem.price * spent, np.float64),
    )


def _lowest_first(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Yield one of each, the first varying fastest."""
    return product(*reversed(choices))


def _table(rows: Iterator[Operation]) -> Integers:
    return np.array(list(rows), np.int64).reshape(-1, 4)


class _Schedule:
    """The lists of additions and minima that make a block; rows of 27 are one entry."""

    def __init__(self, kinds: list[VerifierType], stride: tuple[int, ...], row: int) -> None:
        self._pairs = [list(pairs(kind.uses)) for kind in kinds]
        self._uses = [kind.uses for kind in kinds]
        self._stride, self._row = stride, row

    def fill(self, types: int, base: int) -> Iterator[Operation]:
        """Yield the additions that fill the lowest digits, given their leaves."""
        if types == self._row:
            if types:
                yield base, 0, 0, 0
            return
        for digit in self._digits(types, asked=False):
            yield from self.fill(types - 1, base + digit * self._stride[types - 1])
        for digit in self._digits(types, asked=True):
            yield self._operation(types, base, digit)

    def sweep(self, types: int, base: int) -> Iterator[Operation]:
        """Yield the minima over the lowest digits, from the last state to the first."""
        if types == self._row:
            if types:
                yield base, 0, 0, 0
            return
        for digit in range(len(self._pairs[types - 1]) - 1, -1, -1):
            if sum(self._pairs[types - 1][digit]) < self._uses[types - 1]:
                yield self._operation(types, base, digit)
            yield from self.sweep(types - 1, base + digit * self._stride[types - 1])

    def _digits(self, types: int, asked: bool) -> Iterator[int]:
        """Yield a type's digits from the last: those that can be asked once more, or the others."""
        for digit in range(len(self._pairs[types - 1]) - 1, -1, -1):
            if (sum(self._pairs[types - 1][digit]) < self._uses[types - 1]) == asked:
                yield digit

    def _operation(self, types: int, base: int, digit: int) -> Operation:
        (s, r), uses, step = (
            self._pairs[types - 1][digit],
            self._uses[types - 1],
            self._stride[types - 1],
        )
        after = (digit_of(uses, s + 1, r), digit_of(uses, s, r + 1))
        return base + digit * step, base + after[0] * step, base + after[1] * step, step


def _parts(
    layout: DenseLayout, kinds: list[VerifierType], block: int, threads: int
) -> tuple[int, list[Integers]]:
    """Return the size of a part, and the parts by level: each follows only from earlier levels."""
    first = len(kinds)
    while threads > 1 and first and layout.stride[first - 1] >= block:
        first -= 1
        if layout.states // layout.stride[first] >= PARTS:
            break
    size = layout.stride[first] if first < len(kinds) else layout.states
    asked = np.zeros(1, np.int64)
    for kind in kinds[first:]:
        answers = np.array([s + r for s, r in pairs(kind.uses)], np.int64)
        asked = (answers[:, None] + asked[None, :]).reshape(-1)
    return size, [np.flatnonzero(asked == level) for level in range(int(asked.max()), -1, -1)]
