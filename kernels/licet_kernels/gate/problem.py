"""A planning problem from one position: merged hidden states, types of verifiers, whole budgets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from licet.beliefs import Belief, GateModel
from licet.planner import Position

from .encoding import require_exact, whole_costs

if TYPE_CHECKING:
    from .stopping_kernels import Exact, Terms

# A screen that never refuses: above every probability of harm.
NO_SCREEN: Final = 2.0

Doubles: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]


class Settled(NamedTuple):
    """Screens that were decided exactly, because rounding could turn them.

    Attributes:
        states: int64, the sorted indices of their states.
        admits: bool, whether the screens admit Proceed there.
        limit: how many may be decided so, at most.
    """

    states: Integers
    admits: Truths
    limit: int


@dataclass(frozen=True, slots=True, eq=False)
class VerifierType:
    """Verifiers that planning cannot tell apart: equal costs, likelihoods and coverage.

    Attributes:
        members: their indices in the model, as listed.
        uses: how often the type may be asked: all uses together, as far as the budget pays.
        cost: of one use, in units of 1/`Problem.cost_unit`.
        if_right: the probabilities of support and refute when no covered claim is wrong.
        if_wrong: the same when some covered claim is.
    """

    members: tuple[int, ...]
    uses: int
    cost: int
    if_right: tuple[float, float]
    if_wrong: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What the planning kernels read: S merged hidden states, m types of verifiers.

    Attributes:
        weights: float64 [S], the probability of each hidden state.
        losses: float64 [S, 4], 1, the loss of Proceed, 1 where that is harm (else 0), and 0: what
            is summed over hidden states, padded to what a processor adds at once.
        wrong: bool [m, S], whether some claim that the type covers is wrong.
        states: int64 [S], the claims wrong in each hidden state, as a mask of n bits: those of
            the n claims that types cover. Empty when these are over 60.
        covers: int64 [m], the claims that each type covers, as such a mask; empty likewise.
        types: the types of verifiers, those that can be asked at all.
        budget: in units of 1/`cost_unit`, at most what asking everything costs.
        cost_unit: the common denominator of all costs.
        price: lambda, in units of loss for 1/`cost_unit` of cost.
        abstain: kappa, in units of loss.
        harm_screen: epsilon, or `NO_SCREEN`.
        loss_screen: the cap on the expected loss of Proceed, or more than it can be.
        greatest_loss: the greatest loss of Proceed in a hidden state.
        margin: a bound on the relative rounding error of a sum that the kernels compare.
    """

    weights: Doubles
    losses: Doubles
    wrong: Truths
    states: Integers
    covers: Integers
    types: tuple[VerifierType, ...]
    budget: int
    cost_unit: int
    price: float
    abstain: float
    harm_screen: float
    loss_screen: float
    greatest_loss: float
    margin: float

    @property
    def scale(self) -> float:
        """Greatest loss + kappa + lambda budget: what a tolerance of values is relative to."""
        return self.greatest_loss + self.abstain + self.price * self.budget

    @property
    def screens(self) -> bool:
        """Whether any screen can refuse Proceed where it would be chosen."""
        return self.harm_screen < 1 or self.loss_screen < self.abstain


def problem_at(model: GateModel, position: Position, collapse: bool = True) -> Problem:
    """Return the planning problem from a position onward.

    Args:
        model: a model of the exact observation model.
        position: where planning starts.
        collapse: whether verifiers that planning cannot tell apart are one type.

    Raises:
        InvalidInput: the observation model is another, or a cost is too large.
    """
    require_exact(model)
    unit, costs = whole_costs(model)
    budget = int(position.budget * unit)
    seen = _seen(model, position.belief)
    types = _types(model, position, costs, budget, seen if collapse else None)
    kinds = [kind.members[0] for kind in types]
    merged = _merged(model, position.belief, seen[kinds])
    total = position.belief.total
    # Dividing whole numbers rounds to the nearest double.
    probability = np.array([weight / total for _, weight in merged.values()])
    numerators = [loss for loss, _ in merged]
    losses = np.array([loss / model.unit for loss in numerators])
    bound = model.harm_loss * model.unit
    harmful = np.array([loss > bound for loss in numerators])
    first = [state for state, _ in merged.values()]
    states, covers = _masks(model, [position.belief.states[state][0] for state in first], kinds)
    greatest = float(losses.max())
    answers = sum(kind.uses for kind in types)
    return Problem(
        probability,
        np.column_stack([losses**0, losses, harmful, 0 * losses]),
        np.ascontiguousarray(seen[kinds][:, first]),
        states,
        covers,
        types,
        min(budget, sum(kind.uses * kind.cost for kind in types)),
        unit,
        float(model.price / unit),
        float(model.abstain),
        harm_screen(model),
        loss_screen(model, greatest),
        greatest,
        # Products and sums of positive terms only: each operation adds half a unit in the last
        # place. Generous, since what lies within is decided exactly.
        (2 * answers + len(merged) + 64) * 2.0**-52,
    )


def harm_screen(model: GateModel) -> float:
    """Return epsilon, or `NO_SCREEN` where it refuses nothing."""
    epsilon = model.max_harm_probability
    return NO_SCREEN if epsilon is None or epsilon >= 1 else float(epsilon)


def loss_screen(model: GateModel, greatest: float) -> float:
    """Return the cap, or more than the greatest loss where it refuses nothing.

    One of kappa or more never matters, since declining then costs no more.
    """
    cap = model.max_expected_loss
    return 2 * greatest + 1 if cap is None or cap >= model.abstain else float(cap)


def _seen(model: GateModel, belief: Belief) -> Truths:
    """Return bool [verifiers, states], whether some claim that each covers is wrong in each."""
    size = len(model.errors) // 8 + 1
    states = _bytes([mask for mask, _ in belief.states], size)
    covers = _bytes([q.covers for q in model.verifiers], size)
    return np.asarray((states[None, :, :] & covers[:, None, :]).any(axis=2))


def _bytes(masks: list[int], size: int) -> NDArray[np.uint8]:
    joined = b"".join(mask.to_bytes(size, "little") for mask in masks)
    return np.frombuffer(joined, np.uint8).reshape(len(masks), size)


def state_bits(masks: list[int], size: int) -> NDArray[np.uint8]:
    """Return each mask as a row of 8 `size` zeros and ones, the lowest bit first."""
    return np.unpackbits(_bytes(masks, size), axis=1, bitorder="little")


def _masks(model: GateModel, states: list[int], kinds: list[int]) -> tuple[Integers, Integers]:
    """Return states and coverage as masks of the claims that some verifiers cover."""
    size = len(model.errors) // 8 + 1
    covers = state_bits([model.verifiers[q].covers for q in kinds], size)
    covered = np.flatnonzero(covers.any(axis=0))
    if len(covered) > 60:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    powers = 1 << np.arange(len(covered), dtype=np.int64)
    return state_bits(states, size)[:, covered] @ powers, covers[:, covered] @ powers


def _types(
    model: GateModel,
    position: Position,
    costs: tuple[int, ...],
    budget: int,
    seen: Truths | None,
) -> tuple[VerifierType, ...]:
    """Return the types of verifiers that can be asked and paid at least once, as first listed.

    `seen` is None to make each verifier a type of its own.
    """
    grouped: dict[object, list[int]] = {}
    for index, q in enumerate(model.verifiers):
        if position.uses[index] and costs[index] <= budget:
            key: object = index
            if seen is not None:
                key = (costs[index], q.sensitivity, q.specificity, seen[index].tobytes())
            grouped.setdefault(key, []).append(index)
    return tuple(
        _type(model, tuple(members), sum(position.uses[q] for q in members), costs, budget)
        for members in grouped.values()
    )


def _type(
    model: GateModel, members: tuple[int, ...], uses: int, costs: tuple[int, ...], budget: int
) -> VerifierType:
    q, cost = model.verifiers[members[0]], costs[members[0]]
    return VerifierType(
        members,
        min(uses, budget // cost) if cost else uses,
        cost,
        (float(q.specificity), float(1 - q.specificity)),
        (float(1 - q.sensitivity), float(q.sensitivity)),
    )


def _merged(
    model: GateModel, belief: Belief, seen: Truths
) -> Mapping[tuple[int, bytes], tuple[int, int]]:
    """Return for each (loss, what the types see) one state that has it, and their weight.

    Hidden states that planning cannot tell apart are one: harm is a function of the loss.
    """
    merged: dict[tuple[int, bytes], tuple[int, int]] = {}
    columns = np.ascontiguousarray(np.packbits(seen, axis=0).T)
    for index, (mask, weight) in enumerate(belief.states):
        key = (model.losses[mask], columns[index].tobytes())
        first, before = merged.get(key, (index, 0))
        merged[key] = (first, before + weight)
    return merged


def likelihood(answer: tuple[float, float], supported: int, refuted: int) -> float:
    """Return the likelihood of one sequence of answers, with no multiplicity of orders.

    Args:
        answer: the probabilities of support and refute.
        supported: how often the answer was support.
        refuted: how often it was refute.
    """
    return float(answer[0] ** supported * answer[1] ** refuted)


def terms_of(problem: Problem) -> "Terms":
    """Return the numbers in Equation (2) as the kernels take them."""
    from .stopping_kernels import Terms

    return Terms(
        problem.price,
        problem.abstain,
        problem.harm_screen,
        problem.loss_screen,
        problem.margin,
        problem.screens,
        problem.budget,
    )


def scratch(settled: Settled) -> "Exact":
    """Return what one kernel call reads of settled screens, and where it notes open ones."""
    from .stopping_kernels import Exact

    return Exact(
        settled.states,
        settled.admits,
        np.empty(settled.limit + 1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )
