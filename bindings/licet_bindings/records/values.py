"""JSON values, and the one equality under which they are compared.

A predicate never looks at what a record holds directly. It takes an immutable snapshot first
(`freeze`), which refuses whatever is not JSON, and compares snapshots. Two snapshots are equal as
Python objects exactly when the values are equal as JSON:

- values of different kinds are never equal: true is not 1, and "1" is not 1;
- numbers are equal when they are mathematically equal: 1 and 1.0 are, and so are -0.0 and 0;
  integers and floats are compared exactly, so 2**53 + 1 is not equal to float(2**53);
- texts are equal when they have the same code points: no Unicode normalization, no case folding;
- lists are equal item by item, objects member by member in any order.

Source: RFC 8259 (JSON) and RFC 7493, section 2.1 (no surrogates).
"""

from __future__ import annotations

import math
import re
import unicodedata
from enum import Enum
from typing import Final, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value as `json.loads` builds it: these types themselves, no subclasses."""


class Truth(Enum):
    """true and false in a snapshot, where Python's own would be equal to 1 and 0."""

    FALSE = 0
    TRUE = 1


Frozen: TypeAlias = (
    "Truth | int | float | str | tuple[Frozen, ...] | frozenset[tuple[str, Frozen]] | None"
)
"""A snapshot: a list is a tuple, an object the set of its members (key, value)."""

MAX_DEPTH: Final = 100
"""How many lists and objects may lie within one another, the outermost counted."""

MAX_VALUES: Final = 1_000_000
"""How many values one snapshot may hold, nested ones and itself counted."""


def is_json(value: object, most: int) -> bool:
    """Whether a value is JSON throughout, of at most `most` values; lone surrogates are let be.

    >>> is_json({"a": [1, None]}, 10), is_json({1: "a"}, 10)
    (True, False)
    """
    pending = [value]
    while pending:
        item = pending.pop()
        most -= 1
        if most < len(pending):
            return False
        if type(item) is dict:
            members = item.copy()
            if not all(type(key) is str for key in members):
                return False
            pending.extend(members.values())
        elif type(item) is list:
            pending.extend(item)
        elif type(item) is float:
            if not math.isfinite(item):
                return False
        elif item is not None and type(item) not in (bool, int, str):
            return False
    return True


class NotJsonError(ValueError):
    """The value is not JSON, or exceeds a limit; the message is a clause about "it"."""


def freeze(value: object) -> Frozen:
    """Take an immutable snapshot of a JSON value.

    The value may be any Python object: one that is not JSON is refused without calling any of
    its methods. Subclasses of the JSON types are refused too, since they can redefine equality.

    Parameters: value, a JSON value of at most `MAX_VALUES` values, `MAX_DEPTH` deep.
    Raises: NotJsonError when it is not JSON (a NaN or an infinity, a text with a lone surrogate,
    a key that is no text, any other Python object) or exceeds a limit.

    >>> freeze([1, True]) == freeze([1.0, True])
    True
    >>> freeze([1]) == freeze([True])
    False
    """
    return _Snapshot().take(value, MAX_DEPTH)


class _Snapshot:
    """One snapshot being taken; counts its values, since a list can hold itself many times."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def take(self, value: object, depth: int) -> Frozen:
        """Return the snapshot of `value`, in which `depth` more containers may be nested."""
        self._left -= 1
        if self._left < 0:
            raise NotJsonError(f"it holds more than {MAX_VALUES:,} values")
        if type(value) is list or type(value) is dict:
            return self._container(value, depth)
        return _scalar(value)

    def _container(self, value: list[object] | dict[object, object], depth: int) -> Frozen:
        if depth == 0:
            raise NotJsonError(f"it is nested more than {MAX_DEPTH} deep")
        if isinstance(value, list):
            # The copies keep a change by another thread from disturbing the loops.
            return tuple([self.take(item, depth - 1) for item in value.copy()])
        members = value.copy().items()
        return frozenset([(_key(key), self.take(member, depth - 1)) for key, member in members])


def _scalar(value: object) -> Frozen:
    if value is None or type(value) is int:
        return value
    if type(value) is bool:
        return Truth.TRUE if value else Truth.FALSE
    if type(value) is str:
        return _text(value)
    if type(value) is float:
        if not math.isfinite(value):
            raise NotJsonError("it is or holds a number that is not finite")
        return value
    raise NotJsonError("it is or holds something that is not JSON")


def _key(key: object) -> str:
    if type(key) is not str:
        raise NotJsonError("it holds an object with a key that is not text")
    return _text(key)


def _text(text: str) -> str:
    if has_surrogate(text):
        raise NotJsonError("it is or holds text with a lone surrogate")
    return text


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def has_surrogate(text: str) -> bool:
    """Whether the text has a surrogate code point, which no UTF-8 document can hold."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def kind(value: Frozen) -> str:
    """Name the kind of a value, in the words that messages use.

    >>> kind(freeze([]))
    'a list'
    """
    match value:
        case None:
            return "null"
        case Truth():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case tuple():
            return "a list"
        case _:
            return "an object"


def holds_something(value: Frozen) -> bool:
    """Whether the value holds something, as the test `exists` means it.

    Null holds nothing, nor does a blank text, nor a list or an object that is empty or whose
    items hold nothing, however deep. Every number and both truth values are something; the keys
    of an object are not.

    >>> holds_something(freeze([None, {"name": " "}]))
    False
    >>> holds_something(freeze(0))
    True
    """
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            pending.extend(item)
        elif isinstance(item, frozenset):
            pending.extend(member for _, member in item)
        elif isinstance(item, str):
            if not is_blank(item):
                return True
        elif item is not None:
            return True
    return False


_BLANK_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})

# Characters that are drawn as nothing although their category says otherwise: fillers, the
# grapheme joiner, variation selectors (Unicode, Default_Ignorable_Code_Point), the empty braille
# cell.
_BLANK_CHARACTERS: Final = frozenset(
    [chr(code) for code in (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)]
    + [chr(code) for code in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))]
    + [chr(code) for code in range(0xE0100, 0xE01F0)]
)


def is_blank(text: str) -> bool:
    r"""Whether a text shows nothing: it is empty, or all of its characters are invisible.

    Invisible are white space of every kind (no-break and ideographic space, line and paragraph
    separators), control characters, and format characters such as the zero-width space, the byte
    order mark and the soft hyphen; besides them the fillers, variation selectors and the empty
    braille cell. Source: Unicode general categories Z*, Cc and Cf.

    >>> is_blank("\u00a0\u200b"), is_blank("N/A")
    (True, False)
    """
    return all(
        unicodedata.category(character) in _BLANK_CATEGORIES or character in _BLANK_CHARACTERS
        for character in text
    )


_LONGEST_QUOTE: Final = 60


def quoted(text: str) -> str:
    """Quote a text for a message, cut to a length that a message can hold.

    >>> quoted("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    """
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "...")
