"""Policies: what they prefer, what they refuse, and the tree of one."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from licet import Claim, InvalidInput, Loss, ObservationModel, Verifier, planner, policies
from licet.beliefs import GateModel, compile_candidate
from licet.information import one_step, two_step
from licet.planner import start
from licet.policies import (
    Chooser,
    Node,
    always_verify_policy,
    exact_policy,
    greedy_policy,
    one_step_values,
    pair_size,
    policy_tree,
    static_policy,
    two_step_policy,
    two_step_values,
)
from tests.gate.candidates import complementary, shipment

ONE, THREE = Fraction(1), Fraction(3)
COMPLEMENTARY = compile_candidate(complementary())
SHARED = compile_candidate(
    replace(
        complementary(),
        claims=(Claim("address", 0.2), Claim("stock", 0.1)),
        verifiers=(
            Verifier("both", 1, ("address", "stock"), 0.9, 0.8, uses=2),
            Verifier("look", 1, ("stock",), 0.75, 1),
        ),
        loss=Loss(abstain=1, price=0.01),
    ),
    ObservationModel.SHARED,
)


def thrice() -> GateModel:
    """A check that can be asked three times."""
    ask = Verifier.symmetric("ask", 1, ("address",), 0.9, uses=3)
    return compile_candidate(replace(shipment(10), verifiers=(ask,)))


def refused(text: str, act: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match=f"^{re.escape(text)}$"):
        act()


def test_the_size_of_two_step_values() -> None:
    # Four hidden states, and three pairs of two verifiers.
    assert pair_size(COMPLEMENTARY) == 4 * 3
    assert pair_size(SHARED) == 16 * 4 * 3
    away = replace(complementary().verifiers[1], available=False)
    one = replace(complementary(), verifiers=(complementary().verifiers[0], away))
    assert pair_size(compile_candidate(one)) == 4


def test_the_two_step_policy_takes_as_much_as_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "PAIR_LIMIT", 12)
    assert two_step_policy(COMPLEMENTARY, THREE)(start(COMPLEMENTARY, THREE)) == 0
    monkeypatch.setattr(policies, "PAIR_LIMIT", 11)
    refused(
        "verifiers: 12 pairs of verifiers times hidden states are more than the 11 that the"
        " two-step policy takes; use the greedy policy",
        lambda: two_step_policy(COMPLEMENTARY, THREE),
    )


def test_one_step_that_gains_goes_before_two_that_gain_more() -> None:
    # Each of the perfect checks gains with the other only; the poor one of both gains alone.
    poor = Verifier.symmetric("poor", 1, ("address", "stock"), 0.97)
    candidate = complementary()
    model = compile_candidate(replace(candidate, verifiers=(*candidate.verifiers, poor)))
    position = start(model, Fraction(2))
    gaining = [q for q, value in one_step_values(model, position).items() if value > 0]
    assert gaining == [2]
    two = two_step_values(model, position)
    assert max(two, key=lambda q: two[q]) != 2
    assert two_step_policy(model, Fraction(2))(position) == 2
    assert greedy_policy(model, Fraction(2))(position) == 2


def test_values_in_the_shared_model_are_rolled_forward() -> None:
    position = start(SHARED, THREE)
    belief, uses = position.belief, position.uses
    one, two = one_step_values(SHARED, position), two_step_values(SHARED, position)
    assert one == {q: one_step(SHARED, belief, q) for q in (0, 1)}
    assert two == {q: two_step(SHARED, belief, q, uses, THREE) for q in (0, 1)}
    assert two[0] != one[0]


def test_the_static_policy_weighs_answers_in_either_order() -> None:
    # Support and refute, or refute and support: one position, of both probabilities.
    ask = Verifier.symmetric("ask", 1, ("address",), 0.6, uses=2)
    model = compile_candidate(replace(shipment(10), verifiers=(ask,)))
    assert static_policy(model, Fraction(2))(start(model, Fraction(2))) is None


def test_the_static_policy_says_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "DEPTH_LIMIT", 2)
    refused(
        "verifiers: at least 3 answers in a row are more than the 2 that the static policy takes;"
        " use the two-step policy",
        lambda: static_policy(thrice(), THREE),
    )


def test_a_whole_tree() -> None:
    model = compile_candidate(shipment(10, reliability=1))
    right, wrong = Fraction(72, 100), Fraction(28, 100)
    assert policy_tree(model, exact_policy, ONE) == Node(
        verifier=0,
        proceed=False,
        value=Fraction(1, 10) + wrong,
        cost=ONE,
        probability=ONE,
        children=(
            (False, Node(None, True, Fraction(0), Fraction(0), right, ())),
            (True, Node(None, False, ONE, Fraction(0), wrong, ())),
        ),
    )
    tree = policy_tree(thrice(), always_verify_policy, Fraction(2))
    (_, supported), (_, refuted) = tree.children
    assert (supported.probability, refuted.probability) == (Fraction("0.676"), Fraction("0.324"))


def test_a_tree_is_drawn_up_to_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three answers in a row: 1 + 2 + 4 + 8 nodes.
    for nodes, answers in ((15, 3), (14, 3), (15, 2)):
        monkeypatch.setattr(policies, "TREE_LIMIT", nodes)
        monkeypatch.setattr(policies, "DEPTH_LIMIT", answers)
        if (nodes, answers) == (15, 3):
            assert policy_tree(thrice(), always_verify_policy, THREE).cost == THREE
        else:
            refused(
                f"policy: expected a tree of at most {nodes} nodes and {answers} answers",
                lambda: policy_tree(thrice(), always_verify_policy, THREE),
            )


@pytest.mark.parametrize("chosen", [True, 7])
def test_a_tree_of_what_cannot_be_asked_is_refused(chosen: int) -> None:
    def nonsense(model: GateModel, budget: Fraction) -> Chooser:
        return lambda position: chosen

    refused(
        "policy: expected a verifier that can be asked and paid",
        lambda: policy_tree(COMPLEMENTARY, nonsense, THREE),
    )
