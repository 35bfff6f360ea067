"""A standard: for each conclusion, the states of the atoms on which it is justified.

A state is a truth value for each atom. It is realizable when the constraints hold on it; what a
standard says of the others means nothing. Source: PRIME, appendix A, f* and Phi.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self, TypeAlias

from licet import InvalidInput, Literal
from licet.objects import identifier
from licet_bindings.errors import expected_one_of
from licet_bindings.standards.expressions import Expression, atoms_of, parse_expression

Predicate: TypeAlias = Callable[[Mapping[str, bool]], bool]
"""Says of a state, which has every atom, whether a conclusion is justified on it."""

Formula: TypeAlias = Expression | Predicate
"""What justifies one conclusion."""

State: TypeAlias = Mapping[str, bool]

MAX_ATOMS: Final = 100
"""Atoms that one standard, its constraints and the routes compared with it name, at most."""

MAX_STATES: Final = 2**18
"""Realizable states that a predicate is asked about, at most."""


class TooLarge(InvalidInput):
    """A standard that could be decided only in more time or memory than is allowed."""


def place_of(conclusion: str) -> str:
    """Return what messages call the formula of a conclusion; "" where there is only one formula."""
    return f"standard.{conclusion}" if conclusion else "standard"


@dataclass(frozen=True, slots=True)
class Standard:
    """When each conclusion is justified (f* of the paper), on the states that are possible.

    Attributes:
        atoms: the atoms' names; literals and routes are listed in this order.
        formulas: for each conclusion an expression or a predicate.
        constraints: clauses, of each of which at least one literal holds on a realizable state.
    """

    atoms: tuple[str, ...]
    formulas: Mapping[str, Formula]
    constraints: tuple[tuple[Literal, ...], ...] = ()

    def __post_init__(self) -> None:
        """Fix the formulas, and refuse what names an atom that there is not."""
        object.__setattr__(self, "formulas", MappingProxyType(dict(self.formulas)))
        known: set[str] = set()
        for atom in self.atoms:
            if identifier(atom, "atoms") in known:
                raise InvalidInput("atoms", f"expected each atom once, found {atom!r} twice")
            known.add(atom)
        for conclusion, formula in self.formulas.items():
            if isinstance(formula, Expression):
                self._require(known, atoms_of(formula), place_of(conclusion))
            elif not callable(formula):
                raise InvalidInput(
                    place_of(conclusion),
                    f"expected an expression or a predicate, found {formula!r}",
                )
        for position, clause in enumerate(self.constraints):
            self._require(known, (literal.atom for literal in clause), f"constraints.{position}")

    @classmethod
    def of(
        cls,
        atoms: Iterable[str],
        formulas: Mapping[str, str | Formula],
        constraints: Iterable[Iterable[str]] = (),
    ) -> Self:
        """Build a standard from texts: expressions, and literals as a document writes them.

        >>> standard = Standard.of(["a", "b"], {"ready": "a or b"}, [["!a", "b"]])
        >>> standard.constraints
        ((Literal(atom='a', positive=False), Literal(atom='b', positive=True)),)

        Raises:
            InvalidInput: an expression or a literal is malformed, or names no atom.
        """
        if isinstance(atoms, str):
            raise InvalidInput("atoms", f"expected a list of atoms, found the text {atoms!r}")
        return cls(
            tuple(atoms),
            {
                conclusion: parse_expression(formula, place_of(conclusion))
                if isinstance(formula, str)
                else formula
                for conclusion, formula in formulas.items()
            },
            tuple(
                _clause(clause, f"constraints.{position}")
                for position, clause in enumerate(constraints)
            ),
        )

    def _require(self, known: Set[str], atoms: Iterable[str], place: str) -> None:
        for atom in atoms:
            if atom not in known:
                raise InvalidInput(
                    place, f"no atom is named {atom!r}; {expected_one_of(atom, self.atoms)}"
                )


def _clause(clause: Iterable[str], place: str) -> tuple[Literal, ...]:
    if isinstance(clause, str) or not isinstance(clause, Iterable):
        raise InvalidInput(place, f"expected a list of literals, found {clause!r}")
    try:
        return tuple(Literal.parse(literal) for literal in clause)
    except InvalidInput as fault:
        raise InvalidInput(place, fault.problem) from None


def state_text(state: State) -> str:
    """Return a state in words: the atoms that are true, for all others are false.

    >>> state_text({"a": True, "b": False, "c": True})
    'with a, c true and every other atom false'
    """
    true = [atom for atom, value in state.items() if value]
    if not true:
        return "with every atom false"
    if len(true) == len(state):
        return "with every atom true"
    return f"with {', '.join(true)} true and every other atom false"
