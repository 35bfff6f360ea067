"""Policies that choose checks without a model (PRIME, appendix C).

A policy looks at a review and says what to request next. It holds no state: what it chooses
depends on the review alone (and on its seed), so one policy serves any number of reviews. A check
whose resolver failed is not asked again; completion tries it once more. No policy reads a text, for
none can judge it; what others have attested counts. Of candidate fields each is read once, in the
order in which they are listed, until one decides.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from licet import (
    AnswerKind,
    CheckRequest,
    InvalidInput,
    Outcome,
    Request,
    Review,
    StopRequest,
)
from licet.compiled import CompiledCheck, CompiledProgram, bits
from licet.covers import Cover, cover
from licet.decisions import authorized, checks_in_order, hold, residual, target, targetable
from licet.review_planner import ReviewState
from licet_bindings.errors import expected_one_of
from licet_bindings.observing import Seen, observe
from licet_kernels.review.planning import ExactPlan

Policy: TypeAlias = Callable[[Review], Request]
"""What to request next, from what the review shows."""

PATIENCE: Final = 100
"""How many requests in a row may establish nothing before `run_policy` closes the review."""


_PROGRESS: Final = frozenset({AnswerKind.RECORDED, AnswerKind.INCONCLUSIVE})


def run_policy(review: Review, policy: Policy) -> Outcome:
    """Let a policy make a review's requests until the review is over; return its outcome.

    A policy that keeps asking for what establishes nothing would never end where that is free:
    after `PATIENCE` such requests in a row the review is closed.

    Args:
        review: an open review, or one that is over.
        policy: chooses each request; what it raises goes to the caller, and the review stays open.
    """
    idle = 0
    while not review.over:
        if idle == PATIENCE:
            return review.close(complete=review.completion)
        answer = review.request(policy(review))
        idle = 0 if answer.kind in _PROGRESS else idle + 1
    return review.outcome


def guided(review: Review) -> Request:
    """Follow PRIME's guidance: the target route's first missing atom, until hold is 0.

    The target is that of Equation (4) over the checks that have neither answered nor failed.
    """
    seen = observe(review)
    aim = target(seen.program, seen.settled, seen.left, seen.runnable)
    if aim is None or not hold(seen.program, aim, authorized(seen.program, seen.settled)):
        return StopRequest()
    return request_for(seen, checks_in_order(seen.program, aim, seen.settled)[0])


def ceiling(review: Review) -> Request:
    """Target the ceiling (PRIME, appendix C): the route that the fewest calls would complete.

    Among the live routes of all conclusions that have an open atom, the one whose open atoms need
    the fewest distinct calls, ties to the stronger conclusion, then as listed; of it the first atom
    by identifier. It goes on when something is authorized, until no such route is left. A call
    that costs more than what is left is no candidate; where all cost one call, as in the paper,
    there is none. Where places are uncertain this is the paper's blind enumeration.
    """
    seen = observe(review)
    return request_for(seen, ceiling_choice(seen))


def in_order(review: Review) -> Request:
    """Run each check that settles an atom of a route, as the routes list their atoms.

    Conclusions as listed (in a chain, the weakest first), their routes as listed, the atoms of a
    route as listed; of the checks that settle an atom the first by identifier first. Each is run
    once, if it can be paid, whatever has been established.
    """
    seen = observe(review)
    return request_for(seen, in_order_choice(seen))


@dataclass(frozen=True, slots=True)
class RandomOrder:
    """Check a random open atom of a live route (PRIME, appendix C, random order).

    Attributes:
        seed: the same seed makes the same choices in the same review.
    """

    seed: int = 0

    def __call__(self, review: Review) -> Request:
        """Return a request for the check of an atom that is drawn uniformly, or stop."""
        seen = observe(review)
        atoms = 0
        for _, missing in _open_routes(seen):
            atoms |= missing
        if not atoms:
            return StopRequest()
        # A text as the seed gives the same draw in every version and on every machine.
        draw = random.Random(f"{self.seed} {len(review.history)}")
        check = _first(seen.program, 1 << draw.choice(bits(atoms)), seen.affordable)
        return request_for(seen, check)


@dataclass(frozen=True, slots=True)
class Planned:
    """Follow an exact plan (`licet_kernels.review.planning`), then leave it to completion.

    Attributes:
        program: what the plan is for.
        plan: chooses the checks. A read that failed or established nothing leads off it, and what
            is best from there is planned anew.
    """

    program: CompiledProgram
    plan: ExactPlan

    def __call__(self, review: Review) -> Request:
        """Return a request for the plan's next check, or stop.

        Raises:
            InvalidInput: the review is under another program.
        """
        seen = observe(review)
        if seen.program != self.program:
            raise InvalidInput("policy", "expected a plan for the program of this review")
        made = seen.program.all_checks & ~seen.runnable
        check = self.plan.choose(ReviewState(made, seen.settled, seen.left))
        return request_for(seen, check)


DESCRIPTIONS: Final = MappingProxyType[str, str](
    {
        "guided": "towards the strongest conclusion in reach",
        "ceiling": "the route that needs the fewest calls",
        "blind": "as ceiling, whose candidate fields are read as listed",
        "locator": "as ceiling, told which candidate field is the right one: for comparison",
        "random": "a random open condition",
        "in-order": "as the routes list them",
        "exact": "the most to be expected under the atoms' priors",
    }
)
"""What each policy does, in a few words."""

EXACT: Final = "exact"
"""The policy that is planned for a program and a budget: `planned.exact_policy` makes it."""

LOCATOR: Final = "locator"
"""The policy that is told where a record has what: `locating.true_locator` makes it."""

POLICIES: Final = MappingProxyType[str, Callable[[int], Policy]](
    {
        "guided": lambda seed: guided,
        "ceiling": lambda seed: ceiling,
        "blind": lambda seed: ceiling,
        "random": RandomOrder,
        "in-order": lambda seed: in_order,
    }
)
"""The policies that need neither plan nor record, made from a seed that only `random` reads."""


def policy_named(name: str, seed: int = 0) -> Policy:
    """Return the policy of this name.

    Raises:
        InvalidInput: there is none; the message names those that there are.
    """
    if name == EXACT:
        raise InvalidInput("policy", "the exact policy is made for a program and a budget")
    if name == LOCATOR:
        raise InvalidInput("policy", "the locator policy is made for a record")
    if name not in POLICIES:
        raise InvalidInput("policy", f"{expected_one_of(name, DESCRIPTIONS)}, found {name!r}")
    return POLICIES[name](seed)


class _OpenRoute(NamedTuple):
    """A live route with open atoms: those atoms, and the calls that they need."""

    missing: int
    needed: Cover


def ceiling_choice(seen: Seen) -> int | None:
    """Return the check that `ceiling` runs, by its index, or None where it stops."""
    best = _fewest_calls(seen)
    return _first(seen.program, best.missing, best.needed.checks) if best else None


def in_order_choice(seen: Seen) -> int | None:
    """Return the check that `in_order` runs, by its index, or None where it stops."""
    for routes in seen.program.routes:
        for route in routes:
            for atom in route.order:
                for check in seen.program.settled_by[atom]:
                    if seen.affordable >> check & 1:
                        return check
    return None


def request_for(seen: Seen, check: int | None) -> Request:
    """Return the request for a check by its index, of candidates the next; None stops."""
    if check is None:
        return StopRequest()
    return CheckRequest(seen.program.checks[check], seen.next_candidate(check))


def _open_routes(seen: Seen) -> Iterator[tuple[int, int]]:
    """Yield the conclusion and the open atoms of each live route that the calls could complete."""
    reachable = 0
    for check in bits(seen.affordable):
        reachable |= seen.program.calls[check].atoms
    for conclusion, routes in enumerate(seen.program.routes):
        for route in routes:
            missing = residual(route, seen.settled)
            if missing and not missing & ~reachable and targetable(route, seen.settled):
                yield conclusion, missing


def _fewest_calls(seen: Seen) -> _OpenRoute | None:
    """Return the open route that the fewest calls complete; ties to the stronger, then as listed.

    No call settles more atoms than the widest, which says from below how many calls a route needs.
    So most routes need no search for theirs.
    """
    widest = max(call.atoms.bit_count() for call in seen.program.calls)
    bounds = sorted(
        (-(-missing.bit_count() // widest), -seen.program.rank[conclusion], position, missing)
        for position, (conclusion, missing) in enumerate(_open_routes(seen))
    )
    priced = _at_one_call_each(seen.program)
    best: tuple[int, int, int] | None = None
    found: _OpenRoute | None = None
    for fewest, weakness, position, missing in bounds:
        if best is not None and best < (fewest, weakness, position):
            break
        needed = cover(priced, missing, seen.affordable)
        if needed is not None and (best is None or (needed.cost, weakness, position) < best):
            best = needed.cost, weakness, position
            found = _OpenRoute(missing, needed)
    return found


def _at_one_call_each(program: CompiledProgram) -> CompiledProgram:
    if all(call.cost == 1 for call in program.calls):
        return program
    return replace(program, calls=tuple(CompiledCheck(call.atoms, 1) for call in program.calls))


def _first(program: CompiledProgram, atoms: int, checks: int) -> int:
    """Return the first of `checks` that settles the first of `atoms` that one of them settles."""
    for atom in bits(atoms):
        for check in program.settled_by[atom]:
            if checks >> check & 1:
                return check
    raise AssertionError("a cover settles the atoms that it covers")
