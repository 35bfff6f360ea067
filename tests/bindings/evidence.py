"""A program with a text, candidate fields and a constraint, and a record that supports it all."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.bindings.programs import Alter, Json

PROGRAM: dict[str, Any] = {
    "licet": 1,
    "request": "Decide whether this advisory locates its fault.",
    "conclusions": [
        {"id": "described", "says": "It is described.", "utility": 40},
        {"id": "located", "says": "It locates the fault.", "utility": 70},
        {"id": "classified", "says": "It is classified.", "utility": 100},
    ],
    "atoms": {
        "details": {"says": "a description exists", "field": "details", "test": "exists"},
        "package": {"says": "the text names the package", "text": "details"},
        "fixed": {"says": "the text states a fixed version", "text": "details", "prior": 0.3},
        "cwe": {
            "says": "a weakness is named",
            "fields": ["database_specific.cwe_ids.0", "/database_specific/cwe", "cwe"],
            "test": "exists",
        },
        "url": {"says": "a reference has a URL", "field": "references.0.url", "test": "exists"},
        "reference": {"says": "there is a reference", "field": "references.0", "test": "exists"},
    },
    "routes": {
        "described": [["details"]],
        "located": [["details", "package", "fixed"]],
        "classified": [["details", "package", "fixed", "cwe", "reference"]],
    },
    "constraints": [["!url", "reference"]],
    "budget": 20,
}

TEXT = "A crash in libfoo. Fixed in version 1.2.3 of libfoo."

RECORD: dict[str, Any] = {
    "details": TEXT,
    "database_specific": {"cwe": "CWE-79"},
    "references": [{"url": "https://example.org"}],
}

PACKAGE: dict[str, Any] = {
    "atom": "package",
    "value": True,
    "quote": "crash in libfoo",
    "attester": "reader",
    "kind": "model",
}
FIXED: dict[str, Any] = {
    "atom": "fixed",
    "value": True,
    "quote": "version 1.2.3",
    "attester": "alice",
    "kind": "person",
}


RETRACT = {"retract": "fixed", "attester": "alice", "kind": "person"}


def changed(*alters: Alter) -> dict[str, Any]:
    """Return a copy of `PROGRAM` after what alters it."""
    content = copy.deepcopy(PROGRAM)
    for alter in alters:
        alter(content)
    return content


def but(content: dict[str, Any], **changes: Json) -> dict[str, Any]:
    """Return a copy with other values; the value `...` leaves the key out."""
    return {k: v for k, v in {**content, **changes}.items() if v is not ...}


def line(*contents: object) -> str:
    """Return values as JSON Lines."""
    return "".join(f"{json.dumps(content)}\n" for content in contents)
