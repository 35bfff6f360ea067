"""A planning problem from a state on: what matters of it, as plain masks and numbers.

Everything is made from core objects without numpy, so that the size of a problem is known, and one
that is too large is refused, before any memory is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Final, NamedTuple

from licet import InvalidInput
from licet.compiled import CompiledRoute
from licet.decisions import Settled
from licet.review_planner import ReviewModel, ReviewState, answers, supported_utility

STATE_LIMIT: Final = 150_000_000
"""States that a plan has unless told otherwise, at most; each takes 8 bytes."""

# Checks that matter at once, and atoms, at most; and different costs of sets of checks.
_WIDTH: Final = 63
_SUMS: Final = 1_000_000


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
        atoms: those that these settle and a targetable route lacks, as a mask of the program's;
            where the greatest regret is minimized, those that any of the routes lacks.
        grain: the greatest unit of which each check costs a multiple, in units of the program.
        sets: how many sets of these checks the budget pays, at most.
        states: how many states they have, at most; both are exact for disjoint call classes.
    """

    model: ReviewModel
    root: ReviewState
    earned: Fraction
    routes: tuple[OpenRoute, ...]
    checks: tuple[int, ...]
    atoms: int
    grain: int
    sets: int
    states: int


def problem_from(model: ReviewModel, root: ReviewState, *, regret: bool = False) -> Problem:
    """Return what matters of a planning problem from a state on.

    Args:
        model: the planning problem.
        root: the state.
        regret: whether the greatest regret is minimized.

    Raises:
        InvalidInput: it is so large that its size is not counted, and what is too many is named; or
            the program has constraints.
    """
    require_no_constraints(model)
    program = model.program
    earned = earned_at(model, root.settled)
    routes = tuple(_open_routes(model, root.settled, earned))
    missing = 0
    for route in routes:
        missing |= route.lacking if route.targetable else 0
    calls = program.calls
    useful = [
        check
        for check, call in enumerate(calls)
        if not root.made >> check & 1 and call.cost <= root.left and call.atoms & missing
    ]
    useful.sort(key=lambda check: calls[check].cost > 0)
    # A route that no check can establish any more is possible until something read excludes it.
    told = missing
    for route in routes:
        told |= route.lacking if regret else 0
    settled = 0
    for check in useful:
        settled |= calls[check].atoms
    _require_width(useful, settled & told)
    classes = [((calls[c].atoms & told).bit_count(), calls[c].cost) for c in useful]
    return Problem(
        model,
        root,
        earned,
        routes,
        tuple(useful),
        settled & told,
        gcd(*(cost for _, cost in classes)) or 1,
        _count([(0, cost) for _, cost in classes], root.left),
        _count(classes, root.left),
    )


def require_no_constraints(model: ReviewModel) -> None:
    """Return if a program has no constraints.

    Raises:
        InvalidInput: it has; the reference plans under them, and takes small programs.
    """
    if model.program.clauses:
        problem = "reviews under constraints are planned by the reference alone, not by the kernels"
        raise InvalidInput("constraints", problem)


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
    calls = problem.model.program.calls
    if sum(calls[check].cost for check in problem.checks) // problem.grain >= 2**_WIDTH:
        raise InvalidInput("checks", "expected costs that add up to fewer than 2^63 of their unit")


def _require_width(checks: list[int], atoms: int) -> None:
    if max(len(checks), atoms.bit_count()) > _WIDTH:
        raise InvalidInput(
            "checks",
            f"{len(checks)} checks that settle {atoms.bit_count()} atoms within the budget are more"
            f" than the {_WIDTH} that exact planning takes; use the guided policy",
        )


def _amount(states: int) -> str:
    return f"{states:,}" if states < 10**12 else f"{float(states):.1e}"


def earned_at(model: ReviewModel, settled: Settled) -> Fraction:
    """Return what `licet.review_planner.reported_utility` does: the greatest utility authorized."""
    return _greatest(model, settled, _holds)


def ideal_at(model: ReviewModel, settled: Settled) -> Fraction:
    """Return what `licet.review_planner.supported_utility` does: the greatest that is possible."""
    if model.program.clauses:
        return supported_utility(model, settled)
    return _greatest(model, settled, _is_possible)


def _holds(route: CompiledRoute, settled: Settled) -> bool:
    return not (route.needs_true & ~settled.true or route.needs_false & ~settled.false)


def _is_possible(route: CompiledRoute, settled: Settled) -> bool:
    against = route.needs_true & settled.false | route.needs_false & settled.true
    return not (against or (route.needs_true | route.needs_false) & settled.conflict)


def _greatest(
    model: ReviewModel, settled: Settled, test: Callable[[CompiledRoute, Settled], bool]
) -> Fraction:
    # Only a conclusion's own routes: those below it are worth less.
    for conclusion in model.program.by_utility:
        if any(test(route, settled) for route in model.program.routes[conclusion]):
            return model.utilities[conclusion]
    return Fraction(0)


def named_atoms(model: ReviewModel) -> int:
    """Return the atoms that some route names, as a mask; no policy looks at others."""
    named = 0
    for routes in model.program.routes:
        for route in routes:
            named |= route.needs_true | route.needs_false
    return named


def outcomes_of(
    model: ReviewModel, state: ReviewState, check: int, named: int
) -> list[tuple[Fraction, ReviewState]]:
    """Return what `licet.review_planner.answers` does; without constraints of `named` atoms alone.

    Under constraints an atom that no route names may tell of one that a route does.
    """
    if model.program.clauses:
        return list(answers(model, state, check))
    call, z = model.program.calls[check], state.settled
    open_atoms = call.atoms & named & ~(z.true | z.false | z.conflict | z.unavailable)
    reached = [(Fraction(1), z.true, z.false)]
    for atom in positions(open_atoms):
        prior, bit = model.priors[atom], 1 << atom
        reached = [(p * prior, ones | bit, zeros) for p, ones, zeros in reached] + [
            (p * (1 - prior), ones, zeros | bit) for p, ones, zeros in reached
        ]
    made, left = state.made | 1 << check, state.left - call.cost
    return [
        (p, ReviewState(made, Settled(ones, zeros, z.conflict, z.unavailable), left))
        for p, ones, zeros in reached
    ]


def positions(mask: int) -> Iterator[int]:
    """Yield the positions of the one bits of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _open_routes(model: ReviewModel, settled: Settled, earned: Fraction) -> Iterator[OpenRoute]:
    """Yield the routes that may still raise what is earned, by rising utility."""
    for conclusion in reversed(model.program.by_utility):
        utility = model.utilities[conclusion]
        if utility <= earned:
            continue
        for route in model.program.routes[conclusion]:
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
        if len(counts) > _SUMS:
            raise InvalidInput(
                "checks",
                f"costs that add up to more than {_SUMS:,} different sums within the budget are"
                " too many for exact planning; use the guided policy",
            )
    return sum(counts.values())
