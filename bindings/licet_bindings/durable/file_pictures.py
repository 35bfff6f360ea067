"""A ledger's file and its log, read together while others may be writing, and left as they are."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Final, NamedTuple

from ..files import open_regular
from .errors import LedgerError
from .write_ahead import HEADER

_TRIES: Final = 100
_CHUNK: Final = 1 << 20


class Picture(NamedTuple):
    """The bytes of a ledger at one moment.

    Attributes:
        file: those of its file; pages that `log` holds too may be of another moment.
        log: those of the write-ahead log beside it; none where there is no log.
        journal: how many bytes lie in a rollback journal beside it; a ledger leaves none.
    """

    file: bytes
    log: bytes
    journal: int


def take_picture(path: Path) -> Picture:
    """Read a ledger's file and its log, so that together they are its state at one moment.

    Nothing is locked and nothing is written, so a folder that may only be read will do. What makes
    them one state: a page of the file changes only when it is copied from the log, which still
    holds that page until it is begun anew, with another header. So where the log has one header
    before the file is read and after the log is read, the log laid over the file is whole. Where
    there is no log before, between and after two readings of the file that agree, the file is.

    Args:
        path: the ledger's file. A symbolic link is followed, as SQLite does.

    Raises:
        LedgerError: it cannot be read, or changes faster than it can be read.
    """
    real = os.path.realpath(path)
    try:
        for _ in range(_TRIES):
            picture = _try(real)
            if picture is not None:
                return picture
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise LedgerError(str(path), f"it cannot be read: {why}") from None
    problem = f"it changed under each of {_TRIES} readings: read it while less is written"
    raise LedgerError(str(path), problem)


def _try(path: str) -> Picture | None:
    """Return a picture, unless the log was begun, begun anew or taken away meanwhile."""
    header = _read_log(path, HEADER)
    file = _HANDLES.read(path)
    log = _read_log(path)
    if not header and (_read_log(path, HEADER) or _HANDLES.read(path) != file):
        return None
    if not header == log[:HEADER] == _read_log(path, HEADER):
        return None
    return Picture(file, log, _length(f"{path}-journal"))


def _read_log(path: str, length: int = -1) -> bytes:
    try:
        with open_regular(Path(f"{path}-wal")) as file:
            return file.read(length)
    except FileNotFoundError:
        return b""


def _length(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


class _Handles:
    """One open handle for each ledger's file, never closed.

    The locks that SQLite holds on a file for this process are dropped by the system as soon as any
    handle of the process on that file is closed, whoever opened it.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[int, int], int] = {}
        self._lock = threading.Lock()

    def read(self, path: str) -> bytes:
        """Return the bytes of a file."""
        with self._lock:
            handle = self._handle(path)
            os.lseek(handle, 0, os.SEEK_SET)
            chunks = []
            while chunk := os.read(handle, _CHUNK):
                chunks.append(chunk)
        return b"".join(chunks)

    def _handle(self, path: str) -> int:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("expected a file, found a folder or a device")
        if (found.st_dev, found.st_ino) not in self._open:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            # The file that was opened, should another have taken the path meanwhile.
            found = os.fstat(handle)
            self._open.setdefault((found.st_dev, found.st_ino), handle)
        return self._open[found.st_dev, found.st_ino]


_HANDLES: Final = _Handles()
