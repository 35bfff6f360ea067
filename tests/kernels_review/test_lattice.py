"""Plans of the kernels against the reference: every state's worth, and what is chosen there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from licet import Check, InvalidInput, ReviewModel, ReviewPlanner, review_model
from licet.compiled import bits
from licet.decisions import Settled
from licet.review_planner import ReviewState, answers, initial_state, useful_checks
from licet_bindings.policies import Planned
from licet_kernels.review.lattice import LatticePlan
from licet_kernels.review.problem import Problem as Counted
from licet_kernels.review.problem import problem_from
from licet_kernels.review.walks import evaluate
from licet_proofs.generators import case_from
from licet_proofs.kernels_review_agree import RELATIVE, compare_plans, plan_of, states_from
from licet_proofs.review_problems import DISJOINT, Problem, problems
from tests.kernels_review.problems import expected, greatest_regret, reviewed

HALF = Fraction(1, 2)


def agree_followed(model: ReviewModel, plan: LatticePlan, planner: ReviewPlanner) -> None:
    """Following the plan comes to what the reference says of a policy that chooses so."""
    followed, start = plan.follow(), initial_state(model)
    tolerance = RELATIVE * max(model.utilities)

    def own_choice(model: ReviewModel, state: ReviewState) -> tuple[int, ...]:
        check = planner.choose(state)
        return () if check is None else (check,)

    expectation = ReviewPlanner(model, own_choice).worth(start)
    assert abs(followed.utility - expectation) <= tolerance
    worst = -ReviewPlanner(model, own_choice, regret=True).worth(start)
    assert abs(followed.regret - worst) <= tolerance
    assert abs(followed.cost - evaluate(model, planner.choose).cost) <= RELATIVE * 1000


@pytest.mark.slow
@given(problems(most_checks=4), st.booleans(), st.data())
@settings(max_examples=60)
def test_a_plan_may_begin_at_any_state(problem: Problem, regret: bool, data: st.DataObject) -> None:
    model = problem.model
    root = data.draw(st.sampled_from(list(states_from(model, initial_state(model)))))
    plan = LatticePlan(model, root, regret=regret)
    compare_plans(model, plan, ReviewPlanner(model, regret=regret))


@pytest.mark.slow
@given(problems(most_checks=5), st.booleans())
@settings(max_examples=60)
def test_following_a_plan_comes_to_what_the_reference_says(problem: Problem, regret: bool) -> None:
    model = problem.model
    agree_followed(model, plan_of(model, regret), ReviewPlanner(model, regret=regret))


@pytest.mark.slow
@given(problems(DISJOINT), st.booleans())
@settings(max_examples=60)
def test_the_size_is_that_of_the_plan(problem: Problem, regret: bool) -> None:
    model = problem.model
    counted = problem_from(model, initial_state(model))
    plan = plan_of(model, regret)
    assert counted.states == plan.states == len({*lattice_states(model, counted)})


def lattice_states(model: ReviewModel, counted: Counted) -> Iterator[tuple[int, int]]:
    """The sets of useful checks within the budget, each with the values of what it settles."""
    calls = model.program.calls
    for size in range(len(counted.checks) + 1):
        for made in combinations(counted.checks, size):
            if sum(calls[check].cost for check in made) <= model.budget:
                settled = [a for a in bits(counted.atoms) for c in made if calls[c].atoms >> a & 1]
                for values in range(2 ** len(settled)):
                    yield sum(1 << check for check in made), values


@pytest.mark.slow
@given(problems(), st.booleans())
@settings(max_examples=60)
def test_size_bounds_the_plan_where_classes_overlap(problem: Problem, regret: bool) -> None:
    model = problem.model
    counted = problem_from(model, initial_state(model))
    plan = plan_of(model, regret)
    assert plan.states <= counted.states


def payable(model: ReviewModel, state: ReviewState) -> list[int]:
    """The checks that can be made and paid, whether they can still matter or not."""
    new = bits(model.program.all_checks & ~state.made)
    return [check for check in new if model.program.calls[check].cost <= state.left]


def agree_astray(
    model: ReviewModel, plan: LatticePlan, planner: ReviewPlanner, data: st.DataObject
) -> None:
    """They agree after calls that do not matter or failed, and reads that established nothing."""
    tolerance, state = RELATIVE * max(model.utilities), initial_state(model)
    while useful_checks(model, state):
        check = data.draw(st.sampled_from(payable(model, state)))
        reached = [after for _, after in answers(model, state, check)]
        made, z, left = data.draw(st.sampled_from(reached))
        gone = model.program.calls[check].atoms & data.draw(st.integers(0, 63))
        gone &= ~(state.settled.true | state.settled.false)
        z = Settled(z.true & ~gone, z.false & ~gone, 0, z.unavailable | gone)
        failed = data.draw(st.booleans())
        state = ReviewState(made, state.settled if failed else z, left)
        assert abs(Fraction(plan.worth(state)) - planner.worth(state)) <= tolerance
        assert plan.choose(state) == planner.choose(state)


@pytest.mark.slow
@given(problems(most_checks=4), st.booleans(), st.data())
@settings(max_examples=50)
def test_what_leads_off_the_lattice_is_planned_as_the_reference_does(
    problem: Problem, regret: bool, data: st.DataObject
) -> None:
    model = problem.model
    agree_astray(model, plan_of(model, regret), ReviewPlanner(model, regret=regret), data)


@pytest.mark.slow
@given(problems(most_checks=4))
@settings(max_examples=30)
def test_a_real_review_under_a_kernel_s_plan_earns_what_was_planned(problem: Problem) -> None:
    model = problem.model
    tolerance = RELATIVE * max(model.utilities)
    plan, cautious = plan_of(model), plan_of(model, regret=True)
    program = problem.case.commitment.compiled
    earned = expected(reviewed(problem, Planned(program, plan)))
    assert abs(Fraction(plan.worth(plan.root)) - earned) <= tolerance
    worst = greatest_regret(reviewed(problem, Planned(program, cautious)))
    assert abs(Fraction(cautious.worth(cautious.root)) + worst) <= tolerance


def thirds(routes: dict[str, list[list[str]]], budget: int, *shared: Check) -> ReviewModel:
    """A problem whose numbers no float holds: every prior a third."""
    named = {text for listed in routes.values() for route in listed for text in route}
    atoms = sorted({text.removeprefix("!") for text in named})
    case = case_from(routes, atoms, shared)
    return review_model(case.commitment, budget, dict.fromkeys(atoms, Fraction(1, 3)))


PAIR = (Check("x", ("a", "b"), 2), Check("y", ("a",)), Check("z", ("b",)))
SYMMETRIC = [
    *(thirds({"c1": [["a", "b", "c"], ["d", "e", "f"]]}, budget) for budget in range(1, 7)),
    thirds({"c1": [["a"], ["b"], ["c"], ["d"], ["e"]]}, 3),
    thirds({"c1": [["a", "b"], ["c", "d"], ["a", "d"], ["b", "c"]]}, 3),
    thirds({"c1": [["a", "b", "c", "d", "e"]]}, 4),
    thirds({"c1": [["a", "b"]]}, 2, *PAIR),
    thirds({"c1": [["a"], ["b"]], "c2": [["a", "b", "!c"]]}, 2, Check("z", ("c",), 0)),
]


# Where `a` and `b` differ, what is left to regret can no longer be checked.
DIFFER = {"c1": [["a", "b"], ["!a", "!b"], ["a", "!b", "c"], ["!a", "b", "c"]]}
# One check settles two or three atoms, of which none or some are in every route.
TOGETHER = [
    thirds(DIFFER, 1, Check("w", ("a", "b"), 1)),
    thirds({"c1": [["a", "b"], ["c"]], "c2": [["a", "b", "c"]]}, 2, Check("w", ("a", "b"), 1)),
    thirds({"c1": [["a", "!b"], ["c", "d"]]}, 2, Check("w", ("a", "b"), 1)),
    thirds({"c1": [["a", "!b", "c"], ["d"]]}, 1, Check("w", ("a", "b", "c"), 1)),
]


# With `a` true, c1 by `b` is worth no more, and c1 by `x` is worth less.
NO_USE = thirds({"c1": [["a"], ["b"]], "c2": [["a", "d"]]}, 3)
WEAKER = thirds({"c1": [["x"], ["a"]], "c2": [["a"]], "c3": [["a", "d"]]}, 3)
# Within 2 calls only the first conclusion is reachable, and worth next to nothing beside the other.
OUT_OF_REACH = review_model(
    case_from(
        {"c1": [["a"], ["b"]], "c2": [["a", *"cde"], ["b", *"cde"]]},
        "abcde",
        utilities=(1, 10**14),
    ).commitment,
    2,
)
# `z` matters to nothing, and costs a call.
BESIDE = review_model(case_from({"c1": [["a", "b"]]}, "abz").commitment, 2)


def agree_where_little_is_left_to_gain(plan_class: type[LatticePlan]) -> None:
    for model in (NO_USE, WEAKER, OUT_OF_REACH):
        known = ReviewState(1, Settled(true=1), 2)
        for root in (initial_state(model), known):
            for regret in (False, True):
                plan = plan_class(model, root, regret=regret)
                compare_plans(model, plan, ReviewPlanner(model, regret=regret))
                for state in states_from(model, root):
                    assert plan.choose(state) == ReviewPlanner(model, regret=regret).choose(state)
    paid = ReviewState(0b100, Settled(), 1)
    plan = plan_class(BESIDE, initial_state(BESIDE))
    assert (plan.worth(paid), plan.worth(plan.root)) == (0, 0.25)


def agree_on_routes_that_only_an_assignment_can_make_true(plan_class: type[LatticePlan]) -> None:
    """`z` was unavailable; whether `c2` is still possible without `h` is told by `f` alone."""
    routes = {"c1": [["g"], ["z"]], "c2": [["g", "h"], ["z", "!f"]]}
    case = case_from(routes, "fghz", (Check("both", ("f", "h"), 1),))
    program = case.commitment.compiled
    asked = 1 << program.checks.index("z")
    model = review_model(case.commitment, 3, dict.fromkeys("fghz", HALF))
    root = ReviewState(asked, Settled(unavailable=1 << program.atoms.index("z")), 2)
    planner = ReviewPlanner(model, regret=True)
    compare_plans(model, plan_class(model, root, regret=True), planner)


def test_what_was_read_excludes_routes_that_no_check_can_establish() -> None:
    agree_on_routes_that_only_an_assignment_can_make_true(LatticePlan)


def test_what_is_worth_no_more_than_is_authorized_changes_nothing() -> None:
    agree_where_little_is_left_to_gain(LatticePlan)


@pytest.mark.parametrize("model", SYMMETRIC)
@pytest.mark.parametrize("regret", [False, True])
def test_in_an_exact_tie_the_choice_is_the_reference_s(model: ReviewModel, regret: bool) -> None:
    plan, planner = plan_of(model, regret), ReviewPlanner(model, regret=regret)
    tied = 0
    for state in states_from(model, plan.root):
        assert plan.choose(state) == planner.choose(state)
        worths = []
        for check in useful_checks(model, state):
            reached = [(p, planner.worth(after)) for p, after in answers(model, state, check)]
            worths.append(min(w for _, w in reached) if regret else sum(p * w for p, w in reached))
        tied += len(worths) > len(set(worths)) or planner.worth(state) in worths[1:]
    assert tied


def test_a_state_of_probability_0_has_its_worth_and_choice() -> None:
    case = case_from({"c1": [["a"], ["b"]]}, "ab")
    model = review_model(case.commitment, 2, {"a": 1, "b": HALF})
    plan = plan_of(model)
    contradicted = ReviewState(0b01, Settled(false=0b01), 1)
    assert plan.choose(initial_state(model)) == 0
    assert (plan.worth(contradicted), plan.choose(contradicted)) == (0.5, 1)


def test_threads_change_nothing() -> None:
    atoms = [f"a{number:02}" for number in range(11)]
    routes = {"c1": [atoms[:3], atoms[2:5]], "c2": [[*atoms[:3], *atoms[5:8]], atoms[2:11]]}
    priors = {atom: Fraction(number + 1, 13) for number, atom in enumerate(atoms)}
    model = review_model(case_from(routes, atoms).commitment, 9, priors)
    alone, together = plan_of(model, threads=1), plan_of(model, threads=3)
    assert alone.states == together.states > 100_000
    assert np.array_equal(alone._worth, together._worth)  # white box: every state


@pytest.mark.parametrize(
    ("number", "budget", "size"),
    [
        (18, 18, "387,420,489"),
        (30, 9, "9,127,226,553"),
        (40, 40, r"1.2e\+19"),
        (63, 63, r"1.1e\+30"),
    ],
)
def test_a_program_over_the_limit_is_refused_by_its_size_before_memory_is_taken(
    number: int, budget: int, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    atoms = [f"a{index:02}" for index in range(number)]
    model = review_model(case_from({"c1": [atoms]}, atoms).commitment, budget)

    def no_memory(*shape: object) -> None:
        raise AssertionError("memory was taken")

    for taking in ("empty", "zeros", "full", "array"):
        monkeypatch.setattr(np, taking, no_memory)
    with pytest.raises(
        InvalidInput, match=rf"checks: {size}.* states .* 150,000,000 .*guided policy"
    ):
        plan_of(model)


def test_more_checks_than_a_mask_holds_are_refused() -> None:
    atoms = [f"a{index:02}" for index in range(64)]
    model = review_model(case_from({"c1": [atoms]}, atoms).commitment, 1)
    with pytest.raises(
        InvalidInput, match=r"checks: 64 checks that settle 64 atoms .* 63 .*guided"
    ):
        plan_of(model)


def test_checks_and_atoms_that_cannot_matter_take_no_room() -> None:
    """A call of 60 atoms of which two are on routes, and 20 calls that the budget cannot pay."""
    atoms = [f"a{index:02}" for index in range(60)]
    dear = tuple(Check(f"dear{index}", (f"a{index:02}",), 5) for index in range(20))
    case = case_from({"c1": [["a00", "a01"]]}, atoms, (Check("all", tuple(atoms)), *dear))
    plan = plan_of(review_model(case.commitment, 3))
    assert plan.states == 1 + 4
    assert plan.worth(plan.root) == 0.25


def test_costs_of_different_sums_beyond_counting_are_refused() -> None:
    atoms = [f"a{index:02}" for index in range(40)]
    checks = tuple(Check(f"k{index:02}", (atom,), 2**index) for index, atom in enumerate(atoms))
    model = review_model(case_from({"c1": [atoms]}, atoms, checks).commitment, 2**41)
    with pytest.raises(
        InvalidInput, match=r"checks: costs that add up to more than 1,000,000 .*guided"
    ):
        plan_of(model)


def test_costs_beyond_64_bits_are_planned_in_their_own_unit() -> None:
    big = 10**30
    checks = (Check("x", ("a",), big), Check("y", ("b",), 2 * big))
    case = case_from({"c1": [["a"]], "c2": [["a", "b"]]}, "ab", checks)
    for budget in (big, 3 * big - 1, 3 * big):
        model = review_model(case.commitment, budget, {"a": HALF})
        compare_plans(model, plan_of(model), ReviewPlanner(model))
    odd = (Check("x", ("a",), 10**30), Check("y", ("b",), 10**30 + 1))
    case = case_from({"c1": [["a"]], "c2": [["a", "b"]]}, "ab", odd)
    with pytest.raises(
        InvalidInput, match=r"checks: expected costs that add up to fewer than 2\^63"
    ):
        plan_of(review_model(case.commitment, 4 * 10**30))
