"""A family's requirements as a licet document, and what its checks cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .tasks import UTILITIES, AtomSpec, Budgets, Family, Json, Reference

Routes = Mapping[str, Sequence[Sequence[str]]]


def document_of(family: Family, atoms: Sequence[AtomSpec], budget: int = 20) -> dict[str, Json]:
    """Return the review program of a task: the family's routes over its own conditions.

    Conditions on one field are one call, as one read settles them all.
    """
    stated = program(family, {atom.identifier: _field_atom(atom) for atom in atoms}, budget)
    shared = _shared(atoms)
    if shared:
        stated["checks"] = {
            f"read:{field}": {"settles": list(settled), "cost": 1}
            for field, settled in shared.items()
        }
    return stated


def program(family: Family, atoms: dict[str, Json], budget: int) -> dict[str, Json]:
    """Return a document of a family's request, conclusions and routes over stated atoms."""
    return {
        "licet": 1,
        "request": family.request,
        "conclusions": [
            {"id": name, "says": says, "utility": float(utility)}
            for (name, says), utility in zip(family.conclusions, UTILITIES, strict=True)
        ],
        "order": "chain",
        "atoms": atoms,
        "routes": {
            name: [list(route) for route in listed] for name, listed in family.routes.items()
        },
        "budget": budget,
    }


def calls(atoms: Sequence[AtomSpec]) -> dict[str, str]:
    """Return for each atom which call settles it: one for each field."""
    return {atom.identifier: atom.field for atom in atoms}


def budgets(routes: Routes, call_of: Mapping[str, str]) -> Budgets:
    """Return the paper's four budgets: b_min is the cheapest route of the strongest conclusion."""
    *_, strongest = routes
    cheapest = min(len(_calls(route, call_of)) for route in routes[strongest])
    return Budgets(cheapest, cheapest + 1, 2 * cheapest)


def sufficient(routes: Routes, call_of: Mapping[str, str], supports: Reference) -> int | None:
    """Return N(z0), or None where an atom that it counts cannot be settled (PRIME, section 4).

    It counts the calls that settle the atoms on the routes of the strongest supported conclusion
    and of every stronger one; of all conclusions where none is supported.
    """
    names = list(routes)
    first = 0 if supports.strongest is None else names.index(supports.strongest)
    literals = [literal for name in names[first:] for route in routes[name] for literal in route]
    if any(supports.values[literal.lstrip("!")] is None for literal in literals):
        return None
    return len(_calls(literals, call_of))


def _calls(literals: Iterable[str], call_of: Mapping[str, str]) -> set[str]:
    return {call_of[literal.lstrip("!")] for literal in literals}


def _field_atom(atom: AtomSpec) -> dict[str, Json]:
    return {"says": atom.says, "field": atom.field, **tested(atom)}


def tested(atom: AtomSpec) -> dict[str, Json]:
    """Return the keys of an atom that say what is tested."""
    stated: dict[str, Json] = {"test": atom.test}
    if atom.value is not None:
        stated["value"] = atom.value
    if atom.date_format:
        stated["date_format"] = atom.date_format
    return stated


def _shared(atoms: Sequence[AtomSpec]) -> dict[str, list[str]]:
    by_field: dict[str, list[str]] = {}
    for atom in atoms:
        by_field.setdefault(atom.field, []).append(atom.identifier)
    return {field: settled for field, settled in by_field.items() if len(settled) > 1}
