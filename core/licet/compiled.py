"""A program compiled to indices: what the decisions of a review run on.

Names belong to documents and objects. At commitment a specification and its program become bit
masks: bit i of an atom mask stands for the i-th atom in the order of identifiers, bit i of a
conclusion mask for the i-th conclusion as listed, bit i of a check mask for the i-th check in the
order of identifiers. Costs become integers in units of 1/`unit` calls.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from icontract import ensure, require

from .constraints import Clauses, closure
from .objects import Check, CheckKind, Program, Route, Specification
from .rationals import exact
from .validation import clauses_of, closure_of_order, faults

ATTESTATION_COST: Final = 1
"""Calls that an attestation costs, besides the read of its text."""


class CompiledRoute(NamedTuple):
    """A route on indices.

    Attributes:
        needs_true: the atoms that it needs true, as an atom mask.
        needs_false: the atoms that it needs false, as an atom mask.
        order: its atoms as listed, which is the order in which they are checked.
    """

    needs_true: int
    needs_false: int
    order: tuple[int, ...]


class CompiledCheck(NamedTuple):
    """A call class on indices.

    Attributes:
        atoms: the atoms that it settles (mask).
        cost: units for the call.
        each: units for each of the atoms besides: of a text read, for its attestation; else 0.
    """

    atoms: int
    cost: int
    each: int = 0


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """A validated program on indices.

    Attributes:
        atoms: identifiers in sorted order; position is the bit.
        conclusions: identifiers as listed; position is the bit.
        checks: identifiers in sorted order; position is the bit.
        registered: the checks themselves, in the same order.
        routes: for each conclusion its routes, as listed.
        calls: for each check its call class.
        at_or_below: for each conclusion d the mask of every c with c at or below d.
        by_utility: conclusion indices by falling utility, ties as listed.
        rank: for each conclusion the place of its utility among the distinct utilities, from 1 (0
            is abstention); comparing ranks is comparing utilities.
        settled_by: for each atom the indices of the checks that settle it, in that order.
        unit: units in one call.
        texts: mask of the checks that read a text.
        clauses: the constraints.
        models: assignments that satisfy them, which the first closure of a review starts from.
    """

    atoms: tuple[str, ...]
    conclusions: tuple[str, ...]
    checks: tuple[str, ...]
    registered: tuple[Check, ...]
    routes: tuple[tuple[CompiledRoute, ...], ...]
    calls: tuple[CompiledCheck, ...]
    at_or_below: tuple[int, ...]
    by_utility: tuple[int, ...]
    rank: tuple[int, ...]
    settled_by: tuple[tuple[int, ...], ...]
    unit: int
    texts: int = 0
    clauses: Clauses = ()
    models: tuple[int, ...] = (0,)

    @property
    def all_checks(self) -> int:
        """Every registered check, as a check mask."""
        return (1 << len(self.checks)) - 1


@require(lambda mask: mask >= 0)
@ensure(lambda mask, result: sum(1 << bit for bit in result) == mask)
def bits(mask: int) -> tuple[int, ...]:
    """Return the positions of the one bits of `mask`, lowest first."""
    return tuple(_bits(mask))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@require(lambda specification, program: not faults(specification, program))
@ensure(lambda specification, result: len(result.atoms) == len(specification.atoms))
@ensure(lambda specification, result: len(result.routes) == len(specification.conclusions))
def compile_program(specification: Specification, program: Program) -> CompiledProgram:
    """Return the validated `program` on indices."""
    atoms = tuple(sorted(atom.identifier for atom in specification.atoms))
    bit = {atom: 1 << index for index, atom in enumerate(atoms)}
    conclusions = tuple(conclusion.identifier for conclusion in specification.conclusions)
    checks = tuple(sorted(specification.checks, key=lambda check: check.identifier))
    costs = [exact(check.cost, "cost") for check in checks]
    unit = lcm(*(cost.denominator for cost in costs))
    utilities = [exact(conclusion.utility, "utility") for conclusion in specification.conclusions]
    distinct = sorted(set(utilities))
    clauses = clauses_of(specification.constraints, bit)
    return CompiledProgram(
        atoms=atoms,
        conclusions=conclusions,
        checks=tuple(check.identifier for check in checks),
        registered=checks,
        routes=tuple(
            tuple(_compile_route(route, bit) for route in program.of_conclusion(name))
            for name in conclusions
        ),
        calls=tuple(
            CompiledCheck(
                sum(bit[atom] for atom in check.settles),
                int(cost * unit),
                ATTESTATION_COST * unit if check.kind is CheckKind.TEXT else 0,
            )
            for check, cost in zip(checks, costs, strict=True)
        ),
        at_or_below=_at_or_below(specification, conclusions),
        by_utility=tuple(sorted(range(len(conclusions)), key=lambda index: -utilities[index])),
        rank=tuple(1 + distinct.index(utility) for utility in utilities),
        settled_by=tuple(
            tuple(i for i, check in enumerate(checks) if atom in check.settles) for atom in atoms
        ),
        unit=unit,
        texts=sum(1 << i for i, check in enumerate(checks) if check.kind is CheckKind.TEXT),
        clauses=clauses,
        models=closure(clauses, (1 << len(atoms)) - 1, 0, 0).models,
    )


@require(lambda units: units >= 0)
@ensure(lambda program, units, result: result * program.unit == units)
def calls_of(program: CompiledProgram, units: int) -> Fraction:
    """Return a cost in units as a number of calls."""
    return Fraction(units, program.unit)


def _compile_route(route: Route, bit: dict[str, int]) -> CompiledRoute:
    return CompiledRoute(
        sum(bit[literal.atom] for literal in route.literals if literal.positive),
        sum(bit[literal.atom] for literal in route.literals if not literal.positive),
        tuple(bit[literal.atom].bit_length() - 1 for literal in route.literals),
    )


def _at_or_below(specification: Specification, conclusions: tuple[str, ...]) -> tuple[int, ...]:
    closed = closure_of_order(specification.pairs)
    return tuple(
        sum(
            1 << index
            for index, weaker in enumerate(conclusions)
            if weaker == stronger or (weaker, stronger) in closed
        )
        for stronger in conclusions
    )
