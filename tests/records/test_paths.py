"""Paths: how they are written, and what lies at their end."""

from __future__ import annotations

import math
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.records.paths import MISSING, Path, PathError, lookup, parse_path
from licet_bindings.records.values import Json
from tests.records.strategies import json_values


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("details", ("details",)),
        ("references.0.type", ("references", "0", "type")),
        ("report-date", ("report-date",)),  # As the recall reports write their keys.
        ("units.USD/shares.0.val", ("units", "USD/shares", "0", "val")),
        ("a b. c", ("a b", " c")),
        ("a~1b", ("a~1b",)),  # Escapes belong to pointers.
        ("-1", ("-1",)),
        ("é.日本", ("é", "日本")),
        ("/details", ("details",)),
        ("/units/USD~1shares/0", ("units", "USD/shares", "0")),
        ("/a.b/c", ("a.b", "c")),
        ("/m~0n", ("m~n",)),
        ("/~01", ("~1",)),  # RFC 6901, section 4: not a slash.
        ("/~00", ("~0",)),
        ("/", ("",)),
        ("//", ("", "")),
        ("/a/", ("a", "")),
    ],
)
def test_a_path_is_read(text: str, path: Path) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "must not be empty"),
        (".", "segment 1 is empty"),
        ("a..b", "segment 2 is empty"),
        (".a", "segment 1 is empty"),
        ("a.b.", "segment 3 is empty"),
        ("/a~", "expected 0 or 1 after every tilde"),
        ("/a~2b", "expected 0 or 1 after every tilde"),
        ("/~~0", "expected 0 or 1 after every tilde"),
        ("a\ud800", "lone surrogates"),
        ("/\udfff", "lone surrogates"),
        (None, "must be text"),
        (3, "must be text"),
        (["a"], "must be text"),
    ],
)
def test_what_is_no_path_is_refused_with_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(PathError, match=expected):
        parse_path(text)


def test_a_refusal_quotes_no_more_than_fits_a_message() -> None:
    with pytest.raises(PathError) as caught:
        parse_path("a" * 100_000 + "..")
    assert len(str(caught.value)) < 300


RECORD: Json = {
    "details": "text",
    "empty": "",
    "null": None,
    "zero": 0,
    "no": False,
    "list": ["first", None, ["nested"]],
    "object": {"0": "key zero", "01": "padded", "-1": "negative", "-": "dash"},
    "a.b": "dotted key",
    "a": {"b": "nested key"},
    "USD/shares": 1,
    "report-date": "06/13/2012",
    "": "empty key",
    "m~n": "tilde",
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("details", "text"),
        ("empty", ""),
        ("null", None),
        ("zero", 0),
        ("no", False),
        ("list.0", "first"),
        ("list.1", None),
        ("list.2.0", "nested"),
        ("object.0", "key zero"),
        ("object.01", "padded"),
        ("object.-1", "negative"),
        ("a.b", "nested key"),
        ("/a.b", "dotted key"),
        ("/a/b", "nested key"),
        ("/USD~1shares", 1),
        ("USD/shares", 1),
        ("report-date", "06/13/2012"),
        ("/", "empty key"),
        ("/m~0n", "tilde"),
    ],
)
def test_what_the_record_holds_is_found(path: str, found: object) -> None:
    result = lookup(RECORD, parse_path(path))
    assert result == found
    assert type(result) is type(found)


@pytest.mark.parametrize(
    "path",
    [
        "other",
        "Details",  # Letter case counts.
        "details.0",  # Text is no list.
        "details.length",
        "null.a",
        "zero.0",
        "no.a",
        "list.3",
        "list.-1",
        "list.-2",
        "list.-3",
        "list.01",
        "list.00",
        "list.+1",
        "list.1_0",
        "list. 1",
        "list.1.0",
        "list.\u0660",  # Arabic-Indic zero.
        "list.²",
        "list.first",
        "list.-",
        "/list/",
        "list." + "9" * 5_000,
        "list.18446744073709551616",  # 2**64, no position 0 by wrapping around.
        "object.1",
        "a.b.c",
        "/details/",
    ],
)
def test_what_the_record_does_not_hold_is_missing(path: str) -> None:
    assert lookup(RECORD, parse_path(path)) is MISSING


def test_a_dotted_path_does_not_reach_a_key_that_holds_dots() -> None:
    record: Json = {"go.mod": {"version": "1"}}
    assert lookup(record, parse_path("go.mod.version")) is MISSING
    assert lookup(record, parse_path("/go.mod/version")) == "1"


def test_a_position_has_ascii_digits_only() -> None:
    record: Json = list(range(20))
    assert lookup(record, ("10",)) == 10
    assert lookup(record, ("1\u0660",)) is MISSING  # Arabic-Indic zero.


def test_null_is_found_and_not_missing() -> None:
    assert lookup({"a": None}, ("a",)) is None
    assert lookup({"a": None}, ("b",)) is MISSING


def test_the_empty_path_is_the_record_itself() -> None:
    assert lookup([1], ()) == [1]


class _Hostile:
    """A key that would decide equality for itself."""

    def __hash__(self) -> int:
        return hash("a")

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a key of the record was asked")


@pytest.mark.parametrize(
    "odd", [OrderedDict(a=1), ("x",), {"a"}, b"a", math.nan, math.inf, {1: 2}, {_Hostile(): 1}]
)
def test_what_is_not_json_on_the_way_is_returned_and_never_called_missing(odd: Json) -> None:
    assert lookup({"odd": odd}, ("odd", "a")) is odd
    assert lookup(odd, ("a",)) is odd


def test_a_path_through_a_deep_record_is_followed() -> None:
    record: Json = "end"
    for _ in range(100_000):
        record = [record]
    assert lookup(record, ("0",) * 100_000) == "end"


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_a_pointer_names_every_key(keys: list[str]) -> None:
    assert parse_path("/" + "/".join(map(_escape, keys))) == tuple(keys)


@given(st.text())
def test_parsing_gives_segments_or_a_path_error(text: str) -> None:
    try:
        path = parse_path(text)
    except PathError:
        return
    assert path
    assert all(type(segment) is str for segment in path)


def _places(value: Json, path: Path = ()) -> dict[Path, Json]:
    """Every place in a JSON value."""
    places = {path: value}
    if isinstance(value, list):
        value = {str(position): item for position, item in enumerate(value)}
    if isinstance(value, dict):
        for key, item in value.items():
            places |= _places(item, (*path, key))
    return places


@given(json_values(), st.lists(st.sampled_from(["a", "b", "a.b", "0", "1", "00", "-1", ""])))
def test_lookup_finds_exactly_the_places_of_the_record(record: Json, segments: list[str]) -> None:
    places = _places(record)
    for path, value in places.items():
        assert lookup(record, path) is value
    assert lookup(record, tuple(segments)) is places.get(tuple(segments), MISSING)
