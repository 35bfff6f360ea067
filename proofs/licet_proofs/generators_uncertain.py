"""Specifications with constraints, texts and candidates, for the sampled properties.

Domain of `uncertain_cases`: the conclusions and routes of `generators.cases`; up to 6 constraints
of up to 3 literals that hold in one world of every route, so that every program is valid; each atom
read from a field, from one of up to 3 candidates, or judged on a text; field checks may overlap.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from licet import Check, CheckKind, Literal, Number, Program, Specification

from .generators import (
    ANY_SHAPE,
    CHECKS,
    Case,
    Shape,
    assignments,
    case_of,
    drafts,
    listed_anyhow,
)
from .independent import Assignment, Requirement
from .independent_uncertain import worlds

PLACES: Final = ("first", "second place", "z[0].x")
EXHAUSTED: Final = (None, False, True)


@st.composite
def uncertain_drafts(
    draw: st.DrawFn,
    shape: Shape = ANY_SHAPE,
    places: Sequence[str] = PLACES,
) -> tuple[Specification, Program]:
    """Draw a specification and a valid program for it; the module says from which domain."""
    specification, program = draw(drafts(shape))
    atoms = [atom.identifier for atom in specification.atoms]
    checks = draw(_uncertain_checks(atoms, shape, places))
    constrained = replace(
        specification,
        checks=tuple(draw(listed_anyhow(checks))),
        constraints=draw(constraints_for(atoms, [program])),
    )
    return constrained, program


@st.composite
def uncertain_cases(
    draw: st.DrawFn, shape: Shape = ANY_SHAPE, places: Sequence[str] = PLACES
) -> Case:
    """Draw a case; the module says from which domain."""
    return case_of(*draw(uncertain_drafts(shape, places)))


@st.composite
def constraints_for(
    draw: st.DrawFn, atoms: Sequence[str], programs: Sequence[Program]
) -> tuple[tuple[Literal, ...], ...]:
    """Draw clauses that hold where a drawn world is changed to make any one route true."""
    base = draw(assignments(atoms))
    routes = [route for program in programs for _, listed in program.routes for route in listed]
    true = [base | {p.atom: p.positive for p in route.literals} for route in routes]
    clauses = []
    for _ in range(draw(st.sampled_from([4, 6, 2, 0]))):
        size = min(draw(st.sampled_from([2, 3, 1])), len(atoms))
        chosen = draw(listed_anyhow(atoms))[:size]
        clause = tuple(Literal(atom, draw(st.booleans())) for atom in chosen)
        if all(_holds(clause, world) for world in true):
            clauses.append(clause)
    return tuple(clauses)


def _holds(clause: tuple[Literal, ...], world: Assignment) -> bool:
    return any(world[literal.atom] is literal.positive for literal in clause)


@st.composite
def _uncertain_checks(
    draw: st.DrawFn, atoms: Sequence[str], shape: Shape, places: Sequence[str]
) -> list[Check]:
    """Draw a check for every atom: of a field, of candidates, or of a text that some share."""
    names = iter(draw(listed_anyhow((*CHECKS, "text", "more"))))
    costs: st.SearchStrategy[Number] = st.sampled_from(shape.costs)
    kinds = {atom: draw(st.sampled_from(["field", "text", "places"])) for atom in atoms}
    kinds |= {atoms[0]: draw(st.sampled_from(["text", "text", "field"]))}
    checks = []
    for kind in ("text", "field"):
        classes: dict[int, list[str]] = {}
        for atom in (atom for atom in atoms if kinds[atom] == kind):
            classes.setdefault(draw(st.integers(0, 2)), []).append(atom)
        for settled in classes.values():
            checks.append(Check(next(names), tuple(settled), draw(costs), CheckKind(kind)))
    for atom in (atom for atom in atoms if kinds[atom] == "places"):
        listed = tuple(draw(listed_anyhow(places))[: draw(st.integers(1, len(places)))])
        value = draw(st.sampled_from(EXHAUSTED))
        checks.append(Check(next(names), (atom,), draw(costs), CheckKind.FIELD, listed, value))
    read_from_fields = [atom for atom in atoms if kinds[atom] != "text"]
    if shape.overlapping and read_from_fields and draw(st.booleans()):
        extra = draw(
            st.lists(st.sampled_from(read_from_fields), min_size=1, max_size=3, unique=True)
        )
        checks.append(Check(next(names, "last"), tuple(extra), draw(costs)))
    return checks


@st.composite
def allowed_truths(draw: st.DrawFn, case: Case) -> dict[str, bool]:
    """Draw a world that satisfies the constraints; in most of them some route is true."""
    routes = [route for listed in case.paper.routes.values() for route in listed]
    route = draw(st.sampled_from([*routes[::-1], frozenset[Requirement]()]))
    return draw(st.sampled_from(worlds(case.paper, route)))
