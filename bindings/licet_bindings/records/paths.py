"""Paths into a JSON record, and what lies at their end.

A path is written in one of two forms:

- **Dotted**: keys and list positions with a dot between them, as in
  `database_specific.cwe_ids.0`. Hyphens, slashes, spaces and every other character but the dot
  and the brackets belong to a key as they are. No segment may be empty. Brackets are refused:
  `items[0]` would name a key of that name, and mean the first item.
- **JSON Pointer** (RFC 6901), when the text begins with `/`: `/units/USD~1shares/0`. Here `~1`
  stands for a slash and `~0` for a tilde; a dot is an ordinary character, and a segment may be
  empty.

The dotted form cannot name a key that itself holds a dot or a bracket: `a.b` is the key `b` within
`a` and nothing else, so a record `{"a.b": 1}` holds nothing at it. Such a key takes a pointer:
`/a.b`.
"""

from __future__ import annotations

import math
import re
from enum import Enum
from typing import Final, TypeAlias, cast

from licet_bindings.records.values import Json, has_surrogate, quoted

Path: TypeAlias = tuple[str, ...]
"""The segments of a path, from the outside in."""


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING
"""What `lookup` finds where the record has nothing; null is something else, and is found."""


class PathError(ValueError):
    """The text is no path; the message says what was expected."""


def parse_path(text: str) -> Path:
    """Read a path, dotted or a JSON Pointer.

    Raises: PathError when the text is empty or no text, holds a lone surrogate, a dotted path has
    an empty segment or brackets, or a pointer has a tilde that neither 0 nor 1 follows.
    Source: RFC 6901, sections 3 and 4, for the pointer.

    >>> parse_path("references.0.type")
    ('references', '0', 'type')
    >>> parse_path("/units/USD~1shares")
    ('units', 'USD/shares')
    """
    if not isinstance(text, str):
        raise PathError("a field path must be text")
    if not text:
        raise PathError("a field path must not be empty")
    if has_surrogate(text):
        raise PathError(f"field path {quoted(text)}: expected text without lone surrogates")
    return _parse_pointer(text) if text.startswith("/") else _parse_dotted(text)


def _parse_dotted(text: str) -> Path:
    segments = tuple(text.split("."))
    if "" in segments:
        raise PathError(
            f"field path {quoted(text)}: segment {segments.index('') + 1} is empty; expected names "
            "with one dot between them (a key that holds dots takes a JSON Pointer: /a.b)"
        )
    if _BRACKET.search(text):
        dotted = _SUBSCRIPT.sub(r".\1", text).strip(".")
        meant = f", here {quoted(dotted)}" if not _BRACKET.search(dotted) else ""
        raise PathError(
            f"field path {quoted(text)}: expected a list position after a dot, as in items.0.x"
            f"{meant} (a key that holds brackets takes a JSON Pointer: /a[0])"
        )
    return segments


_BRACKET: Final = re.compile(r"[\[\]]")
_SUBSCRIPT: Final = re.compile(r"\[([0-9]+)\]")


def path_text(path: Path) -> str:
    """Return one way to write a path: dotted where that can say it, else as a JSON Pointer.

    >>> path_text(("references", "0", "type")), path_text(("a.b", "c/d"))
    ('references.0.type', '/a.b/c~1d')
    """
    dotted = ".".join(path)
    # A dot or a bracket of a key, an empty key, or a slash in front would be read as another path.
    plain = "" not in path and dotted.count(".") == len(path) - 1 and not _BRACKET.search(dotted)
    if plain and not dotted.startswith("/"):
        return dotted
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in path)


_BAD_ESCAPE: Final = re.compile(r"~(?![01])")


def _parse_pointer(text: str) -> Path:
    if _BAD_ESCAPE.search(text):
        raise PathError(
            f"field path {quoted(text)}: in a JSON Pointer, expected 0 or 1 after every tilde "
            "(~0 is a tilde, ~1 a slash)"
        )
    # In this order, so that ~01 is the text "~1" (RFC 6901, section 4).
    return tuple(segment.replace("~1", "/").replace("~0", "~") for segment in text[1:].split("/"))


def lookup(record: Json, path: Path, *, checked: bool = False) -> Json | Missing:
    """Return what the record holds at the path, or `MISSING`.

    On an object a segment is a key, whatever it looks like. On a list it is a position, written
    as JSON Pointer writes it: `0` or digits without a leading zero, so neither `01` nor `-1`.
    On anything else no segment leads anywhere.

    Should the record hold something on the way that is not JSON (which its type forbids), that
    thing is returned as it was found: a predicate establishes nothing on it, whereas `MISSING`
    would make `absent` true.

    Parameters: record, any JSON value; path, as `parse_path` returns it (an empty one is the
    record itself); checked, whether `values.is_json` has found the record to be JSON throughout,
    so that the keys on the way need not be looked at again.
    Source: RFC 6901, section 4.

    >>> lookup({"cwe_ids": ["CWE-79", None]}, ("cwe_ids", "1")) is None
    True
    >>> lookup({"cwe_ids": []}, ("cwe_ids", "0"))
    <Missing.MISSING: 'missing'>
    """
    here: Json = record
    for segment in path:
        if not checked and not _is_json_so_far(here):
            return here
        found = _step(here, segment)
        if isinstance(found, Missing):
            return found
        here = found
    return here


def _step(here: Json, segment: str) -> Json | Missing:
    if isinstance(here, dict):
        return here.get(segment, MISSING)
    if isinstance(here, list):
        position = _position(segment)
        # A slice, since another thread may shorten the list between a check and an access.
        item = here[position : position + 1] if position is not None else []
        return item[0] if item else MISSING
    return MISSING


_POSITION: Final = re.compile(r"0|[1-9][0-9]{0,17}")  # Longer ones lie beyond every list.


def _position(segment: str) -> int | None:
    return int(segment) if _POSITION.fullmatch(segment) else None


def _is_json_so_far(value: object) -> bool:
    """Whether a value is JSON, as far as can be seen without entering it.

    Keys are looked at too: one that is no text may define equality as it likes.
    """
    if type(value) is dict:
        return all(type(key) is str for key in cast("dict[object, object]", value).copy())
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (bool, int, str, list)
