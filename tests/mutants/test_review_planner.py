"""Exact planning of one small review, step by step, against numbers worked by hand."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from licet import (
    Check,
    Conclusion,
    Program,
    ReviewModel,
    ReviewPlanner,
    commit,
    review_model,
    review_planner,
)
from licet.decisions import Settled
from licet.review_planner import (
    ReviewState,
    answers,
    initial_state,
    missing_atoms,
    reported_utility,
    state_count,
    supported_utility,
    target_rule,
    useful_checks,
)
from tests.core.programs import chain_of_three, specification
from tests.mutants.refusals import refusal

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
A, B, D = 1, 2, 4
K, Y, Z = 0, 1, 2
# In the order of identifiers, and in halves of a call: k costs 4, y nothing, z 1.
CHECKS = (Check("y", ("a",), 0), Check("z", ("d",), HALF), Check("k", ("b", "d"), 2))


def chain(budget: float = 2.75) -> ReviewModel:
    """c1 by a, c2 by a and b, c3 by a, b and not d, worth 10, 20 and 30; 5 units, 1/2 unused."""
    return review_model(chain_of_three(*CHECKS), budget, {"b": 0.25, "d": THIRD})


def test_the_model() -> None:
    commitment = chain_of_three(*CHECKS)
    model = chain()
    assert model == ReviewModel(
        commitment.compiled, (Fraction(10), Fraction(20), Fraction(30)), (HALF, HALF / 2, THIRD), 5
    )
    assert review_model(commitment, 1) == ReviewModel(
        commitment.compiled, model.utilities, (HALF, HALF, HALF), 2
    )
    assert initial_state(model) == ReviewState(0, Settled(), 5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: chain(-1), "budget: expected a number of at least 0, found -1"),
        (
            lambda: review_model(chain_of_three(), 1, {"a": 1, "e": 1}),
            "priors.e: no atom has this name",
        ),
        (
            lambda: review_model(chain_of_three(), 1, {"b": 1.5}),
            "priors.b: expected a probability between 0 and 1, found 1.5",
        ),
    ],
)
def test_a_refusal_names_the_place_and_the_problem(
    make: Callable[[], object], message: str
) -> None:
    assert refusal(make) == message


@pytest.mark.parametrize(
    ("settled", "reported", "supported", "missing"),
    [
        (Settled(), 0, 30, A | B | D),
        (Settled(true=A), 10, 30, B | D),
        (Settled(true=B), 0, 30, A | D),
        (Settled(true=A | B), 20, 30, D),
        (Settled(true=A | B, false=D), 30, 30, 0),
        (Settled(true=D), 0, 20, A | B),
        (Settled(true=A | B | D), 20, 20, 0),
        (Settled(true=A, false=B), 10, 10, 0),
        (Settled(false=A), 0, 0, 0),
        (Settled(conflict=A), 0, 0, 0),
        # What is unavailable blocks the review, but its value may be what a conclusion needs.
        (Settled(true=A, unavailable=B), 10, 30, 0),
        (Settled(unavailable=D), 0, 30, A | B),
    ],
)
def test_what_a_ledger_is_worth_and_lacks(
    settled: Settled, reported: int, supported: int, missing: int
) -> None:
    model = chain()
    assert reported_utility(model, settled) == reported
    assert supported_utility(model, settled) == supported
    assert missing_atoms(model, settled) == missing
    assert type(reported_utility(model, settled)) is type(supported_utility(model, settled))


def test_another_way_to_what_is_authorized_already_is_not_missing() -> None:
    routes = {"c1": [["a"], ["e"]], "c2": [["a", "b"], ["e", "b"]], "c3": [["a", "b", "d"]]}
    model = review_model(commit(specification("a b d e"), Program.of(routes)), 9)
    e = 8
    assert missing_atoms(model, Settled(true=A)) == B | D | e
    assert missing_atoms(model, Settled(true=A | B)) == D
    assert missing_atoms(model, Settled(true=A, false=B)) == 0


@pytest.mark.parametrize(
    ("made", "settled", "left", "useful"),
    [
        # What costs nothing comes first.
        (0, Settled(), 5, (Y, K, Z)),
        (0, Settled(), 4, (Y, K, Z)),
        (0, Settled(), 3, (Y, Z)),
        (0, Settled(), 1, (Y, Z)),
        (0, Settled(), 0, (Y,)),
        (1 << Y, Settled(), 5, (K, Z)),
        (1 << K | 1 << Z, Settled(), 5, (Y,)),
        (0, Settled(false=D), 5, (Y, K)),
        (0, Settled(true=A | B), 5, (K, Z)),
        (0, Settled(true=A, false=B), 5, ()),
    ],
)
def test_useful_checks(made: int, settled: Settled, left: int, useful: tuple[int, ...]) -> None:
    assert useful_checks(chain(), ReviewState(made, settled, left)) == useful


def test_the_answers_to_a_check_of_two_atoms() -> None:
    found = answers(chain(), ReviewState(1 << Y, Settled(true=A), 5), K)
    made = 1 << Y | 1 << K
    assert found == (
        (Fraction(1, 12), ReviewState(made, Settled(true=A | B | D), 1)),
        (Fraction(3, 12), ReviewState(made, Settled(true=A | D, false=B), 1)),
        (Fraction(2, 12), ReviewState(made, Settled(true=A | B, false=D), 1)),
        (Fraction(6, 12), ReviewState(made, Settled(true=A, false=B | D), 1)),
    )
    assert answers(chain(), ReviewState(1 << Y, Settled(), 5), Z) == (
        (THIRD, ReviewState(1 << Y | 1 << Z, Settled(true=D), 4)),
        (1 - THIRD, ReviewState(1 << Y | 1 << Z, Settled(false=D), 4)),
    )


@pytest.mark.parametrize("kind", Settled._fields[:4])
def test_what_is_settled_keeps_its_value(kind: str) -> None:
    settled = Settled(**{kind: D})
    found = answers(chain(), ReviewState(0, settled, 4), K)
    assert found == (
        (HALF / 2, ReviewState(1 << K, settled._replace(true=settled.true | B), 0)),
        (HALF + HALF / 2, ReviewState(1 << K, settled._replace(false=settled.false | B), 0)),
    )


def test_states_are_counted_by_what_they_cost_up_to_a_limit() -> None:
    model = chain()
    # y makes 1 state 3 at no cost; then k makes 12 at 4 units; then z makes 6 and 24.
    assert state_count(model, initial_state(model)) == 45
    for limit, count in ((2, 3), (3, 15), (14, 15), (15, 21), (21, 45)):
        assert state_count(model, initial_state(model), limit) == count
    assert state_count(model, ReviewState(0, Settled(), 4)) == 21
    assert state_count(model, ReviewState(0, Settled(), 1)) == 9
    assert state_count(model, ReviewState(0, Settled(false=A), 5)) == 1


def test_counts_of_equal_cost_add_up() -> None:
    model = review_model(chain_of_three(), 2)
    # Of three checks of one call each: none, one (2 answers each of 3), two (4 of 3).
    assert state_count(model, initial_state(model)) == 1 + 6 + 12


def test_what_is_over_the_limit_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_planner, "STATE_LIMIT", 45)
    ReviewPlanner(chain())
    monkeypatch.setattr(review_planner, "STATE_LIMIT", 44)
    assert refusal(lambda: ReviewPlanner(chain())) == (
        "checks: at least 45 states within the budget are more than the 44 that the reference"
        " takes; use the guided policy"
    )


def test_the_expected_utility_and_the_plan() -> None:
    model = chain()
    planner = ReviewPlanner(model)
    # a is free. Where it is true, k: 10 without b, 20 with b and d, 30 with b alone.
    true = HALF * (Fraction(3, 4) * 10 + Fraction(1, 12) * 20 + Fraction(2, 12) * 30)
    assert planner.worth(initial_state(model)) == true == Fraction(85, 12)
    assert planner.choose(initial_state(model)) == Y
    for settled, left, check, worth in (
        (Settled(true=A), 5, K, Fraction(85, 6)),
        (Settled(true=A), 3, None, Fraction(10)),
        (Settled(false=A), 5, None, Fraction(0)),
        (Settled(true=A | B), 5, K, 20 + Fraction(20, 3)),
        (Settled(true=A | B), 1, Z, 20 + Fraction(20, 3)),
    ):
        state = ReviewState(1 << Y, settled, left)
        assert (planner.choose(state), planner.worth(state)) == (check, worth)


def test_the_greatest_regret_and_the_plan() -> None:
    planner = ReviewPlanner(chain(), regret=True)
    for made, settled, left, check, regret in (
        (0, Settled(), 5, Y, 0),
        (1 << Y, Settled(true=A), 5, K, 0),
        # Without k nothing better than c1 can be reported, though b may be true.
        (0, Settled(), 3, Y, 20),
        (1 << Y, Settled(true=A), 3, None, 20),
        (1 << Y, Settled(true=A | D), 3, None, 10),
        (1 << Y, Settled(false=A), 5, None, 0),
    ):
        state = ReviewState(made, settled, left)
        assert (planner.choose(state), planner.worth(state)) == (check, Fraction(-regret))


def test_of_two_checks_of_equal_worth_the_first_is_chosen() -> None:
    routes = {"c1": [["b"], ["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "d"]]}
    model = review_model(commit(specification("a b d"), Program.of(routes)), 1)
    assert ReviewPlanner(model).choose(initial_state(model)) == 0
    second = ReviewPlanner(model, lambda model, state: useful_checks(model, state)[1:2])
    assert second.choose(initial_state(model)) == 1
    assert second.worth(initial_state(model)) == 5


@pytest.mark.parametrize(
    ("made", "settled", "left", "run"),
    [
        (0, Settled(), 5, (Y,)),
        (1 << Y, Settled(true=A), 5, (K,)),
        (1 << Y, Settled(true=A), 4, (K,)),
        # c1 holds already, and no more is in reach.
        (1 << Y, Settled(true=A), 3, ()),
        (1 << Y | 1 << K, Settled(true=A), 5, ()),
        (1 << Y | 1 << K, Settled(true=A | B), 5, (Z,)),
        (1 << Y, Settled(false=A), 5, ()),
    ],
)
def test_the_target_rule_runs_what_guidance_points_to(
    made: int, settled: Settled, left: int, run: tuple[int, ...]
) -> None:
    assert target_rule(chain(), ReviewState(made, settled, left)) == run


def test_the_target_rule_runs_nothing_for_what_is_worth_no_more() -> None:
    conclusions = (Conclusion("one", "", 1), Conclusion("other", "", 1))
    made = specification("a b", conclusions=conclusions, order=())
    model = review_model(commit(made, Program.of({"one": [["b"]], "other": [["a"]]})), 2)
    assert target_rule(model, initial_state(model)) == (1,)
    assert target_rule(model, ReviewState(1, Settled(true=A), 1)) == ()
