"""Truth functions as reduced ordered decision diagrams, in which equal functions are one node.

Source: Bryant, Graph-Based Algorithms for Boolean Function Manipulation, IEEE Transactions on
Computers 35(8), 1986.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Node: TypeAlias = int
"""A function, as the number of its node in one `Diagrams`."""

FALSE: Final[Node] = 0
TRUE: Final[Node] = 1


class TooManySteps(Exception):
    """A function would take more steps than are allowed."""


class Diagrams:
    """The functions of some variables; a variable is named by its level, from 0 at the top.

    Recursion goes no deeper than there are variables.
    """

    def __init__(self, variables: int, limit: int) -> None:
        """Start with the two constants.

        Args:
            variables: how many there are.
            limit: steps, at most, each of which keeps a node or a result.
        """
        self.variables: Final = variables
        self._left = limit
        # Of each node its level, and the functions that are left where its variable is false and
        # where it is true. The constants lie below all variables.
        self._nodes: list[tuple[int, Node, Node]] = [
            (variables, FALSE, FALSE),
            (variables, TRUE, TRUE),
        ]
        self._known: dict[tuple[int, Node, Node], Node] = {}
        self._chosen: dict[tuple[Node, Node, Node], Node] = {}

    def spend(self, steps: int = 1) -> None:
        """Count steps.

        Raises:
            TooManySteps: there are none left.
        """
        self._left -= steps
        if self._left < 0:
            raise TooManySteps

    def level(self, function: Node) -> int:
        """Return the first variable that a function depends on; the number of all, if on none."""
        return self._nodes[function][0]

    def branches(self, function: Node, level: int) -> tuple[Node, Node]:
        """Return what is left where a variable is false and where it is true.

        Args:
            function: depends on no variable above `level`.
            level: the variable.
        """
        own, low, high = self._nodes[function]
        return (low, high) if own == level else (function, function)

    def node(self, level: int, low: Node, high: Node) -> Node:
        """Return the function that is `low` where the variable is false and `high` where true."""
        if low == high:
            return low
        key = (level, low, high)
        found = self._known.get(key)
        if found is None:
            self.spend()
            found = self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def variable(self, level: int, positive: bool = True) -> Node:
        """Return the function that holds where a variable is true, or where it is false."""
        return self.node(level, FALSE, TRUE) if positive else self.node(level, TRUE, FALSE)

    def choose(self, test: Node, then: Node, otherwise: Node) -> Node:
        """Return the function that is `then` where `test` holds, and else `otherwise`."""
        if test == TRUE or then == otherwise:
            return then
        if test == FALSE:
            return otherwise
        if then == TRUE and otherwise == FALSE:
            return test
        key = (test, then, otherwise)
        found = self._chosen.get(key)
        if found is None:
            self.spend()
            level = min(map(self.level, key))
            (test_low, test_high), (low, high), (other_low, other_high) = (
                self.branches(function, level) for function in key
            )
            found = self._chosen[key] = self.node(
                level,
                self.choose(test_low, low, other_low),
                self.choose(test_high, high, other_high),
            )
        return found

    def negation(self, function: Node) -> Node:
        """Return the function that holds where this one does not."""
        return self.choose(function, FALSE, TRUE)

    def both(self, one: Node, other: Node) -> Node:
        """Return the conjunction."""
        return self.choose(one, other, FALSE)

    def either(self, one: Node, other: Node) -> Node:
        """Return the disjunction."""
        return self.choose(one, TRUE, other)

    def differ(self, one: Node, other: Node) -> Node:
        """Return the function that holds where exactly one of the two does."""
        return self.choose(one, self.negation(other), other)

    def first_state(self, function: Node) -> tuple[bool, ...]:
        """Return a state on which a function other than `FALSE` holds, false wherever it can be."""
        state = [False] * self.variables
        while function != TRUE:
            level, low, high = self._nodes[function]
            state[level] = low == FALSE
            function = high if low == FALSE else low
        return tuple(state)

    def count(self, function: Node) -> int:
        """Return on how many states a function holds."""
        counts: dict[Node, int] = {FALSE: 0, TRUE: 1}

        def below(node: Node) -> int:
            # Over the variables from the node's own level on.
            if node not in counts:
                level, low, high = self._nodes[node]
                counts[node] = sum(
                    below(part) << (self.level(part) - level - 1) for part in (low, high)
                )
            return counts[node]

        return below(function) << self.level(function)
