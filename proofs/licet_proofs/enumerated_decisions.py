"""What runs decides as the confirmed definitions do: every case of small finite spaces.

A program is built from documents' objects, compiled, and decided on bit masks by `licet.decisions`;
`licet.definitions`, which the symbolic conditions confirm, decides the same on small integers (the
encoding of `symbolic_shapes`). Nothing is sampled: each function goes through its whole space and
returns the number of its cases, or raises `Disagreement` on the first that differs.
"""

from collections.abc import Callable, Iterator
from inspect import unwrap
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from licet import decisions, definitions
from licet.compiled import CompiledProgram
from licet.compiled import compile_program as compile_validated
from licet.decisions import Settled
from licet.ledger import Certificate, Ledger, Observation, Record
from licet.ledger import settle as settle_checked
from licet.objects import Atom, Check, Conclusion, Literal, Program, Route, Specification

from .enumerated import Disagreement

Needs: TypeAlias = tuple[int, ...]
Routes: TypeAlias = tuple[Needs, ...]
States: TypeAlias = tuple[int, ...]

NAMES: Final = "abcd"
# The values that an atom's records have, by its state: unknown, true, false, conflict.
VALUES: Final = ((), (True,), (False,), (True, False))

# Without their contracts: programs that validation refuses are compared too, and time is saved.
compile_program: Final[Callable[[Specification, Program], CompiledProgram]] = unwrap(
    compile_validated
)
settle: Final[Callable[[CompiledProgram, Ledger], Settled]] = unwrap(settle_checked)


class Checks(NamedTuple):
    """A layout of checks: for each atom the one that settles it, and what each costs."""

    call_class: tuple[int, ...]
    cost: tuple[int, ...]


def all_routes(atoms: int) -> Routes:
    """Return every route over so many atoms: each is needed true, needed false, or not needed."""
    return tuple(needs for needs in product((0, 1, 2), repeat=atoms) if any(needs))


def all_programs(atoms: int, conclusions: int, most: int) -> Iterator[tuple[Routes, ...]]:
    """Yield every chain with at most so many routes for each conclusion, in every order."""
    routes = all_routes(atoms)
    listings = [listing for n in range(most + 1) for listing in product(routes, repeat=n)]
    return product(listings, repeat=conclusions)


def all_states(atoms: int) -> Iterator[States]:
    """Yield every ledger over so many atoms."""
    return product(range(4), repeat=atoms)


def own_checks(*cost: int) -> Checks:
    """Return the layout in which every atom has its own check."""
    return Checks(tuple(range(len(cost))), cost)


def one_check(atoms: int, cost: int) -> Checks:
    """Return the layout in which one check settles all."""
    return Checks((0,) * atoms, (cost,))


def specify(atoms: int, conclusions: int, checks: Checks) -> Specification:
    """Return the specification of a chain over the first letters."""
    return Specification(
        conclusions=tuple(Conclusion(f"c{n}", "", n + 1) for n in range(conclusions)),
        atoms=tuple(Atom(name, "") for name in NAMES[:atoms]),
        checks=tuple(
            Check(
                f"k{check}",
                tuple(NAMES[i] for i, own in enumerate(checks.call_class) if own == check),
                cost,
            )
            for check, cost in enumerate(checks.cost)
        ),
    )


def route_of(needs: Needs) -> Route:
    """Return the route with these needs."""
    literals = (Literal(NAMES[i], need == 1) for i, need in enumerate(needs) if need)
    return Route(tuple(literals))


def compiled(specification: Specification, chain: tuple[Routes, ...]) -> CompiledProgram:
    """Return the chain as what runs."""
    listed = tuple(
        (f"c{n}", tuple(route_of(needs) for needs in routes)) for n, routes in enumerate(chain)
    )
    return compile_program(specification, Program(listed))


def settled(program: CompiledProgram, states: States, unavailable: States) -> Settled:
    """Return the ledger, and its certificates, as what runs."""
    records: list[Record] = [
        Observation(name, value, "k0")
        for name, state in zip(NAMES, states, strict=False)
        for value in VALUES[state]
    ]
    records += [
        Certificate(name, "k0", "") for name, one in zip(NAMES, unavailable, strict=False) if one
    ]
    return settle(program, Ledger(tuple(records)))


def mask(truths: tuple[int, ...]) -> int:
    """Return truths by position as a mask."""
    return sum(1 << position for position, truth in enumerate(truths) if truth)


def routes_decide_as_defined() -> int:
    """A route holds, lacks and can be targeted as defined: 4 atoms, every route and ledger."""
    atoms, agreed = 4, 0
    specification = specify(atoms, 1, own_checks(1, 1, 1, 1))
    program = compiled(specification, ((all_routes(atoms)[0],),))
    moments = [
        (states, unavailable, settled(program, states, unavailable))
        for states in all_states(atoms)
        for unavailable in product((0, 1), repeat=atoms)
    ]
    for needs in all_routes(atoms):
        [[route]] = compiled(specification, ((needs,),)).routes
        for states, unavailable, ledger in moments:
            runs = (
                decisions.holds(route, ledger),
                decisions.residual(route, ledger),
                decisions.targetable(route, ledger),
            )
            defined = (
                definitions.holds(needs, states),
                mask(definitions.residual(needs, states)),
                definitions.targetable(needs, states, unavailable),
            )
            if runs != defined:
                raise Disagreement(f"{needs} at {states}, {unavailable}: {runs}, not {defined}")
            agreed += 1
    return agreed


def _authorizes_as_defined(atoms: int, conclusions: int, most: int) -> int:
    agreed = 0
    specification = specify(atoms, conclusions, own_checks(*(1,) * atoms))
    empty = compiled(specification, ((),) * conclusions)
    ledgers = [(states, settled(empty, states, ())) for states in all_states(atoms)]
    for chain in all_programs(atoms, conclusions, most):
        program = compiled(specification, chain)
        for states, ledger in ledgers:
            auth = decisions.authorized(program, ledger)
            defined = definitions.authorized(chain, states)
            strongest = 1 << sum(defined) - 1 if any(defined) else 0
            if (auth, decisions.maximal(program, auth)) != (mask(defined), strongest):
                raise Disagreement(f"{chain} at {states}: {auth:b}, not {defined}")
            agreed += 1
    return agreed


def auth_is_as_defined() -> int:
    """Auth and MaxAuth: 2 atoms, 2 conclusions, up to 2 routes each, every ledger."""
    return _authorizes_as_defined(2, 2, 2)


def auth_is_as_defined_in_longer_chains() -> int:
    """Auth and MaxAuth: 3 atoms, 3 conclusions, up to 1 route each, every ledger."""
    return _authorizes_as_defined(3, 3, 1)


class Moment(NamedTuple):
    """A ledger with certificates, defined and as it runs, with and without the certificates."""

    states: States
    unavailable: States
    certified: Settled
    uncertified: Settled


def all_moments(program: CompiledProgram, atoms: int) -> list[Moment]:
    """Return every ledger with every set of certified atoms."""
    return [
        Moment(
            states,
            unavailable,
            settled(program, states, unavailable),
            settled(program, states, ()),
        )
        for states in all_states(atoms)
        for unavailable in product((0, 1), repeat=atoms)
    ]


def _aim(found: decisions.Target | None) -> tuple[int, int, int]:
    return (found.conclusion + 1, found.route + 1, found.cover.cost) if found else (0, 0, 0)


def _aims_as_defined(
    atoms: int, conclusions: int, most: int, layouts: list[tuple[Checks, range]]
) -> int:
    agreed = 0
    for checks, budgets in layouts:
        specification = specify(atoms, conclusions, checks)
        moments = all_moments(compiled(specification, ((),) * conclusions), atoms)
        for chain in all_programs(atoms, conclusions, most):
            program = compiled(specification, chain)
            for moment in moments:
                found = _first_difference(program, chain, checks, moment, budgets)
                if found:
                    raise Disagreement(f"{chain}, {checks}: {found}")
                agreed += len(budgets)
    return agreed


def _first_difference(
    program: CompiledProgram,
    chain: tuple[Routes, ...],
    checks: Checks,
    moment: Moment,
    budgets: range,
) -> str:
    """Return how target or hold differ; an atom's own check that cannot be run certifies it."""
    states, unavailable, certified, uncertified = moment
    everything = (1 << len(checks.cost)) - 1
    own = len(checks.cost) == len(states)
    runnable = everything & ~mask(unavailable) if own else everything
    auth = decisions.authorized(program, certified)
    defined_auth = definitions.authorized(chain, states)
    for budget in budgets:
        defined = definitions.target(chain, states, unavailable, *checks, budget)
        found = decisions.target(program, certified, budget, everything)
        if _aim(found) != defined:
            return f"target {_aim(found)}, not {defined}, at {moment} with {budget} left"
        if own and decisions.target(program, uncertified, budget, runnable) != found:
            return f"a check that cannot be run is no certificate at {moment} with {budget} left"
        held = decisions.hold(program, found, auth)
        if held != definitions.hold(defined[0], defined_auth):
            return f"hold {held} at {moment} with {budget} left"
    return ""


def target_and_hold_are_as_defined() -> int:
    """Target and hold: 2 atoms, 2 conclusions, up to 2 routes each, one or two checks."""
    return _aims_as_defined(2, 2, 2, [(one_check(2, 1), range(2)), (own_checks(1, 2), range(4))])


def target_is_as_defined_at_any_cost() -> int:
    """Target and hold: 2 atoms, 1 conclusion, up to 2 routes, checks that cost 0 to 2."""
    shared = [one_check(2, cost) for cost in range(3)]
    own = [own_checks(*cost) for cost in product(range(3), repeat=2)]
    return _aims_as_defined(2, 1, 2, [(checks, range(5)) for checks in shared + own])
