"""The definitions of the paper once more, for the conditions to compare the core with.

Nothing here calls the core or uses its constants: a condition that asked the core's own `holds` what
is established would not notice a conflict read as true. The formulations differ from the core's
where they can: a conclusion is found by what must be so of it, not by a search; a cost is counted
by atoms, not by checks. The code is fork-free (see `symbolic_shapes`, which has the encoding).
"""

from collections.abc import Iterable
from typing import TypeAlias

Ledger: TypeAlias = tuple[int, ...]
Route: TypeAlias = tuple[int, ...]
Program: TypeAlias = tuple[tuple[Route, ...], ...]


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


def implies(premise: bool, fact: bool) -> bool:
    """Return whether the fact holds if the premise does, without a branch."""
    return (premise ^ True) | fact


def within(values: tuple[int, ...], least: int, greatest: int) -> bool:
    """Return whether every value lies in the closed interval."""
    return every((least <= value) & (value <= greatest) for value in values)


def well_formed(program: Program, ledger: Ledger) -> bool:
    """Return whether needs and states are among 0 to 3."""
    needs = every(within(route, 0, 3) for routes in program for route in routes)
    return needs & within(ledger, 0, 3)


def extends(later: Ledger, earlier: Ledger) -> bool:
    """Return whether `later` keeps what `earlier` settled, neither with a conflict."""
    kept = every((old == 0) | (old == new) for old, new in zip(earlier, later, strict=True))
    return kept & within(earlier, 0, 2) & within(later, 0, 2)


def truthful(ledger: Ledger, world: Ledger) -> bool:
    """Return whether every settled atom has its value in `world`, which settles all (1 or 2)."""
    return extends(world, ledger) & within(world, 1, 2)


def established(need: int, state: int) -> bool:
    """Return whether a literal is established: nothing needed, or true (false) needed and read."""
    return (need == 0) | ((need == 1) & (state == 1)) | ((need == 2) & (state == 2))


def route_holds(route: Route, ledger: Ledger) -> bool:
    """Return whether every literal of the route is established."""
    return every(established(need, state) for need, state in zip(route, ledger, strict=True))


def supported(program: Program, ledger: Ledger, conclusion: int) -> bool:
    """Return whether a route of `conclusion`, or of a stronger one, holds."""
    return some(route_holds(route, ledger) for routes in program[conclusion - 1 :] for route in routes)


def strongest(program: Program, ledger: Ledger) -> int:
    """Return the strongest supported conclusion, 0 for none: all below it are supported too."""
    return sum(supported(program, ledger, c) for c in range(1, len(program) + 1))


def can_be_settled(route: Route, ledger: Ledger, unavailable: Ledger) -> bool:
    """Return whether what the route lacks is all unknown and none of it certified unavailable."""
    return every(
        established(need, state) | ((need != 3) & (state == 0) & (withheld == 0))
        for need, state, withheld in zip(route, ledger, unavailable, strict=True)
    )


def price(route: Route, ledger: Ledger, call_class: Ledger, cost: tuple[int, ...]) -> int:
    """Return what settles the route: an atom pays for its check unless an earlier one did."""
    total = 0
    lacking = [
        established(need, state) ^ True for need, state in zip(route, ledger, strict=True)
    ]
    for atom, lacks in enumerate(lacking):
        paid = some(
            lacking[earlier] & (call_class[earlier] == call_class[atom]) for earlier in range(atom)
        )
        for check, charge in enumerate(cost):
            total = total + charge * (lacks & (paid ^ True) & (call_class[atom] == check))
    return total
