"""The subset layout: only the multisets of questions that the budget pays, and their outcomes.

A node is a multiset of questions: how often each type is asked. Nodes form a tree, in which each is
its parent with one more question to the type listed last; they are numbered by how many questions
they ask, and a parent's children follow one another. A node's states are its outcomes: for each
type asked a digit, how many of its answers refute, the type listed first counting most.
"""

from typing import NamedTuple

import numpy as np

from ..compilation import compiled
from .stopping_kernels import (
    Doubles,
    Exact,
    Hidden,
    Integers,
    Terms,
    add_cells,
    outcomes,
    settle,
    stop,
    stop_unscreened,
)


class Nodes(NamedTuple):
    """All nodes, by number; the root is 0.

    Attributes:
        parent: int64 [nodes], -1 for the root.
        last: int64 [nodes], the last of the types asked; 0 for the root.
        taken: int64 [nodes], how often that one is asked.
        spent: int64 [nodes], in whole units of cost.
        offset: int64 [nodes + 1], where the states of each begin.
        row: int64 [nodes], its row in `after`, or -1 when nothing more can be asked.
        after: int64 [rows, m], the node after one more question to a type, or -1.
    """

    parent: Integers
    last: Integers
    taken: Integers
    spent: Integers
    offset: Integers
    row: Integers
    after: Integers


class Likelihoods(NamedTuple):
    """The likelihood of n answers, r of them refutations: entry start[t] + n (n + 1) / 2 + r.

    Attributes:
        start: int64 [m].
        right: float64, when nothing that the type covers is wrong.
        wrong: float64, when something is.
    """

    start: Integers
    right: Doubles
    wrong: Doubles


@compiled
def grow(nodes: Nodes, uses: Integers, costs: Integers, budget: int) -> int:
    """Fill all of `nodes` but `after`; return how many of them can ask more.

    Args:
        nodes: of the right number of nodes, `row` filled with -1.
        uses: int64 [m], how often each type may be asked.
        costs: int64 [m], of one question, in whole units.
        budget: in whole units.
    """
    types = uses.shape[0]
    count, rows, sizes = 1, 0, np.ones(nodes.parent.shape[0], np.int64)
    nodes.parent[0], nodes.last[0], nodes.taken[0], nodes.spent[0] = -1, 0, 0, 0
    asked = np.zeros(types, np.int64)
    nodes.offset[0] = 0
    for node in range(nodes.parent.shape[0]):
        nodes.offset[node + 1] = nodes.offset[node] + sizes[node]
        _count(nodes, node, asked, 1)
        first, left = nodes.last[node], budget - nodes.spent[node]
        more = False
        for t in range(types):
            if asked[t] < uses[t] and costs[t] <= left:
                more = True
                if t >= first:
                    nodes.parent[count], nodes.last[count] = node, t
                    nodes.taken[count] = asked[t] + 1
                    nodes.spent[count] = nodes.spent[node] + costs[t]
                    sizes[count] = sizes[node] // (asked[t] + 1) * (asked[t] + 2)
                    count += 1
        if more:
            nodes.row[node] = rows
            rows += 1
        _count(nodes, node, asked, 0)
    return rows


@compiled
def _count(nodes: Nodes, node: int, asked: Integers, sign: int) -> None:
    """Set how often a node asks each type, or (sign 0) set that back to 0."""
    while node > 0:
        t = nodes.last[node]
        asked[t] = sign * nodes.taken[node]
        for _ in range(nodes.taken[node]):
            node = nodes.parent[node]


@compiled
def link(nodes: Nodes, uses: Integers, costs: Integers, budget: int) -> None:
    """Fill `after`: first the children of every node, then what other parents have in common."""
    types, count = uses.shape[0], 1
    nodes.after[:] = -1
    asked = np.zeros(types, np.int64)
    for node in range(nodes.parent.shape[0]):
        row = nodes.row[node]
        if row < 0:
            continue
        first = nodes.last[node]
        for t in range(first, types):
            taken = nodes.taken[node] if t == first else 0
            if taken < uses[t] and costs[t] <= budget - nodes.spent[node]:
                nodes.after[row, t] = count
                count += 1
    for node in range(1, nodes.parent.shape[0]):
        row = nodes.row[node]
        if row < 0:
            continue
        _count(nodes, node, asked, 1)
        last, above = nodes.last[node], nodes.after[nodes.row[nodes.parent[node]]]
        for t in range(last):
            # The parent with t, then with the node's own last type, which t precedes.
            if asked[t] < uses[t] and costs[t] <= budget - nodes.spent[node]:
                nodes.after[row, t] = nodes.after[nodes.row[above[t]], last]
        _count(nodes, node, asked, 0)


@compiled
def _prefix_cells(
    cell: Integers, digits: Integers, prefix: int, nodes: Nodes, hidden: Hidden
) -> int:
    """Number the cells of a node's types; set `digits` to (type, asked), highest first."""
    places, node = 0, prefix
    while node > 0:
        places += 1
        for _ in range(nodes.taken[node]):
            node = nodes.parent[node]
    node, place = prefix, places
    cell[:] = 0
    while node > 0:
        place -= 1
        t = nodes.last[node]
        digits[2 * place], digits[2 * place + 1] = t, nodes.taken[node]
        shift, wrong = places - 1 - place, hidden.wrong[t]
        for s in range(cell.shape[0]):
            cell[s] |= int(wrong[s]) << shift
        for _ in range(nodes.taken[node]):
            node = nodes.parent[node]
    return places


@compiled
def stop_nodes(
    w: Doubles,
    first: int,
    end: int,
    nodes: Nodes,
    hidden: Hidden,
    likelihoods: Likelihoods,
    terms: Terms,
    exact: Exact,
) -> None:
    """Write T of every state of the nodes from `first` to `end` to w.

    What nodes of one parent share is computed once.
    """
    greatest = 1
    for node in range(first, end):
        greatest = max(greatest, nodes.offset[node + 1] - nodes.offset[node])
    hidden_states, types = hidden.weights.shape[0], hidden.wrong.shape[0]
    prefix_cell, cell = np.zeros(hidden_states, np.int64), np.zeros(hidden_states, np.int64)
    digits = np.zeros(2 * types + 2, np.int64)
    cells, spare = np.empty(4 * greatest), np.empty(4 * greatest)
    sums, extra = np.empty((3, greatest)), np.zeros(greatest)
    start = np.zeros(types + 2, np.int64)
    right, wrong = np.empty(2 * greatest + types), np.empty(2 * greatest + types)
    prefix, places = -1, 0
    for node in range(first, end):
        before = node
        for _ in range(nodes.taken[node]):
            before = nodes.parent[before]
        if before != prefix:
            prefix = before
            places = _prefix_cells(prefix_cell, digits, prefix, nodes, hidden)
        used, numbers = places, prefix_cell
        if node > 0:
            t = nodes.last[node]
            digits[2 * places], digits[2 * places + 1] = t, nodes.taken[node]
            used, numbers = places + 1, cell
            of_type = hidden.wrong[t]
            for s in range(hidden_states):
                cell[s] = 2 * prefix_cell[s] + of_type[s]
        _tabulate(start, right, wrong, digits, used, likelihoods)
        size = nodes.offset[node + 1] - nodes.offset[node]
        part = cells[: 4 << used]
        add_cells(part, hidden.weights, hidden.losses, numbers)
        outcomes(cells, spare, used, start, right, wrong)
        result = cells if used % 2 == 0 else spare
        for i in range(size):
            sums[0, i], sums[1, i], sums[2, i] = result[4 * i], result[4 * i + 1], result[4 * i + 2]
        target, paid = (
            w[nodes.offset[node] : nodes.offset[node + 1]],
            terms.price * nodes.spent[node],
        )
        if not terms.screens:
            stop_unscreened(sums, target, paid, extra, terms.abstain)
        elif stop(sums, target, paid, extra, terms) > 0:
            exact.base[0] = nodes.offset[node]
            settle(sums, target, paid, extra, terms, exact)


@compiled
def _tabulate(
    start: Integers,
    right: Doubles,
    wrong: Doubles,
    digits: Integers,
    places: int,
    likelihoods: Likelihoods,
) -> None:
    """Put the likelihoods of a node's digits one after the other, lowest place first."""
    at = 0
    for place in range(places):
        t, asked = digits[2 * (places - 1 - place)], digits[2 * (places - 1 - place) + 1]
        start[place] = at
        source = likelihoods.start[t] + asked * (asked + 1) // 2
        for r in range(asked + 1):
            right[at], wrong[at] = likelihoods.right[source + r], likelihoods.wrong[source + r]
            at += 1
    start[places] = at


@compiled
def sweep_nodes(w: Doubles, first: int, end: int, nodes: Nodes) -> None:
    """Take the minima over questions at the nodes from `first` to `end`, whose next are done."""
    types = nodes.after.shape[1]
    asked, inner = np.zeros(types, np.int64), np.ones(types + 1, np.int64)
    for node in range(first, end):
        row = nodes.row[node]
        if row < 0:
            continue
        _count(nodes, node, asked, 1)
        for t in range(types - 1, -1, -1):
            inner[t] = inner[t + 1] * (asked[t] + 1)
        target = w[nodes.offset[node] : nodes.offset[node + 1]]
        for t in range(types):
            then = nodes.after[row, t]
            if then >= 0:
                _ask(
                    target,
                    w[nodes.offset[then] : nodes.offset[then + 1]],
                    asked[t] + 1,
                    inner[t + 1],
                )
        _count(nodes, node, asked, 0)


@compiled
def _ask(target: Doubles, after: Doubles, digits: int, inner: int) -> None:
    """Set a node's W to the lesser of itself and of one more question.

    The type asked has `digits` digits in the node and one more after it; `inner` states share one.
    """
    if inner == 1 and digits == 1:
        for i in range(target.shape[0]):
            value = after[2 * i] + after[2 * i + 1]
            target[i] = value if value < target[i] else target[i]
        return
    for outer in range(target.shape[0] // (digits * inner)):
        for d in range(digits):
            at, to = (outer * digits + d) * inner, (outer * (digits + 1) + d) * inner
            for i in range(inner):
                value = after[to + i] + after[to + inner + i]
                target[at + i] = value if value < target[at + i] else target[at + i]
