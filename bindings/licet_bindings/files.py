"""Files that are opened without waiting: what is no regular file is refused, not read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading, and close it afterwards.

    A pipe without a writer would never open, and a device may never end; neither is waited for.

    Raises:
        OSError: it cannot be opened, or is no regular file.
        ValueError: the path holds a NUL character.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "expected a regular file")
        yield file


def _without_waiting(path: str, flags: int) -> int:
    # A name that only some systems have; the others have no pipes among their files.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
