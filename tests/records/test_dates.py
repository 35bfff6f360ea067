"""Dates: what is read, as which days, and what is not read."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from licet_bindings.records.dates import (
    DateFormatError,
    DateSpan,
    check_date_format,
    read_date,
)
from licet_bindings.records.formats import MAX_DATE_FORMAT


def days(first: str, last: str | None = None) -> DateSpan:
    """The span between two days, or of one."""
    return DateSpan(date.fromisoformat(first), date.fromisoformat(last or first))


def test_a_span_does_not_end_before_it_begins() -> None:
    with pytest.raises(ValueError, match="ends 2019-03-01 before it begins 2019-03-02"):
        days("2019-03-02", "2019-03-01")


ISO = [
    ("2019-03-14", days("2019-03-14")),
    ("2019-03", days("2019-03-01", "2019-03-31")),
    ("2019-02", days("2019-02-01", "2019-02-28")),
    ("2020-02", days("2020-02-01", "2020-02-29")),
    ("1900-02", days("1900-02-01", "1900-02-28")),
    ("2000-02", days("2000-02-01", "2000-02-29")),
    ("2019", days("2019-01-01", "2019-12-31")),
    ("2020-02-29", days("2020-02-29")),
    ("0001-01-01", days("0001-01-01")),
    ("0001", days("0001-01-01", "0001-12-31")),
    ("9999-12", days("9999-12-01", "9999-12-31")),
    # Times of day, as the records write them.
    ("2012-11-18T23:55:00Z", days("2012-11-18")),
    ("2023-08-11T18:53:47.000Z", days("2023-08-11")),
    ("2021-07-15T02:22:08.562601Z", days("2021-07-15")),
    ("2024-10-27T14:05:09.316165759Z", days("2024-10-27")),
    ("2019-04-27T15:51", days("2019-04-27")),
    # And as ISO 8601 and RFC 3339 allow.
    ("2019-03-14T15", days("2019-03-14")),
    ("2019-03-14 15:51:09", days("2019-03-14")),
    ("2019-03-14T15:51:09,5", days("2019-03-14")),
    ("2019-03-14T00:00:00", days("2019-03-14")),
    ("2019-03-14T23:59:59Z", days("2019-03-14")),
    ("2016-12-31T23:59:60Z", days("2016-12-31")),
    ("2017-01-01T05:29:60+05:30", days("2017-01-01")),
    ("2017-01-01T08:59:60+09:00", days("2017-01-01")),
    # The date counts as written, whatever the offset makes of it elsewhere.
    ("2019-03-14T23:30:00-05:00", days("2019-03-14")),
    ("2019-03-14T00:30:00+14:00", days("2019-03-14")),
    ("2019-03-14T23:30-0500", days("2019-03-14")),
    ("2019-03-14T23:30+05", days("2019-03-14")),
]


@pytest.mark.parametrize(("text", "span"), ISO)
def test_iso_dates_are_read(text: str, span: DateSpan) -> None:
    assert read_date(text, None) == span


UNREADABLE = [
    *("", " ", "-", "N/A", "unknown", "today", "null"),
    # Padding, and white space.
    *("2019-3", "2019-3-14", "2019-03-1", "19-03-14", "209-03", "02019-03-14", "2019-003"),
    *(" 2019-03-14", "2019-03-14 ", "2019-03-14\n", "2019-03\n", "2019\n", "\ufeff2019-03-14"),
    # No such day, month or year.
    *("2019-02-29", "1900-02-29", "2019-02-30", "2019-04-31", "2019-13", "2019-00", "2019-13-01"),
    *("2019-01-00", "2019-01-32", "0000", "0000-01", "0000-01-01"),
    *("10000-01-01", "-2019-03-14", "+2019-03-14", "+002019-03-14", "-0001"),
    # The basic form, which an identifier may look like, week dates and ordinal dates.
    *("20190314", "17620510", "201903", "20190314T155100Z", "2019-0314", "201903-14"),
    *("2019-W11-4", "2019W114", "2019-W11", "2019-073", "2019073"),
    # Other forms.
    *("2019/03/14", "2019.03.14", "03/14/2019", "14-03-2019", "March 2019", "2019-Mar-14", "20"),
    *("2019-", "2019-03-", "2019-03-14-", "--03-14", "2019--03", "2019-03/2019-04", "2019-03-XX"),
    "2007-08-16 REPAIR-ACS",  # An identifier in a trial registration.
    # Digits that are not ASCII, and dashes that are no hyphen.
    *("\uff12\uff10\uff11\uff19-03-14", "2019-0\u0663-14", "²019", "2019\u201003\u201014"),
    # Times of day that do not exist, lack something, or follow no day.
    *("2019-03-14T", "2019-03-14T24:00", "2019-03-14T24:00:00Z", "2019-03-14T25:00"),
    *("2019-03-14T15:60", "2019-03-14T15:51:61", "2019-03-14T15:59:61", "2019-03-14T5:51"),
    *("2019-03-14T15:5", "2019-03-14T1551", "2019-03-14T15:51:09.", "2019-03-14T15:51."),
    *("2019-03-14Z", "2019-03-14+01:00", "2019-03T15:51", "2019T15:51", "2019-03-14  15:51"),
    *("2019-03-14T15:51z", "2019-03-14t15:51", "2019-03-14T15:51 Z", "2019-03-14T15:51ZZ"),
    *("2019-03-14T15:51+24:00", "2019-03-14T15:51+05:60", "2019-03-14T15:51+5", "2019-03-14T+01"),
    "2019-03-14T15:51:09\u221205:00",  # The Unicode minus sign.
    "2019-03-14T15:51:09.\u0663Z",
    "2019-03-14\x00",
    "2019-03-14\ud800",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_everything_else_is_unreadable(text: str) -> None:
    assert read_date(text, None) is None


@pytest.mark.parametrize("value", [None, 2019, 20190314, 2019.0, True, date(2019, 3, 14), b"2019"])
def test_what_is_no_text_is_no_date(value: object) -> None:
    assert read_date(value, None) is None
    assert read_date(value, "%Y") is None


FORMATTED = [
    ("06/13/2012", "%m/%d/%Y", days("2012-06-13")),  # Recall reports.
    ("20231018", "%Y%m%d", days("2023-10-18")),  # Recall records of openFDA.
    ("September 2017", "%B %Y", days("2017-09-01", "2017-09-30")),  # The registry's former form.
    ("March 28, 2019", "%B %d, %Y", days("2019-03-28")),
    ("02/2020", "%m/%Y", days("2020-02-01", "2020-02-29")),
    ("2020", "%Y", days("2020-01-01", "2020-12-31")),
    ("in 2020", "in %Y", days("2020-01-01", "2020-12-31")),
    ("14-Mar-2019", "%d-%b-%Y", days("2019-03-14")),
    ("14 may 2019", "%d %B %Y", days("2019-05-14")),
    ("14MAY2019", "%d%b%Y", days("2019-05-14")),
    ("Thursday, 14 March 2019", "%A, %d %B %Y", days("2019-03-14")),
    ("Thu, 14 Mar 2019 15:51:09 +0100", "%a, %d %b %Y %H:%M:%S %z", days("2019-03-14")),
    ("3/4/19", "%m/%d/%y", days("2019-03-04")),
    ("68", "%y", days("2068-01-01", "2068-12-31")),
    ("69", "%y", days("1969-01-01", "1969-12-31")),
    ("2019-073", "%Y-%j", days("2019-03-14")),
    ("2020366", "%Y%j", days("2020-12-31")),
    ("2019-3", "%Y-%m", days("2019-03-01", "2019-03-31")),
    ("2019-03-14 3:51 pm", "%Y-%m-%d %I:%M %p", days("2019-03-14")),
    ("2019-03-14T15:51:09.5Z", "%Y-%m-%dT%H:%M:%S.%f%z", days("2019-03-14")),
    ("2019-03-14 15:51 UTC", "%Y-%m-%d %H:%M %Z", days("2019-03-14")),
    ("100% 2019", "100%% %Y", days("2019-01-01", "2019-12-31")),
    ("2019年03月14日", "%Y年%m月%d日", days("2019-03-14")),
    ("March  \t2019", "%B %Y", days("2019-03-01", "2019-03-31")),
    ("[2019]", "[%Y]", days("2019-01-01", "2019-12-31")),
]


@pytest.mark.parametrize(("text", "date_format", "span"), FORMATTED)
def test_dates_in_a_format_are_read(text: str, date_format: str, span: DateSpan) -> None:
    check_date_format(date_format)
    assert read_date(text, date_format) == span


NOT_IN_FORMAT = [
    ("2012-06-13", "%m/%d/%Y"),  # An ISO date where the record has another form.
    ("06/13/12", "%m/%d/%Y"),
    ("13/06/2012", "%m/%d/%Y"),
    ("02/29/2019", "%m/%d/%Y"),
    ("02/00/2019", "%m/%d/%Y"),
    ("06/13/0000", "%m/%d/%Y"),
    ("06/13/2012 ", "%m/%d/%Y"),
    (" 06/13/2012", "%m/%d/%Y"),
    ("06/13/2012\n", "%m/%d/%Y"),
    ("006/13/2012", "%m/%d/%Y"),
    ("\uff106/13/2012", "%m/%d/%Y"),
    ("0\u0666/13/2012", "%m/%d/%Y"),
    ("", "%Y"),
    ("19", "%Y"),
    ("20190", "%Y"),
    # Without a zero between digits, two readings: 11 January or 1 November.
    ("2012111", "%Y%m%d"),
    ("201211", "%Y%m%d"),
    ("1112012", "%m%d%Y"),
    ("120190314", "1%m%Y"),
    ("2019 15511", "%Y %H%M%S"),
    ("2019 09.51", "%Y %S.%f1"),
    ("2019 +0100314", "%Y %z%m%d"),
    ("2019 +01003", "%Y %z%m"),
    # The day of the year must exist.
    ("2019-366", "%Y-%j"),
    ("2019-000", "%Y-%j"),
    ("0000-001", "%Y-%j"),
    # The weekday must be the day's.
    ("Friday, 14 March 2019", "%A, %d %B %Y"),
    ("Mon 2019-073", "%a %Y-%j"),
    # Names are English and whole.
    ("März 2019", "%B %Y"),
    ("Sept 2019", "%b %Y"),
    ("Mar 2019", "%B %Y"),
    ("March 2019", "%b %Y"),
    ("March2019", "%B %Y"),
    ("March\u00a02019", "%B %Y"),
    # Times of day must be possible, and time zones known to every machine.
    ("2019-03-14 24:00", "%Y-%m-%d %H:%M"),
    ("2019-03-14 13:00 PM", "%Y-%m-%d %I:%M %p"),
    ("2019-03-14 15:60", "%Y-%m-%d %H:%M"),
    ("2019-03-14 15:51 CET", "%Y-%m-%d %H:%M %Z"),
    ("2016-12-31 23:59:60", "%Y-%m-%d %H:%M:%S"),  # `strptime` reads no leap second.
    ("2019-03-14 +2400", "%Y-%m-%d %z"),
    ("2019-03-14 +0160", "%Y-%m-%d %z"),
    ("2019x03", "%Y.%m"),
]


@pytest.mark.parametrize(("text", "date_format"), NOT_IN_FORMAT)
def test_what_does_not_have_the_format_is_unreadable(text: str, date_format: str) -> None:
    check_date_format(date_format)
    assert read_date(text, date_format) is None


REFUSED_FORMATS = [
    ("", "no year"),
    ("%m/%d", "no year"),
    ("%H:%M", "no year"),
    ("no directive", "no year"),
    ("%%Y", "no year"),
    ("%d %Y", "a day but no month"),
    ("%A %B %Y", "a weekday but no day"),
    ("%Y %y", "gives the year twice"),
    ("%Y %m %B", "gives the month twice"),
    ("%d %m %d %Y", "gives the day twice"),
    ("%Y-%j-%d", "day of the year beside"),
    ("%Y-%m-%j", "day of the year beside"),
    ("%c", "'%c' is not supported; expected one of %Y"),
    ("%x", "not supported"),
    ("%Y %X", "not supported"),
    ("%G-W%V-%u", "not supported"),
    ("%Y-%U-%w", "not supported"),
    ("%-d/%m/%Y", "'%-' is not supported"),
    ("%F", "not supported"),
    ("%Y-%m-%", "'%' is not supported"),
    ("%Y-%é", "not supported"),
    ("%Y" + " " * MAX_DATE_FORMAT, "at most 100 characters"),
    ("%Y\ud800", "lone surrogate"),
    (None, "must be text"),
    (["%Y"], "must be text"),
]


@pytest.mark.parametrize(("date_format", "expected"), REFUSED_FORMATS)
def test_a_format_that_gives_no_date_is_refused(date_format: str, expected: str) -> None:
    with pytest.raises(DateFormatError, match=expected):
        check_date_format(date_format)


def test_reading_with_a_refused_format_is_an_error_whatever_the_text() -> None:
    for text in ("14 March", None):
        with pytest.raises(DateFormatError, match="no year"):
            read_date(text, "%d %B")


# Properties.


def every_day(year: int) -> list[date]:
    first = date(year, 1, 1)
    return [first + timedelta(days=n) for n in range((date(year, 12, 31) - first).days + 1)]


@given(st.dates(), st.sampled_from([4, 7, 10]))
def test_a_date_means_the_days_that_begin_with_it(day: date, precision: int) -> None:
    text = day.isoformat()[:precision]
    meant = [other for other in every_day(day.year) if other.isoformat().startswith(text)]
    assert read_date(text, None) == DateSpan(meant[0], meant[-1])


_near_dates = st.text("0123456789-", min_size=4, max_size=11) | st.from_regex(
    r"[0-2][0-9]{3}(-[0-9]{1,3}){0,2}([T ][0-9:.,Z+-]{0,12})?", fullmatch=True
)


@given(_near_dates | st.text())
@example("2019-02-29")
def test_whatever_is_read_is_written_at_the_front_of_the_text(text: str) -> None:
    span = read_date(text, None)
    if span is None:
        return
    date_part = text[:10]
    assert span.first.isoformat().startswith(date_part)
    assert span.last.isoformat().startswith(date_part)
    precision = {4: 365, 7: 28, 10: 1}[len(date_part)]
    assert precision <= (span.last - span.first).days + 1 <= precision + 3


@given(st.datetimes(), st.sampled_from(["", "Z", "+05:30", "-11:00"]), st.sampled_from("T "))
def test_every_time_of_day_leaves_the_date_as_written(
    moment: datetime, offset: str, between: str
) -> None:
    text = moment.isoformat(between) + offset
    assert read_date(text, None) == DateSpan(moment.date(), moment.date())
    assert datetime.fromisoformat(text).date() == moment.date()


# Formats of day precision, for comparison with `strptime` itself.
_DAY_FORMATS = [
    *("%m/%d/%Y", "%Y%m%d", "%d.%m.%Y", "%B %d, %Y", "%d-%b-%Y", "%A %d %B %Y", "%a, %d %b %Y"),
    *("%Y-%j", "%Y%j", "%d%b%Y", "%Y-%m-%dT%H:%M:%S.%f", "%I:%M %p on %d/%m/%Y", "%m/%d/%Y %%"),
    *("%d%m%Y%H%M", "%Y-%m-%d %H:%M:%S %z", "%d/%m/%y"),
]

_years_of_four_digits = st.datetimes(datetime(1969, 1, 1), datetime(2068, 12, 31))


@given(_years_of_four_digits, st.sampled_from(_DAY_FORMATS))
def test_what_a_format_writes_it_reads(moment: datetime, date_format: str) -> None:
    text = moment.strftime(date_format.replace("%z", "+0100"))
    assert read_date(text, date_format) == DateSpan(moment.date(), moment.date())


@st.composite
def _altered_dates(draw: st.DrawFn) -> tuple[str, str]:
    """A date in some format of day precision, with up to three characters changed or dropped."""
    date_format = draw(st.sampled_from(_DAY_FORMATS))
    text = draw(_years_of_four_digits).strftime(date_format.replace("%z", "+0100"))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text) - 1))
        replacement = draw(st.sampled_from([*"0123456789/- ", ""]))
        text = text[:place] + replacement + text[place + 1 :]
    return text, date_format


@given(_altered_dates())
@example(("2000-01-01 00:00:00 +3100", "%Y-%m-%d %H:%M:%S %z"))
@example(("2000-01-01 00:00:60 +0100", "%Y-%m-%d %H:%M:%S %z"))
def test_whatever_a_format_reads_strptime_reads_as_the_same_day(case: tuple[str, str]) -> None:
    text, date_format = case
    span = read_date(text, date_format)
    if span is not None:
        day = datetime.strptime(text, date_format).date()
        assert span == DateSpan(day, day)


@given(_years_of_four_digits, st.sampled_from(["%Y", "%m/%Y", "%B %Y", "%b%Y", "%Y%m"]))
def test_a_format_without_a_day_means_every_day(moment: datetime, date_format: str) -> None:
    text = moment.strftime(date_format)
    meant = [day for day in every_day(moment.year) if day.strftime(date_format) == text]
    assert read_date(text, date_format) == DateSpan(meant[0], meant[-1])


@given(
    st.text("%YymBbdjAaHIpMSfzZcxG -/.1é[(", max_size=12), st.text("0123456789 -/.", max_size=12)
)
def test_any_format_is_refused_or_reads_within_its_bounds(date_format: str, text: str) -> None:
    try:
        check_date_format(date_format)
    except DateFormatError as error:
        assert str(error).startswith("date format ")
        return
    span = read_date(text, date_format)
    assert span is None or span.first <= span.last
