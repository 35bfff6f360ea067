"""Programs with constraints, texts and candidates, as plain names and sets beside the kernel's.

The plain form is what the bookkeeper reads, so that a fault in how the kernel reads a program
cannot hide in the check as well.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Final, TypeAlias

from licet import (
    Check,
    CheckKind,
    Commitment,
    Literal,
    commit,
)

from ..adversary.cases import Case, PlainRoute, random_case
from ..adversary.hostile import hostile_text

World: TypeAlias = frozenset[tuple[str, bool]]
"""An assignment: every atom with its value."""

Clause: TypeAlias = frozenset[tuple[str, bool]]
"""A disjunction of (atom, polarity)."""

ATOMS: Final = 8
"""Atoms of a generated program, at most: closures are found by looking at every assignment."""


@dataclass(frozen=True, slots=True)
class PlainCheck:
    """A registered call: its atoms, its cost, and what kind it is.

    Attributes:
        settles: the atoms.
        cost: in calls.
        text: whether it reads a text, on which its atoms are judged.
        candidates: places where its atom may be.
        exhausted: the atom's value when it is at none of them, None for unavailable.
    """

    settles: tuple[str, ...]
    cost: Fraction
    text: bool = False
    candidates: tuple[str, ...] = ()
    exhausted: bool | None = None

    def registered(self, name: str) -> Check:
        """Return the kernel's object."""
        kind = CheckKind.TEXT if self.text else CheckKind.FIELD
        return Check(name, self.settles, self.cost, kind, self.candidates, self.exhausted)


@dataclass(frozen=True, slots=True)
class Problem:
    """One program.

    Attributes:
        commitment: as the kernel holds it.
        conclusions: identifiers as listed.
        at_or_above: for each conclusion itself and every stronger one.
        utility: of each conclusion.
        routes: for each conclusion its routes.
        atoms: identifiers.
        checks: by identifier.
        worlds: every assignment that satisfies the constraints.
        texts: for each text read the text.
    """

    commitment: Commitment
    conclusions: tuple[str, ...]
    at_or_above: Mapping[str, frozenset[str]]
    utility: Mapping[str, Fraction]
    routes: Mapping[str, tuple[PlainRoute, ...]]
    atoms: tuple[str, ...]
    checks: Mapping[str, PlainCheck]
    worlds: tuple[World, ...]
    texts: Mapping[str, str]

    def read_by(self, atom: str) -> str | None:
        """Return the check that reads the text on which an atom is judged, None of a field atom."""
        named = (
            name for name, check in self.checks.items() if check.text and atom in check.settles
        )
        return next(named, None)


def worlds_of(atoms: Sequence[str], clauses: Iterable[Clause]) -> tuple[World, ...]:
    """Return every assignment that satisfies every clause."""
    kept = tuple(clauses)
    every = (
        frozenset(zip(atoms, values, strict=True))
        for values in product((False, True), repeat=len(atoms))
    )
    return tuple(world for world in every if all(world & clause for clause in kept))


def problem_of(
    case: Case,
    checks: Mapping[str, PlainCheck],
    clauses: Sequence[Clause],
    texts: Mapping[str, str],
) -> Problem:
    """Return a case's program with other checks, and constraints."""
    specification = replace(
        case.commitment.specification,
        checks=tuple(check.registered(name) for name, check in checks.items()),
        constraints=tuple(tuple(Literal(*p) for p in sorted(clause)) for clause in clauses),
    )
    return Problem(
        commit(specification, case.commitment.program),
        case.conclusions,
        case.at_or_above,
        {c.identifier: Fraction(str(c.utility)) for c in specification.conclusions},
        case.routes,
        case.atoms,
        checks,
        worlds_of(case.atoms, clauses),
        texts,
    )


def random_problem(random: Random) -> Problem:
    """Return a program of 1 to 4 conclusions over 1 to 8 atoms.

    Of three programs two have constraints, and two atoms that are judged on one or two texts; half
    of the calls for one atom have candidates. The order is a chain or partial.
    """
    case = random_case(random)
    while len(case.atoms) > ATOMS:
        case = random_case(random)
    checks = {name: PlainCheck(settles, case.cost[name]) for name, settles in case.settles.items()}
    if random.random() < 0.67:
        checks = _with_texts(random, case, checks)
    checks = {name: _placed(random, check) for name, check in checks.items()}
    clauses = _random_clauses(random, case) if random.random() < 0.67 else ()
    texts = {name: _text(random, case, check) for name, check in checks.items() if check.text}
    return problem_of(case, checks, clauses, texts)


def _with_texts(
    random: Random, case: Case, checks: Mapping[str, PlainCheck]
) -> dict[str, PlainCheck]:
    """Take some atoms out of all checks and into one or two text reads."""
    judged = random.sample(case.atoms, random.randint(1, min(4, len(case.atoms))))
    others = {
        name: replace(check, settles=tuple(a for a in check.settles if a not in judged))
        for name, check in checks.items()
    }
    split = random.randint(0, len(judged) - 1)
    reads = {f"text.{n}": part for n, part in enumerate((judged[:split], judged[split:]))}
    return {
        **{name: check for name, check in others.items() if check.settles},
        **{
            name: PlainCheck(tuple(part), Fraction(random.choice((1, 1, 1, 0, 2))), text=True)
            for name, part in reads.items()
            if part
        },
    }


def _placed(random: Random, check: PlainCheck) -> PlainCheck:
    if check.text or len(check.settles) > 1 or random.random() < 0.5:
        return check
    places = ("here", "there.0", 'a "quoted" place')[: random.randint(1, 3)]
    return replace(check, candidates=places, exhausted=random.choice((None, True, False)))


def _random_clauses(random: Random, case: Case) -> tuple[Clause, ...]:
    """Return clauses with which every route can hold."""
    clauses: tuple[Clause, ...] = ()
    routes = [route for listed in case.routes.values() for route in listed]
    for _ in range(random.randint(1, 6)):
        size = random.choice((1, 2, 2, 2, 3))
        atoms = random.sample(case.atoms, min(size, len(case.atoms)))
        clause = frozenset((atom, random.random() < 0.5) for atom in atoms)
        worlds = worlds_of(case.atoms, (*clauses, clause))
        if all(any(route <= world for world in worlds) for route in routes):
            clauses += (clause,)
    return clauses


def _text(random: Random, case: Case, check: PlainCheck) -> str:
    about = "; ".join(f"of {atom} it is said that it holds" for atom in check.settles)
    return f"{about}. {hostile_text(random, random.choice(case.conclusions))}"
