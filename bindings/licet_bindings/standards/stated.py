"""The standard that a document states, and the program that its routes or its standard make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from licet import InvalidInput, Program, Specification
from licet.validation import closure_of_order
from licet_bindings.standards.expressions import atoms_of, parse_expression
from licet_bindings.standards.minimal import minimal_program
from licet_bindings.standards.standard import Standard, place_of
from licet_bindings.strict import Misplaced


def stated_standard(
    formulas: Mapping[str, str],
    conclusions: Sequence[str],
    atoms: Iterable[str],
    constraints: Iterable[Iterable[str]],
) -> Standard | None:
    """Return what a document states as its standard, or None where it states none.

    Atoms stand in the order in which the formulas first name them, conclusion by conclusion, as
    these are listed. So the order of a document's keys counts for nothing.

    Raises:
        InvalidInput: a formula is malformed, or names no atom; or there is no such conclusion.
    """
    if not formulas:
        return None
    for conclusion in formulas:
        if conclusion not in conclusions:
            raise InvalidInput(place_of(conclusion), "no conclusion has this name")
    parsed = {
        conclusion: parse_expression(formulas[conclusion], place_of(conclusion))
        for conclusion in conclusions
        if conclusion in formulas
    }
    known = dict.fromkeys(sorted(atoms))
    named = {atom: None for formula in parsed.values() for atom in atoms_of(formula)}
    ordered = {atom: None for atom in named if atom in known} | known
    return Standard.of(ordered, parsed, constraints)


def stated_program(
    routes: Mapping[str, Iterable[Iterable[str]]] | None,
    standard: Standard | None,
    specification: Specification,
) -> Program:
    """Return the program of a document: its routes, or its standard's minimal ones without any.

    Raises:
        InvalidInput: a route is malformed, or the standard gives no program.
    """
    if routes is not None:
        return Program.of(routes)
    if standard is None:
        raise Misplaced(
            "expected this key, or `standard` to compute them from; found neither", ("routes",)
        )
    for conclusion in specification.conclusions:
        if conclusion.identifier not in standard.formulas:
            raise Misplaced(
                "expected a formula for each conclusion, for there are no routes; found none",
                ("standard", conclusion.identifier),
            )
    closed = closure_of_order(specification.pairs)
    # Of a cycle the kernel's validation speaks.
    pairs = [pair for pair in specification.pairs if pair[::-1] not in closed]
    return minimal_program(standard, pairs)
