"""Files that a command writes at its end: refused at its beginning where they cannot be."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from licet import InvalidInput

# What a file that is new may be read and written by, less what the user's mask takes away.
_NEW: Final = 0o666
# A file that may be written where none may be made or moved, or that is mounted by itself.
_ONLY_IN_PLACE: Final = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS})


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that is to be written.

    Attributes:
        path: where.
        option: the option that names it, for messages.
    """

    path: Path
    option: str

    def require_writable(self) -> None:
        """Return if the file can be written, which changes nothing.

        Raises:
            InvalidInput: it cannot, as far as can be told before.
        """
        try:
            path = _resolved(self.path)
            if _is_stream(path):
                if not os.access(path, os.W_OK):
                    raise OSError(errno.EACCES, os.strerror(errno.EACCES))
                return
            if path.exists():
                with open(path, "ab"):
                    pass
            else:
                _beside(path).unlink()
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None

    def text(self) -> str:
        """Return what is in the file now; "" where there is none, or it is a pipe or device.

        Raises:
            InvalidInput: it cannot be read.
        """
        try:
            return self.path.read_text(encoding="utf-8") if self.path.is_file() else ""
        except (OSError, ValueError) as error:
            raise self._refusal(error, "read") from None

    def write(self, text: str) -> None:
        """Write the file as a whole; where that fails, an old file stays as it was.

        Raises:
            InvalidInput: it cannot be written.
        """
        try:
            path = _resolved(self.path)
            if _is_stream(path):
                path.write_text(text, encoding="utf-8")
            else:
                _write_whole(path, text)
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception, what: str = "written") -> InvalidInput:
        why = getattr(error, "strerror", None) or str(error)
        return InvalidInput(self.option, f"{self.path} cannot be {what}: {why}")


def _resolved(path: Path) -> Path:
    """Return what is meant where the path is a link."""
    resolved = Path(os.path.realpath(path))
    if resolved.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return resolved


def _is_stream(path: Path) -> bool:
    """Return whether something is there that can be written to but not replaced."""
    if not path.exists():
        return False
    mode = path.stat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _beside(path: Path) -> Path:
    """Make an empty file beside another, so that it can take its place."""
    handle, name = mkstemp(prefix=f".{path.name[:80]}.", dir=path.parent)
    os.close(handle)
    return Path(name)


def _write_whole(path: Path, text: str) -> None:
    try:
        _replace(path, text)
    except OSError as error:
        if error.errno not in _ONLY_IN_PLACE or not path.exists():
            raise
        path.write_text(text, encoding="utf-8")


def _replace(path: Path, text: str) -> None:
    made = _beside(path)
    try:
        with open(made, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        made.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else _NEW & ~_mask())
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _mask() -> int:
    """Return the user's mask for new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
