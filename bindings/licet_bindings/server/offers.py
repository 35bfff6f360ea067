"""What a server offers: programs with what runs their checks, candidates with their verifiers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from licet import Check, InvalidInput, Resolver
from licet_bindings.attesting import names_of
from licet_bindings.documents import ReviewDocument
from licet_bindings.errors import DocumentError, shown
from licet_bindings.files import open_regular
from licet_bindings.gate.documents import CandidateDocument
from licet_bindings.records.reading import (
    LINES_SUFFIXES,
    Record,
    UnreadableRecord,
    open_records,
    parse_record,
)
from licet_bindings.records.resolver import Answer, record_resolver
from licet_bindings.strict import RECORD_LIMITS


class NoRecord(Exception):
    """There is no record of this name, or it cannot be read."""


Source: TypeAlias = Callable[[str], Resolver]
"""Returns what runs a program's checks on the record of a name; raises `NoRecord` where none is."""

AskedResolver: TypeAlias = Callable[[Check, str], Answer]
"""Runs a check on the record of a name: a function of the user's."""

Verifier: TypeAlias = Callable[[str, str], bool]
"""Asks the verifier of a name about a subject; whether it refutes. A function of the user's."""

Action: TypeAlias = Callable[[str, str], str]
"""Does the action of a name to a subject; returns what it says. A function of the user's."""


@dataclass(frozen=True, slots=True)
class ReviewOffer:
    """A review program that records can be reviewed under.

    Attributes:
        document: the program.
        source: gives what runs its checks on a record.
    """

    document: ReviewDocument
    source: Source


@dataclass(frozen=True, slots=True)
class GateOffer:
    """A candidate action that can be gated.

    Attributes:
        document: the candidate.
        verifier: asks its verifiers; None where none can be asked.
        action: does it; None where that is left to whoever asks.
    """

    document: CandidateDocument
    verifier: Verifier | None = None
    action: Action | None = None


def asked_source(function: AskedResolver) -> Source:
    """Return the source that asks a function for each check; it takes a record of any name."""
    return lambda name: lambda check: function(check, name)


def records_source(document: ReviewDocument, path: Path, *, sourced: bool = False) -> Source:
    """Return the source that reads records: of a folder when they are asked for, else now.

    Args:
        document: the program whose checks read them.
        path: a folder of `*.json` files, a JSON Lines file, or one record.
        sourced: whether answers name the digest of what they read.

    Raises:
        DocumentError: there is nothing at the path, or it cannot be read.
    """
    find = _folder(path) if path.is_dir() else _listed(path)

    def source(name: str) -> Resolver:
        return record_resolver(document, find(name), sourced=sourced)

    return source


def _folder(folder: Path) -> Callable[[str], Record]:
    """Return what reads the record of a name from a folder, as it is then."""

    def find(name: str) -> Record:
        if Path(name).name != name or name in (".", "..") or "\\" in name or "\0" in name:
            raise NoRecord
        for file in (name, f"{name}.json"):
            if file.lower().endswith(".json"):
                try:
                    with open_regular(folder / file) as opened:
                        found = parse_record(opened.read(RECORD_LIMITS.size + 1))
                except (OSError, ValueError):
                    continue
                if isinstance(found, UnreadableRecord):
                    raise NoRecord
                return found.content
        raise NoRecord

    return find


def _listed(path: Path) -> Callable[[str], Record]:
    records: dict[str, Record | None] = {}
    for each in open_records(path):
        if isinstance(each, UnreadableRecord):
            raise DocumentError(each.name, each.place, each.problem)
        for name in _names(each.name, path):
            # A name that two records have is neither's.
            records[name] = None if name in records else each.content

    def find(name: str) -> Record:
        found = records.get(name)
        if found is None:
            raise NoRecord
        return found

    return find


def _names(record: str, path: Path) -> Iterable[str]:
    """Return the names of a record of a file; of a line also its number alone."""
    names = names_of(record)
    if path.suffix.lower() in LINES_SUFFIXES:
        return (*names, record.rpartition(":")[2])
    return names


# Without a slash, so that no two episodes of a ledger have one name.
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]{0,49}")


def require_offer_name(name: str) -> None:
    """Return if a program or a candidate can be offered under a name.

    Raises:
        InvalidInput: it cannot.
    """
    if type(name) is not str or not _NAME.fullmatch(name):
        expected = "expected a name of 1 to 50 ASCII letters, digits and _.:- that begins with one"
        raise InvalidInput("name", f"{expected} of the first two or _, found {shown(name)}")


def is_subject(text: str) -> bool:
    """Return whether a text can name a record or a subject, in the one way that it is written."""
    return text.isprintable() and text == text.strip() != ""
