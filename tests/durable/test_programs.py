"""Programs from their stored text: the very hash, and the very decisions."""

import json
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from licet import Commitment, Outcome, replay
from licet_bindings.documents import build_document, commit_document
from licet_bindings.durable.errors import Damaged
from licet_bindings.durable.programs import commitment_of_bytes, program_bytes
from licet_proofs.certified import random_review
from licet_proofs.certified_programs import random_commitment

DOCUMENT = commit_document(
    build_document(
        {
            "licet": 1,
            "request": "Is it ready?",
            "conclusions": [
                {"id": "described", "says": "It is described.", "utility": 33.3},
                {"id": "ready", "says": "It is ready \N{GRINNING FACE}.", "utility": 100},
            ],
            "order": "chain",
            "atoms": {
                "details": {"says": "it has details", "field": "details", "test": "exists"},
                "named": {"says": "the package is named", "text": "details"},
                "cwe": {"says": "it has a weakness", "fields": ["a", "b"], "test": "exists"},
                "url": {"says": "it has a URL", "field": "url", "test": "exists"},
            },
            "routes": {
                "described": [["details"]],
                "ready": [["details", "named", "!cwe"], ["details", "url"]],
            },
            "constraints": [["!url", "details"]],
            "checks": {"both": {"settles": ["details", "url"], "cost": 1.5}},
        }
    )
)


def decided(outcome: Outcome) -> tuple[object, ...]:
    """Return all that an outcome says but the objects that it was decided with."""
    return (
        outcome.ledger,
        outcome.conclusions,
        outcome.authorized,
        outcome.supports,
        outcome.unresolved,
        outcome.failures,
        outcome.spent,
        outcome.ending,
        outcome.suspension,
    )


@pytest.mark.parametrize("seed", range(300))
def test_a_program_is_the_same_from_its_text(seed: int) -> None:
    random = Random(seed)
    commitment = random_commitment(random)
    body = program_bytes(commitment)
    again = commitment_of_bytes(body)
    assert again.sha256 == commitment.sha256 == sha256(body).hexdigest()
    assert again.compiled.routes == commitment.compiled.routes
    assert again.compiled.at_or_below == commitment.compiled.at_or_below
    ran = random_review(commitment, random)
    replayed = replay(again, ran.outcome.budget, ran.completion, ran.history, ran.verified)
    assert decided(replayed) == decided(ran.outcome)


def test_a_document_is_the_same_from_its_text() -> None:
    again = commitment_of_bytes(program_bytes(DOCUMENT))
    assert again.sha256 == DOCUMENT.sha256
    assert again.specification.order is None
    assert again.specification.atoms == tuple(
        sorted(DOCUMENT.specification.atoms, key=lambda atom: atom.identifier)
    )


def changed(commitment: Commitment, *path: str | int, to: object) -> bytes:
    content: Any = json.loads(program_bytes(commitment))
    part = content
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = to
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        program_bytes(DOCUMENT) + b"\n",
        program_bytes(DOCUMENT).replace(b":", b": ", 1),
        program_bytes(DOCUMENT).replace(b'"request"', b'"request":"","request"'),
        changed(DOCUMENT, "licet", to=2),
        changed(DOCUMENT, "licet", to=True),
        changed(DOCUMENT, "more", to=1),
        changed(DOCUMENT, "request", to=None),
        changed(DOCUMENT, "atoms", to=[]),
        changed(DOCUMENT, "atoms", "url", to=["a"]),
        changed(DOCUMENT, "checks", "both", 1, to="3/1"),
        changed(DOCUMENT, "checks", "both", 1, to="-1"),
        changed(DOCUMENT, "checks", "both", 0, to=["url", "details"]),
        changed(DOCUMENT, "checks", "both", to=[["details", "url"], "1", "field", [], None]),
        changed(DOCUMENT, "checks", "both", to=[["details", "url"], "1", "field"]),
        changed(DOCUMENT, "conclusions", 0, 2, to="200"),
        changed(DOCUMENT, "conclusions", 0, 2, to=33.3),
        changed(DOCUMENT, "order", to=[]),
        changed(DOCUMENT, "order", to=[["ready", "described"]]),
        changed(DOCUMENT, "order", to=[["described"]]),
        changed(DOCUMENT, "routes", to=[[["details"]]]),
        changed(DOCUMENT, "routes", 0, 0, 0, to="!!details"),
        changed(DOCUMENT, "routes", 0, 0, to="details"),
        changed(DOCUMENT, "constraints", to=[]),
        changed(DOCUMENT, "constraints", 0, to=["details", "!url"]),
        changed(DOCUMENT, "constraints", 0, to=["nothing"]),
    ],
)
def test_what_is_no_canonical_text_is_refused(body: bytes) -> None:
    assert body != program_bytes(DOCUMENT)
    try:
        again = commitment_of_bytes(body, "entry 3")
    except Damaged as error:
        assert error.place.startswith("entry 3")
    else:
        # Another program, and then it has another hash.
        assert again.sha256 == sha256(body).hexdigest() != DOCUMENT.sha256
