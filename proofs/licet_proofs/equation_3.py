"""Equation (3): the exact planner, the bounded policies, their order (AMV, sections 2.3, 3.3).

Statement. V*(b, B) is the least of V_stop(b) and, over every affordable query q, of lambda C(q)
plus the expected V* after its answer. In expected objective exact <= two-step <= greedy <= stopping
at once, and exact <= static; V* falls or stays as the budget grows.

Premises. The exact observation model, and no replanning (rho off); the screens are in V_stop, so
that they need no premise. Confirmed for every case of a small space in `enumerated_gate`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from hypothesis import example, given

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet.information import one_step, outcomes, stopping
from licet.planner import ExactPlanner
from licet.policies import (
    exact_policy,
    greedy_policy,
    policy_tree,
    static_policy,
    stop_policy,
    two_step_policy,
)

from . import independent_gate as paper
from .expect import SAMPLED, expect
from .gate_generators import answers, budgets, candidates
from .gate_views import model_of, value_of, walk

COMPLEMENTS: Final = Candidate(
    "ship",
    (Claim("address", 0.3), Claim("stock", 0.3)),
    (Premise("deliverable", "address"), Premise("available", "stock")),
    (FailureMode(("deliverable",), 10, "g"), FailureMode(("available",), 10, "h")),
    (
        Verifier.symmetric("ask", 1, ("address",), 1),
        Verifier.symmetric("look", 1, ("stock",), 1),
    ),
    Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.05),
)
"""Neither check is worth anything alone, since the other premise stays too risky; both are."""

DEAR: Final = replace(COMPLEMENTS, loss=replace(COMPLEMENTS.loss, price=Fraction(2, 5)))
"""Two checks together save more than the first of them costs, and less than both."""

SAFE: Final = replace(COMPLEMENTS, claims=(Claim("address", 0.02), Claim("stock", 0.01)))
"""Proceeding is within the screens, until somebody refutes."""

WAVERING: Final = replace(
    COMPLEMENTS,
    claims=(Claim("address", 0.5), COMPLEMENTS.claims[1]),
    verifiers=(replace(COMPLEMENTS.verifiers[0], sensitivity=0.9, specificity=0.9, uses=3),),
    loss=replace(COMPLEMENTS.loss, invalidation=0.95),
)
"""Two answers invalidate the premise; a third takes that back."""

TWINS: Final = replace(
    COMPLEMENTS,
    verifiers=(
        Verifier.symmetric("ask", 1, ("address",), 0.9),
        Verifier.symmetric("ask_again", 1, ("address",), 0.9),
        Verifier.symmetric("look", 1, ("stock",), 1),
    ),
    loss=Loss(abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.3),
)
"""Two checks that tie everywhere."""

TRIPLETS: Final = replace(
    COMPLEMENTS,
    claims=(*COMPLEMENTS.claims, Claim("price", 0.3)),
    premises=(*COMPLEMENTS.premises, Premise("payable", "price")),
    failure_modes=(*COMPLEMENTS.failure_modes, FailureMode(("payable",), 10, "i")),
    verifiers=(*COMPLEMENTS.verifiers, Verifier.symmetric("compare", 1, ("price",), 1)),
)
"""Three checks that pay only together: more than the two-step fallback sees."""

ONE, TWO, THREE = Fraction(1), Fraction(2), Fraction(3)


@SAMPLED
@example(COMPLEMENTS, TWO)
@example(TWINS, TWO)
@example(TRIPLETS, THREE)
@given(candidates(), budgets)
def the_exact_planner_equals_brute_force(candidate: Candidate, budget: Fraction) -> None:
    """V* is what plain recursion over beliefs gives, and the policy that it chooses attains it.

    Source: AMV, Equation (3).
    """
    expected = paper.expectimax(candidate, paper.opening(candidate, budget))
    found = ExactPlanner(model_of(candidate), budget).value()
    expect(found == expected, "V* is", found, "not", expected)
    attained = value_of(candidate, exact_policy, budget)
    expect(attained == expected, "the chosen policy attains", attained, "not", expected)


@SAMPLED
@example(COMPLEMENTS, TWO)
@example(TWINS, TWO)
@example(COMPLEMENTS, ONE)
@example(DEAR, TWO)
@given(candidates(), budgets)
def the_bounded_policies_are_the_papers(candidate: Candidate, budget: Fraction) -> None:
    """Greedy and two-step query what Equations (4) and (5) say, the first listed of equals.

    Source: AMV, Equations (4) and (5), section 3.3.
    """
    opening = paper.opening(candidate, budget)
    for policy, two_step in ((greedy_policy, False), (two_step_policy, True)):
        node = policy_tree(model_of(candidate), policy, budget)
        asked = paper.bounded_choice(candidate, opening, two_step)
        name = None if node.verifier is None else candidate.verifiers[node.verifier].identifier
        expect(name == (asked and asked.identifier), "it asks", name, "not", asked)
        expected = paper.bounded_value(candidate, opening, two_step)
        expect(node.value == expected, "its objective is", node.value, "not", expected)


@SAMPLED
@example(COMPLEMENTS, TWO)
@given(candidates(), budgets)
def the_static_policy_is_the_best_fixed_set(candidate: Candidate, budget: Fraction) -> None:
    """No affordable multiset of queries, asked whole, has a lower objective.

    Source: AMV, section 5.1 (static AMV); DESIGN, section 4.
    """
    expected = paper.static_value(candidate, budget)
    found = value_of(candidate, static_policy, budget)
    expect(found == expected, "its objective is", found, "not", expected)


@SAMPLED
@example(COMPLEMENTS, TWO)
@example(TWINS, TWO)
@example(TRIPLETS, THREE)
@given(candidates(), budgets)
def no_policy_beats_the_exact_one_and_more_foresight_never_hurts(
    candidate: Candidate, budget: Fraction
) -> None:
    """In objective: exact <= two-step <= greedy <= stopping at once, and exact <= static.

    Source: DESIGN, section 4, the row for (3); the exact observation model, rho off.
    """
    policies = (exact_policy, two_step_policy, greedy_policy, stop_policy)
    values = [value_of(candidate, policy, budget) for policy in policies]
    expect(all(a <= b for a, b in pairwise(values)), "exact, two-step, greedy, stop:", values)
    static = value_of(candidate, static_policy, budget)
    expect(values[0] <= static <= values[-1], "exact, static, stop:", values[0], static, values[-1])


@SAMPLED
@example(COMPLEMENTS, TWO, TWO)
@given(candidates(), budgets, budgets)
def more_budget_never_makes_the_exact_value_worse(
    candidate: Candidate, budget: Fraction, more: Fraction
) -> None:
    """V*(b, B) falls or stays as B grows.

    Source: AMV, Equation (3); DESIGN, section 4.
    """
    model = model_of(candidate)
    less, enough = ExactPlanner(model, budget).value(), ExactPlanner(model, budget + more).value()
    expect(enough <= less, "with", budget + more, "it is", enough, "and with", budget, less)


@SAMPLED
@example(COMPLEMENTS, TWO, [(0, False)])
@given(candidates(), budgets, answers)
def a_query_that_cannot_change_the_decision_is_worth_nothing(
    candidate: Candidate, budget: Fraction, given: Sequence[tuple[int, bool]]
) -> None:
    """Where every answer leaves the decision as it is, the one-step value is minus the price.

    Source: AMV, sections 1 and 2.4, Equation (4).
    """
    model = model_of(candidate)
    belief = walk(model, budget, given)[0].belief
    now = stopping(model, belief).proceed
    for index, verifier in enumerate(candidate.verifiers):
        after = [stopping(model, b).proceed for _, _, b in outcomes(model, belief, index)]
        if all(proceed == now for proceed in after):
            worth = one_step(model, belief, index)
            price = paper.price(candidate, verifier)
            expect(worth == -price, "the worth of", verifier, "is", worth, "not", -price)


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    the_exact_planner_equals_brute_force,
    the_bounded_policies_are_the_papers,
    the_static_policy_is_the_best_fixed_set,
    no_policy_beats_the_exact_one_and_more_foresight_never_hurts,
    more_budget_never_makes_the_exact_value_worse,
    a_query_that_cannot_change_the_decision_is_worth_nothing,
)
