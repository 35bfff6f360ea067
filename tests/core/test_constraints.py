"""Closure under constraints: against every assignment, against a SAT solver, and at its limit."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import icontract
import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from licet import InvariantViolation, constraints
from licet.constraints import (
    SEARCH_LIMIT,
    Clause,
    Clauses,
    Closure,
    Consistency,
    closure,
    contradicting,
    find_model,
    satisfies,
)

A, B, C, D = 1, 2, 4, 8
BOTTOM = Closure(Consistency.CONTRADICTED)


def implies(one: int, other: int) -> Clause:
    return Clause(other, one)


def models_of(clauses: Clauses, atoms: int, true: int = 0, false: int = 0) -> list[int]:
    """Every assignment that satisfies clauses and literals, read atom by atom."""

    def holds(values: tuple[int, ...]) -> bool:
        literals = [(true, 1), (false, 0)]
        settled = all(
            values[i] == value for mask, value in literals for i in range(atoms) if mask >> i & 1
        )
        return settled and all(
            any(
                (clause.positive >> i & 1 and value) or (clause.negative >> i & 1 and not value)
                for i, value in enumerate(values)
            )
            for clause in clauses
        )

    every = product((0, 1), repeat=atoms)
    return [sum(value << i for i, value in enumerate(v)) for v in every if holds(v)]


def defined(
    clauses: Clauses, atoms: int, true: int, false: int, conflict: int
) -> tuple[Consistency, int, int]:
    """D1, by every assignment: bottom, or the literals that hold in all that satisfy."""
    found = models_of(clauses, atoms, true, false)
    if not found:
        return Consistency.CONTRADICTED, 0, 0
    free = [1 << i for i in range(atoms) if not conflict >> i & 1]
    return (
        Consistency.CONSISTENT,
        sum(atom for atom in free if all(model & atom for model in found)),
        sum(atom for atom in free if not any(model & atom for model in found)),
    )


def check(
    clauses: Clauses, atoms: int, states: tuple[int, ...], first: int, models: tuple[int, ...]
) -> Consistency:
    """Compare everything that is asked of clauses and one ledger with the definition."""
    true, false, conflict = (
        sum(1 << i for i, state in enumerate(states) if state == wanted) for wanted in (1, 2, 3)
    )
    found = closure(clauses, (1 << atoms) - 1, true, false, conflict, models)
    assert found[:3] == defined(clauses, atoms, true, false, conflict)
    assert set(found.models) <= set(models_of(clauses, atoms, true, false))
    model = find_model(clauses)
    assert model in (models_of(clauses, atoms) or [None])
    if found.consistency is Consistency.CONTRADICTED:
        named = contradicting(clauses, true, false, first)
        check_least(clauses, atoms, (true, false), named, first)
    return found.consistency


def check_least(
    clauses: Clauses, atoms: int, settled: tuple[int, int], named: int, first: int
) -> None:
    """No named atom can be left out; of `first`, none beside all of the others."""
    true, false = settled
    assert named & ~(true | false) == 0
    assert models_of(clauses, atoms, true & named, false & named) == []
    for atom in (1 << i for i in range(atoms) if named >> i & 1):
        kept = named ^ atom
        assert models_of(clauses, atoms, true & kept, false & kept)
        if first & atom:
            others = named & first & ~atom | (true | false) & ~first
            assert models_of(clauses, atoms, true & others, false & others)


def drawn(random: Random, atoms: int, clauses: int, longest: int) -> Iterator[Clause]:
    for _ in range(clauses):
        chosen = random.sample(range(atoms), random.randint(1, min(atoms, longest)))
        positive = sum(1 << i for i in chosen if random.random() < 0.5)
        yield Clause(positive, sum(1 << i for i in chosen) & ~positive)


@pytest.mark.parametrize("atoms", range(1, 7))
def test_equals_every_assignment_on_formulas_from_seeds(atoms: int) -> None:
    random, seen = Random(atoms), set()
    for _ in range(700):
        clauses = tuple(
            drawn(random, atoms, random.randint(0, 4 * atoms), random.choice((2, 3, 4)))
        )
        states = tuple(random.choice((0, 0, 0, 1, 2, 3)) for _ in range(atoms))
        models = tuple(random.randrange(1 << atoms) for _ in range(random.randrange(4)))
        seen.add(check(clauses, atoms, states, random.randrange(1 << atoms), models))
    assert seen == {Consistency.CONSISTENT, Consistency.CONTRADICTED}


@pytest.mark.slow
@pytest.mark.parametrize("atoms", range(7, 11))
def test_equals_every_assignment_on_larger_formulas(atoms: int) -> None:
    random = Random(atoms)
    for _ in range(150):
        clauses = tuple(drawn(random, atoms, random.randint(atoms, 4 * atoms), 3))
        states = tuple(random.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(atoms))
        check(clauses, atoms, states, random.randrange(1 << atoms), ())


@st.composite
def formulas(draw: st.DrawFn) -> tuple[Clauses, int]:
    atoms = draw(st.integers(1, 7))
    needs = st.lists(st.sampled_from((0, 0, 1, 2)), min_size=atoms, max_size=atoms).filter(any)
    clauses = tuple(
        Clause(
            sum(1 << i for i, need in enumerate(each) if need == 1),
            sum(1 << i for i, need in enumerate(each) if need == 2),
        )
        for each in draw(st.lists(needs, max_size=14))
    )
    return clauses, atoms


@given(formulas(), st.data())
def test_equals_every_assignment(formula: tuple[Clauses, int], data: st.DataObject) -> None:
    clauses, atoms = formula
    states = data.draw(st.tuples(*[st.integers(0, 3)] * atoms))
    masks = st.integers(0, (1 << atoms) - 1)
    check(clauses, atoms, states, data.draw(masks), tuple(data.draw(st.lists(masks, max_size=3))))


@pytest.mark.parametrize(
    ("clauses", "settled", "expected"),
    [
        ((), (A, B, 0), (A, B)),
        ((Clause(A, 0),), (0, 0, 0), (A, 0)),
        ((Clause(0, A),), (0, 0, 0), (0, A)),
        ((implies(A, B), implies(B, C)), (A, 0, 0), (A | B | C, 0)),
        ((implies(A, B), implies(B, C)), (0, C, 0), (0, A | B | C)),
        ((implies(A, B), implies(B, C)), (0, 0, 0), (0, 0)),
        ((Clause(0, A | B),), (A, 0, 0), (A, B)),
        ((Clause(A | B | C, 0),), (0, A | B, 0), (C, A | B)),
        # No literal by propagation alone: a is true whatever b is.
        ((Clause(A | B, 0), Clause(A, B)), (0, 0, 0), (A, 0)),
        # What a conflicting atom implies is not known; what implies it still is not in the closure.
        ((implies(A, B),), (0, 0, A), (0, 0)),
        ((implies(A, B),), (A, 0, B), (A, 0)),
        # Through a conflicting atom: c follows, for b is true in every assignment.
        ((implies(A, B), implies(B, C)), (A, 0, B), (A | C, 0)),
        ((Clause(B, 0),), (0, 0, B), (0, 0)),
        ((Clause(A, A | B),), (0, 0, 0), (0, 0)),
        ((Clause(A, A),), (0, 0, 0), (0, 0)),
        ((Clause(A, A), Clause(A | B, 0)), (0, A, 0), (B, A)),
    ],
)
def test_what_follows(
    clauses: Clauses, settled: tuple[int, int, int], expected: tuple[int, int]
) -> None:
    found = closure(clauses, A | B | C, *settled)
    assert (found.consistency, found.true, found.false) == (Consistency.CONSISTENT, *expected)
    assert found.models
    assert all(satisfies(clauses, model) for model in found.models)


@pytest.mark.parametrize(
    ("clauses", "settled", "named"),
    [
        ((Clause(0, 0),), (0, 0), 0),
        ((Clause(A, 0), Clause(0, A)), (0, 0), 0),
        ((Clause(A, 0), Clause(0, A)), (B, C), 0),
        ((Clause(0, A),), (A | B, 0), A),
        ((implies(A, B), implies(B, C)), (A, C), A | C),
        ((implies(A, B), implies(B, C)), (A, B | C), A | C),
        ((Clause(A | B, 0), Clause(A, B), Clause(B, A), Clause(0, A | B)), (C, 0), 0),
    ],
)
def test_what_contradicts(clauses: Clauses, settled: tuple[int, int], named: int) -> None:
    assert closure(clauses, A | B | C, *settled) == BOTTOM
    assert contradicting(clauses, *settled, first=B) == named


def test_attestations_are_named_only_where_they_are_needed() -> None:
    clauses = (implies(A, B), implies(A, C))
    assert contradicting(clauses, A, B | C, first=B) == A | C
    assert contradicting(clauses, A, B | C, first=C) == A | B
    assert contradicting(clauses, A, B | C, first=A) in (A | B, A | C)
    # Lowest atoms are left out first, where nothing else decides.
    assert contradicting(clauses, A, B | C) == A | C
    assert contradicting((Clause(0, A), Clause(0, B)), A | B, 0, first=A) == B


def test_literals_that_agree_contradict_nothing() -> None:
    with pytest.raises(InvariantViolation, match="agree"):
        contradicting((implies(A, B),), A | B, 0)


def test_an_unsatisfiable_formula_has_no_model() -> None:
    assert find_model(()) == 0
    assert find_model((Clause(A | B, 0), Clause(0, A))) == B
    assert find_model((Clause(A, 0), Clause(0, A))) is None
    assert find_model((Clause(0, 0),)) is None
    assert find_model(pigeons(5)) is None


@pytest.mark.parametrize("wrong", [0, A, B, A | B | D, 1 << 70, -1])
def test_a_model_that_is_handed_in_and_wrong_is_not_used(wrong: int) -> None:
    # With a true, b and c follow; every wrong model fails a clause or the settled literal.
    clauses = (implies(A, B), implies(B, C), Clause(0, C | D))
    found = closure(clauses, A | B | C | D, A, 0, 0, (wrong, wrong))
    assert found == Closure(Consistency.CONSISTENT, A | B | C, D, (A | B | C,))


def test_wrong_models_hide_no_contradiction() -> None:
    clauses = (implies(A, B), implies(B, C))
    assert closure(clauses, A | B | C, A, C, 0, range(8)) == BOTTOM


def test_models_are_kept_where_they_show_something() -> None:
    clauses = (Clause(A | B, 0), Clause(0, A | B))
    found = closure(clauses, A | B, 0, 0, 0, (A, A, B, A, B))
    assert found == Closure(Consistency.CONSISTENT, 0, 0, (A, B))
    assert len(closure(clauses, A | B, 0, 0, 0, (A,)).models) == 2
    assert closure(clauses, A | B, A, 0, 0, (A, B)) == Closure(Consistency.CONSISTENT, A, B, (A,))


def pigeons(holes: int) -> Clauses:
    """One pigeon more than holes, each in a hole, no two in one: unsatisfiable, and hard to see."""

    def sits(pigeon: int, hole: int) -> int:
        return 1 << pigeon * holes + hole

    each = [Clause(sum(sits(p, h) for h in range(holes)), 0) for p in range(holes + 1)]
    pairs = combinations(range(holes + 1), 2)
    return (
        *each,
        *(Clause(0, sits(p, h) | sits(q, h)) for p, q in pairs for h in range(holes)),
    )


def test_at_the_limit_nothing_is_decided() -> None:
    clauses = pigeons(10)
    with pytest.raises(OverflowError, match=f"within {SEARCH_LIMIT} partial"):
        find_model(clauses)


@pytest.mark.parametrize("limit", [0, 1, 2, 5, 20, 100])
def test_a_closure_beyond_the_limit_is_undecided(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", limit)
    clauses = pigeons(6)
    atoms = (1 << 42) - 1
    assert closure(clauses, atoms, 0, 0) == Closure(Consistency.UNDECIDED)
    assert closure(clauses, atoms, 0, 1, 0, (0, 1)) == Closure(Consistency.UNDECIDED)
    with pytest.raises(OverflowError):
        contradicting(clauses, 0, 1)
    with pytest.raises(OverflowError):
        find_model(clauses)


def test_a_closure_that_is_decided_in_part_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    # The model of the settled literals takes one step; whether e is implied takes many.
    free = 1 << 42
    clauses = tuple(Clause(c.positive | free, c.negative) for c in pigeons(6))
    whole = closure(clauses, 2 * free - 1, 0, 0)
    assert (whole.consistency, whole.true) == (Consistency.CONSISTENT, free)
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 50)
    assert find_model(clauses) is not None
    assert closure(clauses, 2 * free - 1, 0, 0) == Closure(Consistency.UNDECIDED)
    assert closure(clauses, 2 * free - 1, 0, 0, 0, whole.models) == Closure(Consistency.UNDECIDED)


def test_at_the_limit_what_may_be_needed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # a contradicts; without a, b, which has nothing to do with it, is not known to be needless.
    clauses = (Clause(0, D), *(Clause(c.positive << 4, c.negative << 4 | A) for c in pigeons(6)))
    assert contradicting(clauses, A | B | D, 0) == D
    assert contradicting(clauses, A | B, 0) == A
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 3)
    assert contradicting(clauses, B | D, 0) == D
    with pytest.raises(OverflowError):
        contradicting(clauses, A | B, 0)


@pytest.mark.parametrize(
    ("true", "false", "conflict"), [(A, A, 0), (D, 0, 0), (0, D, 0), (A, 0, A), (0, A, A)]
)
def test_what_is_no_ledger_is_refused_or_settles_nothing(
    true: int, false: int, conflict: int
) -> None:
    # With contracts it is refused.
    try:
        found = closure((), A | B, true, false, conflict)
    except icontract.ViolationError:
        return
    assert not (found.true | found.false) & (true | false)


def test_a_wrong_search_is_noticed_without_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints._Search, "_reduce", _forgets)
    with pytest.raises(InvariantViolation, match="does not satisfy"):
        closure((Clause(A | B, 0),), A | B, 0, 0)


def _forgets(search: constraints._Search, holding: int) -> int:
    search.clauses = []
    return holding


def by_solver(clauses: Clauses, atoms: int, true: int, false: int) -> tuple[Consistency, int, int]:
    """The closure by an independent solver, one question a literal."""
    names = [z3.Bool(f"a{i}") for i in range(atoms)]
    solver = z3.SolverFor("QF_FD")
    for clause in clauses:
        solver.add(
            z3.Or(
                *(names[i] for i in range(atoms) if clause.positive >> i & 1),
                *(z3.Not(names[i]) for i in range(atoms) if clause.negative >> i & 1),
            )
        )
    solver.add(*(names[i] for i in range(atoms) if true >> i & 1))
    solver.add(*(z3.Not(names[i]) for i in range(atoms) if false >> i & 1))
    if solver.check() == z3.unsat:
        return Consistency.CONTRADICTED, 0, 0
    return (
        Consistency.CONSISTENT,
        sum(1 << i for i in range(atoms) if solver.check(z3.Not(names[i])) == z3.unsat),
        sum(1 << i for i in range(atoms) if solver.check(names[i]) == z3.unsat),
    )


@pytest.mark.parametrize("clauses_drawn", [150, 200, 256])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_a_solver_on_sixty_atoms(seed: int, clauses_drawn: int) -> None:
    random, atoms = Random(f"{seed}/{clauses_drawn}"), 60
    truth = random.getrandbits(atoms)
    clauses = tuple(
        c for c in drawn(random, atoms, 2 * clauses_drawn, 4) if satisfies((c,), truth)
    )[:clauses_drawn]
    true = false = 0
    models: tuple[int, ...] = ()
    for atom in (1 << i for i in random.sample(range(atoms), 12)):
        # Mostly what is so, and sometimes not: then the ledger may contradict the clauses.
        if bool(truth & atom) == (random.random() < 0.9):
            true |= atom
        else:
            false |= atom
        found = closure(clauses, (1 << atoms) - 1, true, false, 0, models)
        assert found[:3] == by_solver(clauses, atoms, true, false)
        models = found.models
