"""The subset layout: sizes beforehand, the tree of multisets, and the sweep over it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from licet import InvalidInput

from ..compilation import run
from .problem import Doubles, Integers, Problem, Settled, likelihood, scratch, terms_of

if TYPE_CHECKING:
    from .subset_kernels import Likelihoods, Nodes, Sets

# Different sums of costs within the budget, at most, for counting states by what they cost.
SUM_LIMIT: Final = 1 << 18

# With at most so many covered claims, the tree's nodes add up sets of claims, 3^n of them in all.
SET_CLAIMS: Final = 10


class SubsetSize(NamedTuple):
    """How many multisets the budget pays, their states, and how many leave something for more.

    The last of these is exact but for multisets that use everything up.
    """

    nodes: int
    states: int
    rows: int
    types: int

    @property
    def memory(self) -> int:
        """Bytes: a double a state, six whole numbers a node, and one a type and row."""
        return 8 * (self.states + 6 * self.nodes + 1 + self.types * self.rows)


def subset_size(problem: Problem, limit: int) -> SubsetSize:
    """Return the size of the subset layout; it takes no memory. Counting stops above the limit.

    Raises:
        InvalidInput: the costs have too many different sums within the budget to count with.
    """
    # Multisets by what they cost: how many there are, and their states. Those that leave too
    # little for any question are counted and forgotten.
    least = min((kind.cost for kind in problem.types), default=0)
    ways, nodes, states = {0: (1, 1)}, 1, 1
    for kind in problem.types:
        grown = dict(ways)
        for spent, (sets, answers) in ways.items():
            for n in range(1, kind.uses + 1):
                cost = spent + n * kind.cost
                if cost > problem.budget or max(nodes, states) > limit:
                    break
                nodes, states = nodes + sets, states + answers * (n + 1)
                if cost + least <= problem.budget:
                    old = grown.get(cost, (0, 0))
                    grown[cost] = (old[0] + sets, old[1] + answers * (n + 1))
        if len(grown) > SUM_LIMIT:
            raise InvalidInput(
                "verifiers",
                f"their costs have over {SUM_LIMIT:,} different sums within the budget, more than"
                " the exact planner takes; use the two-step policy",
            )
        ways = grown
    rows = sum(sets for sets, _ in ways.values()) if problem.types else 0
    return SubsetSize(nodes, states, rows, len(problem.types))


@dataclass(frozen=True, slots=True, eq=False)
class SubsetLayout:
    """The tree of multisets, made.

    Attributes:
        size: its size.
        nodes: the tree.
        uses: int64 [m], how often each type may be asked.
        levels: int64, the first node of every number of questions, and the number of nodes.
    """

    size: SubsetSize
    nodes: "Nodes"
    uses: Integers
    levels: Integers

    @property
    def states(self) -> int:
        """How many states there are."""
        return self.size.states

    @property
    def memory(self) -> int:
        """Bytes: a double a state, and the tree."""
        return 8 * self.states + sum(array.nbytes for array in self.nodes)


def subset_layout(problem: Problem, size: SubsetSize) -> SubsetLayout:
    """Return the tree of multisets for a problem of a known size."""
    from .subset_kernels import Nodes, grow, link

    uses = np.array([kind.uses for kind in problem.types], np.int64)
    costs = np.array([kind.cost for kind in problem.types], np.int64)
    parent, last, taken, spent = np.empty((4, size.nodes), np.int64)
    offset, row = np.empty(size.nodes + 1, np.int64), np.full(size.nodes, -1, np.int64)
    nodes = Nodes(parent, last, taken, spent, offset, row, np.empty((0, len(uses)), np.int64))
    rows = grow(nodes, uses, costs, problem.budget)
    nodes = nodes._replace(after=np.empty((rows, len(uses)), np.int64))
    link(nodes, uses, costs, problem.budget)
    return SubsetLayout(size, nodes, uses, _levels(nodes))


def _levels(nodes: "Nodes") -> Integers:
    """Return where each number of questions begins: the children of a level are the next one."""
    starts, first = [0], 1
    while first < len(nodes.parent):
        starts.append(first)
        first = int(np.searchsorted(nodes.parent, first))
    return np.array([*starts, len(nodes.parent)], np.int64)


def sweep_subsets(
    problem: Problem, layout: SubsetLayout, threads: int, settled: Settled, w: Doubles
) -> list[Integers]:
    """Fill w with W of every state of the tree; as `sweep_dense`."""
    from .stopping_kernels import Hidden
    from .subset_kernels import stop_nodes, sweep_nodes

    nodes, hidden = layout.nodes, Hidden(problem.weights, problem.losses, problem.wrong)
    likelihoods, terms, sets = _likelihoods(problem), terms_of(problem), _sets(problem)
    found: list[Integers] = []

    def stop(part: Integers) -> None:
        own = scratch(settled)
        stop_nodes(w, tuple(part), nodes, hidden, sets, likelihoods, terms, own)
        if own.noted[0]:
            found.append(own.found[: own.noted[0]].copy())

    def ask(part: Integers) -> None:
        sweep_nodes(w, part[0], part[1], nodes)

    run(stop, _ranges(0, layout.size.nodes, threads), threads)
    for level in range(len(layout.levels) - 2, -1, -1):
        first, end = int(layout.levels[level]), int(layout.levels[level + 1])
        run(ask, _ranges(first, end, threads), threads)
    return found


def _sets(problem: Problem) -> "Sets":
    """Return the hidden states added up for every set of claims, if there are few claims."""
    from .subset_kernels import Sets

    union = int(np.bitwise_or.reduce(problem.covers, initial=0))
    claims, none = union.bit_length(), np.empty(0, np.int64)
    if len(problem.covers) < len(problem.types) or claims > SET_CLAIMS:
        return Sets(-1, none, none, np.empty(0))
    power = np.zeros(1, np.int64)
    columns = (problem.weights * column for column in problem.losses.T)
    sums = np.column_stack(
        [np.bincount(problem.states, column, minlength=1 << claims) for column in columns]
    )
    for claim in range(claims):
        power = np.concatenate([power, power + 3**claim])
        # The claim's digit is the middle axis: what follows it has digits, what precedes it bits.
        pair = sums.reshape(-1, 2, 3**claim * 4)
        sums = np.concatenate([pair, pair.sum(axis=1, keepdims=True)], axis=1)
    return Sets(claims, problem.covers, power, np.asarray(sums.reshape(-1), np.float64))


def _ranges(first: int, end: int, threads: int) -> list[Integers]:
    """Return consecutive ranges (first, end) for some threads."""
    if threads == 1:
        return [np.array([first, end])]
    pieces = min(end - first, 8 * threads)
    cuts = np.linspace(first, end, pieces + 1).astype(np.int64)
    return [cuts[k : k + 2] for k in range(pieces)]


def _likelihoods(problem: Problem) -> "Likelihoods":
    """Return the likelihoods of every number of answers of every type."""
    from .subset_kernels import Likelihoods

    table = [
        (likelihood(kind.if_right, n - r, r), likelihood(kind.if_wrong, n - r, r))
        for kind in problem.types
        for n in range(kind.uses + 1)
        for r in range(n + 1)
    ]
    sizes = [(kind.uses + 1) * (kind.uses + 2) // 2 for kind in problem.types]
    columns = np.array(table, np.float64).reshape(-1, 2)
    return Likelihoods(np.cumsum([0, *sizes]), columns[:, 0].copy(), columns[:, 1].copy())


def subset_state(layout: SubsetLayout, counts: tuple[tuple[int, int], ...]) -> int | None:
    """Return the index of the counts (supported, refuted) of each type; None beyond the budget."""
    node, outcome = 0, 0
    for t, (supported, refuted) in enumerate(counts):
        for _ in range(supported + refuted):
            row = layout.nodes.row[node]
            node = int(layout.nodes.after[row, t]) if row >= 0 else -1
            if node < 0:
                return None
        outcome = outcome * (supported + refuted + 1) + refuted
    return int(layout.nodes.offset[node]) + outcome


def subset_counts(layout: SubsetLayout, state: int) -> tuple[tuple[int, int], ...]:
    """Return the counts of each type at a state: the inverse of `subset_state`."""
    nodes = layout.nodes
    node = int(np.searchsorted(nodes.offset, state, side="right")) - 1
    outcome = state - int(nodes.offset[node])
    counts = [(0, 0)] * len(layout.uses)
    while node > 0:
        t, asked = int(nodes.last[node]), int(nodes.taken[node])
        outcome, refuted = divmod(outcome, asked + 1)
        counts[t] = (asked - refuted, refuted)
        for _ in range(asked):
            node = int(nodes.parent[node])
    return tuple(counts)
