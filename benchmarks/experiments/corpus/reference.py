"""What a record meets, worked out once more in plain Python, without licet.

The reference judges tasks, so nothing here uses the predicates, paths or routes of the system that
is judged. Tests hold both to each other on every task.
"""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Final

from .tasks import AtomSpec, Formula, Json, Reference

_MISSING: Final = object()
_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T.*)?)?)?", re.DOTALL)


def segments(path: str) -> list[str]:
    """Return the keys and numbers of a path: dotted, or a JSON Pointer."""
    if path.startswith("/"):
        return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
    return path.split(".")


def found(record: Mapping[str, Json], path: str) -> Json | object:
    """Return what the record holds there; an object of no JSON kind where it holds nothing."""
    here: Json | object = record
    for part in segments(path):
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return _MISSING
    return here


def lacks(record: Mapping[str, Json], path: str) -> bool:
    """Return whether the path is missing or holds null."""
    held = found(record, path)
    return held is _MISSING or held is None


def meets(atom: AtomSpec, record: Mapping[str, Json]) -> bool | None:
    """Return whether the record meets the atom's condition; None where it establishes nothing."""
    held = found(record, atom.field)
    present = not (held is _MISSING or held is None)
    if atom.test == "exists":
        return present and _holds_something(held)
    if not present:
        return None
    return _TESTS[atom.test](atom, held)


def holds(formula: Formula, values: Mapping[str, bool | None]) -> bool | None:
    """Return what a formula comes to where some values are not known (Kleene's strong logic)."""
    if isinstance(formula, str):
        return values[formula]
    word, parts = formula
    judged = [holds(part, values) for part in parts]
    if word == "not":
        return None if judged[0] is None else not judged[0]
    decisive = word == "any"
    if decisive in judged:
        return decisive
    return None if None in judged else not decisive


def reference(
    atoms: tuple[AtomSpec, ...],
    standard: Mapping[str, Formula],
    record: Mapping[str, Json],
) -> Reference:
    """Return what the record supports: each conclusion whose standard it shows to hold."""
    return judged({atom.identifier: meets(atom, record) for atom in atoms}, standard)


def judged(values: Mapping[str, bool | None], standard: Mapping[str, Formula]) -> Reference:
    """Return what known values of the atoms support."""
    supported = (name for name, formula in standard.items() if holds(formula, values) is True)
    return Reference(dict(values), tuple(supported))


def day_span(text: str, date_format: str) -> tuple[date, date] | None:
    """Return the first and the last day that a date can mean; None where it is unreadable."""
    try:
        if date_format:
            day = datetime.strptime(text, date_format).date()
            return day, day
        match = _DATE.fullmatch(text)
        if match is None:
            return None
        year, month, day_of_month = (None if part is None else int(part) for part in match.groups())
        assert year is not None
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        if day_of_month is None:
            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, month, day_of_month), date(year, month, day_of_month)
    except ValueError:
        return None


def _holds_something(held: Json | object) -> bool:
    if isinstance(held, str):
        return bool(held.strip())
    if isinstance(held, Mapping):
        return any(_holds_something(item) for item in held.values())
    if isinstance(held, list):
        return any(_holds_something(item) for item in held)
    return held is not None


def _equal(held: Json | object, value: Json) -> bool:
    # A truth value is no number, whatever Python says.
    if isinstance(held, bool) or isinstance(value, bool):
        return held is value
    return held == value


def _listed(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def _equals(atom: AtomSpec, held: Json | object) -> bool:
    return _equal(held, atom.value)


def _one_of(atom: AtomSpec, held: Json | object) -> bool:
    return any(_equal(held, value) for value in _listed(atom.value))


def _contains(atom: AtomSpec, held: Json | object) -> bool | None:
    return str(atom.value) in held if isinstance(held, str) else None


def _matches(atom: AtomSpec, held: Json | object) -> bool | None:
    if not isinstance(held, str):
        return None
    return re.fullmatch(str(atom.value), held) is not None


def _compare(atom: AtomSpec, held: Json | object) -> bool | None:
    if isinstance(held, bool) or not isinstance(held, int | float) or not math.isfinite(held):
        return None
    assert isinstance(atom.value, int | float)
    return held >= atom.value if atom.test == "at_least" else held <= atom.value


def _compare_dates(atom: AtomSpec, held: Json | object) -> bool | None:
    span = day_span(held, atom.date_format) if isinstance(held, str) else None
    limit = day_span(str(atom.value), "")
    if span is None or limit is None:
        return None
    first, last = span
    if atom.test == "on_or_before":
        return True if last <= limit[1] else False if first > limit[1] else None
    return True if first >= limit[0] else False if last < limit[0] else None


_TESTS: Final[Mapping[str, Callable[[AtomSpec, Json | object], bool | None]]] = {
    "equals": _equals,
    "one_of": _one_of,
    "contains": _contains,
    "matches": _matches,
    "at_least": _compare,
    "at_most": _compare,
    "on_or_before": _compare_dates,
    "on_or_after": _compare_dates,
}
