"""Checks of every kind for the suite to run: some hold, the others must not pass for good."""

import os
from collections.abc import Iterator

import z3
from hypothesis import given
from hypothesis import strategies as st
from icontract import ensure

from licet_proofs.expect import SAMPLED, expect
from licet_proofs.proposition_1 import Case

REAL = z3.Real("x")


@SAMPLED
@given(st.integers())
def a_square_is_not_negative(value: int) -> None:
    expect(value * value >= 0, value)


@SAMPLED
@given(st.integers())
def every_number_is_small(value: int) -> None:
    expect(value < 10, value, "is not small")


@SAMPLED
@given(st.integers())
def a_property_that_breaks(value: int) -> None:
    raise KeyError(value)


def nothing_is_generated() -> None:
    expect(True)


def the_process_ends() -> None:
    os._exit(3)


def two_cases() -> int:
    return 2


def a_case_differs() -> int:
    raise AssertionError("they differ")


def no_case() -> int:
    return 0


def a_case_breaks() -> int:
    raise KeyError("nothing is here")


def a_square_is_a_square() -> Iterator[Case]:
    yield Case((), REAL * REAL >= 0)


def every_real_is_positive() -> Iterator[Case]:
    yield Case((), REAL > 0)


def the_time_is_up() -> Iterator[Case]:
    yield Case((), REAL * REAL >= 0)
    raise TimeoutError("the solver cannot decide it")


@ensure(lambda values, result: sum(values) <= result)
def lists_of_any_length(values: list[int]) -> int:
    return sum(values)


@ensure(lambda value, result: result > value)
def false_for_large_values(value: int) -> int:
    return value + (value < 10)
