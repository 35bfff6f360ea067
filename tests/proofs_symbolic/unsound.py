"""Conditions that must not count as confirmed, each for another reason."""

from icontract import ensure, require


@ensure(lambda value, result: result > value)
def false_for_large_values(value: int) -> int:
    """False: 10 and more stay as they are."""
    return value + (value < 10)


@require(lambda value: (value > 1) & (value < 1))
@ensure(lambda result: result > 0)
def never_reached(value: int) -> int:
    """Its precondition holds for nothing."""
    return -1


@ensure(lambda values, result: sum(values) <= result)
def unbounded(values: list[int]) -> int:
    """Lists of any length: not every path can be followed."""
    return sum(values)


def without_contracts(value: int) -> int:
    return value
