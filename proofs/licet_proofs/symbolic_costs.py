"""Equation (4) where checks settle several atoms and cost differently.

The facts of `symbolic_target`, for smaller programs: the check of each atom is any of four, and
each check costs any of 0 to 3 calls.
"""

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import Atoms4, Program432
from .symbolic_specification import Ledger, Program, Setting, well_formed, within
from .symbolic_target import (
    has_its_price,
    is_reachable,
    nothing_cheaper,
    nothing_earlier,
    nothing_stronger,
)


def legal(
    program: Program,
    ledger: Ledger,
    unavailable: Ledger,
    call_class: Ledger,
    cost: tuple[int, ...],
    budget: int,
) -> bool:
    """Return whether these are a program and what decides its target, with costs of at most 3."""
    return (
        well_formed(program, ledger)
        & within(unavailable, 0, 1)
        & within(call_class, 0, len(cost) - 1)
        & within(cost, 0, 3)
        & (budget >= 0)
    )


@require(
    lambda program, ledger, unavailable, call_class, cost, budget: legal(
        program, ledger, unavailable, call_class, cost, budget
    )
)
@ensure(
    lambda program, ledger, unavailable, call_class, cost, budget, result: nothing_stronger(
        program, Setting(ledger, unavailable, call_class, cost, budget), result
    )
)
def the_target_with_shared_checks_is_the_strongest_reachable(
    program: Program432,
    ledger: Atoms4,
    unavailable: Atoms4,
    call_class: Atoms4,
    cost: Atoms4,
    budget: int,
) -> tuple[int, int, int]:
    """Nothing stronger than c* is reachable; there is no target only if nothing is reachable."""
    return definitions.target(program, ledger, unavailable, call_class, cost, budget)


@require(
    lambda program, ledger, unavailable, call_class, cost, budget: legal(
        program, ledger, unavailable, call_class, cost, budget
    )
)
@ensure(
    lambda program, ledger, unavailable, call_class, cost, budget, result: is_reachable(
        program, Setting(ledger, unavailable, call_class, cost, budget), result
    )
)
def the_target_with_shared_checks_is_reachable(
    program: Program432,
    ledger: Atoms4,
    unavailable: Atoms4,
    call_class: Atoms4,
    cost: Atoms4,
    budget: int,
) -> tuple[int, int, int]:
    """p* is a listed route of c* that checking can establish within the budget."""
    return definitions.target(program, ledger, unavailable, call_class, cost, budget)


@require(
    lambda program, ledger, unavailable, call_class, cost, budget: legal(
        program, ledger, unavailable, call_class, cost, budget
    )
)
@ensure(
    lambda program, ledger, unavailable, call_class, cost, budget, result: has_its_price(
        program, Setting(ledger, unavailable, call_class, cost, budget), result
    )
)
def the_target_with_shared_checks_has_the_cost_of_its_route(
    program: Program432,
    ledger: Atoms4,
    unavailable: Atoms4,
    call_class: Atoms4,
    cost: Atoms4,
    budget: int,
) -> tuple[int, int, int]:
    """The estimated cost that is reported is that of p*."""
    return definitions.target(program, ledger, unavailable, call_class, cost, budget)


@require(
    lambda program, ledger, unavailable, call_class, cost, budget: legal(
        program, ledger, unavailable, call_class, cost, budget
    )
)
@ensure(
    lambda program, ledger, unavailable, call_class, cost, budget, result: nothing_cheaper(
        program, Setting(ledger, unavailable, call_class, cost, budget), result
    )
)
def the_target_with_shared_checks_is_a_cheapest_route(
    program: Program432,
    ledger: Atoms4,
    unavailable: Atoms4,
    call_class: Atoms4,
    cost: Atoms4,
    budget: int,
) -> tuple[int, int, int]:
    """No reachable route of c* costs less than p*."""
    return definitions.target(program, ledger, unavailable, call_class, cost, budget)


@require(
    lambda program, ledger, unavailable, call_class, cost, budget: legal(
        program, ledger, unavailable, call_class, cost, budget
    )
)
@ensure(
    lambda program, ledger, unavailable, call_class, cost, budget, result: nothing_earlier(
        program, Setting(ledger, unavailable, call_class, cost, budget), result
    )
)
def the_target_with_shared_checks_is_the_first_listed_of_the_cheapest(
    program: Program432,
    ledger: Atoms4,
    unavailable: Atoms4,
    call_class: Atoms4,
    cost: Atoms4,
    budget: int,
) -> tuple[int, int, int]:
    """Every reachable route of c* that is listed before p* costs more."""
    return definitions.target(program, ledger, unavailable, call_class, cost, budget)
