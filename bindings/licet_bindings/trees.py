"""Documents of every kind as strict trees: what is in a file, a text, or Python values.

What reads a kind of document begins here, so that all kinds refuse the same things with the same
words. `strict` says what a tree may be made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from licet_bindings.errors import DocumentError, dotted
from licet_bindings.files import open_regular
from licet_bindings.strict import PROGRAM_LIMITS, Misplaced, check_tree, dates_as_text
from licet_bindings.syntax import SUFFIXES, Syntax, decode, read_program_text

FilePath: TypeAlias = str | PathLike[str]


def read_tree(path: FilePath) -> object:
    """Return the tree of a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or holds what no document may hold.
    """
    name = fspath(path)
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise DocumentError(
            name, "", f"expected a file name that ends in one of {', '.join(SUFFIXES)}"
        )
    return parse_tree(_content(path, name), SUFFIXES[suffix], name)


def _content(path: FilePath, name: str) -> bytes:
    try:
        with open_regular(Path(path)) as file:
            return file.read(PROGRAM_LIMITS.size + 1)
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # A NUL character in the path.
        raise DocumentError(name, "", f"cannot be read: {error}") from None


def parse_tree(text: str | bytes, syntax: Syntax, name: str) -> object:
    """Return the tree of a text; bytes are UTF-8, `name` is what messages call it.

    Raises:
        DocumentError: it is not of that syntax, or holds what no document may hold.
    """
    try:
        if len(text) > PROGRAM_LIMITS.size:
            raise Misplaced(f"expected at most {PROGRAM_LIMITS.size:,} bytes")
        return read_program_text(decode(text) if isinstance(text, bytes) else text, syntax)
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None


def tree_of(content: Mapping[str, object], name: str) -> object:
    """Return the tree of Python values: what `json.loads` would give, or a TOML reader.

    Raises:
        DocumentError: they hold what no document may hold.
    """
    tree = dict(content) if isinstance(content, Mapping) else content
    try:
        check_tree(tree, PROGRAM_LIMITS)
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    return dates_as_text(tree)
