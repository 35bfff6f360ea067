"""Generated programs, for the certificates of their reviews.

1 to 5 conclusions in a chain or a partial order, 1 to 3 routes each, over 1 to 7 atoms in
overlapping call classes, at any cost. Half of them have constraints, texts or candidates.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Final, TypeAlias

from licet import (
    Atom,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    Literal,
    Number,
    Program,
    Route,
    Specification,
    commit,
)

Conjunction: TypeAlias = frozenset[tuple[str, bool]]

ATOMS: Final = ("b", "a", "Z.9", "f_2", "c/d", "e", "a:b")
CHECKS: Final = ("k3", "a", "k1", "K", "k2", "read:all", "k10", "b", "0")
PLACES: Final = ("cwe", "cwe_ids.0", 'the "other" place', "Gerät")
CONCLUSIONS: Final = ("ready", "described", "complete", "audited", "a")
COSTS: Final[tuple[Number, ...]] = (1, 1, 1, 0, Fraction(1, 2), 0.1, Fraction(1, 3), 1.5, 2)
GAINS: Final[tuple[Number, ...]] = (1, Fraction(1, 3), 0.5, 33.3)
TEXTS: Final = (
    "It holds.",
    "",
    'so-called "ready"\n',
    "ein Gerät \N{GRINNING FACE}",
    "\\ud800 \x00",
)


def random_commitment(random: Random) -> Commitment:
    """Return a committed program; none that is drawn is thrown away."""
    is_later = random.random() < 0.6
    atoms = random.sample(ATOMS, random.randint(1, len(ATOMS)))
    below, routes = _routes(random, atoms)
    utilities: list[Fraction] = []
    for weaker in below:
        base = max((utilities[index] for index in weaker), default=Fraction(0))
        utilities.append(base + Fraction(str(random.choice(GAINS))))
    conclusions = [
        Conclusion(CONCLUSIONS[index], random.choice(TEXTS), utility)
        for index, utility in enumerate(utilities)
    ]
    pairs = [(CONCLUSIONS[w], CONCLUSIONS[s]) for s, weaker in enumerate(below) for w in weaker]
    random.shuffle(conclusions)
    specification = Specification(
        tuple(conclusions),
        tuple(Atom(atom, random.choice(TEXTS), random.choice(TEXTS)) for atom in atoms),
        tuple(_checks(random, atoms, is_later and random.random() < 0.8)),
        tuple(pairs),
        random.choice(TEXTS),
        tuple(_constraints(random, atoms, routes)) if is_later and random.random() < 0.7 else (),
    )
    listed = (
        (CONCLUSIONS[index], tuple(_route(random, conjunction) for conjunction in each))
        for index, each in enumerate(routes)
    )
    return commit(specification, Program(tuple(listed)))


def _routes(
    random: Random, atoms: Sequence[str]
) -> tuple[list[list[int]], list[list[Conjunction]]]:
    """Return, for each conclusion, those directly below it, and its routes.

    A route joins one route of each conclusion directly below, and more literals.
    """
    is_chain = random.random() < 0.5
    below: list[list[int]] = []
    routes: list[list[Conjunction]] = []
    for index in range(random.randint(1, len(CONCLUSIONS))):
        weaker = [index - 1] if index else []
        if index and not is_chain:
            weaker = sorted(random.sample(range(index), random.randint(0, min(index, 2))))
        bases = _joined([routes[w] for w in weaker])
        while not bases:  # the routes contradict each other throughout
            weaker = weaker[:-1]
            bases = _joined([routes[w] for w in weaker])
        drawn = []
        for _ in range(random.randint(1, 3)):
            base = random.choice(bases)
            free = [atom for atom in atoms if atom not in dict(base)]
            least = 0 if base else 1
            more = random.sample(free, random.randint(least, max(least, min(2, len(free)))))
            drawn.append(base | {(atom, random.random() < 0.6) for atom in more})
        below.append(weaker)
        distinct = list(dict.fromkeys(drawn))
        routes.append([p for p in distinct if not any(other < p for other in distinct)])
    return below, routes


def _joined(choices: list[list[Conjunction]]) -> list[Conjunction]:
    nothing: Conjunction = frozenset()
    unions = (nothing.union(*chosen) for chosen in product(*choices))
    return [union for union in dict.fromkeys(unions) if len(dict(union)) == len(union)]


def _route(random: Random, conjunction: Conjunction) -> Route:
    literals = [Literal(atom, value) for atom, value in sorted(conjunction)]
    random.shuffle(literals)
    return Route(tuple(literals))


def _checks(random: Random, atoms: Sequence[str], is_later: bool) -> list[Check]:
    """Return call classes that partition the atoms, and up to two that overlap them.

    Later on some of the first read a text or have candidates; no other check settles text atoms.
    """
    classes: dict[int, list[str]] = {}
    for atom in atoms:
        classes.setdefault(random.randrange(len(atoms)), []).append(atom)
    names = random.sample(CHECKS, len(classes) + 2)
    checks = [
        _check(random, name, tuple(own), is_later)
        for name, own in zip(names, classes.values(), strict=False)
    ]
    texts = [c for c in checks if c.kind is CheckKind.TEXT]
    free = [atom for atom in atoms if not any(atom in check.settles for check in texts)]
    for name in random.sample(names[-2:], random.randint(0, 2) if free else 0):
        own = random.sample(free, random.randint(1, min(3, len(free))))
        checks.append(_check(random, name, tuple(own), is_later, can_read=False))
    return checks


def _check(
    random: Random, name: str, settles: tuple[str, ...], is_later: bool, can_read: bool = True
) -> Check:
    cost = random.choice(COSTS)
    if is_later and can_read and random.random() < 0.4:
        return Check(name, settles, cost, CheckKind.TEXT)
    if is_later and len(settles) == 1 and random.random() < 0.6:
        places = tuple(random.sample(PLACES, random.randint(1, 3)))
        return Check(
            name, settles, cost, candidates=places, exhausted=random.choice((None, True, False))
        )
    return Check(name, settles, cost)


def _constraints(
    random: Random, atoms: Sequence[str], routes: list[list[Conjunction]]
) -> list[tuple[Literal, ...]]:
    """Return clauses that can hold together, and with each route."""
    every = [
        frozenset(zip(atoms, values, strict=True))
        for values in product((False, True), repeat=len(atoms))
    ]
    kept: list[tuple[Literal, ...]] = []
    for clause in _clauses(random, atoms):
        left = [world for world in every if world & clause]
        if all(any(route <= world for world in left) for listed in routes for route in listed):
            every = left
            kept.append(tuple(Literal(atom, value) for atom, value in sorted(clause)))
    return kept


def _clauses(random: Random, atoms: Sequence[str]) -> Iterator[Conjunction]:
    """Yield clauses; some imply together what unit propagation alone does not reach."""
    for _ in range(random.choice((1, 2, 4, 8))):
        own = random.sample(atoms, min(random.choice((1, 2, 3)), len(atoms)))
        yield frozenset((atom, random.random() < 0.5) for atom in own)
    if len(atoms) > 3 and random.random() < 0.5:
        first, second, *own = random.sample(atoms, 4)
        base = {(atom, random.random() < 0.5) for atom in own[: random.choice((1, 2, 2))]}
        for one, other in product((False, True), repeat=2):
            yield frozenset({(first, one), (second, other), *base})
