"""What a server offers, as an agent is told."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import TypedDict

from licet.rationals import exact
from licet_bindings.documents import ReviewDocument, commit_document
from licet_bindings.reports import JsonNumber, json_number
from licet_bindings.reviewing import budget_of
from licet_bindings.server.offers import GateOffer, ReviewOffer


class OfferedConclusion(TypedDict):
    """A conclusion of a program."""

    id: str
    says: str
    utility: JsonNumber


class OfferedCheck(TypedDict):
    """A check of a program: what it settles and costs; a text is read, and judged by the agent."""

    id: str
    settles: list[str]
    cost: JsonNumber
    kind: str
    candidates: list[str]


class OfferedProgram(TypedDict):
    """A program that records can be reviewed under, and how many calls each review has."""

    name: str
    program_sha256: str
    request: str
    conclusions: list[OfferedConclusion]
    conditions: dict[str, str]
    checks: list[OfferedCheck]
    budget: JsonNumber


class OfferedGate(TypedDict):
    """A candidate action; `verifiers` can be asked, and `acts` says that the server acts itself."""

    name: str
    action: str
    claims: dict[str, str]
    verifiers: list[str]
    acts: bool


class Catalog(TypedDict):
    """All that a server offers."""

    kind: str
    reason: str
    programs: list[OfferedProgram]
    candidates: list[OfferedGate]
    keeps_ledger: bool


def catalog(
    programs: Mapping[str, ReviewOffer], candidates: Mapping[str, GateOffer], keeps_ledger: bool
) -> Catalog:
    """Return all that is offered."""
    return {
        "kind": "catalog",
        "reason": "",
        "programs": [_program(name, offer.document) for name, offer in programs.items()],
        "candidates": [_candidate(name, offer) for name, offer in candidates.items()],
        "keeps_ledger": keeps_ledger,
    }


def _candidate(name: str, offer: GateOffer) -> OfferedGate:
    candidate = offer.document.candidate
    verifiers = [verifier.identifier for verifier in candidate.verifiers if verifier.available]
    return {
        "name": name,
        "action": candidate.action,
        "claims": {claim.identifier: claim.sentence for claim in candidate.claims},
        "verifiers": verifiers if offer.verifier else [],
        "acts": offer.action is not None,
    }


def _program(name: str, document: ReviewDocument) -> OfferedProgram:
    """Return what an agent is told of a program; not its constraints, which are not its concern."""
    commitment = commit_document(document)
    specification = commitment.specification
    return {
        "name": name,
        "program_sha256": commitment.sha256,
        "request": specification.request,
        "conclusions": [
            {
                "id": c.identifier,
                "says": c.sentence,
                "utility": json_number(exact(c.utility, "utility")),
            }
            for c in specification.conclusions
        ],
        "conditions": {atom.identifier: atom.sentence for atom in specification.atoms},
        "checks": [
            {
                "id": check.identifier,
                "settles": sorted(check.settles),
                "cost": json_number(exact(check.cost, "cost")),
                "kind": check.kind.value,
                "candidates": list(check.candidates),
            }
            for check in commitment.compiled.registered
        ],
        "budget": json_number(budget_of(document)),
    }
