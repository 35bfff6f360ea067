"""Hidden evidence: the bundled records, and 14 ways in which what lies behind a program changes.

A pair is one specification with two pieces of evidence, a record and what answers for it. Both are
what commitment must not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, TypeAlias, cast

from licet import Check, Resolver, Unavailable, Value
from licet_bindings.documents import ReviewDocument, read_document
from licet_bindings.records.paths import MISSING, Missing, lookup
from licet_bindings.records.paths import Path as FieldPath
from licet_bindings.records.reading import ReadRecord, Record, open_records
from licet_bindings.records.resolver import record_resolver
from licet_bindings.records.values import Json

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
BUNDLED: Final = ("advisories", "trials", "recalls", "filings")

AS_RECORDED, OPPOSITE, FAILING = "as recorded", "the opposite", "failing"
"""How resolvers answer: what the record says, the opposite of it, or not at all."""


@dataclass(frozen=True, slots=True)
class Source:
    """A review program and the public records that are bundled with it."""

    name: str
    document: ReviewDocument
    records: tuple[Record, ...]

    @property
    def paths(self) -> Mapping[str, FieldPath]:
        """For each atom the field that it is about."""
        return {atom: test.path for atom, test in self.document.bindings.items()}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A record, and how resolvers answer for it."""

    record: Record
    answering: str = AS_RECORDED


Perturbation: TypeAlias = Callable[[Random, Source, Record], Evidence]
"""Makes of a record the other evidence of a pair."""


def bundled(names: tuple[str, ...] = BUNDLED) -> Iterator[Source]:
    """Yield the example programs with their records."""
    for name in names:
        found = tuple(open_records(EXAMPLES / name / "records"))
        records = tuple(record.content for record in found if isinstance(record, ReadRecord))
        yield Source(name, read_document(EXAMPLES / name / "program.json"), records)


def resolver_of(source: Source, evidence: Evidence) -> Resolver:
    """Return what answers a check on this evidence."""
    recorded = record_resolver(source.document, evidence.record)

    def resolve(check: Check) -> Mapping[str, Value] | str | Unavailable:
        if evidence.answering == FAILING:
            raise ConnectionError("no answer")
        given = recorded(check)
        if evidence.answering == OPPOSITE and isinstance(given, Mapping):
            return {a: not v if isinstance(v, bool) else v for a, v in given.items()}
        return given

    return resolve


def answers_of(source: Source, evidence: Evidence) -> Mapping[str, object]:
    """Return what all checks answer on this evidence; nothing where they fail."""
    resolve = resolver_of(source, evidence)
    answers: dict[str, object] = {}
    for check in source.document.specification.checks:
        try:
            given = resolve(check)
        except ConnectionError:
            return {}
        answers |= given if isinstance(given, Mapping) else {check.identifier: given}
    return answers


def truths_of(source: Source, evidence: Evidence) -> Mapping[str, bool]:
    """Return the atoms that the checks settle on this evidence, with their values."""
    answers = answers_of(source, evidence).items()
    return {atom: value for atom, value in answers if isinstance(value, bool)}


def put(here: Json, path: FieldPath, value: Json | Missing) -> Json:
    """Return `here` with `value` at the path, nothing there where it is `MISSING`."""
    if not path:
        return here if isinstance(value, Missing) else value
    segment, rest = path[0], path[1:]
    if isinstance(here, list) and segment.isdigit():
        at, items = int(segment), list(here)
        if isinstance(value, Missing) and (at >= len(items) or not rest):
            return items[:at] + items[at + 1 :]
        items += [None] * (at + 1 - len(items))
        items[at] = put(items[at], rest, value)
        return items
    members = dict(here) if isinstance(here, dict) else {}
    if isinstance(value, Missing) and (segment not in members or not rest):
        members.pop(segment, None)
        return members
    members[segment] = put(members.get(segment), rest, value)
    return members


def _another(random: Random, source: Source, record: Record) -> Evidence:
    return Evidence(random.choice([other for other in source.records if other != record]))


def _flipped(source: Source, record: Record, atom: str) -> Record:
    """Return the record with one field changed so that the atom's test comes out otherwise.

    It is unchanged where none of the values tried does that: what other records hold there, what
    the test asks for, nothing, and a few more.
    """
    test = source.document.bindings[atom]
    before = test.evaluate(record).value
    asked = test.predicate.value
    tried = [lookup(other, test.path) for other in source.records]
    tried += [asked if not isinstance(asked, list) else asked[0], MISSING]
    tried += ["altered", "1900-01-01", "2100-12-31", 0, 10**9]
    for value in tried:
        changed = cast(Record, put(record, test.path, value))
        if test.evaluate(changed).value not in (before, None):
            return changed
    return record


def _one_flipped(random: Random, source: Source, record: Record) -> Evidence:
    atoms = list(source.paths)
    random.shuffle(atoms)
    for atom in atoms:
        changed = _flipped(source, record, atom)
        if changed != record:
            return Evidence(changed)
    return Evidence(record)


def _all_flipped(random: Random, source: Source, record: Record) -> Evidence:
    for atom in source.paths:
        record = _flipped(source, record, atom)
    return Evidence(record)


def _held(source: Source, record: Record) -> list[FieldPath]:
    """Return the fields that the program reads and the record has."""
    return [p for p in source.paths.values() if lookup(record, p) not in (MISSING, None)]


def _one_field(value: Json | Missing, random: Random, source: Source, record: Record) -> Evidence:
    held = _held(source, record)
    return Evidence(cast(Record, put(record, random.choice(held), value)) if held else record)


def _every_field(value: Json | Missing, random: Random, source: Source, record: Record) -> Evidence:
    changed: Json = record
    for path in _held(source, record):
        changed = put(changed, path, value)
    return Evidence(cast(Record, changed))


def _everywhere(
    change: Callable[[Json], Json], random: Random, source: Source, record: Record
) -> Evidence:
    return Evidence(cast(Record, _walked(record, change)))


def _walked(value: Json, change: Callable[[Json], Json]) -> Json:
    """Return a value with `change` made to it and to all that it holds, from the inside out."""
    if isinstance(value, dict):
        return change({key: _walked(member, change) for key, member in value.items()})
    if isinstance(value, list):
        return change([_walked(item, change) for item in value])
    return change(value)


def _turned(value: Json) -> Json:
    return dict(reversed(value.items())) if isinstance(value, dict) else value


def _other_text(value: Json) -> Json:
    return f"{value} (altered)" if isinstance(value, str) else value


def _other_number(value: Json) -> Json:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return -value - 1 if number else value  # type: ignore[operator]


def _other_truth(value: Json) -> Json:
    return not value if isinstance(value, bool) else value


def _other_kind(value: Json) -> Json:
    return [value] if isinstance(value, str) else value


def _no_items(value: Json) -> Json:
    return [] if isinstance(value, list) else value


PERTURBATIONS: Final[Mapping[str, Perturbation]] = {
    "another record": _another,
    "one field changed so that its test comes out otherwise": _one_flipped,
    "every field so changed": _all_flipped,
    "a field missing": partial(_one_field, MISSING),
    "every field missing": partial(_every_field, MISSING),
    "a field null": partial(_one_field, None),
    "every field null": partial(_every_field, None),
    "keys in another order": partial(_everywhere, _turned),
    "every text altered": partial(_everywhere, _other_text),
    "every number altered": partial(_everywhere, _other_number),
    "every truth value turned": partial(_everywhere, _other_truth),
    "texts in lists, lists emptied": lambda random, source, record: _everywhere(
        _other_kind, random, source, _everywhere(_no_items, random, source, record).record
    ),
    "resolvers that answer the opposite": lambda random, source, record: Evidence(record, OPPOSITE),
    "resolvers that fail": lambda random, source, record: Evidence(record, FAILING),
}
"""What is done to the evidence, by name: 14 types, as in the paper."""
