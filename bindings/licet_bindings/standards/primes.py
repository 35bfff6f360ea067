"""Prime implicants of a truth function, relative to constraints."""

from __future__ import annotations

from typing import NamedTuple

from licet_bindings.standards.diagrams import FALSE, TRUE, Diagrams, Node


class Cube(NamedTuple):
    """A conjunction of literals: the variables that it needs true and false, as bits."""

    needs_true: int
    needs_false: int


class TooManyCubes(Exception):
    """A function has more prime implicants than are allowed."""


def prime_implicants(
    diagrams: Diagrams, function: Node, realizable: Node, limit: int
) -> frozenset[Cube]:
    """Return the minimal conjunctions that suffice for a function on every realizable state.

    A conjunction suffices when the function holds on each realizable state on which it holds. It
    is minimal when it suffices no longer without any one of its literals. Only those that hold on
    some realizable state are returned, and of these all. Each variable is split on once: what
    suffices on both sides of it, then what suffices on one side only.

    Args:
        diagrams: holds both functions.
        function: what the conjunctions suffice for.
        realizable: holds on the states that are possible.
        limit: conjunctions, at most.

    Raises:
        TooManyCubes: there are more.
        TooManySteps: finding them takes more steps than `diagrams` allows.

    Source: PRIME, appendix A, equation (6); Coudert and Madre, Implicit and Incremental
    Computation of Primes and Essential Primes of Boolean Functions, DAC 1992.
    """
    known: dict[tuple[Node, Node], frozenset[Cube]] = {}

    def primes(sufficient: Node, possible: Node) -> frozenset[Cube]:
        if FALSE in (sufficient, possible):
            return frozenset()
        if sufficient == TRUE:
            return frozenset({Cube(0, 0)})
        key = (sufficient, possible)
        if key not in known:
            known[key] = split(sufficient, possible)
            diagrams.spend(len(known[key]) + 1)
        return known[key]

    def split(sufficient: Node, possible: Node) -> frozenset[Cube]:
        level = min(diagrams.level(sufficient), diagrams.level(possible))
        possible_low, possible_high = diagrams.branches(possible, level)
        possible_without = diagrams.either(possible_low, possible_high)
        if level < diagrams.level(sufficient):
            return primes(sufficient, possible_without)
        low, high = diagrams.branches(sufficient, level)
        without = primes(diagrams.both(low, high), possible_without)
        bit = 1 << level
        # What suffices on both sides does not need the literal.
        negative = primes(low, possible_low) - without
        positive = primes(high, possible_high) - without
        # Each part of a function has at most as many as the function, so none is refused too soon.
        if len(without) + len(negative) + len(positive) > limit:
            raise TooManyCubes
        return without.union(
            (Cube(cube.needs_true, cube.needs_false | bit) for cube in negative),
            (Cube(cube.needs_true | bit, cube.needs_false) for cube in positive),
        )

    return primes(diagrams.choose(realizable, function, TRUE), realizable)
