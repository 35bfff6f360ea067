"""How predicates are built, what is refused, and what they are from then on."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import pytest
from hypothesis import given

from licet_bindings.records.patterns import MAX_PATTERN
from licet_bindings.records.predicates import (
    Finding,
    Predicate,
    PredicateError,
    Test,
    evaluate,
    make_predicate,
)
from licet_bindings.records.values import Json
from tests.records.samples import NOT_JSON, nested
from tests.records.strategies import json_values, predicates

# What is refused when a predicate is built.

_NAN = float("nan")
_VALUED = ["equals", "differs", "one_of", "contains", "matches", "at_least", "at_most"]

REFUSED: list[tuple[str, Json, str | None, str]] = [
    ("exist", None, None, "unknown test 'exist'; expected one of exists, absent, equals,"),
    ("EXISTS", None, None, "unknown test"),
    ("", None, None, "unknown test ''"),
    ("exists", True, None, "exists takes no value, but was given a truth value"),
    ("exists", "", None, "exists takes no value, but was given text"),
    ("absent", [], None, "absent takes no value, but was given a list"),
    *((test, None, None, f"{test} needs a value other than null") for test in _VALUED),
    ("on_or_before", None, None, "on_or_before needs a value other than null"),
    ("on_or_after", None, None, "on_or_after needs a value other than null"),
    *((test, _NAN, None, f"{test} needs a value that is JSON: .* not finite") for test in _VALUED),
    ("exists", _NAN, None, "not finite"),
    ("at_least", math.inf, None, "not finite"),
    ("at_most", -math.inf, None, "not finite"),
    ("equals", [1, {"a": _NAN}], None, "not finite"),
    ("one_of", ["a", math.inf], None, "not finite"),
    ("equals", "\ud800", None, "lone surrogate"),
    ("equals", nested(101), None, "nested more than 100 deep"),
    ("one_of", "a", None, "one_of needs a list of values, but was given text"),
    ("one_of", {"a": 1}, None, "one_of needs a list of values, but was given an object"),
    ("one_of", [], None, "at least one value"),
    ("one_of", ["a", None], None, "other than null"),
    ("contains", "", None, "not empty"),
    ("matches", 1, None, "matches needs a regular expression as text, but was given a number"),
    ("matches", ["a"], None, "was given a list"),
    ("matches", "(a", None, r"in RE2 syntax; '\(a': missing \)"),
    ("matches", r"(a)\1", None, "in RE2 syntax"),
    ("matches", "a" * (MAX_PATTERN + 1), None, "longer than 1,000 characters"),
    ("at_least", True, None, "at_least needs a finite number, but was given a truth value"),
    ("at_most", "18", None, "at_most needs a finite number, but was given text"),
    ("at_most", [18], None, "was given a list"),
    ("on_or_before", 2019, None, "on_or_before needs a date as text, but was given a number"),
    ("on_or_before", "March 2019", None, "of the form YYYY, YYYY-MM or YYYY-MM-DD"),
    ("on_or_after", "2019-02-30", None, "but was given '2019-02-30'"),
    ("on_or_after", "20190314", None, "of the form YYYY, YYYY-MM or YYYY-MM-DD"),
    ("on_or_after", "2019-03-14T00:00", None, "of the form YYYY, YYYY-MM or YYYY-MM-DD"),
    ("on_or_after", "", None, "of the form YYYY, YYYY-MM or YYYY-MM-DD"),
    ("on_or_after", "06/13/2012", "%m/%d/%Y", "of the form YYYY, YYYY-MM or YYYY-MM-DD"),
    ("on_or_after", "2019", "%d/%m", "date format '%d/%m': it has no year"),
    ("on_or_after", "2019", "", "it has no year"),
    ("equals", "2019", "%Y", "equals takes no date format; expected one only with on_or_before"),
    ("exists", None, "%Y", "exists takes no date format"),
    ("matches", "a", "", "matches takes no date format"),
]


@pytest.mark.parametrize(("test", "value", "date_format", "expected"), REFUSED)
def test_a_bad_predicate_is_refused_with_what_was_expected(
    test: str, value: Json, date_format: str | None, expected: str
) -> None:
    with pytest.raises(PredicateError, match=expected):
        make_predicate(test, value, date_format)


# The largest are refused in the same way, and take seconds with every test.
@pytest.mark.parametrize("name", [name for name in NOT_JSON if "large" not in name])
def test_a_value_that_is_not_json_is_refused(name: str) -> None:
    value, _ = NOT_JSON[name]
    for test in Test:
        with pytest.raises(PredicateError):
            make_predicate(test.value, value)  # type: ignore[arg-type]


@pytest.mark.parametrize("test", [None, 1, ["exists"], Test.EXISTS, b"exists"])
def test_a_test_that_is_no_word_is_refused(test: str) -> None:
    with pytest.raises(PredicateError, match="unknown test that is no text; expected one of"):
        make_predicate(test)


def test_a_date_format_that_is_no_text_is_refused() -> None:
    with pytest.raises(PredicateError, match="must be text"):
        make_predicate("on_or_before", "2019", 7)  # type: ignore[arg-type]


def test_a_message_does_not_grow_with_the_value() -> None:
    for test, value in [("matches", "(" + "a" * 900), ("on_or_before", "x" * 100_000)]:
        with pytest.raises(PredicateError) as caught:
            make_predicate(test, value)
        assert len(str(caught.value)) < 400


def test_a_value_left_out_is_no_value() -> None:
    assert make_predicate("exists") == make_predicate("exists", None)
    with pytest.raises(PredicateError, match="equals needs a value"):
        make_predicate("equals")


# What a predicate is once built.


def test_a_predicate_does_not_change_with_the_value_it_was_built_from() -> None:
    choices: list[Json] = ["a"]
    predicate = make_predicate("one_of", choices)
    choices.append("b")
    assert predicate.value == ["a"]
    assert evaluate(predicate, "b") == Finding(False)
    assert isinstance(predicate.value, list)
    predicate.value.append("b")
    assert evaluate(predicate, "b") == Finding(False)


def test_a_predicate_is_checked_however_it_is_built() -> None:
    assert Predicate(Test.EQUALS, 1) == make_predicate("equals", 1)
    with pytest.raises(PredicateError, match="at_least needs a finite number"):
        Predicate(Test.AT_LEAST, "1")
    with pytest.raises(PredicateError, match="at_least needs a finite number"):
        dataclasses.replace(make_predicate("at_least", 1), value="1")
    with pytest.raises(PredicateError, match="a member of Test"):
        Predicate("exists")  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_predicate("exists").test = Test.ABSENT  # type: ignore[misc]


def test_a_predicate_shows_its_parts() -> None:
    predicate = make_predicate("on_or_after", "2012", "%m/%d/%Y")
    assert (predicate.test, predicate.value, predicate.date_format) == (
        *(Test.ON_OR_AFTER, "2012", "%m/%d/%Y"),
    )
    assert make_predicate("absent").value is None


def test_predicates_are_equal_when_they_ask_the_same() -> None:
    assert make_predicate("equals", 1) == make_predicate("equals", 1.0)
    assert hash(make_predicate("equals", [1])) == hash(make_predicate("equals", [1.0]))
    assert make_predicate("equals", 1) != make_predicate("equals", True)
    assert make_predicate("equals", 1) != make_predicate("differs", 1)
    assert make_predicate("matches", "a") != make_predicate("matches", "b")
    assert make_predicate("on_or_after", "2019") == make_predicate("on_or_after", "2019-01-01")
    assert make_predicate("on_or_after", "2019") != make_predicate("on_or_after", "2019", "%Y")


@given(predicates(), json_values())
def test_copies_of_a_predicate_establish_the_same(predicate: Predicate, found: Json) -> None:
    for same in (copy.deepcopy(predicate), pickle.loads(pickle.dumps(predicate))):
        assert same == predicate
        assert hash(same) == hash(predicate)
        assert evaluate(same, found) == evaluate(predicate, found)
