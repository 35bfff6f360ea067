"""Minimal routes equal brute force, with constraints and without, and so do comparisons."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from licet import Atom, Conclusion, InvalidInput, Program, Specification, faults, own_checks
from licet_bindings.standards.comparing import Verdict, comparisons, differences
from licet_bindings.standards.minimal import minimal_program, minimal_routes, order_violations
from licet_bindings.standards.standard import Standard
from tests.standards.brute import NAMES, Case, Signed, holds, text
from tests.standards.checks import Standards, check_comparison, check_minimal_routes
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
    check_order(Case(count, weak), Case(count, strong))


@given(st.integers(2, 4), st.data())
def test_a_standard_that_does_not_respect_the_order_is_refused_on_a_state(
    count: int, data: st.DataObject
) -> None:
    check_order(Case(count, data.draw(trees(count))), Case(count, data.draw(trees(count))))


def check_order(weak: Case, strong: Case) -> None:
    atoms, order = weak.atoms, [("weak", "strong")]
    standard = Standard.of(atoms, {"weak": text(weak.tree), "strong": text(strong.tree)})
    wrong = [state for state in strong.justified if state not in weak.justified]
    found = order_violations(standard, order)
    assert bool(found) == bool(wrong)
    if wrong:
        state = tuple(found[0].state.get(atom, False) for atom in atoms)
        assert holds(strong.tree, state)
        assert not holds(weak.tree, state)
        with pytest.raises(InvalidInput, match=r"^standard.strong: expected it to hold only where"):
            minimal_program(standard, order)
    elif all(0 < len(case.justified) < len(case.realizable) for case in (weak, strong)):
        program = minimal_program(standard, order)
        named = tuple(Atom(atom, "") for atom in atoms)
        conclusions = (Conclusion("weak", "", 1), Conclusion("strong", "", 2))
        assert faults(Specification(conclusions, named, own_checks(named)), program) == ()
        assert [found.verdict for found in comparisons(program, standard)] == [Verdict.MINIMAL] * 2


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
