"""What `licet check` says of a program: its hash, what conclusions cost, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TypedDict

from licet import CheckKind, Commitment, Fault, Ledger
from licet.compiled import bits, calls_of
from licet.covers import Cover, cover
from licet.decisions import Settled, holds, residual
from licet.ledger import settle
from licet.renderer import WITHHELD, number, span
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.errors import DocumentError
from licet_bindings.reports import JsonNumber, json_number
from licet_bindings.reviewing import cost_of_all_checks, settling_checks
from licet_bindings.standards.reports import (
    StandardReport,
    comparisons_of,
    routes_report,
    standard_findings,
    standard_report,
)


class FindingReport(TypedDict):
    """Something to look at: the place in the document, and what is there."""

    place: str
    problem: str


class CheckReport(TypedDict):
    """What checking a program found; `kind` is null where it is no valid document.

    `sufficient_budget` is null where a premise of Theorem 4.3 fails by form, as a finding says.
    `texts` gives for each text read the atoms that are judged on it, `candidates` for each check of
    an uncertain place the fields that it may read. `routes` are those that the hash covers;
    `routes_computed` says that they are the standard's minimal ones, for none were stated.
    """

    kind: str | None
    program_sha256: str | None
    valid: bool
    cheapest: dict[str, JsonNumber]
    sufficient_budget: JsonNumber | None
    constraints: int
    texts: dict[str, list[str]]
    candidates: dict[str, list[str]]
    routes: dict[str, list[list[str]]]
    routes_computed: bool
    standard: dict[str, StandardReport]
    findings: list[FindingReport]


def check_document(document: ReviewDocument) -> CheckReport:
    """Return the hash, the costs and the findings of a valid program."""
    commitment = commit_document(document)
    sufficient = sufficient_budget(commitment)
    compared = comparisons_of(document)
    return {
        "kind": "program",
        "program_sha256": commitment.sha256,
        "valid": True,
        "cheapest": {name: json_number(cost) for name, cost in cheapest(commitment).items()},
        "sufficient_budget": None if sufficient is None else json_number(sufficient),
        "constraints": len(document.specification.constraints),
        "texts": {
            check.identifier: sorted(check.settles)
            for check in document.specification.checks
            if check.kind is CheckKind.TEXT
        },
        "candidates": {
            check.identifier: list(check.candidates)
            for check in document.specification.checks
            if check.candidates
        },
        "routes": routes_report(document.program),
        "routes_computed": document.computed,
        "standard": {found.conclusion: standard_report(found) for found in compared},
        "findings": [
            {"place": found.place, "problem": found.problem}
            for found in (*findings(document), *standard_findings(document, compared))
        ],
    }


def invalid_report(fault: DocumentError) -> CheckReport:
    """Return the report on a document that is no valid program and no valid candidate."""
    return {
        "kind": None,
        "program_sha256": None,
        "valid": False,
        "cheapest": {},
        "sufficient_budget": None,
        "constraints": 0,
        "texts": {},
        "candidates": {},
        "routes": {},
        "routes_computed": False,
        "standard": {},
        "findings": [
            {"place": found.place, "problem": found.problem}
            for found in (Fault(fault.place, fault.problem), *fault.more)
        ],
    }


def cheapest(commitment: Commitment) -> dict[str, Fraction]:
    """Return what each conclusion's cheapest route costs at the empty ledger, in calls."""
    program = commitment.compiled
    return {
        name: calls_of(program, min(found.cost for found in covers))
        for name, covers in _covers(commitment).items()
    }


def _covers(commitment: Commitment) -> dict[str, list[Cover]]:
    """Return for each conclusion the cheapest checks for each of its routes.

    What the constraints imply needs no check.
    """
    program, settled = commitment.compiled, at_first(commitment)
    covers = {}
    for name, routes in zip(program.conclusions, program.routes, strict=True):
        found = (cover(program, residual(r, settled), program.all_checks) for r in routes)
        covers[name] = [best for best in found if best is not None]
    return covers


def at_first(commitment: Commitment) -> Settled:
    """Return the closure of the empty ledger: what the constraints imply by themselves."""
    return settle(commitment.compiled, Ledger())


def sufficient_budget(commitment: Commitment) -> Fraction | None:
    """Return the budget with which an agent that stops at once still gets what is supported.

    It is N of the empty ledger, the total cost of the distinct checks on all routes; None where a
    premise of the theorem fails by form. That the program is right and no read is unavailable
    cannot be seen here.

    Source: PRIME, Theorem 4.3.
    """
    if any(failing_premises(commitment)):
        return None
    return cost_of_all_checks(commitment)


def failing_premises(commitment: Commitment) -> Iterator[Fault]:
    """Yield the premises of Theorem 4.3 that fail by the form of a program."""
    specification = commitment.specification
    if not _is_chain(commitment):
        yield _no_budget("order", "takes a chain, and some conclusions here are not comparable")
    judged = (c.settles for c in specification.checks if c.kind is CheckKind.TEXT)
    looking = (c.settles for c in specification.checks if c.candidates)
    for atoms, problem in (
        (judged, "takes field checks, and completion judges no text"),
        (looking, "takes fields at one known place, and here there are candidates"),
    ):
        names = sorted({atom for settled in atoms for atom in settled})
        if names:
            more = f"; so too {', '.join(names[1:])}" if len(names) > 1 else ""
            yield _no_budget(f"atoms.{names[0]}", f"{problem}{more}")
    if specification.constraints:
        yield _no_budget("constraints", "takes no constraints")


def _no_budget(place: str, problem: str) -> Fault:
    return Fault(place, f"no budget is known to suffice: Theorem 4.3 {problem}")


def findings(document: ReviewDocument) -> Iterator[Fault]:
    """Yield what is valid and yet worth a look, in the order of the document."""
    yield from _withheld(document)
    commitment = commit_document(document)
    yield from failing_premises(commitment)
    yield from _unused(commitment)
    yield from _implied(commitment)
    for name, covers in _covers(commitment).items():
        if not all(found.least for found in covers):
            yield Fault(
                f"routes.{name}",
                "the cost of a route is the least that was found: its checks overlap too much for"
                " it to be proven the least",
            )
    if document.budget is not None:
        for name, cost in cheapest(commitment).items():
            if cost > document.budget:
                yield Fault(
                    f"routes.{name}",
                    f"the cheapest route costs {number(cost)}, more than the budget of"
                    f" {number(document.budget)}",
                )


def _implied(commitment: Commitment) -> Iterator[Fault]:
    """Yield the conclusions that the constraints alone authorize, or that this is not decided."""
    program, settled = commitment.compiled, at_first(commitment)
    if settled.suspended:
        yield Fault(
            "constraints",
            "what they imply is not decided within the limit of the search: nothing is authorized"
            " until checks leave less of them open",
        )
    for name, routes in zip(program.conclusions, program.routes, strict=True):
        for position, route in enumerate(routes):
            if holds(route, settled):
                stated = commitment.program.of_conclusion(name)[position]
                yield Fault(
                    f"routes.{name}.{position}",
                    f"the constraints alone imply {stated}: {name!r} is authorized before any"
                    " check",
                )
                break


def _is_chain(commitment: Commitment) -> bool:
    below = commitment.compiled.at_or_below
    return sorted(mask.bit_count() for mask in below) == list(range(1, len(below) + 1))


def _withheld(document: ReviewDocument) -> Iterator[Fault]:
    specification = document.specification
    sentences = [("request", specification.request)] if specification.request else []
    sentences += [
        (f"conclusions.{position}.says", conclusion.sentence)
        for position, conclusion in enumerate(specification.conclusions)
    ]
    sentences += [(f"atoms.{atom.identifier}.says", atom.sentence) for atom in specification.atoms]
    for place, sentence in sentences:
        if span(sentence) == WITHHELD:
            yield Fault(
                place,
                "a report withholds this sentence: it admits 1 to 200 letters, digits, spaces and"
                " (),.;:/_'-",
            )


def _unused(commitment: Commitment) -> Iterator[Fault]:
    program = commitment.compiled
    used = 0
    for routes in program.routes:
        for route in routes:
            used |= route.needs_true | route.needs_false
    for clause in program.clauses:
        used |= clause.positive | clause.negative
    named = {program.atoms[index] for index in bits(used)}
    for atom in commitment.specification.atoms:
        if atom.identifier not in named:
            yield Fault(f"atoms.{atom.identifier}", "no route needs this atom")
    useful = {program.checks[index] for index in settling_checks(commitment)}
    for check in commitment.specification.checks:
        if check.identifier not in useful and check.settles != (check.identifier,):
            yield Fault(f"checks.{check.identifier}", "no route needs an atom that it settles")
