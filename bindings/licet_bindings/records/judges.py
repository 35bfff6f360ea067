"""What each kind of test establishes on a snapshot of a field.

One small class a kind; `predicates` builds them from checked values and documents the tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

from licet_bindings.records.dates import read_date
from licet_bindings.records.patterns import Pattern, PatternLimitError
from licet_bindings.records.values import Frozen, holds_something, kind


@dataclass(frozen=True, slots=True)
class Finding:
    """What a predicate established: true, false, or nothing (None) and the reason why.

    Raises: ValueError unless there is a reason exactly when the value is None.
    """

    value: bool | None
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) != (self.reason != ""):
            raise ValueError("a finding has a reason exactly when it establishes nothing")


def nothing(reason: str) -> Finding:
    """The finding that establishes nothing, for the reason given in plain words."""
    return Finding(None, reason)


FOUND_MISSING: Final = "the path is missing from the record"
FOUND_NULL: Final = "the field holds null"


def _wanted(expected: str, field: Frozen) -> Finding:
    """The finding on a field of the wrong kind."""
    return nothing(FOUND_NULL if field is None else f"expected {expected}, found {kind(field)}")


@dataclass(frozen=True, slots=True)
class Presence:
    """exists (expected True) and absent (expected False)."""

    expected: bool

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return Finding(not self.expected)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        return Finding(holds_something(field) is self.expected)


@dataclass(frozen=True, slots=True)
class OneOf:
    """equals and one_of (expected True), and differs (expected False)."""

    values: frozenset[Frozen]
    expected: bool

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return nothing(FOUND_MISSING)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        if field is None:
            return _wanted("a value", field)
        return Finding((field in self.values) is self.expected)


@dataclass(frozen=True, slots=True)
class Contains:
    """contains: a part of a text, or an item of a list."""

    part: Frozen

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return nothing(FOUND_MISSING)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        if isinstance(field, tuple):
            return Finding(self.part in field)
        if isinstance(field, str) and isinstance(self.part, str):
            return Finding(self.part in field)
        return _wanted("text or a list" if isinstance(self.part, str) else "a list", field)


@dataclass(frozen=True, slots=True)
class WholeText:
    """matches: the whole text, within the limits of the matcher."""

    pattern: Pattern

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return nothing(FOUND_MISSING)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        if not isinstance(field, str):
            return _wanted("text", field)
        try:
            return Finding(self.pattern.matches(field))
        except PatternLimitError as error:
            return nothing(f"the text {error}")


@dataclass(frozen=True, slots=True)
class Bound:
    """at_least and at_most, the limit included; Python compares int and float exactly."""

    limit: int | float
    least: bool

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return nothing(FOUND_MISSING)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        if not isinstance(field, int | float):
            return _wanted("a number", field)
        return Finding(field >= self.limit if self.least else field <= self.limit)


@dataclass(frozen=True, slots=True)
class Day:
    """on_or_before (before True) and on_or_after, the limit included."""

    limit: date
    before: bool
    date_format: str | None

    def judge_missing(self) -> Finding:
        """Judge a path at which there is nothing."""
        return nothing(FOUND_MISSING)

    def judge(self, field: Frozen) -> Finding:
        """Judge what the field holds."""
        if not isinstance(field, str):
            return _wanted("a date as text", field)
        span = read_date(field, self.date_format)
        if span is None:
            form = "an ISO 8601 date" if self.date_format is None else "a date of the given format"
            return nothing(f"the text is not {form}")
        first, last = self._holds(span.first), self._holds(span.last)
        if first is not last:
            return nothing(
                f"the date can mean any day from {span.first} to {span.last}, some of them on "
                f"each side of {self.limit}"
            )
        return Finding(first)

    def _holds(self, day: date) -> bool:
        return day <= self.limit if self.before else day >= self.limit


Judge: TypeAlias = Presence | OneOf | Contains | WholeText | Bound | Day
"""The kinds of test; each judges a field, and a path at which there is none."""
