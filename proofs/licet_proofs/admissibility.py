"""The gate's admissibility: Equation (2) and the screens (AMV, sections 2.3 and 3.3, appendix A.1).

Confirmed over the reals on the core's own `stopping`, `admissible`, `expected_loss` and
`harm_probability`, for beliefs of up to `STATES` hidden states: any weights, any losses, any kappa,
delta, epsilon and cap, with each screen on and off. What is not covered: rounding, of which there
is none, for the core computes in exact rationals. The one thing that is replaced is `Fraction(a,
b)`, which on a solver's reals is their quotient.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple, cast
from unittest.mock import patch

import z3

from licet import beliefs, information
from licet.beliefs import Belief, GateModel
from licet.information import Stopping

from .confirm import bare
from .proposition_1 import Case, term
from .solver_reals import Path, paths

STATES: Final = 4
"""Hidden states of one belief, those of two independent claims: 4 weights, 4 losses, all real."""

UNITS: Final = (1, 6)
"""The core keeps losses as multiples of 1/unit; with whole impacts the unit is 1."""

WEIGHTS: Final = z3.Reals("w0 w1 w2 w3")
LOSSES: Final = z3.Reals("l0 l1 l2 l3")
ABSTAIN, HARM, EPSILON, CAP = z3.Reals("kappa delta epsilon cap")
DOMAIN: Final = (
    *(weight > 0 for weight in WEIGHTS),
    *(loss >= 0 for loss in LOSSES),
    ABSTAIN > 0,
    HARM >= 0,
    EPSILON >= 0,
    EPSILON <= 1,
    CAP >= 0,
)
SCREENS: Final = ((False, False), (True, False), (False, True), (True, True))
"""Which of the two screens, on harm and on expected loss, are on."""


class Model(NamedTuple):
    """What `stopping` reads of a model."""

    losses: Sequence[object]
    unit: int
    abstain: object
    harm_loss: object
    max_harm_probability: object
    max_expected_loss: object


def quotient(numerator: int | Fraction, denominator: int | Fraction) -> Fraction:
    """Return the exact quotient of a solver's reals; of no weight at all it is 0."""
    if isinstance(numerator, int):
        if numerator:
            raise TypeError(f"expected 0 or a solver's real, found {numerator}")
        return Fraction(0)
    return numerator / denominator


def _stopping(screens: tuple[bool, bool], states: int, unit: int) -> Callable[..., Stopping]:
    """Return `stopping` as a function of numbers: weights, losses, and the parameters."""

    def stop(*given: Fraction) -> Stopping:
        weights, losses = given[:states], given[states : 2 * states]
        total, abstain, harm, epsilon, cap = given[2 * states :]
        model = Model(
            [loss * unit for loss in losses],
            unit,
            abstain,
            harm,
            epsilon if screens[0] else None,
            cap if screens[1] else None,
        )
        # Weights and losses are reals here where the core has integers.
        belief = Belief(tuple(enumerate(weights)), total)  # type: ignore[arg-type]
        return information.stopping(cast(GateModel, model), belief)

    return stop


def _paths() -> Iterator[tuple[tuple[bool, bool], int, Path[Stopping]]]:
    for unit, screens, states in product(UNITS, SCREENS, range(1, STATES + 1)):
        arguments = (*WEIGHTS[:states], *LOSSES[:states])
        total = z3.Sum(WEIGHTS[:states])
        with ExitStack() as unguarded:
            for module in (beliefs, information):
                unguarded.enter_context(bare(module))
            unguarded.enter_context(patch.object(beliefs, "Fraction", quotient))
            found = list(
                paths(
                    _stopping(screens, states, unit),
                    (*arguments, total, ABSTAIN, HARM, EPSILON, CAP),
                    DOMAIN,
                )
            )
        for path in found:
            yield screens, states, path


def _is_admitted(screens: tuple[bool, bool], states: int) -> z3.BoolRef:
    """Return the paper's condition, without a division: the screens, and R(b) at most kappa."""
    held = list(zip(WEIGHTS[:states], LOSSES[:states], strict=True))
    total = z3.Sum(WEIGHTS[:states])
    risk = z3.Sum([weight * loss for weight, loss in held])
    harm = z3.Sum([z3.If(loss > HARM, weight, z3.RealVal(0)) for weight, loss in held])
    conditions = [risk <= ABSTAIN * total]
    conditions += [harm <= EPSILON * total] if screens[0] else []
    conditions += [risk <= CAP * total] if screens[1] else []
    return z3.And(conditions)


def it_proceeds_exactly_where_the_screens_and_equation_2_admit_it() -> Iterator[Case]:
    """Proceed exactly when Pr(L > delta) <= epsilon, R(b) <= the cap, and R(b) <= kappa."""
    for screens, states, path in _paths():
        given = (*DOMAIN, *path.conditions)
        yield Case(given, z3.BoolVal(path.result.proceed) == _is_admitted(screens, states))


def the_stopping_value_is_that_of_equation_2() -> Iterator[Case]:
    """V_stop is R(b) where it proceeds, and kappa where it does not; never more than kappa."""
    for _, states, path in _paths():
        given = (*DOMAIN, *path.conditions)
        held = zip(WEIGHTS[:states], LOSSES[:states], strict=True)
        risk = z3.Sum([weight * loss for weight, loss in held])
        value, total = term(path.result.value), z3.Sum(WEIGHTS[:states])
        goal = value * total == risk if path.result.proceed else value == ABSTAIN
        yield Case(given, z3.And(goal, value <= ABSTAIN))


CLAUSES: Final[tuple[Callable[[], Iterator[Case]], ...]] = (
    it_proceeds_exactly_where_the_screens_and_equation_2_admit_it,
    the_stopping_value_is_that_of_equation_2,
)
