"""The paper's definitions on small integers: what is confirmed by symbolic execution.

This file is the specification of every decision of a review over a chain. A ledger is a tuple with
one state for each atom; a route is a tuple with one need for each atom; a program is a tuple, over
the conclusions from the weakest, of tuples of routes. `decisions` computes the same on bit masks
for programs of any size and order, and is checked to agree with this file.

The code is fork-free: `&`, `|`, comparisons and arithmetic selection in place of `and`, `or`, `if`
and early return. A symbolic executor then follows a handful of paths and hands the solver one
query, so that whole programs, not only ledgers, can be symbolic. Truth is 0 or 1 here, and as a
truth value where it is combined: the executor has no symbolic `&` and `|` of other integers.

The functions that one decision calls for every literal or route have their contracts behind
icontract's slow switch (ICONTRACT_SLOW): a symbolic path calls them hundreds of times.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from icontract import SLOW, ensure, require

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
    result: int = True
    for value in values:
        result = result & value
    return result


def any_of(values: Iterable[int]) -> int:
    """Return 1 if some value is 1, without a branch."""
    result: int = False
    for value in values:
        result = result | value
    return result


def first_least(values: Sequence[int], usable: Sequence[int]) -> tuple[int, ...]:
    """Return, for each position, 1 if its value is the least usable one, the first of equals."""
    return tuple(
        usable[here]
        & all_of((usable[i] == 0) | (value < values[i]) for i in range(here))
        & all_of((usable[i] == 0) | (value <= values[i]) for i in range(here + 1, len(values)))
        for here, value in enumerate(values)
    )


@ensure(
    lambda need, state, result: (
        result
        == (
            (need == NOTHING)
            | ((need == TRUE) & (state == TRUE))
            | ((need == FALSE) & (state == FALSE))
        )
    ),
    enabled=SLOW,
)
def satisfied(need: int, state: int) -> int:
    """Return 1 if the literal that `need` stands for is established by `state` (D1).

    A conflicting atom establishes neither literal.
    """
    return (need == NOTHING) | ((need == state) & (need != CONFLICT))


@ensure(
    lambda route, ledger, result: (
        (result == 0)
        | all_of(
            (need == NOTHING) | (need == state) for need, state in zip(route, ledger, strict=True)
        )
    ),
    enabled=SLOW,
)
@ensure(
    lambda route, ledger, result: (
        (result == 1)
        | any_of(
            (need == CONFLICT) | ((need != NOTHING) & (need != state))
            for need, state in zip(route, ledger, strict=True)
        )
    ),
    enabled=SLOW,
)
def holds(route: RouteNeeds, ledger: LedgerStates) -> int:
    """Return 1 if every literal of the route is established: z |= p."""
    return all_of(satisfied(need, state) for need, state in zip(route, ledger, strict=True))


@ensure(lambda program, result: len(result) == len(program))
@ensure(lambda result: all_of(weaker >= stronger for weaker, stronger in pairwise(result)))
def authorized(program: ProgramNeeds, ledger: LedgerStates) -> tuple[int, ...]:
    """Return, for each conclusion of the chain, 1 if it is in Auth_P(z), Equation (1)."""
    own = [any_of(holds(route, ledger) for route in routes) for routes in program]
    return tuple(any_of(own[weakest:]) for weakest in range(len(own)))


@require(lambda route, ledger: len(route) == len(ledger), enabled=SLOW)
@ensure(
    lambda route, ledger, result: all_of(
        (lacking == 0) | (need != NOTHING) for lacking, need in zip(result, route, strict=True)
    ),
    enabled=SLOW,
)
@ensure(
    lambda route, ledger, result: (
        holds(route, ledger) == all_of(lacking == 0 for lacking in result)
    ),
    enabled=SLOW,
)
def residual(route: RouteNeeds, ledger: LedgerStates) -> tuple[int, ...]:
    """Return, for each atom, 1 if its literal in the route is not established, Equation (3)."""
    return tuple(satisfied(need, state) == 0 for need, state in zip(route, ledger, strict=True))


@ensure(
    lambda route, ledger, unavailable, result: (
        (result == 0)
        | all_of(
            (lacking == 0) | ((state == UNKNOWN) & (withheld == 0))
            for lacking, state, withheld in zip(
                residual(route, ledger), ledger, unavailable, strict=True
            )
        )
    ),
    enabled=SLOW,
)
@ensure(lambda route, ledger, result: result >= holds(route, ledger), enabled=SLOW)
def targetable(route: RouteNeeds, ledger: LedgerStates, unavailable: tuple[int, ...]) -> int:
    """Return 1 if every literal of the residual is open: its atom unknown and not certified.

    Source: the live routes of section 3, without those that wait for a repair.
    """
    return all_of(
        satisfied(need, state) | ((need != CONFLICT) & (state == UNKNOWN) & (withheld == 0))
        for need, state, withheld in zip(route, ledger, unavailable, strict=True)
    )


@require(lambda cost: all_of(price >= 0 for price in cost), enabled=SLOW)
@ensure(lambda route, ledger, result: (result == 0) | (holds(route, ledger) == 0), enabled=SLOW)
@ensure(lambda cost, result: result <= sum(cost), enabled=SLOW)
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


@require(lambda budget: budget >= 0)
@ensure(lambda budget, result: result[2] <= budget)
@ensure(lambda program, result: (result[0] >= 0) & (result[0] <= len(program)))
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
    aim, aim_route, aim_cost = 0, 0, 0
    stronger: int = False
    for conclusion, routes in reversed(tuple(enumerate(program, start=1))):
        prices = tuple(residual_cost(route, ledger, call_class, cost) for route in routes)
        fits = tuple(
            targetable(route, ledger, unavailable) & (price <= budget)
            for route, price in zip(routes, prices, strict=True)
        )
        for position, cheapest in enumerate(first_least(prices, fits)):
            chosen = cheapest & (stronger == 0)
            aim = aim + conclusion * chosen
            aim_route = aim_route + (position + 1) * chosen
            aim_cost = aim_cost + prices[position] * chosen
        stronger = stronger | any_of(fits)
    return aim, aim_route, aim_cost


@require(
    lambda target_conclusion, auth: (target_conclusion >= 0) & (target_conclusion <= len(auth))
)
@require(lambda auth: all_of(weaker >= stronger for weaker, stronger in pairwise(auth)))
@ensure(
    lambda target_conclusion, auth, result: (
        result
        == (
            (target_conclusion > 0)
            & all_of(
                (one == 0) | (place < target_conclusion) for place, one in enumerate(auth, start=1)
            )
        )
    )
)
def hold(target_conclusion: int, auth: tuple[int, ...]) -> int:
    """Return the hold indicator mu on a chain: 1 if the target is above everything authorized.

    `target_conclusion` counts from 1 and 0 is no target, which is never above abstention.
    """
    return target_conclusion > sum(auth)
