"""Targetable routes, estimated cost, target and hold, Equation (4), against the specification.

Each fact of Equation (4) is a condition of its own. Some branch on which conclusion and route the
core named: a few paths, each with a smaller query. Here every atom has a check of its own, of cost
1; `symbolic_costs` has the same facts for smaller programs with shared checks of any cost.
"""

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import (
    OWN8,
    UNIT8,
    Atoms6,
    Atoms8,
    Program843,
)
from .symbolic_specification import (
    Program,
    Setting,
    can_be_settled,
    every,
    implies,
    listed,
    negation,
    price_by_atoms,
    price_in,
    reachable,
    some,
    supported,
    well_formed,
    within,
)


def legal(program: Program, ledger: Atoms8, unavailable: Atoms8, budget: int) -> bool:
    """Return whether these are a program, a ledger, certificates and a budget."""
    return well_formed(program, ledger) & within(unavailable, 0, 1) & (budget >= 0)


def own(ledger: Atoms8, unavailable: Atoms8, budget: int) -> Setting:
    """Return the setting in which every atom has a check of its own, of cost 1."""
    return Setting(ledger, unavailable, OWN8, UNIT8, budget)


def target_in(program: Program, setting: Setting) -> tuple[int, int, int]:
    """Return the core's target."""
    return definitions.target(program, *setting)


def nothing_stronger(program: Program, setting: Setting, aim: tuple[int, int, int]) -> bool:
    """Return whether no conclusion above that of the target is reachable."""
    return all(
        implies(reachable(entry.route, setting), aim[0] >= entry.conclusion)
        for entry in listed(program)
    )


def is_reachable(program: Program, setting: Setting, aim: tuple[int, int, int]) -> bool:
    """Return whether the target is a listed route that is reachable, or none at all."""
    for entry in listed(program):
        if (aim[0] == entry.conclusion) & (aim[1] == entry.position):
            return reachable(entry.route, setting)
    return every(part == 0 for part in aim)


def has_its_price(program: Program, setting: Setting, aim: tuple[int, int, int]) -> bool:
    """Return whether the target's cost is that of its route."""
    for entry in listed(program):
        if (aim[0] == entry.conclusion) & (aim[1] == entry.position):
            return aim[2] == price_in(setting, entry.route)
    return aim[2] == 0


def nothing_cheaper(program: Program, setting: Setting, aim: tuple[int, int, int]) -> bool:
    """Return whether no reachable route of the target's conclusion costs less than its route."""
    for entry in listed(program):
        if (aim[0] == entry.conclusion) & (aim[1] == entry.position):
            least = price_in(setting, entry.route)
            return every(
                implies(reachable(other, setting), least <= price_in(setting, other))
                for other in program[entry.conclusion - 1]
            )
    return aim[0] == 0


def nothing_earlier(program: Program, setting: Setting, aim: tuple[int, int, int]) -> bool:
    """Return whether every reachable route listed before the target's costs more."""
    for conclusion, routes in enumerate(program, start=1):
        if aim[0] == conclusion:
            return every(
                implies(
                    (position < aim[1]) & reachable(route, setting),
                    aim[2] < price_in(setting, route),
                )
                for position, route in enumerate(routes, start=1)
            )
    return aim[0] == 0


@require(lambda route, ledger: within(route, 0, 3) & within(ledger, 0, 3))
@require(lambda unavailable: within(unavailable, 0, 1))
@ensure(
    lambda route, ledger, unavailable, result: (
        (result == 1) == can_be_settled(route, ledger, unavailable)
    )
)
def a_route_is_targetable_when_all_it_lacks_is_open(
    route: Atoms8, ledger: Atoms8, unavailable: Atoms8
) -> int:
    """Live, and nothing of the residual waits for a repair; unavailability blocks."""
    return definitions.targetable(route, ledger, unavailable)


@require(lambda route, ledger: within(route, 0, 3) & within(ledger, 0, 3))
@require(lambda call_class, cost: within(call_class, 0, 5) & within(cost, 0, 1000))
@ensure(
    lambda route, ledger, call_class, cost, result: (
        result == price_by_atoms(route, ledger, call_class, cost)
    )
)
def a_shared_check_is_paid_once(
    route: Atoms6, ledger: Atoms6, call_class: Atoms6, cost: Atoms6
) -> int:
    """The estimated cost, for any call classes that do not overlap and costs up to 1000."""
    return definitions.residual_cost(route, ledger, call_class, cost)


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: nothing_stronger(
        program, own(ledger, unavailable, budget), result
    )
)
def the_target_is_the_strongest_reachable_conclusion(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """Nothing stronger than c* is reachable; there is no target only if nothing is reachable."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: is_reachable(
        program, own(ledger, unavailable, budget), result
    )
)
def the_target_is_reachable(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """p* is a listed route of c* that checking can establish within the budget."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: has_its_price(
        program, own(ledger, unavailable, budget), result
    )
)
def the_target_has_the_cost_of_its_route(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """The estimated cost that is reported is that of p*."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(lambda budget, result: (result[2] >= 0) & (result[2] <= budget))
def the_target_fits_the_budget(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """The estimated cost of the target is at most what is left."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: nothing_cheaper(
        program, own(ledger, unavailable, budget), result
    )
)
def the_target_is_a_cheapest_route_of_its_conclusion(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """No reachable route of c* costs less than p*."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: nothing_earlier(
        program, own(ledger, unavailable, budget), result
    )
)
def the_target_is_the_first_listed_of_the_cheapest(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """Every reachable route of c* that is listed before p* costs more."""
    return target_in(program, own(ledger, unavailable, budget))


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: (
        (result == 1)
        == some(
            reachable(entry.route, own(ledger, unavailable, budget))
            & negation(supported(program, ledger, entry.conclusion))
            for entry in listed(program)
        )
    )
)
def a_report_is_held_when_something_stronger_is_reachable(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> int:
    """The hold indicator is 1 exactly when what is reachable exceeds all that is authorized."""
    aim = target_in(program, own(ledger, unavailable, budget))
    return definitions.hold(aim[0], definitions.authorized(program, ledger))
