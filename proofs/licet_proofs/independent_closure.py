"""The closure of appendix D1 by truth tables, to hold the kernel's search against.

A formula over n atoms has a table of 2^n rows, one for each assignment: row r makes atom i true
when bit i of r is one. A table is the set of the rows in which something holds, as an integer with
a bit for each. Nothing is searched and nothing propagated; a closure is read off the whole table.
"""

from collections.abc import Collection, Iterable
from typing import TypeAlias

Literal: TypeAlias = tuple[int, bool]
"""An atom by its number, and the value that it must have."""

Disjunction: TypeAlias = frozenset[Literal]
"""A clause: one of its literals holds."""

Formula: TypeAlias = Collection[Disjunction]
"""Constraints: each of the clauses holds."""

Literals: TypeAlias = frozenset[Literal]


def every_row(atoms: int) -> int:
    """Return the table of what always holds."""
    return (1 << (1 << atoms)) - 1


def rows_of(literal: Literal, atoms: int) -> int:
    """Return the table of a literal."""
    atom, value = literal
    return sum(1 << row for row in range(1 << atoms) if bool(row >> atom & 1) == value)


class Tables:
    """The tables of all literals over some atoms, and those of formulas put together from them."""

    def __init__(self, atoms: int) -> None:
        self.atoms = atoms
        self.literals = [(atom, value) for atom in range(atoms) for value in (True, False)]
        self._rows = {literal: rows_of(literal, atoms) for literal in self.literals}

    def rows(self, formula: Formula, settled: Iterable[Literal] = ()) -> int:
        """Return the table of a formula together with settled literals."""
        table = every_row(self.atoms)
        for clause in formula:
            some = 0
            for literal in clause:
                some |= self._rows[literal]
            table &= some
        for literal in settled:
            table &= self._rows[literal]
        return table

    def closure(
        self, formula: Formula, settled: Iterable[Literal], conflicting: Collection[int]
    ) -> Literals | None:
        """Return Cl(z), or None for bottom.

        The literals of atoms that do not conflict and that hold in every assignment in which the
        formula and the settled literals do; bottom where there is no such assignment (D1).
        """
        table = self.rows(formula, settled)
        if not table:
            return None
        return frozenset(
            literal
            for literal in self.literals
            if literal[0] not in conflicting and not table & ~self._rows[literal]
        )

    def contradicts(self, formula: Formula, settled: Iterable[Literal]) -> bool:
        """Return whether no assignment satisfies the formula and the literals."""
        return not self.rows(formula, settled)

    def names_too_many(
        self, formula: Formula, named: Literals, settled: Literals, first: Collection[int]
    ) -> str:
        """Return what could be left out of the literals that are named for a contradiction, or "".

        Without any one of them the others do not contradict; without one of an atom of `first`, not
        even beside every settled literal of other atoms.
        """
        for literal in sorted(named):
            left = named - {literal}
            if literal[0] in first:
                left |= {other for other in settled if other[0] not in first}
            if self.contradicts(formula, left):
                return f"{literal} is not needed"
        return ""
