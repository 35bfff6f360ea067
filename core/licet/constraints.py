"""Closure under constraints: what the settled literals imply, and whether they contradict (D1).

Constraints are clauses, frozen with the program. A search finds assignments, or shows that there is
none. An assignment is checked against every clause before anything rests on it, so what is trusted
is "there is none" alone: unit propagation, and a choice of which both sides are followed. A search
that reaches its limit decides nothing, and then nothing may be authorized.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure, require

from .errors import InvariantViolation

SEARCH_LIMIT: Final = 20_000
"""Partial assignments that one call looks at, at most."""


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
    return all(assignment & c.positive or ~assignment & c.negative for c in clauses)


@ensure(lambda clauses, result: result is None or satisfies(clauses, result))
def find_model(clauses: Clauses) -> int | None:
    """Return an assignment that satisfies every clause, or None where there is none.

    Raises:
        OverflowError: neither was found within `SEARCH_LIMIT`.
    """
    search = _Search(clauses)
    return search.model(search.literals(0, 0))


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
    search = _Search(clauses, atoms)
    wanted = atoms & ~conflict
    try:
        found = search.implied(
            search.literals(true, false), search.literals(wanted, wanted), tuple(models)
        )
    except OverflowError:
        return Closure(Consistency.UNDECIDED)
    if found is None:
        return Closure(Consistency.CONTRADICTED)
    implied, kept = found
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
    search = _Search(clauses, true | false)
    if search.model(search.literals(true, false)) is not None:
        raise InvariantViolation("the settled literals agree with the constraints")
    kept = true | false
    for atom in (*_bits(kept & first), *_bits(kept & ~first)):
        fewer = kept ^ atom
        try:
            if search.model(search.literals(true & fewer, false & fewer)) is None:
                kept = fewer
        except OverflowError:
            # Without the atom it is not known that the others contradict: it stays.
            continue
    return kept


class _Search:
    """Questions about one set of clauses, on literal masks.

    Bit i of a literal mask is the positive literal of atom i, bit `width` + i its negative literal.
    A clause is the mask of its literals; a set of literals that hold is one too, and an assignment
    is such a set with one literal of every atom.
    """

    def __init__(self, clauses: Clauses, atoms: int = 0) -> None:
        for positive, negative in clauses:
            atoms |= positive | negative
        self.width = atoms.bit_length()
        self.atoms = (1 << self.width) - 1
        self.clauses = [self.literals(positive, negative) for positive, negative in clauses]
        self.left = SEARCH_LIMIT

    def literals(self, true: int, false: int) -> int:
        return true | false << self.width

    def negated(self, literals: int) -> int:
        return literals >> self.width | (literals & self.atoms) << self.width

    def model(self, literals: int) -> int | None:
        """Return an assignment in which the literals hold and every clause, or None."""
        found = self.search(self.clauses, literals, self.literals(0, self.atoms))
        return None if found is None else found & self.atoms

    def implied(
        self, literals: int, wanted: int, models: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the wanted literals that hold in all assignments in which the given ones do.

        With them, assignments to show it of every other; None where there is no assignment.
        """
        reached = self.propagate(self.clauses, literals)
        if reached is None:
            return None
        clauses, holding = reached
        known: list[int] = []
        possible = wanted & ~holding
        for model in models:
            assignment = self.literals(model & self.atoms, ~model & self.atoms)
            needed = self.needed(clauses, assignment) if not holding & ~assignment else None
            if needed is not None and (not known or possible & ~needed):
                possible &= needed
                known.append(assignment)
        if not known:
            first = self.search(clauses, holding, self.literals(0, self.atoms))
            if first is None:
                return None
            known = [first]
            possible &= self.checked(clauses, first)
        while possible:
            literal = possible & -possible
            opposite = self.negated(literal)
            found = self.search(clauses, holding | opposite, known[0] ^ literal ^ opposite)
            if found is None:
                clauses, holding = self.propagate(clauses, holding | literal) or (clauses, holding)
                possible &= ~holding
            else:
                possible &= self.checked(clauses, found)
                known.append(found)
        return holding, tuple(assignment & self.atoms for assignment in known)

    def checked(self, clauses: list[int], assignment: int) -> int:
        needed = self.needed(clauses, assignment)
        if needed is None:
            raise InvariantViolation("a search returned what satisfies not every clause")
        return needed

    def needed(self, clauses: list[int], assignment: int) -> int | None:
        """Return the literals that alone satisfy some clause; None where one is not satisfied.

        The assignment with any other literal negated satisfies the clauses as well.
        """
        needed = 0
        for clause in clauses:
            holding = clause & assignment
            if not holding & (holding - 1):
                if not holding:
                    return None
                needed |= holding
        return needed

    def search(self, clauses: list[int], literals: int, like: int) -> int | None:
        """Return an assignment in which the literals hold and every clause, or None.

        Depth first: `like` completes what unit propagation reaches, and where that fails a clause,
        one of its literals is assumed, and then its negation.
        """
        pending = [(clauses, literals)]
        while pending:
            if not self.left:
                raise OverflowError(f"no decision within {SEARCH_LIMIT} partial assignments")
            self.left -= 1
            reached = self.propagate(*pending.pop())
            if reached is None:
                continue
            clauses, holding = reached
            assignment = holding | like & ~self.negated(holding)
            broken = next((clause for clause in clauses if not clause & assignment), 0)
            if not broken:
                return assignment
            literal = broken & -broken
            pending += (clauses, holding | self.negated(literal)), (clauses, holding | literal)
        return None

    def propagate(self, clauses: list[int], holding: int) -> tuple[list[int], int] | None:
        """Return what unit propagation comes to, or None where a clause fails.

        Clauses that hold are left out, and literals that fail are left out of the others.
        """
        while True:
            failing = self.negated(holding)
            if holding & failing:
                return None
            possible = ~failing
            before, rest = holding, []
            for clause in clauses:
                if clause & holding:
                    continue
                left = clause & possible
                if left & (left - 1):
                    rest.append(left)
                elif left:
                    holding |= left
                else:
                    return None
            if holding == before:
                return rest, holding
            clauses = rest


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1
