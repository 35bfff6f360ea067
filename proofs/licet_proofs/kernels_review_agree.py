"""Holds the review's kernels against the core, state by state; needs numba and numpy.

Imported where a property runs.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np

from licet import ReviewModel, ReviewPlanner
from licet.compiled import CompiledProgram
from licet.decisions import Target, authorized, checks_in_order, hold, maximal, target
from licet.review_planner import ReviewState, answers, initial_state, useful_checks
from licet_kernels.review.encoding import decode, encode
from licet_kernels.review.lattice import LatticePlan
from licet_kernels.review.ledgers import (
    authorized_many,
    held_many,
    ledgers_of,
    maximal_many,
    targets_many,
)

from .expect import expect
from .generators import Case
from .review_problems import Moment

RELATIVE: Final = Fraction(1, 10**12)
"""Of the greatest utility."""


def plan_of(model: ReviewModel, regret: bool = False, threads: int | None = None) -> LatticePlan:
    """Return the kernel's plan from the empty ledger."""
    return LatticePlan(model, initial_state(model), regret=regret, threads=threads)


def states_from(model: ReviewModel, state: ReviewState) -> Iterator[ReviewState]:
    """Yield every state that useful checks lead to, each once."""
    seen, waiting = {state}, [state]
    while waiting:
        state = waiting.pop()
        yield state
        for check in useful_checks(model, state):
            for _, after in answers(model, state, check):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)


def compare_plans(model: ReviewModel, plan: LatticePlan, planner: ReviewPlanner) -> None:
    """Compare a plan with the reference at every state: its worth, and what is chosen there.

    Expected worths are within 1e-12 of themselves, regrets within 1e-12 of the greatest utility.
    Choices are equal, because the models' numbers are equal or far from almost equal.
    """
    greatest = max(model.utilities)
    for state in states_from(model, plan.root):
        worth, expected = plan.worth(state), planner.worth(state)
        near = abs(Fraction(worth) - expected) <= RELATIVE * (greatest if plan.regret else expected)
        expect(near, state, "is worth", worth, "not", expected)
        chosen, reference = plan.choose(state), planner.choose(state)
        expect(chosen == reference, state, "it makes", chosen, "not", reference)


def compare_problem(model: ReviewModel) -> None:
    """Compare the plans of both criteria: expected utility, and the greatest regret."""
    for regret in (False, True):
        compare_plans(model, plan_of(model, regret), ReviewPlanner(model, regret=regret))


class Kernels(NamedTuple):
    """What is held against the core: the kernels, or a copy of them."""

    encode: Callable[..., Any] = encode
    ledgers_of: Callable[..., Any] = ledgers_of
    authorized_many: Callable[..., Any] = authorized_many
    maximal_many: Callable[..., Any] = maximal_many
    targets_many: Callable[..., Any] = targets_many
    held_many: Callable[..., Any] = held_many


REAL: Final = Kernels()


def compare_decisions(case: Case, drawn: Sequence[Moment], kernels: Kernels = REAL) -> None:
    """Compare what is authorized, maximal, targeted and held at every ledger, bit for bit."""
    program = case.commitment.compiled
    arrays = kernels.encode(program)
    many = kernels.ledgers_of(moment.settled for moment in drawn)
    auth = kernels.authorized_many(arrays, many)
    top = kernels.maximal_many(arrays, auth)
    runnable = np.array([moment.runnable for moment in drawn], np.uint64)
    aims = kernels.targets_many(arrays, many, [moment.left for moment in drawn], runnable)
    held = kernels.held_many(arrays, aims, auth)
    for i, moment in enumerate(drawn):
        allowed = authorized(program, moment.settled)
        expect(int(auth[i]) == allowed, moment, "authorizes", int(auth[i]), "not", allowed)
        greatest = maximal(program, allowed)
        expect(int(top[i]) == greatest, moment, "maximal are", int(top[i]), "not", greatest)
        aim = target(program, moment.settled, moment.left, moment.runnable)
        found = tuple(int(column[i]) for column in aims)
        _compare_targets(program, moment, aim, found)
        held_open = hold(program, aim, allowed)
        expect(bool(held[i]) == held_open, moment, "hold is", bool(held[i]), "not", held_open)


def _compare_targets(
    program: CompiledProgram, moment: Moment, aim: Target | None, found: tuple[int, ...]
) -> None:
    """Compare a target: conclusion, route, checks, cost, whether that is the least, first check."""
    if aim is None:
        expect(found[0] == -1, moment, "has no target, not", found)
        return
    first = next(iter(checks_in_order(program, aim, moment.settled)), -1)
    expected = (aim.conclusion, aim.route, *map(int, aim.cover), first)
    expect(found == expected, moment, "the target is", found, "not", expected)


def compare_encodings(case: Case) -> None:
    """Encode a program and decode it: the program comes back, and the arrays as they were."""
    program = case.commitment.compiled
    arrays = encode(program)
    back = decode(arrays)
    expect(back == program, back, "is not", program)
    again = encode(back)
    for part, other in zip(arrays[:3], again[:3], strict=True):
        for one, two in zip(part, other, strict=True):
            expect(one.dtype == two.dtype and np.array_equal(one, two), two, "is not", one)
    expect(again.names == arrays.names, again.names, "is not", arrays.names)
