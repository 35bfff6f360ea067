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
    Truths,
    add_cells,
    outcomes,
    stop_all,
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


class Sets(NamedTuple):
    """Hidden states added up for every set of claims, so that a node sees only its own claims.

    Attributes:
        claims: how many claims are covered, n; -1 when they are too many, and the rest is empty.
        covers: int64 [m], the claims that a type covers, as a mask of n bits.
        power: int64 [2^n], for each mask the sum of the powers of three of its bits.
        sums: float64 [3^n * 4]; each claim has a digit: 0 right, 1 wrong, 2 either. For each
            number the sums over its states, of 1, the loss, harm and 0, times their probability.
    """

    claims: int
    covers: Integers
    power: Integers
    sums: Doubles


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
def _digits_of(node: int, nodes: Nodes, digits: Integers) -> int:
    """Set `digits` to (type, how often it is asked), highest first; return how many there are."""
    places, at = 0, node
    while at > 0:
        places += 1
        for _ in range(nodes.taken[at]):
            at = nodes.parent[at]
    place = places
    while node > 0:
        place -= 1
        digits[2 * place], digits[2 * place + 1] = nodes.last[node], nodes.taken[node]
        for _ in range(nodes.taken[node]):
            node = nodes.parent[node]
    return places


@compiled
def _number_states(cell: Integers, digits: Integers, places: int, wrong: Truths) -> None:
    """Number the hidden states' cells: a bit for each type, the highest place first."""
    cell[:] = 0
    for place in range(places):
        of_type = wrong[digits[2 * place]]
        for s in range(cell.shape[0]):
            cell[s] = 2 * cell[s] + of_type[s]


@compiled
def _number_sets(cell: Integers, digits: Integers, places: int, sets: Sets) -> int:
    """Number the cells of all sets of the claims that some types cover; return these claims."""
    claims = 0
    for place in range(places):
        claims |= sets.covers[digits[2 * place]]
    some = claims
    while True:
        number = 0
        for place in range(places):
            number = 2 * number + int((some & sets.covers[digits[2 * place]]) != 0)
        cell[some] = number
        if some == 0:
            return claims
        some = (some - 1) & claims


@compiled
def _add_sets(cells: Doubles, cell: Integers, before: int, covers: int, sets: Sets) -> None:
    """Add up a node's cells, from those of its earlier types and the claims of its last."""
    cells[:] = 0.0
    claims, full = before | covers, sets.power.shape[0] - 1
    base, last = 2 * (sets.power[full] - sets.power[claims]), int(covers > 0)
    some = claims
    while True:
        number = (cell[some & before] << last) + int((some & covers) != 0)
        source = sets.sums[4 * (base + sets.power[some]) : 4 * (base + sets.power[some]) + 4]
        target = cells[4 * number : 4 * number + 4]
        for k in range(4):
            target[k] += source[k]
        if some == 0:
            break
        some = (some - 1) & claims


@compiled
def stop_nodes(
    w: Doubles,
    span: tuple[int, int],
    nodes: Nodes,
    hidden: Hidden,
    sets: Sets,
    likelihoods: Likelihoods,
    terms: Terms,
    exact: Exact,
) -> None:
    """Write T of every state of some nodes to w.

    What nodes of one parent share is computed once.

    Args:
        w: float64 [states].
        span: the first node, and the one after the last.
        nodes: the tree.
        hidden: the hidden states.
        sets: the same added up by sets of claims, where there are few claims.
        likelihoods: of all answers.
        terms: the numbers in Equation (2).
        exact: what was decided exactly, and where what remains is noted.
    """
    greatest = 1
    for node in range(span[0], span[1]):
        greatest = max(greatest, nodes.offset[node + 1] - nodes.offset[node])
    by_sets, types = sets.claims >= 0, hidden.wrong.shape[0]
    count = max(hidden.weights.shape[0], sets.power.shape[0])
    prefix_cell, cell = np.zeros(count, np.int64), np.zeros(count, np.int64)
    digits, start = np.zeros(2 * types + 2, np.int64), np.zeros(types + 2, np.int64)
    cells, spare = np.empty(4 * greatest), np.empty(4 * greatest)
    sums, extra = np.empty((3, greatest)), np.zeros(greatest)
    right, wrong = np.empty(2 * greatest + types), np.empty(2 * greatest + types)
    prefix, places, claims = -1, 0, 0
    for node in range(span[0], span[1]):
        before, last, used = node, nodes.last[node], 0
        for _ in range(nodes.taken[node]):
            before = nodes.parent[before]
        if before != prefix:
            prefix = before
            places = _digits_of(prefix, nodes, digits)
            if by_sets:
                claims = _number_sets(prefix_cell, digits, places, sets)
            else:
                _number_states(prefix_cell, digits, places, hidden.wrong)
        if node > 0:
            digits[2 * places], digits[2 * places + 1] = last, nodes.taken[node]
            used = places + 1
        part = cells[: 4 << used]
        if by_sets:
            _add_sets(part, prefix_cell, claims, sets.covers[last] if node > 0 else 0, sets)
        else:
            _number_states(cell, digits, used, hidden.wrong)
            add_cells(part, hidden.weights, hidden.losses, cell)
        _tabulate(start, right, wrong, digits, used, likelihoods)
        size = outcomes(cells, spare, used, start, right, wrong)
        _columns(cells if used % 2 == 0 else spare, size, sums)
        target = w[nodes.offset[node] : nodes.offset[node + 1]]
        paid = terms.price * nodes.spent[node]
        exact.base[0] = nodes.offset[node]
        stop_all(sums, target, paid, extra, terms, exact)


@compiled
def _columns(outcome: Doubles, size: int, sums: Doubles) -> None:
    """Take apart the numbers of each outcome."""
    for i in range(size):
        sums[0, i], sums[1, i], sums[2, i] = outcome[4 * i], outcome[4 * i + 1], outcome[4 * i + 2]


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
