"""The encoding of a compiled review program as arrays, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, TypeVar

import numpy as np

from licet import Check, InvalidInput
from licet.compiled import CompiledCheck, CompiledProgram, CompiledRoute
from licet.constraints import Clauses
from licet.objects import CheckKind

from .set_kernels import Integers, Masks

Item = TypeVar("Item")

WIDTH: Final = 64
"""Bits of a mask: atoms, conclusions and checks of an encoded program, each at most."""

# The greatest sum of costs: such integers are exact as float64, in which covers are compared.
_COST_LIMIT: Final = 2**53


class RouteArrays(NamedTuple):
    """All routes, one conclusion's after the other's, as the program lists them.

    Attributes:
        starts: int64[conclusions + 1], where each conclusion's routes begin.
        needs_true: uint64[routes], the atoms that each needs true.
        needs_false: uint64[routes], those that it needs false.
        order_starts: int64[routes + 1], where each route's atoms begin in `order`.
        order: int64, the atoms of the routes, as listed.
    """

    starts: Integers
    needs_true: Masks
    needs_false: Masks
    order_starts: Integers
    order: Integers


class CallArrays(NamedTuple):
    """The checks and what they settle.

    Attributes:
        atoms: uint64[checks], the call class of each.
        cost: int64[checks], in units.
        settled_starts: int64[atoms + 1], where each atom's checks begin in `settled_by`.
        settled_by: int64, the checks that settle the atoms, in order.
    """

    atoms: Masks
    cost: Integers
    settled_starts: Integers
    settled_by: Integers


class ConclusionArrays(NamedTuple):
    """The conclusions and their order.

    Attributes:
        at_or_below: uint64[conclusions], every c with c at or below this one.
        by_utility: int64[conclusions], indices by falling utility.
        rank: int64[conclusions], places among the distinct utilities, from 1.
    """

    at_or_below: Masks
    by_utility: Integers
    rank: Integers


class Names(NamedTuple):
    """What the kernels do not read: identifiers in order, the checks themselves, and the rest.

    Attributes:
        atoms: identifiers, in order.
        conclusions: identifiers, as listed.
        registered: the checks themselves.
        unit: units in a call.
        clauses: the constraints; ledgers come as closures under them.
        models: assignments that satisfy them.
    """

    atoms: tuple[str, ...]
    conclusions: tuple[str, ...]
    registered: tuple[Check, ...]
    unit: int
    clauses: Clauses
    models: tuple[int, ...]


class ProgramArrays(NamedTuple):
    """A compiled program as arrays; `decode` gives the same program again.

    Bit i of a mask stands for what it stands for in `licet.compiled.CompiledProgram`.
    """

    conclusions: ConclusionArrays
    routes: RouteArrays
    calls: CallArrays
    names: Names


def encode(program: CompiledProgram) -> ProgramArrays:
    """Return a compiled program as arrays.

    Raises:
        InvalidInput: more than 64 atoms, conclusions or checks, costs that add up to more than 2^53
            units, or a check that reads a text, whose cost depends on what was read before.
    """
    for check in program.registered:
        if check.kind is CheckKind.TEXT:
            problem = "judgements of texts are not for the kernels; the core decides on them"
            raise InvalidInput(f"checks.{check.identifier}", problem)
    for place, count in (
        ("atoms", len(program.atoms)),
        ("conclusions", len(program.conclusions)),
        ("checks", len(program.checks)),
    ):
        if count > WIDTH:
            raise InvalidInput(place, f"expected at most {WIDTH} for the kernels, found {count}")
    if sum(call.cost for call in program.calls) > _COST_LIMIT:
        raise InvalidInput("checks", "expected costs of at most 2^53 units in all for the kernels")
    routes = [route for listed in program.routes for route in listed]
    return ProgramArrays(
        ConclusionArrays(
            _masks(program.at_or_below), _integers(program.by_utility), _integers(program.rank)
        ),
        RouteArrays(
            _starts(program.routes),
            _masks(route.needs_true for route in routes),
            _masks(route.needs_false for route in routes),
            _starts([route.order for route in routes]),
            _integers(atom for route in routes for atom in route.order),
        ),
        CallArrays(
            _masks(call.atoms for call in program.calls),
            _integers(call.cost for call in program.calls),
            _starts(program.settled_by),
            _integers(check for checks in program.settled_by for check in checks),
        ),
        Names(
            program.atoms,
            program.conclusions,
            program.registered,
            program.unit,
            program.clauses,
            program.models,
        ),
    )


def decode(arrays: ProgramArrays) -> CompiledProgram:
    """Return the compiled program that was encoded."""
    conclusions, routes, calls, names = arrays
    orders = _cut(routes.order_starts, [int(atom) for atom in routes.order])
    listed = [
        CompiledRoute(int(true), int(false), order)
        for true, false, order in zip(routes.needs_true, routes.needs_false, orders, strict=True)
    ]
    return CompiledProgram(
        atoms=names.atoms,
        conclusions=names.conclusions,
        checks=tuple(check.identifier for check in names.registered),
        registered=names.registered,
        routes=tuple(_cut(routes.starts, listed)),
        calls=tuple(
            CompiledCheck(int(atoms), int(cost))
            for atoms, cost in zip(calls.atoms, calls.cost, strict=True)
        ),
        at_or_below=tuple(int(mask) for mask in conclusions.at_or_below),
        by_utility=tuple(int(index) for index in conclusions.by_utility),
        rank=tuple(int(rank) for rank in conclusions.rank),
        settled_by=tuple(_cut(calls.settled_starts, [int(check) for check in calls.settled_by])),
        unit=names.unit,
        clauses=names.clauses,
        models=names.models,
    )


def _masks(values: Iterable[int]) -> Masks:
    return np.array(list(values), np.uint64)


def _integers(values: Iterable[int]) -> Integers:
    return np.array(list(values), np.int64)


def _starts(parts: Sequence[Sequence[object]]) -> Integers:
    return _integers(accumulate((len(part) for part in parts), initial=0))


def _cut(starts: Integers, items: Sequence[Item]) -> list[tuple[Item, ...]]:
    bounds = [int(start) for start in starts]
    return [tuple(items[a:b]) for a, b in pairwise(bounds)]
