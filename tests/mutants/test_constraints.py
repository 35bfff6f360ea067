"""The closure under constraints on formulas that hang on every line of its search."""

from random import Random

import pytest

from licet import constraints
from licet.constraints import Clause, Consistency, closure, contradicting, find_model, satisfies
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


def test_an_assignment_satisfies_each_clause_by_either_polarity() -> None:
    assert satisfies((), 0)
    assert satisfies((Clause(A, B),), A | B)
    assert satisfies((Clause(A, B),), 0)
    assert not satisfies((Clause(A, B),), B)
    assert not satisfies((Clause(A, B), Clause(0, 0)), A)
