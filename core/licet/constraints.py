"""Closure under constraints: what the settled literals imply, and whether they contradict (D1).

Constraints are clauses, frozen with the program. A search finds assignments, or shows that there is
none. That the literals agree rests on an assignment that is checked against every clause, so what
is trusted is "there is none" alone: unit propagation, and choices of which both sides are followed.
A search that reaches its limit decides nothing, and then nothing may be authorized.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .errors import InvariantViolation

SEARCH_LIMIT: Final = 50_000
"""Partial assignments that one call looks at, at most; they take about a second."""


class Clause(NamedTuple):
    """A disjunction of literals: some atom of `positive` is true, or one of `negative` is false."""

    positive: int
    negative: int


Clauses: TypeAlias = tuple[Clause, ...]


class Consistency(Enum):
    """Whether the settled literals agree with the constraints."""

    CONSISTENT = "consistent"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


class Closure(NamedTuple):
    """Cl(z): the settled literals and those that they imply under the constraints (D1).

    Attributes:
        consistency: anything but CONSISTENT is the paper's bottom, and then all else is empty.
        true: atoms whose positive literal is in the closure.
        false: atoms whose negative literal is.
        models: assignments, as masks of the true atoms, that satisfy the constraints and agree with
            the settled literals. They save searching when the next ledger's closure is computed.
    """

    consistency: Consistency
    true: int = 0
    false: int = 0
    models: tuple[int, ...] = ()


def satisfies(clauses: Iterable[Clause], assignment: int) -> bool:
    """Return whether an assignment, as the mask of the true atoms, satisfies every clause."""
    failing = ~assignment
    return all(assignment & positive or failing & negative for positive, negative in clauses)


@ensure(lambda clauses, result: result is None or satisfies(clauses, result))
def find_model(clauses: Clauses) -> int | None:
    """Return an assignment that satisfies every clause, or None where there is none.

    Raises:
        OverflowError: neither was found within `SEARCH_LIMIT`.
    """
    search = _Search(clauses)
    return search.model(search.holding)


@require(lambda atoms, true, false: not (true & false or (true | false) & ~atoms))
@require(lambda true, false, conflict: not (true | false) & conflict)
@ensure(lambda result: (result.consistency is Consistency.CONSISTENT) == bool(result.models))
@ensure(lambda result: bool(result.models) or not result.true | result.false)
@ensure(lambda true, result: not result.models or not true & ~result.true)
@ensure(lambda false, result: not result.models or not false & ~result.false)
@ensure(lambda atoms, conflict, result: not (result.true | result.false) & (conflict | ~atoms))
@ensure(lambda clauses, result: all(satisfies(clauses, model) for model in result.models))
@ensure(lambda result: not any(result.true & ~m or result.false & m for m in result.models))
def closure(
    clauses: Clauses,
    atoms: int,
    true: int,
    false: int,
    conflict: int = 0,
    models: Iterable[int] = (),
) -> Closure:
    """Return Cl(z) of (D1).

    Args:
        clauses: the constraints.
        atoms: all atoms, as a mask.
        true: atoms that are settled true.
        false: atoms that are settled false.
        conflict: atoms whose admitted values disagree; no literal of theirs is in the closure.
        models: assignments that may satisfy the constraints; only those that do are used.
    """
    search = _Search(clauses, atoms, true, false)
    wanted = atoms & ~conflict
    try:
        found = search.implied(wanted, models)
    except OverflowError:
        return Closure(Consistency.UNDECIDED)
    if found is None:
        return Closure(Consistency.CONTRADICTED)
    implied, kept = found
    if not satisfies(clauses, kept[0]):
        raise InvariantViolation("what the search found does not satisfy the constraints")
    return Closure(Consistency.CONSISTENT, implied & wanted, implied >> search.width & wanted, kept)


@ensure(lambda true, false, result: not result & ~(true | false))
@ensure(
    lambda clauses, true, false, result: (
        closure(clauses, result, true & result, false & result).consistency
        is Consistency.CONTRADICTED
    )
)
def contradicting(clauses: Clauses, true: int, false: int, first: int = 0) -> int:
    """Return settled atoms whose literals contradict the constraints, and fewer do not.

    Args:
        clauses: the constraints.
        true: atoms that are settled true.
        false: atoms that are settled false.
        first: atoms that are left out first: they are named only where the others do not
            contradict the constraints without them.

    Raises:
        OverflowError: whether the literals contradict is not decided within `SEARCH_LIMIT`.
        InvariantViolation: they do not contradict.
    """
    kept = true | false
    search = _Search(clauses, kept)
    if search.model(search.holding, search.literals(true, false)) is not None:
        raise InvariantViolation("the settled literals agree with the constraints")
    for atom in (*_single_bits(kept & first), *_single_bits(kept & ~first)):
        fewer = kept ^ atom
        try:
            found = search.model(search.holding, search.literals(true & fewer, false & fewer))
        except OverflowError:
            # It is not known that the others contradict without this one.
            break
        if found is None:
            kept = fewer
    return kept


class _Search:
    """Questions about clauses in whose assignments some literals hold.

    Bit i of a literal mask is the positive literal of atom i, bit `width` + i its negative literal.
    A clause is the mask of its literals, a set of literals too, and an assignment is such a set
    with one literal of every atom.

    Attributes:
        atoms: the atoms, as a mask.
        width: how many there are.
        holding: the literals that hold, and all that unit propagation reaches from them; None where
            it reaches a contradiction.
        clauses: those that `holding` leaves open, without their literals that fail.
        containing: those of them that contain each literal, when they have been listed.
        left: partial assignments that may still be looked at.
    """

    def __init__(self, clauses: Clauses, atoms: int = 0, true: int = 0, false: int = 0) -> None:
        for positive, negative in clauses:
            atoms |= positive | negative
        self.width = width = atoms.bit_length()
        self.atoms = (1 << width) - 1
        self.clauses = [positive | negative << width for positive, negative in clauses]
        self.holding = self._reduce(self.literals(true, false))
        self.containing: dict[int, list[int]] = {}
        self.left = SEARCH_LIMIT

    def literals(self, true: int, false: int) -> int:
        return true | false << self.width

    def negated(self, literals: int) -> int:
        return literals >> self.width | (literals & self.atoms) << self.width

    def implied(self, wanted: int, models: Iterable[int]) -> tuple[int, tuple[int, ...]] | None:
        """Return the literals of the wanted atoms that hold in every assignment, among others.

        With them, assignments that show it of the wanted ones that are not there; None where there
        is no assignment at all.
        """
        holding = self.holding
        if holding is None:
            return None
        possible = self.literals(wanted, wanted) & ~holding
        known: list[int] = []
        for model in models:
            assignment = self._assignment(model)
            if holding & ~assignment or self._broken(assignment):
                continue
            still = possible & self._needed(assignment)
            if still != possible or not known:
                possible = still
                known.append(model & self.atoms)
        if not known:
            found = self.model(holding)
            if found is None:
                return None
            possible &= self._needed(self._assignment(found))
            known = [found]
        while possible:
            literal = possible & -possible
            found = self.model(holding, self.negated(literal), known[-1])
            if found is not None:
                possible &= self._needed(self._assignment(found))
                known.append(found)
                continue
            reached = self._propagate(holding, literal)
            if reached is None:  # it cannot be: a known assignment has the literal
                return None
            holding = reached
            possible &= ~holding
        return holding, tuple(known)

    def model(self, holding: int | None, assumed: int = 0, like: int = 0) -> int | None:
        """Return an assignment, as its true atoms, in which the literals and every clause hold.

        None where there is no such assignment. Depth first: `like` completes what unit propagation
        reaches; where a clause fails then, one of its literals is assumed, and after that its
        negation.

        Raises:
            OverflowError: nothing is left of `SEARCH_LIMIT`.
        """
        model = self._assignment(like)
        pending = [] if holding is None else [(holding, assumed)]
        while pending:
            if not self.left:
                raise OverflowError(f"no decision within {SEARCH_LIMIT} partial assignments")
            self.left -= 1
            reached = self._propagate(*pending.pop())
            if reached is None:
                continue
            failing = self.negated(reached)
            assignment = reached | model & ~failing
            broken = self._broken(assignment)
            if not broken:
                return assignment & self.atoms
            broken &= ~failing
            literal = broken & -broken
            pending += (reached, self.negated(literal)), (reached, literal)
        return None

    def _assignment(self, model: int) -> int:
        return self.literals(model & self.atoms, ~model & self.atoms)

    def _broken(self, assignment: int) -> int:
        """Return the first clause that an assignment fails, or 0."""
        for clause in self.clauses:
            if not clause & assignment:
                return clause
        return 0

    def _needed(self, assignment: int) -> int:
        """Return the literals of an assignment that alone satisfy some clause.

        With any other literal that does not hold negated, it still satisfies all of them.
        """
        needed = 0
        for clause in self.clauses:
            satisfying = clause & assignment
            if not satisfying & (satisfying - 1):
                needed |= satisfying
        return needed

    def _reduce(self, holding: int) -> int | None:
        """Leave in `clauses` what unit propagation leaves open; return what then holds."""
        while True:
            failing = self.negated(holding)
            if holding & failing:
                return None
            before, left_open = holding, []
            for clause in self.clauses:
                if clause & holding:
                    continue
                literals = clause & ~failing
                if literals & (literals - 1):
                    left_open.append(literals)
                elif literals:
                    holding |= literals
                else:
                    return None
            self.clauses = left_open
            if holding == before:
                return holding

    def _index(self) -> dict[int, list[int]]:
        """Return the clauses that contain each literal; they are listed when first asked for."""
        if not self.containing:
            for clause in self.clauses:
                rest = clause
                while rest:
                    literal = rest & -rest
                    rest ^= literal
                    self.containing.setdefault(literal, []).append(clause)
        return self.containing

    def _propagate(self, holding: int, assumed: int) -> int | None:
        """Return the literals that unit propagation reaches, or None where a clause fails.

        Only the clauses of literals that come to fail are looked at.
        """
        containing, width = self._index(), self.width
        holding |= assumed
        failing = self.negated(holding)
        if holding & failing:
            return None
        while assumed:
            literal = assumed & -assumed
            assumed ^= literal
            for clause in containing.get(literal >> width or literal << width, ()):
                if clause & holding:
                    continue
                unit = clause & ~failing
                if unit & (unit - 1):
                    continue
                if not unit:
                    return None
                holding |= unit
                failing |= unit >> width or unit << width
                assumed |= unit
        return holding


def _single_bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
