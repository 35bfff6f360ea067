"""How a requirement is made to fail on a record (PRIME, appendix C)."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, cast

from .draws import Draws
from .reference import day_span, found, lacks, meets, segments
from .tasks import AtomSpec, FailureKind, Json

Record = Mapping[str, Json]

WEIGHTS: Final = {
    FailureKind.OTHER_RECORD: 104,
    FailureKind.THRESHOLD: 55,
    FailureKind.YEAR_EARLIER: 23,
    FailureKind.SYNTHETIC: 51,
}
"""Atoms of the paper's balanced split by how their requirement was made to fail."""

WITHHELD_CHANCE: Final = 0.04
"""How often evidence is withheld where the requirement could be made to fail instead.

Where it could not (a field that only has to exist) evidence is always withheld. Together the share
is near the paper's, 146 of 379 atoms.
"""

LONGEST_VALUE: Final = 60


def withheld(record: Record, path: str) -> Record:
    """Return the record without what the path leads to; of a list the whole list is left out."""
    left = copy.deepcopy(dict(record))
    keys = segments(path)
    while keys[-1].isdigit():
        keys.pop()
    here: Json = left
    for key in keys[:-1]:
        here = here[int(key)] if isinstance(here, list) else cast("dict[str, Json]", here)[key]
    cast("dict[str, Json]", here).pop(keys[-1], None)
    return left


def made_to_fail(
    atom: AtomSpec, record: Record, others: Sequence[Record], draws: Draws
) -> tuple[AtomSpec, FailureKind]:
    """Return the atom with a requirement that the record does not meet, or its evidence withheld.

    Args:
        atom: a condition that the record meets.
        record: the record.
        others: the records of the same form.
        draws: what is drawn from.

    Returns:
        The atom as the task requires it, and how it fails. Where that is WITHHELD the atom is
        unchanged, and the record still holds the field.
    """
    changed = dict(_changed(atom, record, others, draws))
    if not changed or draws.chance(WITHHELD_CHANCE):
        return atom, FailureKind.WITHHELD
    kinds = [kind for kind in WEIGHTS if kind in changed]
    weighted = [kind for kind in kinds for _ in range(WEIGHTS[kind])]
    kind = draws.pick(weighted)
    return _required(atom, changed[kind]), kind


def _required(atom: AtomSpec, value: Json) -> AtomSpec:
    words = atom.test.replace("_", " ")
    shown = json.dumps(value, ensure_ascii=False)
    return replace(atom, value=value, says=f"{atom.says}; required here: {words} {shown}")


def _changed(
    atom: AtomSpec, record: Record, others: Sequence[Record], draws: Draws
) -> Iterator[tuple[FailureKind, Json]]:
    """Yield for each kind a value of the same test that the record does not meet."""
    held = cast(Json, found(record, atom.field))
    tried: list[tuple[FailureKind, Json]] = []
    match atom.test:
        case "equals" | "one_of":
            tried.append((FailureKind.SYNTHETIC, _like(atom, f"{held}-alt")))
        case "at_least" | "at_most":
            tried.append((FailureKind.THRESHOLD, _beyond(atom, others)))
        case "on_or_before":
            earlier = _year_earlier(atom, held)
            if earlier is not None:
                tried.append((FailureKind.YEAR_EARLIER, earlier))
    values = [found(each, atom.field) for each in others if not lacks(each, atom.field)]
    for value in draws.shuffled(values):
        required = _of_other(atom, cast(Json, value))
        if required is not None and meets(replace(atom, value=required), record) is False:
            tried.append((FailureKind.OTHER_RECORD, required))
            break
    for kind, required in tried:
        if meets(replace(atom, value=required), record) is False:
            yield kind, required


def _like(atom: AtomSpec, value: Json) -> Json:
    return [value] if atom.test == "one_of" else value


def _beyond(atom: AtomSpec, others: Sequence[Record]) -> Json:
    """Return a limit that no record of the form reaches."""
    numbers = [
        number
        for each in others
        if isinstance(number := found(each, atom.field), int | float)
        and not isinstance(number, bool)
    ]
    return max(numbers) + 1 if atom.test == "at_least" else min(numbers) - 1


def _year_earlier(atom: AtomSpec, held: Json) -> str | None:
    """Return the date that the record holds, one year earlier, as precise as it is."""
    span = day_span(str(held), atom.date_format)
    if span is None or span[0].year < 2:
        return None
    first, last = span
    year = f"{first.year - 1:04}"
    if last - first > timedelta(31):
        return year
    if last > first:
        return f"{year}-{first.month:02}"
    return _a_year_before(first).isoformat()


def _a_year_before(day: date) -> date:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day)


def _of_other(atom: AtomSpec, value: Json) -> Json:
    """Return what another record holds as what the test requires; None where it is no use."""
    if not isinstance(value, str | int | float | bool) or len(str(value)) > LONGEST_VALUE:
        return None
    match atom.test:
        case "equals" | "one_of":
            return _like(atom, value)
        case "contains":
            return value if isinstance(value, str) and value.strip() else None
        case "matches":
            return re.escape(value) if isinstance(value, str) and value.strip() else None
        case "on_or_after":
            span = day_span(str(value), atom.date_format)
            return None if span is None else span[0].isoformat()
    return None
