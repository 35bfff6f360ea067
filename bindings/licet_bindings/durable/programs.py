"""Committed programs from their stored text, so that an audit needs nothing but the ledger."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Final, TypeAlias, cast

from licet import (
    Atom,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    InvalidInput,
    Literal,
    Program,
    Route,
    Specification,
    canonical_text,
    commit,
)
from licet.validation import closure_of_order
from licet_bindings.durable.codecs import FRACTION, TRUTH, choice, optional
from licet_bindings.durable.errors import Damaged
from licet_bindings.errors import dotted
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced

_KEYS: Final = frozenset("licet request conclusions order atoms checks routes".split())
_EXPECTED: Final = "expected the canonical text of a program"
_KIND: Final = choice(CheckKind)
_EXHAUSTED: Final = optional(TRUTH)

Object: TypeAlias = dict[str, Json]


def program_bytes(commitment: Commitment) -> bytes:
    """Return what a ledger stores of a committed program: the text that was hashed."""
    return canonical_text(commitment.specification, commitment.program).encode("ascii")


def commitment_of_bytes(body: bytes, place: str = "program") -> Commitment:
    """Return the committed program of a canonical text; its hash is the SHA-256 of these bytes.

    The order is stated by its closure and a check's atoms are sorted, as the text has them; nothing
    that a review decides depends on it.

    Args:
        body: what `program_bytes` wrote.
        place: what messages call it.

    Raises:
        Damaged: it is no valid program, or its canonical text is another.

    >>> from licet import own_checks
    >>> atoms = (Atom("details", "a description exists"),)
    >>> described = Conclusion("described", "It has a description.", 100)
    >>> specification = Specification((described,), atoms, own_checks(atoms))
    >>> commitment = commit(specification, Program.of({"described": [["details"]]}))
    >>> commitment_of_bytes(program_bytes(commitment)).sha256 == commitment.sha256
    True
    """
    try:
        commitment = commit(*_parts(_object(json.loads(body.decode("ascii")))))
        if program_bytes(commitment) != body:
            raise Misplaced(f"{_EXPECTED}, found another text of it")
    except Misplaced as fault:
        named = dotted(fault.path)
        raise Damaged(f"{place}: {named}" if named else place, fault.problem) from None
    except InvalidInput as fault:
        raise Damaged(f"{place}: {fault.place}", fault.problem) from None
    except (ValueError, RecursionError):
        raise Damaged(place, f"{_EXPECTED}, found no JSON") from None
    return commitment


def _parts(content: Object) -> tuple[Specification, Program]:
    if content.keys() - {"constraints"} != _KEYS or content["licet"] != 1:
        raise Misplaced(f"expected version 1 of {', '.join(sorted(_KEYS))}")
    conclusions = tuple(map(_conclusion, _list(content["conclusions"])))
    names = [conclusion.identifier for conclusion in conclusions]
    specification = Specification(
        conclusions,
        tuple(_atom(name, *_row(parts, 2)) for name, parts in _object(content["atoms"]).items()),
        tuple(_check(name, _list(parts)) for name, parts in _object(content["checks"]).items()),
        _order(content["order"], names),
        _text(content["request"]),
        tuple(map(_literals, _list(content.get("constraints", [])))),
    )
    routes = _row(content["routes"], len(names))
    listed = zip(names, routes, strict=True)
    return specification, Program(
        tuple((name, tuple(Route(_literals(p)) for p in _list(own))) for name, own in listed)
    )


def _conclusion(content: Json) -> Conclusion:
    identifier, sentence, utility = _row(content, 3)
    return Conclusion(_text(identifier), _text(sentence), FRACTION.read(utility))


def _atom(name: str, sentence: Json, binding: Json) -> Atom:
    return Atom(name, _text(sentence), _text(binding))


def _check(name: str, parts: list[Json]) -> Check:
    usual: list[Json] = [CheckKind.FIELD.value, [], None]
    settles, cost, kind, candidates, exhausted = _row(
        parts + usual if len(parts) == 2 else parts, 5
    )
    return Check(
        name,
        tuple(map(_text, _list(settles))),
        FRACTION.read(cost),
        _KIND.read(kind),
        tuple(map(_text, _list(candidates))),
        _EXHAUSTED.read(exhausted),
    )


def _order(content: Json, names: list[str]) -> tuple[tuple[str, str], ...] | None:
    """Return the pairs of an order, None where it is the chain of the conclusions as listed."""
    pairs = tuple((_text(a), _text(b)) for a, b in (_row(pair, 2) for pair in _list(content)))
    return None if set(pairs) == closure_of_order(pairwise(names)) else pairs


def _literals(content: Json) -> tuple[Literal, ...]:
    return tuple(Literal.parse(_text(literal)) for literal in _list(content))


def _text(content: Json) -> str:
    if not isinstance(content, str):
        raise Misplaced(f"{_EXPECTED}, found no text in a place of one")
    return content


def _list(content: Json) -> list[Json]:
    if not isinstance(content, list):
        raise Misplaced(f"{_EXPECTED}, found no list in a place of one")
    return content


def _row(content: Json, length: int) -> list[Json]:
    if len(_list(content)) != length:
        raise Misplaced(f"{_EXPECTED}, found a list of another length")
    return _list(content)


def _object(content: object) -> Object:
    if not isinstance(content, dict):
        raise Misplaced(f"{_EXPECTED}, found no object")
    return cast(Object, content)
