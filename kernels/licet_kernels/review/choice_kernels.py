"""What a plan chooses at a state, from the worths of a sweep, and what comes of following it."""

from __future__ import annotations

import numpy as np

from ..compilation import compiled
from .set_kernels import (
    ONE,
    ZERO,
    Doubles,
    Mask,
    Sets,
    count_bits,
    lowest_bit,
    place_of,
    spread,
    squeeze,
)
from .sweep_kernels import GAINED, IDEAL, Priors, Routes


@compiled
def stopping_at(known: Mask, values: Mask, routes: Routes) -> tuple[float, float, Mask]:
    """Return, of one state: what is earned there, the ideal, and the atoms that may still matter.

    Args:
        known: the settled atoms.
        values: those of them that are true.
        routes: what can be earned.
    """
    earned, ideal, missing = routes.earned, routes.earned, ZERO
    for route in range(len(routes.mask)):
        mask = routes.mask[route]
        if not mask & known & (values ^ routes.pattern[route]):
            ideal = routes.utility[route]
            if routes.reach[route] == GAINED and not mask & ~known:
                earned = routes.utility[route]
    for route in range(len(routes.mask)):
        mask = routes.mask[route]
        possible = not mask & known & (values ^ routes.pattern[route])
        if possible and routes.reach[route] != IDEAL and routes.utility[route] > earned:
            missing |= mask & ~known
    return earned, ideal, missing


@compiled
def probability_of(new: Mask, settled: Mask, priors: Priors) -> float:
    """Return the probability that of the atoms `new` just those in `settled` are true."""
    chance = 1.0
    while new != ZERO:
        bit = lowest_bit(new)
        atom = count_bits(bit - ONE)
        chance *= priors.true[atom] if settled & bit else priors.false[atom]
        new ^= bit
    return chance


@compiled
def _worth_of_check(
    place: int,
    values: Mask,
    check: int,
    sets: Sets,
    priors: Priors,
    regret: bool,
    worth: Doubles,
) -> float:
    """Return what a check is worth at one state, from the worths of the states after it."""
    new = sets.call_atoms[check] & ~sets.atoms[place]
    then = place_of(sets, sets.made[place] | ONE << np.uint64(check))
    total, least = 0.0, np.inf
    for answer in range(1 << count_bits(new)):
        settled = spread(np.uint64(answer), new)
        state = np.int64(squeeze(values | settled, sets.atoms[then]))
        after = worth[sets.offsets[then] + state]
        total += probability_of(new, settled, priors) * after
        least = min(least, after)
    return least if regret else total


@compiled
def choose(
    place: int,
    values: Mask,
    sets: Sets,
    routes: Routes,
    priors: Priors,
    regret: bool,
    worth: Doubles,
    margin: float,
) -> int:
    """Return the check to run at one state, by its position on the lattice, or -1 to stop.

    Args:
        place: the set of the checks that were made.
        values: the settled atoms that are true.
        sets: the lattice.
        routes: what can be earned.
        priors: of the atoms.
        regret: as in the sweep.
        worth: float64[states], from the sweep.
        margin: worths this near to each other are equal: with `regret` in units of utility, else
            as a share of the greatest. Of equals, stopping comes first, then the first check.
    """
    earned, ideal, missing = stopping_at(sets.atoms[place], values, routes)
    stop = earned - ideal if regret else earned
    best, worths = stop, np.full(len(sets.call_atoms), -np.inf)
    for check in range(len(sets.call_atoms)):
        made = sets.made[place] & ONE << np.uint64(check)
        useful = not made and sets.call_atoms[check] & missing
        if useful and sets.spent[place] + sets.call_cost[check] <= sets.left:
            worths[check] = _worth_of_check(place, values, check, sets, priors, regret, worth)
            best = max(best, worths[check])
    slack = margin if regret else margin * best
    if best > stop + slack:
        for check in range(len(worths)):
            if worths[check] >= best - slack:
                return check
    return -1


@compiled
def follow(
    sets: Sets,
    routes: Routes,
    priors: Priors,
    regret: bool,
    worth: Doubles,
    margin: float,
    room: int,
) -> tuple[float, float, float, int]:
    """Follow the plan from the root through every answer.

    Args:
        sets: the lattice, and the others as in `choose`.
        routes: what can be earned.
        priors: of the atoms.
        regret: as in the sweep.
        worth: float64[states], from the sweep.
        margin: as in `choose`.
        room: how many states may wait: 1, and the answers to every check.

    Returns:
        The expected utility, the expected cost in units, the greatest regret, and how many states
        the plan reaches.
    """
    places, reached = np.zeros(room, np.int64), np.zeros(room, np.uint64)
    chances = np.ones(room, np.float64)
    utility, cost, greatest, states, waiting = 0.0, 0.0, 0.0, 0, 1
    while waiting:
        waiting -= 1
        states += 1
        place, values, chance = places[waiting], reached[waiting], chances[waiting]
        check = choose(place, values, sets, routes, priors, regret, worth, margin)
        if check < 0:
            earned, ideal, _ = stopping_at(sets.atoms[place], values, routes)
            utility += chance * earned
            greatest = max(greatest, ideal - earned)
            continue
        cost += chance * sets.call_cost[check]
        new = sets.call_atoms[check] & ~sets.atoms[place]
        then = place_of(sets, sets.made[place] | ONE << np.uint64(check))
        for answer in range(1 << count_bits(new)):
            settled = spread(np.uint64(answer), new)
            places[waiting], reached[waiting] = then, values | settled
            chances[waiting] = chance * probability_of(new, settled, priors)
            waiting += 1
    return utility, cost, greatest, states
