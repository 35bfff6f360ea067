"""What each byte of a ledger's file is for, by SQLite's file format.

https://www.sqlite.org/fileformat.html
"""

from enum import IntEnum, unique
from typing import Final

from licet_bindings.durable.sqlite_schema import PAGE_SIZE

_INNER: Final = 5
_LEAF: Final = 13


@unique
class Region(IntEnum):
    """What a byte is for."""

    UNUSED = 0
    FILE_HEADER = 1
    SCHEMA = 2
    PAGE_STRUCTURE = 3
    """Headers of pages, pointers to cells and pages."""
    RECORD_HEADER = 4
    """An entry's length, number, and the types of its columns."""
    COLUMNS = 5


def regions(image: bytes) -> bytes:
    """Return the region of each byte of a ledger's sound file."""
    marks = bytearray(len(image))
    _mark(marks, 0, 100, Region.FILE_HEADER)
    _leaf(image, marks, 1)
    root = _root(image)
    _mark_schema(marks)
    _tree(image, marks, root)
    return bytes(marks)


def _root(image: bytes) -> int:
    """Return the first page of the only table: its number is the one byte before its statement."""
    return image[image.index(b"CREATE TABLE", 0, PAGE_SIZE) - 1]


def _mark_schema(marks: bytearray) -> None:
    for at in range(100, PAGE_SIZE):
        if marks[at] in (Region.RECORD_HEADER, Region.COLUMNS):
            marks[at] = Region.SCHEMA


def _tree(image: bytes, marks: bytearray, page: int) -> None:
    start = (page - 1) * PAGE_SIZE
    if image[start] == _LEAF:
        _leaf(image, marks, page)
        return
    if image[start] != _INNER:
        raise ValueError(f"page {page}: expected one of a table")
    count = _number(image, start + 3, 2)
    _mark(marks, start, 12 + 2 * count, Region.PAGE_STRUCTURE)
    for position in range(count):
        cell = start + _number(image, start + 12 + 2 * position, 2)
        _, end = _varint(image, cell + 4)
        _mark(marks, cell, end - cell, Region.PAGE_STRUCTURE)
        _tree(image, marks, _number(image, cell, 4))
    _tree(image, marks, _number(image, start + 8, 4))


def _leaf(image: bytes, marks: bytearray, page: int) -> None:
    start = (page - 1) * PAGE_SIZE
    header = start + (100 if page == 1 else 0)
    count = _number(image, header + 3, 2)
    _mark(marks, header, 8 + 2 * count, Region.PAGE_STRUCTURE)
    for position in range(count):
        cell = start + _number(image, header + 8 + 2 * position, 2)
        length, at = _varint(image, cell)
        _, at = _varint(image, at)
        types, _ = _varint(image, at)
        local = _local(length)
        _mark(marks, cell, at + types - cell, Region.RECORD_HEADER)
        _mark(marks, at + types, local - types, Region.COLUMNS)
        if local < length:
            _overflow(image, marks, at + local, length - local)


def _overflow(image: bytes, marks: bytearray, pointer: int, left: int) -> None:
    while left > 0:
        _mark(marks, pointer, 4, Region.PAGE_STRUCTURE)
        pointer = (_number(image, pointer, 4) - 1) * PAGE_SIZE
        taken = min(left, PAGE_SIZE - 4)
        _mark(marks, pointer + 4, taken, Region.COLUMNS)
        left -= taken
    _mark(marks, pointer, 4, Region.PAGE_STRUCTURE)


def _local(length: int) -> int:
    """Return how many bytes of a record lie on its leaf, the others on pages of their own."""
    if length <= PAGE_SIZE - 35:
        return length
    least = (PAGE_SIZE - 12) * 32 // 255 - 23
    fitting = least + (length - least) % (PAGE_SIZE - 4)
    return fitting if fitting <= PAGE_SIZE - 35 else least


def _varint(image: bytes, at: int) -> tuple[int, int]:
    value = 0
    for end in range(at, at + 8):
        value = value << 7 | image[end] & 0x7F
        if image[end] < 0x80:
            return value, end + 1
    return value << 8 | image[at + 8], at + 9


def _number(image: bytes, at: int, length: int) -> int:
    return int.from_bytes(image[at : at + length], "big")


def _mark(marks: bytearray, start: int, length: int, region: Region) -> None:
    if any(marks[start : start + length]):
        raise ValueError(f"byte {start}: two things in one place")
    marks[start : start + length] = bytes([region]) * length
