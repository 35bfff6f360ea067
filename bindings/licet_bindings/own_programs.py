"""Documents of one's own for the proofs: which kind each is, and the checks that fit it."""

from __future__ import annotations

from dataclasses import asdict
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from licet_bindings.documents import ReviewDocument, commit_document, read_document
from licet_bindings.errors import DocumentError
from licet_bindings.gate.documents import candidate_of, default_budget, placed_in
from licet_bindings.standards.own_checks import standard_checks
from licet_bindings.trees import read_tree

if TYPE_CHECKING:
    from licet_proofs.own.findings import Finding, OwnCheck

PROGRAM = "review program"
CANDIDATE = "gate candidate"


class ProgramReport(TypedDict):
    """What was found of one document, for JSON."""

    document: str
    kind: str
    good: bool
    findings: list[dict[str, object]]


def checks_of(path: Path) -> tuple[str, tuple[OwnCheck, ...]]:
    """Return what a document is, told by its keys, and its checks.

    Raises:
        DocumentError: it is neither a valid review program nor a valid gate candidate.
    """
    from licet_proofs.own.candidates import OwnCandidate, candidate_checks
    from licet_proofs.own.programs import OwnProgram, program_checks

    name = fspath(path)
    tree = read_tree(path)
    if kind_of(tree, name) == CANDIDATE:
        document = candidate_of(tree, name)
        with placed_in(name):
            own = OwnCandidate(document.candidate, default_budget(document))
            return CANDIDATE, candidate_checks(own)
    program = read_document(path)
    unread = _not_checked(program)
    if unread:
        return PROGRAM, (unread, *standard_checks(program))
    checks = program_checks(OwnProgram(commit_document(program), program.budget))
    return PROGRAM, (*checks, *standard_checks(program))


def _not_checked(document: ReviewDocument) -> OwnCheck | None:
    """Return what says that a program has what the checks do not take; None where they take it.

    They enumerate ledgers of fields at known places, each observation independent of the others.
    """
    from licet_proofs.own.findings import Finding, OwnCheck, Word

    program = commit_document(document).compiled
    found = (
        ("atoms that are judged on a text", bool(program.texts)),
        ("several candidate fields", any(check.candidates for check in program.registered)),
        ("constraints", bool(program.clauses)),
    )
    named = [what for what, there in found if there]
    if not named:
        return None
    says = f"not checked but for its standard: it has {', '.join(named)}"
    return OwnCheck("program", lambda: Finding("program", Word.ADVICE, says))


def kind_of(tree: object, name: str) -> str:
    """Return what a document is by its keys.

    Raises:
        DocumentError: it has the keys of neither kind, or of both.
    """
    keys = set(tree) if isinstance(tree, dict) else set()
    kinds = [kind for kind, key in ((PROGRAM, "conclusions"), (CANDIDATE, "claims")) if key in keys]
    if len(kinds) != 1:
        raise DocumentError(
            name,
            "",
            "expected either `conclusions`, as in a review program, or `claims`, as in a gate"
            " candidate",
        )
    return kinds[0]


def report_of(path: Path, kind: str, findings: list[Finding]) -> ProgramReport:
    """Return the findings of one document as plain data."""
    from licet_proofs.own.findings import has_fault

    return {
        "document": fspath(path),
        "kind": kind,
        "good": not has_fault(findings),
        "findings": [_data(finding) for finding in findings],
    }


def _data(finding: Finding) -> dict[str, object]:
    return asdict(finding) | {"word": finding.word.value}
