"""The definitions of the paper once more, for the conditions to compare the core with.

Nothing here calls the core or uses its constants: a condition that asked the core's own `holds`
what is established would not notice a conflict read as true. Formulations differ from the core's
where they can. The encoding is that of `symbolic_shapes`, and the code is fork-free, as in
`licet.definitions`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

Ledger: TypeAlias = tuple[int, ...]
Route: TypeAlias = tuple[int, ...]
Program: TypeAlias = tuple[tuple[Route, ...], ...]


class Listed(NamedTuple):
    """A route and its place: conclusion and route, both counted from 1."""

    conclusion: int
    position: int
    route: Route


def every(facts: Iterable[bool]) -> bool:
    """Return whether all facts hold, without a branch."""
    result = True
    for fact in facts:
        result = result & fact
    return result


def some(facts: Iterable[bool]) -> bool:
    """Return whether a fact holds, without a branch."""
    result = False
    for fact in facts:
        result = result | fact
    return result


def negation(fact: bool) -> bool:
    """Return whether the fact does not hold, without a branch."""
    return fact ^ True


def implies(premise: bool, fact: bool) -> bool:
    """Return whether the fact holds if the premise does, without a branch."""
    return negation(premise) | fact


def select(condition: bool, then: int, otherwise: int) -> int:
    """Return `then` if the condition holds, else `otherwise`, without a branch."""
    return otherwise + (then - otherwise) * condition


def within(values: tuple[int, ...], least: int, greatest: int) -> bool:
    """Return whether every value lies in the closed interval."""
    return every((value >= least) & (value <= greatest) for value in values)


def listed(program: Program) -> Iterator[Listed]:
    """Yield the routes with their places."""
    for conclusion, routes in enumerate(program, start=1):
        for position, route in enumerate(routes, start=1):
            yield Listed(conclusion, position, route)


def well_formed(program: Program, ledger: Ledger) -> bool:
    """Return whether needs and states are among 0 to 3."""
    needs = every(within(entry.route, 0, 3) for entry in listed(program))
    return needs & within(ledger, 0, 3)


def extends(later: Ledger, earlier: Ledger) -> bool:
    """Return whether `later` keeps what `earlier` settled, neither having a conflict."""
    kept = every((old == 0) | (old == new) for old, new in zip(earlier, later, strict=True))
    return kept & within(earlier, 0, 2) & within(later, 0, 2)


def truthful(ledger: Ledger, world: Ledger) -> bool:
    """Return whether every settled atom has its value in `world`, which settles all of them."""
    return extends(world, ledger) & within(world, 1, 2)


def established(need: int, state: int) -> bool:
    """Return whether nothing is needed, or true and read as true, or false and read as false."""
    return (need == 0) | ((need == 1) & (state == 1)) | ((need == 2) & (state == 2))


def lacking(route: Route, ledger: Ledger) -> tuple[bool, ...]:
    """Return, for each atom, whether its literal in the route is not established."""
    return tuple(
        negation(established(need, state)) for need, state in zip(route, ledger, strict=True)
    )


def holds(route: Route, ledger: Ledger) -> bool:
    """Return whether every literal of the route is established."""
    return every(established(need, state) for need, state in zip(route, ledger, strict=True))


def supported(program: Program, ledger: Ledger, conclusion: int) -> bool:
    """Return whether a route of the conclusion, or of a stronger one, holds."""
    return some(
        (entry.conclusion >= conclusion) & holds(entry.route, ledger) for entry in listed(program)
    )


def strongest(program: Program, ledger: Ledger) -> int:
    """Return the strongest supported conclusion, 0 for none: all below it are supported too."""
    return sum(supported(program, ledger, place + 1) for place in range(len(program)))


def can_be_settled(route: Route, ledger: Ledger, unavailable: Ledger) -> bool:
    """Return whether all that the route lacks is unknown, and none of it certified unavailable."""
    return every(
        established(need, state) | ((need != 3) & (state == 0) & (withheld == 0))
        for need, state, withheld in zip(route, ledger, unavailable, strict=True)
    )


def price(route: Route, ledger: Ledger, call_class: Ledger, cost: tuple[int, ...]) -> int:
    """Return what settles the route: the cost of each check that settles something it lacks."""
    return sum(
        charge
        * some(
            lacks & (own == check)
            for lacks, own in zip(lacking(route, ledger), call_class, strict=True)
        )
        for check, charge in enumerate(cost)
    )


def price_by_atoms(route: Route, ledger: Ledger, call_class: Ledger, cost: tuple[int, ...]) -> int:
    """Return the same in other words: an atom pays for its check unless an earlier atom did."""
    missing = lacking(route, ledger)
    total = 0
    for atom, lacks in enumerate(missing):
        paid = some(missing[i] & (call_class[i] == call_class[atom]) for i in range(atom))
        pays = lacks & negation(paid)
        for check, charge in enumerate(cost):
            total = total + charge * (pays & (call_class[atom] == check))
    return total


class Setting(NamedTuple):
    """What decides whether a route is reachable: ledger, certificates, checks, and the budget."""

    ledger: Ledger
    unavailable: Ledger
    call_class: Ledger
    cost: tuple[int, ...]
    budget: int


def price_in(setting: Setting, route: Route) -> int:
    """Return what settles the route in this setting."""
    return price(route, setting.ledger, setting.call_class, setting.cost)


def reachable(route: Route, setting: Setting) -> bool:
    """Return whether checking can still establish the route within the budget."""
    settles = can_be_settled(route, setting.ledger, setting.unavailable)
    return settles & (price_in(setting, route) <= setting.budget)
