"""What is true in the generated world, and the functions by which the server finds it out.

Everything follows from names by a hash, so that who watches the server can tell what is true
without asking it.
"""

import os
from collections.abc import Mapping
from hashlib import sha256
from threading import Event
from typing import Final

from licet import Check, Value

EFFECTS: Final = "LICET_EFFECTS"
"""The environment variable that names the file to which actions are written."""

CHAIN: Final = ("stands", "triage", "fixable", "urgent")
"""The conclusions, weakest first."""

FIELDS: Final = ("named", "described", "reviewed", "rated", "withdrawn", "exploited")
JUDGED: Final = "fix"

ROUTES: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "stands": (("named", "described"),),
    "triage": (("named", "described", "reviewed"), ("named", "described", "rated", "!withdrawn")),
    "fixable": (("named", "described", "reviewed", "fix"),),
    "urgent": (("named", "described", "reviewed", "fix", "exploited", "!withdrawn"),),
}

PROGRAM: Final[dict[str, object]] = {
    "licet": 1,
    "conclusions": [
        {"id": name, "says": f"It is {name}.", "utility": 25 * (place + 1)}
        for place, name in enumerate(CHAIN)
    ],
    "atoms": {
        **{name: {"says": f"it is {name}", "field": name, "test": "exists"} for name in FIELDS},
        JUDGED: {"says": "the notes name a fix", "text": "notes"},
    },
    "routes": {name: [list(route) for route in routes] for name, routes in ROUTES.items()},
    "checks": {
        "head": {"settles": ["named", "described"], "cost": 1},
        "notes": {"settles": [JUDGED], "cost": 1},
    },
    "budget": 14,
}

CANDIDATE: Final[dict[str, object]] = {
    "licet": 1,
    "action": "ship",
    "claims": {"address": {"says": "the address is X", "error": 0.28}},
    "premises": {"deliverable": {"claim": "address"}},
    "failure_modes": [{"premises": ["deliverable"], "impact": 8, "group": "astray"}],
    "verifiers": {"ask_user": {"cost": 1, "covers": ["address"], "reliability": 0.95}},
    "loss": {
        "abstain": 1,
        "price": 0.1,
        "harm_loss": 0.5,
        "max_harm_probability": 0.05,
        "invalidation": 0.95,
    },
    "budget": 4,
}

_SHARE: Final = {"named": 0.9, "described": 0.9, "withdrawn": 0.2}


def drawn(*names: str) -> float:
    """Return a number from 0 to 1 that follows from names."""
    return int.from_bytes(sha256("/".join(names).encode()).digest()[:7], "big") / 2**56


def is_true(record: str, atom: str) -> bool:
    """Return whether an atom holds of a record."""
    return drawn("fact", record, atom) < _SHARE.get(atom, 0.6)


def is_refuted(subject: str) -> bool:
    """Return whether the verifier refutes what is remembered of a subject."""
    return drawn("refuted", subject) < 0.4


def mood(of: str, name: str) -> str:
    """Return how a check or a verifier behaves: well, or as one that fails does."""
    chance = drawn("mood", of, name)
    for limit, found in ((0.004, "hangs"), (0.05, "raises"), (0.08, "nonsense")):
        if chance < limit:
            return found
    return "well"


def notes(record: str) -> str:
    """Return the text of a record."""
    fixed = is_true(record, JUDGED)
    said = "A fix was released in version 2.4." if fixed else "No release mends this yet."
    return f"Notes on {record}. {said} Nothing else is known."


def run(check: Check, record: str) -> Mapping[str, Value] | str:
    """Run a check of the program."""
    behaviour = mood(record, check.identifier)
    _misbehave(behaviour)
    if behaviour == "nonsense":
        return dict.fromkeys((*check.settles, "more"), True)
    if check.identifier == "notes":
        return notes(record)
    return {atom: is_true(record, atom) for atom in check.settles}


def agrees(condition: str, text: str) -> bool:
    """Judge as the second judge: whether the notes name a fix."""
    return "A fix was released" in text


def ask(verifier: str, subject: str) -> bool:
    """Return whether the verifier refutes."""
    behaviour = mood(subject, verifier)
    _misbehave(behaviour)
    return "perhaps" if behaviour == "nonsense" else is_refuted(subject)  # type: ignore[return-value]


def act(action: str, subject: str) -> str:
    """Take the action: a line of a file."""
    with open(os.environ[EFFECTS], "ab", buffering=0) as file:
        file.write(f"{action} {subject}\n".encode())
    return "shipped"


def _misbehave(behaviour: str) -> None:
    if behaviour == "hangs":
        Event().wait(5)
    if behaviour == "raises":
        raise RuntimeError("the backend is away")
