"""Generators shared by the tests of the records binding; each states its domain."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from licet_bindings.records.predicates import Predicate, make_predicate

# Scalars that are easily taken for one another.
CONFUSABLE = [
    *(None, True, False, 0, 1, -1, 1.0, -0.0, 0.5, "", "0", "1", "true", "null", " ", "a", "b"),
    *(2**53, 2**53 + 1, float(2**53), 10**400, 1e300, int(1e300), "2019-03", "2019-03-14"),
]

_keys = st.sampled_from(["a", "b", "a.b", "0", "1", ""])


def _containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(children, max_size=4) | st.dictionaries(_keys, children, max_size=3)


def confusable_json() -> st.SearchStrategy[Any]:
    """Small JSON values over `CONFUSABLE`, so that two of them are often equal or nearly so."""
    return st.recursive(st.sampled_from(CONFUSABLE), _containers, max_leaves=6)


def json_values() -> st.SearchStrategy[Any]:
    """JSON values of any kind: no NaN, no infinity, no surrogates, any depth up to about five."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"]))
        | st.sampled_from(CONFUSABLE)
    )
    return st.recursive(scalars, _containers, max_leaves=15)


def _odd_containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.text() | st.integers() | st.none()
    return (
        st.lists(children, max_size=4)
        | st.dictionaries(keys, children, max_size=4)
        | st.lists(children, max_size=3).map(tuple)
    )


def python_values() -> st.SearchStrategy[Any]:
    """Python values, JSON or not: NaN, infinities, surrogates, keys that are no text, tuples."""
    scalars = (
        json_values()
        | st.floats()
        | st.text()
        | st.binary(max_size=3)
        | st.complex_numbers()
        | st.dates()
        | st.decimals()
        | st.builds(object)
        | st.sampled_from([Decimal(1), Fraction(1, 2), ..., int, frozenset(), range(3)])
    )
    return st.recursive(scalars, _odd_containers, max_leaves=10)


@st.composite
def iso_dates(draw: st.DrawFn) -> str:
    """ISO dates of 2019 and 2020 (a leap year), of day, month or year precision."""
    year = draw(st.sampled_from(["2019", "2020"]))
    text = draw(st.dates(date(int(year), 1, 1), date(int(year), 12, 31))).isoformat()
    return text[: draw(st.sampled_from([4, 7, 10]))]


@st.composite
def predicates(draw: st.DrawFn) -> Predicate:
    """Valid predicates of every test."""
    test, values = draw(st.sampled_from(_VALUES))
    value = draw(values)
    formats = st.sampled_from([None, "%Y%m%d", "%m/%d/%Y", "%B %Y"])
    return make_predicate(test, value, draw(formats) if test.startswith("on_") else None)


_not_null = json_values().filter(lambda value: value is not None)
_numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)

_VALUES: list[tuple[str, st.SearchStrategy[Any]]] = [
    ("exists", st.none()),
    ("absent", st.none()),
    ("equals", _not_null),
    ("differs", _not_null),
    ("one_of", st.lists(_not_null, min_size=1, max_size=4)),
    ("contains", _not_null.filter(lambda value: value != "")),
    ("matches", st.sampled_from(["", ".*", "(?s).*", "[0-9]{4}", "a|ab", r"\pL+"])),
    ("at_least", _numbers),
    ("at_most", _numbers),
    ("on_or_before", iso_dates()),
    ("on_or_after", iso_dates()),
]
