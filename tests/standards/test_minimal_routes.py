"""Minimal routes equal brute force, with constraints and without, and so do comparisons."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from licet import Program
from licet_bindings.standards.comparing import differences
from licet_bindings.standards.minimal import minimal_program, minimal_routes
from licet_bindings.standards.standard import Standard
from tests.standards.brute import NAMES, Case, Signed
from tests.standards.checks import Standards, check_comparison, check_minimal_routes, check_order
from tests.standards.generated import FIXED, cases, trees

ADVISORY = "details and (reviewed and severity or advisory and url) and not withdrawn"
ATOMS = ("details", "reviewed", "severity", "advisory", "url", "withdrawn")


@pytest.mark.parametrize("case", FIXED)
def test_fixed_standards_equal_brute_force(case: Case) -> None:
    check_minimal_routes(case, Standards())


@given(cases())
def test_minimal_routes_equal_brute_force(case: Case) -> None:
    check_minimal_routes(case, Standards())


signed_routes = st.lists(
    st.dictionaries(st.integers(0, 4), st.booleans(), min_size=1).map(lambda d: list(d.items())),
    max_size=4,
)


@given(cases(most=5), signed_routes)
@example(FIXED[0], [[(0, True), (1, True)], [(0, False), (2, True)]])
def test_comparisons_equal_brute_force(case: Case, routes: list[list[Signed]]) -> None:
    if case.realizable:
        own = [[each for each in route if each[0] < case.count] for route in routes]
        check_comparison(case, [route for route in own if route], Standards())


@given(st.integers(2, 4), st.data())
def test_a_standard_that_respects_the_order_gives_a_program_that_can_be_committed(
    count: int, data: st.DataObject
) -> None:
    strong, more = data.draw(trees(count)), data.draw(trees(count))
    weak = strong._replace(kind="or", position=0, parts=(strong, more))
    check_order(Case(count, weak), Case(count, strong), Standards())


@given(st.integers(2, 4), st.data())
def test_a_standard_respects_the_order_or_a_state_shows_that_it_does_not(
    count: int, data: st.DataObject
) -> None:
    weak, strong = data.draw(trees(count)), data.draw(trees(count))
    check_order(Case(count, weak), Case(count, strong), Standards())


def test_the_routes_of_the_paper_s_example() -> None:
    routes = minimal_routes(ATOMS, ADVISORY)
    assert list(map(str, routes)) == [
        "details & reviewed & severity & !withdrawn",
        "details & advisory & url & !withdrawn",
    ]
    # A reference has no URL unless it exists, and here not unless it is an advisory.
    constrained = minimal_routes(ATOMS, ADVISORY, [["!url", "advisory"]])
    assert list(map(str, constrained)) == [
        "details & url & !withdrawn",
        "details & reviewed & severity & !withdrawn",
    ]


def test_standards_that_say_the_same_give_the_same_routes() -> None:
    other = "not withdrawn and not (not (url and advisory) and not (severity and reviewed))"
    assert minimal_routes(ATOMS, f"({other}) and details") == minimal_routes(ATOMS, ADVISORY)


def test_a_predicate_gives_what_the_expression_gives() -> None:
    routes = minimal_routes(
        ATOMS,
        lambda s: (
            s["details"]
            and ((s["reviewed"] and s["severity"]) or (s["advisory"] and s["url"]))
            and not s["withdrawn"]
        ),
    )
    assert routes == minimal_routes(ATOMS, ADVISORY)


def test_a_large_standard_goes_round() -> None:
    pairs = [(f"a{at}", f"b{at}") for at in range(40)]
    atoms = [atom for pair in pairs for atom in pair]
    standard = Standard.of(
        atoms,
        {"ready": " or ".join(f"{one} and {other}" for one, other in pairs)},
        [[f"!{one}", other] for one, other in pairs[:30]],
    )
    program = minimal_program(standard)
    routes = program.of_conclusion("ready")
    assert list(map(str, routes)) == [f"a{at}" for at in range(30)] + [
        f"a{at} & b{at}" for at in range(30, 40)
    ]
    assert differences(program, standard) == ()
    without = Program((("ready", routes[:-1]),))
    (found,) = differences(without, standard)
    assert [atom for atom, value in found.state.items() if value] == ["a39", "b39"]


def test_names_of_any_kind_can_be_stated() -> None:
    quoted = " and ".join(f'"{name}"' for name in NAMES)
    (route,) = minimal_routes(NAMES, quoted)
    assert tuple(one.atom for one in route.literals) == NAMES
