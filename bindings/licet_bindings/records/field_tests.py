"""A predicate on one field of a record, and the text by which a commitment's hash covers it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from licet import Commitment, InvalidInput
from licet_bindings.records.paths import Path, lookup
from licet_bindings.records.predicates import Finding, Predicate, evaluate, make_predicate
from licet_bindings.records.values import Json


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
        content = {
            "field": list(self.path),
            "test": self.predicate.test.value,
            "value": _canonical(self.predicate.value),
            "date_format": self.predicate.date_format,
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_binding(cls, text: str) -> Self:
        """Return the test that a binding states.

        Raises:
            ValueError: the text is no binding.
        """
        try:
            content = json.loads(text)
            path = tuple(content["field"])
            predicate = make_predicate(content["test"], content["value"], content["date_format"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no binding of a field test: {error!r}") from None
        if not all(isinstance(segment, str) for segment in path):
            raise ValueError("no binding of a field test: a path is made of texts")
        return cls(path, predicate)

    def evaluate(self, record: Json, *, checked: bool = False) -> Finding:
        """Return what the test establishes on the record: true, false, or nothing and why.

        Args:
            record: any JSON value.
            checked: whether it is known to be JSON throughout, see `paths.lookup`.
        """
        return evaluate(self.predicate, lookup(record, self.path, checked=checked))


def committed_tests(commitment: Commitment) -> Mapping[str, FieldTest]:
    """Return for each atom the test that its binding states: what the hash covers, no more.

    Raises:
        InvalidInput: an atom is bound to something else.
    """
    tests = {}
    for atom in commitment.specification.atoms:
        try:
            tests[atom.identifier] = FieldTest.from_binding(atom.binding)
        except ValueError as error:
            raise InvalidInput(f"atom {atom.identifier}: binding", str(error)) from None
    return tests


def _canonical(value: Json) -> Json:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_canonical(item) for item in value]
        case dict():
            return {key: _canonical(item) for key, item in value.items()}
    return value
