"""JSON values: snapshots, equality, blankness, and what counts as something."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given

from licet_bindings.records.values import (
    MAX_DEPTH,
    MAX_VALUES,
    Json,
    NotJsonError,
    freeze,
    holds_something,
    is_blank,
    kind,
    quoted,
)
from tests.records.samples import NOT_JSON, NOTHING, SOMETHING, canonical_text, nested
from tests.records.strategies import confusable_json, json_values, python_values


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if "exponential" in n else []) for n in NOT_JSON],
)
def test_what_is_not_json_is_refused(name: str) -> None:
    value, reason = NOT_JSON[name]
    with pytest.raises(NotJsonError, match=reason):
        freeze(value)


def test_the_limits_themselves_are_allowed() -> None:
    assert freeze(nested(MAX_DEPTH)) == freeze(nested(MAX_DEPTH, 1.0))
    assert holds_something(freeze([0] * (MAX_VALUES - 1)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0, -0.0),
        (0.0, -0.0),
        (2**53, float(2**53)),
        (int(1e300), 1e300),
        (10**4_000, 10**4_000),
        ([1, 2.0], [1.0, 2]),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}),
        ([], []),
        ({}, {}),
        ("é", "é"),
        (None, None),
    ],
)
def test_equal_as_json(left: Json, right: Json) -> None:
    assert freeze(left) == freeze(right)
    assert hash(freeze(left)) == hash(freeze(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (1.0, True),
        (1, "1"),
        (True, "true"),
        (None, False),
        (None, 0),
        (None, ""),
        (None, "null"),
        ([], {}),
        ([], ""),
        ([], None),
        ([1], 1),
        ([1], [True]),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": 1}, [["a", 1]]),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        (2**53 + 1, float(2**53)),
        (10**300, 1e300),
        (10**4_000, 1e308),
        (0.1 + 0.2, 0.3),
        ("é", "e\u0301"),  # The same letter, composed and decomposed: no normalization.
        ("a", "A"),
        ("a", "a "),
    ],
)
def test_not_equal_as_json(left: Json, right: Json) -> None:
    assert freeze(left) != freeze(right)


@given(confusable_json(), confusable_json())
def test_equality_agrees_with_canonical_text_and_is_symmetric(left: Json, right: Json) -> None:
    same = canonical_text(left) == canonical_text(right)
    assert (freeze(left) == freeze(right)) is same
    assert (freeze(right) == freeze(left)) is same
    assert not same or hash(freeze(left)) == hash(freeze(right))


@given(json_values())
def test_equality_is_reflexive_and_survives_writing_and_reading(value: Json) -> None:
    assert freeze(value) == freeze(copy.deepcopy(value))
    assert freeze(value) == freeze(json.loads(json.dumps(value)))


@given(python_values())
def test_freezing_gives_a_snapshot_or_a_refusal_in_plain_words(value: object) -> None:
    try:
        hash(freeze(value))
    except NotJsonError as error:
        assert str(error).startswith("it ")


def test_a_snapshot_does_not_change_with_the_value() -> None:
    items: list[Json] = [1]
    snapshot = freeze({"a": items})
    items.append(2)
    assert snapshot == freeze({"a": [1]})


@pytest.mark.parametrize("value", NOTHING)
def test_null_blank_and_empty_hold_nothing(value: Json) -> None:
    assert not holds_something(freeze(value))
    assert not holds_something(freeze(nested(50, value)))


@pytest.mark.parametrize("value", SOMETHING)
def test_zero_false_and_visible_text_are_something(value: Json) -> None:
    assert holds_something(freeze(value))
    assert holds_something(freeze({"a": [None, value], "b": ""}))


def _something(value: Json) -> bool:
    """The definition of `exists`, written as a recursion."""
    if isinstance(value, list):
        return any(map(_something, value))
    if isinstance(value, dict):
        return any(map(_something, value.values()))
    return bool(value.strip()) if isinstance(value, str) else value is not None


@given(confusable_json())
def test_something_agrees_with_the_recursive_definition(value: Json) -> None:
    assert holds_something(freeze(value)) is _something(value)


@pytest.mark.parametrize(
    "character",
    [
        *" \t\n\r\v\f\x00\x07\x1c\x1f\x7f\x85",
        "\u00a0",  # no-break space
        "\u00ad",  # soft hyphen
        "\u034f",  # combining grapheme joiner
        "\u115f",  # Hangul filler
        "\u1680",  # Ogham space mark
        "\u180e",  # Mongolian vowel separator
        "\u2007",  # figure space
        "\u200b",  # zero-width space
        "\u200d",  # zero-width joiner
        "\u200f",  # right-to-left mark
        "\u2028",  # line separator
        "\u202f",  # narrow no-break space
        "\u2060",  # word joiner
        "\u2800",  # empty braille cell
        "\u3000",  # ideographic space
        "\u3164",  # Hangul filler
        "\ufe0f",  # variation selector
        "\ufeff",  # byte order mark
        "\uffa0",  # half-width Hangul filler
        "\U000e0001",  # language tag
        "\U000e0100",  # variation selector
    ],
)
def test_invisible_characters_are_blank(character: str) -> None:
    assert is_blank(character)
    assert is_blank(f" {character}{character}")
    assert not is_blank(f"{character}.")


@pytest.mark.parametrize("text", ["-", ".", "_", "0", "é", "\u0301", "\ue000", "😀", "⠁", "\ufffd"])
def test_every_other_character_is_visible(text: str) -> None:
    assert not is_blank(text)


def test_kinds_are_named_in_words() -> None:
    values: list[Json] = [None, True, 1, 0.5, "a", [], {}]
    assert [kind(freeze(value)) for value in values] == [
        *("null", "a truth value", "a number", "a number", "text", "a list", "an object")
    ]


def test_quotes_are_cut() -> None:
    assert quoted("a'b") == '"a\'b"'
    assert len(quoted("x" * 1_000)) == 65
