"""Authorization and targets over many ledgers at once, equal to `licet.decisions` bit for bit.

A ledger is four masks, as in `licet.decisions.Settled`. Each kernel here gives of every ledger what
the function of the core that it names gives of one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from licet.covers import COVER_CHOICES

from ..compilation import compiled
from .encoding import CallArrays, ConclusionArrays, RouteArrays
from .set_kernels import ONE, ZERO, Doubles, Integers, Mask, Masks, count_bits, lowest_bit

_CHOICES: Final = COVER_CHOICES
_CHECKS: Final = 64
# On one path of the search each check is taken at most once, and leaves its rivals waiting.
_WAITING: Final = _CHECKS * _CHECKS + 1


class Ledgers(NamedTuple):
    """Ledgers, as uint64[ledgers] masks of atoms, disjoint by definition but for the last."""

    true: Masks
    false: Masks
    conflict: Masks
    unavailable: Masks


class Targets(NamedTuple):
    """For each ledger (c*, p*) and its cover, as in `licet.decisions.Target`.

    Attributes:
        conclusion: int64[ledgers]; -1 is no target.
        route: int64[ledgers], its place among the routes of the conclusion.
        checks: uint64[ledgers], the cover of the residual.
        cost: int64[ledgers], of these checks, in units.
        least: bool[ledgers], whether it is proven to be the least.
        first: int64[ledgers], the check that comes first; -1 where nothing is missing.
    """

    conclusion: Integers
    route: Integers
    checks: Masks
    cost: Integers
    least: NDArray[np.bool_]
    first: Integers


@compiled
def _authorized(
    true: Mask, false: Mask, conclusions: ConclusionArrays, routes: RouteArrays
) -> Mask:
    auth = ZERO
    for conclusion in range(len(conclusions.rank)):
        for route in range(routes.starts[conclusion], routes.starts[conclusion + 1]):
            if not (routes.needs_true[route] & ~true or routes.needs_false[route] & ~false):
                auth |= conclusions.at_or_below[conclusion]
                break
    return auth


@compiled
def authorized_of(
    ledgers: Ledgers, conclusions: ConclusionArrays, routes: RouteArrays, auth: Masks
) -> None:
    """Fill `auth`, uint64[ledgers], with `licet.decisions.authorized` of every ledger."""
    for ledger in range(len(auth)):
        auth[ledger] = _authorized(ledgers.true[ledger], ledgers.false[ledger], conclusions, routes)


@compiled
def maximal_of(auth: Masks, conclusions: ConclusionArrays, maximal: Masks) -> None:
    """Fill `maximal`, uint64[ledgers], with `licet.decisions.maximal` of what is authorized."""
    for ledger in range(len(auth)):
        mask, left = auth[ledger], auth[ledger]
        while left != ZERO:
            bit = lowest_bit(left)
            left ^= bit
            mask &= ~(conclusions.at_or_below[count_bits(bit - ONE)] & ~bit)
        maximal[ledger] = mask


@compiled
def _before(checks: Mask, cost: int, best: Mask, best_cost: int) -> bool:
    if cost != best_cost:
        return cost < best_cost
    if count_bits(checks) != count_bits(best):
        return bool(count_bits(checks) < count_bits(best))
    differ = checks ^ best
    return bool(checks & lowest_bit(differ))


@compiled
def _list_branches(
    calls: CallArrays, left: Mask, runnable: Mask, worths: Doubles, branches: Integers
) -> int:
    """List the runnable checks of the lowest atom left, and return how many there are.

    By rising number of atoms for a unit of cost, then by falling index.
    """
    atom, count = count_bits(lowest_bit(left) - ONE), 0
    for index in range(calls.settled_starts[atom], calls.settled_starts[atom + 1]):
        check = calls.settled_by[index]
        if runnable >> np.uint64(check) & ONE:
            settled = count_bits(left & calls.atoms[check])
            worth = settled / calls.cost[check] if calls.cost[check] else np.inf
            place = count
            while place and worths[place - 1] >= worth:
                worths[place], branches[place] = worths[place - 1], branches[place - 1]
                place -= 1
            worths[place], branches[place] = worth, check
            count += 1
    return count


@compiled
def _search(
    calls: CallArrays, atoms: Mask, runnable: Mask, most: int, taken: Mask, taken_cost: int
) -> tuple[bool, Mask, int, bool]:
    """Return whether there is a cover within `most`, its checks, its cost, and whether it is least.

    The same search as the core's, choice by choice, so that covers agree beyond its limit too.
    """
    lefts, covers = np.zeros(_WAITING, np.uint64), np.zeros(_WAITING, np.uint64)
    costs, branches = np.zeros(_WAITING, np.int64), np.zeros(_CHECKS, np.int64)
    worths = np.zeros(_CHECKS, np.float64)
    lefts[0], covers[0], costs[0] = atoms, taken, taken_cost
    waiting, choices = 1, _CHOICES
    found, best, best_cost = False, ZERO, 0
    while waiting:
        waiting -= 1
        left, checks, cost = lefts[waiting], covers[waiting], costs[waiting]
        if cost > most:
            continue
        if left == ZERO:
            if not found or _before(checks, cost, best, best_cost):
                found, best, best_cost, most = True, checks, cost, cost
            continue
        if choices == 0:
            break
        choices -= 1
        count = _list_branches(calls, left, runnable, worths, branches)
        if count == 0:
            return False, ZERO, 0, False
        # The last is followed first.
        for check in branches[:count]:
            lefts[waiting] = left & ~calls.atoms[check]
            covers[waiting] = checks | ONE << np.uint64(check)
            costs[waiting] = cost + calls.cost[check]
            waiting += 1
    return found, best, best_cost, choices > 0


@compiled
def _cover(
    calls: CallArrays, atoms: Mask, runnable: Mask, most: int
) -> tuple[bool, Mask, int, bool]:
    checks, cost, contested = ZERO, 0, ZERO
    while atoms != ZERO:
        bit = lowest_bit(atoms)
        atom = count_bits(bit - ONE)
        start = calls.settled_starts[atom]
        if calls.settled_starts[atom + 1] - start > 1:
            contested |= bit
            atoms ^= bit
            continue
        check = calls.settled_by[start]
        if not runnable >> np.uint64(check) & ONE:
            return False, ZERO, 0, False
        checks |= ONE << np.uint64(check)
        cost += calls.cost[check]
        atoms &= ~calls.atoms[check]
        contested &= ~calls.atoms[check]
    if cost > most:
        return False, ZERO, 0, False
    if contested != ZERO:
        return _search(calls, contested, runnable, most, checks, cost)
    return True, checks, cost, True


@compiled
def _first_check(
    route: int, missing: Mask, checks: Mask, routes: RouteArrays, calls: CallArrays
) -> int:
    for position in range(routes.order_starts[route], routes.order_starts[route + 1]):
        atom = routes.order[position]
        if missing >> np.uint64(atom) & ONE:
            for index in range(calls.settled_starts[atom], calls.settled_starts[atom + 1]):
                if checks >> np.uint64(calls.settled_by[index]) & ONE:
                    return int(calls.settled_by[index])
    return -1


@compiled
def targets_of(
    ledgers: Ledgers,
    budgets: Integers,
    runnable: Masks,
    conclusions: ConclusionArrays,
    routes: RouteArrays,
    calls: CallArrays,
    targets: Targets,
) -> None:
    """Fill `targets` with `licet.decisions.target` of every ledger, and its first check.

    Args:
        ledgers: the ledgers.
        budgets: int64[ledgers], what is left, in units.
        runnable: uint64[ledgers], the checks that may still be run.
        conclusions: of the program.
        routes: of the program.
        calls: of the program.
        targets: filled.
    """
    for ledger in range(len(budgets)):
        true, false = ledgers.true[ledger], ledgers.false[ledger]
        blocked = true | false | ledgers.conflict[ledger] | ledgers.unavailable[ledger]
        targets.conclusion[ledger] = targets.route[ledger] = targets.first[ledger] = -1
        targets.checks[ledger], targets.cost[ledger], targets.least[ledger] = ZERO, 0, False
        for conclusion in conclusions.by_utility:
            most, begin = budgets[ledger], routes.starts[conclusion]
            for route in range(begin, routes.starts[conclusion + 1]):
                missing = routes.needs_true[route] & ~true | routes.needs_false[route] & ~false
                if missing & blocked:
                    continue
                found, checks, cost, least = _cover(calls, missing, runnable[ledger], most)
                if found:
                    targets.conclusion[ledger], targets.route[ledger] = conclusion, route - begin
                    targets.checks[ledger], targets.cost[ledger] = checks, cost
                    targets.least[ledger] = least
                    targets.first[ledger] = _first_check(route, missing, checks, routes, calls)
                    most = cost - 1
            if targets.conclusion[ledger] >= 0:
                break
