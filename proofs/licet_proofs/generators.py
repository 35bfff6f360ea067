"""Valid specifications and programs, truth assignments and budgets, for the sampled properties.

Domain of `cases`: 1 to 4 conclusions in a chain or a partial order, 1 to 3 routes each, over 1 to 6
atoms; positive and negative literals; call classes of one or several atoms, disjoint or
overlapping; costs of one call, of whole calls, or fractional, 0 among them; identifiers, routes and
checks listed in any order. Programs are order-coherent by construction, and no route contains
another of the same conclusion; nothing is generated and then thrown away.

Domain of `large_cases`: 3 conclusions, 20 routes, 40 atoms, from a seed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial
from random import Random
from typing import Final, TypeVar

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

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
    own_checks,
)

from .independent import Conjunction, Paper, Requirement, read

# Names whose order as text is none of those in which they are drawn or listed.
ATOMS: Final = ("b", "a", "Z.9", "f_2", "c/d", "e")
CHECKS: Final = ("k3", "a", "k1", "K", "k2", "read:all", "k10", "b")
CONCLUSIONS: Final = ("ready", "described", "complete", "audited")

UNIT_COST: Final = (1,)
ANY_COSTS: Final[tuple[Number, ...]] = (1, 0, Fraction(1, 2), 0.1, Fraction(1, 3), 1.5, 2)
GAINS: Final[tuple[Number, ...]] = (1, Fraction(1, 3), 0.5, 33.3)

Item = TypeVar("Item")

plain_texts: Final = st.sampled_from(["a condition", "It holds.", ""])


class Shown:
    """Base of what a counterexample shows by its own `repr`, not field by field."""

    __slots__ = ()

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        printer.text(repr(self))


@dataclass(frozen=True, slots=True, repr=False)
class Case(Shown):
    """A committed program, and what the paper's definitions read in it."""

    commitment: Commitment
    paper: Paper

    @property
    def specification(self) -> Specification:
        """What the program is about."""
        return self.commitment.specification

    @property
    def program(self) -> Program:
        """The committed routes."""
        return self.commitment.program

    @property
    def atoms(self) -> tuple[str, ...]:
        """The atoms' identifiers, sorted."""
        return tuple(sorted(atom.identifier for atom in self.specification.atoms))

    def __repr__(self) -> str:
        """Show what a reader of a counterexample needs."""
        routes = {name: [str(route) for route in listed] for name, listed in self.program.routes}
        checks = {c: (sorted(a), str(self.paper.cost[c])) for c, a in self.paper.settles.items()}
        return f"Case(routes={routes}, order={self.specification.order}, checks={checks})"


@dataclass(frozen=True, slots=True)
class Shape:
    """Which cases are drawn: chains alone or partial orders too, which classes, which costs."""

    partial_orders: bool = True
    overlapping: bool = True
    costs: tuple[Number, ...] = ANY_COSTS
    texts: st.SearchStrategy[str] = plain_texts


ANY_SHAPE: Final = Shape()


def listed_anyhow(items: Sequence[Item]) -> st.SearchStrategy[list[Item]]:
    """Draw an order of the items: one number, so that drawing is cheap."""
    return st.integers(0, factorial(len(items)) - 1).map(lambda index: _order(items, index))


def _order(items: Sequence[Item], index: int) -> list[Item]:
    left, order = list(items), []
    while left:
        index, position = divmod(index, len(left))
        order.append(left.pop(position))
    return order


def case_of(specification: Specification, program: Program) -> Case:
    """Commit a program and read it."""
    return Case(commit(specification, program), read(specification, program))


def case_from(
    routes: Mapping[str, Iterable[Iterable[str]]],
    atoms: Sequence[str],
    shared: tuple[Check, ...] = (),
    utilities: Sequence[int] = range(1, 51),
) -> Case:
    """Return a case written out: a chain, its conclusions as listed, each worth one more."""
    listed = tuple(Atom(atom, "a condition") for atom in atoms)
    worth = zip(routes, utilities, strict=False)
    conclusions = (Conclusion(name, "A conclusion.", utility) for name, utility in worth)
    specification = Specification(tuple(conclusions), listed, own_checks(listed, shared))
    return case_of(specification, Program.of(routes))


@st.composite
def cases(draw: st.DrawFn, shape: Shape = ANY_SHAPE) -> Case:
    """Draw a case of the shape; the module says from which domain."""
    specification, program = draw(drafts(shape))
    return case_of(specification, program)


@st.composite
def drafts(draw: st.DrawFn, shape: Shape = ANY_SHAPE) -> tuple[Specification, Program]:
    """Draw a specification and a valid program for it, not yet committed."""
    atoms = draw(listed_anyhow(ATOMS))[: draw(st.integers(1, len(ATOMS)))]
    count = draw(st.integers(1, len(CONCLUSIONS)))
    below, routes = draw(_routes(atoms, count, shape.partial_orders))
    conclusions = _conclusions(draw, below, shape.texts)
    pairs = [(CONCLUSIONS[w], CONCLUSIONS[s]) for s, weaker in enumerate(below) for w in weaker]
    is_chain = all(weaker == [s - 1] for s, weaker in enumerate(below) if s)
    order = None
    if not is_chain or draw(st.booleans()):
        order, conclusions = tuple(pairs), draw(listed_anyhow(conclusions))
    specification = Specification(
        tuple(conclusions),
        tuple(Atom(a, draw(shape.texts), draw(plain_texts)) for a in draw(listed_anyhow(atoms))),
        tuple(draw(listed_anyhow(draw(_checks(atoms, shape))))),
        order,
        draw(shape.texts),
    )
    return specification, draw(_listed(CONCLUSIONS[:count], routes))


@st.composite
def rival_programs(draw: st.DrawFn) -> tuple[Specification, tuple[Program, ...]]:
    """Draw a chain's specification and three valid programs for it."""
    specification, program = draw(drafts(Shape(partial_orders=False)))
    names = [name for name, _ in program.routes]
    atoms = [atom.identifier for atom in specification.atoms]
    rivals = [program]
    for _ in range(2):
        _, routes = draw(_routes(atoms, len(names), partial_orders=False))
        rivals.append(draw(_listed(names, routes)))
    return specification, tuple(rivals)


@st.composite
def _listed(
    draw: st.DrawFn, names: Sequence[str], routes: Sequence[Iterable[Conjunction]]
) -> Program:
    """Draw the order in which each route lists its literals, which is that of their checks."""
    return Program(
        tuple(
            (name, tuple(_route(draw(listed_anyhow(sorted(p)))) for p in each))
            for name, each in zip(names, routes, strict=True)
        )
    )


def _route(literals: Iterable[Requirement]) -> Route:
    return Route(tuple(Literal(atom, value) for atom, value in literals))


def _conclusions(
    draw: st.DrawFn, below: list[list[int]], texts: st.SearchStrategy[str]
) -> list[Conclusion]:
    """Give each conclusion more utility than those below it; others may tie."""
    utilities: list[Fraction] = []
    for weaker in below:
        base = max((utilities[w] for w in weaker), default=Fraction(0))
        utilities.append(base + Fraction(str(draw(st.sampled_from(GAINS)))))
    return [Conclusion(CONCLUSIONS[i], draw(texts), u) for i, u in enumerate(utilities)]


@st.composite
def _conjunctions(draw: st.DrawFn, atoms: Sequence[str], least: int, most: int) -> Conjunction:
    """Draw literals over distinct atoms, at least `least` and at most `most` where there are."""
    size = draw(st.integers(min(least, len(atoms)), min(most, len(atoms))))
    chosen = draw(listed_anyhow(atoms))[:size]
    values = draw(st.integers(0, 2**size - 1))
    return frozenset((atom, not values >> i & 1) for i, atom in enumerate(chosen))


@st.composite
def _routes(
    draw: st.DrawFn, atoms: Sequence[str], count: int, partial_orders: bool
) -> tuple[list[list[int]], list[list[Conjunction]]]:
    """Draw, for each conclusion, those directly below it, and its routes.

    A route of a conclusion joins one route of each conclusion directly below, and more literals.
    Where the routes of two of them contradict each other throughout, the later one is not below.
    """
    below: list[list[int]] = []
    routes: list[list[Conjunction]] = []
    for index in range(count):
        weaker = [index - 1] if index else []
        if index and partial_orders:
            weaker = sorted(draw(st.sets(st.integers(0, index - 1), max_size=2)))
        bases = _joined([routes[w] for w in weaker])
        while not bases:
            weaker = weaker[:-1]
            bases = _joined([routes[w] for w in weaker])
        drawn = []
        for _ in range(draw(st.integers(1, 3))):
            base = draw(st.sampled_from(bases))
            free = [atom for atom in atoms if atom not in dict(base)]
            drawn.append(base | draw(_conjunctions(free, 0 if base else 1, 2)))
        below.append(weaker)
        routes.append(_minimal(drawn))
    return below, routes


def _joined(choices: list[list[Conjunction]]) -> list[Conjunction]:
    """Return the unions of one conjunction from each list that contradict themselves nowhere."""
    nothing = frozenset[Requirement]()
    unions = (nothing.union(*chosen) for chosen in product(*choices))
    return [union for union in dict.fromkeys(unions) if len(dict(union)) == len(union)]


def _minimal(conjunctions: Iterable[Conjunction]) -> list[Conjunction]:
    """Return those that contain no other, each once."""
    distinct = list(dict.fromkeys(conjunctions))
    return [p for p in distinct if not any(other < p for other in distinct)]


@st.composite
def _checks(draw: st.DrawFn, atoms: Sequence[str], shape: Shape) -> list[Check]:
    """Draw a partition of the atoms into call classes, and perhaps classes that overlap it."""
    classes: dict[int, list[str]] = {}
    for atom in atoms:
        classes.setdefault(draw(st.integers(0, len(atoms) - 1)), []).append(atom)
    settled = list(classes.values())
    if shape.overlapping:
        extra = st.lists(st.sampled_from(atoms), min_size=1, max_size=3, unique=True)
        settled += draw(st.lists(extra, max_size=2))
    names = draw(listed_anyhow(CHECKS))
    costs = st.sampled_from(shape.costs)
    return [Check(names[i], tuple(each), draw(costs)) for i, each in enumerate(settled)]


def assignments_of(atoms: Sequence[str]) -> list[dict[str, bool]]:
    """Return every truth assignment of the atoms: 2 to the power of their number."""
    every = product((False, True), repeat=len(atoms))
    return [dict(zip(atoms, values, strict=True)) for values in every]


def assignments(atoms: Sequence[str]) -> st.SearchStrategy[dict[str, bool]]:
    """Draw one truth assignment of the atoms."""
    return st.fixed_dictionaries({atom: st.booleans() for atom in atoms})


@st.composite
def truths(draw: st.DrawFn, case: Case) -> dict[str, bool]:
    """Draw a truth assignment; in most of them some route is true, often of a strong conclusion."""
    truth = draw(assignments(case.atoms))
    routes = [route for routes in case.paper.routes.values() for route in routes]
    return truth | dict(draw(st.sampled_from([*routes[::-1], frozenset[tuple[str, bool]]()])))


budgets: Final[st.SearchStrategy[Number]] = st.sampled_from(
    [8, 20, 12, 10, 7, 6, 5, 4, 3, 2, 1, 0, 0.3, 2.5, 4.75, 6.1, 7.9, Fraction(22, 3), 15, 25]
)
"""Budgets from nothing to plenty, some of which no sum of costs meets exactly."""


def large_cases(overlapping: bool = False) -> st.SearchStrategy[Case]:
    """Draw a chain of 3 conclusions with 20 routes over 40 atoms, in classes of 1 to 4."""
    return st.integers(0, 2**32 - 1).map(lambda seed: large_case(seed, overlapping))


def large_case(seed: int, overlapping: bool = False) -> Case:
    """Return the large case of a seed."""
    random = Random(seed)
    atoms = [f"atom{number:02}" for number in range(40)]
    routes: list[list[Conjunction]] = []
    for size in (8, 7, 5):
        bases = routes[-1] if routes else [frozenset[tuple[str, bool]]()]
        drawn: list[Conjunction] = []
        while len(drawn) < size:
            base = random.choice(bases)
            free = [atom for atom in atoms if atom not in dict(base)]
            more = {(atom, random.random() < 0.7) for atom in random.sample(free, 3)}
            drawn = _minimal([*drawn, base | more])
        routes.append(drawn)
    specification = Specification(
        tuple(Conclusion(CONCLUSIONS[i], "A conclusion.", i + 1) for i in range(3)),
        tuple(Atom(atom, "a condition") for atom in atoms),
        tuple(_large_checks(random, atoms, overlapping)),
    )
    listed = (
        (name, tuple(_route(random.sample(sorted(p), len(p))) for p in each))
        for name, each in zip(CONCLUSIONS, routes, strict=False)
    )
    return case_of(specification, Program(tuple(listed)))


def _large_checks(random: Random, atoms: list[str], overlapping: bool) -> list[Check]:
    checks: list[Check] = []
    left = random.sample(atoms, len(atoms))
    while left:
        size = random.randint(1, 3)
        settled, left = left[:size], left[size:]
        checks.append(Check(f"k{len(checks):02}", tuple(settled), random.choice(ANY_COSTS)))
    for number in range(10 if overlapping else 0):
        settled = random.sample(atoms, random.randint(2, 4))
        checks.append(Check(f"more{number}", tuple(settled), random.choice(ANY_COSTS)))
    return checks
