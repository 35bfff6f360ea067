"""What is done for an atom, and the text by which a commitment's hash covers it.

A test on one field, a test on the first of several candidate fields that it can be evaluated on, or
the place of a text on which the atom is judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self, TypeAlias

from licet import Commitment, InvalidInput, Unavailable
from licet.messages import READ_LIMIT
from licet_bindings.records.judges import FOUND_MISSING, FOUND_NULL, nothing
from licet_bindings.records.paths import MISSING, Path, lookup
from licet_bindings.records.predicates import Finding, Predicate, Test, evaluate, make_predicate
from licet_bindings.records.values import (
    Json,
    NotJsonError,
    freeze,
    has_surrogate,
    is_blank,
    kind,
)


@dataclass(frozen=True, slots=True)
class FieldTest:
    """What a resolver does for one atom: the field that it reads and the test that it makes.

    Attributes:
        path: the segments of the field's path.
        predicate: the test.
    """

    path: Path
    predicate: Predicate

    @property
    def binding(self) -> str:
        """The text of the test as it is written: where two are equal, so are the tests.

        Numbers are written so that equal ones are written alike: 1.0 as 1 and -0.0 as 0. Tests
        that only mean the same may differ in it: `one_of` with its values in another order.

        >>> from licet_bindings.records.predicates import make_predicate
        >>> FieldTest(("a",), make_predicate("at_least", 1.0)).binding
        '{"date_format":null,"field":["a"],"test":"at_least","value":1}'
        """
        return _written({"field": list(self.path), **_predicate_content(self.predicate)})

    @classmethod
    def from_binding(cls, text: str) -> Self:
        """Return the test that a binding states.

        Raises:
            ValueError: the text is no binding.
        """
        try:
            content = json.loads(text)
            return cls(_path(content["field"]), _predicate(content))
        except (KeyError, TypeError) as error:
            raise ValueError(f"no binding of a field test: {error!r}") from None

    def evaluate(self, record: Json, *, checked: bool = False) -> Finding:
        """Return what the test establishes on the record: true, false, or nothing and why.

        Args:
            record: any JSON value.
            checked: whether it is known to be JSON throughout, see `paths.lookup`.
        """
        return evaluate(self.predicate, lookup(record, self.path, checked=checked))


@dataclass(frozen=True, slots=True)
class CandidateTests:
    """What a resolver does for an atom whose field is not known: one test, on several fields.

    Attributes:
        fields: the candidates, each by its name, which is its path as written, and its segments; in
            the order in which they are tried.
        predicate: the test.
    """

    fields: tuple[tuple[str, Path], ...]
    predicate: Predicate

    @property
    def binding(self) -> str:
        """The text of the tests as they are written; see `FieldTest.binding`.

        >>> from licet_bindings.records.predicates import make_predicate
        >>> CandidateTests((("/a", ("a",)), ("b", ("b",))), make_predicate("exists")).binding
        '{"date_format":null,"fields":[["/a",["a"]],["b",["b"]]],"test":"exists","value":null}'
        """
        fields = [[name, list(path)] for name, path in self.fields]
        return _written({"fields": fields, **_predicate_content(self.predicate)})

    @classmethod
    def from_binding(cls, text: str) -> Self:
        """Return the tests that a binding states.

        Raises:
            ValueError: the text is no binding.
        """
        try:
            content = json.loads(text)
            fields = tuple((name, _path(path)) for name, path in content["fields"])
            predicate = _predicate(content)
        except (KeyError, TypeError) as error:
            raise ValueError(f"no binding of candidate fields: {error!r}") from None
        names = [name for name, _ in fields]
        if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            raise ValueError("no binding of candidate fields: expected texts, each name once")
        return cls(fields, predicate)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(name for name, _ in self.fields)

    @property
    def exhausted(self) -> bool | None:
        """What holds when no candidate decides: False for exists, True for absent, else None."""
        return {Test.EXISTS: False, Test.ABSENT: True}.get(self.predicate.test)

    def evaluate(self, name: str, record: Json, *, checked: bool = False) -> Finding:
        """Return what one candidate establishes: nothing where it is missing or null, for any test.

        Args:
            name: the candidate.
            record: any JSON value.
            checked: whether it is known to be JSON throughout, see `paths.lookup`.

        Raises:
            KeyError: there is no such candidate.
        """
        found = lookup(record, dict(self.fields)[name], checked=checked)
        if found is MISSING:
            return nothing(FOUND_MISSING)
        return nothing(FOUND_NULL) if found is None else evaluate(self.predicate, found)


@dataclass(frozen=True, slots=True)
class JudgedText:
    """Where the text is that an atom is judged on.

    Attributes:
        path: the segments of the text's path.
    """

    path: Path

    @property
    def binding(self) -> str:
        """The place as text.

        >>> JudgedText(("details",)).binding
        '{"text":["details"]}'
        """
        return _written({"text": list(self.path)})

    @classmethod
    def from_binding(cls, text: str) -> Self:
        """Return the place that a binding states.

        Raises:
            ValueError: the text is no binding.
        """
        try:
            return cls(_path(json.loads(text)["text"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"no binding of a text: {error!r}") from None

    def read(self, record: Json, *, checked: bool = False) -> str | Unavailable:
        """Return the text that the record holds, or why there is none to judge on.

        Args:
            record: any JSON value.
            checked: whether it is known to be JSON throughout, see `paths.lookup`.
        """
        found = lookup(record, self.path, checked=checked)
        if found is MISSING:
            return Unavailable(FOUND_MISSING)
        if type(found) is not str:
            return Unavailable(_no_text(found))
        if len(found) > READ_LIMIT:
            return Unavailable(f"expected a text of at most {READ_LIMIT:,} characters")
        if has_surrogate(found):
            return Unavailable("the text has a lone surrogate")
        return Unavailable("the text is blank") if is_blank(found) else found


AtomTest: TypeAlias = FieldTest | CandidateTests | JudgedText
"""What is done for one atom."""


def bound_test(text: str) -> AtomTest:
    """Return what a binding states.

    Raises:
        ValueError: the text is no binding.
    """
    content = json.loads(text)
    if not isinstance(content, dict):
        raise ValueError("no binding: expected an object")
    if "text" in content:
        return JudgedText.from_binding(text)
    return (CandidateTests if "fields" in content else FieldTest).from_binding(text)


def committed_tests(commitment: Commitment) -> Mapping[str, AtomTest]:
    """Return for each atom what its binding states: what the hash covers, no more.

    Raises:
        InvalidInput: an atom is bound to something else.
    """
    tests = {}
    for atom in commitment.specification.atoms:
        try:
            tests[atom.identifier] = bound_test(atom.binding)
        except ValueError as error:
            raise InvalidInput(f"atom {atom.identifier}: binding", str(error)) from None
    return tests


def _path(segments: object) -> Path:
    if not isinstance(segments, list) or not all(isinstance(each, str) for each in segments):
        raise TypeError("a path is made of texts")
    return tuple(segments)


def _predicate(content: dict[str, Json]) -> Predicate:
    # What is of another kind is refused there, for a binding may hold any JSON.
    return make_predicate(content["test"], content["value"], content["date_format"])  # type: ignore[arg-type]


def _predicate_content(predicate: Predicate) -> dict[str, Json]:
    return {
        "test": predicate.test.value,
        "value": _canonical(predicate.value),
        "date_format": predicate.date_format,
    }


def _written(content: dict[str, object]) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _no_text(found: object) -> str:
    try:
        snapshot = freeze(found)
    except NotJsonError as error:
        return f"the field cannot be read: {error}"
    return FOUND_NULL if snapshot is None else f"expected text, found {kind(snapshot)}"


def _canonical(value: Json) -> Json:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_canonical(item) for item in value]
        case dict():
            return {key: _canonical(item) for key, item in value.items()}
    return value
