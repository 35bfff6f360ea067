"""What must hold between policies on every instance in the exact model with rho off."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from licet import Candidate, exact
from licet.policies import Node

from .contenders import EXACT, GREEDY, STATIC, STOP, TWO_STEP
from .rolling import Worth

ORDER: Final = ((EXACT, TWO_STEP), (TWO_STEP, GREEDY), (GREEDY, STOP), (EXACT, STATIC))
"""Pairs of which the first is nowhere above the second in expected objective."""

ROUNDING: Final = Fraction(1, 10**12)
"""What the compiled planner's choices may lose, times the sum of impacts and kappa.

The other policies choose in rationals, and are held to their order exactly.
"""


def violations(
    name: str,
    candidate: Candidate,
    found: Mapping[str, tuple[Node, Worth]],
) -> Iterator[str]:
    """Yield in words what does not hold on an instance, of the policies that were measured.

    The order of policies; that each tree's own value is what is counted over hidden states; and
    that a policy that ends by Equation (2) proceeds only where harm has at most the probability
    epsilon.
    """
    slack = rounding(candidate)
    for lower, upper in ORDER:
        if lower in found and upper in found:
            low, high = found[lower][1].objective, found[upper][1].objective
            if low > high + (slack if lower == EXACT else 0):
                yield f"{name}: {lower} {float(low):.6f} above {upper} {float(high):.6f}"
    epsilon = candidate.loss.max_harm_probability
    for policy, (tree, worth) in found.items():
        if tree.value != worth.objective:
            yield f"{name}: {policy} is worth {worth.objective}, its tree says {tree.value}"
        if epsilon is not None and worth.harms > exact(epsilon, "epsilon") * worth.proceeds:
            yield f"{name}: {policy} proceeds into harm more often than epsilon"


def rounding(candidate: Candidate) -> Fraction:
    """Return what may be lost where the exact plan is the compiled one."""
    greatest = sum((exact(m.impact, "impact") for m in candidate.failure_modes), Fraction(0))
    return ROUNDING * (greatest + exact(candidate.loss.abstain, "abstain"))
