"""The closure under constraints on formulas that hang on every line of its search."""

from random import Random

import pytest

from licet import InvariantViolation, constraints
from licet.constraints import (
    Clause,
    Clauses,
    Consistency,
    closure,
    contradicting,
    find_model,
    satisfies,
)
from licet_proofs.closures import (
    clauses_of,
    closed,
    defined,
    handed_in,
    literals_of,
    masks,
    position_of,
    said,
    tables,
)

A, B, C = 1, 2, 4


@pytest.mark.parametrize("atoms", [2, 3, 5, 7])
def test_the_closure_is_that_of_truth_tables(atoms: int) -> None:
    for seed in range(150):
        position = position_of(seed, atoms)
        rows = tables(atoms).rows(position.formula, position.settled)
        for models in ((), handed_in(position, seed)):
            found = closed(position, models)
            assert found.consistency is not Consistency.UNDECIDED
            assert said(found) == defined(position)
            assert all(rows >> model & 1 for model in found.models)
        alone = find_model(clauses_of(position.formula))
        satisfying = tables(atoms).rows(position.formula)
        assert bool(satisfying) if alone is not None else not satisfying
        assert alone is None or satisfying >> alone & 1


@pytest.mark.parametrize("atoms", [3, 5, 7])
def test_what_contradicts_is_least(atoms: int) -> None:
    random, named = Random(atoms), 0
    for seed in range(300):
        _, formula, settled, _ = position_of(seed, atoms)
        if tables(atoms).contradicts(formula, settled):
            first, (true, false) = random.randrange(1 << atoms), masks(settled)
            mask = contradicting(clauses_of(formula), true, false, first)
            literals = literals_of(true & mask, false & mask)
            assert tables(atoms).contradicts(formula, literals)
            left_first = {atom for atom in range(atoms) if first >> atom & 1}
            assert not tables(atoms).names_too_many(formula, literals, settled, left_first)
            named += len(literals)
    assert named


def test_no_more_assignments_are_kept_than_show_something() -> None:
    clauses = (Clause(A | B, 0), Clause(0, A | B))
    assert closure(clauses, A | B, 0, 0, 0, (A, A, B, A)).models == (A, B)
    assert closure((), A | B | C, 0, 0, 0, (A, B)).models == (A,)
    assert closure((), 0, 0, 0).models == (0,)


def test_one_known_assignment_decides_what_no_clause_needs() -> None:
    # Of three true atoms of one clause none is needed; no other assignment is looked for.
    assert closure((Clause(A | B | C, 0),), 7, 0, 0, 0, (7,)).models == (7,)
    assert len(closure((Clause(A | B | C, 0),), 7, 0, 0, 0, (A,)).models) == 2


def test_the_steps_of_a_search_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = (Clause(A | B, 0), Clause(0, A | B))  # one of the two
    for limit, models in ((0, None), (1, None), (2, None), (3, (B, A))):
        monkeypatch.setattr(constraints, "SEARCH_LIMIT", limit)
        found = closure(clauses, 3, 0, 0)
        if models is None:
            assert found == (Consistency.UNDECIDED, 0, 0, ())
        else:
            assert found.consistency is Consistency.CONSISTENT
            assert sorted(found.models) == sorted(models)
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 1)
    assert find_model(clauses[1:]) == 0
    with pytest.raises(OverflowError, match=r"^no decision within 1 partial assignments$"):
        find_model(clauses)


def test_what_was_known_spares_every_search(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = (Clause(A | B, 0), Clause(0, A | B), Clause(B, C))
    whole = closure(clauses, 7, 0, 0)
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 0)
    assert closure(clauses, 7, 0, 0, 0, whole.models) == whole
    assert closure(clauses, 7, A, 0, 0, whole.models)[:3] == (Consistency.CONSISTENT, A, B | C)


E, F, G = 8, 16, 32
PAIRS = tuple(Clause(1 << i | 1 << i + 5, 0) for i in range(5))
FORCED = (Clause(A | B, 0), Clause(A, B), Clause(C, A), Clause(E, C), Clause(F | G, 0))


@pytest.mark.parametrize(
    ("clauses", "conflict", "models", "steps", "implied"),
    [
        # What follows from the clauses by propagation needs no search.
        ((Clause(A, 0),), 0, (A,), 0, A),
        ((Clause(A, 0), Clause(B, A)), 0, (A | B,), 0, A | B),
        # An assignment that fails is passed over; the next is used.
        ((Clause(A, 0),), 0, (0, A), 0, A),
        # A literal of a conflicting atom is not looked for, and neither is one that is refuted.
        ((Clause(A | B, 0),), A | B, (A,), 0, 0),
        ((Clause(A | B, 0),), A | B, (), 2, 0),
        # The opposite of b makes a true by propagation.
        ((Clause(A | B, 0),), 0, (B,), 1, 0),
        # Each search starts from the last assignment, and changes one pair.
        (PAIRS, 0, (31,), 5, 0),
        # That a is implied takes two sides of a choice; of c and e propagation tells.
        (FORCED, 0, (A | C | E | F,), 2, A | C | E),
        (FORCED, F, (A | C | E | F,), 1, A | C | E),
    ],
)
def test_no_step_is_taken_without_need(
    clauses: Clauses,
    conflict: int,
    models: tuple[int, ...],
    steps: int,
    implied: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit in (steps, steps - 1):
        monkeypatch.setattr(constraints, "SEARCH_LIMIT", limit)
        found = closure(clauses, 1023, 0, 0, conflict, models)
        if limit == steps:
            assert (found.consistency, found.true) == (Consistency.CONSISTENT, implied)
        elif limit >= 0:
            assert found.consistency is Consistency.UNDECIDED


def test_without_conflicts_every_atom_is_looked_at() -> None:
    assert closure((Clause(A, 0), Clause(0, B)), 7, 0, 0)[:3] == (Consistency.CONSISTENT, A, B)
    assert closure((Clause(A, 0), Clause(0, B)), 7, B, 0) == (Consistency.CONTRADICTED, 0, 0, ())


def test_where_the_limit_cuts_off_what_is_left_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = (Clause(0, A | B), Clause(0, B | C))
    assert contradicting(clauses, A | B | C, 0) == B | C
    for limit, named in ((1, A | B | C), (2, B | C), (3, B | C)):
        monkeypatch.setattr(constraints, "SEARCH_LIMIT", limit)
        assert contradicting(clauses, A | B | C, 0) == named


def test_what_cannot_be_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvariantViolation) as agreed:
        contradicting((Clause(0, A),), B, A)
    assert str(agreed.value) == "the settled literals agree with the constraints"

    def forgets(search: constraints._Search, holding: int) -> int:
        search.clauses = []
        return holding

    monkeypatch.setattr(constraints._Search, "_reduce", forgets)
    with pytest.raises(InvariantViolation) as broken:
        closure((Clause(A | B, 0),), A | B, 0, 0)
    assert str(broken.value) == "what the search found does not satisfy the constraints"


def test_an_assignment_satisfies_each_clause_by_either_polarity() -> None:
    assert satisfies((), 0)
    assert satisfies((Clause(A, B),), A | B)
    assert satisfies((Clause(A, B),), 0)
    assert not satisfies((Clause(A, B),), B)
    assert not satisfies((Clause(A, B), Clause(0, 0)), A)
