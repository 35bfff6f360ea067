"""The dense sweep: backward induction on a mixed-radix lattice, block by block.

A state is one digit for each type of verifiers, its pair of counts. Digits are numbered so that
every answer leads to a greater index: a sweep downwards meets a state after all that follow it.
The lowest digits form a block that stays in the processor's cache. For each block:

1. the hidden states' weights, times the likelihoods of the digits above the block, are added up
   into cells: which of the block's types report that something is wrong;
2. cells become the block's leaves, where every type in it is used up; the sums Z, U and H (the
   probability, the expected loss of Proceed and the probability of harm, all unnormalized) of
   every other state are sums over its two successors, by a list of additions made beforehand;
3. T = min(U if Proceed is admissible else infinity, kappa Z) + lambda spent Z;
4. questions above the block are minima over whole blocks, those within it minima over runs of
   states, by another list made beforehand.
"""

from typing import NamedTuple

import numpy as np

from ..compilation import compiled
from .stopping_kernels import (
    Doubles,
    Exact,
    Hidden,
    Integers,
    Terms,
    Truths,
    add_cells,
    outcomes,
    stop_all,
)


class Digits(NamedTuple):
    """The digits of every type, one after the other: type t has start[t] to start[t + 1].

    Attributes:
        start: int64 [m + 1].
        support: int64 [D], how much greater the digit is after support; 0 when used up.
        refute: int64 [D], the same after refute.
        right: float64 [D], the likelihood of the digit's answers when nothing covered is wrong.
        wrong: float64 [D], the same when something is.
        cost: int64 [D], what the answers cost.
    """

    start: Integers
    support: Integers
    refute: Integers
    right: Doubles
    wrong: Doubles
    cost: Integers


class Block(NamedTuple):
    """The lowest `types` digits: `size` states, and `leaves` where every type is used up.

    Attributes:
        types: how many types it has.
        cell: int64 [S], the cell of each hidden state: bit t is set when type t sees it as wrong.
        leaf_start: int64 [types + 1]; type t has leaf_start[t] to leaf_start[t + 1] of these two:
        leaf_right: float64, for each leaf digit of a type its likelihood when nothing is wrong.
        leaf_wrong: float64, the same when something covered is wrong.
        leaf_at: int64 [leaves], where in the block each leaf is; the lowest type varies fastest.
        fill: int64 [f, 4], rows (to, first, second, length): x[to:] = x[first:] + x[second:];
            length 0 stands for a row of 27 states at `to`.
        sweep: int64 [g, 4], the same rows for w[to:] = min(w[to:], w[first:] + w[second:]).
        spent: int64 [size], what a state's answers within the block cost.
        extra: float64 [size], lambda times that.
    """

    types: int
    cell: Integers
    leaf_start: Integers
    leaf_right: Doubles
    leaf_wrong: Doubles
    leaf_at: Integers
    fill: Integers
    sweep: Integers
    spent: Integers
    extra: Doubles


@compiled
def _fill_row(x: Doubles, at: int) -> None:
    """Fill 27 states of three digits (0: none, 1: refute, 2: support) from their eight leaves."""
    for a in range(1, 3):
        for b in range(1, 3):
            i = at + 9 * a + 3 * b
            x[i] = x[i + 1] + x[i + 2]
        for c in range(3):
            i = at + 9 * a + c
            x[i] = x[i + 3] + x[i + 6]
    for c in range(9):
        x[at + c] = x[at + c + 9] + x[at + c + 18]


@compiled
def _least(w: Doubles, to: int, first: int, second: int, length: int) -> None:
    """Set w[to:] to the lesser of itself and of w[first:] + w[second:], over `length` states."""
    target, left, right = (
        w[to : to + length],
        w[first : first + length],
        w[second : second + length],
    )
    for i in range(length):
        value, best = left[i] + right[i], target[i]
        target[i] = value if value < best else best


@compiled
def _sweep_row(w: Doubles, at: int) -> None:
    """Take the minima of 27 states of three digits (0: none, 1: refute, 2: support).

    Written out on local variables, so that the processor's registers hold them.
    """
    r = w[at : at + 27]
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = (
        r[9],
        r[10],
        r[11],
        r[12],
        r[13],
        r[14],
        r[15],
        r[16],
        r[17],
    )
    c0, c1, c2, c3, c4, c5, c6, c7, c8 = (
        r[18],
        r[19],
        r[20],
        r[21],
        r[22],
        r[23],
        r[24],
        r[25],
        r[26],
    )
    c3, c6 = min(c3, c4 + c5), min(c6, c7 + c8)
    c1, c2 = min(c1, c4 + c7), min(c2, c5 + c8)
    c0 = min(c0, c3 + c6, c1 + c2)
    b3, b6 = min(b3, b4 + b5), min(b6, b7 + b8)
    b1, b2 = min(b1, b4 + b7), min(b2, b5 + b8)
    b0 = min(b0, b3 + b6, b1 + b2)
    a1, a2, a3 = min(a1, b1 + c1), min(a2, b2 + c2), min(a3, b3 + c3)
    a4, a5, a6 = min(a4, b4 + c4), min(a5, b5 + c5), min(a6, b6 + c6)
    a7, a8 = min(a7, b7 + c7), min(a8, b8 + c8)
    a3, a6 = min(a3, a4 + a5), min(a6, a7 + a8)
    a1, a2 = min(a1, a4 + a7), min(a2, a5 + a8)
    a0 = min(a0, b0 + c0, a3 + a6, a1 + a2)
    r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8] = a0, a1, a2, a3, a4, a5, a6, a7, a8
    r[9], r[10], r[11], r[12], r[15] = b0, b1, b2, b3, b6
    r[18], r[19], r[20], r[21], r[24] = c0, c1, c2, c3, c6


@compiled
def _fill_block(x: Doubles, fill: Integers) -> None:
    """Make every sum of a block from its leaves."""
    for k in range(fill.shape[0]):
        to, first, second, length = fill[k, 0], fill[k, 1], fill[k, 2], fill[k, 3]
        if length == 0:
            _fill_row(x, to)
        else:
            target = x[to : to + length]
            left, right = x[first : first + length], x[second : second + length]
            for i in range(length):
                target[i] = left[i] + right[i]


@compiled
def _sweep_block(w: Doubles, sweep: Integers) -> None:
    """Take every minimum over questions within a block."""
    for k in range(sweep.shape[0]):
        to, length = sweep[k, 0], sweep[k, 3]
        if length == 0:
            _sweep_row(w, to)
        else:
            _least(w, to, sweep[k, 1], sweep[k, 2], length)


@compiled
def _spread(leaves: Doubles, count: int, leaf_at: Integers, sums: Doubles) -> None:
    """Put the sums of a block's leaves in their places."""
    for i in range(count):
        for k in range(3):
            sums[k, leaf_at[i]] = leaves[4 * i + k]


@compiled
def _ask_above(
    w: Doubles, base: int, size: int, digits: Digits, block_types: int, above: Integers
) -> None:
    """Take the minima over questions to the types above the block."""
    stride = size
    for j in range(above.shape[0]):
        start = digits.start[block_types + j]
        support, refute = digits.support[start + above[j]], digits.refute[start + above[j]]
        if support > 0:
            _least(w, base, base + support * stride, base + refute * stride, size)
        stride *= digits.start[block_types + j + 1] - start


@compiled
def _weigh(
    stack: Doubles, level: int, wrong: Truths, likelihood_right: float, likelihood_wrong: float
) -> None:
    """Set the weights at a level to those above it times one type's likelihoods."""
    source, target = stack[level + 1], stack[level]
    for s in range(source.shape[0]):
        target[s] = source[s] * (likelihood_wrong if wrong[s] else likelihood_right)


@compiled
def sweep(
    w: Doubles,
    tops: Integers,
    top_size: int,
    problem: Hidden,
    digits: Digits,
    block: Block,
    terms: Terms,
    exact: Exact,
) -> None:
    """Compute W of some top parts of the lattice; all states that follow them are there already.

    Args:
        w: float64 [states], written in place from top * top_size on, for every top.
        tops: int64, which parts.
        top_size: how many states a part has, a multiple of the block's size.
        problem: the hidden states.
        digits: the digits of all types, lowest first.
        block: the block.
        terms: the numbers in Equation (2).
        exact: what was decided exactly, and where what remains is noted.
    """
    size, hidden = block.spent.shape[0], problem.weights.shape[0]
    above = digits.start.shape[0] - 1 - block.types
    digit = np.full(above, -1, np.int64)
    stack = np.empty((above + 1, hidden))
    stack[above] = problem.weights
    leaves = max(block.leaf_at.shape[0], 1 << block.types)
    cells, spare, sums = np.empty(4 * leaves), np.empty(4 * leaves), np.zeros((3, size))
    quantities = 3 if terms.screens else 2
    greatest = block.spent.max()
    for top in tops:
        for number in range(top_size // size - 1, -1, -1):
            base = top * top_size + number * size
            spent = _move(digit, base // size, digits, block.types, stack, problem.wrong)
            part = w[base : base + size]
            if spent > terms.budget:
                part[:] = np.inf
                continue
            add_cells(cells, stack[0], problem.losses, block.cell)
            count = outcomes(
                cells, spare, block.types, block.leaf_start, block.leaf_right, block.leaf_wrong
            )
            _spread(cells if block.types % 2 == 0 else spare, count, block.leaf_at, sums)
            for k in range(quantities):
                _fill_block(sums[k], block.fill)
            paid = terms.price * spent
            exact.base[0] = base
            stop_all(sums, part, paid, block.extra, terms, exact)
            if spent + greatest > terms.budget:
                for i in range(size):
                    if spent + block.spent[i] > terms.budget:
                        part[i] = np.inf
            _ask_above(w, base, size, digits, block.types, digit)
            _sweep_block(part, block.sweep)


@compiled
def _move(
    digit: Integers, number: int, digits: Digits, first: int, stack: Doubles, wrong: Truths
) -> int:
    """Set the digits above the block to a block's number, weigh anew, and return what was spent.

    Only the weights from the highest digit that changed downwards are made again.
    """
    above = digit.shape[0]
    changed, spent, rest = -1, 0, number
    for j in range(above):
        start = digits.start[first + j]
        radix = digits.start[first + j + 1] - start
        d = rest % radix
        rest //= radix
        spent += digits.cost[start + d]
        if d != digit[j]:
            digit[j], changed = d, j
    for j in range(changed, -1, -1):
        at = digits.start[first + j] + digit[j]
        _weigh(stack, j, wrong[first + j], digits.right[at], digits.wrong[at])
    return spent
