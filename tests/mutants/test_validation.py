"""Every fault of a specification or program: all of them, in reading order, in full."""

from collections.abc import Mapping

import pytest

from licet import Atom, Check, Conclusion, Program, Specification, faults
from licet.validation import closure_of_order, validate
from tests.core.programs import specification
from tests.mutants.refusals import refusal

ONCE = "expected each identifier once, found it twice"
UNSETTLED = "expected a registered check that settles it"
GOOD = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}


def conclusions(**utilities: float) -> tuple[Conclusion, ...]:
    return tuple(Conclusion(name, "", utility) for name, utility in utilities.items())


TWICE = Specification(
    (*conclusions(c=1, d=2), *conclusions(c=3)),
    (Atom("a", ""), Atom("b", ""), Atom("a", "")),
    (Check("k", ("a",)), Check("k", ("x", "a"))),
    order=(),
)
FALLING = specification("a", conclusions=conclusions(c1=3, c2=2.5, c3=2.5))


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (Specification((), (), ()), [("conclusions", "expected at least one conclusion")]),
        (
            TWICE,
            [
                ("conclusions.c", ONCE),
                ("atoms.a", ONCE),
                ("checks.k", ONCE),
                ("checks.k.settles", "no atom is named 'x'"),
                ("atoms.b", UNSETTLED),
            ],
        ),
        (
            specification("a", order=(("c1", "c9"), ("c8", "c2"))),
            [("order", "no conclusion is named 'c9'")],
        ),
        (
            specification("a", order=(("c3", "c2"), ("c2", "c3"), ("c1", "c1"))),
            [("order", "expected no cycle, found one through 'c1'")],
        ),
        (
            FALLING,
            [
                (
                    "conclusions.c2.utility",
                    "expected more than the 3 of the weaker 'c1', found 2.5",
                ),
                (
                    "conclusions.c3.utility",
                    "expected more than the 3 of the weaker 'c1', found 2.5",
                ),
                (
                    "conclusions.c3.utility",
                    "expected more than the 2.5 of the weaker 'c2', found 2.5",
                ),
            ],
        ),
    ],
)
def test_faults_of_a_specification(made: Specification, found: list[tuple[str, str]]) -> None:
    # The program is not looked at: it has faults of its own.
    program = Program.of({"c9": [["a"]]})
    assert list(faults(made, program)) == found
    assert refusal(lambda: validate(made, program)) == f"{found[0][0]}: {found[0][1]}"


@pytest.mark.parametrize(
    ("routes", "found"),
    [
        (GOOD, []),
        (
            {
                "c4": [["a"]],
                "c1": [["a"], ["d"], ["x", "!y"]],
                "c2": [["a", "b"], ["a", "b", "d"], ["b", "a"]],
                "c3": [],
            },
            [
                ("routes.c4", "no conclusion has this name"),
                ("routes.c1.2", "no atom is named 'x'"),
                ("routes.c1.2", "no atom is named 'y'"),
                (
                    "routes.c2.1",
                    "strictly contains route 0 of the same conclusion (a & b);"
                    " expected minimal routes",
                ),
                (
                    "routes.c2.1",
                    "strictly contains route 2 of the same conclusion (b & a);"
                    " expected minimal routes",
                ),
                (
                    "routes.c2.2",
                    "repeats route 0 of the same conclusion (a & b); expected minimal routes",
                ),
                ("routes.c3", "expected at least one route"),
            ],
        ),
        (
            {"c1": [["a"], ["!d"]], "c2": [["!d", "b"], ["b", "d"]], "c3": [["a", "b"]]},
            [
                (
                    "routes.c2.1",
                    "not order-coherent: expected it to contain a route of the weaker 'c1'",
                ),
                (
                    "routes.c3.0",
                    "not order-coherent: expected it to contain a route of the weaker 'c2'",
                ),
            ],
        ),
    ],
)
def test_faults_of_a_program(
    routes: Mapping[str, list[list[str]]], found: list[tuple[str, str]]
) -> None:
    assert list(faults(specification("a b d"), Program.of(routes))) == found


def test_the_closure_of_an_order() -> None:
    pairs = [("c", "d"), ("x", "y"), ("a", "b"), ("b", "c")]
    longer = {("a", "c"), ("a", "d"), ("b", "d")}
    assert closure_of_order(pairs) == {*pairs, *longer}
    assert closure_of_order(()) == frozenset()
