"""What each object says of what it refuses: the place and the problem."""

# mypy: disable-error-code="arg-type"

from collections.abc import Callable
from fractions import Fraction

import pytest

from licet import Atom, Check, Conclusion, Literal, Program, Route, Specification, own_checks
from licet.objects import identifier
from tests.mutants.refusals import refusal

A_NAME = (
    "expected an identifier (1 to 100 ASCII letters, digits and _.:/- that begin with a letter,"
    " a digit or _), found "
)
ONE = Conclusion("c", "", 1)
LITERAL = Literal("a")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: identifier("a b", "x"), f"x: {A_NAME}'a b'"),
        (lambda: identifier(3, "x"), f"x: {A_NAME}3"),
        (lambda: Literal("-a"), f"literal: {A_NAME}'-a'"),
        (lambda: Literal("a", 1), "literal a: expected a truth value as polarity"),
        (lambda: Literal.parse(3), "literal: expected an atom's name or !name, found 3"),
        (lambda: Literal.parse("!!a"), f"literal: {A_NAME}'!a'"),
        (lambda: Route([LITERAL]), f"route: expected a tuple of literals, found [{LITERAL!r}]"),
        (lambda: Route(("a",)), "route: expected a tuple of literals, found ('a',)"),
        (lambda: Route(()), "route: expected at least one literal; an empty route proves all"),
        (lambda: Route.of("b", "a", "!a"), "route: expected each atom once, found 'a' twice"),
        (lambda: Conclusion("", "", 1), f"conclusion: {A_NAME}''"),
        (lambda: Conclusion("c", 3, 1), "conclusion c: expected text, found 3"),
        (
            lambda: Conclusion("c", "", 0),
            "conclusion c: utility: expected a number above 0, found 0",
        ),
        (lambda: Conclusion("c", "", "1"), "conclusion c: utility: expected a number, found '1'"),
        (lambda: Atom("é", ""), f"atom: {A_NAME}'é'"),
        (lambda: Atom("a", None), "atom a: expected text, found None"),
        (lambda: Atom("a", "", b""), "atom a: binding: expected text, found b''"),
        (lambda: Atom("a", "", "\ud800"), "atom a: binding: expected text without surrogates"),
        (lambda: Atom("a", "x\udfff"), "atom a: expected text without surrogates"),
        (lambda: Check("a b", ("a",)), f"check: {A_NAME}'a b'"),
        (lambda: Check("k", ()), "check k: expected a tuple of at least one atom that it settles"),
        (
            lambda: Check("k", ["a"]),
            "check k: expected a tuple of at least one atom that it settles",
        ),
        (lambda: Check("k", ("a", "")), f"check k: settles: {A_NAME}''"),
        (
            lambda: Check("k", ("b", "a", "a")),
            "check k: settles: expected each atom once, found 'a'",
        ),
        (
            lambda: Check("k", ("a",), -1),
            "check k: cost: expected a number of at least 0, found -1",
        ),
        (
            lambda: Specification([ONE], (), ()),
            f"conclusions: expected a tuple of Conclusion, found [{ONE!r}]",
        ),
        (
            lambda: Specification((ONE,), ("a",), ()),
            "atoms: expected a tuple of Atom, found ('a',)",
        ),
        (
            lambda: Specification((ONE,), (), (ONE,)),
            f"checks: expected a tuple of Check, found ({ONE!r},)",
        ),
        (lambda: Specification((), (), (), request=3), "request: expected text, found 3"),
        (
            lambda: Specification((), (), (), [("a", "b")]),
            "order: expected (weaker, stronger) pairs, found [('a', 'b')]",
        ),
        (
            lambda: Specification((), (), (), (("a", "b"), ("a",))),
            "order: expected (weaker, stronger) pairs, found (('a', 'b'), ('a',))",
        ),
        (
            lambda: Specification((), (), (), (["a", "b"],)),
            "order: expected (weaker, stronger) pairs, found (['a', 'b'],)",
        ),
        (lambda: Program([]), "routes: expected (conclusion, routes), found []"),
        (lambda: Program(("c",)), "routes: expected (conclusion, routes), found ('c',)"),
        (lambda: Program((("", ()),)), f"routes: {A_NAME}''"),
        (lambda: Program((("c", ()), ("c", ()))), "routes.c: expected each conclusion once"),
        (lambda: Program((("c", []),)), "routes.c: expected routes, found []"),
        (lambda: Program((("c", ("a",)),)), "routes.c: expected routes, found ('a',)"),
        (
            lambda: Program.of([["a"]]),
            "routes: expected conclusions with their routes, found [['a']]",
        ),
        (
            lambda: Program.of({"c": [["a"], "ab"]}),
            "routes.c.1: expected a list of literals, found the text 'ab'",
        ),
        (
            lambda: Program.of({"c": [["a"], ["b", "!b"]]}),
            "routes.c.1: expected each atom once, found 'b' twice",
        ),
    ],
)
def test_a_refusal_names_the_place_and_the_problem(
    make: Callable[[], object], message: str
) -> None:
    assert refusal(make) == message


def test_what_is_taken() -> None:
    assert [identifier(name, "x") for name in ("_", "9.:/-", "a" * 100)] == [
        "_",
        "9.:/-",
        "a" * 100,
    ]
    assert Atom("a", "\ud7ff\ue000").sentence == "\ud7ff\ue000"
    assert Literal.parse("!a") == Literal("a", False)
    assert Literal.parse("a") == Literal("a", True)
    assert str(Route.of("a", "!b", "c")) == "a & !b & c"
    conclusion, check = Conclusion("c", "", 0.1), Check("k", ("a",), 0.5)
    assert (conclusion.utility, check.cost) == (Fraction(1, 10), Fraction(1, 2))
    assert (type(conclusion.utility), type(check.cost)) == (Fraction, Fraction)


def test_the_order_is_a_chain_unless_given() -> None:
    conclusions = tuple(Conclusion(name, "", 1) for name in "abc")
    assert Specification(conclusions, (), ()).pairs == (("a", "b"), ("b", "c"))
    assert Specification(conclusions, (), (), (("a", "c"),)).pairs == (("a", "c"),)
    assert Specification(conclusions, (), (), ()).pairs == ()


def test_routes_of_a_conclusion() -> None:
    program = Program.of({"c": [["a"], ["b", "!d"]], "d": []})
    assert program.of_conclusion("c") == (Route.of("a"), Route.of("b", "!d"))
    assert program.of_conclusion("d") == ()
    assert program.of_conclusion("e") == ()


def test_atoms_without_a_check_get_their_own() -> None:
    both = Check("both", ("a", "c"), 3)
    atoms = tuple(Atom(name, "") for name in "abc")
    assert own_checks(atoms, (both,)) == (both, Check("b", ("b",), 1))
    assert own_checks(atoms[:1]) == (Check("a", ("a",), 1),)
