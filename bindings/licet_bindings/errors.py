"""The one error of the bindings: a document that cannot be taken, and where its fault is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Final, Self

from licet import Fault, InvalidInput

LONGEST_SHOWN: Final = 60
"""The longest text that a message shows of what it found, in characters."""


class DocumentError(InvalidInput):
    """A program or a record that is refused; the message is `document: place: problem`.

    It is an `InvalidInput` and a `ValueError`, so `except licet.InvalidInput` takes both what the
    kernel refuses and what a document gets wrong.

    Attributes:
        document: the document's name, for people: a file's path, with a line where it has lines.
        place: the path in it, with dots and list positions (`routes.complete.0`); empty where the
            document as a whole is meant.
        problem: what is there and what was expected.
        more: the other faults that were found, after this one.
    """

    def __init__(
        self, document: str, place: str, problem: str, more: tuple[Fault, ...] = ()
    ) -> None:
        """Name the document, the place in it and the problem."""
        super().__init__(f"{document}: {place}" if place else document, problem)
        self.document = document
        self.place = place
        self.more = more

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Let it go to another process."""
        return type(self), (self.document, self.place, self.problem, self.more)

    @classmethod
    def of(cls, document: str, found: Sequence[Fault]) -> Self:
        """Return the error for one or more faults, the first of which is named."""
        first, *more = found
        return cls(document, first.place, first.problem, tuple(more))


def dotted(path: Iterable[str | int]) -> str:
    """Return a path as messages write it; keys that could forge a message are escaped.

    >>> dotted(["routes", "complete", 0])
    'routes.complete.0'
    """
    return ".".join(str(part) if isinstance(part, int) else printable(part) for part in path)


def printable(text: str) -> str:
    r"""Return `text` on one line, cut to what a message can hold; `escaped` does the rest.

    >>> print(printable("a\nb"))
    a\nb
    """
    return escaped(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def escaped(text: str) -> str:
    """Return `text` on one line, all of it, with no character that a terminal would obey."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def shown(value: object) -> str:
    """Return a value as JSON would write it, cut to what a message can hold.

    >>> shown({"settles": []})
    '{"settles": []}'
    """
    try:
        text = json.dumps(value, default=_other)
    except (ValueError, TypeError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def expected_one_of(name: object, known: Iterable[str]) -> str:
    """Return what a message says of a name that nothing has: the nearest, and all there are.

    >>> expected_one_of("eror", ["draw", "error"])
    'did you mean error? expected one of draw, error'
    """
    listed = list(known)
    near = get_close_matches(name, listed, n=1) if isinstance(name, str) else []
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{hint}expected one of {', '.join(listed) or 'none'}"


def _other(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    return f"a {type(value).__name__}"
