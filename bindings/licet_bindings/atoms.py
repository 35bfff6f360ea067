"""What documents say of an atom, as what is done for it: a field test, candidates, or a text."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import cast

from licet_bindings.models import (
    AtomModel,
    FieldAtomModel,
    FieldsAtomModel,
    TestedModel,
    TextAtomModel,
)
from licet_bindings.records.field_tests import AtomTest, CandidateTests, FieldTest, JudgedText
from licet_bindings.records.paths import MISSING, Path, PathError, parse_path
from licet_bindings.records.predicates import Predicate, PredicateError, make_predicate
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced


def atom_test(atom: str, shape: AtomModel) -> AtomTest:
    """Return what is done for the atom of this name.

    Raises:
        Misplaced: a path or a test is malformed, or one place is a candidate twice.
    """
    if isinstance(shape, TextAtomModel):
        return JudgedText(_path(shape.text, ("atoms", atom, "text")))
    predicate = predicate_of(shape, ("atoms", atom))
    match shape:
        case FieldAtomModel(field=text):
            return FieldTest(_path(text, ("atoms", atom, "field")), predicate)
        case FieldsAtomModel(fields=[text]):
            return FieldTest(_path(text, ("atoms", atom, "fields", 0)), predicate)
    return CandidateTests(tuple(_candidates(atom, shape.fields)), predicate)


def _candidates(atom: str, texts: list[str]) -> list[tuple[str, Path]]:
    named: dict[Path, str] = {}
    for position, text in enumerate(texts):
        place = ("atoms", atom, "fields", position)
        path = _path(text, place)
        if path in named:
            raise Misplaced(f"expected each place once, found that of {named[path]!r} again", place)
        named[path] = text
    return [(text, path) for path, text in named.items()]


def _path(text: str, place: tuple[str | int, ...]) -> Path:
    try:
        return parse_path(text)
    except PathError as error:
        raise Misplaced(str(error), place) from None


def predicate_of(shape: TestedModel, place: tuple[str | int, ...]) -> Predicate:
    """Return the predicate that a test states.

    Args:
        shape: the test, what it compares with, and how dates are written.
        place: where it stands in its document.

    Raises:
        Misplaced: the test is malformed.
    """
    given = "value" in shape.model_fields_set
    key = "value"
    try:
        value = json_value(shape.value) if given else MISSING
        plain = make_predicate(shape.test, value)
        if shape.date_format is None:
            return plain
        key = "date_format"
        return make_predicate(shape.test, value, shape.date_format)
    except PredicateError as error:
        raise Misplaced(str(error), (*place, key)) from None


def json_value(value: object) -> Json:
    """Return a value as a record would hold it, so that both are compared as what they are.

    Raises:
        PredicateError: a number does not fit 64 bits.
    """
    match value:
        case Decimal():
            number = float(value)
            if not math.isfinite(number):
                raise PredicateError(f"expected a number of 64 bits, found {value}")
            return number
        case list():
            return [json_value(item) for item in value]
        case dict():
            return {key: json_value(item) for key, item in value.items()}
    return cast(Json, value)
