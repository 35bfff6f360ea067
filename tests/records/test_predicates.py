"""Predicates: every cell of the table of what a test establishes, and every odd input."""

from __future__ import annotations

import sys
import threading
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from licet_bindings.records.paths import MISSING
from licet_bindings.records.patterns import MAX_TEXT
from licet_bindings.records.predicates import Finding, Predicate, Test, evaluate, make_predicate
from licet_bindings.records.values import Json
from tests.records.samples import NOT_JSON, NOTHING, SOMETHING, canonical_text, nested
from tests.records.strategies import (
    CONFUSABLE,
    confusable_json,
    iso_dates,
    predicates,
    python_values,
)


def establishes(test: str, value: Json, found: object, date_format: str | None = None) -> Finding:
    return evaluate(make_predicate(test, value, date_format), found)


# The table. Each row: the test and its value, then fields on which it is true, and false.
TABLE: list[tuple[str, Json, list[Json], list[Json]]] = [
    ("exists", None, SOMETHING, NOTHING),
    ("absent", None, NOTHING, SOMETHING),
    ("equals", 1, [1, 1.0], [2, True, "1", [1], {"1": 1}, 1.0000000000000002, "", [], {}]),
    ("equals", 1.0, [1, 1.0], [True, "1.0"]),
    ("equals", 0, [0, 0.0, -0.0], [False, "", [], {}, "0"]),
    ("equals", -0.0, [0, 0.0, -0.0], [False]),
    ("equals", True, [True], [1, 1.0, "true", "True", False, [True]]),
    ("equals", False, [False], [0, 0.0, "", "false", [], True]),
    ("equals", "", [""], [" ", [], {}, 0, False]),
    ("equals", "ADVISORY", ["ADVISORY"], ["advisory", "ADVISORY ", " ADVISORY", ["ADVISORY"]]),
    ("equals", "é", ["é"], ["e\u0301", "e"]),
    ("equals", [], [[]], [{}, "", [None], [[]]]),
    ("equals", {}, [{}], [[], {"a": None}]),
    ("equals", [1, True], [[1.0, True]], [[True, True], [1, 1], [True, 1], [1], [1, True, None]]),
    ("equals", [None], [[None]], [[], [0], [False]]),
    (
        "equals",
        {"a": 1, "b": [False]},
        [{"b": [False], "a": 1.0}],
        [{"a": 1, "b": [0]}, {"a": 1}, {"a": 1, "b": [False], "c": None}, {"a": True, "b": [0]}],
    ),
    ("equals", 2**53 + 1, [2**53 + 1], [2.0**53, 2**53]),
    ("equals", 2.0**53, [2**53, 2.0**53], [2**53 + 1]),
    ("equals", 1e300, [1e300, int(1e300)], [10**300]),
    ("equals", 10**400, [10**400], [10**400 + 1, 1.7e308]),
    ("differs", 1, [2, True, "1", [1], "", [], {}], [1, 1.0]),
    ("differs", True, [1, "true", False], [True]),
    ("differs", {"a": 1}, [{"a": True}, {}], [{"a": 1.0}]),
    ("one_of", ["Class I", "Class II"], ["Class I", "Class II"], ["Class III", "", "class i", 1]),
    ("one_of", [1, "a"], [1, 1.0, "a"], [True, "1", "A", [1], [1, "a"]]),
    ("one_of", [False, [0]], [False, [0], [0.0]], [0, [], [False]]),
    ("one_of", [1, 1, 1.0], [1], [True]),
    ("contains", "CWE-79", ["CWE-79", "x CWE-79 y", "CWE-790", ["CWE-79"]], ["CWE-7", "cwe-79"]),
    ("contains", "a", [["b", "a"], "cab"], ["", "A", [], ["ab"], [["a"]], [None], ["b", 1]]),
    ("contains", 1, [[1], [2, 1.0]], [[], [True], ["1"], [[1]], [None]]),
    ("contains", True, [[True]], [[1], ["true"], []]),
    ("contains", [1], [[[1.0]]], [[1], [[True]], []]),
    ("contains", {"a": 1}, [[{"a": 1.0}]], [[{"a": True}], [{"a": 1, "b": 2}]]),
    ("matches", "[A-Z]-[0-9]{4}-2012", ["F-1345-2012"], ["", "F-1345-2012; 2)", "f-1345-2012"]),
    ("matches", "a|ab", ["a", "ab"], ["abc", "b", "a\n", "A"]),
    ("matches", "", [""], [" ", "a"]),
    ("matches", "(?s).*", ["", "a\nb", "é"], []),
    ("at_least", 18, [18, 18.0, 19, 1e308, 10**400], [17, 17.999999999999996, 0, -(10**400)]),
    ("at_least", 0, [0, -0.0, 5e-324], [-5e-324, -1]),
    ("at_least", 2**53 + 1, [2**53 + 1, 2.0**53 + 2], [2**53, 2.0**53]),
    ("at_least", 0.1, [0.1, 1], [0, 0.09999999999999999]),
    ("at_least", 1e308, [10**400, 10**308 + 10**300], [10**307, 1e307]),
    ("at_least", 10**400, [10**400], [1.7e308, 10**400 - 1]),
    ("at_most", 18, [18, 18.0, 17, -(10**400)], [19, 18.000000000000004, 10**400]),
    ("at_most", 2.0**53, [2**53, 2.0**53], [2**53 + 1]),
    ("at_most", -0.0, [0, -0.0, -1], [1, 5e-324]),
    (
        "on_or_before",
        "2019-03-14",
        ["2019-03-14", "2019-03-13", "2019-02", "2018", "2019-03-14T23:59:59Z", "0001"],
        ["2019-03-15", "2019-04", "2020", "2019-03-15T00:00", "9999"],
    ),
    (
        "on_or_before",
        "2019-03-31",
        ["2019-03", "2019-03-31"],
        ["2019-04", "2020"],
    ),
    ("on_or_before", "2019-03", ["2019-03", "2019-03-31", "2019-03-01"], ["2019-04-01", "2019-04"]),
    ("on_or_before", "2019", ["2019", "2019-12-31", "2019-12", "2018"], ["2020-01-01", "2020"]),
    (
        "on_or_after",
        "2019-03-14",
        ["2019-03-14", "2019-03-15", "2019-04", "2020", "2019-03-14T00:00:00+14:00"],
        ["2019-03-13", "2019-02", "2018", "2019-03-13T23:59:59-12:00"],
    ),
    ("on_or_after", "2019-03-01", ["2019-03", "2019-03-01"], ["2019-02", "2018", "2019-02-28"]),
    ("on_or_after", "2019-03", ["2019-03", "2019-03-01"], ["2019-02-28", "2019-02", "2018"]),
    ("on_or_after", "2019", ["2019", "2019-01-01", "2019-01", "2020"], ["2018-12-31", "2018"]),
]

_KINDS: list[Json] = [True, False, 0, 1.5, "", " ", "18", "a", [], ["2019"], {}, {"a": "2019"}]


def _no_text() -> list[Json]:
    return [value for value in _KINDS if not isinstance(value, str)]


Row = tuple[str, Json, list[Json], str]


def _null_rows() -> list[Row]:
    tests = [row for row in TABLE if row[0] not in ("exists", "absent")]
    return [(test, value, [None], "the field holds null") for test, value, _, _ in tests]


def _bound_rows(test: str) -> list[Row]:
    no_numbers: list[Json] = [True, False, "", "18", "18.0", "24,264 units", [18], {}]
    return [(test, 18, no_numbers, "expected a number, found")]


def _date_rows(test: str) -> list[Row]:
    unreadable: list[Json] = [
        "",
        " ",
        " 2019-03-14",
        "2019-03-14\n",
        "N/A",
        "20190314",
        "03/14/2019",
        "2019-02-30",
    ]
    return [
        (test, "2019-03-14", [*_no_text(), 2019, 20190314], "expected a date as text, found"),
        (test, "2019-03-14", unreadable, "the text is not an ISO 8601 date"),
        (test, "2019-03-14", ["2019-03", "2019"], "some of them on each side of 2019-03-14"),
        (test, "2019-03", ["2019"], "some of them on each side of 2019-03"),
    ]


# Each row: the test and its value, then fields on which it establishes nothing, and why.
UNESTABLISHED: list[Row] = [
    *_null_rows(),
    ("contains", "a", [True, 0, 1.5, {}, {"a": 1}], "expected text or a list, found"),
    ("contains", 1, ["1", "", True, 1, {}], "expected a list, found"),
    ("contains", [1], ["[1]", {}], "expected a list, found"),
    ("matches", "(?s).*", _no_text(), "expected text, found"),
    ("matches", "(?s).*", ["a" * (MAX_TEXT + 1)], "the text is longer than 100,000 characters"),
    ("matches", r"(?:\pL{3}){10}|.*", ["a" * MAX_TEXT], "the text is too long for a regular"),
    *_bound_rows("at_least"),
    *_bound_rows("at_most"),
    *_date_rows("on_or_before"),
    *_date_rows("on_or_after"),
    ("on_or_before", "2019-03-30", ["2019-03"], "any day from 2019-03-01 to 2019-03-31"),
    ("on_or_after", "2019-03-02", ["2019-03"], "any day from 2019-03-01 to 2019-03-31"),
]


def _cells(index: int) -> list[tuple[str, Json, Json]]:
    return [(row[0], row[1], found) for row in TABLE for found in (row[2], row[3])[index]]


def _label(value: object) -> str:
    return str(value)[:40] if not isinstance(value, int) or abs(value) < 2**64 else "large"


@pytest.mark.parametrize(("test", "value", "found"), _cells(0), ids=_label)
def test_it_establishes_true(test: str, value: Json, found: Json) -> None:
    assert establishes(test, value, found) == Finding(True)


@pytest.mark.parametrize(("test", "value", "found"), _cells(1), ids=_label)
def test_it_establishes_false(test: str, value: Json, found: Json) -> None:
    assert establishes(test, value, found) == Finding(False)


@pytest.mark.parametrize(("test", "value", "fields", "reason"), UNESTABLISHED, ids=_label)
def test_it_establishes_nothing(test: str, value: Json, fields: list[Json], reason: str) -> None:
    for found in fields:
        finding = establishes(test, value, found)
        assert finding.value is None
        assert reason in finding.reason


@pytest.mark.parametrize(("test", "value"), [row[:2] for row in TABLE], ids=_label)
def test_a_missing_path_is_absent_and_nothing_else(test: str, value: Json) -> None:
    finding = establishes(test, value, MISSING)
    if test in ("exists", "absent"):
        assert finding == Finding(test == "absent")
    else:
        assert finding == Finding(None, "the path is missing from the record")


def test_the_table_covers_every_test() -> None:
    assert {row[0] for row in TABLE} == {test.value for test in Test}


# The largest are refused in the same way, and take seconds with every test.
_SMALL_NOT_JSON = [name for name in NOT_JSON if "large" not in name]


@pytest.mark.parametrize("name", _SMALL_NOT_JSON)
def test_a_field_that_is_not_json_establishes_nothing(name: str) -> None:
    found, _ = NOT_JSON[name]
    for test, value, _, _ in {row[0]: row for row in TABLE}.values():
        finding = establishes(test, value, found)
        assert finding.value is None
        assert finding.reason.startswith("the field cannot be read: it ")


@pytest.mark.slow
def test_a_field_that_is_too_large_establishes_nothing() -> None:
    found, _ = NOT_JSON["exponentially large"]
    assert "more than 1,000,000 values" in establishes("exists", None, found).reason


def test_where_the_field_is_deep_but_within_the_limit_it_is_evaluated() -> None:
    assert establishes("equals", nested(100), nested(100, 1.0)) == Finding(True)
    assert establishes("equals", nested(100), nested(100, True)) == Finding(False)
    assert establishes("exists", None, nested(100, " ")) == Finding(False)


def test_integers_too_long_to_print_are_compared() -> None:
    huge = 10**5_000
    assert establishes("equals", huge, huge) == Finding(True)
    assert establishes("at_least", huge, huge + 1) == Finding(True)
    assert establishes("at_most", huge, 1e308) == Finding(True)
    assert establishes("at_least", 1e308, -huge) == Finding(False)
    assert establishes("matches", "a", huge).value is None


def test_however_little_stack_is_left_the_verdict_is_right_or_nothing() -> None:
    cases = [
        (make_predicate("equals", [[1]]), [[1]], True),
        (make_predicate("matches", "a+"), "aa", True),
        (make_predicate("on_or_before", "2019", "%B %Y"), "March 2020", False),
        (make_predicate("absent"), [[0]], False),
    ]
    findings: list[tuple[bool | None, bool]] = []

    def descend() -> None:
        try:
            findings.extend(
                (evaluate(predicate, found).value, expected) for predicate, found, expected in cases
            )
            descend()
        except RecursionError:  # From the descent itself, or from the call of `evaluate`.
            return

    descend()
    verdicts = {(value, expected) for value, expected in findings}
    assert (None, True) in verdicts
    assert verdicts <= {(None, True), (None, False), (True, True), (False, False)}


def test_a_field_that_another_thread_changes_is_read_as_it_stood_or_not_at_all() -> None:
    record: dict[str, Json] = {str(key): [key] for key in range(50)}
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            record["new"] = [None]
            done.is_set()  # A call, at which the threads can take turns.
            del record["new"]

    predicate = make_predicate("exists")
    interval = sys.getswitchinterval()
    thread = threading.Thread(target=change)
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        assert {evaluate(predicate, record) for _ in range(2_000)} == {Finding(True)}
    finally:
        done.set()
        thread.join()
        sys.setswitchinterval(interval)


# Dates in another form.


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("06/13/2012", True),
        ("6/3/2012", True),
        ("06/14/2012", False),
        ("2012-06-13", None),  # With a format, ISO is not read beside it.
        ("06/2012", None),
        ("", None),
        (None, None),
    ],
)
def test_a_date_format_says_how_the_record_writes_dates(found: Json, expected: bool | None) -> None:
    finding = establishes("on_or_before", "2012-06-13", found, "%m/%d/%Y")
    assert finding.value is expected


def test_a_format_of_month_precision_leaves_the_month_open() -> None:
    finding = establishes("on_or_after", "2017-09-02", "September 2017", "%B %Y")
    assert "any day from 2017-09-01 to 2017-09-30" in finding.reason
    assert establishes("on_or_after", "2017-09-01", "September 2017", "%B %Y") == Finding(True)
    finding = establishes("on_or_after", "2017-09-02", "soon", "%B %Y")
    assert finding == Finding(None, "the text is not a date of the given format")


def test_a_finding_has_a_reason_exactly_when_it_establishes_nothing() -> None:
    for value, reason in [(None, ""), (True, "why"), (False, "why")]:
        with pytest.raises(ValueError, match="exactly when"):
            Finding(value, reason)


# Properties.


@given(python_values() | st.just(MISSING))
def test_absent_is_the_negation_of_exists(found: object) -> None:
    exists, absent = (establishes(test, None, found) for test in ("exists", "absent"))
    assert absent.value is (None if exists.value is None else not exists.value)
    assert absent.reason == exists.reason


@given(confusable_json().filter(lambda value: value is not None), python_values())
@example(1, True)
def test_differs_is_the_negation_of_equals(value: Json, found: object) -> None:
    equals, differs = (establishes(test, value, found) for test in ("equals", "differs"))
    assert differs.value is (None if equals.value is None else not equals.value)
    assert differs.reason == equals.reason


@given(predicates(), python_values() | st.just(MISSING))
def test_evaluation_never_raises_and_gives_a_reason_for_nothing(
    predicate: Predicate, found: object
) -> None:
    finding = evaluate(predicate, found)
    assert (finding.value is None) is bool(finding.reason)


_choices = st.sampled_from([value for value in CONFUSABLE if value is not None])


@given(st.lists(_choices, min_size=1, max_size=5), confusable_json())
def test_one_of_is_true_where_some_equals_is(values: list[Json], found: Json) -> None:
    each = [establishes("equals", value, found).value for value in values]
    assert establishes("one_of", values, found).value is (None if None in each else any(each))


@given(confusable_json().filter(lambda value: value not in (None, "")), st.lists(confusable_json()))
def test_a_list_contains_what_one_of_its_items_equals(value: Json, items: list[Json]) -> None:
    expected = canonical_text(value) in map(canonical_text, items)
    assert establishes("contains", value, items) == Finding(expected)


_numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@given(_numbers | st.sampled_from([2**53, 2**53 + 1, 2.0**53, 10**400]), _numbers)
@example(2**53 + 1, 2.0**53)
@example(10**400, sys.float_info.max)
def test_bounds_agree_with_exact_rationals(limit: float, found: float) -> None:
    assert establishes("at_least", limit, found).value is (Fraction(found) >= Fraction(limit))
    assert establishes("at_most", limit, found).value is (Fraction(found) <= Fraction(limit))


_DAYS = [
    day.isoformat()
    for day in (date(2018, 12, 1) + timedelta(days=n) for n in range(31 + 365 + 366 + 31))
]
_MEANT = {
    text: [day for day in _DAYS if day.startswith(text)]
    for text in {day[:precision] for day in _DAYS for precision in (4, 7, 10)}
    if text[:4] in ("2019", "2020")
}


@given(iso_dates(), iso_dates())
def test_dates_are_decided_exactly_when_every_day_agrees(limit: str, found: str) -> None:
    # A day lies on or before a month when its own month does: texts of one length compare so.
    before = {day[: len(limit)] <= limit for day in _MEANT[found]}
    after = {day[: len(limit)] >= limit for day in _MEANT[found]}
    for test, sides in (("on_or_before", before), ("on_or_after", after)):
        expected = sides.pop() if len(sides) == 1 else None
        assert establishes(test, limit, found).value is expected


@given(iso_dates(), iso_dates())
def test_no_date_lies_strictly_on_both_sides(limit: str, found: str) -> None:
    before = establishes("on_or_before", limit, found).value
    after = establishes("on_or_after", limit, found).value
    assert (before, after) != (False, False)
