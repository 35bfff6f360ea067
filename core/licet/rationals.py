"""Exact numbers: utilities, costs and budgets are rationals, so that ties and limits are exact."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from icontract import ensure

from .errors import InvalidInput

Number: TypeAlias = int | float | Decimal | Fraction


@ensure(lambda result: isinstance(result, Fraction))
def exact(value: Number, place: str) -> Fraction:
    """Return `value` as the rational that its shortest decimal form names (0.1 is 1/10).

    Raises:
        InvalidInput: `value` is no number, a truth value, NaN or infinite; `place` is named.

    >>> exact(33.3, "utility")
    Fraction(333, 10)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        raise InvalidInput(place, f"expected a number, found {value!r}")
    if isinstance(value, float | Decimal) and not math.isfinite(value):
        raise InvalidInput(place, f"expected a finite number, found {value!r}")
    return Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)


@ensure(lambda result: result >= 0)
def non_negative(value: Number, place: str) -> Fraction:
    """Return `value` as a rational of at least 0, or raise `InvalidInput` naming `place`."""
    rational = exact(value, place)
    if rational < 0:
        raise InvalidInput(place, f"expected a number of at least 0, found {value}")
    return rational


@ensure(lambda result: result > 0)
def positive(value: Number, place: str) -> Fraction:
    """Return `value` as a rational above 0, or raise `InvalidInput` naming `place`."""
    rational = exact(value, place)
    if rational <= 0:
        raise InvalidInput(place, f"expected a number above 0, found {value}")
    return rational
