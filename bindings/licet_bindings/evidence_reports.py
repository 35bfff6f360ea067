"""What a review says of attestations, retractions, candidates and constraints: JSON and lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final, TypedDict

from licet import (
    Attestation,
    AttestRequest,
    Expiration,
    Inconclusive,
    Observation,
    Outcome,
    Retraction,
    State,
)
from licet.compiled import bits
from licet.ledger import expires, retracts, settle
from licet.renderer import number, span
from licet_bindings.attesting import Made, statements_made
from licet_bindings.errors import escaped
from licet_bindings.reviewing import Reviewed

TITLE: Final = "EVIDENCE"
"""What stands over the lines."""


class AttestationReport(TypedDict):
    """A judgement on record: of which atom, on which quote, and by whom."""

    atom: str
    value: bool
    quote: str
    attester: str
    kind: str
    retracted: bool
    expired: bool


class RejectedReport(TypedDict):
    """What was not put on record, and why; of a retraction, value and quote are null."""

    atom: str
    value: bool | None
    quote: str | None
    attester: str
    kind: str
    reason: str


class RetractionReport(TypedDict):
    """What an attester withdrew: all that it had attested of the atom before."""

    atom: str
    attester: str
    kind: str


class ExpirationReport(TypedDict):
    """A check whose source changed: what it gave before has expired, with what rested on it."""

    check: str
    digest: str


class SuspensionReport(TypedDict):
    """Why nothing is authorized, and the attestations to review; the constraints are not told."""

    reason: str
    review: list[AttestationReport]


class CandidateReport(TypedDict):
    """A candidate field that was read; `reason` says why it decided nothing, null if it decided."""

    field: str
    reason: str | None


def implied(outcome: Outcome) -> list[str]:
    """Return what the constraints imply of atoms of which nothing is on record.

    Only of atoms that some route has: more would tell the constraints themselves.
    """
    program = outcome.commitment.compiled
    closure = settle(program, outcome.ledger)
    needed = 0
    for route in chain.from_iterable(program.routes):
        needed |= route.needs_true | route.needs_false
    unknown = sum(
        1 << index
        for index, atom in enumerate(program.atoms)
        if needed >> index & 1 and outcome.state(atom) is State.UNKNOWN
    )
    positive = (program.atoms[index] for index in bits(closure.true & unknown))
    negative = (f"!{program.atoms[index]}" for index in bits(closure.false & unknown))
    return sorted((*positive, *negative), key=lambda literal: literal.removeprefix("!"))


def attestations(outcome: Outcome) -> list[AttestationReport]:
    """Return the attestations that were admitted, in order, retracted and expired ones too."""
    records = outcome.ledger.records
    found = []
    for place, record in enumerate(records):
        if isinstance(record, Attestation):
            later = records[place + 1 :]
            retracted = any(
                isinstance(each, Retraction) and retracts(each, record) for each in later
            )
            expired = any(isinstance(each, Expiration) and expires(each, record) for each in later)
            found.append(_attestation(record, retracted, expired))
    return found


def rejected(reviewed: Reviewed) -> list[RejectedReport]:
    """Return the attestations and retractions that are not on record, in order, and why."""
    return [_rejected(made) for made in statements_made(reviewed.history) if made.rejected]


def retractions(outcome: Outcome) -> list[RetractionReport]:
    """Return what was retracted, in order."""
    return [
        {
            "atom": record.atom,
            "attester": record.attester.name,
            "kind": record.attester.kind.value,
        }
        for record in outcome.ledger.records
        if isinstance(record, Retraction)
    ]


def expirations(outcome: Outcome) -> list[ExpirationReport]:
    """Return the checks whose sources changed, in order, with the digests that they had then."""
    return [
        {"check": record.check, "digest": record.digest}
        for record in outcome.ledger.records
        if isinstance(record, Expiration)
    ]


def suspension(outcome: Outcome) -> SuspensionReport | None:
    """Return why nothing can be authorized, where that is so, and what is to be reviewed."""
    found = outcome.suspension
    if found is None:
        return None
    reason = (
        "what is recorded contradicts the constraints"
        if found.contradicted
        else "whether what is recorded agrees with the constraints could not be decided"
    )
    return {"reason": reason, "review": [_attestation(each) for each in found.attestations]}


def candidates(outcome: Outcome) -> dict[str, list[CandidateReport]]:
    """Return for each atom the candidate fields whose reads have not expired, in order."""
    tried: dict[str, list[CandidateReport]] = {}
    for record in outcome.ledger.standing:
        if isinstance(record, Inconclusive):
            found: CandidateReport = {"field": record.candidate, "reason": record.reason}
            tried.setdefault(record.atom, []).append(found)
        elif isinstance(record, Observation) and record.candidate:
            found = {"field": record.candidate, "reason": None}
            tried.setdefault(record.atom, []).append(found)
    return tried


def _attestation(
    record: Attestation, retracted: bool = False, expired: bool = False
) -> AttestationReport:
    return {
        "atom": record.atom,
        "value": record.value,
        "quote": record.quote,
        "attester": record.attester.name,
        "kind": record.attester.kind.value,
        "retracted": retracted,
        "expired": expired,
    }


def _rejected(made: Made) -> RejectedReport:
    asked = made.asked
    return {
        "atom": asked.atom,
        "value": asked.value if isinstance(asked, AttestRequest) else None,
        "quote": asked.quote if isinstance(asked, AttestRequest) else None,
        "attester": asked.attester.name,
        "kind": asked.attester.kind.value,
        "reason": made.rejected,
    }


def evidence_lines(reviewed: Reviewed) -> list[str]:
    """Return what a report for people does not say: what was rejected, tried and implied.

    Nothing where there is nothing of it.
    """
    lines = list(_lines(reviewed))
    if not lines:
        return []
    return ["", TITLE, f"  utility: {number(reviewed.outcome.utility)}", *lines]


def rejected_lines(reviewed: Reviewed) -> Iterator[str]:
    """Yield a line for each attestation and retraction that is not on record."""
    for each in rejected(reviewed):
        if each["value"] is None:
            what = "retraction"
        else:
            what = f"{_word(each['value'])} {span(each['quote'] or '')}"
        yield (
            f"not on record: {each['atom']} {what} by {each['kind']} {each['attester']}:"
            f" {escaped(each['reason'])}"
        )


def _lines(reviewed: Reviewed) -> Iterator[str]:
    outcome = reviewed.outcome
    literals = implied(outcome)
    if literals:
        yield f"  implied by the constraints: {', '.join(literals)}"
    for each in attestations(outcome):
        gone = ", retracted" if each["retracted"] else ", expired" if each["expired"] else ""
        yield (
            f"  attested: {each['atom']} {_word(each['value'])} by {each['kind']}"
            f" {each['attester']}{gone}: {span(each['quote'])}"
        )
    yield from (f"  {line}" for line in rejected_lines(reviewed))
    for atom, tried in candidates(outcome).items():
        for read in tried:
            found = "it decides" if read["reason"] is None else escaped(read["reason"])
            yield f"  tried for {atom}: {escaped(read['field'])}: {found}"


def _word(value: bool) -> str:
    return "true" if value else "false"
