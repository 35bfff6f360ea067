"""Date formats in the notation of `datetime.strptime`, read alike on every machine.

`strptime` itself is not used: it takes the names of months from the process's locale and time
zones from the machine, fills what a format leaves out from 1 January 1900, accepts digits of any
script, reads `2012111` under `%Y%m%d`, and turns day 366 of a common year into the next 1 January.
Here names are English, nothing is filled in, and a text that can be read in two ways is not read.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache
from typing import Final

from licet_bindings.records.values import has_surrogate, quoted

MAX_DATE_FORMAT: Final = 100
"""The longest date format, in characters."""


class DateFormatError(ValueError):
    """The date format is refused; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class DateFields:
    """What a text says of a date: the year, and as much more as its precision holds.

    `month` 1 to 12 and `day` 1 to 31 where known, not yet checked against the calendar; `weekday`
    0 (Monday) to 6 where the text names one.
    """

    year: int
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


# fmt: off
_MONTHS: Final = [
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]
_WEEKDAYS: Final = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
]
# fmt: on


def _first_letters(names: list[str]) -> list[str]:
    return [name[:3] for name in names]


@dataclass(frozen=True, slots=True)
class _Directive:
    """One directive: what it sets, and what it reads.

    `fixed` is what it reads next to another digit, where a missing zero would be ambiguous.
    """

    sets: str
    reads: str
    fixed: str | None = None


def _number(sets: str, low: str, high: str) -> _Directive:
    """A number of one or two digits: `low` matches one digit alone, `high` two."""
    return _Directive(sets, f"(?:{high}|{low})", f"(?:{high})")


_DIRECTIVES: Final = {
    "Y": _Directive("year", "[0-9]{4}", "[0-9]{4}"),
    "y": _Directive("year", "[0-9]{2}", "[0-9]{2}"),
    "m": _number("month", "[1-9]", "0[1-9]|1[0-2]"),
    "B": _Directive("month", "|".join(_MONTHS)),
    "b": _Directive("month", "|".join(_first_letters(_MONTHS))),
    "d": _number("day", "[1-9]", "0[1-9]|[12][0-9]|3[01]"),
    "j": _Directive("day of the year", "[0-9]{1,3}", "[0-9]{3}"),
    "A": _Directive("weekday", "|".join(_WEEKDAYS)),
    "a": _Directive("weekday", "|".join(_first_letters(_WEEKDAYS))),
    "H": _number("hour", "[0-9]", "[01][0-9]|2[0-3]"),
    "I": _number("hour", "[1-9]", "0[1-9]|1[0-2]"),
    "p": _Directive("half of the day", "AM|PM"),
    "M": _number("minute", "[0-9]", "[0-5][0-9]"),
    "S": _number("second", "[0-9]", "[0-5][0-9]"),
    "f": _Directive("fraction of the second", "[0-9]{1,6}", "[0-9]{6}"),
    "z": _Directive("offset", "Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9]"),
    "Z": _Directive("time zone", "UTC|GMT"),
}


@dataclass(frozen=True, slots=True)
class _Format:
    """A compiled format: an expression with one group a directive, and their letters in order."""

    expression: re.Pattern[str]
    letters: tuple[str, ...]


def check_date_format(text: str) -> None:
    """Refuse a date format from which no date can be read, or not in one way alone.

    The notation is that of `datetime.strptime`, and its directives mean the same:

    - a year, `%Y` (four digits) or `%y` (two: 69 to 99 are 1969 to 1999, the others 2000 to
      2068), which every format must have;
    - a month, `%m`, `%B` or `%b` (`May`, `Sep`), and a day, `%d`, which needs a month; or the day
      of the year, `%j`;
    - a weekday, `%A` or `%a`, which needs a day, and must be the one that the day falls on;
    - a time of day, `%H %I %p %M %S %f %z %Z`, read and left aside; `%Z` reads UTC and GMT;
    - `%%` for a percent sign. Every other character stands for itself, letter case aside, and
      white space for any amount of ASCII white space but none.

    Numbers may lack their leading zero, as in `6/3/2012`, except next to another digit. What the
    format says is the precision: without a day it is the month's, without a month the year's.
    Refused are the directives that depend on the locale (`%c %x %X`), those that count weeks
    (`%G %V %u %U %w %W`), and a format that gives one thing twice.

    Parameters: text, at most `MAX_DATE_FORMAT` characters.
    Raises: DateFormatError.
    Source: the table of format codes in the documentation of Python's `datetime`.

    >>> check_date_format("%B %d, %Y")
    >>> check_date_format("%d %B")
    Traceback (most recent call last):
    ...
    licet_bindings.records.formats.DateFormatError: date format '%d %B': it has no year; expected \
%Y or %y
    """
    if type(text) is not str:
        raise DateFormatError("a date format must be text")
    if len(text) > MAX_DATE_FORMAT or has_surrogate(text):
        raise DateFormatError(
            f"date format {quoted(text)}: expected at most {MAX_DATE_FORMAT} characters, "
            "none of them a lone surrogate"
        )
    _compile(text)


def read_fields(text: str, date_format: str) -> DateFields | None:
    """Read what the text says of a date, or None when it does not have the format.

    Raises: DateFormatError as `check_date_format` does.

    >>> read_fields("September 2017", "%B %Y")
    DateFields(year=2017, month=9, day=None, weekday=None)
    """
    compiled = _compile(date_format)
    match = compiled.expression.fullmatch(text)
    if match is None:
        return None
    return _fields(dict(zip(compiled.letters, match.groups(), strict=True)))


@lru_cache(maxsize=256)
def _compile(text: str) -> _Format:
    pieces = _PIECE.findall(text)
    letters = tuple(piece[1:] for piece in pieces if _is_directive(piece))
    _check_letters(text, letters)
    expression = "".join(_reads(pieces, place) for place in range(len(pieces)))
    return _Format(re.compile(expression, re.ASCII | re.IGNORECASE), letters)


# A directive (the letter may be missing at the end), a run of white space, or one character.
_PIECE: Final = re.compile(r"%.?|[ \t\n\r\f\v]+|.", re.DOTALL)


def _is_directive(piece: str) -> bool:
    return piece[0] == "%" and piece != "%%"


def _check_letters(text: str, letters: tuple[str, ...]) -> None:
    def refuse(reason: str) -> DateFormatError:
        return DateFormatError(f"date format {quoted(text)}: {reason}")

    for letter in letters:
        if letter not in _DIRECTIVES:
            known = " ".join(f"%{known}" for known in _DIRECTIVES)
            raise refuse(f"{quoted('%' + letter)} is not supported; expected one of {known} %%")
    given = [_DIRECTIVES[letter].sets for letter in letters]
    for thing in given:
        if given.count(thing) > 1:
            raise refuse(f"it gives the {thing} twice; expected it once")
    if "year" not in given:
        raise refuse("it has no year; expected %Y or %y")
    if "day of the year" in given and ("month" in given or "day" in given):
        raise refuse("it gives the day of the year beside a month or a day; expected either")
    if "day" in given and "month" not in given:
        raise refuse("it has a day but no month; expected %m, %B or %b")
    if "weekday" in given and not {"day", "day of the year"} & set(given):
        raise refuse("it has a weekday but no day; expected %d or %j")


def _reads(pieces: list[str], place: int) -> str:
    """The expression for one piece of a format."""
    piece = pieces[place]
    if not _is_directive(piece):
        if piece[0] in " \t\n\r\f\v":
            return r"[ \t\n\r\f\v]+"
        return re.escape("%" if piece == "%%" else piece)
    directive = _DIRECTIVES[piece[1]]
    after_digit = place > 0 and _ends_with_digit(pieces[place - 1])
    before_digit = place + 1 < len(pieces) and _begins_with_digit(pieces[place + 1])
    if directive.fixed is not None and (after_digit or before_digit):
        return f"({directive.fixed})"
    return f"({directive.reads})"


def _begins_with_digit(piece: str) -> bool:
    """Whether what a piece of a format reads begins with a digit."""
    return _DIRECTIVES[piece[1]].fixed is not None if _is_directive(piece) else piece.isdecimal()


def _ends_with_digit(piece: str) -> bool:
    return piece == "%z" or _begins_with_digit(piece)


def _fields(groups: dict[str, str]) -> DateFields | None:
    year = _year(groups)
    if "j" in groups:
        return _day_of_year(year, int(groups["j"]), _weekday(groups))
    day = int(groups["d"]) if "d" in groups else None
    return DateFields(year, _month(groups), day, _weekday(groups))


_FIRST_SHORT_YEAR: Final = 69  # The rule of POSIX, which `strptime` follows.


def _year(groups: dict[str, str]) -> int:
    if "Y" in groups:
        return int(groups["Y"])
    short = int(groups["y"])
    return short + (1900 if short >= _FIRST_SHORT_YEAR else 2000)


def _month(groups: dict[str, str]) -> int | None:
    if "m" in groups:
        return int(groups["m"])
    name = groups.get("B") or groups.get("b")
    return 1 + _place(_MONTHS, name) if name else None


def _weekday(groups: dict[str, str]) -> int | None:
    name = groups.get("A") or groups.get("a")
    return _place(_WEEKDAYS, name) if name else None


def _place(names: list[str], name: str) -> int:
    """The place of a name, full or cut to three letters, in any letter case."""
    return _first_letters(names).index(name[:3].capitalize())


def _day_of_year(year: int, ordinal: int, weekday: int | None) -> DateFields | None:
    if not (MINYEAR <= year <= MAXYEAR and 1 <= ordinal <= 365 + calendar.isleap(year)):
        return None
    day = date(year, 1, 1) + timedelta(days=ordinal - 1)
    return DateFields(day.year, day.month, day.day, weekday)
