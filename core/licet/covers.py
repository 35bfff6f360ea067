"""Covers: the cheapest checks that settle a residual, the cost that Equation (4) estimates."""

from math import inf
from typing import Final, NamedTuple

from icontract import ensure

from .compiled import CompiledProgram, bits

# A set cover is searched exactly up to this many choices; beyond, the greedy cover is the bound.
COVER_CHOICES: Final = 4096


class Cover(NamedTuple):
    """Checks that settle a residual: their mask, their cost in units, whether it is the least."""

    checks: int
    cost: int
    least: bool


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
    lambda program, atoms, read, result: (
        result is None
        or result.cost
        == sum(
            (0 if read >> check & 1 else program.calls[check].cost)
            + program.calls[check].each * (atoms & program.calls[check].atoms).bit_count()
            for check in bits(result.checks)
        )
    )
)
def cover(program: CompiledProgram, atoms: int, runnable: int, read: int = 0) -> Cover | None:
    """Return the cheapest runnable checks that settle `atoms`, or None when none do.

    A check that settles several atoms counts once. An atom that is judged on a text costs its
    attestation besides the one read of the text, which is free where the mask `read` of texts has
    it: it was paid before. Where call classes overlap this is a weighted
    set cover: searched exactly up to `COVER_CHOICES` choices, beyond which the best cover found so
    far is returned with `least` false. Ties go to fewer checks, then to the first by identifier.
    """
    most = sum(call.cost + call.each * call.atoms.bit_count() for call in program.calls)
    return cover_within(program, atoms, runnable, most, read)


def cover_within(
    program: CompiledProgram, atoms: int, runnable: int, most: int, read: int
) -> Cover | None:
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
        if call.each:
            cost += call.each * (atoms & call.atoms).bit_count()
            cost -= call.cost * (read >> check & 1)
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
