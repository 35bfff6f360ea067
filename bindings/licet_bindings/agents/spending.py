"""Used grants that outlive the process: one file for each, in a folder."""

from __future__ import annotations

import hashlib
import os
from os import PathLike
from pathlib import Path


class SpentInFolder:
    """Remembers used grants in a folder of their own, also after a crash and for other processes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     SpentInFolder(folder).take("ship"), SpentInFolder(folder).take("ship")
    (True, False)
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        """Use a folder, one for each task; it is made where it is missing."""
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)

    def take(self, once: str) -> bool:
        """Return whether nobody has asked for this text before, in any process.

        Raises:
            OSError: the folder cannot be written.
        """
        name = hashlib.sha256(once.encode()).hexdigest()
        try:
            # Exclusive creation is what makes one of two that ask at the same time the first.
            descriptor = os.open(self._folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return False
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return True
