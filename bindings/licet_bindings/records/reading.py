"""Records from files: one JSON object a file, a folder of such files, or JSON Lines.

A record that cannot be read is a value, `UnreadableRecord`, so that the others are still reviewed.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from os import PathLike, fsencode, fspath
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias, cast

from licet_bindings.errors import DocumentError, dotted
from licet_bindings.files import open_regular
from licet_bindings.records.values import Json
from licet_bindings.strict import RECORD_LIMITS, Misplaced
from licet_bindings.syntax import decode, read_record_text

FilePath: TypeAlias = str | PathLike[str]
Record: TypeAlias = dict[str, Json]
"""A record: a JSON object."""

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
"""What the name of a JSON Lines file ends in."""


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record and its name: the path of its file, with the line where it has lines."""

    name: str
    content: Record


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """A record that could not be read: its name, the place in it, and the problem."""

    name: str
    place: str
    problem: str


@dataclass(frozen=True, slots=True)
class Records:
    """Where records come from; iterate over it to read them, one at a time.

    Attributes:
        path: the file or folder.
        files: the files that hold one record each, in order; empty for JSON Lines.
        single: whether there is one record because one file was named.
    """

    path: Path
    files: tuple[Path, ...]
    single: bool

    @property
    def total(self) -> int | None:
        """How many records there are, None where it takes reading to know."""
        return len(self.files) or None

    def __iter__(self) -> Iterator[ReadRecord | UnreadableRecord]:
        """Read the records.

        Raises:
            DocumentError: a JSON Lines file cannot be read, or holds no record.
        """
        if self.files:
            return map(_read_file if self.single else _read_regular, self.files)
        return _read_lines(self.path)


def open_records(path: FilePath) -> Records:
    """Return the records at `path`: a folder's `*.json` by name, JSON Lines, or one file.

    Raises:
        DocumentError: there is nothing at `path`, or a folder has no record.
    """
    if not fspath(path):
        raise DocumentError("record", "", "expected a path, found an empty text")
    place = Path(path)
    try:
        if place.is_dir():
            # Whatever bears the name counts, so that what cannot be read is reported.
            files = sorted(entry for entry in place.iterdir() if entry.suffix.lower() == ".json")
            if not files:
                raise DocumentError(
                    display(place), "", "expected a folder of files that end in .json, found none"
                )
            return Records(place, tuple(files), single=False)
    except OSError as error:
        raise DocumentError(display(place), "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, DocumentError):
            raise
        raise DocumentError(display(place), "", f"cannot be read: {error}") from None
    lines = place.suffix.lower() in LINES_SUFFIXES
    return Records(place, () if lines else (place,), single=not lines)


def read_record(path: FilePath) -> Record:
    """Read the one record of a file.

    Raises:
        DocumentError: the file cannot be read, or holds no JSON object.
    """
    found = _read_file(Path(path))
    if isinstance(found, UnreadableRecord):
        raise DocumentError(found.name, found.place, found.problem)
    return found.content


def parse_record(data: bytes | str, name: str = "record") -> ReadRecord | UnreadableRecord:
    """Read one record from a text; bytes are UTF-8.

    Never raises on any text: what is no record, or holds a key twice, NaN or an infinity, is an
    `UnreadableRecord` that says so.

    >>> parse_record('{"details": "a crash"}').content
    {'details': 'a crash'}
    >>> parse_record('{"a": 1, "a": 2}').problem
    'expected each key once, found "a" twice'
    """
    try:
        if len(data) > RECORD_LIMITS.size:
            raise Misplaced(f"expected a record of at most {RECORD_LIMITS.size:,} bytes")
        tree = read_record_text(decode(data) if isinstance(data, bytes) else data)
    except Misplaced as fault:
        return UnreadableRecord(name, dotted(fault.path), fault.problem)
    if not isinstance(tree, dict):
        kind = "a list" if isinstance(tree, list) else "no object"
        return UnreadableRecord(name, "", f"expected a JSON object, found {kind}")
    return ReadRecord(name, cast(Record, tree))


def display(path: FilePath) -> str:
    """Return a path as text that every terminal and every JSON reader takes."""
    return fsencode(fspath(path)).decode("utf-8", "backslashreplace")


def _read_file(path: Path) -> ReadRecord | UnreadableRecord:
    """Read the record of a file that was named; it may be a pipe, and is waited for."""
    return _read(path, lambda place: place.open("rb"))


def _read_regular(path: Path) -> ReadRecord | UnreadableRecord:
    return _read(path, open_regular)


def _read(
    path: Path, opened: Callable[[Path], AbstractContextManager[BinaryIO]]
) -> ReadRecord | UnreadableRecord:
    try:
        with opened(path) as file:
            data = file.read(RECORD_LIMITS.size + 1)
    except OSError as error:
        return UnreadableRecord(display(path), "", f"cannot be read: {error.strerror}")
    except ValueError as error:  # A NUL character in the path.
        return UnreadableRecord(display(path), "", f"cannot be read: {error}")
    return parse_record(data, display(path))


def _read_lines(path: Path) -> Iterator[ReadRecord | UnreadableRecord]:
    name = display(path)
    count = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file), start=1):
                if line.strip():
                    count += 1
                    yield _parse_line(line, number, name)
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    if not count:
        raise DocumentError(name, "", "expected one JSON object a line, found none")


def _parse_line(line: bytes, number: int, name: str) -> ReadRecord | UnreadableRecord:
    if number > 1 and line.startswith(codecs.BOM_UTF8):
        problem = "expected no byte order mark after the first line"
        return UnreadableRecord(f"{name}:{number}", "", problem)
    # A line end within the record would be counted as a line of it.
    found = parse_record(line.rstrip(b"\r\n"), f"{name}:{number}")
    if isinstance(found, UnreadableRecord):
        return replace(found, problem=found.problem.removeprefix("line 1, "))
    return found


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, of one too long only as much as shows that it is."""
    while line := file.readline(RECORD_LIMITS.size + 1):
        rest = line
        while len(rest) > RECORD_LIMITS.size and not rest.endswith(b"\n"):
            rest = file.readline(RECORD_LIMITS.size + 1)
        yield line
