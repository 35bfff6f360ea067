"""What a decision rests on, as digests: the evidence of a review and a gate, and their programs."""

from __future__ import annotations

from licet import (
    AttestRequest,
    Candidate,
    Gate,
    Judged,
    Read,
    RefreshRequest,
    Resolved,
    RetractRequest,
    Review,
)
from licet_bindings.agents.grants import digest_of
from licet_bindings.durable.event_json import entry_bytes, gate_event_bytes
from licet_bindings.records.values import Json

_EVIDENCE = (Resolved, Read, Judged, AttestRequest, RetractRequest, RefreshRequest)


def evidence_digest(review: Review | None, gate: Gate | None) -> str:
    """Return the digest of all that a review has recorded and a gate was told.

    Reports, stops and failed calls establish nothing, and do not count.
    """
    recorded: list[Json] = []
    if review is not None:
        entries = (entry for entry in review.history if isinstance(entry.event, _EVIDENCE))
        recorded.extend(entry_bytes(entry).decode("ascii") for entry in entries)
    told: list[Json] = []
    if gate is not None:
        told.extend(gate_event_bytes(entry).decode("ascii") for entry in gate.history)
        told.extend(candidate_text(candidate) for candidate in gate.candidates[:-1])
    return digest_of(recorded, told)


def program_digest(review: Review | None, gate: Gate | None) -> str:
    """Return the digest of a review's program and of a gate's present candidate."""
    return digest_of(
        None if review is None else review.commitment.sha256,
        None if gate is None else candidate_text(gate.candidates[-1]),
    )


def candidate_text(candidate: Candidate) -> str:
    """Return a candidate as canonical JSON; equal texts, equal decisions."""
    return gate_event_bytes(candidate).decode("ascii")
