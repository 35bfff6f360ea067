"""Policies on one interface, and policies as trees (AMV, sections 3.3 and 4.3).

A policy is opened for a model and a budget and gives what chooses the next query at a position. It
only chooses queries: where it stops, Equation (2) decides.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from . import sums
from .beliefs import ONE, ZERO, GateModel
from .candidate import ObservationModel
from .errors import InvalidInput
from .information import Uses, affordable, one_step, outcomes, price_of, stopping, two_step
from .planner import DEPTH_LIMIT, ExactPlanner, Position, require_small, start, step

Chooser: TypeAlias = Callable[[Position], int | None]
"""Chooses the verifier to ask next, or None to stop."""

Policy: TypeAlias = Callable[[GateModel, Fraction], Chooser]
"""Opens for a model and a budget, or refuses with `InvalidInput` what is too large for it."""

# A tree of more nodes than this is refused, and two-step values that take more than this.
TREE_LIMIT: Final = 100_000
PAIR_LIMIT: Final = 1 << 22


class Node(NamedTuple):
    """A decision under a policy, and what follows each answer.

    Attributes:
        verifier: the verifier that is asked, or None where the policy stops.
        proceed: where it stops, whether it proceeds.
        value: the expected objective from here: loss plus the price of what is still asked.
        cost: the expected verification cost from here.
        probability: of reaching this node.
        children: (refutes, node) for each possible answer.
    """

    verifier: int | None
    proceed: bool
    value: Fraction
    cost: Fraction
    probability: Fraction
    children: tuple[tuple[bool, "Node"], ...]


@require(lambda budget: budget >= 0)
def exact_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Equation (3) itself: an optimal continuation at every position; for small models."""
    return ExactPlanner(model, budget).choose


@require(lambda budget: budget >= 0)
def two_step_policy(model: GateModel, budget: Fraction) -> Chooser:
    """AMV-Guard: the greatest positive one-step value, else the greatest positive two-step one.

    Raises:
        InvalidInput: more hidden states times pairs of verifiers than `PAIR_LIMIT`.
    """
    size = pair_size(model)
    if size > PAIR_LIMIT:
        raise InvalidInput(
            "verifiers",
            f"{size} pairs of verifiers times hidden states are more than the {PAIR_LIMIT} that the"
            " two-step policy takes; use the greedy policy",
        )
    return partial(_two_step, model)


def pair_size(model: GateModel) -> int:
    """Return what two-step values take: pairs of verifiers times hidden states.

    The shared model, which is rolled forward, takes about sixteen times as much.
    """
    asked = sum(q.uses > 0 for q in model.verifiers)
    weight = 1 if model.observation is ObservationModel.EXACT else 16
    return weight * len(model.losses) * asked * (asked + 1) // 2


@require(lambda budget: budget >= 0)
def greedy_policy(model: GateModel, budget: Fraction) -> Chooser:
    """The verifier of greatest positive one-step value, else stop."""
    return partial(_greedy, model)


@require(lambda budget: budget >= 0)
def stop_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Never verify: stop at once."""
    return lambda position: None


@require(lambda budget: budget >= 0)
def always_verify_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Ask the first listed verifier that can be asked and paid, until there is none."""
    return lambda position: next(iter(_askable(model, position)), None)


def _greedy(model: GateModel, position: Position) -> int | None:
    return _greatest_positive(one_step_values(model, position))


def _two_step(model: GateModel, position: Position) -> int | None:
    first = _greedy(model, position)
    return _greatest_positive(two_step_values(model, position)) if first is None else first


@ensure(lambda model, position, result: tuple(result) == _askable(model, position))
def one_step_values(model: GateModel, position: Position) -> dict[int, Fraction]:
    """Return VOI(q; b), Equation (4), of every verifier that can be asked and paid."""
    asked = _askable(model, position)
    if model.observation is ObservationModel.EXACT:
        return sums.one_step_values(model, position.belief, asked)
    return {q: one_step(model, position.belief, q) for q in asked}


@ensure(lambda model, position, result: tuple(result) == _askable(model, position))
def two_step_values(model: GateModel, position: Position) -> dict[int, Fraction]:
    """Return the two-step value, Equation (5), of every verifier that can be asked and paid."""
    if model.observation is ObservationModel.EXACT:
        return sums.two_step_values(model, position.belief, position.uses, position.budget)
    return {
        q: two_step(model, position.belief, q, position.uses, position.budget)
        for q in _askable(model, position)
    }


def _askable(model: GateModel, position: Position) -> tuple[int, ...]:
    return affordable(model, position.uses, position.budget)


def _greatest_positive(values: dict[int, Fraction]) -> int | None:
    """Return the verifier of greatest value if that is positive; the first listed of equals."""
    best = max(values, key=lambda verifier: values[verifier], default=None)
    return best if best is not None and values[best] > 0 else None


@require(lambda budget: budget >= 0)
def static_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Ask one fixed multiset of verifiers, the best chosen beforehand, whatever is answered.

    The best affordable multiset has the least price plus expected stopping value; of equals the
    one with the fewest questions, then with more of those to the verifiers listed first. They are
    asked as listed.

    Raises:
        InvalidInput: more lattice states within the budget than `LATTICE_LIMIT`.
    """
    require_small(model, budget, "static policy")
    plans: list[_FixedSet] = [_FixedSet((), ZERO, {start(model, budget): ONE})]
    for verifier in range(len(model.verifiers)):
        plans = [longer for plan in plans for longer in _with_more(model, plan, verifier)]
    best = min(plans, key=lambda plan: _rank(model, plan))
    return partial(_next_planned, model, best.asked)


class _FixedSet(NamedTuple):
    """A fixed set: how often each verifier is asked, its price, the positions that it leads to."""

    asked: Uses
    price: Fraction
    reached: dict[Position, Fraction]


def _with_more(model: GateModel, plan: _FixedSet, verifier: int) -> Iterator[_FixedSet]:
    """Yield a set with the next verifier asked not at all, once, and so on while it can be paid."""
    price, reached = plan.price, plan.reached
    for asked in count():
        yield _FixedSet((*plan.asked, asked), price, reached)
        if verifier not in _askable(model, next(iter(reached))):
            return
        price, reached = price + price_of(model, verifier), _asked(model, reached, verifier)


def _asked(
    model: GateModel, reached: dict[Position, Fraction], verifier: int
) -> dict[Position, Fraction]:
    """Return the positions after one more answer of a verifier; equal ones are one."""
    after: dict[Position, Fraction] = {}
    for position, chance in reached.items():
        for share, refutes, _ in outcomes(model, position.belief, verifier):
            then = step(model, position, verifier, refutes)
            after[then] = after.get(then, ZERO) + chance * share
    return after


def _rank(model: GateModel, plan: _FixedSet) -> tuple[Fraction, int, list[int]]:
    """Return what the best set has the least of: its value first."""
    stops = (p * stopping(model, position.belief).value for position, p in plan.reached.items())
    return plan.price + sum(stops, ZERO), sum(plan.asked), [-n for n in plan.asked]


def _next_planned(model: GateModel, plan: Uses, position: Position) -> int | None:
    """Return the first planned question not asked yet; one that failed counts as asked.

    One that can no longer be paid, for what was asked beside the plan, is left out.
    """
    for verifier in _askable(model, position):
        if model.verifiers[verifier].uses - position.uses[verifier] < plan[verifier]:
            return verifier
    return None


@ensure(lambda budget, result: result.cost <= budget)
def policy_tree(model: GateModel, policy: Policy, budget: Fraction) -> Node:
    """Return a policy as a decision tree, with its exact expected objective and cost.

    Rolled forward answer by answer, so it holds for either observation model; invalidation (rho)
    is left out.

    Raises:
        InvalidInput: the policy chooses what cannot be asked and paid, or the tree is too large.
    """
    return _Tree(model, policy(model, budget)).grow(start(model, budget), ONE, 0)


class _Tree:
    """Grows one tree, and counts its nodes."""

    def __init__(self, model: GateModel, choose: Chooser) -> None:
        self._model, self._choose, self._nodes = model, choose, 0

    def grow(self, position: Position, chance: Fraction, depth: int) -> Node:
        model, verifier = self._model, self._choose(position)
        self._nodes += 1
        if self._nodes > TREE_LIMIT or depth > DEPTH_LIMIT:
            raise InvalidInput(
                "policy", f"expected a tree of at most {TREE_LIMIT} nodes and {DEPTH_LIMIT} answers"
            )
        if verifier is None:
            stop = stopping(model, position.belief)
            return Node(None, stop.proceed, stop.value, ZERO, chance, ())
        if type(verifier) is not int or verifier not in _askable(model, position):
            raise InvalidInput("policy", "expected a verifier that can be asked and paid")
        value, cost = price_of(model, verifier), model.verifiers[verifier].cost
        children: tuple[tuple[bool, Node], ...] = ()
        for share, refutes, _ in outcomes(model, position.belief, verifier):
            after = step(model, position, verifier, refutes)
            node = self.grow(after, chance * share, depth + 1)
            value, cost = value + share * node.value, cost + share * node.cost
            children = (*children, (refutes, node))
        return Node(verifier, False, value, cost, chance, children)
