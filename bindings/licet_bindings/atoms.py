"""What documents say of an atom, as what is done for it: a field test, candidates, or a text."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import cast

from licet_bindings.models import AtomModel, FieldAtomModel, FieldsAtomModel, TextAtomModel
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
    match shape:
        case TextAtomModel(text=text):
            return JudgedText(_path(text, ("atoms", atom, "text")))
        case FieldAtomModel(field=text):
            return FieldTest(_path(text, ("atoms", atom, "field")), _predicate(atom, shape))
        case FieldsAtomModel(fields=[text]):
            return FieldTest(_path(text, ("atoms", atom, "fields", 0)), _predicate(atom, shape))
    return CandidateTests(tuple(_candidates(atom, shape.fields)), _predicate(atom, shape))


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


def _predicate(atom: str, shape: FieldAtomModel | FieldsAtomModel) -> Predicate:
    given = "value" in shape.model_fields_set
    place = "value"
    try:
        value = _json_value(shape.value) if given else MISSING
        plain = make_predicate(shape.test, value)
        if shape.date_format is None:
            return plain
        place = "date_format"
        return make_predicate(shape.test, value, shape.date_format)
    except PredicateError as error:
        raise Misplaced(str(error), ("atoms", atom, place)) from None


def _json_value(value: object) -> Json:
    """Return a value as a record would hold it, so that both are compared as what they are."""
    match value:
        case Decimal():
            number = float(value)
            if not math.isfinite(number):
                raise PredicateError(f"expected a number of 64 bits, found {value}")
            return number
        case list():
            return [_json_value(item) for item in value]
        case dict():
            return {key: _json_value(item) for key, item in value.items()}
    return cast(Json, value)
