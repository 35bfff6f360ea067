"""Numbers of documents: short enough that everything printed of them is exact.

A number of at most 15 significant digits survives a float: whoever reads what is printed gets the
number that was meant. Costs and budgets keep to it together: the sum of the costs of all checks is
itself a number that a budget may be, so a sufficient budget that is printed does suffice.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

from licet import InvalidInput
from licet.rationals import Number, non_negative, positive
from licet_bindings.errors import shown

MAX_CHECKS: Final = 1_000
"""Checks in one program, at most, an atom's own check counted."""

COST_DIGITS: Final = 6
"""Digits of a cost before the decimal point, at most."""

BUDGET_DIGITS: Final = 9
"""Digits of a budget before the decimal point, at most: as many as `MAX_CHECKS` costs need."""

PLACES: Final = 6
"""Digits of a cost or a budget after the decimal point, at most."""

SIGNIFICANT_DIGITS: Final = 15
"""Significant digits of a utility, at most: what every float keeps."""


def cost_number(value: Number, place: str) -> Fraction:
    """Return a cost, in calls: 0 or more, at most 6 digits before the decimal point, 6 after."""
    return _amount(value, place, COST_DIGITS)


def budget_number(value: Number, place: str) -> Fraction:
    """Return a budget, in calls: 0 or more, at most 9 digits before the decimal point, 6 after.

    >>> budget_number(2.5, "budget")
    Fraction(5, 2)
    """
    return _amount(value, place, BUDGET_DIGITS)


def utility_number(value: Number, place: str) -> Fraction:
    """Return a utility: above 0, at most 15 significant digits."""
    number_only(value, place)
    utility = positive(value, place)
    digits = Decimal(str(value)).as_tuple().digits
    if len("".join(map(str, digits)).strip("0")) > SIGNIFICANT_DIGITS:
        raise InvalidInput(
            place, f"expected at most {SIGNIFICANT_DIGITS} significant digits, found {value}"
        )
    return utility


def _amount(value: Number, place: str, whole: int) -> Fraction:
    number_only(value, place)
    amount = non_negative(value, place)
    if amount >= 10**whole or (amount * 10**PLACES).denominator != 1:
        raise InvalidInput(
            place,
            f"expected at most {whole} digits before the decimal point and {PLACES} after it,"
            f" found {value}",
        )
    return amount


def number_only(value: object, place: str) -> None:
    """Return if `value` is a number as documents have it, else raise `InvalidInput`."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InvalidInput(place, f"expected a number, found {shown(value)}")
