"""When results of a clinical trial are due: 42 CFR 11.44(a) to (c), on dates that may be inexact.

Dates of a registry are often known to the month only, and what decides whether a deadline may be
later, a certification, is not in every record. So a deadline is a span of days that it can be, and
what the span does not settle is left open: neither due nor not, neither late nor on time.

Encoded are the deadline of one year (a), and that a certification submitted before that deadline
moves it, to two years after the certification at the latest (b), (c). How much earlier depends on
the FDA's decisions, which are in no registration. Not encoded: partial results (d), extensions for
good cause (e), whose grants are not published, pediatric postmarket surveillance (f), and waivers
(11.54).

This is an example of derived values, not legal advice.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from licet_bindings.records.dates import DateSpan

Derived: TypeAlias = dict[str, str | bool]

DELAY_YEARS = 2
"""Years after a certification within which delayed results must be submitted: 11.44(b), (c)."""

GRACE = timedelta(days=30)
"""A period that some readings grant after the deadline; the regulation has none."""

_LAST_YEAR = date.max.year - 5
"""Of a later completion nothing is derived: its deadline is beyond what dates can say."""


@dataclass(frozen=True, slots=True)
class Dates:
    """What a record says of the dates that decide.

    Attributes:
        completed: the primary completion date; None where it is not given.
        submitted: when results were first submitted; None where they were not.
        certified: when a certification for delayed submission was first submitted; None where
            none was, or where it is not known.
        certifications_known: whether the record would say that there is a certification.
    """

    completed: DateSpan | None
    submitted: DateSpan | None = None
    certified: DateSpan | None = None
    certifications_known: bool = False


def derived_values(dates: Dates, as_of: date) -> Derived:
    """Return what follows from a record's dates on a day; what does not follow is left out.

    The keys: `as_of`; `deadline_first` and `deadline_last`, between which the deadline lies;
    `year_passed` and `submitted_after_year`, by the deadline of one year alone; `grace_passed` and
    `submitted_after_grace`, by that and 30 days; `due` and `late`, by the deadline with what
    certifications can do to it. Those on a submission are there only where results were submitted.
    """
    values: Derived = {"as_of": as_of.isoformat()}
    if dates.completed is None or dates.completed.last.year > _LAST_YEAR:
        return values
    year = years_after(dates.completed, 1)
    grace = DateSpan(year.first + GRACE, year.last + GRACE)
    deadline = deadline_of(dates.completed, dates.certified, dates.certifications_known)
    values["deadline_first"] = deadline.first.isoformat()
    values["deadline_last"] = deadline.last.isoformat()
    today = DateSpan(as_of, as_of)
    found = {
        "year_passed": is_after(today, year),
        "grace_passed": is_after(today, grace),
        "due": is_after(today, deadline),
    }
    if dates.submitted is not None:
        found["submitted_after_year"] = is_after(dates.submitted, year)
        found["submitted_after_grace"] = is_after(dates.submitted, grace)
        found["late"] = is_after(dates.submitted, deadline)
    return values | {name: value for name, value in found.items() if value is not None}


def deadline_of(completed: DateSpan, certified: DateSpan | None, known: bool) -> DateSpan:
    """Return the span of days in which the deadline lies.

    Args:
        completed: the primary completion date.
        certified: when a certification was first submitted, if one was.
        known: whether there is none where `certified` is None.
    """
    year = years_after(completed, 1)
    if certified is None:
        if known:
            return year
        # The last day on which a certification can have been in time is the one before.
        certified = _day_before(year)
    elif certified.first >= year.last:
        return year
    last = min(certified.last, _day_before(year).last)
    delayed = years_after(DateSpan(last, last), DELAY_YEARS)
    return DateSpan(year.first, max(year.last, delayed.last))


def years_after(span: DateSpan, years: int) -> DateSpan:
    """Return the span of days that lie so many years after.

    A year after 29 February is 28 February or 1 March, which the regulation leaves open.
    """
    return DateSpan(_shifted(span.first, years, 28), _shifted(span.last, years, 29))


def is_after(later: DateSpan, earlier: DateSpan) -> bool | None:
    """Return whether a day is after another; None where their spans leave it open."""
    if later.first > earlier.last:
        return True
    if later.last <= earlier.first:
        return False
    return None


def _shifted(day: date, years: int, of_leap_day: int) -> date:
    year = day.year + years
    try:
        return day.replace(year=year)
    except ValueError:
        return date(year, 2, 28) if of_leap_day == 28 else date(year, 3, 1)


def _day_before(span: DateSpan) -> DateSpan:
    day = timedelta(days=1)
    return DateSpan(span.first - day, span.last - day)
