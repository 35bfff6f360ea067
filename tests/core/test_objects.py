"""What the plain objects refuse by themselves."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from licet import (
    Atom,
    Check,
    Conclusion,
    InvalidInput,
    Literal,
    Program,
    Review,
    Route,
    Specification,
    commit,
    exact,
)
from tests.core.programs import chain_of_three

NOT_NUMBERS: list[object] = [
    math.nan,
    math.inf,
    -math.inf,
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("Infinity"),
    Decimal("1e-100000"),
    Decimal("1e999999"),
    10**5000,
    True,
    "3",
    None,
    1j,
]


@pytest.mark.parametrize("number", NOT_NUMBERS, ids=range(len(NOT_NUMBERS)))
def test_what_is_no_finite_number_is_refused_everywhere(number: object) -> None:
    makers: list[Callable[[], object]] = [
        lambda: exact(number, "x"),  # type: ignore[arg-type]
        lambda: Conclusion("c", "", number),  # type: ignore[arg-type]
        lambda: Check("k", ("a",), number),  # type: ignore[arg-type]
        lambda: Review(chain_of_three(), lambda check: {}, budget=number),  # type: ignore[arg-type]
    ]
    for make in makers:
        with pytest.raises(InvalidInput, match="expected"):
            make()


def test_numbers_below_their_bound_are_refused() -> None:
    for make in (
        lambda: Conclusion("c", "", 0),
        lambda: Conclusion("c", "", -1),
        lambda: Check("k", ("a",), -0.5),
        lambda: Review(chain_of_three(), lambda check: {}, budget=-1),
    ):
        with pytest.raises(InvalidInput, match="expected a number"):
            make()


def test_numbers_are_read_as_they_are_written() -> None:
    assert exact(33.3, "x") == Fraction(333, 10) == exact(Decimal("33.30"), "x")
    assert exact(-0.0, "x") == 0
    assert exact(0.1, "x") + exact(0.2, "x") == exact(0.3, "x")


@pytest.mark.parametrize(
    "name", ["", " a", "a b", "!a", "-a", "a\n", "a]", "é", "a" * 101, 3, None, ("a",)]
)
def test_what_cannot_name_is_refused(name: str) -> None:
    for make in (Conclusion, Atom):
        with pytest.raises(InvalidInput, match="expected an identifier"):
            make(name, "", 1) if make is Conclusion else Atom(name, "")
    with pytest.raises(InvalidInput):
        Check(name, ("a",))
    with pytest.raises(InvalidInput):
        Check("k", (name,))
    with pytest.raises(InvalidInput):
        Literal(name)


def test_routes_are_nonempty_and_name_each_atom_once() -> None:
    for literals in ([], ["a", "a"], ["a", "!a"], ["!!a"], ["a", 3]):
        with pytest.raises(InvalidInput):
            Route.of(*literals)  # type: ignore[arg-type]


def test_a_malformed_route_is_named_by_its_place() -> None:
    with pytest.raises(InvalidInput, match=r"^routes\.c\.1: expected each atom once"):
        Program.of({"c": [["a"], ["b", "!b"]]})
    with pytest.raises(InvalidInput, match=r"^routes\.c\.0: expected a list of literals"):
        Program.of({"c": ["ab"]})


def test_containers_of_the_wrong_kind_are_refused() -> None:
    bad: list[Callable[[], object]] = [
        lambda: Specification(["c"], (), ()),  # type: ignore[arg-type]
        lambda: Specification((), (), (), order=[("a", "b")]),  # type: ignore[arg-type]
        lambda: Specification((), (), (), order=(("a", "b", "c"),)),  # type: ignore[arg-type]
        lambda: Program({"c": ()}),  # type: ignore[arg-type]
        lambda: Program((("c", ("a",)),)),  # type: ignore[arg-type]
        lambda: Route(("a",)),  # type: ignore[arg-type]
        lambda: Check("k", "ab"),  # type: ignore[arg-type]
        lambda: commit(None, Program(())),  # type: ignore[arg-type]
        lambda: commit(chain_of_three().specification, None),  # type: ignore[arg-type]
        lambda: commit(chain_of_three().specification, lambda *given: None),  # type: ignore[arg-type,return-value]
        lambda: Review(None, lambda check: {}, budget=1),  # type: ignore[arg-type]
        lambda: Review(chain_of_three(), None, budget=1),  # type: ignore[arg-type]
        lambda: Review(chain_of_three(), lambda check: {}, budget=1, completion="no"),  # type: ignore[arg-type]
    ]
    for make in bad:
        with pytest.raises(InvalidInput):
            make()
