"""Auth and the residual, Equations (1) and (3): the core's definitions against the specification.

The conditions of this file, and of every `symbolic_` file that has some, are what
`python -m licet_proofs.confirm` confirms; `symbolic_shapes` has the encoding.
"""

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import Atoms8, Program843
from .symbolic_specification import (
    every,
    extends,
    holds,
    implies,
    lacking,
    strongest,
    supported,
    truthful,
    well_formed,
    within,
)


@require(lambda program, ledger: well_formed(program, ledger))
@ensure(
    lambda program, ledger, result: every(
        (result[place] == 1) == supported(program, ledger, place + 1)
        for place in range(len(program))
    )
)
def a_conclusion_is_authorized_when_a_route_at_or_above_it_holds(
    program: Program843, ledger: Atoms8
) -> tuple[int, ...]:
    """Auth is what Equation (1) says, whatever the ledger holds, conflicts included."""
    return definitions.authorized(program, ledger)


@require(lambda program, ledger, later: well_formed(program, ledger) & extends(later, ledger))
@ensure(
    lambda result: every(
        implies(before == 1, after == 1) for before, after in zip(*result, strict=True)
    )
)
def evidence_withdraws_no_conclusion(
    program: Program843, ledger: Atoms8, later: Atoms8
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Auth is monotone in evidence that conflicts with nothing."""
    return definitions.authorized(program, ledger), definitions.authorized(program, later)


@require(lambda program, ledger, world: well_formed(program, ledger) & truthful(ledger, world))
@ensure(lambda program, world, result: sum(result) <= strongest(program, world))
def a_truthful_ledger_authorizes_nothing_that_is_not_so(
    program: Program843, ledger: Atoms8, world: Atoms8
) -> tuple[int, ...]:
    """Auth is sound: step 1 in the proof of Theorem 4.3."""
    return definitions.authorized(program, ledger)


@require(lambda program, ledger: well_formed(program, ledger))
@ensure(lambda result: every(one == other for one, other in zip(*result, strict=True)))
def a_conflict_counts_as_unknown(
    program: Program843, ledger: Atoms8
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """An atom in conflict establishes neither of its literals (D1)."""
    without = tuple(state * (state != 3) for state in ledger)
    return definitions.authorized(program, ledger), definitions.authorized(program, without)


@require(lambda route, ledger: within(route, 0, 3) & within(ledger, 0, 3))
@ensure(
    lambda route, ledger, result: every(
        (own == 1) == lacks for own, lacks in zip(result, lacking(route, ledger), strict=True)
    )
)
def the_residual_is_what_is_not_established(route: Atoms8, ledger: Atoms8) -> tuple[int, ...]:
    """A literal is in R(p, z) exactly when it is not established, Equation (3)."""
    return definitions.residual(route, ledger)


@require(lambda route, ledger: within(route, 0, 3) & within(ledger, 0, 3))
@ensure(lambda route, ledger, result: every(own == 0 for own in result) == holds(route, ledger))
def the_residual_is_empty_when_the_route_holds(route: Atoms8, ledger: Atoms8) -> tuple[int, ...]:
    """R(p, z) is empty exactly when z |= p."""
    return definitions.residual(route, ledger)


@require(lambda route, ledger: within(route, 0, 3) & within(ledger, 0, 3))
@ensure(lambda route, ledger, result: (result == 1) == holds(route, ledger))
def a_route_holds_when_its_literals_are_established(route: Atoms8, ledger: Atoms8) -> int:
    """The core's own `holds`, on which Auth rests, is z |= p."""
    return definitions.holds(route, ledger)
