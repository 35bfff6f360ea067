"""A document's standard among the checks of a program of one's own (`licet prove --program`)."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from licet_bindings.documents import ReviewDocument
from licet_bindings.standards.comparing import Comparison, Verdict
from licet_bindings.standards.reports import (
    comparison_findings,
    comparisons_of,
    standard_report,
    verdict_text,
)

if TYPE_CHECKING:
    from licet_proofs.own.findings import Finding, OwnCheck


def standard_checks(document: ReviewDocument) -> tuple[OwnCheck, ...]:
    """Return one check for each conclusion of a document's standard: that the routes are right.

    A difference, and what cannot be decided, is a fault; routes that are right and not the minimal
    ones are advice.
    """
    from licet_proofs.own.findings import OwnCheck

    if document.standard is None:
        return ()

    @cache
    def compared() -> dict[str, Comparison]:
        return {found.conclusion: found for found in comparisons_of(document)}

    def run(conclusion: str) -> Finding:
        return _finding(compared()[conclusion])

    return tuple(
        OwnCheck(f"standard {conclusion}", partial(run, conclusion))
        for conclusion in document.standard.formulas
    )


def _finding(found: Comparison) -> Finding:
    from licet_proofs.own.findings import Finding, Word

    word = {Verdict.MINIMAL: Word.HOLDS, Verdict.EQUIVALENT: Word.ADVICE}
    report = standard_report(found)
    problems = [fault.problem for fault in comparison_findings(found)]
    return Finding(
        f"standard {found.conclusion}",
        word.get(found.verdict, Word.FAULT),
        "; ".join((f"the routes beside the standard: {verdict_text(report)}", *problems)),
        "" if found.verdict is Verdict.UNDECIDED else "decided for all states",
        {
            "verdict": report["verdict"],
            "state": report["state"],
            "missing": report["missing"],
            "not_minimal": report["not_minimal"],
        },
    )
