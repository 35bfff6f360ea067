"""Strict trees: what a document may be made of, whatever it was written in.

The readers of JSON, TOML and YAML build plain Python values (`dict`, `list`, `str`, `bool`, `int`,
`Decimal` or `float`, None) and leave a `Refused` where the text has something that no document may
hold: a key twice, NaN, a number of a thousand digits. `check_tree` walks the whole tree once and
raises the first fault in reading order, with the path to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from licet_bindings.records.values import has_surrogate

MAX_DIGITS: Final = 1_000
"""The longest number in a document, in characters."""

MAX_EXPONENT: Final = 400
"""How far from 1 a number of a document may lie, in powers of ten."""


class Refused(NamedTuple):
    """Stands in a tree for something that no document may hold."""

    problem: str


class Misplaced(ValueError):
    """A fault in a tree; the one who reads the document turns it into a `DocumentError`.

    Attributes:
        path: keys and list positions from the outside in.
        problem: what is there and what was expected.
    """

    def __init__(self, problem: str, path: tuple[str | int, ...] = ()) -> None:
        """Keep the problem and the path to it."""
        super().__init__(problem)
        self.problem = problem
        self.path = path


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may be at most, so that a hostile one ends in an error.

    Attributes:
        size: bytes of its text.
        depth: lists and objects within one another, the outermost counted.
        values: values in it, nested ones and itself counted.
        surrogates: whether a text may hold lone surrogates.
        dates: whether it may hold dates, which are text by another way of writing.
    """

    size: int
    depth: int
    values: int
    surrogates: bool
    dates: bool = False


PROGRAM_LIMITS: Final = Limits(
    size=1_000_000, depth=50, values=100_000, surrogates=False, dates=True
)
"""A document; it is written by hand, so these are far from what one needs."""

RECORD_LIMITS: Final = Limits(size=64_000_000, depth=200, values=10_000_000, surrogates=True)
"""One record. A text with a lone surrogate is left to the predicates, which establish nothing."""


def check_tree(tree: object, limits: Limits) -> None:
    """Return if `tree` is made of what a document may hold, within `limits`.

    Raises:
        Misplaced: it is not; the first fault in reading order.
    """
    _Walk(limits).take(tree, limits.depth)


def dates_as_text(tree: object) -> object:
    """Return a checked tree with its dates as ISO 8601 text, as YAML and JSON have them."""
    if isinstance(tree, date):
        return tree.isoformat()
    if isinstance(tree, dict):
        return {key: dates_as_text(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [dates_as_text(value) for value in tree]
    return tree


class _Walk:
    """One walk over a tree; counts its values, since a list can hold itself many times."""

    __slots__ = ("_left", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.values

    def take(self, value: object, depth: int) -> None:
        """Check a value in which `depth` containers may lie, itself counted."""
        self._left -= 1
        if self._left < 0:
            raise Misplaced(f"expected at most {self._limits.values:,} values in a document")
        if type(value) is str:
            self._text(value)
        elif type(value) is dict or type(value) is list:
            self._container(value, depth)
        elif not (self._limits.dates and isinstance(value, date)):
            _scalar(value)

    def _container(self, value: dict[object, object] | list[object], depth: int) -> None:
        if depth == 0:
            raise Misplaced(f"expected lists and objects at most {self._limits.depth} deep")
        keyed = isinstance(value, dict)
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            try:
                if keyed:
                    self._key(key)
                self.take(item, depth - 1)
            except Misplaced as fault:
                here = key if isinstance(key, int | str) else repr(key)
                raise Misplaced(fault.problem, (here, *fault.path)) from None

    def _key(self, key: object) -> None:
        if type(key) is not str:
            raise Misplaced(f"expected text as a key, found {_kind(key)}")
        self._text(key)

    def _text(self, text: str) -> None:
        if not self._limits.surrogates and has_surrogate(text):
            raise Misplaced("expected text without lone surrogates")


def _scalar(value: object) -> None:
    if value is None or type(value) is bool:
        return
    if type(value) is int:
        if abs(value) >= 10**MAX_DIGITS:
            raise Misplaced(f"expected a number of at most {MAX_DIGITS:,} digits")
    elif type(value) is float:
        if not math.isfinite(value):
            raise Misplaced(f"expected a finite number, found {value}")
    elif type(value) is Decimal:
        _decimal(value)
    elif isinstance(value, Refused):
        raise Misplaced(value.problem)
    else:
        raise Misplaced(
            "expected text, a number, true, false, null, a list or an object, found " + _kind(value)
        )


def _decimal(value: Decimal) -> None:
    if not value.is_finite():
        raise Misplaced(f"expected a finite number, found {value}")
    if value and abs(value.adjusted()) > MAX_EXPONENT:
        raise Misplaced(f"expected a number within 1e{MAX_EXPONENT} and 1e-{MAX_EXPONENT}")


def _kind(value: object) -> str:
    kind = type(value).__name__
    if kind in ("date", "datetime", "time"):
        return f"a {kind} ({value}); write it in quotes, as text"
    return f"a {kind}"
