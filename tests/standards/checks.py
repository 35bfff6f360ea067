"""What must hold of minimal routes and of comparisons, checked by brute force."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import pytest

from licet import (
    Atom,
    Conclusion,
    InvalidInput,
    Literal,
    Program,
    Route,
    Specification,
    faults,
    own_checks,
)
from licet_bindings.standards import comparing, minimal, standard
from tests.standards.brute import NAMES, Case, Conjunction, Signed, literal, on, text
from tests.standards.brute import minimal as minimal_by_brute_force


class Standards(NamedTuple):
    """The modules under test: the real ones, or a copy with a bug in it."""

    standard: ModuleType = standard
    minimal: ModuleType = minimal
    comparing: ModuleType = comparing


def check_order(weak: Case, strong: Case, under_test: Standards) -> None:
    """Hold the order of two conclusions to brute force; minimal routes can then be committed."""
    order_pairs = [("weak", "strong")]
    stated = under_test.standard.Standard.of(
        weak.atoms, {"weak": text(weak.tree), "strong": text(strong.tree)}, weak.constraints
    )
    wrong = set(strong.justified) - set(weak.justified)
    found = under_test.minimal.order_violations(stated, order_pairs)
    assert bool(found) == bool(wrong)
    if wrong:
        assert tuple(found[0].state.get(atom, False) for atom in weak.atoms) in wrong
        with pytest.raises(InvalidInput, match=r"^standard.strong: expected it to hold only where"):
            under_test.minimal.minimal_program(stated, order_pairs)
    elif all(0 < len(case.justified) < len(case.realizable) for case in (weak, strong)):
        program = under_test.minimal.minimal_program(stated, order_pairs)
        named = tuple(Atom(atom, "") for atom in weak.atoms)
        conclusions = (Conclusion("weak", "", 1), Conclusion("strong", "", 2))
        assert faults(Specification(conclusions, named, own_checks(named)), program) == ()
        verdicts = [
            each.verdict.value for each in under_test.comparing.comparisons(program, stated)
        ]
        assert verdicts == ["minimal", "minimal"]


def conjunction(route: Route) -> Conjunction:
    return frozenset((NAMES.index(one.atom), one.positive) for one in route.literals)


def route_of(signed: list[Signed]) -> list[str]:
    return [literal(one) for one in sorted(signed)]


def check_minimal_routes(case: Case, under_test: Standards) -> None:
    """Hold the minimal routes to brute force: equal, so each is prime and none is left out."""
    expected = minimal_by_brute_force(case)
    for formula in (text(case.tree), predicate(case)):
        try:
            routes = under_test.minimal.minimal_routes(case.atoms, formula, case.constraints)
        except InvalidInput as fault:
            problem = str(fault)
            if not case.realizable:
                assert "constraints that some state satisfies" in problem
            elif not case.justified:
                assert problem.startswith("standard: it holds on no realizable state")
            else:
                assert problem.startswith("standard: it holds on every realizable state")
                assert case.justified == case.realizable
            continue
        assert case.realizable
        assert {conjunction(route) for route in routes} == expected
        assert len(routes) == len(expected)
        assert routes == tuple(sorted(routes, key=order))
        check_round_trip(case, {conjunction(route) for route in routes})


def check_round_trip(case: Case, routes: set[Conjunction]) -> None:
    held = {state for route in routes for state in on(route, case.realizable)}
    assert held == set(case.justified)


def order(route: Route) -> tuple[int, list[tuple[int, bool]]]:
    return len(route.literals), [
        (NAMES.index(one.atom), not one.positive) for one in route.literals
    ]


def predicate(case: Case) -> object:
    """The case as a predicate of a user's, who is asked about realizable states alone."""
    realizable, justified = set(case.realizable), set(case.justified)

    def asked(state: dict[str, bool]) -> bool:
        assert tuple(state) == case.atoms
        assert tuple(state.values()) in realizable
        return tuple(state.values()) in justified

    return asked


def check_comparison(case: Case, routes: list[list[Signed]], under_test: Standards) -> None:
    """Hold the comparison of any routes with a standard to brute force."""
    stated = under_test.standard.Standard.of(case.atoms, {"c": text(case.tree)}, case.constraints)
    program = Program.of({"c": map(route_of, routes)})
    own = [frozenset(route) for route in routes]
    held = {state for route in own for state in on(route, case.realizable)}
    justified, minimal_ones = set(case.justified), minimal_by_brute_force(case)
    (found,) = under_test.comparing.comparisons(program, stated)
    if held != justified:
        assert found.verdict.value == "different"
        state = tuple(found.difference.state.get(atom, False) for atom in case.atoms)
        assert state in held ^ justified
        assert found.difference.justified == (state in justified)
        if found.difference.route is not None:
            assert on(conjunction(found.difference.route), [state])
    else:
        assert found.difference is None
        exact = set(own) == minimal_ones
        assert found.verdict.value == ("minimal" if exact else "equivalent")
    assert under_test.comparing.differences(program, stated) == (
        () if found.difference is None else (found.difference,)
    )
    assert {conjunction(route) for route in found.missing} == minimal_ones - set(own) - {
        frozenset()
    }
    check_what_is_not_minimal(case, found.not_minimal, own)


def check_what_is_not_minimal(case: Case, listed: object, own: list[Conjunction]) -> None:
    minimal_ones, justified = minimal_by_brute_force(case), set(case.justified)
    assert [each.position for each in listed] == [  # type: ignore[attr-defined]
        position for position, route in enumerate(own) if route not in minimal_ones
    ]
    for each in listed:  # type: ignore[attr-defined]
        held = on(own[each.position], case.realizable)
        if not held:
            assert each.problem == "it holds on no realizable state"
        elif not justified.issuperset(held):
            assert each.problem.startswith("it does not suffice with")
        else:
            spare = Literal.parse(each.problem.removeprefix("it suffices without "))
            left = own[each.position] - {(NAMES.index(spare.atom), spare.positive)}
            assert len(left) == len(own[each.position]) - 1
            assert justified.issuperset(on(left, case.realizable))
