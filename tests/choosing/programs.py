"""A requirement, documents that keep to it and that do not, and records with known answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from licet import Conclusion
from licet_bindings.choosing.answers import Labelled
from licet_bindings.choosing.requirements import Requirement

LEVELS = ("seen", "due", "late")
CONCLUSIONS = (
    Conclusion("seen", "It was seen.", 20),
    Conclusion("due", "It is due.", 60),
    Conclusion("late", "It is late.", 100),
)
REQUIREMENT = Requirement(
    "What was seen is due when its time has come, and late when it came after.",
    CONCLUSIONS,
    {"a": "whether it was seen", "b": "whether its time has come", "c": "whether it came after"},
)


def content(**changes: object) -> dict[str, Any]:
    """A program that keeps to the requirement; `changes` take the place of its keys."""
    made: dict[str, Any] = {
        "licet": 1,
        "conclusions": [
            {"id": c.identifier, "says": c.sentence, "utility": int(c.utility)} for c in CONCLUSIONS
        ],
        "atoms": {name: atom(name) for name in "abc"},
        "routes": {"seen": [["a"]], "due": [["a", "b"]], "late": [["a", "b", "c"]]},
    }
    return made | changes


def atom(field: str, **changes: object) -> dict[str, object]:
    return {"says": f"{field} holds", "field": field, "test": "equals", "value": True} | changes


def record(level: int) -> dict[str, Any]:
    """The record that supports a level, from 0 for none to 3."""
    return {name: position < level for position, name in enumerate("abc")}


def labelled(levels: Mapping[str, tuple[int, int]]) -> list[Labelled]:
    """Records by name, each with the level that it supports and the level that is right."""
    return [
        Labelled(name, record(supported), frozenset(LEVELS[right - 1 : right]))
        for name, (supported, right) in levels.items()
    ]
