"""The records that tasks are built on: those that the examples bundle, and those beside this file.

`records/SOURCES.md` and `examples/SOURCES.md` say where each comes from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, cast

from .tasks import Domain, Json

HERE: Final = Path(__file__).parent / "records"
EXAMPLES: Final = Path(__file__).parents[3] / "examples"

# What a record must hold to be one of its domain's kind, and no fragment or other form.
_ONE_OF: Final = {
    Domain.ADVISORIES: ("affected",),
    Domain.TRIALS: ("protocolSection",),
    Domain.RECALLS: ("recall_number",),
    Domain.FILINGS: ("filing", "units"),
}


class NamedRecord(NamedTuple):
    """A record and its name, which its sources list."""

    name: str
    record: Mapping[str, Json]


@cache
def records(domain: Domain) -> tuple[NamedRecord, ...]:
    """Return the records of a domain, by name; not to be changed."""
    bundled = _folder(EXAMPLES / domain.value / "records")
    own = _lines(HERE / f"{domain.value}.jsonl")
    keys = _ONE_OF[domain]
    found = {
        each.name: each for each in (*bundled, *own) if any(key in each.record for key in keys)
    }
    return tuple(found[name] for name in sorted(found))


@cache
def converted_trials() -> tuple[NamedRecord, ...]:
    """Return trials of the registry's former form: title, number and eligibility alone."""
    return tuple(_lines(HERE / "trials_xml.jsonl"))


def _folder(folder: Path) -> Iterator[NamedRecord]:
    for path in sorted(folder.glob("*.json")):
        yield NamedRecord(path.stem, json.loads(path.read_text("utf-8")))


def _lines(path: Path) -> Iterator[NamedRecord]:
    for line in path.read_text("utf-8").splitlines():
        content = json.loads(line)
        yield NamedRecord(content["name"], cast("Mapping[str, Json]", content["record"]))
