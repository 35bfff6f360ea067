"""The closure under constraints is that of D1: the kernel's search against truth tables."""

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Final, NamedTuple
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from licet import InvariantViolation, constraints
from licet.constraints import (
    Clause,
    Clauses,
    Closure,
    Consistency,
    closure,
    contradicting,
    find_model,
)

from .expect import SAMPLED, expect
from .independent_closure import Disjunction, Literal, Literals, Tables

ATOMS: Final = 10
"""Atoms of a formula, at most."""

SMALL_LIMIT: Final = 12
"""A limit on the search that some of the formulas reach."""

tables: Final = cache(Tables)


class Position(NamedTuple):
    """Constraints and a ledger: clauses, settled literals, conflicting atoms."""

    atoms: int
    formula: tuple[Disjunction, ...]
    settled: Literals
    conflicting: frozenset[int]


def masks(literals: Iterable[Literal]) -> tuple[int, int]:
    """Return literals as the kernel takes them: the atoms true, and the atoms false."""
    listed = list(literals)
    return (
        sum(1 << atom for atom, value in listed if value),
        sum(1 << atom for atom, value in listed if not value),
    )


def clauses_of(formula: Iterable[Disjunction]) -> Clauses:
    """Return a formula as the kernel takes it."""
    return tuple(Clause(*masks(clause)) for clause in formula)


def literals_of(true: int, false: int) -> Literals:
    """Return masks as literals."""
    return frozenset(
        (atom, value)
        for mask, value in ((true, True), (false, False))
        for atom in range(mask.bit_length())
        if mask >> atom & 1
    )


def closed(position: Position, models: Iterable[int] = ()) -> Closure:
    """Return what the kernel says of a position."""
    every = (1 << position.atoms) - 1
    conflict = sum(1 << atom for atom in position.conflicting)
    clauses = clauses_of(position.formula)
    return closure(clauses, every, *masks(position.settled), conflict, models)


def defined(position: Position) -> Literals | None:
    """Return what D1 says of it."""
    _, formula, settled, conflicting = position
    return tables(position.atoms).closure(formula, settled, conflicting)


def said(found: Closure) -> Literals | None:
    """Return what the kernel said, in the terms of the definition."""
    if found.consistency is Consistency.CONSISTENT:
        return literals_of(found.true, found.false)
    return None


def position_of(seed: int, atoms: int) -> Position:
    """Return the position of a seed.

    Clauses mostly have one length, and are up to so many that about half of such formulas are
    satisfiable; most atoms are unknown, for of what is settled much follows by propagation alone.
    """
    random = Random(f"{seed}/{atoms}")
    length = random.randint(1, 4)
    most = (1, 2, 5, 10)[length - 1] * atoms
    formula = tuple(
        frozenset(
            (atom, random.random() < 0.5)
            for atom in random.sample(range(atoms), min(atoms, random.choice((length, length, 2))))
        )
        for _ in range(random.randint(most // 3, most))
    )
    states = [random.choice("UUUUTTFFC") for _ in range(atoms)]
    settled = frozenset((atom, state == "T") for atom, state in enumerate(states) if state in "TF")
    conflicting = frozenset(atom for atom, state in enumerate(states) if state == "C")
    return Position(atoms, formula, settled, conflicting)


def handed_in(position: Position, seed: int) -> list[int]:
    """Return assignments of a seed: of those that satisfy the clauses, and any at all."""
    random = Random(seed)
    rows = tables(position.atoms).rows(position.formula)
    satisfying = [row for row in range(1 << position.atoms) if rows >> row & 1]
    good = random.sample(satisfying, min(len(satisfying), random.randrange(4)))
    wrong = [random.randrange(1 << position.atoms) for _ in range(random.randrange(3))]
    return [*good, *wrong]


SEEDS: Final = st.integers(0, 2**32 - 1)


def positions() -> st.SearchStrategy[Position]:
    """Draw constraints over up to 10 atoms, up to 10 clauses an atom, and any ledger."""
    return st.builds(position_of, SEEDS, st.integers(1, ATOMS))


@SAMPLED
@given(positions(), SEEDS)
def the_closure_is_what_every_assignment_shares(position: Position, seed: int) -> None:
    """A literal is in the closure exactly when it holds wherever clauses and ledger hold.

    It is bottom exactly where they hold nowhere; whatever assignments are handed in.

    Source: PRIME, D1.
    """
    expected = defined(position)
    for known in ((), handed_in(position, seed)):
        found = closed(position, known)
        expect(found.consistency is not Consistency.UNDECIDED, position, "is undecided")
        expect(said(found) == expected, position, "gives", found, "where D1 gives", expected)


@SAMPLED
@given(positions(), SEEDS)
def assignments_that_are_kept_satisfy_everything(position: Position, seed: int) -> None:
    """Every assignment that is kept for the next ledger satisfies the clauses and agrees with it.

    So does the one that is found for the clauses alone.

    Source: PRIME, D1; decision 0013, on what is checked.
    """
    atoms, formula, settled, _ = position
    rows = tables(atoms).rows(formula, settled)
    for model in closed(position, handed_in(position, seed)).models:
        expect(bool(rows >> model & 1), position, "keeps", model)
    found = find_model(clauses_of(formula))
    alone = tables(atoms).rows(formula)
    expect(found is not None or not alone, position, "has an assignment that was not found")
    expect(found is None or bool(alone >> found & 1), position, "is said to hold for", found)


def _named(position: Position, first: int) -> int | None:
    try:
        return contradicting(clauses_of(position.formula), *masks(position.settled), first)
    except InvariantViolation:
        return None


@SAMPLED
@given(positions(), st.frozensets(st.integers(0, ATOMS - 1)))
def what_contradicts_is_named_and_no_more(position: Position, first: frozenset[int]) -> None:
    """The literals named for a contradiction contradict, and without any one of them do not.

    Those to be left out first are named only where all others alone do not contradict. Where the
    settled literals agree with the clauses, nothing is named.

    Source: PRIME, appendix A, conflicts; decision 0013.
    """
    atoms, formula, settled, _ = position
    table = tables(atoms)
    named = _named(position, sum(1 << atom for atom in first))
    expect((named is not None) == table.contradicts(formula, settled), position, "names", named)
    if named is None:
        return
    literals = frozenset(literal for literal in settled if named >> literal[0] & 1)
    expect(named == sum(1 << atom for atom, _ in literals), position, "names what is not settled")
    expect(table.contradicts(formula, literals), position, literals, "do not contradict")
    too_many = table.names_too_many(formula, literals, settled, first)
    expect(not too_many, position, "names", literals, too_many)


@SAMPLED
@given(positions(), st.integers(0, SMALL_LIMIT))
def a_search_at_its_limit_settles_nothing(position: Position, limit: int) -> None:
    """A closure that is not wholly decided within the limit is undecided, and settles nothing.

    One that is decided is the one of the definition.

    Source: decision 0013, on the limit.
    """
    expected = defined(position)
    with patch.object(constraints, "SEARCH_LIMIT", limit):
        found = closed(position)
    if found.consistency is Consistency.UNDECIDED:
        expect(not any(found[1:]), position, "is undecided and settles something:", found)
    else:
        expect(said(found) == expected, position, "at the limit gives", found)
        # An assignment is found by a search alone, and with no step left nothing is searched.
        expect(limit > 0 or expected is None, position, "was decided in no step")


PROPERTIES: Final = (
    the_closure_is_what_every_assignment_shares,
    assignments_that_are_kept_satisfy_everything,
    what_contradicts_is_named_and_no_more,
    a_search_at_its_limit_settles_nothing,
)
