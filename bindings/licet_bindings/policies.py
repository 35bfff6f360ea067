"""Policies that choose checks without a model (PRIME, appendix C).

A policy looks at a review and says what to request next. It holds no state: what it chooses
depends on the review alone (and on its seed), so one policy serves any number of reviews. A check
whose resolver failed is not asked again; completion tries it once more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from licet import (
    AnswerKind,
    Certificate,
    CheckRequest,
    InvalidInput,
    Ledger,
    Observation,
    Outcome,
    Request,
    Resolved,
    Review,
    StopRequest,
    Unavailable,
)
from licet.compiled import CompiledCheck, CompiledProgram, bits
from licet.decisions import (
    Cover,
    Settled,
    authorized,
    checks_in_order,
    cover,
    hold,
    residual,
    target,
    targetable,
)
from licet.ledger import settle

Policy: TypeAlias = Callable[[Review], Request]
"""What to request next, from what the review shows."""

PATIENCE: Final = 100
"""How many requests in a row may establish nothing before `run_policy` closes the review."""


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
        idle = 0 if answer.kind is AnswerKind.RECORDED else idle + 1
    return review.outcome


def guided(review: Review) -> Request:
    """Follow PRIME's guidance: the target route's first missing atom, until hold is 0.

    The target is that of Equation (4) over the checks that have neither answered nor failed.
    """
    seen = _observe(review)
    aim = target(seen.program, seen.settled, seen.left, seen.runnable)
    if aim is None or not hold(seen.program, aim, authorized(seen.program, seen.settled)):
        return StopRequest()
    return CheckRequest(seen.program.checks[checks_in_order(seen.program, aim, seen.settled)[0]])


def ceiling(review: Review) -> Request:
    """Target the ceiling (PRIME, appendix C): the route that the fewest calls would complete.

    Among the live routes of all conclusions that have an open atom, the one whose open atoms need
    the fewest distinct calls, ties to the stronger conclusion, then as listed; of it the first atom
    by identifier. It goes on when something is authorized, until no such route is left. A call
    that costs more than what is left is no candidate; where all cost one call, as in the paper,
    there is none.
    """
    seen = _observe(review)
    of_cost_one = replace(
        seen.program, calls=tuple(CompiledCheck(call.atoms, 1) for call in seen.program.calls)
    )
    found = list(_open_routes(seen, of_cost_one))
    if not found:
        return StopRequest()
    best = min(found, key=lambda route: (route.needed.cost, -seen.program.rank[route.conclusion]))
    return _first(seen.program, best.missing, best.needed.checks)


def in_order(review: Review) -> Request:
    """Run every check as listed, each that can be paid, whatever has been established."""
    seen = _observe(review)
    for check in review.commitment.specification.checks:
        index = seen.program.checks.index(check.identifier)
        if seen.affordable >> index & 1:
            return CheckRequest(check.identifier)
    return StopRequest()


@dataclass(frozen=True, slots=True)
class RandomOrder:
    """Check a random open atom of a live route (PRIME, appendix C, random order).

    Attributes:
        seed: the same seed makes the same choices in the same review.
    """

    seed: int = 0

    def __call__(self, review: Review) -> Request:
        """Return a request for the check of an atom that is drawn uniformly, or stop."""
        seen = _observe(review)
        atoms = 0
        for route in _open_routes(seen, seen.program):
            atoms |= route.missing
        if not atoms:
            return StopRequest()
        # A text as the seed gives the same draw in every version and on every machine.
        draw = random.Random(f"{self.seed} {len(review.history)}")
        return _first(seen.program, 1 << draw.choice(bits(atoms)), seen.affordable)


POLICIES: Final = MappingProxyType[str, Callable[[int], Policy]](
    {
        "guided": lambda seed: guided,
        "ceiling": lambda seed: ceiling,
        "random": RandomOrder,
        "in-order": lambda seed: in_order,
    }
)
"""The policies by name, each made from a seed, which only `random` reads."""


def policy_named(name: str, seed: int = 0) -> Policy:
    """Return the policy of this name.

    Raises:
        InvalidInput: there is none; the message names those that there are.
    """
    if name not in POLICIES:
        raise InvalidInput("policy", f"expected one of {', '.join(POLICIES)}, found {name!r}")
    return POLICIES[name](seed)


class _Seen(NamedTuple):
    """What a policy knows of a review, on the indices of its compiled program.

    Attributes:
        program: the compiled program.
        settled: the ledger.
        runnable: mask of the checks that have neither answered nor failed.
        affordable: those of them that each cost no more than what is left.
        left: what is left of the budget, in whole units.
    """

    program: CompiledProgram
    settled: Settled
    runnable: int
    affordable: int
    left: int


class _OpenRoute(NamedTuple):
    """A live route with open atoms: its conclusion, those atoms, and the calls that they need."""

    conclusion: int
    missing: int
    needed: Cover


def _observe(review: Review) -> _Seen:
    program = review.commitment.compiled
    tried = 0
    records: list[Observation | Certificate] = []
    for event, answer in review.history:
        if answer.kind in (AnswerKind.RECORDED, AnswerKind.FAILED):
            tried |= 1 << program.checks.index(answer.subject)
        if isinstance(event, Resolved) and answer.kind is AnswerKind.RECORDED:
            records += [
                Certificate(atom, answer.subject, value.reason)
                if isinstance(value, Unavailable)
                else Observation(atom, value, answer.subject)
                for atom, value in answer.values
            ]
    left = int(review.remaining * program.unit)
    untried = [check for check in range(len(program.checks)) if not tried >> check & 1]
    return _Seen(
        program,
        settle(program, Ledger(tuple(records))),
        sum(1 << check for check in untried),
        sum(1 << check for check in untried if program.calls[check].cost <= left),
        left,
    )


def _open_routes(seen: _Seen, priced: CompiledProgram) -> Iterator[_OpenRoute]:
    """Yield the live routes with open atoms, and the cheapest calls for them at `priced` costs."""
    for conclusion, routes in enumerate(seen.program.routes):
        for route in routes:
            missing = residual(route, seen.settled)
            if missing and targetable(route, seen.settled):
                needed = cover(priced, missing, seen.affordable)
                if needed is not None:
                    yield _OpenRoute(conclusion, missing, needed)


def _first(program: CompiledProgram, atoms: int, checks: int) -> Request:
    """Request the first of `checks` that settles the first of `atoms` that one of them settles."""
    for atom in bits(atoms):
        for check in program.settled_by[atom]:
            if checks >> check & 1:
                return CheckRequest(program.checks[check])
    raise AssertionError("a cover settles the atoms that it covers")
