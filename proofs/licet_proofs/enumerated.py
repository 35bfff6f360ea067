"""What runs equals what is confirmed, by enumeration of every small case.

`licet.decisions` computes on bit masks, `licet.definitions` is what the symbolic executor confirms.
Here both are run on every valid program of two atoms and a chain of two conclusions with at most
two routes each, on every ledger, every set of unavailable atoms, every budget up to the cost of
both checks, and both ways to check two atoms. Nothing is sampled.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from licet import Atom, Check, Conclusion, Program, Specification, definitions, faults
from licet.compiled import CompiledProgram, compile_program
from licet.decisions import Settled, authorized, hold, residual, target

ATOMS = ("a", "b")
CONCLUSIONS = (Conclusion("c1", "", 1), Conclusion("c2", "", 2))
NEEDS = tuple(need for need in product((0, 1, 2), repeat=2) if any(need))
OWN = (Check("ka", ("a",), 1), Check("kb", ("b",), 2))
SHARED = (Check("kab", ("a", "b"), 1),)

Needs = tuple[tuple[int, ...], ...]


class Disagreement(AssertionError):
    """A case on which the decisions are not those of the definitions."""


class Small(NamedTuple):
    """One program in both forms: needs for the definitions, masks for the decisions."""

    needs: tuple[Needs, Needs]
    compiled: CompiledProgram
    call_class: tuple[int, int]
    cost: tuple[int, ...]


def programs() -> Iterator[Small]:
    """Yield every valid program, with each way to check its atoms."""
    sets: list[Needs] = [*combinations(NEEDS, 1), *combinations(NEEDS, 2)]
    atoms = tuple(Atom(name, "") for name in ATOMS)
    for (checks, call_class, cost), weak, strong in product(
        ((OWN, (0, 1), (1, 2)), (SHARED, (0, 0), (1,))), sets, sets
    ):
        specification = Specification(CONCLUSIONS, atoms, checks)
        program = Program.of({"c1": _literals(weak), "c2": _literals(strong)})
        if not faults(specification, program):
            compiled = compile_program(specification, program)
            yield Small((weak, strong), compiled, call_class, cost)


def _literals(routes: Needs) -> list[list[str]]:
    return [
        [("" if need == 1 else "!") + atom for atom, need in zip(ATOMS, route, strict=True) if need]
        for route in routes
    ]


def settled(ledger: tuple[int, ...], unavailable: tuple[int, ...]) -> Settled:
    """Return states and certificates as masks."""
    true, false, conflict = (
        sum((state == one) << i for i, state in enumerate(ledger)) for one in (1, 2, 3)
    )
    return Settled(true, false, conflict, sum(bit << i for i, bit in enumerate(unavailable)))


def compare(small: Small, ledger: tuple[int, ...], unavailable: tuple[int, ...]) -> int:
    """Compare both forms on one ledger at every budget; return the number of cases.

    Raises:
        Disagreement: they differ.
    """
    program, masks = small.compiled, settled(ledger, unavailable)
    auth = definitions.authorized(small.needs, ledger)
    if sum(one << i for i, one in enumerate(auth)) != authorized(program, masks):
        raise Disagreement(f"authorized: {small.needs} at {ledger}")
    for needs, compiled in zip(small.needs, program.routes, strict=True):
        for need, route in zip(needs, compiled, strict=True):
            lacking = definitions.residual(need, ledger)
            if sum(one << i for i, one in enumerate(lacking)) != residual(route, masks):
                raise Disagreement(f"residual: {need} at {ledger}")
    budgets = range(sum(small.cost) + 1)
    for budget in budgets:
        expected = definitions.target(
            small.needs, ledger, unavailable, small.call_class, small.cost, budget
        )
        aim = target(program, masks, budget, program.all_checks)
        found = (aim.conclusion + 1, aim.route + 1, aim.cover.cost) if aim else (0, 0, 0)
        if found != expected:
            raise Disagreement(f"target: {small.needs} at {ledger}, {unavailable}, {budget}")
        if definitions.hold(expected[0], auth) != hold(program, aim, authorized(program, masks)):
            raise Disagreement(f"hold: {small.needs} at {ledger}, {unavailable}, {budget}")
    return len(budgets)


def the_decisions_are_those_of_the_definitions() -> int:
    """What runs on masks equals the confirmed definitions; returns the number of cases."""
    return sum(
        compare(small, ledger, unavailable)
        for small in programs()
        for ledger in product(range(4), repeat=2)
        for unavailable in product((0, 1), repeat=2)
    )
