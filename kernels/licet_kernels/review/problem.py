"""A planning problem from a state on: what matters of it, as plain masks and numbers.

Everything is made from core objects without numpy, so that the size of a problem is known, and one
that is too large is refused, before any memory is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Final, NamedTuple

from licet import InvalidInput
from licet.compiled import CompiledProgram
from licet.decisions import Settled
from licet.review_planner import ReviewModel, ReviewState

STATE_LIMIT: Final = 150_000_000
"""States that a plan has unless told otherwise, at most; each takes 8 bytes."""

_WIDTH: Final = 63
"""Checks, and atoms, that matter at once, at most."""


class OpenRoute(NamedTuple):
    """A route that may still raise what is earned.

    Attributes:
        lacking: the atoms that it lacks, as a mask of the program's.
        pattern: those of them that it needs true.
        utility: of its conclusion.
        targetable: whether all of them are open; else some are unavailable, and it is possible only
            in the eyes of an assignment.
    """

    lacking: int
    pattern: int
    utility: Fraction
    targetable: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """What matters from a state on.

    Attributes:
        model: the planning problem.
        root: the state.
        earned: the utility of what is authorized at the root.
        routes: those that may raise it, by rising utility.
        checks: the useful checks, as `licet.review_planner.useful_checks` has them.
        lacking: all atoms that these routes lack, as a mask of the program's.
        atoms: those of them that the checks settle and a targetable route lacks.
        grain: the greatest unit of which each check costs a multiple, in units of the program.
        sets: how many sets of these checks the budget pays, at most.
        states: how many states they have, at most; both are exact for disjoint call classes.
    """

    model: ReviewModel
    root: ReviewState
    earned: Fraction
    routes: tuple[OpenRoute, ...]
    checks: tuple[int, ...]
    lacking: int
    atoms: int
    grain: int
    sets: int
    states: int


def problem_from(model: ReviewModel, root: ReviewState) -> Problem:
    """Return what matters of a planning problem from a state on."""
    program = model.program
    earned = max(
        (model.utilities[c] for c in _authorized(program, root.settled)), default=Fraction(0)
    )
    routes = sorted(_open_routes(model, root.settled, earned), key=lambda route: route.utility)
    missing = lacking = 0
    for route in routes:
        lacking |= route.lacking
        missing |= route.lacking if route.targetable else 0
    useful = [
        check
        for check, call in enumerate(program.calls)
        if not root.made >> check & 1 and call.cost <= root.left and call.atoms & missing
    ]
    useful.sort(key=lambda check: program.calls[check].cost > 0)
    settled = 0
    for check in useful:
        settled |= program.calls[check].atoms
    classes = [
        ((program.calls[check].atoms & missing).bit_count(), program.calls[check].cost)
        for check in useful
    ]
    return Problem(
        model,
        root,
        earned,
        tuple(routes),
        tuple(useful),
        lacking,
        settled & missing,
        gcd(*(cost for _, cost in classes)) or 1,
        _count([(0, cost) for _, cost in classes], root.left),
        _count(classes, root.left),
    )


def require_size(problem: Problem, limit: int = STATE_LIMIT) -> None:
    """Return if a problem can be planned exactly in the memory that so many states take.

    Raises:
        InvalidInput: it cannot; its size, the limit and the policy to use instead are named.
    """
    if problem.states > limit:
        raise InvalidInput(
            "checks",
            f"{_amount(problem.states)} states within the budget are more than the {limit:,} that"
            " exact planning takes; use the guided policy, or a smaller budget",
        )
    if max(len(problem.checks), problem.atoms.bit_count()) > _WIDTH:
        raise InvalidInput(
            "checks",
            f"{len(problem.checks)} checks that settle {problem.atoms.bit_count()} atoms are more"
            f" than the {_WIDTH} that exact planning takes; use the guided policy",
        )
    calls = problem.model.program.calls
    if sum(calls[check].cost for check in problem.checks) // problem.grain >= 2**_WIDTH:
        raise InvalidInput("checks", "expected costs that add up to fewer than 2^63 of their unit")


def _amount(states: int) -> str:
    return f"{states:,}" if states < 10**12 else f"{float(states):.1e}"


def _authorized(program: CompiledProgram, settled: Settled) -> Iterator[int]:
    # Only a conclusion's own routes: one below it is worth less.
    for conclusion, routes in enumerate(program.routes):
        for route in routes:
            if not (route.needs_true & ~settled.true or route.needs_false & ~settled.false):
                yield conclusion
                break


def _open_routes(model: ReviewModel, settled: Settled, earned: Fraction) -> Iterator[OpenRoute]:
    for utility, routes in zip(model.utilities, model.program.routes, strict=True):
        if utility <= earned:
            continue
        for route in routes:
            lacking = route.needs_true & ~settled.true | route.needs_false & ~settled.false
            if not lacking & (settled.true | settled.false | settled.conflict):
                available = not lacking & settled.unavailable
                yield OpenRoute(lacking, lacking & route.needs_true, utility, available)


def _count(classes: list[tuple[int, int]], left: int) -> int:
    """Return the sum, over the sets of classes within the budget, of 2^(atoms in the set)."""
    counts = {0: 1}
    for atoms, cost in classes:
        for spent, count in tuple(counts.items()):
            if spent + cost <= left:
                counts[spent + cost] = counts.get(spent + cost, 0) + (count << atoms)
    return sum(counts.values())
