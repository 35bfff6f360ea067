"""A program as the text of a document, and read back by its hash."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

from licet import Check, CheckKind, InvalidInput, Specification
from licet.rationals import exact
from licet_bindings.calls import TEXT_PREFIX
from licet_bindings.documents import (
    ReviewDocument,
    commit_document,
    parse_document,
    read_document,
)
from licet_bindings.errors import DocumentError
from licet_bindings.records.field_tests import AtomTest
from licet_bindings.records.paths import path_text
from licet_bindings.trees import FilePath


def document_text(document: ReviewDocument) -> str:
    """Return a program as JSON text, whose hash is the program's.

    What the hash does not cover is kept too, but for the standard.

    Raises:
        InvalidInput: a number of it has no JSON text that is read back as the same number.

    >>> from licet_bindings.documents import build_document
    >>> document = build_document({
    ...     "licet": 1,
    ...     "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
    ...     "atoms": {"a": {"says": "it has a text", "field": "text", "test": "exists"}},
    ...     "routes": {"described": [["a"]]},
    ... })
    >>> same = parse_document(document_text(document))
    >>> commit_document(same).sha256 == commit_document(document).sha256
    True
    """
    specification = document.specification
    content: dict[str, object] = {"licet": 1}
    if specification.request:
        content["request"] = specification.request
    content["conclusions"] = [
        {"id": c.identifier, "says": c.sentence, "utility": _number(exact(c.utility, "utility"))}
        for c in specification.conclusions
    ]
    content["order"] = _order(specification)
    content["atoms"] = {
        atom.identifier: {"says": atom.sentence, **_test(document.bindings[atom.identifier])}
        | _prior(document, atom.identifier)
        for atom in specification.atoms
    }
    content["routes"] = {
        conclusion: [[str(literal) for literal in route.literals] for route in routes]
        for conclusion, routes in document.program.routes
    }
    if specification.constraints:
        content["constraints"] = [[str(each) for each in c] for c in specification.constraints]
    checks = {
        check.identifier: {"settles": list(check.settles), "cost": _number(exact(check.cost, ""))}
        for check in specification.checks
        if not _is_own(check)
    }
    if checks:
        content["checks"] = checks
    if document.budget is not None:
        content["budget"] = _number(document.budget)
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    written = commit_document(parse_document(text, name=document.name))
    if written.sha256 != commit_document(document).sha256:
        raise InvalidInput(document.name, "expected numbers that JSON can write exactly")
    return text


def read_frozen(path: FilePath, sha256: str) -> ReviewDocument:
    """Read a program that was chosen before, if it is still that one.

    Args:
        path: the document.
        sha256: the hash that it had when it was chosen.

    Raises:
        DocumentError: the document cannot be read, or its hash is another.
    """
    document = read_document(path)
    found = commit_document(document).sha256
    if found != sha256:
        problem = f"expected the program of hash {sha256}, found that of {found}"
        raise DocumentError(document.name, "", problem)
    return document


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _order(specification: Specification) -> object:
    names = [conclusion.identifier for conclusion in specification.conclusions]
    if specification.pairs == tuple(pairwise(names)):
        return "chain"
    return [list(pair) for pair in specification.pairs]


def _test(test: AtomTest) -> dict[str, object]:
    content = json.loads(test.binding)
    if "text" in content:
        return {"text": path_text(tuple(content["text"]))}
    if "fields" in content:
        place: dict[str, object] = {"fields": [name for name, _ in content["fields"]]}
    else:
        place = {"field": path_text(tuple(content["field"]))}
    rest = {key: content[key] for key in ("test", "value", "date_format")}
    return place | {key: value for key, value in rest.items() if value is not None}


def _prior(document: ReviewDocument, atom: str) -> dict[str, object]:
    return {"prior": _number(document.priors[atom])} if atom in document.priors else {}


def _is_own(check: Check) -> bool:
    """Return whether a call comes with its atoms, so that a document need not state it."""
    named = check.kind is CheckKind.TEXT and check.identifier.startswith(TEXT_PREFIX)
    return (named or check.settles == (check.identifier,)) and exact(check.cost, "") == 1
