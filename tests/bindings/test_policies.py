"""Policies: what each asks for next, and that none ends with more or less than the ledger gives."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Atom,
    Check,
    CheckRequest,
    Commitment,
    Conclusion,
    Ending,
    InvalidInput,
    Number,
    Outcome,
    Program,
    Request,
    Review,
    Specification,
    StopRequest,
    Unavailable,
    Value,
    commit,
    denote,
    own_checks,
    render,
    replay,
)
from licet_bindings.policies import (
    PATIENCE,
    POLICIES,
    Policy,
    RandomOrder,
    ceiling,
    guided,
    in_order,
    policy_named,
    run_policy,
)
from licet_bindings.reviewing import cost_of_all_checks

Answers = Mapping[str, Value]


def committed(
    routes: Mapping[str, list[list[str]]], shared: tuple[Check, ...] = (), chain: bool = True
) -> Commitment:
    """Commit routes over the atoms that they name, conclusions as listed, utilities 1, 2, ..."""
    names = {text.removeprefix("!") for listed in routes.values() for p in listed for text in p}
    settled = {atom for check in shared for atom in check.settles}
    atoms = tuple(Atom(name, f"{name} holds") for name in sorted(names | settled))
    conclusions = tuple(
        Conclusion(name, f"{name} holds.", utility) for utility, name in enumerate(routes, start=1)
    )
    order = None if chain else ()
    specification = Specification(conclusions, atoms, own_checks(atoms, shared), order)
    return commit(specification, Program.of(routes))


class Answering:
    """A resolver that answers from a table, raises where the table has nothing, and keeps count."""

    def __init__(self, values: Answers) -> None:
        self.values = values
        self.asked: list[str] = []

    def __call__(self, check: Check) -> Answers:
        self.asked.append(check.identifier)
        return {atom: self.values[atom] for atom in check.settles}


def run(
    commitment: Commitment,
    values: Answers,
    policy: Policy,
    budget: Number = 10,
    completion: bool = True,
) -> tuple[list[str], Outcome]:
    """Review under a policy; return the checks that were run, completion's included."""
    resolver = Answering(values)
    review = Review(commitment, resolver, budget=budget, completion=completion)
    return resolver.asked, run_policy(review, policy)


def opened(commitment: Commitment, values: Answers, budget: Number = 10) -> Review:
    return Review(commitment, Answering(values), budget=budget)


CHAIN = {
    "weak": [["a"], ["b"]],
    "middle": [["a", "c"], ["b", "d", "e"]],
    "strong": [["b", "d", "e", "f"]],
}


ALL_TRUE = dict.fromkeys("abcdef", True)


def test_guided_follows_the_target_route() -> None:
    review = opened(committed(CHAIN), ALL_TRUE)
    followed = []
    while review.guidance is not None and review.guidance.hold:
        expected = review.guidance.checks[0]
        assert guided(review) == CheckRequest(expected)
        review.check(expected)
        followed.append(expected)
    assert followed == ["b", "d", "e", "f"]
    assert guided(review) == StopRequest()


def test_guided_turns_to_another_route_when_a_check_refutes_its_own() -> None:
    asked, outcome = run(committed(CHAIN), {**ALL_TRUE, "d": False}, guided)
    assert asked == ["b", "d", "a", "c"]
    assert outcome.conclusions == ("middle",)
    assert outcome.ending is Ending.STOPPED


def test_guided_stops_where_nothing_is_reachable() -> None:
    asked, outcome = run(committed(CHAIN), dict.fromkeys("abcdef", False), guided)
    assert outcome.conclusions == ()
    assert asked == ["b", "a"]
    assert guided(opened(committed({"only": [["a", "b"]]}), {}, budget=1)) == StopRequest()


def test_guided_leaves_a_check_that_failed_to_completion() -> None:
    values = {"a": True, "c": True}
    # b fails once for the policy, and a and c give the middle; completion tries b once more.
    asked, outcome = run(committed(CHAIN), values, guided)
    assert asked == ["b", "a", "c", "b"]
    assert outcome.conclusions == ("middle",)
    asked, outcome = run(committed(CHAIN), values, guided, completion=False)
    assert asked == ["b", "a", "c"]
    assert outcome.conclusions == ("middle",)


def test_ceiling_takes_the_route_that_the_fewest_calls_complete() -> None:
    # One call gives weak, by a or by b: as listed. Then c alone gives the middle, and b alone
    # weak once more: the stronger first. In the end d and e give the middle again, f the strong.
    asked, outcome = run(committed(CHAIN), ALL_TRUE, ceiling)
    assert asked == ["a", "c", "b", "d", "e", "f"]
    assert outcome.conclusions == ("strong",)


def test_ceiling_does_not_stop_when_something_is_authorized() -> None:
    asked, _ = run(
        committed({"weak": [["a"], ["z"]], "strong": [["a"]]}), {"a": True, "z": False}, ceiling
    )
    assert asked == ["a", "z"]


def test_ceiling_counts_calls_and_not_costs() -> None:
    shared = (Check("dear", ("a", "b"), 5), Check("c", ("c",), 1), Check("d", ("d",), 1))
    commitment = committed({"weak": [["a", "b"], ["c", "d"]]}, shared)
    assert ceiling(opened(commitment, ALL_TRUE, budget=7)) == CheckRequest("dear")
    # What cannot be paid is no candidate: asking for it would end the review.
    assert ceiling(opened(commitment, ALL_TRUE, budget=4)) == CheckRequest("c")


@pytest.mark.parametrize("policy", [guided, ceiling, RandomOrder()])
def test_no_policy_asks_again_for_what_another_check_has_refuted(policy: Policy) -> None:
    # Both calls settle a; once the first has refuted it, the second has nothing to establish.
    shared = (Check("one", ("a",), 0), Check("two", ("a", "b"), 1))
    review = opened(committed({"only": [["a", "b"]]}, shared), {"a": False, "b": True})
    review.check("one")
    assert policy(review) == StopRequest()


def test_ceiling_prefers_the_stronger_of_equals_whatever_the_listing() -> None:
    commitment = committed({"first": [["b"]], "second": [["a"]]}, chain=False)
    assert ceiling(opened(commitment, ALL_TRUE)) == CheckRequest("a")


def test_ceiling_checks_the_first_atom_by_identifier() -> None:
    review = opened(committed({"only": [["c", "b", "a"]]}), {}, budget=5)
    assert ceiling(review) == CheckRequest("a")
    # Guidance and completion follow the route as it is listed.
    assert guided(review) == CheckRequest("c")


def test_in_order_follows_the_routes_as_listed() -> None:
    shared = (Check("z", ("f", "a")), Check("dear", ("b",), 9), Check("spare", ("g",)))
    # a takes z, b is too dear; then c, d and e as the routes list them. No route needs g.
    asked, _ = run(committed(CHAIN, shared), ALL_TRUE, in_order, budget=4)
    assert asked == ["z", "c", "d", "e"]
    backwards = {name: [route[::-1] for route in CHAIN[name]] for name in CHAIN}
    asked, _ = run(committed(backwards, shared), ALL_TRUE, in_order, budget=4)
    assert asked == ["z", "c", "e", "d"]


def test_random_draws_open_atoms_of_live_routes_and_is_repeatable() -> None:
    def order(seed: int) -> tuple[str, ...]:
        return tuple(run(committed(CHAIN), {**ALL_TRUE, "a": False}, RandomOrder(seed))[0])

    orders = [order(seed) for seed in range(40)]
    assert orders == [order(seed) for seed in range(40)]
    assert len(set(orders)) > 10
    assert {checks[0] for checks in orders} == set("abcdef")
    for checks in orders:
        # Once a is refuted, c is on no live route.
        assert "c" not in checks or checks.index("c") < checks.index("a")


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_keeps_nothing_from_one_review_to_the_next(name: str) -> None:
    policy = policy_named(name, 7)
    commitment = committed(CHAIN)
    histories = []
    for values in (ALL_TRUE, {}, ALL_TRUE):
        review = opened(commitment, values, budget=6)
        run_policy(review, policy)
        histories.append(review.history)
    assert histories[0] == histories[2] != histories[1]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(InvalidInput, match="policy: expected one of guided, ceiling, blind, loc"):
        policy_named("best")


@pytest.mark.parametrize("name", POLICIES)
def test_a_review_in_which_everything_fails_ends(name: str) -> None:
    def fail(check: Check) -> Answers:
        raise ConnectionError

    free = (Check("free", ("a", "b"), 0),)
    for commitment in (committed(CHAIN), committed(CHAIN, free)):
        review = Review(commitment, fail, budget=50)
        outcome = run_policy(review, policy_named(name))
        assert outcome.conclusions == ()
        assert review.over


def test_a_policy_that_asks_for_nothing_new_is_closed() -> None:
    review = opened(committed(CHAIN), ALL_TRUE, budget=50)
    asked_for = 0

    def stubborn(review: Review) -> Request:
        nonlocal asked_for
        asked_for += 1
        return CheckRequest("a")

    outcome = run_policy(review, stubborn)
    assert asked_for == PATIENCE + 1
    # Completion, which is on, still finds what is supported.
    assert outcome.conclusions == ("strong",)
    assert outcome.ending is Ending.CLOSED


def test_what_a_policy_raises_reaches_the_caller() -> None:
    def broken(review: Review) -> Request:
        raise LookupError("no idea")

    review = opened(committed(CHAIN), {}, budget=5)
    with pytest.raises(LookupError):
        run_policy(review, broken)
    assert not review.over


ATOMS = "abcde"


@st.composite
def commitments(draw: st.DrawFn) -> Commitment:
    """Draw a program of three conclusions in a chain, and call classes that may overlap."""
    route = st.dictionaries(st.sampled_from(ATOMS), st.booleans(), min_size=1, max_size=3)
    routes: list[list[dict[str, bool]]] = []
    below: list[dict[str, bool]] = [{}]
    for _ in range(3):
        above = []
        for base in draw(st.lists(st.sampled_from(below), min_size=1, max_size=3)):
            grown = {**draw(route), **base}
            above.append(grown)
        routes.append(_minimal(above))
        below = routes[-1]
    shared = draw(
        st.lists(
            st.tuples(
                st.sets(st.sampled_from(ATOMS), min_size=1, max_size=3),
                st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(3)]),
            ),
            max_size=3,
        )
    )
    checks = tuple(
        Check(f"call{index}", tuple(sorted(settles)), cost)
        for index, (settles, cost) in enumerate(shared)
    )
    written = {
        name: [
            [atom if positive else f"!{atom}" for atom, positive in sorted(p.items())] for p in own
        ]
        for name, own in zip(("weak", "middle", "strong"), routes, strict=True)
    }
    return committed(written, checks)


def _minimal(routes: list[dict[str, bool]]) -> list[dict[str, bool]]:
    kept: list[dict[str, bool]] = []
    for route in routes:
        if not any(other.items() <= route.items() for other in kept):
            kept = [other for other in kept if not route.items() <= other.items()] + [route]
    return kept


RESULTS = st.sampled_from([True, True, False, Unavailable("withheld"), "fails"])


@given(
    commitments(),
    st.fixed_dictionaries(dict.fromkeys(ATOMS, RESULTS)),
    st.sampled_from(sorted(POLICIES)),
    st.fractions(0, 8, max_denominator=4),
    st.booleans(),
)
def test_every_policy_ends_with_what_its_ledger_authorizes(
    commitment: Commitment, results: dict[str, Any], name: str, budget: Fraction, completion: bool
) -> None:
    def resolve(check: Check) -> Answers:
        if any(results[atom] == "fails" for atom in check.settles):
            raise ConnectionError
        return {atom: results[atom] for atom in check.settles}

    review = Review(commitment, resolve, budget=budget, completion=completion)
    outcome = run_policy(review, policy_named(name, seed=3))
    # In a chain MaxAuth is the strongest authorized conclusion, or nothing.
    assert outcome.conclusions == outcome.authorized[-1:]
    assert denote(render(outcome)) == set(outcome.authorized)
    assert 0 <= outcome.spent <= budget
    assert outcome.ending in (Ending.STOPPED, Ending.BUDGET)
    events = [entry.event for entry in review.history]
    assert replay(commitment, budget, completion, events).conclusions == outcome.conclusions


@given(commitments(), st.fixed_dictionaries({atom: st.booleans() for atom in ATOMS}))
def test_with_budget_for_all_checks_the_policies_agree(
    commitment: Commitment, truth: dict[str, bool]
) -> None:
    budget = cost_of_all_checks(commitment) + 1
    outcomes = {
        run_policy(
            Review(commitment, Answering(truth), budget=budget, completion=False),
            policy_named(name),
        ).conclusions
        for name in ("guided", "ceiling", "random")
    }
    supported = [
        name
        for name, routes in commitment.program.routes
        if any(all(truth[p.atom] is p.positive for p in route.literals) for route in routes)
    ]
    assert outcomes == {tuple(supported[-1:])}
