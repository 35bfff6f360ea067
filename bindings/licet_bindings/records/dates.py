"""Dates as records write them, each read as the span of days that it can mean.

A date known to the month means any day of that month, and one known to the year any day of that
year; taking either for its first day would decide comparisons that the record leaves open.

Without a format, a date is ISO 8601 in its extended form, padded with zeros:

- `2019`, `2019-03` or `2019-03-14`;
- a day may be followed by a time, after `T` or one space: `2019-03-14T15:51`, with hours, minutes
  and seconds as far as given, a decimal fraction of the seconds, and `Z` or an offset. The date
  counts as it is written, whatever the offset.

Everything else is unreadable. In particular these are, because nothing tells them from an
identifier or a count, or because the day they mean is open to question:

- the basic form `20190314` (a PubMed identifier such as `17620510` looks the same); a record that
  writes dates so has the format `%Y%m%d`;
- week dates (`2019-W11-4`) and ordinal dates (`2019-073`); the latter have the format `%Y-%j`;
- `24:00`, the midnight that ends a day, which belongs to the next one as well;
- years outside 1 to 9999, signs before the year, digits that are not ASCII, and surrounding white
  space: nothing is stripped.

With a format, a date is read as that format says and in no other way; see `check_date_format`.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from licet_bindings.records.formats import (
    DateFields,
    DateFormatError,
    check_date_format,
    read_fields,
)

__all__ = ["DateFormatError", "DateSpan", "check_date_format", "read_date"]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """The days that a date can mean: `first`, `last` and all between.

    Raises: ValueError when `last` comes before `first`.
    """

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"a span of dates ends {self.last} before it begins {self.first}")


def read_date(text: object, date_format: str | None) -> DateSpan | None:
    """Read a date, or return None when it is unreadable.

    Parameters: text, what the record holds (anything but text is unreadable); date_format, the
    form in which the record writes its dates, or None for ISO 8601.
    Raises: DateFormatError when the format itself is refused by `check_date_format`.

    >>> read_date("2019-02", None)
    DateSpan(first=datetime.date(2019, 2, 1), last=datetime.date(2019, 2, 28))
    >>> read_date("06/13/2012", "%m/%d/%Y").first
    datetime.date(2012, 6, 13)
    >>> read_date("20190314", None) is None
    True
    """
    if date_format is not None:
        check_date_format(date_format)
    if type(text) is not str:
        return None
    fields = _iso_fields(text) if date_format is None else read_fields(text, date_format)
    return None if fields is None else _span(fields)


# Hours 00 to 23; second 60 is a leap second, which an offset can put at the end of many a minute.
_ISO_TIME: Final = (
    r"(?:[01][0-9]|2[0-3])"
    r"(?::[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?"
)
_ISO_DATE: Final = re.compile(
    r"(?P<year>[0-9]{4})"
    rf"(?:-(?P<month>[0-9]{{2}})(?:-(?P<day>[0-9]{{2}})(?:[T ]{_ISO_TIME})?)?)?"
)


def _iso_fields(text: str) -> DateFields | None:
    match = _ISO_DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = match.group("year", "month", "day")
    return DateFields(int(year), int(month) if month else None, int(day) if day else None)


def _span(fields: DateFields) -> DateSpan | None:
    """The days that the fields mean, or None when there is no such day."""
    try:
        return _days(fields)
    except ValueError:  # Year 0, month 13, 30 February.
        return None


def _days(fields: DateFields) -> DateSpan:
    year, month, day = fields.year, fields.month, fields.day
    if month is None:
        return DateSpan(date(year, 1, 1), date(year, 12, 31))
    if day is None:
        first = date(year, month, 1)
        return DateSpan(first, first.replace(day=calendar.monthrange(year, month)[1]))
    only = date(year, month, day)
    if fields.weekday is not None and only.weekday() != fields.weekday:
        raise ValueError("the date falls on another day of the week than it says")
    return DateSpan(only, only)
