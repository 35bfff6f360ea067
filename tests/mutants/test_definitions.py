"""The definitions against plain Python with `and`, `or` and `if`, on every small case."""

from itertools import product

import pytest

from licet.definitions import (
    CONFLICT,
    FALSE,
    NOTHING,
    TRUE,
    UNKNOWN,
    all_of,
    any_of,
    authorized,
    first_least,
    hold,
    holds,
    residual,
    residual_cost,
    satisfied,
    target,
    targetable,
)

NEEDS = (NOTHING, TRUE, FALSE)
STATES = (UNKNOWN, TRUE, FALSE, CONFLICT)
BITS = (0, 1)


def is_satisfied(need: int, state: int) -> bool:
    return need == NOTHING or (need in (TRUE, FALSE) and need == state)


@pytest.mark.parametrize("length", range(4))
def test_all_and_any(length: int) -> None:
    for values in product(BITS, repeat=length):
        assert all_of(values) == all(values)
        assert any_of(values) == any(values)


@pytest.mark.parametrize("length", range(4))
def test_the_first_least_is_the_first_of_the_least_usable(length: int) -> None:
    for values in product(range(3), repeat=length):
        for usable in product(BITS, repeat=length):
            expected = [0] * length
            listed = [(values[i], i) for i in range(length) if usable[i]]
            if listed:
                expected[min(listed)[1]] = 1
            assert first_least(values, usable) == tuple(expected)


def test_a_conflicting_need_is_never_satisfied() -> None:
    for need, state in product((*NEEDS, CONFLICT), STATES):
        assert satisfied(need, state) == is_satisfied(need, state)


def test_routes_on_two_atoms() -> None:
    for route in product((*NEEDS, CONFLICT), repeat=2):
        for ledger in product(STATES, repeat=2):
            met = [is_satisfied(*pair) for pair in zip(route, ledger, strict=True)]
            assert holds(route, ledger) == all(met)
            assert residual(route, ledger) == tuple(not one for one in met)
            for unavailable in product(BITS, repeat=2):
                reachable = [
                    one or (need != CONFLICT and state == UNKNOWN and not withheld)
                    for one, need, state, withheld in zip(
                        met, route, ledger, unavailable, strict=True
                    )
                ]
                assert targetable(route, ledger, unavailable) == all(reachable)


def test_a_shared_check_counts_once_in_the_cost() -> None:
    for ledger in product((UNKNOWN, TRUE), repeat=2):
        route = (TRUE, TRUE)
        lacking = [state == UNKNOWN for state in ledger]
        assert residual_cost(route, ledger, (0, 0), (5,)) == 5 * any(lacking)
        assert residual_cost(route, ledger, (1, 0), (5, 7)) == 7 * lacking[0] + 5 * lacking[1]


def test_what_is_authorized_is_at_or_below_what_holds() -> None:
    program = (((TRUE, NOTHING),), ((TRUE, TRUE),), ((NOTHING, FALSE), (FALSE, TRUE)))
    assert authorized(program, (UNKNOWN, UNKNOWN)) == (0, 0, 0)
    assert authorized(program, (TRUE, UNKNOWN)) == (1, 0, 0)
    assert authorized(program, (TRUE, TRUE)) == (1, 1, 0)
    assert authorized(program, (FALSE, TRUE)) == (1, 1, 1)
    assert authorized(program, (UNKNOWN, FALSE)) == (1, 1, 1)


def test_the_target_is_the_strongest_and_its_cheapest_route_the_first_of_equals() -> None:
    program = (((TRUE, NOTHING),), ((TRUE, TRUE), (NOTHING, TRUE), (NOTHING, FALSE)))
    unknown, nothing = (UNKNOWN, UNKNOWN), (0, 0)
    own, cost = (0, 1), (1, 2)
    assert target(program, unknown, nothing, own, cost, 9) == (2, 2, 2)
    assert target(program, unknown, nothing, own, cost, 2) == (2, 2, 2)
    assert target(program, unknown, nothing, own, cost, 1) == (1, 1, 1)
    assert target(program, unknown, nothing, own, cost, 0) == (0, 0, 0)
    assert target(program, unknown, (0, 1), own, cost, 9) == (1, 1, 1)
    assert target(program, (TRUE, CONFLICT), nothing, own, cost, 0) == (1, 1, 0)
    assert target(program, (TRUE, FALSE), nothing, own, cost, 0) == (2, 3, 0)


def test_hold_is_above_everything_authorized() -> None:
    assert [hold(aim, (1, 1, 0)) for aim in range(4)] == [False, False, False, True]
    assert [hold(aim, (0, 0)) for aim in range(3)] == [False, True, True]


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        holds((TRUE,), (TRUE, TRUE))
    with pytest.raises(ValueError, match="zip"):
        residual((TRUE, TRUE), (TRUE,))
    with pytest.raises(ValueError, match="zip"):
        targetable((TRUE,), (TRUE,), (0, 0))
    with pytest.raises(ValueError, match="zip"):
        residual_cost((TRUE,), (UNKNOWN,), (0, 0), (1,))
