"""The paper's definitions on small integers: what is confirmed by symbolic execution.

This file is the specification of every decision of a review over a chain. A ledger is a tuple with
one state for each atom; a route is a tuple with one need for each atom; a program is a tuple, over
the conclusions from the weakest, of tuples of routes. `decisions` computes the same on bit masks
for programs of any size and order, and is checked to agree with this file.

The code is fork-free: `&`, `|`, comparisons and arithmetic selection in place of `and`, `or`, `if`
and early return. A symbolic executor then follows a handful of paths and hands the solver one
query, so that whole programs, not only ledgers, can be symbolic. Truth is 0 or 1 here.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

# States of an atom (D1). A need is NOTHING, TRUE or FALSE; CONFLICT as a need is never met.
UNKNOWN: Final = 0
TRUE: Final = 1
FALSE: Final = 2
CONFLICT: Final = 3
NOTHING: Final = 0

LedgerStates: TypeAlias = tuple[int, ...]
RouteNeeds: TypeAlias = tuple[int, ...]
ProgramNeeds: TypeAlias = tuple[tuple[RouteNeeds, ...], ...]


def all_of(values: Iterable[int]) -> int:
    """Return 1 if every value is 1, without a branch."""
    result = 1
    for value in values:
        result = result & value
    return result


def any_of(values: Iterable[int]) -> int:
    """Return 1 if some value is 1, without a branch."""
    result = 0
    for value in values:
        result = result | value
    return result


def choose(condition: int, when_one: int, when_zero: int) -> int:
    """Return `when_one` if `condition` is 1 and `when_zero` if it is 0, without a branch."""
    return when_zero + (when_one - when_zero) * condition


def satisfied(need: int, state: int) -> int:
    """Return 1 if the literal that `need` stands for is established by `state` (D1).

    A conflicting atom establishes neither literal.
    """
    return (need == NOTHING) | ((need == state) & (need != CONFLICT))


def holds(route: RouteNeeds, ledger: LedgerStates) -> int:
    """Return 1 if every literal of the route is established: z |= p."""
    return all_of(satisfied(need, state) for need, state in zip(route, ledger, strict=True))


def authorized(program: ProgramNeeds, ledger: LedgerStates) -> tuple[int, ...]:
    """Return, for each conclusion of the chain, 1 if it is in Auth_P(z), Equation (1)."""
    own = [any_of(holds(route, ledger) for route in routes) for routes in program]
    return tuple(any_of(own[weakest:]) for weakest in range(len(own)))


def residual(route: RouteNeeds, ledger: LedgerStates) -> tuple[int, ...]:
    """Return, for each atom, 1 if its literal in the route is not established, Equation (3)."""
    return tuple(1 - satisfied(need, state) for need, state in zip(route, ledger, strict=True))


def targetable(route: RouteNeeds, ledger: LedgerStates, unavailable: tuple[int, ...]) -> int:
    """Return 1 if every literal of the residual is open: its atom unknown and not certified.

    Source: the live routes of section 3, without those that wait for a repair.
    """
    return all_of(
        satisfied(need, state) | ((need != CONFLICT) & (state == UNKNOWN) & (withheld == 0))
        for need, state, withheld in zip(route, ledger, unavailable, strict=True)
    )


def residual_cost(
    route: RouteNeeds, ledger: LedgerStates, call_class: tuple[int, ...], cost: tuple[int, ...]
) -> int:
    """Return the estimated cost of the residual for disjoint call classes.

    Args:
        route: the needs.
        ledger: the states.
        call_class: for each atom, the index of the one check that settles it.
        cost: for each check, its cost. A check that settles several literals counts once.
    """
    missing = residual(route, ledger)
    return sum(
        price * any_of(m & (own == index) for m, own in zip(missing, call_class, strict=True))
        for index, price in enumerate(cost)
    )


def target(
    program: ProgramNeeds,
    ledger: LedgerStates,
    unavailable: tuple[int, ...],
    call_class: tuple[int, ...],
    cost: tuple[int, ...],
    budget: int,
) -> tuple[int, int, int]:
    """Return (c*, p*, cost) of Equation (4) on a chain; (0, 0, 0) is no target.

    c* counts conclusions from 1, weakest first, and p* counts its routes from 1, as listed. c* is
    the strongest conclusion with a targetable route within `budget`, p* its cheapest such route,
    the first listed among equals.
    """
    best, best_route, best_cost = 0, 0, 0
    for conclusion, routes in enumerate(program, start=1):
        reachable, own_route, own_cost = 0, 0, 0
        for position, route in enumerate(routes, start=1):
            price = residual_cost(route, ledger, call_class, cost)
            fits = targetable(route, ledger, unavailable) & (price <= budget)
            better = fits & ((reachable == 0) | (price < own_cost))
            own_route = choose(better, position, own_route)
            own_cost = choose(better, price, own_cost)
            reachable = reachable | fits
        best = choose(reachable, conclusion, best)
        best_route = choose(reachable, own_route, best_route)
        best_cost = choose(reachable, own_cost, best_cost)
    return best, best_route, best_cost


def hold(target_conclusion: int, auth: tuple[int, ...]) -> int:
    """Return the hold indicator mu on a chain: 1 if the target is above everything authorized.

    `target_conclusion` counts from 1 and 0 is no target, which is never above abstention.
    """
    return target_conclusion > sum(auth)
