"""The contracts that the core's definitions carry hold, those behind the slow switch included.

The executor drops a path on which a called function breaks its own contract, so that calling a
function shows nothing of its contracts. Each condition here takes the contracts of one function as
they stand in `licet.definitions`, and asks whether what the function returns satisfies them.
"""

from importlib.util import find_spec, module_from_spec
from inspect import isfunction, unwrap
from types import ModuleType
from typing import Final

import icontract
from icontract import ensure, require

from .symbolic_shapes import OWN8, UNIT8, Atoms4, Atoms8, Program843
from .symbolic_specification import every, well_formed, within
from .symbolic_target import legal


def _definitions_with_all_contracts() -> ModuleType:
    """Return a copy of `licet.definitions` made while the slow switch is on."""
    spec = find_spec("licet.definitions")
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("licet.definitions")
    copy = module_from_spec(spec)
    switch = icontract.SLOW
    icontract.SLOW = True
    try:
        spec.loader.exec_module(copy)
    finally:
        icontract.SLOW = switch
    return copy


DEFINITIONS: Final = _definitions_with_all_contracts()
CONTRACTS: Final = {
    name: tuple(function.__postconditions__)
    for name, function in vars(DEFINITIONS).items()
    if isfunction(function) and hasattr(function, "__postconditions__")
}
for _name in CONTRACTS:
    setattr(DEFINITIONS, _name, unwrap(getattr(DEFINITIONS, _name)))


def kept(function: str, **given: object) -> bool:
    """Return whether the result satisfies the function's postconditions, of which it must have one.

    Args:
        function: its name.
        given: the arguments by name, and `result`.
    """
    return every(
        contract.condition(**{name: given[name] for name in contract.condition_args})
        for contract in CONTRACTS[function]
    )


def readable(route: tuple[int, ...], ledger: tuple[int, ...]) -> bool:
    """Return whether needs and states are among 0 to 3."""
    return within(route, 0, 3) & within(ledger, 0, 3)


@require(lambda need, state: within((need, state), 0, 3))
@ensure(lambda need, state, result: kept("satisfied", need=need, state=state, result=result))
def satisfied_keeps_its_contracts(need: int, state: int) -> int:
    """A literal is established by its own value alone (D1)."""
    result: int = DEFINITIONS.satisfied(need, state)
    return result


@require(lambda route, ledger: readable(route, ledger))
@ensure(lambda route, ledger, result: kept("holds", route=route, ledger=ledger, result=result))
def holds_keeps_its_contracts(route: Atoms8, ledger: Atoms8) -> int:
    """A route holds exactly when no literal of it is missing."""
    result: int = DEFINITIONS.holds(route, ledger)
    return result


@require(lambda route, ledger: readable(route, ledger))
@ensure(lambda route, ledger, result: kept("residual", route=route, ledger=ledger, result=result))
def residual_keeps_its_contracts(route: Atoms8, ledger: Atoms8) -> tuple[int, ...]:
    """The residual is of the route, and empty exactly when the route holds."""
    result: tuple[int, ...] = DEFINITIONS.residual(route, ledger)
    return result


@require(lambda route, ledger, unavailable: readable(route, ledger) & within(unavailable, 0, 1))
@ensure(
    lambda route, ledger, unavailable, result: kept(
        "targetable", route=route, ledger=ledger, unavailable=unavailable, result=result
    )
)
def targetable_keeps_its_contracts(route: Atoms8, ledger: Atoms8, unavailable: Atoms8) -> int:
    """What a targetable route lacks is unknown and available; a route that holds is targetable."""
    result: int = DEFINITIONS.targetable(route, ledger, unavailable)
    return result


@require(
    lambda route, ledger, call_class, cost: (
        readable(route, ledger) & within(call_class, 0, 3) & within(cost, 0, 1000)
    )
)
@ensure(
    lambda route, ledger, cost, result: kept(
        "residual_cost", route=route, ledger=ledger, cost=cost, result=result
    )
)
def residual_cost_keeps_its_contracts(
    route: Atoms4, ledger: Atoms4, call_class: Atoms4, cost: Atoms4
) -> int:
    """A route that holds costs nothing, and no residual costs more than all checks."""
    result: int = DEFINITIONS.residual_cost(route, ledger, call_class, cost)
    return result


@require(lambda program, ledger: well_formed(program, ledger))
@ensure(lambda program, result: kept("authorized", program=program, result=result))
def authorized_keeps_its_contracts(program: Program843, ledger: Atoms8) -> tuple[int, ...]:
    """Whatever is below an authorized conclusion is authorized."""
    result: tuple[int, ...] = DEFINITIONS.authorized(program, ledger)
    return result


@require(lambda program, ledger, unavailable, budget: legal(program, ledger, unavailable, budget))
@ensure(
    lambda program, budget, result: kept("target", program=program, budget=budget, result=result)
)
def target_keeps_its_contracts(
    program: Program843, ledger: Atoms8, unavailable: Atoms8, budget: int
) -> tuple[int, int, int]:
    """The target is a conclusion of the program, or none, and fits the budget."""
    result: tuple[int, int, int] = DEFINITIONS.target(
        program, ledger, unavailable, OWN8, UNIT8, budget
    )
    return result


@require(lambda aim, program, ledger: well_formed(program, ledger) & within((aim,), 0, 4))
@ensure(
    lambda aim, program, ledger, result: kept(
        "hold",
        target_conclusion=aim,
        auth=DEFINITIONS.authorized(program, ledger),
        result=result,
    )
)
def hold_keeps_its_contracts(aim: int, program: Program843, ledger: Atoms8) -> int:
    """The target is held open exactly when it is above all that is authorized."""
    result: int = DEFINITIONS.hold(aim, DEFINITIONS.authorized(program, ledger))
    return result
