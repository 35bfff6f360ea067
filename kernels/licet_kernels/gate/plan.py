"""Exact plans: Equation (3) solved on the count lattice, for every position within the budget.

A plan keeps W(s) = Z(s) (V(s) + lambda spent(s)) for every state s of the lattice, Z being the
probability of one sequence of answers that leads there. With it Equation (3) is

    W(s) = min(T(s), min over q of W(s + q support) + W(s + q refute)),

since Z is the sum over a question's two answers, and the price of a question cancels.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from licet import InvalidInput
from licet.beliefs import GateModel, admissible
from licet.planner import Position, start

from ..compilation import require_available, workers
from .dense import DenseLayout, counts_of, dense_layout, state_of, sweep_dense
from .problem import Doubles, Integers, Problem, Settled, likelihood, problem_at
from .screens import Counts, nothing_settled, settle_exactly
from .subsets import (
    SET_CLAIMS,
    SubsetLayout,
    SubsetSize,
    subset_counts,
    subset_layout,
    subset_size,
    subset_state,
    sweep_subsets,
)

LayoutName: TypeAlias = Literal["dense", "subsets"]

MEMORY_LIMIT: Final = 3_500_000_000
"""Bytes that a plan may take; a larger one is refused before any is taken."""

TIE: Final = 1e-13
"""Values within this, times `Problem.scale`, are equal: rounding errs by less, and what is chosen
between them is worse by no more."""

# States of smaller probability have lost digits; a plan is made anew from there.
_TINY: Final = 1e-200


class PlanSize(NamedTuple):
    """The size of a plan: how many states, in which layout, and bytes, at least."""

    states: int
    layout: LayoutName
    memory: int


class _Sizes(NamedTuple):
    """The sizes of both layouts."""

    dense: DenseLayout
    subsets: SubsetSize

    def memory(self, layout: LayoutName) -> int:
        return self.dense.memory if layout == "dense" else self.subsets.memory

    def states(self, layout: LayoutName) -> int:
        return self.dense.states if layout == "dense" else self.subsets.states


def _sizes(problem: Problem) -> _Sizes:
    return _Sizes(dense_layout(problem.types), subset_size(problem, MEMORY_LIMIT // 8))


def _quicker(problem: Problem, sizes: _Sizes) -> LayoutName:
    """Return the layout that takes less time, of those that fit.

    The nanoseconds are rough: a state costs the dense sweep 7, after 200,000 to prepare; the other
    one 10, and much more for a multiset, with many claims for adding up its hidden states.
    """
    claims = int(np.bitwise_or.reduce(problem.covers, initial=0)).bit_length()
    by_sets = claims <= SET_CLAIMS and len(problem.covers) == len(problem.types)
    multiset = 350 if by_sets else 300 + 5 * len(problem.weights)
    dense = 200_000 + 7 * sizes.dense.states
    subsets = 10 * sizes.subsets.states + multiset * sizes.subsets.nodes
    if by_sets:
        subsets += 20 * 3**claims
    if sizes.dense.memory > MEMORY_LIMIT or (
        sizes.subsets.memory <= MEMORY_LIMIT and subsets < dense
    ):
        return "subsets"
    return "dense"


def _chosen(problem: Problem, layout: LayoutName | None) -> tuple[_Sizes, LayoutName]:
    """Return the sizes, and the layout to use.

    Raises:
        InvalidInput: it needs more than `MEMORY_LIMIT`.
    """
    sizes = _sizes(problem)
    name = layout or _quicker(problem, sizes)
    if sizes.memory(name) > MEMORY_LIMIT:
        raise InvalidInput(
            "verifiers",
            f"at least {sizes.states(name):,} lattice states need at least {sizes.memory(name):,}"
            f" bytes, more than the {MEMORY_LIMIT:,} that the exact planner takes; use the two-step"
            " policy",
        )
    return sizes, name


def plan_size(model: GateModel, budget: Fraction) -> PlanSize:
    """Return the size of a plan, before anything is planned.

    Raises:
        InvalidInput: it is too large, or the observation model is not the exact one.
    """
    sizes, name = _chosen(problem_at(model, start(model, budget)), None)
    return PlanSize(sizes.states(name), name, sizes.memory(name))


def plan(
    model: GateModel,
    budget: Fraction,
    *,
    layout: LayoutName | None = None,
    collapse: bool = True,
    threads: int | None = None,
) -> "Plan":
    """Return an exact plan from the prior.

    Args:
        model: a model of the exact observation model.
        budget: the budget, in units of cost.
        layout: None for the quicker one.
        collapse: whether verifiers that planning cannot tell apart are one type.
        threads: None for one a core, and a single one for small models.

    Raises:
        InvalidInput: the model is too large, numba is missing, or the observation model is another.
    """
    return plan_from(model, start(model, budget), layout, collapse, threads)


def plan_from(
    model: GateModel,
    origin: Position,
    layout: LayoutName | None = None,
    collapse: bool = True,
    threads: int | None = None,
) -> "Plan":
    """Return an exact plan from any position; the arguments are those of `plan`."""
    problem = problem_at(model, origin, collapse)
    sizes, name = _chosen(problem, layout)
    require_available("policy")
    shape = sizes.dense if name == "dense" else subset_layout(problem, sizes.subsets)
    made = Plan(model, origin, problem, shape, np.empty(shape.states))
    made._solve(threads or workers(shape.states))
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An exact plan: what `plan` returns.

    Attributes:
        model: the model.
        origin: where it starts.
        problem: what was planned.
        shape: the layout of its states.
        w: float64 [states], W of every state, in units of loss.
    """

    model: GateModel
    origin: Position
    problem: Problem
    shape: DenseLayout | SubsetLayout
    w: Doubles

    @property
    def value(self) -> float:
        """V* at the origin, Equation (3), in units of loss."""
        return float(self.w[0])

    @property
    def states(self) -> int:
        """How many lattice states it has."""
        return self.shape.states

    @property
    def memory(self) -> int:
        """Bytes that it holds."""
        return self.shape.memory

    @property
    def layout(self) -> LayoutName:
        """Which layout it has."""
        return "dense" if isinstance(self.shape, DenseLayout) else "subsets"

    def covers(self, position: Position) -> bool:
        """Return whether a position is in the plan: what was spent and used is what was answered.

        After a failed call a use and its cost are gone without an answer; such a position is not.
        """
        counts = self._counts(position)
        return (
            counts is not None
            and self._state(counts) is not None
            and self._weights(counts).sum() > _TINY
        )

    def weighted(self, position: Position) -> float:
        """Return W at a position that the plan covers, in units of loss."""
        return float(self.w[self._covered(position)[1]])

    def probability(self, position: Position) -> float:
        """Return Z at a position that the plan covers: of one sequence of answers to it."""
        return float(self._weights(self._covered(position)[0]).sum())

    def choose(self, position: Position) -> int | None:
        """Return the first query of an optimal continuation, or None to stop.

        Of values that are equal within `TIE`, stopping comes first, then the verifier that is
        listed first.

        Raises:
            InvalidInput: the plan does not cover the position.
        """
        counts, _ = self._covered(position)
        asked = self._values_of_asking(position, counts)
        if not asked:
            return None
        weights = self._weights(counts)
        slack = TIE * self.problem.scale * float(weights.sum())
        stop = self._value_of_stopping(position, weights)
        least = min(stop, *asked.values()) + slack
        if stop <= least:
            return None
        return min(verifier for verifier, value in asked.items() if value <= least)

    def _covered(self, position: Position) -> tuple[Counts, int]:
        counts = self._counts(position)
        state = None if counts is None else self._state(counts)
        if counts is None or state is None:
            raise InvalidInput("position", "expected one that the plan covers")
        return counts, state

    def _counts(self, position: Position) -> Counts | None:
        """Return the counts of each type since the origin; None when the position has none."""
        origin, types = self.origin, [(0, 0)] * len(self.problem.types)
        answers = [
            (after[0] - before[0], after[1] - before[1])
            for before, after in zip(origin.counts, position.counts, strict=True)
        ]
        spent = sum(
            (sum(pair) * q.cost for pair, q in zip(answers, self.model.verifiers, strict=True)),
            Fraction(0),
        )
        used = tuple(uses - sum(pair) for uses, pair in zip(origin.uses, answers, strict=True))
        if used != position.uses or origin.budget - spent != position.budget:
            return None
        for t, kind in enumerate(self.problem.types):
            types[t] = (
                sum(answers[q][0] for q in kind.members),
                sum(answers[q][1] for q in kind.members),
            )
        typed = sum(map(sum, types))
        # Fewer answers than at the origin: a position beside it, where others were given.
        within = all(s >= 0 and r >= 0 for s, r in answers) and all(
            s + r <= kind.uses for (s, r), kind in zip(types, self.problem.types, strict=True)
        )
        return tuple(types) if within and typed == sum(map(sum, answers)) else None

    def _state(self, counts: Counts) -> int | None:
        if isinstance(self.shape, DenseLayout):
            return state_of(self.shape, self.problem, counts)
        return subset_state(self.shape, counts)

    def _counts_of(self, state: int) -> Counts:
        if isinstance(self.shape, DenseLayout):
            return counts_of(self.shape, self.problem, state)
        return subset_counts(self.shape, state)

    def _weights(self, counts: Counts) -> Doubles:
        """Return the unnormalized belief: float64 [S]."""
        weights = self.problem.weights
        for t, (supported, refuted) in enumerate(counts):
            if supported or refuted:
                kind = self.problem.types[t]
                weights = weights * np.where(
                    self.problem.wrong[t],
                    likelihood(kind.if_wrong, supported, refuted),
                    likelihood(kind.if_right, supported, refuted),
                )
        return weights

    def _values_of_asking(self, position: Position, counts: Counts) -> dict[int, float]:
        """Return W after asking, for the first listed verifier of each type that can be asked."""
        values = {}
        for t, kind in enumerate(self.problem.types):
            left = [q for q in kind.members if position.uses[q] > 0]
            if not left or self.model.verifiers[left[0]].cost > position.budget:
                continue
            supported, refuted = counts[t]
            support = self._state((*counts[:t], (supported + 1, refuted), *counts[t + 1 :]))
            refute = self._state((*counts[:t], (supported, refuted + 1), *counts[t + 1 :]))
            if support is not None and refute is not None:
                values[left[0]] = float(self.w[support] + self.w[refute])
        return values

    def _value_of_stopping(self, position: Position, weights: Doubles) -> float:
        """Return T: the core decides where a screen is too close for doubles."""
        problem = self.problem
        total, risk, harm, _ = weights @ problem.losses
        decline = problem.abstain * total
        close = abs(harm - problem.harm_screen * total) <= problem.margin * total or (
            abs(risk - problem.loss_screen * total) <= problem.margin * problem.scale * total
        )
        admitted = (
            admissible(self.model, position.belief)
            if close
            else harm <= problem.harm_screen * total and risk <= problem.loss_screen * total
        )
        spent = float(self.model.price * (self.origin.budget - position.budget))
        return float(min(risk, decline) if admitted else decline) + spent * float(total)

    def _sweep(self, threads: int, settled: Settled) -> list[Integers]:
        if isinstance(self.shape, DenseLayout):
            return sweep_dense(self.problem, self.shape, threads, settled, self.w)
        return sweep_subsets(self.problem, self.shape, threads, settled, self.w)

    def _solve(self, threads: int) -> None:
        """Sweep; where screens are too close for doubles, decide them exactly and sweep again."""
        found = self._sweep(threads, nothing_settled())
        if found:
            settled = settle_exactly(
                self.model, self.origin.belief, self.problem, self._counts_of, found
            )
            self._sweep(threads, settled)
