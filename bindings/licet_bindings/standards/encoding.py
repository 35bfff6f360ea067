"""A standard and routes as functions of one diagram, on which questions about them are decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from types import MappingProxyType
from typing import Final

from licet import InvalidInput, Literal, Route
from licet_bindings.standards.diagrams import FALSE, TRUE, Diagrams, Node, TooManySteps
from licet_bindings.standards.expressions import (
    Conjunction,
    Constant,
    Disjunction,
    Expression,
    Named,
    Negation,
    atoms_of,
)
from licet_bindings.standards.primes import Cube, TooManyCubes, prime_implicants
from licet_bindings.standards.standard import (
    MAX_ATOMS,
    MAX_STATES,
    Predicate,
    Standard,
    State,
    TooLarge,
    place_of,
    state_text,
)

MAX_STEPS: Final = 300_000
"""Steps, at most, that the questions about one standard take; some seconds of a machine's time."""


class Encoded:
    """The functions of one standard, and of routes compared with it."""

    def __init__(self, standard: Standard, routes: Sequence[Route] = ()) -> None:
        """Encode the constraints; conclusions are encoded when asked for.

        Args:
            standard: the standard.
            routes: the routes that will be asked about.

        Raises:
            InvalidInput: too many atoms, or no state satisfies the constraints.
        """
        self.standard: Final = standard
        self.variables: Final = _variables(standard, routes)
        if len(self.variables) > MAX_ATOMS:
            raise TooLarge(
                "standard",
                f"expected at most {MAX_ATOMS} atoms in one standard, its constraints and its"
                f" routes, found {len(self.variables)}",
            )
        self._levels: Final = {atom: level for level, atom in enumerate(self.variables)}
        self.diagrams: Final = Diagrams(len(self.variables), MAX_STEPS)
        self._formulas: Final[dict[str, Node]] = {}
        with self.limited("constraints"):
            self.realizable: Final = self._all(
                self._any(self._literal(literal) for literal in clause)
                for clause in standard.constraints
            )
        if self.realizable == FALSE:
            raise InvalidInput("constraints", "expected constraints that some state satisfies")

    @contextmanager
    def limited(self, place: str) -> Iterator[None]:
        """Refuse what takes too many steps, under a place."""
        try:
            yield
        except TooManySteps:
            raise TooLarge(
                place,
                f"too large to be decided exactly: it takes more than {MAX_STEPS:,} steps; state"
                " it over fewer atoms, or write the routes by hand",
            ) from None

    def formula(self, conclusion: str) -> Node:
        """Return where a conclusion is justified."""
        if conclusion not in self._formulas:
            formula, place = self.standard.formulas[conclusion], place_of(conclusion)
            with self.limited(place):
                self._formulas[conclusion] = (
                    self._expression(formula)
                    if isinstance(formula, Expression)
                    else self._predicate(formula, place)
                )
        return self._formulas[conclusion]

    def routes(self, routes: Iterable[Route]) -> Node:
        """Return where at least one of some routes holds."""
        with self.limited("routes"):
            return self._any(self._conjunction(route.literals) for route in routes)

    def conjunction(self, literals: Iterable[Literal]) -> Node:
        """Return where every literal holds."""
        with self.limited("routes"):
            return self._conjunction(literals)

    def minimal(self, conclusion: str, limit: int) -> tuple[tuple[Literal, ...], ...]:
        """Return the literals of a conclusion's minimal routes, fewest first.

        A conclusion that is justified on every realizable state has one, without literals.

        Raises:
            TooLarge: there are more than `limit`.
        """
        function, place = self.formula(conclusion), place_of(conclusion)
        try:
            with self.limited(place):
                cubes = prime_implicants(self.diagrams, function, self.realizable, limit)
        except TooManyCubes:
            raise TooLarge(
                place, f"expected at most {limit:,} minimal routes, found more"
            ) from None
        return tuple(sorted(map(self._literals, cubes), key=self._place_in_order))

    def state_within(self, function: Node) -> State | None:
        """Return the first realizable state on which a function holds, or None.

        Only the atoms that matter are in it, in the order of the standard's atoms.
        """
        with self.limited("standard"):
            found = self.diagrams.both(self.realizable, function)
        if found == FALSE:
            return None
        values = self.diagrams.first_state(found)
        return {
            atom: values[self._levels[atom]] for atom in self.standard.atoms if atom in self._levels
        }

    def state_outside(self, inner: Node, outer: Node) -> State | None:
        """Return the first realizable state on which `inner` holds and `outer` does not."""
        with self.limited("standard"):
            function = self.diagrams.both(inner, self.diagrams.negation(outer))
        return self.state_within(function)

    def _place_in_order(self, literals: tuple[Literal, ...]) -> tuple[int, list[tuple[int, bool]]]:
        atoms = self.standard.atoms
        return len(literals), [(atoms.index(one.atom), not one.positive) for one in literals]

    def _literals(self, cube: Cube) -> tuple[Literal, ...]:
        return tuple(
            Literal(atom, bool(cube.needs_true >> level & 1))
            for atom in self.standard.atoms
            if (level := self._levels.get(atom)) is not None
            and (cube.needs_true | cube.needs_false) >> level & 1
        )

    def _literal(self, literal: Literal) -> Node:
        return self.diagrams.variable(self._levels[literal.atom], literal.positive)

    def _conjunction(self, literals: Iterable[Literal]) -> Node:
        return self._all(map(self._literal, literals))

    def _all(self, functions: Iterable[Node]) -> Node:
        found = TRUE
        for function in functions:
            found = self.diagrams.both(found, function)
        return found

    def _any(self, functions: Iterable[Node]) -> Node:
        found = FALSE
        for function in functions:
            found = self.diagrams.either(found, function)
        return found

    def _expression(self, expression: Expression) -> Node:
        match expression:
            case Constant(value):
                return TRUE if value else FALSE
            case Named(atom):
                return self.diagrams.variable(self._levels[atom])
            case Negation(part):
                return self.diagrams.negation(self._expression(part))
            case Conjunction(parts):
                return self._all(map(self._expression, parts))
            case Disjunction(parts):
                return self._any(map(self._expression, parts))

    def _predicate(self, predicate: Predicate, place: str) -> Node:
        """Ask a predicate about every realizable state; where the others lie it is false."""
        states = self.diagrams.count(self.realizable)
        if states > MAX_STATES:
            raise TooLarge(
                place,
                f"expected at most {MAX_STATES:,} realizable states to ask a predicate about, found"
                f" {states:,}; state it as an expression, or over fewer atoms",
            )

        def below(level: int, possible: Node, values: tuple[bool, ...]) -> Node:
            if possible == FALSE:
                return FALSE
            if level == len(self.variables):
                state = dict(zip(self.variables, values, strict=True))
                ordered = {atom: state[atom] for atom in self.standard.atoms}
                return TRUE if _asked(predicate, ordered, place) else FALSE
            low, high = self.diagrams.branches(possible, level)
            return self.diagrams.node(
                level,
                below(level + 1, low, (*values, False)),
                below(level + 1, high, (*values, True)),
            )

        return below(0, self.realizable, ())


def _variables(standard: Standard, routes: Iterable[Route]) -> tuple[str, ...]:
    """Return the atoms that matter, so ordered that diagrams stay small.

    Atoms stand as the formulas name them, each followed by those that share a constraint with it.
    """
    named: dict[str, None] = {}
    for formula in standard.formulas.values():
        # A predicate does not say which atoms it reads.
        named |= (
            atoms_of(formula) if isinstance(formula, Expression) else dict.fromkeys(standard.atoms)
        )
    clauses = [[literal.atom for literal in clause] for clause in standard.constraints]
    together: dict[str, dict[str, None]] = {}
    for clause in clauses:
        for atom in clause:
            together.setdefault(atom, {}).update(dict.fromkeys(clause))
    literals = chain.from_iterable(route.literals for route in routes)
    ordered: dict[str, None] = {}
    for atom in chain(named, together, (literal.atom for literal in literals)):
        ordered |= {atom: None} | together.get(atom, {})
    return tuple(ordered)


def _asked(predicate: Predicate, state: Mapping[str, bool], place: str) -> bool:
    try:
        answer = predicate(MappingProxyType(state))
    except Exception as error:
        raise InvalidInput(
            place,
            f"the predicate raised {type(error).__name__}: {error}, {state_text(state)}",
        ) from error
    if type(answer) is not bool:
        raise InvalidInput(
            place, f"expected the predicate to return a bool, found {answer!r}, {state_text(state)}"
        )
    return answer
