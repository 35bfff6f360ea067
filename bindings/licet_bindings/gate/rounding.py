"""Numbers for people."""

from __future__ import annotations

import math
from fractions import Fraction

_LEAST, _MOST = 1e-4, 1e15


def rounded(value: Fraction) -> str:
    """Return a number to four significant digits, but with its whole part and a digit after it.

    >>> [rounded(Fraction(text)) for text in ("1/3", "100005.2", "3", "0.00001")]
    ['0.3333', '100005.2', '3', '1e-05']
    """
    number = float(value)
    if number == 0 or not _LEAST <= abs(number) < _MOST:
        return f"{number:.4g}"
    places = max(1, 3 - math.floor(math.log10(abs(number))))
    return f"{number:.{places}f}".rstrip("0").removesuffix(".")


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "state"), counted(20000, "state")
    ('1 state', '20,000 states')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
