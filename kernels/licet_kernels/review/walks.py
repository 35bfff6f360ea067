"""What a policy comes to on a review: every answer followed, in exact rationals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from licet import InvalidInput
from licet.review_planner import ReviewModel, ReviewState, initial_state, target_rule

from .problem import earned_at, ideal_at, named_atoms, outcomes_of

Choose: TypeAlias = Callable[[ReviewState], int | None]
"""Chooses the check to run next, by its index in the compiled program, or None to stop."""

WALK_LIMIT: Final = 10_000
"""States that a policy is followed through, at most."""


class Evaluation(NamedTuple):
    """What a policy comes to, under the priors and at worst.

    Attributes:
        utility: the expected utility of what is reported.
        cost: the expected cost of the checks, in calls.
        regret: the greatest regret: over all assignments, the utility of the strongest conclusion
            that the assignment supports, less that of what is reported.
        states: how many states the policy reaches.
    """

    utility: Fraction
    cost: Fraction
    regret: Fraction
    states: int


@dataclass(frozen=True, slots=True)
class PlanNode:
    """A state that a policy reaches, and what it does there.

    Attributes:
        state: the state.
        check: the check that it runs, by its index in the compiled program; None where it stops.
        probability: of coming here.
        utility: the expected utility from here.
        cost: the expected cost of the checks from here, in calls.
        regret: the greatest regret from here.
        children: what follows each answer, as values of the atoms that routes name (under
            constraints, of all atoms, and of what they imply); all true comes first, and answers of
            probability 0 are among them.
    """

    state: ReviewState
    check: int | None
    probability: Fraction
    utility: Fraction
    cost: Fraction
    regret: Fraction
    children: tuple[PlanNode, ...]

    def nodes(self) -> Iterator[PlanNode]:
        """Yield this node and all below it."""
        yield self
        for child in self.children:
            yield from child.nodes()


def stop_at_once(state: ReviewState) -> int | None:
    """Choose no check: report what is authorized without one."""
    return None


def with_completion(model: ReviewModel, choose: Choose) -> Choose:
    """Return a policy with what `Review` runs by completion after it stops: the target rule."""

    def completed(state: ReviewState) -> int | None:
        check = choose(state)
        return next(iter(target_rule(model, state)), None) if check is None else check

    return completed


def guided_choice(model: ReviewModel) -> Choose:
    """Return the target rule: what `Review` guides an agent to, and runs by completion."""
    return with_completion(model, stop_at_once)


def evaluate(model: ReviewModel, choose: Choose, limit: int = WALK_LIMIT) -> Evaluation:
    """Return what a policy comes to from the empty ledger.

    Raises:
        InvalidInput: it reaches more states than `limit`, or chooses a check that was made or
            cannot be paid.
    """
    utility = cost = regret = Fraction(0)
    states, waiting, named = 0, [(Fraction(1), initial_state(model))], named_atoms(model)
    while waiting:
        chance, state = waiting.pop()
        states += 1
        if states > limit:
            raise InvalidInput("policy", f"expected one that reaches at most {limit:,} states")
        check = _payable(model, state, choose(state))
        if check is None:
            earned = earned_at(model, state.settled)
            utility += chance * earned
            regret = max(regret, ideal_at(model, state.settled) - earned)
        else:
            cost += chance * model.program.calls[check].cost
            reached = outcomes_of(model, state, check, named)
            waiting += [(chance * p, after) for p, after in reached]
    return Evaluation(utility, cost / model.program.unit, regret, states)


def grow_tree(model: ReviewModel, choose: Choose, limit: int) -> PlanNode | None:
    """Return a policy as a tree, or None where it has more nodes than `limit`."""
    left, named = limit, named_atoms(model)

    def grow(chance: Fraction, state: ReviewState) -> PlanNode | None:
        nonlocal left
        left -= 1
        if left < 0:
            return None
        check = _payable(model, state, choose(state))
        if check is None:
            earned = earned_at(model, state.settled)
            regret = ideal_at(model, state.settled) - earned
            return PlanNode(state, None, chance, earned, Fraction(0), regret, ())
        children: list[PlanNode] = []
        utility = cost = Fraction(0)
        for share, after in outcomes_of(model, state, check, named):
            child = grow(chance * share, after)
            if child is None:
                return None
            children.append(child)
            utility, cost = utility + share * child.utility, cost + share * child.cost
        cost += Fraction(model.program.calls[check].cost, model.program.unit)
        regret = max(child.regret for child in children)
        return PlanNode(state, check, chance, utility, cost, regret, tuple(children))

    return grow(Fraction(1), initial_state(model))


def _payable(model: ReviewModel, state: ReviewState, check: int | None) -> int | None:
    if check is None:
        return None
    if state.made >> check & 1 or model.program.calls[check].cost > state.left:
        raise InvalidInput("policy", "expected a check that was not made and can be paid")
    return check
