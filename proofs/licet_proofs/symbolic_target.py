"""Targetable routes, estimated cost, target and hold, Equation (4): the core against the specification."""

from itertools import product

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import Atoms6, Atoms8, Program633, Program843
from .symbolic_specification import (
    Ledger,
    Program,
    can_be_settled,
    every,
    implies,
    price,
    some,
    supported,
    well_formed,
    within,
)


def legal(program: Program, ledger: Ledger, unavailable: Ledger, budget: int) -> bool:
    return well_formed(program, ledger) & within(unavailable, 0, 1) & (budget >= 0)


def routes_of(program: Program):
    for c, routes in enumerate(program, start=1):
        for p, route in enumerate(routes, start=1):
            yield c, p, route

OWN8=tuple(range(8)); ONE8=(1,)*8
OWN6=tuple(range(6)); ONE6=(1,)*6

def reachable(route, ledger, unavailable, call_class, cost, budget):
    return can_be_settled(route, ledger, unavailable) & (price(route, ledger, call_class, cost) <= budget)


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: every(
        implies(reachable(route, ledger, unavailable, OWN8, ONE8, budget), result[0] >= c) for c,p,route in routes_of(program)
    )
)
def t_none_stronger(program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int) -> tuple[int, int, int]:
    return definitions.target(program, ledger, unavailable, OWN8, ONE8, budget)

def names_reach(result, program, ledger, unavailable, call_class, cost, budget):
    return some((result[0]==c)&(result[1]==p)&can_be_settled(route,ledger,unavailable) & (price(route,ledger,call_class,cost)==result[2]) & (result[2]<=budget) for c,p,route in routes_of(program)) | every(r==0 for r in result)

@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: names_reach(result, program, ledger, unavailable, OWN8, ONE8, budget)
)
def t_reach(program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int) -> tuple[int, int, int]:
    return definitions.target(program, ledger, unavailable, OWN8, ONE8, budget)

@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: every(implies((result[0]==c)& reachable(route, ledger, unavailable, OWN8, ONE8, budget), result[2]<=price(route,ledger,OWN8,ONE8)) for c,p,route in routes_of(program)) 
)
def t_cheap(program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int) -> tuple[int, int, int]:
    return definitions.target(program, ledger, unavailable, OWN8, ONE8, budget)

@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: every(implies((result[0]==c)&(p<result[1])& reachable(route, ledger, unavailable, OWN8, ONE8, budget), result[2]<price(route,ledger,OWN8,ONE8)) for c,p,route in routes_of(program)) 
)
def t_first(program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int) -> tuple[int, int, int]:
    return definitions.target(program, ledger, unavailable, OWN8, ONE8, budget)

def hold_spec(program, ledger, unavailable, call_class, cost, budget):
    return some(reachable(route, ledger, unavailable, call_class, cost, budget) & (supported(program, ledger, c)^True) for c,p,route in routes_of(program))
@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: (result == 1) == hold_spec(program, ledger, unavailable, OWN8, ONE8, budget)
)
def t_hold(program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int) -> int:
    aim = definitions.target(program, ledger, unavailable, OWN8, ONE8, budget)
    return definitions.hold(aim[0], definitions.authorized(program, ledger))
@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, ledger, unavailable, budget, result: (result == 1) == hold_spec(program, ledger, unavailable, OWN6, ONE6, budget)
)
def t_hold6(program: Program633, ledger: Atoms6, unavailable: Atoms6, budget: int) -> int:
    aim = definitions.target(program, ledger, unavailable, OWN6, ONE6, budget)
    return definitions.hold(aim[0], definitions.authorized(program, ledger))
