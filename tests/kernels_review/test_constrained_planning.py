"""Planning under constraints: against the statement solved by brute force, and by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from licet import (
    Check,
    CheckKind,
    Commitment,
    InvalidInput,
    InvariantViolation,
    Program,
    Review,
    ReviewModel,
    ReviewPlanner,
    commit,
    review_model,
    review_planner,
)
from licet.decisions import Settled, authorized, target
from licet.ledger import Ledger, Observation, settle
from licet.review_planner import (
    ATOM_LIMIT,
    ReviewState,
    Weighted,
    answers,
    initial_state,
    missing_atoms,
    supported_utility,
    target_rule,
    useful_checks,
)
from licet_bindings.planned import assumed_priors
from licet_bindings.policies import Planned, run_policy
from licet_kernels.review.encoding import decode, encode
from licet_kernels.review.guided import follow_guided
from licet_kernels.review.ledgers import authorized_many, ledgers_of, targets_many
from licet_kernels.review.planning import (
    evaluate,
    evaluate_guided,
    exact_plan,
    kernel_plan,
    uses_reference,
)
from licet_proofs.generators import case_of
from tests.core.programs import CONCLUSIONS, specification
from tests.kernels_review.constrained import Constrained, constrained_problems, with_constraints

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
A, B, D = 1, 2, 4
ROUTES = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}


def chain(*clauses: str, shared: tuple[Check, ...] = (), atoms: str = "a b d") -> Commitment:
    """c1 by a, c2 by a and b, c3 by a, b and not d, worth 10, 20 and 30, under clauses."""
    made = with_constraints(specification(atoms, *shared), *clauses)
    return commit(made, Program.of(ROUTES))


def worth(model: ReviewModel, regret: bool = False) -> Fraction:
    return ReviewPlanner(model, regret=regret).worth(initial_state(model))


def agrees(problem: Constrained, module: ModuleType = review_planner) -> None:
    """Both criteria at the first state; of the answers to each check, chances and ledgers."""
    model = module.review_model(problem.case.commitment, problem.budget, problem.priors)
    start = module.initial_state(model)
    for regret in (False, True):
        planner = module.ReviewPlanner(model, regret=regret)
        assert planner.worth(start) == problem.best(regret)
    program = model.program
    for check, call in enumerate(program.calls):
        if call.cost > start.left:
            continue
        names = [atom for i, atom in enumerate(program.atoms) if call.atoms >> i & 1]
        expected = {}
        for chance, answer in problem.answers({}, names):
            records = (Observation(atom, value, "") for atom, value in answer.items())
            expected[settle(program, Ledger(tuple(records)))] = chance
        assert {after.settled: chance for chance, after in module.answers(model, start, check)} == (
            expected
        )


@given(constrained_problems(most_checks=3))
@settings(max_examples=30)
def test_the_plan_is_that_of_the_best_adaptive_policy(problem: Constrained) -> None:
    agrees(problem)


@pytest.mark.slow
@given(constrained_problems())
@settings(max_examples=200)
def test_the_plan_is_that_of_the_best_adaptive_policy_of_more_checks(problem: Constrained) -> None:
    agrees(problem)


def told_apart() -> Constrained:
    """Of c1 by a and b, and c2 by d, one is sure to hold, and never both: d tells which."""
    dear = (Check("a", ("a",), 5), Check("b", ("b",), 5))
    made = with_constraints(
        specification("a b d", *dear, conclusions=CONCLUSIONS[:2], order=()),
        "!a !b !d",
        "d a",
        "d b",
    )
    case = case_of(made, Program.of({"c1": [["d"]], "c2": [["a", "b"]]}))
    return Constrained(case, dict.fromkeys("abd", HALF), 1)


def told_by_another() -> Constrained:
    """A check of e, which no route names, may imply b, whose own check is too dear."""
    made = with_constraints(specification("a b d e", Check("dear", ("b",), 5)), "!e b")
    case = case_of(made, Program.of(ROUTES))
    return Constrained(case, dict.fromkeys("abde", HALF), 2)


def test_one_check_tells_two_conclusions_apart_and_another_implies_an_atom() -> None:
    for problem in (told_apart(), told_by_another()):
        agrees(problem)
    assert told_apart().best(regret=True) == 0


PHASES = [Phase.explicit, Phase.generate]
BUGS = [
    ("missing |= model.linked\n", "pass\n"),
    ("(weight if likely else 1)", "1"),
    ("return close(program, said, program.models).settled", "return said"),
    ("if satisfies(program.clauses, each.true)", "if True"),
    ("    return any(not (true & ~a.true or false & a.true) for a in agreeing)", "    return True"),
    ("close(program, Settled(), program.models).settled, model", "Settled(), model"),
    ("if not (true & ~a.true or false & a.true))\n", "if not true & ~a.true)\n"),
    ("bits(new & ~model.linked)", "bits(new)"),
    ("weight * (whole - ones)", "weight * ones"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "instead"), BUGS, ids=lambda text: text[:30])
def test_a_planted_bug_is_caught(text: str, instead: str) -> None:
    source = Path(review_planner.__file__).read_text("utf-8")
    assert source.count(text) == 1
    module = ModuleType("licet.planted_constrained_planner")
    module.__package__ = "licet"
    exec(compile(source.replace(text, instead), "planted", "exec"), module.__dict__)

    @example(told_apart())
    @example(told_by_another())
    @settings(max_examples=1000, derandomize=True, database=None, phases=PHASES)
    @given(constrained_problems(most_checks=3))
    def check(problem: Constrained) -> None:
        agrees(problem, module)

    with pytest.raises(Exception) as found:
        check()
    assert not isinstance(found.value, NameError | AttributeError | ImportError)


@pytest.mark.slow
@given(constrained_problems(), st.booleans())
@settings(max_examples=60)
def test_a_real_review_under_the_plan_earns_what_was_planned(
    problem: Constrained, completion: bool
) -> None:
    if not problem.budget:
        return  # then a review runs only what completion aims at
    model = problem.model
    planner = ReviewPlanner(model)
    total = sum(weight for weight, _ in problem.worlds)
    earned = Fraction(0)
    for weight, world in problem.worlds:
        review = Review(
            problem.case.commitment,
            lambda check, world=world: {atom: world[atom] for atom in check.settles},
            budget=problem.budget,
            completion=completion,
        )
        earned += weight * run_policy(review, Planned(model.program, planner)).utility
    assert earned / total == planner.worth(initial_state(model))


def test_a_cheap_check_that_implies_a_dear_atom_is_used() -> None:
    """That e holds implies b; b costs 5 calls, e one. No route names e."""
    commitment = chain("!e b", shared=(Check("dear", ("b",), 5),), atoms="a b d e")
    model = review_model(commitment, 2, {"e": THIRD})
    # Of the assignments of b and e, 1/2 x 2/3 + 1/2 x 1/3 + 1/2 x 2/3 = 5/6 satisfy the clause.
    assert model.assignments == tuple(
        Weighted(true, weight) for true, weight in ((0b1010, 1), (0b0010, 2), (0, 2))
    )
    assert model.linked == 0b1010
    # a, then e: 10 where a holds, 10 more where e does, which is 1/6 over 5/6.
    assert worth(model) == HALF * (10 + Fraction(1, 5) * 10)
    start = initial_state(model)
    assert [model.program.checks[c] for c in useful_checks(model, start)] == ["a", "d", "e"]
    (chance, after), _ = answers(model, start, model.program.checks.index("e"))
    assert (chance, after.settled) == (Fraction(1, 5), Settled(true=0b1010))


def test_what_the_constraints_imply_is_settled_before_any_check() -> None:
    model = review_model(chain("a", "!d !b"), 3)
    assert initial_state(model) == ReviewState(0, Settled(true=A), 3)
    # b decides between c1 and c3, for it implies not d.
    assert worth(model) == Fraction(1, 3) * 30 + Fraction(2, 3) * 10
    assert worth(model, regret=True) == 0


def test_the_regret_is_over_assignments_that_satisfy_the_constraints() -> None:
    # c3 is never possible, for b implies d or not a; nothing is regretted but c2.
    commitment = commit(
        with_constraints(specification("a b d"), "!a !b"),
        Program.of(
            {"c1": [["a"], ["b"]], "c2": [["a", "d"], ["b", "d"]], "c3": [["a", "d", "!b"]]}
        ),
    )
    model = review_model(commitment, 0)
    assert worth(model, regret=True) == -30
    assert supported_utility(model, Settled(true=B)) == 20
    assert supported_utility(model, Settled()) == 30


def test_two_literals_that_exclude_each_other_are_no_route_to_go() -> None:
    """Where d is true, a or b is false, though each of them is open."""
    commitment = chain("!a !b !d", atoms="a b d")
    model = review_model(commitment, 9)
    settled = settle(commitment.compiled, Ledger((Observation("d", True, "d"),)))
    assert supported_utility(model, settled) == 10
    assert missing_atoms(model, settled) == A | B
    assert missing_atoms(model, Settled(true=A | D, false=B)) == 0
    # The target rule, as the paper has it, looks at literals one by one.
    assert target_rule(model, ReviewState(0, settled, 9)) == (0,)


def test_what_is_unavailable_may_be_implied_and_what_is_suspended_stays_so() -> None:
    model = review_model(chain("!e b", atoms="a b d e"), 9)
    e = 8
    assert missing_atoms(model, Settled(true=A, unavailable=B)) == D | e
    assert missing_atoms(model, Settled(unavailable=A)) == 0
    assert missing_atoms(model, Settled(true=A, conflict=B)) == 0
    assert missing_atoms(model, Settled(0, 0, 0, 15, suspended=True)) == 0
    with pytest.raises(InvariantViolation, match="no assignment agrees with the ledger"):
        answers(model, ReviewState(0, Settled(true=e, false=B), 9), 0)


def test_where_what_is_settled_has_probability_0_its_assignments_weigh_alike() -> None:
    model = review_model(chain("a b"), 9, {"a": 1, "b": 0, "d": THIRD})
    state = ReviewState(1, Settled(false=A, true=B), 9)
    assert [chance for chance, _ in answers(model, state, 2)] == [THIRD, 1 - THIRD]
    three = review_model(chain("a b e", atoms="a b d e"), 9, {"a": 1, "b": 0, "e": 0})
    state = ReviewState(1, Settled(false=A), 9)
    # b and e, b, e: three that weigh alike.
    assert [chance for chance, _ in answers(three, state, 1)] == [Fraction(2, 3), Fraction(1, 3)]


def test_constraints_of_no_probability_and_too_many_atoms_are_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"^priors: under them the constraints have probability 0; expected more"
    ):
        review_model(chain("a b"), 1, {"a": 0, "b": 0})
    assert ATOM_LIMIT == 12
    for count in (12, 13):
        atoms = [f"x{number:02}" for number in range(count)]
        made = with_constraints(
            specification(" ".join(atoms), conclusions=CONCLUSIONS[:1]), " ".join(atoms)
        )
        commitment = commit(made, Program.of({"c1": [["x00"]]}))
        if count == 12:
            assert len(review_model(commitment, 1).assignments) == 2**12 - 1
        else:
            with pytest.raises(
                InvalidInput,
                match=r"^constraints: 13 atoms under constraints are more than the 12 that are"
                " planned exactly",
            ):
                review_model(commitment, 1)


@pytest.mark.parametrize(
    "check",
    [
        Check("notes", ("b", "d"), kind=CheckKind.TEXT),
        Check("notes", ("b",), candidates=("first", "second")),
    ],
)
def test_judgements_and_uncertain_places_are_refused(check: Check) -> None:
    with pytest.raises(InvalidInput, match=r"^checks.notes: judgements of texts and uncertain"):
        review_model(chain("!d a", shared=(check,)), 9)


def test_the_reference_plans_under_constraints_whatever_the_size() -> None:
    atoms = [f"x{number}" for number in range(7)]
    made = with_constraints(specification(" ".join(atoms), conclusions=CONCLUSIONS[:1]), "!x0 x1")
    model = review_model(commit(made, Program.of({"c1": [atoms]})), 7)
    assert uses_reference(model)
    plan = exact_plan(model)
    assert isinstance(plan, ReviewPlanner)
    assert evaluate(model, plan.choose).utility == plan.worth(initial_state(model))
    assert evaluate_guided(model).utility == ReviewPlanner(model, target_rule).worth(
        initial_state(model)
    )
    for refused in (kernel_plan, follow_guided):
        with pytest.raises(InvalidInput, match=r"^constraints: .* the reference alone, not by the"):
            refused(model)


def test_many_ledgers_are_decided_on_by_their_closures() -> None:
    commitment = chain("!a b", "!b !d a")
    program = commitment.compiled
    arrays = encode(program)
    assert decode(arrays) == program
    records = [(), (("a", True),), (("b", False),), (("a", True), ("b", False)), (("d", True),)]
    closures = [
        settle(program, Ledger(tuple(Observation(a, value, a) for a, value in each)))
        for each in records
    ]
    assert [closed.suspended for closed in closures] == [False, False, False, True, False]
    many = ledgers_of(closures)
    assert [int(mask) for mask in authorized_many(arrays, many)] == [
        authorized(program, closed) for closed in closures
    ]
    aims = targets_many(arrays, many, 9, program.all_checks)
    for place, closed in enumerate(closures):
        aim = target(program, closed, 9, program.all_checks)
        found = int(aims.conclusion[place]), int(aims.route[place])
        assert (found[0] < 0) if aim is None else (found == (aim.conclusion, aim.route))


def test_judgements_of_texts_are_not_encoded() -> None:
    commitment = chain(shared=(Check("notes", ("b", "d"), kind=CheckKind.TEXT),))
    with pytest.raises(InvalidInput, match=r"^checks.notes: judgements of texts are not for the"):
        encode(commitment.compiled)


def test_a_prior_is_assumed_for_what_only_a_constraint_names() -> None:
    assert assumed_priors(chain("!e b", atoms="a b d e f")) == ("a", "b", "d", "e")
    assert assumed_priors(chain(atoms="a b d e f")) == ("a", "b", "d")
