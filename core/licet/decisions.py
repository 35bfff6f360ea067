"""The decisions of a review, on bit masks: Equations (1), (3), (4) and the hold indicator.

`definitions` says what these compute; here the same is computed for programs of any size, for
overlapping call classes and for partial orders, in microseconds. That both agree is checked.
"""

from enum import Enum
from math import inf
from typing import Final, NamedTuple

from icontract import ensure, require

from .compiled import CompiledProgram, CompiledRoute, bits
from .errors import InvariantViolation

# A set cover is searched exactly up to this many choices; beyond, the greedy cover is the bound.
COVER_CHOICES: Final = 4096


class Settled(NamedTuple):
    """A ledger as four disjoint-by-definition atom masks (D1), and the unavailable atoms.

    Attributes:
        true: atoms whose admitted values are all 1.
        false: atoms whose admitted values are all 0.
        conflict: atoms whose admitted values disagree.
        unavailable: atoms that a terminal read certified unavailable.
    """

    true: int = 0
    false: int = 0
    conflict: int = 0
    unavailable: int = 0


class LiteralStatus(Enum):
    """What a literal of a route is, in order of precedence (PRIME, appendix A)."""

    SATISFIED = "satisfied"
    REPAIRABLE = "repairable"
    OPEN = "open"
    IMPOSSIBLE = "impossible"


class Cover(NamedTuple):
    """Checks that settle a residual: their mask, their cost in units, whether it is the least."""

    checks: int
    cost: int
    least: bool


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
    program: CompiledProgram, settled: Settled, exhausted: int, atom: int, positive: bool
) -> LiteralStatus:
    """Return the one status of a literal: satisfied, repairable, open or impossible.

    Args:
        program: the compiled program.
        settled: the ledger.
        exhausted: mask of the checks whose answers are recorded.
        atom: the atom's index.
        positive: the literal's polarity.

    Raises:
        InvariantViolation: no status applies; the kernel does not guess.
    """
    bit = 1 << atom
    established, opposed = (
        (settled.true, settled.false) if positive else (settled.false, settled.true)
    )
    if established & bit:
        return LiteralStatus.SATISFIED
    if settled.conflict & bit:
        return LiteralStatus.REPAIRABLE
    if (opposed | settled.unavailable) & bit:
        return LiteralStatus.IMPOSSIBLE
    if any(not exhausted >> check & 1 for check in program.settled_by[atom]):
        return LiteralStatus.OPEN
    raise InvariantViolation(f"no status applies to a literal of atom {program.atoms[atom]!r}")


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


@ensure(
    lambda program, atoms, result: (
        result is None
        or all(
            any(program.calls[c].atoms >> a & 1 for c in bits(result.checks)) for a in bits(atoms)
        )
    )
)
@ensure(lambda runnable, result: result is None or result.checks & ~runnable == 0)
@ensure(
    lambda program, result: (
        result is None
        or result.cost == sum(program.calls[check].cost for check in bits(result.checks))
    )
)
def cover(program: CompiledProgram, atoms: int, runnable: int) -> Cover | None:
    """Return the cheapest runnable checks that settle `atoms`, or None when none do.

    A check that settles several atoms counts once. Where call classes overlap this is a weighted
    set cover: searched exactly up to `COVER_CHOICES` choices, beyond which the best cover found so
    far is returned with `least` false. Ties go to fewer checks, then to the first by identifier.
    """
    return _cover(program, atoms, runnable, sum(call.cost for call in program.calls))


def _cover(program: CompiledProgram, atoms: int, runnable: int, most: int) -> Cover | None:
    """Return the cheapest cover that costs at most `most` units, or None when none does."""
    calls, settled_by = program.calls, program.settled_by
    checks, cost = 0, 0
    contested = 0
    while atoms:
        lowest = atoms & -atoms
        choices = settled_by[lowest.bit_length() - 1]
        if len(choices) > 1:
            contested |= lowest
            atoms ^= lowest
            continue
        (check,) = choices
        if not runnable >> check & 1:
            return None
        checks |= 1 << check
        call = calls[check]
        cost += call.cost
        atoms &= ~call.atoms
        contested &= ~call.atoms
    if cost > most:
        return None
    taken = Cover(checks, cost, True)
    return _search(program, contested, runnable, most, taken) if contested else taken


def _search(
    program: CompiledProgram, atoms: int, runnable: int, most: int, taken: Cover
) -> Cover | None:
    """Add to what is `taken` anyway: branch on the lowest atom left, bound by the best cover.

    The first cover that is completed costs no more than all checks that settle a missing atom, so
    where the budget has room for those (Theorem 4.3) the limit on choices never hides every cover.
    """
    calls, settled_by = program.calls, program.settled_by
    best: Cover | None = None
    choices_left = COVER_CHOICES
    pending = [(0.0, 0, atoms, taken.checks, taken.cost)]
    while pending:
        _, _, left, checks, cost = pending.pop()
        if cost > most:
            continue
        if not left:
            if best is None or _before(checks, cost, best):
                best, most = Cover(checks, cost, True), cost
            continue
        if choices_left == 0:
            break
        choices_left -= 1
        branches = []
        for check in settled_by[(left & -left).bit_length() - 1]:
            if runnable >> check & 1:
                call = calls[check]
                rest = left & ~call.atoms
                # Per unit of cost the most atoms.
                worth = (left ^ rest).bit_count() / call.cost if call.cost else inf
                branches.append((worth, -check, rest, checks | 1 << check, cost + call.cost))
        if not branches:
            return None
        # The last is followed first: the greatest worth, then the first by identifier.
        branches.sort()
        pending += branches
    return best and best._replace(least=choices_left > 0)


def _before(checks: int, cost: int, best: Cover) -> bool:
    """Return whether a cover precedes the best: cheaper, then fewer, then first by identifier."""
    if cost != best.cost:
        return cost < best.cost
    if checks.bit_count() != best.checks.bit_count():
        return checks.bit_count() < best.checks.bit_count()
    # Of as many checks, the first in which they differ decides.
    differ = checks ^ best.checks
    return checks & differ & -differ != 0


@require(lambda budget: budget >= 0)
@ensure(lambda budget, result: result is None or result.cover.cost <= budget)
@ensure(
    lambda program, settled, result: (
        result is None
        or not _residual(program.routes[result.conclusion][result.route], settled)
        & ~_open_atoms(settled)
    )
)
def target(program: CompiledProgram, settled: Settled, budget: int, runnable: int) -> Target | None:
    """Return (c*, p*) of Equation (4), or None where no conclusion is reachable.

    Args:
        program: the compiled program.
        settled: the ledger.
        budget: what is left, in units.
        runnable: mask of the checks that may still be run.

    Returns:
        The conclusion of greatest utility with a targetable route whose residual costs at most
        `budget`, and that conclusion's cheapest such route; ties as listed.
    """
    return _target(program, settled, budget, runnable, program.by_utility)


def _target(
    program: CompiledProgram,
    settled: Settled,
    budget: int,
    runnable: int,
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
            found = _cover(program, missing, runnable, best.cover.cost - 1 if best else budget)
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
    program: CompiledProgram, settled: Settled, budget: int, runnable: int, conclusion: int
) -> Target | None:
    """Return one conclusion's cheapest targetable route within `budget`, or None."""
    return _target(program, settled, budget, runnable, (conclusion,))


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
