"""The regimes of Proposition 1 for one premise and one symmetric verifier (AMV, section 2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from licet import InvalidInput, Number
from licet.rationals import non_negative, positive, probability
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


@dataclass(frozen=True, slots=True)
class RegimeDiagram:
    """One premise and one symmetric verifier, while the consequence theta varies.

    Attributes:
        error: p, the probability that the premise is violated.
        abstain: kappa, the loss of abstaining.
        reliability: r, the verifier's sensitivity and specificity.
        cost: c, what asking it costs, in units of loss.
    """

    error: Fraction
    abstain: Fraction
    reliability: Fraction
    cost: Fraction

    @property
    def posterior(self) -> Posterior:
        """pi, p+ and p-."""
        return posterior(self.error, self.reliability)

    @property
    def interval(self) -> Interval | None:
        """(theta1, theta2), in which verifying is strictly better; None where it never is."""
        return verification_interval(self.error, self.abstain, self.reliability, self.cost)

    @property
    def indifference(self) -> Fraction:
        """The consequence kappa / p, above which abstaining at once is better than proceeding."""
        return self.abstain / self.error

    @property
    def abstain_from(self) -> Fraction | None:
        """The consequence from which abstaining at once is optimal; None where it never is.

        It is theta2, at which verifying is no better any more; where verifying never is, kappa / p,
        at which proceeding costs the same.
        """
        return self.indifference if self.interval is None else self.interval.high

    @property
    def unlicensed_from(self) -> Fraction | None:
        """The consequence kappa / p+ from which not even support licenses proceeding.

        None where the verifier is never wrong: support then always does.
        """
        after_support = self.posterior.after_support
        return self.abstain / after_support if after_support else None

    def regime(self, loss: Fraction) -> Regime:
        """Return what is optimal at consequence theta."""
        return regime(loss, self.error, self.abstain, self.reliability, self.cost)

    def value_of_stopping(self, loss: Fraction) -> Fraction:
        """Return V_stop at consequence theta."""
        return value_of_stopping(loss, self.error, self.abstain)

    def value_of_verifying(self, loss: Fraction) -> Fraction:
        """Return V_ver at consequence theta."""
        return value_of_verifying(loss, self.error, self.abstain, self.reliability, self.cost)


def regime_diagram(
    error: Number, abstain: Number, reliability: Number, cost: Number
) -> RegimeDiagram:
    """Return the diagram for these parameters.

    Args:
        error: p, strictly between 0 and 1.
        abstain: kappa, above 0.
        reliability: r, above 1/2 and at most 1.
        cost: c, at least 0.

    Raises:
        InvalidInput: one of them lies outside the proposition's domain.

    >>> regime_diagram(0.28, 1, 0.95, 0.1).interval
    Interval(low=Fraction(201, 133), high=Fraction(299, 7))
    """
    chance = probability(error, "error")
    if not 0 < chance < 1:
        raise InvalidInput("error", f"expected a probability above 0 and below 1, found {error}")
    certainty = probability(reliability, "reliability")
    if certainty * 2 <= 1:
        raise InvalidInput(
            "reliability", f"expected a probability above 0.5 and at most 1, found {reliability}"
        )
    return RegimeDiagram(
        chance, positive(abstain, "abstain"), certainty, non_negative(cost, "cost")
    )
