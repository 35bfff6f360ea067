"""Exact numbers: utilities, costs and budgets are rationals, so that ties and limits are exact."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeAlias

from icontract import ensure

from .errors import InvalidInput

Number: TypeAlias = int | float | Decimal | Fraction

# Keeps arithmetic on hostile numbers, such as a cost of 1e-100000, cheap.
_DIGITS: Final = 40


@ensure(lambda result: isinstance(result, Fraction))
def exact(value: Number, place: str) -> Fraction:
    """Return `value` as the rational that its shortest decimal form names (0.1 is 1/10).

    Raises:
        InvalidInput: `value` is no number, a truth value, NaN, infinite, or has over 40 digits;
            `place` is named.

    >>> exact(33.3, "utility")
    Fraction(333, 10)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        raise InvalidInput(place, f"expected a number, found {value!r}")
    value = _plain(value, place)
    if isinstance(value, float | Decimal) and not _finite(value):
        raise InvalidInput(place, f"expected a finite number, found {value!r}")
    if isinstance(value, Decimal) and abs(value.adjusted()) > _DIGITS:
        # Before its integers are made: they could fill the memory.
        raise InvalidInput(place, f"expected a number of at most {_DIGITS} digits, found {value}")
    rational = Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)
    if max(abs(rational.numerator), rational.denominator) >= 10**_DIGITS:
        raise InvalidInput(
            place, f"expected a number whose exact fraction has at most {_DIGITS} digits a side"
        )
    return rational


def _plain(value: Number, place: str) -> Number:
    """Return a number as one of the built-in types, whatever its own type makes of itself."""
    match value:
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case Decimal():
            return Decimal(value)
    if type(value) is not Fraction:
        raise InvalidInput(place, f"expected a Fraction, found a {type(value).__name__}")
    return value


def _finite(value: float | Decimal) -> bool:
    return value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)


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


@ensure(lambda result: 0 <= result <= 1)
def probability(value: Number, place: str) -> Fraction:
    """Return `value` as a rational in [0, 1], or raise `InvalidInput` naming `place`."""
    rational = exact(value, place)
    if not 0 <= rational <= 1:
        raise InvalidInput(place, f"expected a probability between 0 and 1, found {value}")
    return rational
