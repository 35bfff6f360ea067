"""Proposition 1: the demand for verification rises with the loss, then collapses.

Confirmed over the reals on the core's own functions, for every p in (0, 1), kappa > 0, r in
(1/2, 1], c >= 0 and theta >= 0: each goal is shown on every pair of paths through the code. What is
not covered: rounding; the core computes in exact rationals. Beside it, tested: the same on sampled
rationals against the formulas as the paper writes them, and against the gate's own model.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import z3
from hypothesis import example, given
from hypothesis import strategies as st

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet.information import one_step, stopping
from licet.planner import start
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

from .expect import SAMPLED, expect
from .gate_views import model_of
from .solver_reals import Real, paths, proved

ERROR, ABSTAIN, RELIABILITY, COST, LOSS = z3.Reals("p kappa r c theta")
DOMAIN = (
    ERROR > 0,
    ERROR < 1,
    ABSTAIN > 0,
    2 * RELIABILITY > 1,
    RELIABILITY <= 1,
    COST >= 0,
    LOSS >= 0,
)


class Case(NamedTuple):
    """One obligation: its premises (with the conditions of its paths) and what must follow."""

    given: tuple[z3.BoolRef, ...]
    goal: z3.BoolRef


def term(value: object) -> z3.ArithRef:
    """Return the solver's term of a result."""
    if not isinstance(value, Real):
        raise TypeError(f"expected a solver's real, found {value!r}")
    return value.term


def an_answer_moves_the_error_probability_to_its_side() -> Iterator[Case]:
    """p+ < p < p-, and pi is a probability (Proposition 1, step 1)."""
    for path in paths(posterior, (ERROR, RELIABILITY), DOMAIN):
        found = path.result
        yield Case(
            (*DOMAIN, *path.conditions),
            z3.And(
                term(found.after_support) < ERROR,
                term(found.after_refute) > ERROR,
                term(found.after_refute) <= 1,
                term(found.after_support) >= 0,
                term(found.support) > 0,
                term(found.support) < 1,
            ),
        )


def _interval_paths() -> Iterator[tuple[tuple[z3.BoolRef, ...], Interval | None, Posterior]]:
    for path in paths(verification_interval, (ERROR, ABSTAIN, RELIABILITY, COST), DOMAIN):
        for inner in paths(posterior, (ERROR, RELIABILITY), DOMAIN):
            yield (*DOMAIN, *path.conditions, *inner.conditions), path.result, inner.result


def _inside(interval: Interval | None) -> z3.BoolRef:
    if interval is None:
        return z3.BoolVal(False)
    above = term(interval.low) < LOSS
    return above if interval.high is None else z3.And(above, term(interval.high) > LOSS)


def verifying_is_strictly_better_exactly_inside_the_interval() -> Iterator[Case]:
    """V_ver < V_stop exactly for theta in the open interval (theta1, theta2)."""
    verify = (LOSS, ERROR, ABSTAIN, RELIABILITY, COST)
    for under, interval, _ in _interval_paths():
        for ver in paths(value_of_verifying, verify, under):
            for stop in paths(value_of_stopping, (LOSS, ERROR, ABSTAIN), under):
                yield Case(
                    (*under, *ver.conditions, *stop.conditions),
                    (term(ver.result) < term(stop.result)) == _inside(interval),
                )


def the_interval_is_bracketed_and_holds_the_indifference_point() -> Iterator[Case]:
    """Where it is not empty: kappa/p- <= theta1 < kappa/p < theta2 <= kappa/p+."""
    for under, interval, found in _interval_paths():
        if interval is None:
            continue
        low, point = term(interval.low), ABSTAIN / ERROR
        goal = z3.And(ABSTAIN / term(found.after_refute) <= low, low < point)
        if interval.high is not None:
            high = term(interval.high)
            goal = z3.And(goal, point < high, high <= ABSTAIN / term(found.after_support))
        yield Case(under, goal)


def the_interval_is_empty_exactly_at_the_stated_cost() -> Iterator[Case]:
    """Empty exactly when c >= pi kappa (1 - p+/p); for r = 1 exactly when c >= (1 - p) kappa."""
    for under, interval, found in _interval_paths():
        bound = term(found.support) * ABSTAIN * (1 - term(found.after_support) / ERROR)
        empty = z3.BoolVal(interval is None)
        yield Case(under, empty == (bound <= COST))
        yield Case((*under, RELIABILITY == 1), empty == (COST >= (1 - ERROR) * ABSTAIN))


def only_a_perfect_verifier_is_worth_asking_at_any_loss() -> Iterator[Case]:
    """theta2 is infinite exactly when r = 1 and the interval is not empty."""
    for under, interval, _ in _interval_paths():
        if interval is not None:
            yield Case(under, z3.BoolVal(interval.high is None) == (RELIABILITY == 1))


def below_proceed_above_abstain() -> Iterator[Case]:
    """Below the interval Proceed is optimal, above it Abstain; inside, verifying."""
    arguments = (LOSS, ERROR, ABSTAIN, RELIABILITY, COST)
    for under, interval, _ in _interval_paths():
        for path in paths(regime, arguments, under):
            expected = {
                Regime.VERIFY: _inside(interval),
                Regime.PROCEED: z3.And(z3.Not(_inside(interval)), LOSS * ERROR <= ABSTAIN),
                Regime.ABSTAIN: z3.And(z3.Not(_inside(interval)), LOSS * ERROR > ABSTAIN),
            }
            yield Case((*under, *path.conditions), expected[path.result])
            if interval is not None:
                below = z3.Implies(
                    term(interval.low) >= LOSS, z3.BoolVal(path.result is Regime.PROCEED)
                )
                yield Case((*under, *path.conditions), below)


CLAUSES: Final[tuple[Callable[[], Iterator[Case]], ...]] = (
    an_answer_moves_the_error_probability_to_its_side,
    verifying_is_strictly_better_exactly_inside_the_interval,
    the_interval_is_bracketed_and_holds_the_indifference_point,
    the_interval_is_empty_exactly_at_the_stated_cost,
    only_a_perfect_verifier_is_worth_asking_at_any_loss,
    below_proceed_above_abstain,
)


def confirm(clause: Callable[[], Iterator[Case]]) -> int:
    """Prove every case of a clause and return how many there were.

    Raises:
        PropertyFalls: a case is not proved, or there was none.
    """
    cases = 0
    for case in clause():
        expect(proved(case.goal, case.given), clause.__name__, "is not proved under", case.given)
        cases += 1
    expect(cases > 0, clause.__name__, "has no case")
    return cases


def the_proposition_holds_over_the_reals() -> int:
    """Both thresholds, every regime, r = 1 and the empty interval, for all real parameters.

    Source: AMV, Proposition 1 and appendix A; confirmed by a solver on every path of the code.
    """
    return sum(confirm(clause) for clause in CLAUSES)


def _between(low: int, high: int) -> st.SearchStrategy[Fraction]:
    return st.fractions(low, high, max_denominator=60)


errors: Final = st.integers(1, 59).map(lambda n: Fraction(n, 60))
reliabilities: Final = st.integers(31, 60).map(lambda n: Fraction(n, 60))


class Setting(NamedTuple):
    """theta, p, kappa, r and c."""

    loss: Fraction
    error: Fraction
    abstain: Fraction
    reliability: Fraction
    cost: Fraction


settings_of_one: Final = st.builds(
    Setting,
    _between(0, 40),
    errors,
    _between(0, 3).map(lambda kappa: kappa + Fraction(1, 60)),
    reliabilities,
    _between(0, 1),
)
"""One premise, one symmetric verifier."""

PERFECT: Final = Setting(Fraction(1000), Fraction(1, 4), Fraction(1), Fraction(1), Fraction(1, 10))
# Its thresholds are 75/14 and 95/12, and p- is 3/4.
NOISY: Final = Setting(Fraction(10), Fraction(1, 4), Fraction(1), Fraction(9, 10), Fraction(1, 10))


@SAMPLED
@example(PERFECT)
@example(NOISY)
@given(settings_of_one)
def the_regimes_are_the_papers(setting: Setting) -> None:
    """Verify exactly where its value is less, else Proceed up to kappa, else Abstain.

    Source: AMV, Proposition 1, written out in joint probabilities; tested on rationals.
    """
    theta, p, kappa, r, c = setting
    if_supports = min(theta * (1 - r) * p, kappa * (r + p - 2 * p * r))
    if_refutes = min(theta * r * p, kappa * (1 - (r + p - 2 * p * r)))
    verify, stop = c + if_supports + if_refutes, min(theta * p, kappa)
    if verify < stop:
        expected = Regime.VERIFY
    else:
        expected = Regime.PROCEED if theta * p <= kappa else Regime.ABSTAIN
    found = regime(*setting)
    expect(found is expected, setting, "is", found, "not", expected)
    interval = verification_interval(p, kappa, r, c)
    inside = (
        interval is not None
        and theta > interval.low
        and (interval.high is None or theta < interval.high)
    )
    expect(inside == (verify < stop), setting, "and the interval", interval)


@SAMPLED
@example(PERFECT)
@example(NOISY)
@given(settings_of_one)
def the_gates_own_model_has_these_values(setting: Setting) -> None:
    """Equation (4) of a candidate of one premise is V_stop - V_ver of the proposition.

    Source: AMV, Proposition 1 and Equations (2) and (4); tested on rationals.
    """
    theta, p, kappa, r, c = setting
    candidate = Candidate(
        "act",
        (Claim("claim", p),),
        (Premise("premise", "claim"),),
        (FailureMode(("premise",), theta, "group"),),
        (Verifier.symmetric("verifier", c, ("claim",), r),),
        Loss(abstain=kappa, price=1),
    )
    model = model_of(candidate)
    belief = start(model, c).belief
    stop = value_of_stopping(theta, p, kappa)
    worth = stop - value_of_verifying(theta, p, kappa, r, c)
    found = (stopping(model, belief).value, one_step(model, belief, 0))
    expect(found == (stop, worth), setting, "gives", found, "not", (stop, worth))


PROPERTIES: Final[tuple[Callable[[], object], ...]] = (
    the_proposition_holds_over_the_reals,
    the_regimes_are_the_papers,
    the_gates_own_model_has_these_values,
)
