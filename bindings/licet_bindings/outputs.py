"""Files that a command writes: as a whole or not at all, and never over what it reads."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import BinaryIO, Final, Protocol

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

    def require_apart(self, inputs: Iterable[Path]) -> None:
        """Return if writing the file leaves what is read as it is.

        Args:
            inputs: what is read. No `.json` file directly in a folder of these may be written:
                these are what is read of a folder of records.

        Raises:
            InvalidInput: it is one of them, under whatever name, or is in one that is a folder.
        """
        for path in inputs:
            if _is_in(self.path, path):
                expected = f"a file outside of {path}"
            elif _is_same(self.path, path):
                expected = f"another file than {path}"
            else:
                continue
            raise InvalidInput(
                self.option, f"expected {expected}, which is read, found {self.path}"
            )

    def require_writable(self) -> None:
        """Return if the file can be written, which changes nothing.

        Raises:
            InvalidInput: it cannot, as far as can be told before.
        """
        try:
            if _is_stream(self.path):
                if not os.access(self.path, os.W_OK):
                    raise OSError(errno.EACCES, os.strerror(errno.EACCES))
                return
            path = _resolved(self.path)
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

    def write(self, content: str | bytes) -> None:
        """Write the file as a whole; where that fails, an old file stays as it was.

        Raises:
            InvalidInput: it cannot be written.
        """
        with self.writing() as write:
            write(content.encode() if isinstance(content, str) else content)

    @contextmanager
    def writing(self) -> Iterator[Callable[[bytes], None]]:
        """Give what writes the file part by part.

        A pipe or a device gets each part at once. A file is replaced at the end, and only then:
        where what is done in between fails, or nothing was written, an old file stays as it was.

        Raises:
            InvalidInput: it cannot be written.
        """
        try:
            draft = _begun(self.path)
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None

        def write(part: bytes) -> None:
            try:
                draft.write(part)
            except OSError as error:
                raise self._refusal(error) from None

        done = False
        try:
            yield write
            done = True
        finally:
            try:
                draft.end(done)
            except OSError as error:
                raise self._refusal(error) from None

    def _refusal(self, error: Exception, what: str = "written") -> InvalidInput:
        why = getattr(error, "strerror", None) or str(error)
        return InvalidInput(self.option, f"{self.path} cannot be {what}: {why}")


class _Begun(Protocol):
    def write(self, part: bytes) -> None: ...

    def end(self, done: bool) -> None: ...


class _Stream:
    """Something that can be written to but not replaced."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, part: bytes) -> None:
        if sys.stdout is not None:
            sys.stdout.flush()  # It may be the same.
        self._file.write(part)
        self._file.flush()

    def end(self, done: bool) -> None:
        with suppress(OSError):  # Each part was flushed.
            self._file.close()


class _Draft:
    """A file in the making, beside the one whose place it takes at its end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made: Path | None = None
        self._is_empty = True
        try:
            self._made = _beside(path)
            self._file: BinaryIO = open(self._made, "w+b")  # noqa: SIM115
        except OSError as error:
            if error.errno not in _ONLY_IN_PLACE or not path.exists():
                raise
            with open(path, "ab"):  # Whether it can be written is better known now.
                pass
            self._file = TemporaryFile()  # noqa: SIM115

    def write(self, part: bytes) -> None:
        self._file.write(part)
        self._is_empty = False

    def end(self, done: bool) -> None:
        try:
            if done and not self._is_empty:
                self._replace()
        finally:
            with suppress(OSError):
                self._file.close()
            if self._made is not None:
                self._made.unlink(missing_ok=True)

    def _replace(self) -> None:
        self._file.flush()
        if self._made is not None:
            os.fsync(self._file.fileno())
            old = self._path.exists()
            self._made.chmod(stat.S_IMODE(self._path.stat().st_mode) if old else _NEW & ~_mask())
            try:
                self._made.replace(self._path)
            except OSError as error:
                if error.errno not in _ONLY_IN_PLACE or not old:
                    raise
            else:
                return
        self._file.seek(0)
        with open(self._path, "wb") as file:
            shutil.copyfileobj(self._file, file)


def _begun(path: Path) -> _Begun:
    standard = _standard_output(path)
    if standard is not None:
        return _Stream(os.fdopen(os.dup(standard), "wb"))
    if _is_stream(path):
        return _Stream(open(path, "wb"))
    resolved = _resolved(path)
    if resolved.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return _Draft(resolved)


def _is_in(path: Path, folder: Path) -> bool:
    """Return whether a file is, or would be, among the records in a folder; no error if not."""
    try:
        place = Path(os.path.realpath(path))
        named = {path.suffix.lower(), place.suffix.lower()}
        return ".json" in named and folder.is_dir() and place.parent.samefile(folder)
    except (OSError, ValueError):
        return False


def _is_same(path: Path, other: Path) -> bool:
    """Return whether both are one regular file, by whatever links; none where it cannot be told."""
    try:
        return path.is_file() and path.samefile(other)
    except (OSError, ValueError):
        return False


def _standard_output(path: Path) -> int | None:
    """Return standard output or error where the path is its file, which must not be truncated."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return number
    return None


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


def _mask() -> int:
    """Return the user's mask for new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def json_output(path: Path | None, inputs: Iterable[Path]) -> OutputFile | None:
    """Return the JSON file that `--output` names, of which it is known that it can be written.

    Args:
        path: where; None where the option was left out.
        inputs: what the command reads.

    Raises:
        InvalidInput: its name ends otherwise, it is read too, or it cannot be written.
    """
    if path is None:
        return None
    if path.suffix.lower() != ".json":
        raise InvalidInput("--output", f"expected a file name that ends in .json, found {path}")
    output = OutputFile(path, "--output")
    output.require_apart(inputs)
    output.require_writable()
    return output
