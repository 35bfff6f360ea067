"""What `licet check` says of a program's standard: a report for programs, findings for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypedDict

from licet import Fault, Program, Route
from licet_bindings.documents import ReviewDocument
from licet_bindings.standards.comparing import Comparison, Verdict, comparisons
from licet_bindings.standards.minimal import order_violations
from licet_bindings.standards.standard import TooLarge, place_of

LISTED_ROUTES: Final = 3
"""Missing routes that a finding names, at most; the report lists all."""

_VERDICTS: Final[Mapping[str, str]] = {
    Verdict.MINIMAL.value: "its minimal routes",
    Verdict.EQUIVALENT.value: "they hold where it does, and are not the minimal ones",
    Verdict.DIFFERENT.value: "DIFFERENT",
    Verdict.UNDECIDED.value: "NOT DECIDED",
}


class StandardReport(TypedDict):
    """How the routes of one conclusion compare with its standard.

    `state` and `justified` are null where no state is known on which they differ; `reason` is null
    where everything was decided.
    """

    verdict: str
    state: dict[str, bool] | None
    justified: bool | None
    missing: list[list[str]]
    not_minimal: list[list[str]]
    reason: str | None


def standard_report(found: Comparison) -> StandardReport:
    """Return a comparison as plain data."""
    difference = found.difference
    return {
        "verdict": found.verdict.value,
        "state": None if difference is None else dict(difference.state),
        "justified": None if difference is None else difference.justified,
        "missing": [route_report(route) for route in found.missing],
        "not_minimal": [route_report(each.route) for each in found.not_minimal],
        "reason": found.reason or None,
    }


def verdict_text(report: StandardReport) -> str:
    """Return in words what the routes of a conclusion are to its standard."""
    if report["verdict"] == Verdict.EQUIVALENT.value and report["reason"] is not None:
        return "they hold where it does; whether they are the minimal ones is not decided"
    return _VERDICTS[report["verdict"]]


def route_report(route: Route) -> list[str]:
    """Return a route as a document writes it."""
    return [str(literal) for literal in route.literals]


def routes_report(program: Program) -> dict[str, list[list[str]]]:
    """Return all routes as a document writes them."""
    return {name: [route_report(route) for route in routes] for name, routes in program.routes}


def disagrees(reports: Mapping[str, StandardReport]) -> bool:
    """Return whether some routes differ from the standard, or that could not be decided."""
    failed = {Verdict.DIFFERENT.value, Verdict.UNDECIDED.value}
    return any(report["verdict"] in failed for report in reports.values())


def comparisons_of(document: ReviewDocument) -> tuple[Comparison, ...]:
    """Return how the routes of a document compare with its standard; empty if it states none.

    Raises:
        InvalidInput: its constraints cannot be satisfied.
    """
    return () if document.standard is None else comparisons(document.program, document.standard)


def standard_findings(document: ReviewDocument, found: tuple[Comparison, ...]) -> Iterator[Fault]:
    """Yield what is to be said of a document's standard, and of how the routes compare with it."""
    if document.standard is None:
        return
    for conclusion in document.specification.conclusions:
        if conclusion.identifier not in document.standard.formulas:
            yield Fault("standard", f"it says nothing of {conclusion.identifier!r}")
    try:
        for violation in order_violations(document.standard, document.specification.pairs):
            yield Fault(place_of(violation.stronger), violation.problem)
    except TooLarge as fault:
        yield Fault(fault.place, fault.problem)
    for comparison in found:
        yield from comparison_findings(comparison)


def comparison_findings(found: Comparison) -> Iterator[Fault]:
    """Yield what is to be said of the routes of one conclusion beside its standard."""
    place = f"routes.{found.conclusion}"
    if found.difference is not None:
        yield Fault(place, found.difference.problem)
    for each in found.not_minimal:
        # Of the route that shows a difference enough was said.
        if found.difference is None or each.route != found.difference.route:
            yield Fault(f"{place}.{each.position}", f"not minimal: {each.problem}")
    if found.missing:
        listed = "; ".join(map(str, found.missing[:LISTED_ROUTES]))
        left = len(found.missing) - LISTED_ROUTES
        more = f"; and {left} more" if left > 0 else ""
        yield Fault(
            place,
            "without these minimal routes, checks that suffice may authorize nothing:"
            f" {listed}{more}",
        )
    if found.reason:
        yield Fault(place_of(found.conclusion), found.reason)
