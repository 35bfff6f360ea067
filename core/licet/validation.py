"""Program validation (PRIME, appendix A): structure is checked before anything is committed.

Validation says nothing about whether the rules are right; it rejects what could not be one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from icontract import ensure

from .constraints import (
    Clause,
    Clauses,
    Consistency,
    closure,
    find_model,
    satisfies,
)
from .errors import InvalidInput
from .objects import CheckKind, Literal, Program, Route, Specification
from .rationals import exact


class Fault(NamedTuple):
    """One thing that is wrong: its place as a dotted path, and what was expected there."""

    place: str
    problem: str


@ensure(lambda pairs, result: all(pair in result for pair in pairs))
def closure_of_order(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Return the transitive closure of (weaker, stronger) pairs.

    >>> sorted(closure_of_order([("a", "b"), ("b", "c")]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    closed = set(pairs)
    while True:
        longer = {(a, d) for a, b in closed for c, d in closed if b == c} - closed
        if not longer:
            return frozenset(closed)
        closed |= longer


def clauses_of(constraints: Iterable[tuple[Literal, ...]], bit: Mapping[str, int]) -> Clauses:
    """Return constraints as masks, given each atom's bit, in an order of their own.

    The hash covers no order of theirs, so none may decide when a search reaches its limit.
    """
    clauses = {
        Clause(
            sum(bit[literal.atom] for literal in clause if literal.positive),
            sum(bit[literal.atom] for literal in clause if not literal.positive),
        )
        for clause in constraints
    }
    return tuple(sorted(clauses))


@ensure(lambda result: all(isinstance(fault, Fault) for fault in result))
def faults(specification: Specification, program: Program) -> tuple[Fault, ...]:
    """Return everything that is wrong with `program` over `specification`, in reading order.

    An empty answer means that the program can be committed. Rejected are: conclusions, atoms,
    checks or routes that are malformed or named twice, an order with a cycle, utilities that do
    not increase along it, atoms without a registered check, an atom that is judged on a text and
    settled by another check too, constraints over unknown atoms or that nothing satisfies, routes
    over unknown atoms or that nothing satisfies with the constraints, a route that repeats or
    strictly contains another of the same conclusion, and routes that are not order-coherent.
    Constraints too hard to decide are refused as well.
    Source: appendix A, "Program validation" and premises T1 and T2.
    """
    first = tuple(_specification_faults(specification))
    # The rules about routes read the order and the atoms, which must be sound first.
    return first or tuple(_program_faults(specification, program))


@ensure(lambda specification, program: not faults(specification, program))
def validate(specification: Specification, program: Program) -> None:
    """Return if `program` can be committed; else raise `InvalidInput` with the first fault."""
    found = faults(specification, program)
    if found:
        raise InvalidInput(found[0].place, found[0].problem)


def _specification_faults(specification: Specification) -> Iterator[Fault]:
    if not specification.conclusions:
        yield Fault("conclusions", "expected at least one conclusion")
    for place, names in (
        ("conclusions", [conclusion.identifier for conclusion in specification.conclusions]),
        ("atoms", [atom.identifier for atom in specification.atoms]),
        ("checks", [check.identifier for check in specification.checks]),
    ):
        yield from _repeated(place, names)
    yield from _check_faults(specification)
    yield from _order_faults(specification)
    yield from _constraint_faults(specification)


def _repeated(place: str, names: list[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield Fault(f"{place}.{name}", "expected each identifier once, found it twice")
        seen.add(name)


def _check_faults(specification: Specification) -> Iterator[Fault]:
    atoms = {atom.identifier for atom in specification.atoms}
    settled: set[str] = set()
    for check in specification.checks:
        settled.update(check.settles)
        for atom in check.settles:
            if atom not in atoms:
                yield Fault(f"checks.{check.identifier}.settles", f"no atom is named {atom!r}")
    for unsettled in specification.atoms:
        if unsettled.identifier not in settled:
            yield Fault(
                f"atoms.{unsettled.identifier}", "expected a registered check that settles it"
            )
    yield from _judged_faults(specification)


def _judged_faults(specification: Specification) -> Iterator[Fault]:
    settling = Counter(atom for check in specification.checks for atom in check.settles)
    for check in specification.checks:
        if check.kind is CheckKind.TEXT:
            for atom in check.settles:
                if settling[atom] > 1:
                    yield Fault(
                        f"checks.{check.identifier}.settles",
                        f"{atom!r} is judged on a text; expected no other check that settles it",
                    )


def _constraint_faults(specification: Specification) -> Iterator[Fault]:
    atoms = {atom.identifier for atom in specification.atoms}
    unknown = False
    for position, clause in enumerate(specification.constraints):
        for literal in clause:
            if literal.atom not in atoms:
                unknown = True
                yield Fault(f"constraints.{position}", f"no atom is named {literal.atom!r}")
    if not unknown:
        problem = _undecided(clauses_of(specification.constraints, _bits(specification)))
        if problem:
            yield Fault("constraints", problem)


def _bits(specification: Specification) -> dict[str, int]:
    """Return each atom's bit, the same as in `compiled`."""
    names = sorted(atom.identifier for atom in specification.atoms)
    return {name: 1 << index for index, name in enumerate(names)}


def _undecided(clauses: Clauses) -> str:
    """Return what is wrong where no assignment satisfies the clauses, or what they imply is open.

    A review under the latter would begin suspended.
    """
    atoms = 0
    for clause in clauses:
        atoms |= clause.positive | clause.negative
    match closure(clauses, atoms, 0, 0).consistency:
        case Consistency.CONTRADICTED:
            return "expected that some record can satisfy them all, found none"
        case Consistency.UNDECIDED:
            return "expected clauses that can be decided within the limit of the search"
    return ""


def _order_faults(specification: Specification) -> Iterator[Fault]:
    utilities = {
        conclusion.identifier: exact(conclusion.utility, "utility")
        for conclusion in specification.conclusions
    }
    unknown = [name for pair in specification.pairs for name in pair if name not in utilities]
    if unknown:
        yield Fault("order", f"no conclusion is named {unknown[0]!r}")
        return
    closed = closure_of_order(specification.pairs)
    cyclic = sorted(weaker for weaker, stronger in closed if weaker == stronger)
    if cyclic:
        yield Fault("order", f"expected no cycle, found one through {cyclic[0]!r}")
        return
    for weaker, stronger in sorted(closed):
        if not utilities[weaker] < utilities[stronger]:
            yield Fault(
                f"conclusions.{stronger}.utility",
                f"expected more than the {float(utilities[weaker]):g} of the weaker {weaker!r},"
                f" found {float(utilities[stronger]):g}",
            )


def _program_faults(specification: Specification, program: Program) -> Iterator[Fault]:
    conclusions = [conclusion.identifier for conclusion in specification.conclusions]
    for name, _ in program.routes:
        if name not in conclusions:
            yield Fault(f"routes.{name}", "no conclusion has this name")
    atoms = {atom.identifier for atom in specification.atoms}
    named = True
    for name in conclusions:
        routes = program.of_conclusion(name)
        if not routes:
            yield Fault(f"routes.{name}", "expected at least one route")
        unknown = tuple(_unknown_atoms(name, routes, atoms))
        named = named and not unknown
        yield from unknown
        yield from _contained_routes(name, routes)
    yield from _incoherent_routes(specification, program)
    if named:
        yield from _impossible_routes(specification, program)


def _unknown_atoms(name: str, routes: tuple[Route, ...], atoms: set[str]) -> Iterator[Fault]:
    for position, route in enumerate(routes):
        for literal in route.literals:
            if literal.atom not in atoms:
                yield Fault(f"routes.{name}.{position}", f"no atom is named {literal.atom!r}")


def _impossible_routes(specification: Specification, program: Program) -> Iterator[Fault]:
    """Yield the routes that no record can satisfy; the first that cannot be decided is the last.

    An assignment that was found for one route often satisfies others, and saves their searches.
    """
    if not specification.constraints:
        return
    bit = _bits(specification)
    clauses = clauses_of(specification.constraints, bit)
    known: list[int] = []
    for conclusion in specification.conclusions:
        for position, route in enumerate(program.of_conclusion(conclusion.identifier)):
            literals = clauses_of(((literal,) for literal in route.literals), bit)
            if any(satisfies(literals, model) for model in known):
                continue
            place = f"routes.{conclusion.identifier}.{position}"
            try:
                model = find_model(clauses + literals)
            except OverflowError as fault:
                yield Fault(place, f"expected a route that can be decided: {fault}")
                return
            if model is None:
                problem = (
                    "expected that some record can satisfy it with the constraints, found none"
                )
                yield Fault(place, problem)
            else:
                known.append(model)


def _contained_routes(name: str, routes: tuple[Route, ...]) -> Iterator[Fault]:
    literals = [frozenset(route.literals) for route in routes]
    for position, own in enumerate(literals):
        for other_position, other in enumerate(literals):
            if other < own or (other == own and other_position < position):
                relation = "repeats" if other == own else "strictly contains"
                yield Fault(
                    f"routes.{name}.{position}",
                    f"{relation} route {other_position} of the same conclusion"
                    f" ({routes[other_position]}); expected minimal routes",
                )


def _incoherent_routes(specification: Specification, program: Program) -> Iterator[Fault]:
    for weaker, stronger in sorted(closure_of_order(specification.pairs)):
        for position, route in enumerate(program.of_conclusion(stronger)):
            own = frozenset(route.literals)
            if not any(own >= frozenset(p.literals) for p in program.of_conclusion(weaker)):
                yield Fault(
                    f"routes.{stronger}.{position}",
                    f"not order-coherent: expected it to contain a route of the weaker {weaker!r}",
                )
