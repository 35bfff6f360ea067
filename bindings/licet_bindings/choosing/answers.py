"""Known answers: for each record the strongest conclusions that are right, said by somebody else.

A file of them is a JSON list, or JSON Lines, of objects: `record` names the record, `conclusion`
its answer, a list where the order has several strongest, null where none is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FileSystemPath
from typing import Final, TypeAlias

from licet import Commitment, InvalidInput
from licet.compiled import bits
from licet_bindings.attesting import names_of
from licet_bindings.errors import DocumentError, dotted, expected_one_of, shown
from licet_bindings.files import open_regular
from licet_bindings.records.paths import Path, PathError, lookup, parse_path
from licet_bindings.records.reading import (
    FilePath,
    ReadRecord,
    Record,
    UnreadableRecord,
    display,
)
from licet_bindings.strict import RECORD_LIMITS, Misplaced
from licet_bindings.syntax import decode, read_record_text

Answers: TypeAlias = Mapping[str, frozenset[str]]
"""For each record's name the conclusions that are right, of which none is below another."""

_KEYS: Final = frozenset({"record", "conclusion"})


@dataclass(frozen=True, slots=True)
class Labelled:
    """A record with its known answer.

    Attributes:
        name: the record's name, for messages.
        content: the record.
        answer: the conclusions that are right, of which none is below another; empty for none.
    """

    name: str
    content: Record
    answer: frozenset[str]


def read_answers(path: FilePath, commitment: Commitment) -> Answers:
    """Read known answers from a file.

    Args:
        path: a JSON list, or one object a line.
        commitment: a program whose conclusions and order the answers are in.

    Raises:
        DocumentError: the file cannot be read, something in it is malformed, names no conclusion,
            or answers twice for one record.
    """
    name = display(path)
    try:
        with open_regular(FileSystemPath(path)) as file:
            data = file.read(RECORD_LIMITS.size + 1)
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # A NUL character in the path.
        raise DocumentError(name, "", f"cannot be read: {error}") from None
    return parse_answers(data, commitment, name)


def parse_answers(data: bytes | str, commitment: Commitment, name: str = "answers") -> Answers:
    """Read known answers from a text; bytes are UTF-8.

    Raises:
        DocumentError: as `read_answers`.
    """
    try:
        if len(data) > RECORD_LIMITS.size:
            raise Misplaced(f"expected at most {RECORD_LIMITS.size:,} bytes")
        text = decode(data) if isinstance(data, bytes) else data
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    found: dict[str, frozenset[str]] = {}
    for tree, place in _trees(text, name):
        record, conclusions = _answer(tree, place)
        if record in found:
            raise DocumentError(
                place, "record", f"expected one answer a record, found {shown(record)} again"
            )
        found[record] = _strongest(conclusions, commitment, place)
    if not found:
        raise DocumentError(name, "", "expected at least one answer, found none")
    return found


def labelled_records(
    records: Iterable[ReadRecord | UnreadableRecord], answers: Answers, key: str | None = None
) -> Iterator[Labelled]:
    """Yield each record with its answer.

    Args:
        records: what `records.reading.open_records` gives.
        answers: what `read_answers` gives.
        key: the path of the field that holds a record's name among the answers; None takes the
            name under which it is read, its file's name, or that without `.json`.

    Raises:
        DocumentError: a record cannot be read, has no name, no answer, or an earlier one's.
        InvalidInput: `key` is no path.
    """
    path = None if key is None else _key_path(key)
    taken: dict[str, str] = {}
    for record in records:
        if isinstance(record, UnreadableRecord):
            raise DocumentError(record.name, record.place, record.problem)
        name = _name(record, path, key, answers)
        if name in taken:
            problem = f"expected a name of its own, found that of {taken[name]}: {shown(name)}"
            raise DocumentError(record.name, key or "", problem)
        taken[name] = record.name
        yield Labelled(name, record.content, answers[name])


def _name(record: ReadRecord, path: Path | None, key: str | None, answers: Answers) -> str:
    if path is None:
        for known in names_of(record.name):
            if known in answers:
                return known
        raise DocumentError(record.name, "", "expected an answer for this record, found none")
    name = lookup(record.content, path)
    if not isinstance(name, str):
        raise DocumentError(record.name, key or "", "expected the record's name, found no text")
    if name not in answers:
        raise DocumentError(record.name, "", f"expected an answer for {shown(name)}, found none")
    return name


def _key_path(key: str) -> Path:
    try:
        return parse_path(key)
    except PathError as error:
        raise InvalidInput("key", str(error)) from None


def _answer(tree: object, place: str) -> tuple[str, list[str]]:
    if not isinstance(tree, dict) or tree.keys() != _KEYS:
        raise DocumentError(
            place,
            "",
            f"expected an object with the keys record and conclusion, found {shown(tree)}",
        )
    record, answer = tree["record"], tree["conclusion"]
    if not isinstance(record, str) or not record.strip():
        raise DocumentError(place, "record", f"expected a record's name, found {shown(record)}")
    listed = [] if answer is None else answer if isinstance(answer, list) else [answer]
    if isinstance(answer, list) and not answer:
        raise DocumentError(place, "conclusion", "expected null where none is right, found []")
    for conclusion in listed:
        if not isinstance(conclusion, str):
            raise DocumentError(
                place,
                "conclusion",
                f"expected a conclusion, a list of them, or null, found {shown(answer)}",
            )
    return record, listed


def _strongest(conclusions: list[str], commitment: Commitment, place: str) -> frozenset[str]:
    """Return the conclusions without those below others; refuse what is not one."""
    known = commitment.compiled.conclusions
    below: set[str] = set()
    for conclusion in conclusions:
        if conclusion not in known:
            problem = f"{expected_one_of(conclusion, known)}, found {shown(conclusion)}"
            raise DocumentError(place, "conclusion", problem)
        mask = commitment.compiled.at_or_below[known.index(conclusion)]
        below |= {known[index] for index in bits(mask)} - {conclusion}
    return frozenset(conclusions) - below


def _trees(text: str, name: str) -> Iterator[tuple[object, str]]:
    """Yield each object of a file, with the name of where it is."""
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        tree = _tree(text, name)
        for position, item in enumerate(tree if isinstance(tree, list) else ()):
            yield item, f"{name}: {position}"
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _tree(line.rstrip("\r"), f"{name}:{number}"), f"{name}:{number}"


def _tree(text: str, name: str) -> object:
    try:
        return read_record_text(text)
    except Misplaced as fault:
        problem = fault.problem.removeprefix("line 1, ")
        raise DocumentError(name, dotted(fault.path), problem) from None
