"""Programs under constraints: what is refused before anything is committed, and the hash."""

from __future__ import annotations

import pytest

from licet import (
    Check,
    CheckKind,
    InvalidInput,
    Literal,
    Program,
    Specification,
    commit,
    constraints,
    faults,
)
from tests.core.judged import constrained
from tests.core.programs import specification

ROUTES = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}


def first_fault(made: Specification, routes: dict[str, list[list[str]]]) -> str:
    found = faults(made, Program.of(routes))
    with pytest.raises(InvalidInput) as refused:
        commit(made, Program.of(routes))
    assert str(refused.value) == f"{found[0].place}: {found[0].problem}"
    return str(refused.value)


@pytest.mark.parametrize(
    ("clauses", "message"),
    [
        (("a b", "z !a"), "constraints.1: no atom is named 'z'"),
        (
            ("a", "!a"),
            "constraints: expected that some record can satisfy them all, found none",
        ),
        (
            ("a b", "a !b", "!a b", "!a !b"),
            "constraints: expected that some record can satisfy them all, found none",
        ),
        (
            ("!a !b",),
            "routes.c2.0: expected that some record can satisfy it with the constraints,"
            " found none",
        ),
        (
            ("d !b",),
            "routes.c3.0: expected that some record can satisfy it with the constraints,"
            " found none",
        ),
    ],
)
def test_constraints_that_cannot_be_are_refused(clauses: tuple[str, ...], message: str) -> None:
    assert first_fault(constrained(specification("a b d"), *clauses), ROUTES) == message


def test_every_unknown_atom_of_a_constraint_is_a_fault() -> None:
    made = constrained(specification("a b d"), "y z", "a", "x")
    assert [fault.place for fault in faults(made, Program.of(ROUTES))] == [
        "constraints.0",
        "constraints.0",
        "constraints.2",
    ]


def test_constraints_too_hard_to_decide_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 0)
    made = constrained(specification("a b d"), "a b")
    assert first_fault(made, ROUTES) == (
        "constraints: expected clauses that can be decided within the limit of the search"
    )


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ([], "constraints: expected clauses, found []"),
        (((),), "constraints.0: expected a tuple of literals, each atom once, found ()"),
        ((("a",),), "constraints.0: expected a tuple of literals, each atom once, found ('a',)"),
        (
            ((Literal("b"),), (Literal("a"), Literal("a", False))),
            "constraints.1: expected a tuple of literals, each atom once, found (Literal(",
        ),
        (((Literal("a"),), [Literal("a")]), "constraints.1: expected a tuple of literals"),
    ],
)
def test_what_is_no_formula_is_refused(given: object, place: str) -> None:
    made = specification("a b d")
    with pytest.raises(InvalidInput) as found:
        Specification(made.conclusions, made.atoms, made.checks, None, "", given)  # type: ignore[arg-type]
    assert str(found.value).startswith(place)


def test_a_text_atom_has_one_check() -> None:
    text = Check("notes", ("a", "b"), 1, CheckKind.TEXT)
    made = specification("a b d", text, Check("k", ("b", "d")))
    assert first_fault(made, ROUTES) == (
        "checks.notes.settles: 'b' is judged on a text; expected no other check that settles it"
    )
    assert faults(specification("a b d", text), Program.of(ROUTES)) == ()


def sha(made: Specification) -> str:
    return commit(made, Program.of(ROUTES)).sha256


def test_the_hash_does_not_depend_on_how_constraints_are_written() -> None:
    made = specification("a b d e")
    one = sha(constrained(made, "!a b", "d e !b"))
    assert one == sha(constrained(made, "!b d e", "b !a"))
    assert one == sha(constrained(made, "b !a", "!a b", "e d !b"))
    others = ("a b", "!a b"), ("!a b", "d e"), ("!a b",), ()
    assert len({one, *(sha(constrained(made, *clauses)) for clauses in others)}) == 5


def test_the_hash_covers_what_a_check_does_and_keeps_those_of_plain_checks() -> None:
    made = specification("a b d")
    assert sha(made) == "b1ceaeff7b2d1b800ab5fa5c4d02fb30933d3a52c3b405fbb28a895ff023b59c"
    kinds = (
        Check("b", ("b",)),
        Check("b", ("b",), kind=CheckKind.TEXT),
        Check("b", ("b",), candidates=("x", "y")),
        Check("b", ("b",), candidates=("y", "x")),
        Check("b", ("b",), candidates=("x", "y"), exhausted=True),
        Check("b", ("b",), candidates=("x", "y"), exhausted=False),
    )
    assert len({sha(specification("a b d", check)) for check in kinds}) == len(kinds)
    assert sha(specification("a b d", kinds[0])) == sha(made)


def test_the_order_of_clauses_decides_nothing() -> None:
    """One hash is one program on indices: else a search could reach its limit for one alone."""
    made = [constrained(specification("a b d"), *clauses) for clauses in (CLAUSES, CLAUSES[::-1])]
    first, second = (commit(each, Program.of(ROUTES)) for each in made)
    assert first.sha256 == second.sha256
    assert first.compiled == second.compiled


CLAUSES = ("a b", "!a !d", "b !d", "a b")
