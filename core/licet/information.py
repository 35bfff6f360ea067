"""The value of information: Equations (2), (4) and (5), and Remark 1 (AMV, sections 2.3 to 3.3)."""

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from icontract import ensure, require

from .beliefs import (
    ZERO,
    Belief,
    GateModel,
    admissible,
    answer_probability,
    expected_loss,
    update,
)
from .candidate import ObservationModel

Uses: TypeAlias = tuple[int, ...]
"""For each verifier, how often it may still be asked."""


class Stopping(NamedTuple):
    """Equation (2): the value of stopping now, and whether that is to proceed."""

    value: Fraction
    proceed: bool


@ensure(lambda model, belief, result: not result.proceed or admissible(model, belief))
@ensure(lambda model, result: result.value <= model.abstain)
@ensure(lambda model, result: result.proceed or result.value == model.abstain)
def stopping(model: GateModel, belief: Belief) -> Stopping:
    """Return V_stop(b) = min(R(b) if Proceed is admissible else infinity, kappa).

    A tie goes to Proceed.
    """
    risk = expected_loss(model, belief)
    if risk <= model.abstain and admissible(model, belief):
        return Stopping(risk, True)
    return Stopping(model.abstain, False)


@ensure(lambda uses, result: all(uses[verifier] > 0 for verifier in result))
@ensure(lambda model, budget, result: all(model.verifiers[q].cost <= budget for q in result))
def affordable(model: GateModel, uses: Uses, budget: Fraction) -> tuple[int, ...]:
    """Return the verifiers that have a use left and cost at most the budget, as listed."""
    return tuple(
        index
        for index, verifier in enumerate(model.verifiers)
        if uses[index] > 0 and verifier.cost <= budget
    )


@require(lambda uses, verifier: uses[verifier] > 0)
@ensure(lambda uses, result: sum(result) == sum(uses) - 1)
def after_use(uses: Uses, verifier: int) -> Uses:
    """Return the uses left after asking `verifier` once."""
    return (*uses[:verifier], uses[verifier] - 1, *uses[verifier + 1 :])


@ensure(lambda result: sum(chance for chance, _, _ in result) == 1)
@ensure(lambda result: all(chance > 0 for chance, _, _ in result))
def outcomes(
    model: GateModel, belief: Belief, verifier: int
) -> tuple[tuple[Fraction, bool, Belief], ...]:
    """Return (Pr(o | b, q), refutes, b(q, o)) for each answer of positive probability."""
    return tuple(
        (chance, refutes, update(model, belief, verifier, refutes))
        for refutes in (False, True)
        if (chance := answer_probability(model, belief, verifier, refutes)) > 0
    )


@ensure(lambda result: result >= 0)
def price_of(model: GateModel, verifier: int) -> Fraction:
    """Return lambda C(q)."""
    return model.price * model.verifiers[verifier].cost


@ensure(lambda model, belief, result: result <= stopping(model, belief).value)
def one_step(model: GateModel, belief: Belief, verifier: int) -> Fraction:
    """Return VOI(q; b), Equation (4): what one answer saves in stopping value, less its price."""
    expected = sum(
        (
            chance * stopping(model, after).value
            for chance, _, after in outcomes(model, belief, verifier)
        ),
        ZERO,
    )
    return stopping(model, belief).value - expected - price_of(model, verifier)


@require(lambda model, verifier, uses, budget: verifier in affordable(model, uses, budget))
@ensure(lambda model, belief, verifier, result: result >= one_step(model, belief, verifier))
def two_step(
    model: GateModel, belief: Belief, verifier: int, uses: Uses, budget: Fraction
) -> Fraction:
    """Return the two-step value of a first query, Equation (5).

    Args:
        model: the model.
        belief: b.
        verifier: the first query q1.
        uses: uses left before it.
        budget: what is left before it; the second query must fit what q1 leaves.
    """
    left = budget - model.verifiers[verifier].cost
    remaining = after_use(uses, verifier)
    expected = sum(
        (
            chance * _best_second(model, after, remaining, left)
            for chance, _, after in outcomes(model, belief, verifier)
        ),
        ZERO,
    )
    return stopping(model, belief).value - price_of(model, verifier) - expected


def _best_second(model: GateModel, belief: Belief, uses: Uses, budget: Fraction) -> Fraction:
    """Return the least of stopping and of one more query followed by stopping."""
    gains = (one_step(model, belief, second) for second in affordable(model, uses, budget))
    return stopping(model, belief).value - max((ZERO, *gains))


@ensure(
    lambda model, verifier, result: (
        model.observation is not ObservationModel.EXACT or result == -price_of(model, verifier)
    )
)
def fixed_action(model: GateModel, belief: Belief, verifier: int) -> Fraction:
    """Return the expected loss reduction of a fixed Proceed, less the price: Remark 1.

    By the tower property the reduction is zero in the exact model, so this is -lambda C(q): a
    score that never pays for a check. The shared model has no tower property; there it can be
    anything.
    """
    expected = sum(
        (
            chance * expected_loss(model, after)
            for chance, _, after in outcomes(model, belief, verifier)
        ),
        ZERO,
    )
    return expected_loss(model, belief) - expected - price_of(model, verifier)
