"""The gate's generated instances are what their module says, and their values are counted right."""

from fractions import Fraction

import pytest

from benchmarks.experiments.gate.contenders import CONTENDERS, GREEDY, STOP, TWO_STEP, Contender
from benchmarks.experiments.gate.instances import SPENDABLE, complementary, subset
from benchmarks.experiments.gate.rolling import worth
from benchmarks.experiments.gate.statistics import difference, mean
from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet.beliefs import compile_candidate
from licet.policies import Node
from licet_bindings.gate.planning import evaluate

NUMBERS = range(30)


@pytest.mark.parametrize("number", NUMBERS)
def test_instances_of_the_subset_are_heterogeneous_and_overlap(number: int) -> None:
    candidate = subset(7, number)
    assert subset(7, number) == candidate
    assert 3 <= len(candidate.premises) <= 5
    assert 4 <= len(candidate.verifiers) <= 7
    assert len({q.cost for q in candidate.verifiers}) > 1
    assert len({(q.sensitivity, q.specificity) for q in candidate.verifiers}) > 1
    covers = [set(q.covers) for q in candidate.verifiers]
    assert any(a & b for i, a in enumerate(covers) for b in covers[:i])
    assert all(Fraction(1, 100) <= claim.error <= Fraction(40, 100) for claim in candidate.claims)


def test_all_kinds_of_decisions_occur() -> None:
    decided = [CONTENDERS["exact"].tree(subset(7, number), SPENDABLE) for number in NUMBERS]
    kinds = {(tree.verifier is None, tree.proceed) for tree in decided}
    assert kinds == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("name", [GREEDY, TWO_STEP, "always-verify", STOP])
def test_values_over_hidden_states_are_those_of_the_kernel(name: str) -> None:
    for number in range(6):
        candidate = subset(7, number)
        model, contender = compile_candidate(candidate), CONTENDERS[name]
        counted = worth(contender.tree_of(model, SPENDABLE), candidate)
        known = evaluate(model, contender.named.policy(model, SPENDABLE), SPENDABLE)
        assert counted.objective == known.value
        assert (counted.cost, counted.proceeds, counted.harms) == known[1:4]
        assert counted.objective == counted.loss + Fraction(1, 10) * counted.cost


def toy(**loss: Fraction) -> Candidate:
    """One claim, wrong with 1/4, loss 2; a verifier of cost 3 that errs with 1/10."""
    return Candidate(
        "act",
        (Claim("a", Fraction(1, 4)),),
        (Premise("p", "a"),),
        (FailureMode(("p",), 2),),
        (Verifier.symmetric("q", 3, ("a",), Fraction(9, 10)),),
        Loss(1, **{"price": Fraction(1, 10), **loss}),
    )


def node(verifier: int | None, proceed: bool = False, *children: Node) -> Node:
    nothing = Fraction(0)
    answers = tuple(zip((False, True), children, strict=False))
    return Node(verifier, proceed, nothing, nothing, nothing, answers)


def test_a_worked_example() -> None:
    tree = node(0, False, node(None, True), node(None, False))
    counted = worth(tree, toy())
    # Support has probability 3/4 x 9/10 + 1/4 x 1/10 = 7/10; wrong and supported 1/40.
    assert counted.proceeds == Fraction(7, 10)
    assert counted.harms == Fraction(1, 40)
    assert counted.completes == Fraction(27, 40)
    assert counted.loss == Fraction(1, 40) * 2 + Fraction(3, 10) * 1
    assert (counted.cost, counted.checks, counted.verifies, counted.several) == (3, 1, 1, 0)
    assert counted.safe == Fraction(3, 4)


def test_harm_is_counted_by_the_delta_that_is_asked_for() -> None:
    assert worth(node(None, True), toy(harm_loss=Fraction(2))).harms == 0
    assert worth(node(None, True), toy(), Fraction(2)).harms == 0
    assert worth(node(None, True), toy(), Fraction(1)).harms == Fraction(1, 4)


def test_a_tree_that_leaves_out_an_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a tree for every answer"):
        worth(node(0, False, node(None, True)), toy())


def test_claims_of_one_draw_are_refused() -> None:
    claims = (Claim("a", Fraction(1, 4), draw="d"),)
    candidate = toy()
    shared = Candidate("act", claims, *(getattr(candidate, f) for f in _OTHERS))
    with pytest.raises(ValueError, match="found a shared draw"):
        worth(node(None, True), shared)


_OTHERS = ("premises", "failure_modes", "verifiers", "loss")


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_complementary_checks_admit_together_alone(needed: int) -> None:
    contender: Contender = CONTENDERS["always-verify"]
    for number in range(5):
        tree = contender.tree(complementary(7, number, needed), SPENDABLE)
        for checks in range(needed):
            assert not tree.proceed, checks
            assert tree.verifier is not None
            tree = dict(tree.children)[False]
        assert tree.proceed


def test_static_policies_ask_the_same_whatever_is_answered() -> None:
    for name in ("static", "static, first scores"):
        for number in NUMBERS[:10]:
            tree = CONTENDERS[name].tree(subset(7, number), SPENDABLE)
            assert len(_asked(tree)) == 1


def _asked(tree: Node) -> set[tuple[int, ...]]:
    if tree.verifier is None:
        return {()}
    return {(tree.verifier, *rest) for _, child in tree.children for rest in _asked(child)}


def test_means_have_intervals_that_hold_them_and_are_the_same_again() -> None:
    values = [0.0, 1.0, 2.0, 5.0, 3.0, 1.5]
    found = mean(values, 7)
    assert found.low < found.value < found.high
    assert mean(values, 7) == found
    assert difference(values, values, 7) == (0, 0, 0)
