"""The closure under constraints on every small formula and ledger, against truth tables."""

from collections.abc import Iterator
from inspect import unwrap
from itertools import chain, combinations, product
from typing import Final

from licet import constraints
from licet.constraints import Consistency

from .closures import Position, clauses_of, literals_of, masks, said
from .enumerated import Disagreement
from .independent_closure import Disjunction, Tables

closure: Final = unwrap(constraints.closure)
contradicting: Final = unwrap(constraints.contradicting)

SPACES: Final = ((2, 8), (3, 3))
"""Numbers of atoms, and of clauses at most: all of those over two atoms, any three over three."""


def clauses_over(atoms: int) -> tuple[Disjunction, ...]:
    """Return every clause that has a literal and no atom twice."""
    return tuple(
        frozenset((atom, value) for atom, value in enumerate(values) if value is not None)
        for values in product((None, True, False), repeat=atoms)
        if any(value is not None for value in values)
    )


def formulas(atoms: int, most: int) -> Iterator[tuple[Disjunction, ...]]:
    """Yield every set of at most so many clauses."""
    every = clauses_over(atoms)
    yield from chain.from_iterable(combinations(every, size) for size in range(most + 1))


def ledgers(atoms: int, formula: tuple[Disjunction, ...]) -> Iterator[Position]:
    """Yield every ledger: each atom unknown, true, false, or in conflict."""
    for states in product("UTFC", repeat=atoms):
        settled = frozenset((a, state == "T") for a, state in enumerate(states) if state in "TF")
        conflicting = frozenset(a for a, state in enumerate(states) if state == "C")
        yield Position(atoms, formula, settled, conflicting)


def every_small_closure_is_as_defined() -> int:
    """Every set of clauses over 2 atoms, of up to 3 clauses over 3; every ledger of four states.

    Each with no assignment handed in, and with all of them.
    """
    cases = 0
    for atoms, most in SPACES:
        table, every = Tables(atoms), (1 << atoms) - 1
        for formula in formulas(atoms, most):
            clauses = clauses_of(formula)
            for position in ledgers(atoms, formula):
                expected = table.closure(formula, position.settled, position.conflicting)
                conflict = sum(1 << atom for atom in position.conflicting)
                for models in ((), range(1 << atoms)):
                    found = closure(clauses, every, *masks(position.settled), conflict, models)
                    undecided = found.consistency is Consistency.UNDECIDED
                    if undecided or said(found) != expected:
                        raise Disagreement(f"{position}: {found}, where D1 gives {expected}")
                    cases += 1
    return cases


def every_small_contradiction_is_named_and_no_more() -> int:
    """The same formulas and every ledger that contradicts one, whatever is to be left out first."""
    cases = 0
    for atoms, most in SPACES:
        table = Tables(atoms)
        for formula in formulas(atoms, most):
            clauses = clauses_of(formula)
            for position in ledgers(atoms, formula):
                settled = position.settled
                if position.conflicting or not table.contradicts(formula, settled):
                    continue
                true, false = masks(settled)
                for first in range(1 << atoms):
                    named = contradicting(clauses, true, false, first)
                    literals = literals_of(true & named, false & named)
                    left_first = {atom for atom in range(atoms) if first >> atom & 1}
                    if not table.contradicts(formula, literals) or table.names_too_many(
                        formula, literals, settled, left_first
                    ):
                        raise Disagreement(f"{position}, first {left_first}: {sorted(literals)}")
                    cases += 1
    return cases
