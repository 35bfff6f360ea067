"""Programs of one's own for the tests: a sound one, and ways to spoil it."""

from __future__ import annotations

from fractions import Fraction

from licet import Atom, Check, Conclusion, Program, Specification, commit, own_checks
from licet_proofs.own.findings import Finding, Word
from licet_proofs.own.ledgers import LEDGER_LIMIT
from licet_proofs.own.programs import OwnProgram, program_checks

ROUTES = {"described": [["details"]], "triage": [["details", "reviewed"], ["details", "!old"]]}


def own(
    routes: dict[str, list[list[str]]],
    budget: int | None = None,
    *,
    shared: tuple[Check, ...] = (),
    bindings: dict[str, str] | None = None,
    order: tuple[tuple[str, str], ...] | None = None,
    limit: int = LEDGER_LIMIT,
) -> OwnProgram:
    """Return a program whose atoms are those of its routes, each conclusion worth one more."""
    names = dict.fromkeys(p.removeprefix("!") for r in routes.values() for q in r for p in q)
    atoms = tuple(Atom(name, "a condition", (bindings or {}).get(name, name)) for name in names)
    conclusions = tuple(Conclusion(name, "It is so.", i + 1) for i, name in enumerate(routes))
    specification = Specification(conclusions, atoms, own_checks(atoms, shared), order)
    committed = commit(specification, Program.of(routes))
    return OwnProgram(committed, None if budget is None else Fraction(budget), limit)


def findings(program: OwnProgram) -> dict[str, Finding]:
    return {check.name: check.run() for check in program_checks(program)}


def faults(program: OwnProgram) -> dict[str, str]:
    found = findings(program).values()
    return {finding.name: finding.says for finding in found if finding.word is Word.FAULT}
