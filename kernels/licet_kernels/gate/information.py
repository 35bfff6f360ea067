"""The value of information of many verifiers in microseconds, and policies that choose by it.

The policies choose what the core's choose. Values in doubles rule out what is clearly worse; what
remains, within a margin of the best or of nothing, is decided by the core in rationals.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from licet import InvalidInput, information, policies
from licet.beliefs import Belief, GateModel
from licet.information import Uses, affordable
from licet.planner import Position
from licet.policies import Chooser

from ..compilation import available, require_available
from .encoding import GateArrays, bits, encode, likelihoods
from .problem import Doubles, Integers, Truths, harm_screen, hidden_losses, loss_screen

if TYPE_CHECKING:
    from .information_kernels import Questions

# The kernels make a sum for every set of the claims that verifiers cover: at most 2^16 of them.
CLAIM_LIMIT: Final = 16

MARGIN: Final = 1e-12
"""Values within this, times (greatest loss + kappa), of each other or of 0 are decided exactly."""


class Information:
    """The verifiers and hidden states of one model, as the kernels take them.

    Raises:
        InvalidInput: the observation model is not the exact one, numba is missing, or the
            verifiers cover more than `CLAIM_LIMIT` claims.
    """

    def __init__(self, model: GateModel) -> None:
        """Make the arrays."""
        arrays = encode(model)
        require_available("policy")
        self.model = model
        self._index = {mask: index for index, mask in enumerate(model.losses)}
        self.cost_unit = arrays.cost_unit
        self.questions: Questions = _questions(model, arrays)
        self.tolerance = MARGIN * (float(self.questions.losses[:, 1].max()) + arrays.abstain)

    def vector(self, belief: Belief) -> Doubles:
        """Return a belief as float64 [S], the probability of each hidden state of the model."""
        vector = np.zeros(len(self._index))
        for mask, weight in belief.states:
            vector[self._index[mask]] = weight / belief.total
        return vector

    def one_step(self, belief: Doubles) -> tuple[Doubles, Truths]:
        """Return VOI(q; b) of every verifier, Equation (4), and where rounding could turn a screen.

        Args:
            belief: float64 [S], b.

        Returns:
            float64 [m], in units of loss, and bool [m].
        """
        from .information_kernels import one_step

        values, unclear = self._results()
        one_step(belief, self.questions, values, unclear)
        return values, unclear

    def two_step(self, belief: Doubles, uses: Integers, budget: int) -> tuple[Doubles, Truths]:
        """Return the two-step value of every first query, Equation (5), as `one_step` does.

        Args:
            belief: float64 [S], b.
            uses: int64 [m], uses left before the first query.
            budget: what is left before it, in units of 1/`cost_unit`.
        """
        from .information_kernels import two_step

        values, unclear = self._results()
        two_step(belief, self.questions, uses, budget, values, unclear)
        return values, unclear

    def _results(self) -> tuple[Doubles, Truths]:
        count = len(self.model.verifiers)
        return np.empty(count), np.empty(count, np.bool_)


def _questions(model: GateModel, arrays: GateArrays) -> "Questions":
    from .information_kernels import Questions
    from .stopping_kernels import Terms

    covered = np.flatnonzero(arrays.covers.any(axis=0))
    if len(covered) > CLAIM_LIMIT:
        raise InvalidInput(
            "verifiers", f"they cover {len(covered)} claims; the kernels take {CLAIM_LIMIT}"
        )
    powers = 1 << np.arange(len(covered), dtype=np.int64)
    states = bits(list(model.losses), len(arrays.error))
    losses = hidden_losses(model, list(model.losses.values()))
    greatest = float(losses[:, 1].max())
    harm, cap = harm_screen(arrays), loss_screen(arrays, greatest)
    return Questions(
        states[:, covered] @ powers,
        losses,
        arrays.covers[:, covered] @ powers,
        likelihoods(model, arrays),
        arrays.price * (arrays.cost / arrays.cost_unit),
        arrays.cost,
        len(covered),
        Terms(
            arrays.price,
            arrays.abstain,
            harm,
            cap,
            MARGIN * (greatest + arrays.abstain),
            harm < 1 or cap < arrays.abstain,
            faint=False,  # where these kernels see nothing, the core decides
            budget=0,
        ),
    )


def one_step_values(model: GateModel, belief: Belief) -> Doubles:
    """Return VOI(q; b) of every verifier, Equation (4): float64 [m], in units of loss.

    Where a screen is too close for doubles, the core's value.

    Raises:
        InvalidInput: as `Information`.
    """
    kernel = Information(model)
    values, unclear = kernel.one_step(kernel.vector(belief))
    for verifier in np.flatnonzero(unclear).tolist():
        values[verifier] = float(information.one_step(model, belief, verifier))
    return values


def two_step_values(model: GateModel, belief: Belief, uses: Uses, budget: Fraction) -> Doubles:
    """Return the two-step value of every first query, Equation (5): float64 [m], in units of loss.

    Minus infinity for a verifier that cannot be asked and paid. Where a screen is too close for
    doubles, the core's value.

    Raises:
        InvalidInput: as `Information`.
    """
    kernel = Information(model)
    values, unclear = _two_step(kernel, belief, uses, budget)
    for verifier in np.flatnonzero(unclear).tolist():
        values[verifier] = float(information.two_step(model, belief, verifier, uses, budget))
    return values


def _two_step(
    kernel: Information, belief: Belief, uses: Uses, budget: Fraction
) -> tuple[Doubles, Truths]:
    unit, most = kernel.cost_unit, int(kernel.questions.cost.sum()) * 2
    left = np.array([min(count, 2) for count in uses], np.int64)
    return kernel.two_step(kernel.vector(belief), left, min(int(budget * unit), most))


def greedy_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Choose what `licet.policies.greedy_policy` chooses, sooner."""
    kernel = _kernel(model)
    return policies.greedy_policy(model, budget) if kernel is None else partial(_greedy, kernel)


def two_step_policy(model: GateModel, budget: Fraction) -> Chooser:
    """Choose what `licet.policies.two_step_policy` chooses, sooner."""
    kernel = _kernel(model)
    return policies.two_step_policy(model, budget) if kernel is None else partial(_bounded, kernel)


def _kernel(model: GateModel) -> Information | None:
    """Return the kernel for a model; None when the core has to choose alone."""
    if not available():
        return None
    try:
        return Information(model)
    except InvalidInput:
        return None


def _greedy(kernel: Information, position: Position) -> int | None:
    values, unclear = kernel.one_step(kernel.vector(position.belief))
    exact = partial(information.one_step, kernel.model, position.belief)
    return _greatest_positive(kernel, position, values, unclear, exact)


def _bounded(kernel: Information, position: Position) -> int | None:
    first = _greedy(kernel, position)
    if first is not None:
        return first
    values, unclear = _two_step(kernel, position.belief, position.uses, position.budget)

    def exact(verifier: int) -> Fraction:
        return information.two_step(
            kernel.model, position.belief, verifier, position.uses, position.budget
        )

    return _greatest_positive(kernel, position, values, unclear, exact)


def _greatest_positive(
    kernel: Information,
    position: Position,
    values: Doubles,
    unclear: Truths,
    exact: Callable[[int], Fraction],
) -> int | None:
    """Return the verifier of greatest value if that is positive; the first listed of equals.

    Whatever could be it, within the margin, is valued exactly; a single one that is clearly
    positive needs no more.
    """
    askable = affordable(kernel.model, position.uses, position.budget)
    best = max((values[q] for q in askable if not unclear[q]), default=-np.inf)
    least = max(best, 0.0) - 2 * kernel.tolerance
    close = [q for q in askable if unclear[q] or values[q] >= least]
    if len(close) == 1 and values[close[0]] > kernel.tolerance and not unclear[close[0]]:
        return close[0]
    worth = {q: exact(q) for q in _different(kernel.model, position, close)}
    chosen = max(worth, key=lambda q: worth[q], default=None)
    return chosen if chosen is not None and worth[chosen] > 0 else None


def _different(model: GateModel, position: Position, verifiers: Iterable[int]) -> list[int]:
    """Return the verifiers without those that equal an earlier one, and its uses, in all."""
    first: dict[object, int] = {}
    for index in verifiers:
        q = model.verifiers[index]
        key = (q.covers, q.cost, q.sensitivity, q.specificity, position.uses[index])
        first.setdefault(key, index)
    return list(first.values())
