"""What the command line prints: reviews and checked programs as JSON, and as tables for people.

The JSON forms are `TypedDict`s, so that their keys are in one place. Costs are numbers of calls,
integers where they are whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NotRequired, TypeAlias, TypedDict

from licet import (
    Certificate,
    Commitment,
    Outcome,
    Review,
)
from licet_bindings.evidence_reports import (
    AttestationReport,
    CandidateReport,
    ExpirationReport,
    RejectedReport,
    RetractionReport,
    SuspensionReport,
    attestations,
    candidates,
    expirations,
    implied,
    rejected,
    retractions,
    suspension,
)
from licet_bindings.records.reading import UnreadableRecord
from licet_bindings.reviewing import RecordReview, Reviewed

JsonNumber: TypeAlias = int | float


class Problem(TypedDict):
    """Something that went wrong in a review.

    `kind` is `failed` (a resolver gave no usable answer), `unavailable` (a read established
    nothing) or `unreadable` (there is no record); `check` and `atom` are null where none is meant.
    """

    kind: str
    check: str | None
    atom: str | None
    reason: str


class UnresolvedReport(TypedDict):
    """The literals that a conclusion lacks: those still open, and those that cannot hold.

    `repairable` are those of the blocked ones that a retraction could mend.
    """

    missing: list[str]
    blocked: list[str]
    repairable: list[str]


class ReviewReport(TypedDict):
    """The review of one record; `ended` is null where the record could not be read.

    `atoms` are what is on record of each; `implied` the literals that the constraints imply beside
    it. `utility` is the greatest of the conclusions. Under the exact policy `assumed_priors` names
    the atoms whose prior was taken as 1/2.
    """

    record: str
    program_sha256: str
    conclusion: str | None
    conclusions: list[str]
    authorized: list[str]
    atoms: dict[str, str]
    routes: dict[str, list[str]]
    unresolved: dict[str, UnresolvedReport]
    spent: JsonNumber
    budget: JsonNumber
    ended: str | None
    errors: list[Problem]
    utility: JsonNumber
    implied: list[str]
    attestations: list[AttestationReport]
    rejected: list[RejectedReport]
    retractions: list[RetractionReport]
    expired: list[ExpirationReport]
    suspension: SuspensionReport | None
    candidates: dict[str, list[CandidateReport]]
    assumed_priors: NotRequired[list[str]]


def json_number(value: Fraction) -> JsonNumber:
    """Return a rational as JSON writes it: an integer where it is whole, else a float.

    What documents and `--budget` may say, and every sum of it, comes out as it is (see `amounts`);
    another rational, such as a caller's third of a call, as the nearest float.
    """
    return value.numerator if value.denominator == 1 else float(value)


def record_report(
    review: RecordReview,
    commitment: Commitment,
    budget: Fraction,
    assumed_priors: Sequence[str] | None = None,
) -> ReviewReport:
    """Return what came of a record as JSON, under the program and budget that it was given.

    `assumed_priors` is None where no priors are asked for, as under every policy but the exact one.
    """
    if isinstance(review.result, UnreadableRecord):
        report = _unreadable_report(review.result, commitment, budget)
    else:
        report = review_report(review.name, review.result)
    if assumed_priors is not None:
        report["assumed_priors"] = list(assumed_priors)
    return report


def review_report(record: str, reviewed: Reviewed) -> ReviewReport:
    """Return the review of the record of this name as JSON."""
    outcome = reviewed.outcome
    return {
        "record": record,
        "program_sha256": outcome.commitment.sha256,
        "conclusion": next(iter(outcome.conclusions), None),
        "conclusions": list(outcome.conclusions),
        "authorized": list(outcome.authorized),
        "atoms": {
            atom.identifier: outcome.state(atom.identifier).value
            for atom in outcome.commitment.specification.atoms
        },
        "routes": {
            support.conclusion: [str(literal) for literal in support.route.literals]
            for support in outcome.supports
            if support.conclusion in outcome.conclusions
        },
        "unresolved": _unresolved(outcome),
        "spent": json_number(outcome.spent),
        "budget": json_number(outcome.budget),
        "ended": outcome.ending.value,
        "errors": problems(outcome),
        "utility": json_number(outcome.utility),
        "implied": implied(outcome),
        "attestations": attestations(outcome),
        "rejected": rejected(reviewed),
        "retractions": retractions(outcome),
        "expired": expirations(outcome),
        "suspension": suspension(outcome),
        "candidates": candidates(outcome),
    }


def _unresolved(outcome: Outcome) -> dict[str, UnresolvedReport]:
    return {
        unresolved.conclusion: {
            "missing": [str(literal) for literal in unresolved.missing],
            "blocked": [str(literal) for literal in unresolved.blocked],
            "repairable": [str(literal) for literal in unresolved.repairable],
        }
        for unresolved in outcome.unresolved
    }


def _unreadable_report(
    unreadable: UnreadableRecord, commitment: Commitment, budget: Fraction
) -> ReviewReport:
    # Nothing is established, and nothing spent: what an empty ledger leaves.
    empty = Review(commitment, lambda check: {}, budget=budget, completion=False).close()
    return {
        "record": unreadable.name,
        "program_sha256": commitment.sha256,
        "conclusion": None,
        "conclusions": [],
        "authorized": [],
        "atoms": {atom.identifier: "unknown" for atom in commitment.specification.atoms},
        "routes": {},
        "unresolved": _unresolved(empty),
        "spent": 0,
        "budget": json_number(budget),
        "ended": None,
        "errors": [_problem("unreadable", None, None, described(unreadable))],
        "utility": 0,
        "implied": [],
        "attestations": [],
        "rejected": [],
        "retractions": [],
        "expired": [],
        "suspension": None,
        "candidates": {},
    }


def problems(outcome: Outcome) -> list[Problem]:
    """Return what went wrong in a review: failed calls, then reads that established nothing."""
    failed = [
        _problem("failed", failure.check, None, failure.reason) for failure in outcome.failures
    ]
    unavailable = [
        _problem("unavailable", record.check, record.atom, record.reason)
        for record in outcome.ledger.standing
        if isinstance(record, Certificate)
    ]
    return failed + unavailable


def described(unreadable: UnreadableRecord) -> str:
    """Return why a record could not be read, with the place in it."""
    place = f"{unreadable.place}: " if unreadable.place else ""
    return place + unreadable.problem


def _problem(kind: str, check: str | None, atom: str | None, reason: str) -> Problem:
    return {"kind": kind, "check": check, "atom": atom, "reason": reason}
