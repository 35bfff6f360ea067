"""Proposition 1: one premise, one symmetric verifier, and what is optimal as the loss grows.

The functions take any ordered field (exact rationals, or a solver's reals), so that what is proved
of them is proved of this code.
"""

from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from icontract import ensure, require


class Regime(Enum):
    """What is optimal: verifying only where it is strictly better than stopping."""

    PROCEED = "proceed"
    VERIFY = "verify"
    ABSTAIN = "abstain"


class Posterior(NamedTuple):
    """pi = Pr(support), and the error probability after support (p+) and after refute (p-)."""

    support: Fraction
    after_support: Fraction
    after_refute: Fraction


class Interval(NamedTuple):
    """The open interval of losses on which verifying is strictly better; `high` None: infinite."""

    low: Fraction
    high: Fraction | None


@require(lambda error: error > 0)
@require(lambda error: error < 1)
@require(lambda reliability: reliability * 2 > 1)
@require(lambda reliability: reliability <= 1)
@ensure(lambda error, result: result.after_support < error)
@ensure(lambda error, result: result.after_refute > error)
def posterior(error: Fraction, reliability: Fraction) -> Posterior:
    """Return pi, p+ and p- for an error p in (0, 1) and a reliability r in (1/2, 1]."""
    support = reliability + error - 2 * error * reliability
    return Posterior(
        support,
        (1 - reliability) * error / support,
        reliability * error / (1 - support),
    )


@ensure(lambda abstain, result: result <= abstain)
@ensure(lambda loss, error, result: result <= loss * error)
def value_of_stopping(loss: Fraction, error: Fraction, abstain: Fraction) -> Fraction:
    """Return V_stop = min(theta p, kappa)."""
    return min(loss * error, abstain)


@ensure(lambda abstain, cost, result: result <= cost + abstain)
def value_of_verifying(
    loss: Fraction, error: Fraction, abstain: Fraction, reliability: Fraction, cost: Fraction
) -> Fraction:
    """Return V_ver = c + pi min(theta p+, kappa) + (1 - pi) min(theta p-, kappa)."""
    support, after_support, after_refute = posterior(error, reliability)
    return (
        cost
        + support * min(loss * after_support, abstain)
        + (1 - support) * min(loss * after_refute, abstain)
    )


@ensure(
    lambda loss, error, abstain, result: (
        (result is not Regime.PROCEED or loss * error <= abstain)
        and (result is not Regime.ABSTAIN or loss * error > abstain)
    )
)
def regime(
    loss: Fraction, error: Fraction, abstain: Fraction, reliability: Fraction, cost: Fraction
) -> Regime:
    """Return what is optimal at loss theta; a tie goes to stopping, and then to Proceed."""
    stop = value_of_stopping(loss, error, abstain)
    if value_of_verifying(loss, error, abstain, reliability, cost) < stop:
        return Regime.VERIFY
    return Regime.PROCEED if loss * error <= abstain else Regime.ABSTAIN


@ensure(lambda error, abstain, result: result is None or result.low < abstain / error)
@ensure(
    lambda error, abstain, result: (
        result is None or result.high is None or result.high > abstain / error
    )
)
def verification_interval(
    error: Fraction, abstain: Fraction, reliability: Fraction, cost: Fraction
) -> Interval | None:
    """Return (theta1, theta2), or None where verifying is never strictly better.

    Empty exactly when c >= pi kappa (1 - p+/p); else theta1 = (kappa + c/(1-pi)) / p- and
    theta2 = (kappa - c/pi) / p+, infinite when r = 1.
    """
    support, after_support, after_refute = posterior(error, reliability)
    if cost >= support * abstain * (1 - after_support / error):
        return None
    low = (abstain + cost / (1 - support)) / after_refute
    if reliability == 1:
        return Interval(low, None)
    return Interval(low, (abstain - cost / support) / after_support)
