"""What the tests' server runs: checks, verifiers and an action, some of which misbehave."""

import time
from collections.abc import Mapping
from threading import Event
from typing import Final

from licet import Check, Unavailable, Value

TEXT: Final = "The parser crashes on an empty input. Fixed in release 2.1 of the library."
SECRET: Final = "password-of-the-database"

_FACTS: Final[Mapping[str, Mapping[str, bool]]] = {
    "full": {"details": True, "reviewed": True, "severity": True, "withdrawn": False},
    "poor": {"details": True, "reviewed": False, "severity": True, "withdrawn": False},
    "empty": {"details": False, "reviewed": False, "severity": False, "withdrawn": False},
}


def run(check: Check, record: str) -> Mapping[str, Value] | str:
    """Run a check of `PROGRAM`; the record's name begins with what it is like."""
    kind = record.partition("-")[0]
    if kind == "hang":
        Event().wait(30)
    if kind == "raise":
        raise RuntimeError(SECRET)
    if kind == "nonsense":
        return dict.fromkeys(check.settles, "yes")  # type: ignore[arg-type]
    if check.identifier == "text":
        return TEXT
    facts = _FACTS.get(kind)
    if facts is None:
        return {atom: Unavailable("no such record") for atom in check.settles}
    return {atom: facts[atom] for atom in check.settles}


def slowly(check: Check, record: str) -> Mapping[str, Value] | str:
    """Run a check, and take a moment for it."""
    time.sleep(0.05)
    return run(check, record)


def ask(verifier: str, subject: str) -> bool:
    """Return whether a verifier refutes; the subject's name begins with what it is like."""
    kind = subject.partition("-")[0]
    if kind == "hang":
        Event().wait(30)
    if kind == "raise":
        raise RuntimeError(SECRET)
    return kind != "good"


TAKEN: list[tuple[str, str]] = []


def act(action: str, subject: str) -> str:
    """Take the action."""
    TAKEN.append((action, subject))
    if "breaks" in subject:
        raise RuntimeError(SECRET)
    return f"{action}: {subject}"


def agrees(condition: str, text: str) -> bool:
    """Judge as the second judge of the tests: a fix is named, a fee is not."""
    return "fix" in condition and "Fixed" in text
