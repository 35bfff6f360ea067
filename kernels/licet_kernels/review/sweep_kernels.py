"""The sweep of exact review planning: the worth of every state, from the last set down.

    worth(s) = max( stop(s), max over q of E[ worth(s and the answer to q) ] ),

or, where the greatest regret is minimized, with the least over the answers in place of E. Atoms are
independent, so an answer has the same probability at every state: worths need no weighting by the
probability of their state, and states of probability 0 keep theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ..compilation import compiled
from .set_kernels import (
    ONE,
    ZERO,
    Doubles,
    Integers,
    Mask,
    Masks,
    Sets,
    count_bits,
    lowest_bit,
    place_of,
    squeeze,
)

IDEAL: Final = 0
OPEN: Final = 1
GAINED: Final = 2

# Shorter runs of equal values are not written run by run: looking at every value is quicker.
_SHORT: Final = 8


class Routes(NamedTuple):
    """The routes that may still raise what is earned, by rising utility.

    Attributes:
        mask: uint64[routes], the atoms on the lattice that each lacks at the root.
        pattern: uint64[routes], those of them that it needs true.
        utility: float64[routes].
        reach: int64[routes]: `GAINED` where checks can establish the route; `OPEN` where some atom
            that it lacks has no check that can be paid; `IDEAL` where one was unavailable, so that
            only an assignment can make it true.
        earned: the utility of what is authorized at the root.
    """

    mask: Masks
    pattern: Masks
    utility: Doubles
    reach: Integers
    earned: float


class Priors(NamedTuple):
    """float64[atoms]: the probabilities that each atom on the lattice is true, and false."""

    true: Doubles
    false: Doubles


@compiled
def write(values: Doubles, utility: float, mask: Mask, pattern: Mask, atoms: Mask) -> None:
    """Write a utility wherever the settled `atoms` agree with a pattern on `mask`, part of them."""
    if mask == ZERO:
        values[:] = utility
        return
    fixed, begin = squeeze(mask, atoms), squeeze(pattern & mask, atoms)
    # The free bits below the lowest fixed one are a run; those above are counted through.
    run = np.int64(lowest_bit(fixed))
    if run < _SHORT:
        for value in range(len(values)):
            agrees = np.uint64(value) & fixed == begin
            values[value] = utility if agrees else values[value]
        return
    free = np.uint64(len(values) - 1) & ~fixed & ~np.uint64(run - 1)
    high = ZERO
    while True:
        here = np.int64(high | begin)
        for value in range(here, here + run):
            values[value] = utility
        high = (high - free) & free
        if high == ZERO:
            return


@compiled
def fill_stop(worth: Doubles, ideal: Doubles, atoms: Mask, routes: Routes, regret: bool) -> None:
    """Fill `worth` with what stopping is worth at every state of one set, which settles `atoms`.

    That is the utility of the strongest conclusion that is established; with `regret`, less that
    of the strongest that what is settled leaves possible, for which `ideal` is scratch space.
    """
    worth[:] = routes.earned
    for route in range(len(routes.mask)):
        mask = routes.mask[route]
        if routes.reach[route] == GAINED and not mask & ~atoms:
            write(worth, routes.utility[route], mask, routes.pattern[route], atoms)
    if regret:
        ideal[:] = routes.earned
        for route in range(len(routes.mask)):
            known = routes.mask[route] & atoms
            write(ideal, routes.utility[route], known, routes.pattern[route], atoms)
        for value in range(len(worth)):
            worth[value] -= ideal[value]


@compiled
def _raise(  # noqa: C901, PLR0912 - in functions of their own its loops are not inlined
    worth: Doubles, after: Doubles, place: np.int64, true: float, false: float
) -> None:
    """Raise worths to those of a check of one atom, whose bit `after` has at `place`.

    Where runs are short each length has a loop of its own: only where it is known they vectorize.
    """
    if place == 0:
        for value in range(len(worth)):
            mean = true * after[2 * value + 1] + false * after[2 * value]
            worth[value] = max(worth[value], mean)
    elif place == 1:
        for part in range(len(worth) >> 1):
            here = 2 * part
            for low in range(here, here + 2):
                mean = true * after[here + 2 + low] + false * after[here + low]
                worth[low] = max(worth[low], mean)
    elif place == 2:
        for part in range(len(worth) >> 2):
            here = 4 * part
            for low in range(here, here + 4):
                mean = true * after[here + 4 + low] + false * after[here + low]
                worth[low] = max(worth[low], mean)
    elif place == 3:
        for part in range(len(worth) >> 3):
            here = 8 * part
            for low in range(here, here + 8):
                mean = true * after[here + 8 + low] + false * after[here + low]
                worth[low] = max(worth[low], mean)
    else:
        run = 1 << place
        for here in range(0, len(worth), run):
            kept, zero = worth[here : here + run], after[2 * here : 2 * here + run]
            one = after[2 * here + run : 2 * here + 2 * run]
            for low in range(run):
                kept[low] = max(kept[low], true * one[low] + false * zero[low])


@compiled
def _raise_least(worth: Doubles, after: Doubles, place: np.int64) -> None:
    """Do the same with the least over the two answers."""
    run = 1 << place
    for here in range(0, len(worth), run):
        kept, zero = worth[here : here + run], after[2 * here : 2 * here + run]
        one = after[2 * here + run : 2 * here + 2 * run]
        for low in range(run):
            kept[low] = max(kept[low], min(zero[low], one[low]))


@compiled
def _fold(folded: Doubles, after: Doubles, place: np.int64, priors: Priors, atom: np.int64) -> None:
    """Put half as many values in `folded`, which may be `after`: the expectations over one atom."""
    run, true, false = 1 << place, priors.true[atom], priors.false[atom]
    for high in range(len(after) >> (place + 1)):
        here, there = high << place, high << (place + 1)
        for low in range(run):
            folded[here + low] = true * after[there + run + low] + false * after[there + low]


@compiled
def _fold_least(folded: Doubles, after: Doubles, place: np.int64) -> None:
    """Do the same with the least over the two answers."""
    run = 1 << place
    for high in range(len(after) >> (place + 1)):
        here, there = high << place, high << (place + 1)
        for low in range(run):
            folded[here + low] = min(after[there + low], after[there + run + low])


@compiled
def _fold_all(
    after: Doubles, atoms: Mask, new: Mask, priors: Priors, regret: bool, scratch: Doubles
) -> Doubles:
    """Return the worths of a check over all its `new` atoms but the lowest, in `scratch`.

    The highest new atom is folded first, so that runs are long.
    """
    while new & (new - ONE):
        top = new
        while top & (top - ONE):
            top &= top - ONE
        new ^= top
        place = count_bits((atoms | new) & (top - ONE))
        if regret:
            _fold_least(scratch, after, place)
        else:
            _fold(scratch, after, place, priors, count_bits(top - ONE))
        after = scratch[: len(after) >> 1]
    return after


Sweep: TypeAlias = Callable[[int, int, Sets, Routes, Priors, Doubles, Doubles], None]


def _sweep(regret: bool) -> Sweep:
    """Return a function that fills the worths of the sets from `end` down to `begin`.

    One for each of the two worths: where one does both, its loops do not vectorize. The worths of
    sets after these with one check more are there already. The arguments are

        begin: the first set.
        end: the set after the last.
        sets: the lattice.
        routes: what can be earned.
        priors: of the atoms.
        worth: float64[states], in units of utility; filled at these sets.
        scratch: float64, half as many as the largest set has states; for this call alone.
    """

    @compiled
    def sweep(
        begin: int,
        end: int,
        sets: Sets,
        routes: Routes,
        priors: Priors,
        worth: Doubles,
        scratch: Doubles,
    ) -> None:
        for place in range(end - 1, begin - 1, -1):
            here = worth[sets.offsets[place] : sets.offsets[place + 1]]
            atoms, made, left = sets.atoms[place], sets.made[place], sets.left - sets.spent[place]
            fill_stop(here, scratch[: len(here)], atoms, routes, regret)
            for check in range(len(sets.call_atoms)):
                bit = ONE << np.uint64(check)
                new = sets.call_atoms[check] & ~atoms
                if made & bit or new == ZERO or sets.call_cost[check] > left:
                    continue
                then = place_of(sets, made | bit)
                after = worth[sets.offsets[then] : sets.offsets[then + 1]]
                if new & (new - ONE):
                    after = _fold_all(after, atoms, new, priors, regret, scratch)
                below = lowest_bit(new) - ONE
                at, atom = count_bits(atoms & below), count_bits(below)
                if regret:
                    _raise_least(here, after, at)
                else:
                    _raise(here, after, at, priors.true[atom], priors.false[atom])

    return sweep


sweep_expected: Final = _sweep(regret=False)
"""Fills in what is expected to be earned."""

sweep_regret: Final = _sweep(regret=True)
"""Fills in minus the greatest regret."""
