"""Tasks whose evidence is a text that has to be judged (PRIME, appendix E.4).

Each has one condition on a field and three on a text. What is true of the text is worked out from
structured fields that the task's record does not hold; a record without them is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from .documents import budgets, program
from .records import NamedRecord, converted_trials, records
from .reference import found, judged, lacks, meets
from .tasks import AtomSpec, Budgets, Domain, Family, Formula, Json, Split, Structure, Task

Record = Mapping[str, Json]

_CRITERIA: Final = "protocolSection.eligibilityModule.eligibilityCriteria"
_TITLE: Final = "protocolSection.identificationModule.briefTitle"
_AGE: Final = re.compile(r"([0-9]+) (Year|Month|Week|Day)s?")
_SHORTEST_TOKEN: Final = 4
_LONGEST_QUOTE: Final = 80
_SHORTEST_QUOTE: Final = 8


class _Judged(NamedTuple):
    """A record as a task shows it, what is true of its text, and words that bear on each."""

    record: dict[str, Json]
    values: dict[str, bool]
    words: dict[str, str]


def _family(
    name: str,
    domain: Domain,
    request: str,
    conclusions: tuple[str, str, str],
    atoms: tuple[AtomSpec, ...],
    strongest: tuple[str, ...],
) -> Family:
    """Return a family: c1 rests on the field, c2 on the first text atom too, c3 on all."""
    field_atom, first, *_ = (atom.identifier for atom in atoms)
    literals: list[Formula] = [
        ("not", (each[1:],)) if each.startswith("!") else each for each in strongest
    ]
    return Family(
        name,
        domain,
        Structure.NESTED,
        request,
        tuple(zip(("c1", "c2", "c3"), conclusions, strict=True)),
        atoms,
        {"c1": ((field_atom,),), "c2": ((field_atom, first),), "c3": ((field_atom, *strongest),)},
        {
            "c1": field_atom,
            "c2": ("all", (field_atom, first)),
            "c3": ("all", (field_atom, *literals)),
        },
    )


_TRIALS: Final = _family(
    "trial-text",
    Domain.TRIALS,
    "Decide from the eligibility criteria how far this trial may be recommended.",
    (
        "The trial is on record: a title is given.",
        "The trial is for adults.",
        "The trial is for adult patients of either sex.",
    ),
    (
        AtomSpec("title", "a title is given", _TITLE, "exists"),
        AtomSpec("adults", "participants must be 18 years old or older", _CRITERIA, ""),
        AtomSpec("one_sex", "participants must be of one sex", _CRITERIA, ""),
        AtomSpec("healthy", "healthy volunteers may take part", _CRITERIA, ""),
    ),
    ("adults", "!one_sex", "!healthy"),
)
_ADVISORIES: Final = _family(
    "advisory-text",
    Domain.ADVISORIES,
    "Decide from the description how far this advisory stands by itself.",
    (
        "The advisory is on record: an identifier is given.",
        "The advisory says what is affected.",
        "The advisory says what is affected, from where to where.",
    ),
    (
        AtomSpec("identifier", "an identifier is given", "id", "exists"),
        AtomSpec("names_package", "the text names the affected package", "details", ""),
        AtomSpec("states_fix", "the text states a version in which it is fixed", "details", ""),
        AtomSpec("states_start", "the text states the first version affected", "details", ""),
    ),
    ("names_package", "states_fix", "states_start"),
)


def judged_families() -> tuple[Family, ...]:
    """Return the two families, one of a domain, as in the paper."""
    return _TRIALS, _ADVISORIES


def judged_tasks() -> tuple[Task, ...]:
    """Return one task for each record that can be used."""
    trials = (*records(Domain.TRIALS), *converted_trials())
    return (
        *_tasks(_TRIALS, ((each.name, _trial(each.record)) for each in trials)),
        *_tasks(
            _ADVISORIES,
            ((each.name, _advisory(each.record)) for each in records(Domain.ADVISORIES)),
        ),
    )


def _tasks(family: Family, usable: Iterator[tuple[str, _Judged | None]]) -> Iterator[Task]:
    for name, shown in usable:
        if shown is not None:
            yield _task(family, NamedRecord(name, shown.record), shown)


def _task(family: Family, named: NamedRecord, shown: _Judged) -> Task:
    field_atom, *text_atoms = family.atoms
    atoms: dict[str, Json] = {
        field_atom.identifier: {
            "says": field_atom.says,
            "field": field_atom.field,
            "test": field_atom.test,
        }
    }
    for atom in text_atoms:
        atoms[atom.identifier] = {"says": atom.says, "text": atom.field}
    document = program(family, atoms, 20)
    names = [atom.identifier for atom in text_atoms]
    document["checks"] = {"read_text": {"settles": list(names), "cost": 1}}
    supports = judged(
        {field_atom.identifier: meets(field_atom, named.record), **shown.values}, family.standard
    )
    text = str(found(named.record, text_atoms[0].field))
    # An attestation is a call of its own, the read of the text one more.
    call_of = {atom.identifier: atom.identifier for atom in family.atoms}
    least = budgets(family.routes, call_of).cheapest + 1
    return Task(
        f"text-{family.identifier}-{named.name}",
        family.identifier,
        family.domain,
        Split.TEXT,
        family.structure,
        named.name,
        document,
        named.record,
        supports,
        (),
        Budgets(least, least + 1, 2 * least),
        # Completion makes no judgements, so no budget is enough for it.
        None,
        quotes={name: span(text, shown.words[name]) for name in names},
    )


def _trial(record: Record) -> _Judged | None:
    """Return a trial as a title and its criteria; None where a structured field is missing."""
    place = "protocolSection.eligibilityModule"
    text, sex, healthy = (
        found(record, f"{place}.{key}")
        for key in ("eligibilityCriteria", "sex", "healthyVolunteers")
    )
    if not isinstance(text, str) or not isinstance(sex, str) or not isinstance(healthy, bool):
        return None
    title = found(record, _TITLE)
    shown: dict[str, Json] = {
        "protocolSection": {
            "identificationModule": {"briefTitle": title} if isinstance(title, str) else {},
            "eligibilityModule": {"eligibilityCriteria": text},
        }
    }
    values = {
        "adults": _adults(found(record, f"{place}.minimumAge")),
        "one_sex": sex != "ALL",
        "healthy": healthy,
    }
    return _Judged(shown, values, {"adults": "age", "one_sex": "male", "healthy": "healthy"})


def _adults(age: object) -> bool:
    """Return whether a minimum age restricts to adults; where there is none it is left out."""
    match = _AGE.fullmatch(age) if isinstance(age, str) else None
    return match is not None and match[2] == "Year" and int(match[1]) >= 18


def _advisory(record: Record) -> _Judged | None:
    """Return an advisory as its number and description; None where its range tells too little."""
    text, name = found(record, "details"), found(record, "affected.0.package.name")
    versions = _versions(record)
    if not isinstance(text, str) or not isinstance(name, str) or versions is None:
        return None
    if len(text.strip()) < _SHORTEST_QUOTE:
        return None
    introduced, fixed = versions
    token = next((each for each in (name, *_tokens(name)) if each.lower() in text.lower()), "")
    shown: dict[str, Json] = {"details": text}
    if not lacks(record, "id"):
        shown["id"] = str(found(record, "id"))
    values = {
        "names_package": bool(token),
        "states_fix": _states(text, fixed),
        "states_start": _states(text, introduced),
    }
    words = {"names_package": token, "states_fix": fixed, "states_start": introduced}
    return _Judged(shown, values, words)


def _versions(record: Record) -> tuple[str, str] | None:
    """Return the first affected and the fixed version of the first range that counts in releases.

    None where there is no fix, or every version before it is affected.
    """
    ranges = found(record, "affected.0.ranges")
    for each in ranges if isinstance(ranges, list) else ():
        if not isinstance(each, dict) or each.get("type") not in ("ECOSYSTEM", "SEMVER"):
            continue
        events = each.get("events")
        listed = (
            [event for event in events if isinstance(event, dict)]
            if isinstance(events, list)
            else []
        )
        introduced = next(
            (str(event["introduced"]) for event in listed if "introduced" in event), "0"
        )
        fixed = next((str(event["fixed"]) for event in listed if "fixed" in event), "")
        if fixed and introduced not in ("0", "0.0.0"):
            return introduced, fixed
    return None


def _tokens(name: str) -> list[str]:
    """Return the distinctive parts of a package's name: the last one first, no short ones."""
    last = re.split(r"[/:]", name)[-1]
    parts = [last, *re.split(r"[-_.]", last)]
    return [part for part in parts if len(part) >= _SHORTEST_TOKEN and not part.isdigit()]


def _states(text: str, version: str) -> bool:
    """Return whether a text has a version as a word of its own, not as part of a longer one."""
    return re.search(rf"(?<![\w.]){re.escape(version)}(?![\w]|\.\w)", text) is not None


def span(text: str, word: str) -> str:
    """Return a verbatim span of a text, about a word if it is there, without blanks around it."""
    at = max(text.lower().find(word.lower()), 0) if word else 0
    start = max(0, min(at, len(text) - _LONGEST_QUOTE))
    quote = text[start : start + _LONGEST_QUOTE].strip()
    return quote if len(quote) >= _SHORTEST_QUOTE else text.strip()
