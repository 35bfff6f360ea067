"""Exact numbers: what is taken, up to which limit, and what a refusal says."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan

import pytest

from licet.rationals import Number, exact, non_negative, positive, probability
from tests.mutants.refusals import refusal

LIMIT = 10**40
A_SIDE = "x: expected a number whose exact fraction has at most 40 digits a side"


class Odd(Fraction):
    """A fraction of a type of its own."""


class Sly(int):
    """An integer that makes something else of itself."""

    def __int__(self) -> int:
        return 99


class Slow(float):
    """A float that shows itself as another one."""

    def __repr__(self) -> str:
        return "99.0"


@pytest.mark.parametrize(
    ("value", "rational"),
    [
        (7, Fraction(7)),
        (-2.5, Fraction(-5, 2)),
        (0.1, Fraction(1, 10)),
        (Decimal("0.10"), Fraction(1, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Sly(4), Fraction(4)),
        (Slow(0.5), Fraction(1, 2)),
        (LIMIT - 1, Fraction(LIMIT - 1)),
        (1 - LIMIT, Fraction(1 - LIMIT)),
        (Fraction(1, LIMIT - 1), Fraction(1, LIMIT - 1)),
        (Decimal("1e39"), Fraction(10**39)),
        (Decimal("1e-39"), Fraction(1, 10**39)),
    ],
)
def test_a_number_is_read_exactly(value: Number, rational: Fraction) -> None:
    read = exact(value, "x")
    assert (type(read), read) == (Fraction, rational)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("3", "x: expected a number, found '3'"),
        (True, "x: expected a number, found True"),
        (nan, "x: expected a finite number, found nan"),
        (-inf, "x: expected a finite number, found -inf"),
        (Decimal("sNaN"), "x: expected a finite number, found Decimal('sNaN')"),
        (Decimal("1e41"), "x: expected a number of at most 40 digits, found 1E+41"),
        (Decimal("1e-41"), "x: expected a number of at most 40 digits, found 1E-41"),
        (Decimal("1e40"), A_SIDE),
        (Decimal("1e-40"), A_SIDE),
        (LIMIT, A_SIDE),
        (-LIMIT, A_SIDE),
        (Fraction(1, LIMIT), A_SIDE),
        (Odd(1, 2), "x: expected a Fraction, found a Odd"),
    ],
)
@pytest.mark.parametrize("read", [exact, non_negative, positive, probability])
def test_what_is_no_exact_number_is_refused_by_its_place(
    read: Callable[[Number, str], Fraction], value: Number, message: str
) -> None:
    assert refusal(lambda: read(value, "x")) == message


@pytest.mark.parametrize(
    ("read", "taken", "refused", "problem"),
    [
        (non_negative, ["0", "0.5", "3"], ["-0.1"], "expected a number of at least 0"),
        (positive, ["0.5", "1", "3"], ["0", "-1"], "expected a number above 0"),
        (probability, ["0", "0.5", "1"], ["-0.1", "1.1"], "expected a probability between 0 and 1"),
    ],
)
def test_bounds(
    read: Callable[[Number, str], Fraction], taken: list[str], refused: list[str], problem: str
) -> None:
    for text in taken:
        assert read(Decimal(text), "x") == Fraction(text)
    for text in refused:
        message = f"x: {problem}, found {text}"
        assert refusal(lambda number=Decimal(text): read(number, "x")) == message  # type: ignore[misc]
