"""A ledger's file examined byte by byte: what no query shows is looked at too.

A ledger's file is settled by its entries alone. They are appended, never changed or deleted, so
writing them once more into an empty database gives the same bytes on every page, unused ones
included, whichever processes wrote them and however often one was killed. What a byte of the file
can hold beyond that is either an entry's content, which the chain of digests covers, or one of a
few numbers in the header, each of which is looked at here.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from enum import StrEnum, unique
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from .file_pictures import Picture, take_picture
from .sqlite_schema import APPLICATION_ID, COLUMNS, INSERT, PAGE_SIZE, SCHEMA, USER_VERSION
from .write_ahead import Log, read_log

Row: TypeAlias = "tuple[int | str | bytes, ...]"
"""The columns of an entry, in their order in the table."""

_HEADER: Final = 100
_FIELDS: Final = (
    (0, 16, "the mark of an SQLite file"),
    (16, 18, "the page size"),
    (18, 20, "the versions of the format"),
    (20, 21, "the bytes reserved on a page"),
    (21, 24, "the payload fractions"),
    (24, 28, "the change counter"),
    (28, 32, "the number of pages"),
    (32, 40, "the list of free pages"),
    (40, 44, "the schema's counter"),
    (44, 48, "the schema's format"),
    (48, 52, "the cache size"),
    (52, 56, "the largest root page"),
    (56, 60, "the text's encoding"),
    (60, 64, "the ledger's schema"),
    (64, 68, "the vacuum's mode"),
    (68, 72, "the application"),
    (72, 92, "reserved bytes"),
    (92, 96, "the change that the writer's version belongs to"),
    (96, 100, "the writer's version of SQLite"),
)
"""The header's fields: https://www.sqlite.org/fileformat.html#the_database_header"""

_WAL_FORMAT: Final = b"\2\2"
_ROLLBACK_FORMAT: Final = b"\1\1"
_STRICT: Final = range(3_037_000, 4_000_000)
"""The versions of SQLite that have strict tables."""

_LOOKS: Final = 50
_PAUSE_SECONDS: Final = 0.02


@unique
class Check(StrEnum):
    """What was compared when a fault was found.

    HEADER: the fields of the file's header. SCHEMA: the first page. READING: SQLite reads the
    entries. BYTES: every page is what the entries give. LOG: the checksums of the log. BENEATH: the
    file's own pages where the log has others. JOURNAL: there is no journal of another kind.
    """

    HEADER = "header"
    SCHEMA = "schema"
    READING = "reading"
    BYTES = "bytes"
    LOG = "log"
    BENEATH = "beneath the log"
    JOURNAL = "journal"


class PageFault(NamedTuple):
    """What a ledger's file holds and no ledger writes.

    Attributes:
        place: the file, and what in it.
        problem: what was expected there, and what was found.
        page: the page's number, 1 the first; None where it is about none.
        check: which check found it.
    """

    place: str
    problem: str
    page: int | None
    check: Check

    @property
    def may_be_torn(self) -> bool:
        """Whether a writer that was killed, or a machine that stopped, can have left it so.

        Every entry that was acknowledged is there nevertheless, if that is what it was. It may
        as well be damage.
        """
        return self.check in (Check.LOG, Check.BENEATH)


def examine(path: Path, writers: frozenset[int]) -> tuple[PageFault, ...]:
    """Return what is wrong with the bytes of a ledger's file and of the log beside it.

    The digests of the entries are not computed: that is the audit's part. Whatever they cover
    aside, every byte is compared with the one that a ledger of these entries has. Nothing is
    written, and others may write meanwhile: what they are in the middle of is no fault, so a fault
    is one that is still there in unchanged bytes at a second look. Takes about four times the
    file's size in memory.

    Args:
        path: the ledger's file.
        writers: the versions of SQLite that may have written it, as SQLite numbers them
            (3040001 is 3.40.1): those that the entries name. Where there are none, as before the
            first episode, any that has strict tables.

    Raises:
        LedgerError: the file cannot be read, or changes faster than it can be read.
    """
    seen: Picture | None = None
    faults: tuple[PageFault, ...] = ()
    for _ in range(_LOOKS):
        picture = take_picture(path)
        if picture == seen:
            break
        faults = picture_faults(picture, writers, str(path))
        if not faults:
            break
        seen = picture
        time.sleep(_PAUSE_SECONDS)
    return faults


def picture_faults(
    picture: Picture, writers: frozenset[int], place: str = "ledger"
) -> tuple[PageFault, ...]:
    """Return what is wrong with the bytes of a ledger, as `examine` does.

    Args:
        picture: the bytes of its file and its log.
        writers: the versions of SQLite that may have written it.
        place: the file's name, for people.
    """
    log = read_log(picture.log, PAGE_SIZE)
    found: list[PageFault] = []
    if picture.journal:
        problem = f"expected none, found {picture.journal} bytes"
        beside = f"{place}: the rollback journal beside it"
        found.append(PageFault(beside, problem, None, Check.JOURNAL))
    if log.tail:
        found.append(PageFault(f"{place}: the log beside it", log.tail, None, Check.LOG))
    image = laid_over(picture.file, log)
    faults = tuple(_header_faults(image, writers, place)) or _first_page_faults(image, place)
    if faults:
        return (*found, *faults)
    try:
        rows = read_rows(image)
        again = written_again(rows)
    except (sqlite3.Error, OverflowError) as error:
        problem = f"SQLite cannot read the entries: {error}"
        return (*found, PageFault(place, problem, None, Check.READING))
    found += _differences(image, again, place, Check.BYTES)
    if log.committed and not found:
        found += _faults_beneath(picture.file, log, rows, writers, place)
    return tuple(found)


def laid_over(file: bytes, log: Log) -> bytes:
    """Return the pages of a ledger as its readers see them: the log's where it has them."""
    if not log.committed:
        return file
    pages = log.committed[-1].pages
    image = bytearray(file[: pages * PAGE_SIZE].ljust(pages * PAGE_SIZE, b"\0"))
    for number, content in log.latest.items():
        if number <= pages:
            image[(number - 1) * PAGE_SIZE : number * PAGE_SIZE] = content
    return bytes(image)


def read_rows(image: bytes) -> list[Row]:
    """Return the entries' columns, in order.

    Args:
        image: the pages of a ledger, with the header and the schema of one.

    Raises:
        sqlite3.Error: SQLite cannot read them.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        # A database in memory has no write-ahead log.
        connection.deserialize(image[:18] + _ROLLBACK_FORMAT + image[20:])
        connection.execute("PRAGMA trusted_schema = OFF")
        return connection.execute(f"SELECT {COLUMNS} FROM entries ORDER BY sequence").fetchall()


def written_again(rows: Iterable[Row]) -> bytes:
    """Return the pages of a new ledger of these entries.

    Raises:
        sqlite3.Error: they are no entries, by their columns.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN")
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {USER_VERSION}")
        connection.executemany(INSERT, rows)
        connection.execute("COMMIT")
        return connection.serialize()


def _header_faults(image: bytes, writers: frozenset[int], place: str) -> Iterator[PageFault]:
    if len(image) < len(_EMPTY) or len(image) % PAGE_SIZE:
        least = f"at least {len(_EMPTY)} bytes in whole pages of {PAGE_SIZE}"
        problem = f"expected {least}, found {len(image)} bytes"
        yield PageFault(place, problem, None, Check.HEADER)
        return
    expected = _EMPTY[:18] + _WAL_FORMAT + _EMPTY[20:24] + image[24:28]
    expected += (len(image) // PAGE_SIZE).to_bytes(4, "big") + _EMPTY[32:92] + image[24:28]
    expected += image[96:100]
    for start, end, name in _FIELDS:
        if image[start:end] != expected[start:end]:
            what = f"expected {_shown(expected[start:end])}, found {_shown(image[start:end])}"
            yield PageFault(f"{place}: header, byte {start}, {name}", what, 1, Check.HEADER)
    writer = int.from_bytes(image[96:100], "big")
    if writer not in (writers or _STRICT):
        named = ", ".join(map(str, sorted(writers))) or "none: any with strict tables"
        problem = f"expected one that an entry names ({named}), found {writer}"
        yield PageFault(f"{place}: header, byte 96, {_FIELDS[-1][2]}", problem, 1, Check.HEADER)


def _first_page_faults(image: bytes, place: str) -> tuple[PageFault, ...]:
    """What is wrong with the schema: it is looked at before SQLite reads it."""
    return _differences(image[:PAGE_SIZE], _EMPTY[:PAGE_SIZE], place, Check.SCHEMA)


def _differences(image: bytes, again: bytes, place: str, check: Check) -> tuple[PageFault, ...]:
    """The first page, its header aside, that is not what the entries give, and how many more."""
    if image[_HEADER:] == again[_HEADER:]:
        return ()
    numbers = range(1, max(len(image), len(again)) // PAGE_SIZE + 1)
    first, *more = (number for number in numbers if not _is_same(image, again, number))
    problem = _difference(_page(image, first), _page(again, first), first)
    if more:
        problem += f"; {len(more)} more pages differ"
    return (PageFault(f"{place}: page {first}", problem, first, check),)


def _is_same(image: bytes, again: bytes, number: int) -> bool:
    start = _HEADER if number == 1 else 0
    return _page(image, number)[start:] == _page(again, number)[start:]


def _difference(found: bytes, expected: bytes, number: int) -> str:
    if not found or not expected:
        return "it is missing" if expected else "there is no such page in a ledger of these entries"
    start = _HEADER if number == 1 else 0
    at = next(at for at in range(start, PAGE_SIZE) if found[at] != expected[at])
    return f"byte {at}: expected 0x{expected[at]:02x}, found 0x{found[at]:02x}"


def _faults_beneath(
    file: bytes, log: Log, rows: Sequence[Row], writers: frozenset[int], place: str
) -> Iterator[PageFault]:
    """What is wrong with the file's own pages where the log has others.

    Some pages may have been copied from the log to the file already: such a page is what some
    transaction of the log left. The others are those of a ledger without the log's entries, of
    which each transaction appended one.
    """
    if log.commits > len(rows):
        problem = f"expected one for each of at most {len(rows)} entries, found {log.commits}"
        yield PageFault(
            f"{place}: the log beside it, its transactions", problem, None, Check.BENEATH
        )
        return
    before = written_again(rows[: len(rows) - log.commits])
    if len(file) % PAGE_SIZE or len(file) < len(before):
        problem = f"expected at least {len(before)} in whole pages, found {len(file)}"
        yield PageFault(f"{place}: the bytes of the file", problem, None, Check.BENEATH)
    copied = {(frame.page, frame.content) for frame in log.committed}
    for number in range(1, len(file) // PAGE_SIZE + 1):
        content = _page(file, number)
        if (number, content) in copied:
            continue
        if _is_same(file, before, number) and (number > 1 or _is_before(file, before, writers)):
            continue
        problem = "it is neither what it was before the log was begun nor what the log has for it"
        yield PageFault(f"{place}: page {number} beneath the log", problem, number, Check.BENEATH)


def _is_before(file: bytes, before: bytes, writers: frozenset[int]) -> bool:
    """Whether the file's header is that of a ledger of so many pages."""
    image = file[:PAGE_SIZE].ljust(len(before), b"\0")
    return not any(_header_faults(image, writers, ""))


def _page(image: bytes, number: int) -> bytes:
    return image[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]


def _shown(content: bytes) -> str:
    return f"0x{content.hex()}"


_EMPTY: Final = written_again(())
"""The pages of a ledger without entries."""
