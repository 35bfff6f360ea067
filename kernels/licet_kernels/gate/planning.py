"""Exact planning behind one interface: the core's reference or the kernel, with the same answer.

`exact_policy` is a policy as `licet.policies` defines them. The reference plans small lattices,
and everything that it takes where numba is not installed; the kernel plans the others. Values
agree within rounding; where two choices are worth the same, both take stopping first and then the
verifier that is listed first.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from licet import InvalidInput
from licet.beliefs import GateModel
from licet.planner import (
    DEPTH_LIMIT,
    LATTICE_LIMIT,
    WORK_LIMIT,
    ExactPlanner,
    Position,
    lattice_size,
)
from licet.policies import Chooser

from ..compilation import EXTRA, available, require_available

if TYPE_CHECKING:
    from .plan import Plan, PlanSize

# So many lattice states take the reference about as long as loading compiled kernels takes.
REFERENCE_STATES: Final = 500
# The same for hidden states looked at over all lattice states.
REFERENCE_WORK: Final = 1 << 16


class KernelPlanner:
    """An exact plan, and a new one wherever an episode leaves it.

    A plan covers every position that answers lead to. A failed call takes a use and its cost and
    gives no answer; planning starts anew from there, on a smaller lattice. One plan is held at a
    time. For one thread at a time.

    Raises:
        InvalidInput: the model is too large, its observation model is not the exact one, or numba
            is not installed.
    """

    def __init__(self, model: GateModel, budget: Fraction) -> None:
        """Plan, or refuse what is too large before any memory is taken."""
        require_available("policy")
        from .plan import plan

        self._model = model
        self._plan: Plan = plan(model, budget)

    @property
    def plan(self) -> "Plan":
        """The plan that covers the last position asked for."""
        return self._plan

    def choose(self, position: Position) -> int | None:
        """Return the first query of an optimal continuation, or None to stop."""
        from .plan import plan_from

        if not self._plan.covers(position):
            self._plan = plan_from(self._model, position)
        return self._plan.choose(position)


def exact_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Return what chooses by Equation (3), as `licet.policies.exact_policy` does.

    Raises:
        InvalidInput: the model is too large, its observation model is not the exact one, or it is
            too large for the reference and numba is not installed.
    """
    if uses_reference(model, budget):
        return ExactPlanner(model, budget).choose
    _require_kernels(model, budget)
    return KernelPlanner(model, budget).choose


def require_plannable(model: GateModel, budget: Fraction) -> None:
    """Return if `exact_policy` takes a model; nothing is planned.

    Raises:
        InvalidInput: it does not, as `exact_policy` says.
    """
    if uses_reference(model, budget):
        ExactPlanner(model, budget)
    else:
        _require_kernels(model, budget)
        plan_size(model, budget)


def uses_reference(model: GateModel, budget: Fraction) -> bool:
    """Return whether the core's reference plans a model: by size, and whether numba is there."""
    size = lattice_size(model, budget)
    states, work = (
        (REFERENCE_STATES, REFERENCE_WORK) if available() else (LATTICE_LIMIT, WORK_LIMIT)
    )
    looked_at = size.states * len(model.losses)
    return size.states <= states and looked_at <= work and size.depth <= DEPTH_LIMIT


def _require_kernels(model: GateModel, budget: Fraction) -> None:
    """Refuse what the reference does not take, where there is nothing but the reference."""
    if available():
        return
    size, hidden = lattice_size(model, budget), len(model.losses)
    for count, limit, things in (
        (size.states, LATTICE_LIMIT, "positions (how often each verifier supported and refuted)"),
        (size.depth, DEPTH_LIMIT, "answers in a row"),
        (size.states * hidden, WORK_LIMIT, f"positions times hidden states ({hidden:,})"),
    ):
        if count > limit:
            raise InvalidInput(
                "verifiers",
                f"at least {count:,} {things} are more than the {limit:,} that are planned exactly"
                f" without the compiled kernels: {EXTRA}; or use the two-step policy",
            )


def plan_size(model: GateModel, budget: Fraction) -> "PlanSize":
    """Return how many states the kernel plans, in which layout, and in how many bytes.

    Nothing is planned, and no memory taken.

    Raises:
        InvalidInput: it would be refused, or numpy is not installed.
    """
    require_available("policy")
    from . import plan

    return plan.plan_size(model, budget)
