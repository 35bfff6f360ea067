"""A certificate written by hand, and ways to change it that keep everything else as it follows."""

import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any, TypeAlias

Json: TypeAlias = Any

PROGRAM: Json = {
    "licet": 1,
    "request": "May it be shipped?",
    "conclusions": [["paid", "It is paid.", "40"], ["ready", "It may be shipped.", "201/2"]],
    "order": [["paid", "ready"]],
    "atoms": {
        "blocked": ["the customer is blocked", ""],
        "item": ["the item is there", ""],
        "payment": ["a payment was received", "status"],
    },
    "checks": {
        "customer": [["blocked", "item"], "3/2"],
        "item": [["item"], "1"],
        "payment": [["payment"], "1"],
    },
    "routes": [[["payment"]], [["payment", "!blocked", "item"], ["!blocked", "payment", "!item"]]],
}


def event(subject: str, answer: str, charged: str = "1", **values: bool) -> Json:
    nothing: Json = {}
    return {
        "subject": subject,
        "answer": answer,
        "charged": charged,
        "values": values,
        "unavailable": nothing,
    }


PAID = event("payment", "recorded", payment=True)

# The item was observed both ways, so that neither route to `ready` holds.
CERTIFICATE: Json = {
    "licet_certificate": 1,
    "record": "order-7",
    "program": "",
    "program_sha256": "",
    "budget": "9",
    "events": [
        event("ready", "unauthorized"),
        PAID,
        event("customer", "failed", "3/2"),
        event("paid", "held"),
        event("", "unrecognized"),
        event("customer", "recorded", "3/2", blocked=False, item=True),
        event("item", "recorded", item=False),
        event("paid", "accepted"),
    ],
    "spent": "9",
    "ended": "accepted",
    "conclusions": ["paid"],
    "maximal": True,
    "holding": {"paid": ["payment"]},
    "unresolved": {"ready": [["item"], ["!item"]]},
}


def certificate(alter: Callable[[Json], object] | None = None, program: Json = PROGRAM) -> Json:
    """Return the certificate, of another program or altered, with the hash that its text has."""
    made = copy.deepcopy(CERTIFICATE)
    text = json.dumps(program, sort_keys=True, separators=(",", ":"))
    made["program"] = text
    made["program_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    if alter is not None:
        alter(made)
    return made


def program(alter: Callable[[Json], object]) -> Json:
    """Return the program, altered."""
    made = copy.deepcopy(PROGRAM)
    alter(made)
    return made


def with_nothing(program: Json, **unresolved: list[list[str]]) -> Json:
    """Return a certificate of a review without any event."""
    nothing = {"events": [], "spent": "0", "ended": "closed", "conclusions": [], "holding": {}}
    return certificate(lambda c: c.update(nothing, unresolved=unresolved), program)
