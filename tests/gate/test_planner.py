"""The planner, the policies and the model beneath the gate, on cases worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from licet import Claim, FailureMode, InvalidInput, Loss, ObservationModel, Premise, Verifier
from licet.beliefs import Belief, compile_candidate, loss, prior, update
from licet.information import Stopping, fixed_action, one_step, stopping, two_step
from licet.planner import ExactPlanner, lattice_size, start, step
from licet.policies import (
    Node,
    always_verify_policy,
    exact_policy,
    greedy_policy,
    policy_tree,
    static_policy,
    stop_policy,
    two_step_policy,
)

from .candidates import complementary, shipment

TWO = Fraction(2)


def test_claims_of_one_draw_are_wrong_together() -> None:
    candidate = replace(
        complementary(), claims=(Claim("address", 0.3, "d"), Claim("stock", 0.1, "d"))
    )
    # u < 0.1: both; 0.1 <= u < 0.3: the address alone.
    assert prior(compile_candidate(candidate)) == Belief(((0, 7), (1, 2), (3, 1)), 10)


def test_the_order_of_answers_makes_no_difference() -> None:
    candidate = replace(complementary(), loss=Loss(abstain=1, price=0))
    model = compile_candidate(candidate)
    begun = start(model, TWO)
    assert step(model, step(model, begun, 0, False), 1, False) == step(
        model, step(model, begun, 1, False), 0, False
    )


def test_an_impossible_answer_is_refused() -> None:
    model = compile_candidate(shipment(1, reliability=1))
    sure = update(model, prior(model), 0, refutes=False)
    with pytest.raises(InvalidInput, match=r"verifiers\.ask_user: this answer is impossible"):
        update(model, sure, 0, refutes=True)


def test_a_contradicting_premise_is_violated_when_the_claim_is_right() -> None:
    candidate = replace(
        shipment(10), premises=(Premise("deliverable", "address", contradicts=True),)
    )
    model = compile_candidate(candidate)
    assert [loss(model, wrong) for wrong in (0, 1)] == [10, 0]


def test_a_group_is_charged_its_greatest_impact_once() -> None:
    candidate = replace(
        complementary(),
        failure_modes=(
            FailureMode(("deliverable",), 3, "g"),
            FailureMode(("available",), 5, "g"),
            FailureMode(("deliverable", "available"), 1, "h"),
        ),
    )
    model = compile_candidate(candidate)
    assert [loss(model, wrong) for wrong in range(4)] == [0, 3, 5, 6]
    assert model.losses == {0: 0, 1: 3, 2: 5, 3: 6}


def test_two_checks_that_pay_only_together() -> None:
    model = compile_candidate(complementary())
    belief, uses = prior(model), (1, 1)
    assert stopping(model, belief) == Stopping(Fraction(1), False)
    assert [one_step(model, belief, q) for q in (0, 1)] == [Fraction(-1, 10)] * 2
    # Support (0.7), then at 0.1 the other: 0.7 x 0 + 0.3 x 1. Refute (0.3): decline.
    after = Fraction("0.7") * (Fraction("0.1") + Fraction("0.3")) + Fraction("0.3")
    worth = 1 - Fraction("0.1") - after
    assert [two_step(model, belief, q, uses, TWO) for q in (0, 1)] == [worth] * 2
    assert [two_step(model, belief, q, uses, Fraction(1)) for q in (0, 1)] == [Fraction(-1, 10)] * 2
    assert ExactPlanner(model, TWO).value() == 1 - worth
    values = [
        policy_tree(model, policy, TWO).value
        for policy in (exact_policy, two_step_policy, static_policy, greedy_policy, stop_policy)
    ]
    # Static pays for the second check whatever the first says.
    assert values == [
        1 - worth,
        1 - worth,
        Fraction("0.2") + 1 - Fraction("0.49"),
        1,
        1,
    ]


def test_a_tree_adds_up() -> None:
    model = compile_candidate(complementary())
    tree = policy_tree(model, exact_policy, TWO)
    assert tree.verifier == 0
    assert tree.cost == Fraction(17, 10)
    leaves = list(_leaves(tree))
    assert sum(leaf.probability for leaf in leaves) == 1
    assert tree.value == sum(leaf.probability * leaf.value for leaf in leaves) + Fraction("0.17")
    assert [leaf.proceed for leaf in leaves] == [True, False, False]


def _leaves(node: Node) -> list[Node]:
    if not node.children:
        return [node]
    return [leaf for _, child in node.children for leaf in _leaves(child)]


def test_of_equal_verifiers_the_first_listed_is_asked() -> None:
    candidate = shipment(10)
    twin = replace(candidate.verifiers[0], identifier="ask_again")
    model = compile_candidate(replace(candidate, verifiers=(*candidate.verifiers, twin)))
    for policy in (exact_policy, two_step_policy, greedy_policy, static_policy):
        assert policy_tree(model, policy, Fraction(1)).verifier == 0


def test_of_equal_values_stopping_comes_first() -> None:
    # The perfect check costs exactly what it saves: 0.28 x 10 - ... is 1 - 0.28.
    candidate = shipment(10, reliability=1, loss=Loss(abstain=1, price=0.72))
    model = compile_candidate(candidate)
    assert one_step(model, prior(model), 0) == 0
    for policy in (exact_policy, two_step_policy, greedy_policy, static_policy):
        assert policy_tree(model, policy, Fraction(1)).verifier is None


def test_always_verify_asks_all_it_can_pay() -> None:
    model = compile_candidate(complementary())
    assert policy_tree(model, always_verify_policy, TWO).cost == 2
    assert policy_tree(model, always_verify_policy, Fraction(3, 2)).cost == 1


def test_the_lattice_counts_pairs_within_the_budget() -> None:
    look = Verifier.symmetric("look", 1, ("stock",), 0.9, uses=2)
    candidate = replace(complementary(), verifiers=(complementary().verifiers[0], look))
    model = compile_candidate(candidate)
    # 1 or 2 pairs for one use, 1 + 2 + 3 for two: all of them at budget 3.
    assert lattice_size(model, Fraction(3)) == (3 * 6, 3)
    # Without both verifiers used up.
    assert lattice_size(model, TWO) == (3 * 6 - 2 * 3, 2)
    assert lattice_size(model, Fraction(0)) == (1, 0)


def test_more_budget_is_never_worse_for_the_exact_planner() -> None:
    model = compile_candidate(complementary())
    values = [ExactPlanner(model, Fraction(budget)).value() for budget in range(4)]
    assert all(more <= less for less, more in pairwise(values))


def test_a_fixed_action_is_scored_by_the_price_alone() -> None:
    model = compile_candidate(complementary())
    assert fixed_action(model, prior(model), 0) == Fraction(-1, 10)


def test_the_shared_model_has_no_tower_property() -> None:
    both = Verifier("look_up", 1, ("address", "stock"), 1, 1)
    candidate = replace(
        complementary(),
        claims=(Claim("address", 0.5), Claim("stock", 0.1)),
        verifiers=(both,),
        loss=Loss(abstain=1, price=0),
    )
    exact = compile_candidate(candidate)
    shared = compile_candidate(candidate, ObservationModel.SHARED)
    assert fixed_action(exact, prior(exact), 0) == 0
    # 20 with the mean error 0.3, else nothing; the risk was 6.
    assert fixed_action(shared, prior(shared), 0) == 6 - Fraction("0.3") * 20
    uneven = replace(candidate, failure_modes=(FailureMode(("deliverable",), 10, "g"),))
    model = compile_candidate(uneven, ObservationModel.SHARED)
    assert fixed_action(model, prior(model), 0) == 5 - Fraction("0.3") * 10 > 0


def test_a_fixed_set_is_valued_on_the_lattice_not_on_its_tree() -> None:
    # 2^20 leaves, but 21 positions at the last answer.
    often = Verifier.symmetric("often", 0, ("address",), 0.6, uses=20)
    model = compile_candidate(replace(shipment(10), verifiers=(often,)))
    assert static_policy(model, TWO)(start(model, TWO)) == 0
