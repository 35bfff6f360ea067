"""Three-valued predicates on what a record holds at one path.

A predicate is fixed beforehand; evaluated on what was found, it establishes true, establishes
false, or establishes nothing, and then says why. Nothing is the answer whenever the field cannot
be evaluated: it is never rounded to true or to false.

- **exists** is true when the field holds something, as `values.holds_something` says, and false
  when it is missing, null or holds nothing; **absent** is its negation.
- **equals** and **one_of** are true when the field equals the value, or one of them, as JSON (see
  `values`), and false otherwise; **differs** is the negation of equals.
- **contains** is true when the value is part of the text or an item of the list, and false
  otherwise. On text, a value that is no text establishes nothing. Letter case counts.
- **matches** is true when the whole text matches the expression, and false otherwise. Nothing on
  what is no text, or where the matcher reaches a limit (see `patterns`).
- **at_least** and **at_most** are true when the number lies on that side, the limit included, and
  false otherwise. Nothing on what is no number.
- **on_or_before** and **on_or_after** are true when every day that the date can mean lies on that
  side, the limit included, and false when every day lies on the other. Nothing when the date is
  unreadable (see `dates`) or has days on each side.

But for exists and absent, a field that is missing or null establishes nothing.

For every test alike, a field that is not JSON establishes nothing: one that is or holds a NaN, an
infinity, a lone surrogate or a foreign Python object, or that exceeds the limits of
`values.freeze`. A truth value is no number, and text that looks like a number is text. Numbers are
compared exactly, integers of any size and floats alike.

A date to compare with may itself be known to the month or the year only. It then means the whole
of that span: on or before `2019-03` is on or before its last day, on or after `2019-03` on or
after its first.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from licet_bindings.records.dates import DateFormatError, check_date_format, read_date
from licet_bindings.records.judges import (
    Bound,
    Contains,
    Day,
    Finding,
    Judge,
    OneOf,
    Presence,
    WholeText,
    nothing,
)
from licet_bindings.records.paths import MISSING, Missing
from licet_bindings.records.patterns import Pattern, PatternError
from licet_bindings.records.values import Frozen, Json, NotJsonError, freeze, kind, quoted

__all__ = ["Finding", "Predicate", "PredicateError", "Test", "evaluate", "make_predicate"]


class Test(Enum):
    """What a predicate asks of a field; the values are the words that documents use."""

    __test__ = False  # Not a test class, whatever pytest makes of the name.

    EXISTS = "exists"
    ABSENT = "absent"
    EQUALS = "equals"
    DIFFERS = "differs"
    ONE_OF = "one_of"
    CONTAINS = "contains"
    MATCHES = "matches"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    ON_OR_BEFORE = "on_or_before"
    ON_OR_AFTER = "on_or_after"


class PredicateError(ValueError):
    """The predicate cannot be built; the message names what was expected."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A test with its value, checked when it is built and fixed from then on.

    Predicates of one test are equal when their values are, as JSON (or, for dates, when the limit
    is the same day): `equals 1` and `equals 1.0` are, `equals 1` and `equals true` are not.

    Parameters: test; value, what to compare with, None for `exists` and `absent`, which take
    nothing (it is copied; `evaluate` does not read it again); date_format, for the two tests that
    read dates, how the record writes them (None: ISO 8601).
    Raises: PredicateError, as `make_predicate` does.
    """

    test: Test
    value: Json = field(default=None, compare=False)
    date_format: str | None = None
    _judge: Judge = field(init=False, repr=False)

    def __post_init__(self) -> None:
        judge = _make_judge(self.test, self.value, self.date_format)
        object.__setattr__(self, "_judge", judge)
        object.__setattr__(self, "value", copy.deepcopy(self.value))


def make_predicate(
    test: str, value: Json | Missing = MISSING, date_format: str | None = None
) -> Predicate:
    """Build a predicate from the words of a document.

    What `value` must be:

    - exists, absent: left out (`MISSING` or None);
    - equals, differs: any JSON value but null, since a field that holds null establishes nothing;
    - contains: the same, and no empty text, which every text contains;
    - one_of: a list of one or more such values;
    - matches: a regular expression, see `patterns.Pattern`;
    - at_least, at_most: a finite number;
    - on_or_before, on_or_after: a date of the form YYYY, YYYY-MM or YYYY-MM-DD. A `date_format`
      speaks of the record's dates, not of this one.

    Raises: PredicateError when the test is unknown, the value is left out, superfluous or of
    another kind, is or holds a NaN, an infinity or anything else that is not JSON, or the date
    format is refused or belongs to no date test.

    >>> make_predicate("at_least", 18).test
    <Test.AT_LEAST: 'at_least'>
    """
    names = [known.value for known in Test]
    if not isinstance(test, str) or test not in names:
        shown = quoted(test) if isinstance(test, str) else "that is no text"
        raise PredicateError(f"unknown test {shown}; expected one of {', '.join(names)}")
    return Predicate(Test(test), None if isinstance(value, Missing) else value, date_format)


def evaluate(predicate: Predicate, found: object) -> Finding:
    """Evaluate a predicate on what `paths.lookup` found.

    Never raises: whatever Python object `found` is, the worst that it establishes is nothing.

    >>> evaluate(make_predicate("on_or_before", "2019-03-14"), "2019-02")
    Finding(value=True, reason='')
    >>> evaluate(make_predicate("on_or_before", "2019-03-14"), "2019-03").value is None
    True
    """
    try:
        return _evaluate(predicate, found)
    except (RecursionError, MemoryError):  # The caller has used up the stack or the memory.
        return _EXHAUSTED


# Made beforehand: there may be no room to make it when it is needed.
_EXHAUSTED: Final = nothing("the field cannot be read: Python's stack or memory is exhausted")


def _evaluate(predicate: Predicate, found: object) -> Finding:
    if isinstance(found, Missing):
        return predicate._judge.judge_missing()
    try:
        snapshot = freeze(found)
    except NotJsonError as error:
        return nothing(f"the field cannot be read: {error}")
    return predicate._judge.judge(snapshot)


_PRESENCE_TESTS: Final = (Test.EXISTS, Test.ABSENT)
_DATE_TESTS: Final = (Test.ON_OR_BEFORE, Test.ON_OR_AFTER)


def _make_judge(test: Test, value: Json, date_format: str | None) -> Judge:
    if not isinstance(test, Test):
        raise PredicateError("a predicate needs a member of Test (make_predicate takes words)")
    if date_format is not None and test not in _DATE_TESTS:
        raise PredicateError(
            f"{test.value} takes no date format; expected one only with on_or_before and "
            "on_or_after"
        )
    operand = _operand(test, value)
    match test:
        case Test.EXISTS | Test.ABSENT:
            return Presence(expected=test is Test.EXISTS)
        case Test.EQUALS | Test.DIFFERS:
            return OneOf(frozenset([operand]), expected=test is Test.EQUALS)
        case Test.ONE_OF:
            return OneOf(_choices(operand), expected=True)
        case Test.CONTAINS:
            return _contains(operand)
        case Test.MATCHES:
            return WholeText(_pattern(operand))
        case Test.AT_LEAST | Test.AT_MOST:
            return Bound(_number(test, operand), least=test is Test.AT_LEAST)
        case Test.ON_OR_BEFORE | Test.ON_OR_AFTER:
            return _day(test, operand, date_format)


def _operand(test: Test, value: Json) -> Frozen:
    """The snapshot of a value, after what holds for the tests alike."""
    try:
        operand = freeze(value)
    except NotJsonError as error:
        raise PredicateError(f"{test.value} needs a value that is JSON: {error}") from None
    if test in _PRESENCE_TESTS:
        if operand is not None:
            raise PredicateError(f"{test.value} takes no value, but was given {kind(operand)}")
    elif operand is None:
        raise PredicateError(
            f"{test.value} needs a value other than null (whether a field holds anything is what "
            "exists and absent ask)"
        )
    return operand


def _choices(operand: Frozen) -> frozenset[Frozen]:
    if not isinstance(operand, tuple):
        raise PredicateError(f"one_of needs a list of values, but was given {kind(operand)}")
    if not operand:
        raise PredicateError("one_of needs a list of at least one value")
    if None in operand:
        raise PredicateError("one_of needs values other than null: null is never compared")
    return frozenset(operand)


def _contains(operand: Frozen) -> Contains:
    if operand == "":
        raise PredicateError("contains needs a text that is not empty: every text contains that")
    return Contains(operand)


def _pattern(operand: Frozen) -> Pattern:
    if not isinstance(operand, str):
        raise PredicateError(
            f"matches needs a regular expression as text, but was given {kind(operand)}"
        )
    try:
        return Pattern(operand)
    except PatternError as error:
        raise PredicateError(
            f"matches needs a regular expression in RE2 syntax; {quoted(operand)}: {error}"
        ) from None


def _number(test: Test, operand: Frozen) -> int | float:
    if not isinstance(operand, int | float):
        raise PredicateError(f"{test.value} needs a finite number, but was given {kind(operand)}")
    return operand


_LONGEST_DATE: Final = len("YYYY-MM-DD")


def _day(test: Test, operand: Frozen, date_format: str | None) -> Day:
    if not isinstance(operand, str):
        raise PredicateError(f"{test.value} needs a date as text, but was given {kind(operand)}")
    if date_format is not None:
        try:
            check_date_format(date_format)
        except DateFormatError as error:
            raise PredicateError(str(error)) from None
    span = read_date(operand, None)
    # A time of day would be left aside, and the comparison not be the one that was written.
    if span is None or len(operand) > _LONGEST_DATE:
        raise PredicateError(
            f"{test.value} needs a date of the form YYYY, YYYY-MM or YYYY-MM-DD, but was given "
            f"{quoted(operand)}"
        )
    before = test is Test.ON_OR_BEFORE
    return Day(span.last if before else span.first, before=before, date_format=date_format)
