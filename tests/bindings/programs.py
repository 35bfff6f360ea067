"""The review program that the tests of the bindings start from, and ways to alter it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

EXAMPLES = Path(__file__).parents[2] / "examples"

DOMAINS = ("advisories", "filings", "recalls", "trials")

ADVISORY: dict[str, Any] = {
    "licet": 1,
    "request": "Decide whether this advisory is ready for investigation.",
    "conclusions": [
        {"id": "described", "says": "The advisory has a description.", "utility": 33.3},
        {"id": "ready", "says": "The advisory is ready for triage.", "utility": 66.7},
        {"id": "complete", "says": "The advisory is complete.", "utility": 100},
    ],
    "order": "chain",
    "atoms": {
        "details": {"says": "a description exists", "field": "details", "test": "exists"},
        "reviewed": {
            "says": "a curator reviewed it",
            "field": "database_specific.github_reviewed",
            "test": "equals",
            "value": True,
        },
        "severity": {
            "says": "a severity rating exists",
            "field": "database_specific.severity",
            "test": "exists",
        },
        "advisory": {
            "says": "the first reference is an advisory",
            "field": "references.0.type",
            "test": "equals",
            "value": "ADVISORY",
        },
        "url": {
            "says": "the first reference has a URL",
            "field": "references.0.url",
            "test": "exists",
        },
        "cwe": {
            "says": "a weakness identifier exists",
            "fields": ["database_specific.cwe_ids.0"],
            "test": "exists",
        },
        "withdrawn": {"says": "it was withdrawn", "field": "withdrawn", "test": "exists"},
        "recent": {
            "says": "it was published in 2019 or later",
            "field": "published",
            "test": "on_or_after",
            "value": "2019-01-01",
            "prior": 0.25,
        },
    },
    "routes": {
        "described": [["details"]],
        "ready": [["details", "reviewed", "severity"], ["details", "advisory", "url"]],
        "complete": [["details", "reviewed", "severity", "cwe", "!withdrawn", "recent"]],
    },
    "constraints": [],
    "checks": {"first_reference": {"settles": ["advisory", "url"], "cost": 1}},
    "budget": 20,
}

RECORD: dict[str, Any] = {
    "details": "A crash.",
    "database_specific": {
        "github_reviewed": True,
        "severity": "HIGH",
        "cwe_ids": ["CWE-79"],
    },
    "references": [{"type": "WEB", "url": "https://example.org"}],
    "published": "2020-05-02T00:00:00Z",
}
"""A record that supports `complete` under `ADVISORY`."""

Json: TypeAlias = Any
"""Whatever JSON holds; the tests reach into it without asking what it is."""

Alter = Callable[[dict[str, Any]], object]


def altered(alter: Alter) -> dict[str, Any]:
    """Return a copy of `ADVISORY` after `alter` has changed it."""
    content = copy.deepcopy(ADVISORY)
    alter(content)
    return content


def _inner(content: Json, path: Iterable[str | int]) -> Json:
    for part in path:
        content = content[part]
    return content


def put(*path: str | int, value: object) -> Alter:
    """Return what puts a value at a path."""

    def alter(content: dict[str, Any]) -> None:
        _inner(content, path[:-1])[path[-1]] = value

    return alter


def drop(*path: str | int) -> Alter:
    """Return what removes the value at a path."""

    def alter(content: dict[str, Any]) -> None:
        del _inner(content, path[:-1])[path[-1]]

    return alter


def append(*path: str | int, value: object) -> Alter:
    """Return what appends a value to the list at a path."""

    def alter(content: dict[str, Any]) -> None:
        _inner(content, path).append(value)

    return alter


def atom(**content: object) -> Alter:
    """Return what adds an atom `extra`."""
    return put("atoms", "extra", value={"says": "an extra condition", **content})
