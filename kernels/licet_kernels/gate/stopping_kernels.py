"""What both layouts share: from hidden states to cells, to outcomes, to Equation (2)."""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..compilation import compiled

Doubles: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]

# A state of smaller probability is of no account, and may have lost its last digits.
LEAST_PROBABILITY: Final = 1e-250


class Terms(NamedTuple):
    """The numbers in Equation (2), as in `Problem`; `budget` in whole units of cost."""

    price: float
    abstain: float
    harm_screen: float
    loss_screen: float
    margin: float
    screens: bool
    faint: bool
    budget: int


class Hidden(NamedTuple):
    """The merged hidden states.

    Attributes:
        weights: float64 [S], probabilities.
        losses: float64 [S, 4], 1, the loss of Proceed, 1 where that is harm (else 0), and 0.
        wrong: bool [m, S], whether a type sees the state as wrong.
    """

    weights: Doubles
    losses: Doubles
    wrong: Truths


class Exact(NamedTuple):
    """Screens that rounding could turn: those decided exactly, and those still to be decided.

    Attributes:
        decided: int64, sorted indices of states.
        admits: bool, whether the screens admit Proceed there.
        found: int64, filled with the indices of states that are still to be decided.
        noted: int64 [1], how many were found; more than `found` holds are only counted.
        base: int64 [1], scratch.
    """

    decided: Integers
    admits: Truths
    found: Integers
    noted: Integers
    base: Integers


@compiled
def outcomes(
    cells: Doubles, spare: Doubles, places: int, start: Integers, right: Doubles, wrong: Doubles
) -> int:
    """Turn cells into outcomes; return how many there are.

    A cell is four numbers, one of them padding, so that a processor handles them at once. Cells are
    numbered in binary, one digit a place; outcomes have the places' own digits, in the same order.
    Place by place from the highest, each loses the highest digit and gains the lowest.

    Args:
        cells: float64 [4 * greatest size], in: 2^places cells. The result when `places` is even.
        spare: float64, the same size. The result when `places` is odd.
        places: how many places.
        start: int64 [places + 1]; place p has the digits start[p] to start[p + 1] of the next two,
            and places are listed from the lowest.
        right: float64, for each digit of a place its likelihood when nothing covered is wrong.
        wrong: float64, the same when something is.
    """
    size = 1 << places
    for p in range(places - 1, -1, -1):
        size //= 2
        count = start[p + 1] - start[p]
        if_right, if_wrong = cells[: 4 * size], cells[4 * size : 8 * size]
        for digit in range(count):
            r, w = right[start[p] + digit], wrong[start[p] + digit]
            target = spare[4 * digit : 4 * size * count]
            for i in range(size):
                at, to = 4 * i, 4 * i * count
                a = r * if_right[at] + w * if_wrong[at]
                b = r * if_right[at + 1] + w * if_wrong[at + 1]
                c = r * if_right[at + 2] + w * if_wrong[at + 2]
                d = r * if_right[at + 3] + w * if_wrong[at + 3]
                target[to], target[to + 1], target[to + 2], target[to + 3] = a, b, c, d
        size *= count
        cells, spare = spare, cells
    return size


@compiled
def too_close(value: float, bound: float, margin: float) -> bool:
    """Return whether rounding could turn the comparison of a value with a bound."""
    return (value > bound * (1.0 - margin)) & (value < bound * (1.0 + margin))


@compiled
def uncertain(h: float, u: float, most_harm: float, most_loss: float, terms: Terms) -> bool:
    """Return whether rounding could turn a screen, or what it sees is too small for a double."""
    close = too_close(h, most_harm, terms.margin) | too_close(u, most_loss, terms.margin)
    lost = ((h == 0.0) & (most_harm == 0.0)) | ((u == 0.0) & (most_loss == 0.0))
    return close | (terms.faint & lost)


@compiled
def stop(sums: Doubles, w: Doubles, paid: float, extra: Doubles, terms: Terms) -> int:
    """Write T of a block's states to w; return how many screens are too close to call."""
    total, risk, harm = sums[0], sums[1], sums[2]
    close = 0
    for i in range(w.shape[0]):
        z, u, h = total[i], risk[i], harm[i]
        decline, most_harm, most_loss = (
            terms.abstain * z,
            terms.harm_screen * z,
            terms.loss_screen * z,
        )
        proceed = (h <= most_harm) & (u <= most_loss) & (u < decline)
        w[i] = (u if proceed else decline) + (paid + extra[i]) * z
        close += int(uncertain(h, u, most_harm, most_loss, terms))
    return close


@compiled
def stop_unscreened(sums: Doubles, w: Doubles, paid: float, extra: Doubles, abstain: float) -> None:
    """Write T of a block's states to w, where nothing screens Proceed."""
    total, risk = sums[0], sums[1]
    for i in range(w.shape[0]):
        z, u = total[i], risk[i]
        decline = abstain * z
        w[i] = (u if u < decline else decline) + (paid + extra[i]) * z


@compiled
def settle(
    sums: Doubles, w: Doubles, paid: float, extra: Doubles, terms: Terms, exact: Exact
) -> None:
    """Take close screens from what was decided exactly; note those that were not."""
    for i in range(w.shape[0]):
        z, u, h = sums[0, i], sums[1, i], sums[2, i]
        decline, most_harm, most_loss = (
            terms.abstain * z,
            terms.harm_screen * z,
            terms.loss_screen * z,
        )
        close = uncertain(h, u, most_harm, most_loss, terms)
        if not (close and u < decline and z > LEAST_PROBABILITY):
            continue
        state = exact.base[0] + i
        at = np.searchsorted(exact.decided, state)
        if at < exact.decided.shape[0] and exact.decided[at] == state:
            w[i] = (u if exact.admits[at] else decline) + (paid + extra[i]) * z
        else:
            if exact.noted[0] < exact.found.shape[0]:
                exact.found[exact.noted[0]] = state
            exact.noted[0] += 1


@compiled
def stop_all(
    sums: Doubles, w: Doubles, paid: float, extra: Doubles, terms: Terms, exact: Exact
) -> None:
    """Write T of some states to w.

    Args:
        sums: float64 [3, at least states], Z, U and H.
        w: float64 [states], written.
        paid: lambda times what was spent on all of them, in units of loss.
        extra: float64 [at least states], the same for each of them alone.
        terms: the numbers in Equation (2).
        exact: exact decisions; `base` is the index of the first state.
    """
    if not terms.screens:
        stop_unscreened(sums, w, paid, extra, terms.abstain)
    elif stop(sums, w, paid, extra, terms) > 0:
        settle(sums, w, paid, extra, terms, exact)


@compiled
def add_cells(cells: Doubles, weights: Doubles, losses: Doubles, cell: Integers) -> None:
    """Add up the weights of hidden states by cell: of 1, of the loss, and of harm."""
    cells[:] = 0.0
    for s in range(weights.shape[0]):
        weight, loss, of_state = weights[s], losses[s], cells[4 * cell[s] : 4 * cell[s] + 4]
        for k in range(4):
            of_state[k] += weight * loss[k]
