"""A planning problem from one position: merged hidden states, types of verifiers, whole budgets."""

from dataclasses import dataclass
from itertools import count
from math import floor, log10
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from licet import InvalidInput
from licet.beliefs import Belief, CompiledVerifier, GateModel
from licet.planner import Position

from .encoding import INTEGER_LIMIT, GateArrays, bits, encode, likelihoods

if TYPE_CHECKING:
    from .stopping_kernels import Exact, Terms

# The decimal logarithm of what is surely held by a double, with digits to spare.
_FAINTEST: Final = -290.0

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
    margin: float

    @property
    def scale(self) -> float:
        """Kappa + lambda budget: what a tolerance of values is relative to.

        No optimal value is above it, for stopping never costs more than kappa, and sums of positive
        terms err by a share of themselves; a greater loss would only hide what checks are worth.
        """
        return self.abstain + self.price * self.budget

    @property
    def screens(self) -> bool:
        """Whether any screen can refuse Proceed where it would be chosen."""
        return self.harm_screen < 1 or self.loss_screen < self.abstain

    @property
    def faint(self) -> bool:
        """Whether a screen of 0 could see no harm, or no loss, where it is only too small.

        Every other bound is far above what a double loses.
        """
        if self.harm_screen > 0 and self.loss_screen > 0:
            return False
        least = log10(float(self.weights[self.weights > 0].min()))
        losses = self.losses[:, 1]
        least += min(0.0, log10(float(losses[losses > 0].min(initial=1.0))))
        for kind in self.types:
            answers = (*kind.if_right, *kind.if_wrong)
            least += kind.uses * log10(min(answer for answer in answers if answer > 0))
        return least < _FAINTEST


def problem_at(model: GateModel, position: Position, collapse: bool = True) -> Problem:
    """Return the planning problem from a position onward.

    Args:
        model: a model of the exact observation model.
        position: where planning starts.
        collapse: whether verifiers that planning cannot tell apart are one type.

    Raises:
        InvalidInput: the observation model is another, or a cost is too large.
    """
    arrays = encode(model)
    numbers = [mask for mask, _ in position.belief.states]
    wrong_claims = bits(numbers, len(arrays.error))
    seen = _seen(arrays.covers, wrong_claims)
    budget = int(position.budget * arrays.cost_unit)
    types = _types(model, arrays, position, budget, seen if collapse else None)
    spendable = min(budget, sum(kind.uses * kind.cost for kind in types))
    if spendable > INTEGER_LIMIT:
        raise InvalidInput(
            "budget", f"{spendable} units of cost are too many for the kernels' whole numbers"
        )
    kinds = [kind.members[0] for kind in types]
    wrong, covers = seen[kinds], arrays.covers[kinds]
    numerators = [model.losses[number] for number in numbers]
    kept, weights = _merged(numerators, wrong, position.belief)
    first = np.array(kept)
    total = position.belief.total
    losses = hidden_losses(model, [numerators[state] for state in kept])
    states, covered = _masks(wrong_claims[first], covers)
    answers = sum(kind.uses for kind in types)
    return Problem(
        # Dividing whole numbers rounds to the nearest double.
        np.array([weight / total for weight in weights]),
        losses,
        np.ascontiguousarray(wrong[:, first]),
        states,
        covered,
        types,
        spendable,
        arrays.cost_unit,
        arrays.price / arrays.cost_unit,
        arrays.abstain,
        harm_screen(arrays),
        loss_screen(arrays, float(losses[:, 1].max())),
        # Products and sums of positive terms only: each operation adds half a unit in the last
        # place. Generous, since what lies within is decided exactly.
        (2 * answers + len(weights) + 64) * 2.0**-52,
    )


def harm_screen(arrays: GateArrays) -> float:
    """Return epsilon, or `NO_SCREEN` where it refuses nothing."""
    epsilon = arrays.max_harm_probability
    return NO_SCREEN if epsilon is None or epsilon >= 1 else epsilon


def loss_screen(arrays: GateArrays, greatest: float) -> float:
    """Return the cap, or more than the greatest loss where it refuses nothing.

    One of kappa or more never matters, since declining then costs no more.
    """
    cap = arrays.max_expected_loss
    return 2 * greatest + 1 if cap is None or cap >= arrays.abstain else cap


def hidden_losses(model: GateModel, numerators: list[int]) -> Doubles:
    """Return what is summed over hidden states, `Problem.losses`, from their exact losses.

    Args:
        model: the model.
        numerators: the losses, in units of 1/`model.unit`.
    """
    greatest = max(numerators)
    # Dividing whole numbers rounds to the nearest double; numpy's own, only while they are doubles.
    small = max(greatest, model.unit) < 1 << 53
    whole: NDArray[Any] = np.array(numerators, np.int64 if small else np.object_)
    # Losses are whole numbers in this unit, so that the bound may be one too.
    bound = min(floor(model.harm_loss * model.unit), greatest)
    losses = np.zeros((len(numerators), 4))
    losses[:, 0] = 1
    losses[:, 1] = whole / model.unit
    losses[:, 2] = whole > bound
    return losses


def _seen(covers: Truths, wrong_claims: Truths) -> Truths:
    """Return bool [verifiers, states], whether some claim that each covers is wrong in each."""
    # Counts of claims are exact in these floats, which are multiplied much sooner than integers.
    return covers.astype(np.float32) @ wrong_claims.T.astype(np.float32) > 0


def _masks(wrong_claims: Truths, covers: Truths) -> tuple[Integers, Integers]:
    """Return states and coverage as masks of the claims that some types cover."""
    covered = np.flatnonzero(covers.any(axis=0))
    if len(covered) > 60:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    powers = 1 << np.arange(len(covered), dtype=np.int64)
    return wrong_claims[:, covered] @ powers, covers[:, covered] @ powers


def _types(
    model: GateModel, arrays: GateArrays, position: Position, budget: int, seen: Truths | None
) -> tuple[VerifierType, ...]:
    """Return the types of verifiers that can be asked and may be worth it, as first listed.

    `seen` is None to make each verifier a type of its own.
    """
    grouped: dict[object, list[int]] = {}
    costs = arrays.cost.tolist()
    for index, q in enumerate(model.verifiers):
        if position.uses[index] and costs[index] <= budget and may_be_worth_asking(model, q):
            key: object = index
            if seen is not None:
                # Exactly equal ones: a screen settled for one is then settled for the other.
                exact = (q.sensitivity.as_integer_ratio(), q.specificity.as_integer_ratio())
                key = (costs[index], exact, seen[index].tobytes())
            grouped.setdefault(key, []).append(index)
    rates = likelihoods(model, arrays).T.tolist()
    return tuple(
        _type(
            tuple(members),
            sum(position.uses[q] for q in members),
            costs[members[0]],
            rates[members[0]],
            budget,
        )
        for members in grouped.values()
    )


def may_be_worth_asking(model: GateModel, verifier: CompiledVerifier) -> bool:
    """Return whether an answer can be worth its price, whatever is believed.

    It cannot where the price is kappa or more, for stopping never costs more than that (Equation
    (2)); nor where there is a price and both answers are as likely whatever is wrong. An optimal
    plan stops, or asks another one, so these take no states.
    """
    price = model.price * verifier.cost
    tells = verifier.sensitivity + verifier.specificity != 1
    return price < model.abstain and (tells or price == 0)


def _type(
    members: tuple[int, ...], uses: int, cost: int, rates: list[float], budget: int
) -> VerifierType:
    return VerifierType(
        members,
        min(uses, budget // cost) if cost else uses,
        cost,
        (rates[0], rates[1]),
        (rates[2], rates[3]),
    )


def _merged(numerators: list[int], seen: Truths, belief: Belief) -> tuple[list[int], list[int]]:
    """Return the first state of each (loss, what the types see), and the weights of all with it.

    Hidden states that planning cannot tell apart are one: harm is a function of the loss.
    """
    # One byte more than needed, so that there is one where nothing is asked.
    rows = np.zeros((seen.shape[1], len(seen) // 8 + 1), np.uint8)
    rows[:, : (len(seen) + 7) // 8] = np.packbits(seen, axis=0).T
    keys = rows.view(f"V{rows.shape[1]}").ravel().tolist()
    first: dict[tuple[int, bytes], int] = {}
    group = map(first.setdefault, zip(numerators, keys, strict=True), count())
    weights = [0] * len(numerators)
    for state, (_, weight) in zip(group, belief.states, strict=True):
        weights[state] += weight
    kept = list(first.values())
    return kept, [weights[state] for state in kept]


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
        problem.faint,
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
