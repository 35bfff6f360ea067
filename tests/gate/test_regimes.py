"""Proposition 1 on numbers worked by hand: p = 1/4, r = 3/4, kappa = 2."""

from fractions import Fraction

import pytest

from licet.regimes import (
    Interval,
    Posterior,
    Regime,
    posterior,
    regime,
    value_of_stopping,
    value_of_verifying,
    verification_interval,
)

ERROR, RELIABILITY = Fraction(1, 4), Fraction(3, 4)
ABSTAIN, COST = Fraction(2), Fraction(1, 4)


def test_what_the_answers_leave_of_the_error() -> None:
    # Support: 3/4 of the 3/4 that are right, and 1/4 of the 1/4 that are wrong.
    assert posterior(ERROR, RELIABILITY) == Posterior(
        support=Fraction(9 + 1, 16), after_support=Fraction(1, 10), after_refute=Fraction(3, 6)
    )
    assert posterior(ERROR, Fraction(1)) == (Fraction(3, 4), 0, 1)


@pytest.mark.parametrize(
    ("loss", "stopping", "verifying"),
    [
        (
            Fraction(4),
            Fraction(1),
            Fraction(1, 4) + Fraction(5, 8) * Fraction(2, 5) + Fraction(6, 8),
        ),
        (Fraction(2), Fraction(1, 2), Fraction(1, 4) + Fraction(1, 8) + Fraction(3, 8)),
        (
            Fraction(8),
            Fraction(2),
            Fraction(1, 4) + Fraction(5, 8) * Fraction(4, 5) + Fraction(6, 8),
        ),
        (Fraction(32), Fraction(2), Fraction(1, 4) + ABSTAIN),
    ],
)
def test_both_values(loss: Fraction, stopping: Fraction, verifying: Fraction) -> None:
    assert value_of_stopping(loss, ERROR, ABSTAIN) == stopping
    assert value_of_verifying(loss, ERROR, ABSTAIN, RELIABILITY, COST) == verifying


def test_the_interval_and_what_is_optimal_at_its_ends() -> None:
    low, high = Fraction(16, 3), Fraction(16)
    assert verification_interval(ERROR, ABSTAIN, RELIABILITY, COST) == Interval(low, high)
    little = Fraction(1, 1000)
    for loss, expected in (
        (low, Regime.PROCEED),
        (low + little, Regime.VERIFY),
        (high - little, Regime.VERIFY),
        (high, Regime.ABSTAIN),
    ):
        assert regime(loss, ERROR, ABSTAIN, RELIABILITY, COST) is expected
    # A perfect answer: (2 + (1/4) / (1/4)) / 1, and no loss is too great to verify.
    assert verification_interval(ERROR, ABSTAIN, Fraction(1), COST) == Interval(Fraction(3), None)


def test_a_check_that_costs_all_it_saves_is_never_strictly_better() -> None:
    # pi kappa (1 - p+/p) = 5/8 x 2 x 3/5.
    most = Fraction(3, 4)
    assert verification_interval(ERROR, ABSTAIN, RELIABILITY, most) is None
    assert verification_interval(ERROR, ABSTAIN, RELIABILITY, most - Fraction(1, 1000)) is not None
    # At the only loss where it is as good: a tie goes to stopping, and then to Proceed.
    tie = ABSTAIN / ERROR
    assert value_of_verifying(tie, ERROR, ABSTAIN, RELIABILITY, most) == ABSTAIN
    assert regime(tie, ERROR, ABSTAIN, RELIABILITY, most) is Regime.PROCEED
    assert regime(tie + 1, ERROR, ABSTAIN, RELIABILITY, most) is Regime.ABSTAIN
