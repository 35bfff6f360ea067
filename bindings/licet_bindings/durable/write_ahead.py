"""The write-ahead log beside a ledger's file, read byte by byte as SQLite's format lays it down.

The format: https://www.sqlite.org/fileformat.html#the_write_ahead_log
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

HEADER: Final = 32
"""Bytes in the header of a log."""

_FRAME_HEADER: Final = 24
_MAGIC: Final = 0x377F0682
_VERSION: Final = 3_007_000
_WORD: Final = 0xFFFF_FFFF

_Order = Literal["<", ">"]
_Sums = tuple[int, int]


class Frame(NamedTuple):
    """A page as a transaction left it.

    Attributes:
        page: its number, 1 the first.
        pages: how many pages the file has behind the transaction that this frame ends; 0 for a
            frame that ends none.
        content: its bytes.
    """

    page: int
    pages: int
    content: bytes


class Log(NamedTuple):
    """What a log holds.

    Attributes:
        committed: the frames of the transactions that were committed, in order.
        tail: what is wrong with the bytes behind them; empty where there are none.
    """

    committed: tuple[Frame, ...]
    tail: str

    @property
    def commits(self) -> int:
        """How many transactions there are."""
        return sum(1 for frame in self.committed if frame.pages)

    @property
    def latest(self) -> dict[int, bytes]:
        """The last content of each page, by the page's number."""
        return {frame.page: frame.content for frame in self.committed}


def read_log(content: bytes, page_size: int) -> Log:
    """Return the committed frames of a log, and whether anything lies behind them.

    A frame counts as SQLite counts it: its checksum, which runs on from frame to frame, is right,
    and so are those of all the frames before it.

    Args:
        content: the log's bytes; none is an empty log.
        page_size: the bytes in a page of the ledger.
    """
    if not content:
        return Log((), "")
    problem = _header_problem(content, page_size)
    if problem:
        return Log((), problem)
    frames = tuple(_frames(content, page_size))
    committed = max((number for number, frame in enumerate(frames, 1) if frame.pages), default=0)
    end = HEADER + committed * (_FRAME_HEADER + page_size)
    return Log(frames[:committed], _tail(content, end, len(frames) - committed, page_size))


def _header_problem(content: bytes, page_size: int) -> str:
    if len(content) < HEADER:
        return f"expected a header of {HEADER} bytes, found {len(content)}"
    magic, version, size, _, _, _, first, second = struct.unpack_from(">8I", content)
    if magic | 1 != _MAGIC | 1:
        return f"byte 0: expected the mark of a log, found {magic:#x}"
    if _sums(content[: HEADER - 8], _order(content), (0, 0)) != (first, second):
        return "byte 24: the header's checksum is not that of the header"
    if version != _VERSION:
        return f"byte 4: expected version {_VERSION}, found {version}"
    if size != page_size:
        return f"byte 8: expected pages of {page_size} bytes, found {size}"
    return ""


def _frames(content: bytes, page_size: int) -> Iterator[Frame]:
    """Yield the frames up to the first that is cut off or whose checksum is wrong."""
    order = _order(content)
    salts = content[16:24]
    sums: _Sums = struct.unpack_from(">2I", content, 24)
    length = _FRAME_HEADER + page_size
    for start in range(HEADER, len(content) - length + 1, length):
        page, pages = struct.unpack_from(">2I", content, start)
        sums = _sums(content[start : start + 8], order, sums)
        body = content[start + _FRAME_HEADER : start + length]
        sums = _sums(body, order, sums)
        is_whole = struct.unpack_from(">2I", content, start + 16) == sums
        if page == 0 or content[start + 8 : start + 16] != salts or not is_whole:
            return
        yield Frame(page, pages, body)


def _tail(content: bytes, end: int, uncommitted: int, page_size: int) -> str:
    behind = len(content) - end
    if behind == 0:
        return ""
    found = f"byte {end}: {behind} bytes lie behind the last transaction that was committed"
    if uncommitted:
        return f"{found}, {uncommitted} whole frames of one that was not: its writer was cut off"
    commits = _commits_behind(content, end, page_size)
    if commits:
        return f"{found}: there were {commits} more, damaged or cut off"
    return f"{found}: what its writer was cut off in, or damage"


def _commits_behind(content: bytes, end: int, page_size: int) -> int:
    """How many frames behind the end have the log's salts and end a transaction, sums aside."""
    salts = content[16:24]
    length = _FRAME_HEADER + page_size
    starts = range(end, len(content) - length + 1, length)
    return sum(
        1 for at in starts if content[at + 8 : at + 16] == salts and any(content[at + 4 : at + 8])
    )


def _order(content: bytes) -> _Order:
    """Return the order of bytes in which the checksums were computed: the writer's own."""
    return ">" if content[3] & 1 else "<"


def _sums(content: bytes, order: _Order, sums: _Sums) -> _Sums:
    """Return the two sums of the format, run on over a content of whole pairs of words."""
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(content) // 4}I", content))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second
