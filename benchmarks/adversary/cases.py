"""Random programs, as plain names and sets beside the kernel's own objects.

The plain form is what the independent check reads, so that a fault in how the kernel reads a
program cannot hide in the check as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Final, TypeAlias

from licet import (
    Atom,
    Check,
    Commitment,
    Conclusion,
    Literal,
    Number,
    Program,
    Route,
    Specification,
    commit,
)

from .hostile import hostile_text

PlainRoute: TypeAlias = frozenset[tuple[str, bool]]
"""A conjunction of (atom, polarity)."""

# Names that contain each other, look alike, or read like the renderer's own words.
_NAMES: Final = (
    "ready ready.2 ready.2/b READY r _ 0 is reported authorized.as-well AUTHORIZED SCOPE a:b a-b "
    "a_b a.b a/b not missing blocked check x1 x11 x111 l1 I1"
).split()
_COSTS: Final[tuple[Number, ...]] = (
    *[1] * 8,
    *(2, 0, 0.5, 0.1, 1.5, Decimal("0.25"), Fraction(1, 3), Fraction(7, 3)),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One program.

    Attributes:
        commitment: the program as the kernel holds it.
        conclusions: identifiers as listed.
        at_or_above: for each conclusion itself and every stronger one.
        routes: for each conclusion its routes.
        atoms: identifiers.
        settles: for each check the atoms that it settles.
        cost: for each check its cost, in calls.
    """

    commitment: Commitment
    conclusions: tuple[str, ...]
    at_or_above: Mapping[str, frozenset[str]]
    routes: Mapping[str, tuple[PlainRoute, ...]]
    atoms: tuple[str, ...]
    settles: Mapping[str, tuple[str, ...]]
    cost: Mapping[str, Fraction]


def random_case(random: Random) -> Case:
    """Return a program of 1 to 4 conclusions over 1 to 12 atoms.

    The order is a chain in two cases of three, else partial. Call classes are disjoint in half of
    the cases and overlap in the others.
    """
    conclusions = tuple(random.sample(_NAMES, random.randint(1, 4)))
    atoms = tuple(random.sample(_NAMES, random.randint(1, 12)))
    chain = random.random() < 0.67
    weaker = _random_order(random, conclusions, chain)
    routes = _random_routes(random, conclusions, weaker, atoms)
    checks = _random_checks(random, atoms)
    specification = Specification(
        tuple(
            Conclusion(name, hostile_text(random, random.choice(conclusions)), utility)
            for name, utility in _utilities(random, conclusions, weaker).items()
        ),
        tuple(
            Atom(name, hostile_text(random, conclusions[-1]), hostile_text(random, conclusions[-1]))
            for name in atoms
        ),
        checks,
        None if chain else tuple((w, s) for s in conclusions for w in weaker[s]),
        hostile_text(random, conclusions[-1]),
    )
    program = Program(tuple((name, tuple(map(_route, routes[name]))) for name in conclusions))
    return Case(
        commit(specification, program),
        conclusions,
        {c: frozenset({c, *(d for d in conclusions if c in weaker[d])}) for c in conclusions},
        routes,
        atoms,
        {check.identifier: check.settles for check in checks},
        {check.identifier: Fraction(str(check.cost)) for check in checks},
    )


def _route(route: PlainRoute) -> Route:
    return Route(tuple(Literal(atom, polarity) for atom, polarity in sorted(route)))


def _random_order(
    random: Random, conclusions: tuple[str, ...], chain: bool
) -> dict[str, tuple[str, ...]]:
    """Return for each conclusion all weaker ones; only earlier ones are ever weaker."""
    weaker: dict[str, tuple[str, ...]] = {}
    for position, name in enumerate(conclusions):
        below: set[str] = set()
        for earlier in conclusions[:position]:
            if chain or random.random() < 0.5:
                below |= {earlier, *weaker[earlier]}
        weaker[name] = tuple(c for c in conclusions if c in below)
    return weaker


def _utilities(
    random: Random, conclusions: tuple[str, ...], weaker: Mapping[str, tuple[str, ...]]
) -> dict[str, Number]:
    """Return utilities that rise along the order; incomparable conclusions often tie."""
    step = random.choice((1, 0.1, 100, Fraction(1, 3)))
    height: dict[str, int] = {}
    for name in conclusions:
        height[name] = 1 + max((height[c] for c in weaker[name]), default=0)
    return {name: height[name] * Fraction(str(step)) for name in conclusions}


def _random_routes(
    random: Random,
    conclusions: tuple[str, ...],
    weaker: Mapping[str, tuple[str, ...]],
    atoms: tuple[str, ...],
) -> dict[str, tuple[PlainRoute, ...]]:
    """Return order-coherent, minimal routes, trying again where a conclusion is left without."""
    while True:
        routes: dict[str, tuple[PlainRoute, ...]] = {}
        for name in conclusions:
            tries = [
                _random_route(random, [routes[c] for c in weaker[name]], atoms)
                for _ in range(random.randint(1, 4))
            ]
            consistent = dict.fromkeys(route for route in tries if _is_consistent(route))
            routes[name] = tuple(r for r in consistent if not any(s < r for s in consistent))
        if all(routes.values()):
            return routes


def _random_route(
    random: Random, below: list[tuple[PlainRoute, ...]], atoms: tuple[str, ...]
) -> PlainRoute:
    """Return one route of each weaker conclusion together, and some literals more."""
    literals = {literal for routes in below if routes for literal in random.choice(routes)}
    more = random.randint(0 if literals else 1, min(3, len(atoms)))
    taken = {atom for atom, _ in literals}
    literals |= {
        (atom, random.random() < 0.7) for atom in random.sample(atoms, more) if atom not in taken
    }
    return frozenset(literals)


def _is_consistent(route: PlainRoute) -> bool:
    return len({atom for atom, _ in route}) == len(route)


def _random_checks(random: Random, atoms: tuple[str, ...]) -> tuple[Check, ...]:
    shuffled = random.sample(atoms, len(atoms))
    classes: list[tuple[str, ...]] = []
    while shuffled:
        size = random.choice((1, 1, 2, 3))
        classes.append(tuple(shuffled[:size]))
        del shuffled[:size]
    if random.random() < 0.5:
        for _ in range(random.randint(1, 4)):
            classes.append(tuple(random.sample(atoms, random.randint(1, min(3, len(atoms))))))
    random.shuffle(classes)
    names = random.sample(_NAMES, len(classes))
    return tuple(
        Check(name, settles, random.choice(_COSTS))
        for name, settles in zip(names, classes, strict=True)
    )
