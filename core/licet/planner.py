"""The exact planner, Equation (3) (AMV, section 2.3).

The belief after any answers depends only on how often each verifier answered support and refute,
so a state is that vector of counts; what was spent follows from it. This is the readable
reference: exact rationals, memoized recursion, small models.
"""

from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .beliefs import ZERO, Belief, GateModel, answer_probability, prior, update
from .candidate import ObservationModel
from .errors import InvalidInput
from .information import Uses, affordable, after_use, price_of, stopping

# More count vectors within the budget, more answers on one path, or more hidden states looked at
# over all count vectors, are refused before planning.
LATTICE_LIMIT: Final = 20_000
DEPTH_LIMIT: Final = 100
WORK_LIMIT: Final = 1 << 19

Counts: TypeAlias = tuple[tuple[int, int], ...]
"""For each verifier, how often it answered support and refute."""


class Position(NamedTuple):
    """Where an episode stands: the belief, the answers so far, what may still be asked and paid."""

    belief: Belief
    counts: Counts
    uses: Uses
    budget: Fraction


Key: TypeAlias = tuple[Counts, Uses, Fraction]
"""What tells positions of one model apart; a failed call takes a use and its cost, and no count."""


@require(lambda budget: budget >= 0)
@ensure(lambda budget, result: result.budget == budget)
def start(model: GateModel, budget: Fraction) -> Position:
    """Return the position before any answer."""
    return Position(
        prior(model),
        tuple((0, 0) for _ in model.verifiers),
        tuple(verifier.uses for verifier in model.verifiers),
        budget,
    )


@require(
    lambda model, position, verifier: verifier in affordable(model, position.uses, position.budget)
)
@ensure(lambda result: result.budget >= 0)
def step(model: GateModel, position: Position, verifier: int, refutes: bool) -> Position:
    """Return the position after an answer of positive probability.

    Raises:
        InvalidInput: the answer is impossible under the belief.
    """
    belief = update(model, position.belief, verifier, refutes)
    counts, uses, budget = _after(model, position, verifier, refutes)
    return Position(belief, counts, uses, budget)


def _after(model: GateModel, position: Position, verifier: int, refutes: bool) -> Key:
    supported, refuted = position.counts[verifier]
    pair = (supported + (not refutes), refuted + refutes)
    return (
        (*position.counts[:verifier], pair, *position.counts[verifier + 1 :]),
        after_use(position.uses, verifier),
        position.budget - model.verifiers[verifier].cost,
    )


@ensure(lambda result: result.states >= 1)
@ensure(lambda model, result: result.depth <= sum(q.uses for q in model.verifiers))
def lattice_size(model: GateModel, budget: Fraction, limit: int = LATTICE_LIMIT) -> "LatticeSize":
    """Return how many count vectors the budget reaches, and the most answers on one path.

    A verifier asked n times has n + 1 pairs of counts. Counting stops above the limit.
    """
    states, longest, size = {ZERO: 1}, {ZERO: 0}, 1
    for q in model.verifiers:
        grown, deeper = dict(states), dict(longest)
        for spent, ways in states.items():
            for n in range(1, q.uses + 1):
                cost = spent + n * q.cost
                if cost > budget or size > limit:
                    break
                size += ways * (n + 1)
                grown[cost] = grown.get(cost, 0) + ways * (n + 1)
                deeper[cost] = max(deeper.get(cost, 0), longest[spent] + n)
        states, longest = grown, deeper
    return LatticeSize(size, max(longest.values()))


class LatticeSize(NamedTuple):
    """The size of a planning problem: count vectors, and answers on the longest path."""

    states: int
    depth: int


def require_small(model: GateModel, budget: Fraction, planner: str) -> None:
    """Return if the lattice within the budget is small enough for `planner`, by size alone.

    Raises:
        InvalidInput: it is not; the size, the limits and the policy to use instead are named.
    """
    size, hidden = lattice_size(model, budget), len(model.losses)
    for count, limit, things in (
        (size.states, LATTICE_LIMIT, "positions (how often each verifier supported and refuted)"),
        (size.depth, DEPTH_LIMIT, "answers in a row"),
        (size.states * hidden, WORK_LIMIT, f"positions times hidden states ({hidden})"),
    ):
        if count > limit:
            raise InvalidInput(
                "verifiers",
                f"at least {count} {things} are more than the {limit} that the {planner} takes; use"
                " the two-step policy",
            )


class ExactPlanner:
    """V*(b, B) of Equation (3) for one model and budget, memoized on counts.

    For one thread at a time; `Gate` asks it under its lock.

    Raises:
        InvalidInput: the model is too large, or its observation model is not the exact one.
    """

    def __init__(self, model: GateModel, budget: Fraction) -> None:
        """Refuse what cannot be planned exactly, before anything is planned."""
        if model.observation is not ObservationModel.EXACT:
            raise InvalidInput(
                "policy",
                "exact planning needs the exact observation model; use the two-step policy",
            )
        require_small(model, budget, "exact planner")
        self._model = model
        self._best: dict[Key, tuple[Fraction, int | None]] = {}
        self._root = start(model, budget)

    @ensure(lambda self, result: result <= stopping(self._model, self._root.belief).value)
    def value(self) -> Fraction:
        """Return V*(prior, budget)."""
        return self._solve(self._root)[0]

    @ensure(
        lambda self, position, result: (
            result is None or result in affordable(self._model, position.uses, position.budget)
        )
    )
    def choose(self, position: Position) -> int | None:
        """Return the first query of an optimal continuation, or None to stop.

        Of equals, stopping comes first, then the verifier that is listed first. The position is
        one of the planner's own model.
        """
        return self._solve(position)[1]

    def _solve(self, position: Position) -> tuple[Fraction, int | None]:
        key = position[1:]
        if key not in self._best:
            best: tuple[Fraction, int | None] = (
                stopping(self._model, position.belief).value,
                None,
            )
            for verifier in affordable(self._model, position.uses, position.budget):
                value = self._value_of_asking(position, verifier)
                if value < best[0]:
                    best = (value, verifier)
            self._best[key] = best
        return self._best[key]

    def _value_of_asking(self, position: Position, verifier: int) -> Fraction:
        value = price_of(self._model, verifier)
        for refutes in (False, True):
            chance = answer_probability(self._model, position.belief, verifier, refutes)
            if chance > 0:
                key = _after(self._model, position, verifier, refutes)
                solved = self._best.get(key) or self._solve(
                    step(self._model, position, verifier, refutes)
                )
                value += chance * solved[0]
        return value
