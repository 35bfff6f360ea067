"""An exact plan from the kernels: worths of all states within the budget, and choices from them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from licet.review_planner import ReviewModel, ReviewState

from ..compilation import run, workers
from .choice_kernels import choose, follow
from .problem import STATE_LIMIT, positions, problem_from, require_size
from .set_kernels import Doubles, Sets, enumerate_sets, place_of, reorder_places, squeeze
from .sweep_kernels import GAINED, IDEAL, OPEN, Priors, Routes, sweep_expected, sweep_regret
from .walks import Evaluation

# With several threads, sets are parted by as many checks.
_PARTED: Final = 5

MARGIN: Final = 1e-12
"""Expected worths that differ by no more than this share of themselves count as equal.

They are sums of positive terms, which err by a share of themselves; utilities out of reach would
only hide what checks are worth.
"""

REGRET_MARGIN: Final = 2.0**-50
"""The same for regrets, as a share of the greatest utility: differences of two utilities, each
rounded once, and no sums."""


class LatticePlan:
    """An exact plan of a review from one state on, and from every state that it can lead to.

    A state off the lattice, after a read that failed or established nothing, is planned from anew
    when it is asked for; the last such plan is kept. For one thread at a time.
    """

    def __init__(
        self,
        model: ReviewModel,
        root: ReviewState,
        *,
        regret: bool = False,
        limit: int = STATE_LIMIT,
        threads: int | None = None,
    ) -> None:
        """Plan.

        Args:
            model: the planning problem.
            root: the state to plan from.
            regret: minimize the greatest regret, instead of maximizing the expected utility.
            limit: states, at most; each takes 8 bytes.
            threads: how many to use; None decides by the size.

        Raises:
            InvalidInput: there are more states; refused before memory is taken.
        """
        problem = problem_from(model, root, regret=regret)
        require_size(problem, limit)
        self.model, self.root, self.regret = model, root, regret
        self._problem, self._limit, self._threads = problem, limit, threads
        self._position = {atom: place for place, atom in enumerate(positions(problem.atoms))}
        self._routes, self._priors = self._encode_routes(), self._encode_priors()
        self._sets = self._enumerate()
        self._margin = REGRET_MARGIN * float(max(model.utilities)) if regret else MARGIN
        self._worth = np.empty(int(self._sets.offsets[-1]))
        self._sweep()
        self._elsewhere: LatticePlan | None = None

    @property
    def states(self) -> int:
        """How many states there are within the budget."""
        return len(self._worth)

    @property
    def memory(self) -> int:
        """How many bytes the plan takes."""
        arrays = [each for each in self._sets if isinstance(each, np.ndarray)]
        return int(self._worth.nbytes + sum(array.nbytes for array in arrays))

    def worth(self, state: ReviewState) -> float:
        """Return what is expected to be earned from a state; with `regret`, minus the greatest."""
        found = self._find(state)
        if found is None:
            return self._plan_from(state).worth(state)
        place, values = found
        number = squeeze(values, self._sets.atoms[place])
        return float(self._worth[self._sets.offsets[place] + int(number)])

    def choose(self, state: ReviewState) -> int | None:
        """Return the check to run next, or None to stop; ties as in `ReviewPlanner.choose`."""
        found = self._find(state)
        if found is None:
            return self._plan_from(state).choose(state)
        place, values = found
        lattice = self._sets, self._routes, self._priors
        chosen = choose(place, values, *lattice, self.regret, self._worth, self._margin)
        return None if chosen < 0 else self._problem.checks[chosen]

    def follow(self) -> Evaluation:
        """Return what comes of following the plan from its root."""
        room = 1 + sum(1 << int(mask).bit_count() for mask in self._sets.call_atoms)
        lattice = self._sets, self._routes, self._priors
        utility, cost, regret, states = follow(
            *lattice, self.regret, self._worth, self._margin, room
        )
        calls = cost * self._problem.grain / self.model.program.unit
        return Evaluation(Fraction(utility), Fraction(calls), Fraction(regret), states)

    def _plan_from(self, state: ReviewState) -> LatticePlan:
        plan = self._elsewhere
        if plan is None or plan._find(state) is None:
            self._elsewhere = None  # its memory goes before the next takes its own
            plan = LatticePlan(
                self.model, state, regret=self.regret, limit=self._limit, threads=self._threads
            )
            self._elsewhere = plan
        return plan

    def _find(self, state: ReviewState) -> tuple[int, np.uint64] | None:
        """Return a state's set and the mask of its true atoms, or None off the lattice."""
        root, problem, settled = self.root, self._problem, state.settled
        made = state.made & ~root.made
        positions = [p for p, check in enumerate(problem.checks) if made >> check & 1]
        place = int(place_of(self._sets, np.uint64(sum(1 << p for p in positions))))
        if place < 0 or root.made & ~state.made:
            return None
        known = self._compact((settled.true | settled.false) & problem.atoms)
        left = root.left - int(self._sets.spent[place]) * problem.grain
        if known != int(self._sets.atoms[place]) or state.left != left:
            return None
        return place, np.uint64(self._compact(settled.true & problem.atoms))

    def _compact(self, mask: int) -> int:
        """Return a mask of the program's atoms, all of them on the lattice, as one of its own."""
        if not self._problem.atoms & (self._problem.atoms + 1):
            return mask  # the lattice has the program's first atoms, at their own places
        return sum(1 << self._position[atom] for atom in positions(mask))

    def _encode_routes(self) -> Routes:
        problem = self._problem
        masks = [self._compact(route.lacking & problem.atoms) for route in problem.routes]
        patterns = [self._compact(route.pattern & problem.atoms) for route in problem.routes]
        reach = [
            (GAINED if not route.lacking & ~problem.atoms else OPEN) if route.targetable else IDEAL
            for route in problem.routes
        ]
        utilities = [route.utility.as_integer_ratio() for route in problem.routes]
        return Routes(
            np.array(masks, np.uint64),
            np.array(patterns, np.uint64),
            np.array([n / d for n, d in utilities], np.float64),
            np.array(reach, np.int64),
            float(problem.earned),
        )

    def _encode_priors(self) -> Priors:
        ratios = [self.model.priors[atom].as_integer_ratio() for atom in self._position]
        # Of the rationals: 1 - p has lost digits where the double p is near 1.
        return Priors(
            np.array([true / whole for true, whole in ratios], np.float64),
            np.array([(whole - true) / whole for true, whole in ratios], np.float64),
        )

    def _enumerate(self) -> Sets:
        problem, calls = self._problem, self.model.program.calls
        slots = 4
        while slots < 2 * problem.sets:
            slots *= 2
        costs = [calls[check].cost // problem.grain for check in problem.checks]
        masks = [self._compact(calls[check].atoms & problem.atoms) for check in problem.checks]
        sets = Sets(
            call_atoms=np.array(masks, np.uint64),
            call_cost=np.array(costs, np.int64),
            left=min(problem.root.left // problem.grain, sum(costs)),
            made=np.empty(problem.sets, np.uint64),
            atoms=np.empty(problem.sets, np.uint64),
            spent=np.empty(problem.sets, np.int64),
            offsets=np.zeros(1, np.int64),
            keys=np.zeros(slots, np.uint64),
            places=np.full(slots, -1, np.int64),
            shift=np.uint64(64 - (slots.bit_length() - 1)),
        )
        count = enumerate_sets(sets)
        order = np.argsort(sets.made[:count])
        rank = np.empty(count, np.int64)
        rank[order] = np.arange(count)
        reorder_places(sets.places, rank)
        atoms = sets.atoms[order]
        offsets = np.zeros(count + 1, np.int64)
        np.cumsum(np.left_shift(1, np.bitwise_count(atoms).astype(np.int64)), out=offsets[1:])
        return sets._replace(
            made=sets.made[order], atoms=atoms, spent=sets.spent[order], offsets=offsets
        )

    def _sweep(self) -> None:
        threads = self._threads or workers(self.states)
        largest = int(np.diff(self._sets.offsets).max())
        for bounds in _parts(self._sets, threads):
            tasks = [(begin, end, np.empty(largest)) for begin, end in bounds]
            run(self._sweep_part, tasks, threads)

    def _sweep_part(self, task: tuple[int, int, Doubles]) -> None:
        begin, end, scratch = task
        sweep = sweep_regret if self.regret else sweep_expected
        sweep(begin, end, self._sets, self._routes, self._priors, self._worth, scratch)


def _parts(sets: Sets, threads: int) -> Iterator[list[tuple[int, int]]]:
    """Yield runs of sets that can be swept one after another, each in parts side by side.

    Sets that agree on the last checks are a part. Parts with as many of these have no set that
    contains one of another.
    """
    last = min(_PARTED, len(sets.call_atoms)) if threads > 1 else 0
    below = len(sets.call_atoms) - last
    firsts = np.array([part << below for part in range(1 << last)], np.uint64)
    starts = [*np.searchsorted(sets.made, firsts).tolist(), len(sets.made)]
    for size in range(last, -1, -1):
        parts = [part for part in range(1 << last) if part.bit_count() == size]
        yield [(starts[part], starts[part + 1]) for part in parts]
