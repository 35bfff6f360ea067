"""The decisions of a review, on bit masks: Equations (1), (3), (4) and the hold indicator.

`definitions` says what these compute; here the same is computed for programs of any size, for
overlapping call classes and for partial orders, in microseconds. That both agree is checked.
"""

from enum import Enum
from typing import NamedTuple

from icontract import ensure, require

from .compiled import CompiledProgram, CompiledRoute, bits
from .covers import Cover, cover_within
from .errors import InvariantViolation


class Settled(NamedTuple):
    """A ledger as atom masks (D1): its closure, the conflicting and the unavailable atoms.

    Attributes:
        true: atoms whose positive literal is established: without constraints those whose admitted
            values are all 1.
        false: atoms whose negative literal is established.
        conflict: atoms whose admitted values disagree.
        unavailable: atoms that a terminal read certified unavailable.
        suspended: whether the closure is bottom; then nothing is established, and every atom is
            unavailable.
    """

    true: int = 0
    false: int = 0
    conflict: int = 0
    unavailable: int = 0
    suspended: bool = False


class LiteralStatus(Enum):
    """What a literal of a route is, in order of precedence (PRIME, appendix A)."""

    SATISFIED = "satisfied"
    REPAIRABLE = "repairable"
    OPEN = "open"
    IMPOSSIBLE = "impossible"


class Target(NamedTuple):
    """(c*, p*) of Equation (4): conclusion index, route index, and the cover of the residual."""

    conclusion: int
    route: int
    cover: Cover


def _holds(route: CompiledRoute, settled: Settled) -> bool:
    return not (route.needs_true & ~settled.true or route.needs_false & ~settled.false)


@ensure(lambda route, settled, result: result == (_residual(route, settled) == 0))
def holds(route: CompiledRoute, settled: Settled) -> bool:
    """Return whether every literal of the route is established: z |= p."""
    return _holds(route, settled)


@ensure(
    lambda program, settled, result: all(
        bool(result >> c & 1)
        == any(
            program.at_or_below[d] >> c & 1 and _residual(p, settled) == 0
            for d, routes in enumerate(program.routes)
            for p in routes
        )
        for c in range(len(program.conclusions))
    )
)
def authorized(program: CompiledProgram, settled: Settled) -> int:
    """Return Auth_P(z), Equation (1), as a conclusion mask.

    A conclusion is authorized when a route of it, or of one above it, holds.
    """
    return _authorized(program, settled)


def _authorized(program: CompiledProgram, settled: Settled) -> int:
    not_true, not_false = ~settled.true, ~settled.false
    mask = 0
    for at_or_below, routes in zip(program.at_or_below, program.routes, strict=True):
        for route in routes:
            if not (route.needs_true & not_true or route.needs_false & not_false):
                mask |= at_or_below
                break
    return mask


@ensure(lambda auth, result: result & ~auth == 0)
def maximal(program: CompiledProgram, auth: int) -> int:
    """Return MaxAuth_P(z) (D2): the authorized conclusions with no authorized one above them."""
    mask = 0
    for conclusion in bits(auth):
        above = (d for d in bits(auth) if d != conclusion)
        if not any(program.at_or_below[d] >> conclusion & 1 for d in above):
            mask |= 1 << conclusion
    return mask


def _residual(route: CompiledRoute, settled: Settled) -> int:
    return (route.needs_true & ~settled.true) | (route.needs_false & ~settled.false)


@ensure(lambda route, settled, result: result & (route.needs_true & settled.true) == 0)
@ensure(lambda route, settled, result: result & (route.needs_false & settled.false) == 0)
@ensure(lambda route, result: result & ~(route.needs_true | route.needs_false) == 0)
def residual(route: CompiledRoute, settled: Settled) -> int:
    """Return the atoms of R(p, z), Equation (3): of the literals that are not established."""
    return _residual(route, settled)


def _open_atoms(settled: Settled) -> int:
    return ~(settled.true | settled.false | settled.conflict | settled.unavailable)


@require(lambda program, atom: 0 <= atom < len(program.atoms))
def literal_status(
    program: CompiledProgram,
    settled: Settled,
    exhausted: int,
    atom: int,
    positive: bool,
    firm: Settled | None = None,
) -> LiteralStatus:
    """Return the one status of a literal: satisfied, repairable, open or impossible.

    Args:
        program: the compiled program.
        settled: the ledger, not suspended.
        exhausted: mask of the checks by which nothing more can be settled.
        atom: the atom's index.
        positive: the literal's polarity.
        firm: the ledger without its attestations, where it has any: what opposes a literal only
            because of them can be retracted.

    Raises:
        InvariantViolation: no status applies; the kernel does not guess.
    """
    bit = 1 << atom
    established, opposed = _sides(settled, positive)
    if established & bit:
        return LiteralStatus.SATISFIED
    if settled.conflict & bit:
        return LiteralStatus.REPAIRABLE
    if opposed & bit and not _sides(firm or settled, positive)[1] & bit:
        return LiteralStatus.REPAIRABLE
    if (opposed | settled.unavailable) & bit:
        return LiteralStatus.IMPOSSIBLE
    if any(not exhausted >> check & 1 for check in program.settled_by[atom]):
        return LiteralStatus.OPEN
    raise InvariantViolation(f"no status applies to a literal of atom {program.atoms[atom]!r}")


def _sides(settled: Settled, positive: bool) -> tuple[int, int]:
    """Return the atoms whose literal of a polarity is established, and those opposed to it."""
    return (settled.true, settled.false) if positive else (settled.false, settled.true)


@ensure(
    lambda route, settled, result: (
        result == (_residual(route, settled) & ~_open_atoms(settled) == 0)
    )
)
def targetable(route: CompiledRoute, settled: Settled) -> bool:
    """Return whether every literal of the route's residual is open: a check can settle it.

    These are the paper's live routes without those that wait for the repair of a conflict.
    """
    return not _residual(route, settled) & ~_open_atoms(settled)


@require(lambda budget: budget >= 0)
@ensure(lambda budget, result: result is None or result.cover.cost <= budget)
@ensure(
    lambda program, settled, result: (
        result is None
        or not _residual(program.routes[result.conclusion][result.route], settled)
        & ~_open_atoms(settled)
    )
)
def target(
    program: CompiledProgram, settled: Settled, budget: int, runnable: int, read: int = 0
) -> Target | None:
    """Return (c*, p*) of Equation (4), or None where no conclusion is reachable.

    Args:
        program: the compiled program.
        settled: the ledger.
        budget: what is left, in units.
        runnable: mask of the checks by which atoms may still be settled.
        read: mask of the text reads among them that were made.

    Returns:
        The conclusion of greatest utility with a targetable route whose residual costs at most
        `budget`, and that conclusion's cheapest such route; ties as listed.
    """
    return _target(program, settled, budget, runnable, read, program.by_utility)


def _target(
    program: CompiledProgram,
    settled: Settled,
    budget: int,
    runnable: int,
    read: int,
    candidates: tuple[int, ...],
) -> Target | None:
    not_true, not_false = ~settled.true, ~settled.false
    blocked = ~_open_atoms(settled)
    for conclusion in candidates:
        best: Target | None = None
        for index, route in enumerate(program.routes[conclusion]):
            missing = (route.needs_true & not_true) | (route.needs_false & not_false)
            if missing & blocked:
                continue
            # Only a cheaper route than the best, or at first one within the budget, is looked for.
            most = best.cover.cost - 1 if best else budget
            found = cover_within(program, missing, runnable, most, read)
            if found is not None:
                best = Target(conclusion, index, found)
        if best is not None:
            return best
    return None


@ensure(lambda aim, result: set(result) == set(bits(aim.cover.checks)))
@ensure(lambda result: len(set(result)) == len(result))
def checks_in_order(program: CompiledProgram, aim: Target, settled: Settled) -> tuple[int, ...]:
    """Return the checks of a target's cover in the order in which its route lists what they settle.

    The route's first missing atom comes first. Where several checks of the cover settle one atom,
    the first by identifier does.
    """
    route = program.routes[aim.conclusion][aim.route]
    missing = _residual(route, settled)
    ordered = (
        check
        for atom in route.order
        if missing >> atom & 1
        for check in program.settled_by[atom]
        if aim.cover.checks >> check & 1
    )
    return tuple(dict.fromkeys(ordered))


@require(lambda budget: budget >= 0)
@ensure(lambda conclusion, result: result is None or result.conclusion == conclusion)
def target_of(
    program: CompiledProgram,
    settled: Settled,
    budget: int,
    runnable: int,
    conclusion: int,
    read: int = 0,
) -> Target | None:
    """Return one conclusion's cheapest targetable route within `budget`, or None."""
    return _target(program, settled, budget, runnable, read, (conclusion,))


@ensure(
    lambda program, aim, auth, result: (
        result
        == (
            (program.rank[aim.conclusion] if aim else 0)
            > max((program.rank[c] for c in bits(auth)), default=0)
        )
    )
)
def hold(program: CompiledProgram, aim: Target | None, auth: int) -> bool:
    """Return mu: whether the target's utility exceeds that of everything authorized.

    Abstention has utility 0, below every conclusion; no target has none.
    """
    return _hold(program, aim, auth)


def _hold(program: CompiledProgram, aim: Target | None, auth: int) -> bool:
    if aim is None:
        return False
    rank = program.rank[aim.conclusion]
    while auth:
        lowest = auth & -auth
        if program.rank[lowest.bit_length() - 1] >= rank:
            return False
        auth ^= lowest
    return True
