"""Auth and the residual, Equations (1) and (3): the core against the specification."""

from icontract import ensure, require

from licet import definitions

from .symbolic_shapes import Atoms8, Program843
from .symbolic_specification import (
    established,
    every,
    extends,
    implies,
    route_holds,
    supported,
    truthful,
    well_formed,
    within,
)


@require(lambda program, ledger: well_formed(program, ledger))
@ensure(
    lambda program, ledger, result: every(
        (result[c - 1] == 1) == supported(program, ledger, c) for c in range(1, 5)
    )
)
def a_conclusion_is_authorized_exactly_when_a_route_at_or_above_it_holds(
    program: Program843, ledger: Atoms8
) -> tuple[int, int, int, int]:
    """Auth equals its definition, Equation (1), conflicts included."""
    return definitions.authorized(program, ledger)
