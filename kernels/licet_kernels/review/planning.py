"""Exact review planning behind one interface: the reference or the kernel, with the same answer.

`exact_plan` plans; the core's reference takes small programs, and all that it can under constraints
or where numba is not installed, and the kernel takes the others. Worths agree within rounding, and
in a tie both choose the same. `evaluate` and `evaluate_guided` give the value of policies to hold
it against.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol

from licet import InvalidInput, ReviewModel, ReviewPlanner
from licet.review_planner import STATE_LIMIT as REFERENCE_LIMIT
from licet.review_planner import ReviewState, initial_state, state_count

from ..compilation import EXTRA, available
from .problem import STATE_LIMIT, problem_from, require_size
from .walks import (
    Choose,
    Evaluation,
    PlanNode,
    evaluate,
    grow_tree,
    guided_choice,
    stop_at_once,
    with_completion,
)

if TYPE_CHECKING:
    from .lattice import LatticePlan

__all__ = [
    "Choose",
    "Evaluation",
    "ExactPlan",
    "PlanNode",
    "evaluate",
    "evaluate_guided",
    "evaluate_plan",
    "exact_plan",
    "grow_tree",
    "guided_choice",
    "kernel_plan",
    "stop_at_once",
    "uses_reference",
    "with_completion",
]

REFERENCE_STATES: Final = 250
"""States up to which the reference plans sooner than a kernel is loaded."""


class ExactPlan(Protocol):
    """An exact plan: what may be asked of the reference's and the kernel's alike."""

    def worth(self, state: ReviewState) -> Fraction | float:
        """Return what is expected to be earned from a state; with regret, minus the greatest."""

    def choose(self, state: ReviewState) -> int | None:
        """Return the check to run next, or None to stop.

        Of equals, stopping comes first, then checks that cost nothing, then by identifier.
        """


def exact_plan(model: ReviewModel, *, regret: bool = False, limit: int = STATE_LIMIT) -> ExactPlan:
    """Return the exact plan of a review from the empty ledger.

    Args:
        model: the planning problem (`licet.review_model` makes it).
        regret: minimize the greatest regret, instead of maximizing the expected utility.
        limit: states within the budget, at most; a kernel takes 8 bytes for each.

    Raises:
        InvalidInput: there are more, or more than the reference takes and numba is not installed;
            nothing is planned, and no memory taken.
    """
    if uses_reference(model):
        return ReviewPlanner(model, regret=regret)
    problem = problem_from(model, initial_state(model), regret=regret)
    require_size(problem, limit)
    if not available():
        raise InvalidInput(
            "policy",
            f"{problem.states:,} states within the budget are too many for exact planning without"
            f" the compiled kernels: {EXTRA}; or use the guided policy",
        )
    return kernel_plan(model, regret=regret, limit=limit)


def kernel_plan(
    model: ReviewModel, *, regret: bool = False, limit: int = STATE_LIMIT
) -> LatticePlan:
    """Return the kernel's plan whatever the size; the arguments are those of `exact_plan`.

    Raises:
        InvalidInput: as `exact_plan`, and for a program with constraints.
    """
    from .lattice import LatticePlan

    return LatticePlan(model, initial_state(model), regret=regret, limit=limit)


def uses_reference(model: ReviewModel) -> bool:
    """Return whether the reference plans this: under constraints always, else by size.

    What is small depends on whether numba is there.
    """
    if model.program.clauses:
        return True
    most = REFERENCE_STATES if available() else REFERENCE_LIMIT
    return state_count(model, initial_state(model), most) <= most


def evaluate_plan(model: ReviewModel, plan: ExactPlan) -> Evaluation:
    """Return what following a plan comes to; where it reaches many states, in float64."""
    try:
        return evaluate(model, plan.choose)
    except InvalidInput:
        from .lattice import LatticePlan

        if not isinstance(plan, LatticePlan):
            raise
        return plan.follow()


def evaluate_guided(model: ReviewModel) -> Evaluation:
    """Return what the target rule comes to: PRIME's own policy, and `Review`'s, with completion.

    Exactly, or in float64 where it reaches many states and the kernels are there.

    Raises:
        InvalidInput: it reaches more states than are followed.
    """
    if model.program.clauses or not available():
        return evaluate(model, guided_choice(model))
    try:
        return evaluate(model, guided_choice(model), REFERENCE_STATES)
    except InvalidInput:
        from .guided import follow_guided

        return follow_guided(model)
