"""What the target rule comes to on a review, all ledgers of one length followed at once."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from licet import InvalidInput, ReviewModel

from .encoding import ProgramArrays, encode
from .ledger_kernels import Ledgers
from .ledgers import authorized_many, held_many, targets_many
from .problem import named_atoms, positions, require_no_constraints
from .set_kernels import Doubles, Integers, Masks
from .walks import Evaluation

GUIDED_LIMIT: Final = 5_000_000
"""States that the rule is followed through, at most."""


class _Reached(NamedTuple):
    """States with as many checks made: what is true and false, the checks, the rest, the chance."""

    true: Masks
    false: Masks
    made: Masks
    left: Integers
    chance: Doubles

    def where(self, chosen: NDArray[np.bool_]) -> _Reached:
        return _Reached(
            self.true[chosen],
            self.false[chosen],
            self.made[chosen],
            self.left[chosen],
            self.chance[chosen],
        )


def follow_guided(model: ReviewModel, limit: int = GUIDED_LIMIT) -> Evaluation:
    """Return what the target rule comes to from the empty ledger, in float64.

    Raises:
        InvalidInput: the program is too large to be encoded, it has constraints, or more than
            `limit` states are reached.
    """
    require_no_constraints(model)
    arrays = encode(model.program)
    most = sum(call.cost for call in model.program.calls)
    none = np.zeros(1, np.uint64)
    left = np.full(1, min(model.budget, most), np.int64)
    here = _Reached(none, none, none, left, np.ones(1))
    utility = cost = regret = 0.0
    states = 0
    while len(here.chance):
        states += len(here.chance)
        if states > limit:
            raise InvalidInput("policy", f"expected one that reaches at most {limit:,} states")
        nothing = np.zeros_like(here.true)
        ledgers = Ledgers(here.true, here.false, nothing, nothing)
        auth = authorized_many(arrays, ledgers)
        runnable = np.uint64(model.program.all_checks) & ~here.made
        aims = targets_many(arrays, ledgers, here.left, runnable)
        held = held_many(arrays, aims, auth)
        earned = _greatest(model, auth)
        utility += float((here.chance * earned)[~held].sum())
        ideal = _greatest(model, _possible(arrays, ledgers))
        regret = max(regret, float((ideal - earned)[~held].max(initial=0.0)))
        going, checks = here.where(held), aims.first[held]
        cost += float((going.chance * arrays.calls.cost[checks]).sum())
        here = _joined(list(_answered(model, arrays, going, checks)))
    calls = Fraction(cost) / model.program.unit
    return Evaluation(Fraction(utility), calls, Fraction(regret), states)


def _greatest(model: ReviewModel, conclusions: Masks) -> Doubles:
    """Return the greatest utility of each mask of conclusions, 0 of none."""
    greatest = np.zeros(len(conclusions))
    for conclusion in reversed(model.program.by_utility):
        allowed = (conclusions >> np.uint64(conclusion) & np.uint64(1)).astype(bool)
        greatest[allowed] = float(model.utilities[conclusion])
    return greatest


def _possible(arrays: ProgramArrays, ledgers: Ledgers) -> Masks:
    """Return the conclusions with a route that nothing settled opposes."""
    possible = np.zeros_like(ledgers.true)
    routes = arrays.routes
    for conclusion in range(len(arrays.conclusions.rank)):
        for route in range(routes.starts[conclusion], routes.starts[conclusion + 1]):
            against = routes.needs_true[route] & ledgers.false
            against |= routes.needs_false[route] & ledgers.true
            possible |= (against == 0).astype(np.uint64) << np.uint64(conclusion)
    return possible


def _answered(
    model: ReviewModel, arrays: ProgramArrays, going: _Reached, checks: Integers
) -> Iterator[_Reached]:
    """Yield the states after each check that is run at some of the states."""
    for check in np.unique(checks):
        one = going.where(checks == check)
        after = one._replace(
            made=one.made | np.uint64(1 << int(check)), left=one.left - arrays.calls.cost[check]
        )
        for atom in positions(model.program.calls[check].atoms & named_atoms(model)):
            after = _split(after, np.uint64(1 << atom), model.priors[atom])
        yield after


def _split(states: _Reached, bit: np.uint64, prior: Fraction) -> _Reached:
    """Return the states with an atom settled: true and false of each where it was unknown."""
    known = ((states.true | states.false) & bit).astype(bool)
    unknown = states.where(~known)
    true = unknown._replace(true=unknown.true | bit, chance=unknown.chance * float(prior))
    false = unknown._replace(false=unknown.false | bit, chance=unknown.chance * float(1 - prior))
    return _joined([states.where(known), true, false])


def _joined(parts: list[_Reached]) -> _Reached:
    nothing = np.zeros(0, np.uint64)
    empty = _Reached(nothing, nothing, nothing, np.zeros(0, np.int64), np.zeros(0))
    columns = zip(empty, *parts, strict=True)
    return _Reached(*(np.concatenate(column) for column in columns))
