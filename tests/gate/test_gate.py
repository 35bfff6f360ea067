"""The gate as an agent meets it: decisions, reports, replans, budgets, threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

from licet import (
    Claim,
    DecisionKind,
    Evidence,
    FailureMode,
    Gate,
    GateEntry,
    InvalidInput,
    Loss,
    ObservationModel,
    Observed,
    Premise,
    Verifier,
)
from licet.beliefs import GateModel
from licet.planner import Position
from licet.policies import (
    Chooser,
    Policy,
    always_verify_policy,
    exact_policy,
    greedy_policy,
    static_policy,
    stop_policy,
    two_step_policy,
)

from .candidates import MAIN_POINT, complementary, shipment

POLICIES = (
    exact_policy,
    two_step_policy,
    greedy_policy,
    static_policy,
    stop_policy,
    always_verify_policy,
)


@pytest.mark.parametrize(
    ("impact", "reliability", "kind"),
    [
        (Fraction(1, 2), 0.95, DecisionKind.PROCEED),
        (10, 0.95, DecisionKind.VERIFY),
        (1000, 0.95, DecisionKind.ABSTAIN),
        (1000, 1, DecisionKind.VERIFY),
    ],
)
def test_one_memory_three_behaviours(
    impact: Fraction, reliability: float, kind: DecisionKind
) -> None:
    assert Gate(shipment(impact, reliability=reliability), budget=4).decide().kind is kind


def test_what_the_answer_changes() -> None:
    confirmed = Gate(shipment(10), budget=4)
    assert confirmed.observe("ask_user", refutes=False) is Observed.RECORDED
    assert confirmed.decide().kind is DecisionKind.PROCEED
    refuted = Gate(shipment(10), budget=4)
    assert refuted.observe("ask_user", refutes=True) is Observed.RECORDED
    assert refuted.decide().kind is DecisionKind.ABSTAIN


def test_a_decision_explains_itself() -> None:
    decision = Gate(shipment(10), budget=4).decide()
    assert decision.verifier == "ask_user"
    assert decision.expected_loss == Fraction(28, 10)
    assert decision.harm_probability == Fraction(28, 100)
    assert decision.stopping_value == 1
    assert decision.admissible
    # Support: probability 0.698, then the error is 0.014 / 0.698 and proceeding loses 0.14.
    assert decision.worth == {
        "ask_user": 1 - (Fraction("0.14") + Fraction("0.302")) - Fraction("0.1")
    }
    assert decision.two_step == {}
    assert decision.evidence == ()
    assert decision.budget == 4


def test_a_decision_names_its_evidence() -> None:
    gate = Gate(shipment(10), budget=4)
    gate.observe("ask_user", refutes=False)
    assert gate.decide().evidence == (Evidence("ask_user", 1, 0),)


def test_errors_are_clipped_on_entry() -> None:
    candidate = replace(shipment(10), claims=(Claim("address", 0),))
    assert Gate(candidate, budget=0).decide().expected_loss == Fraction(1, 10)
    candidate = replace(shipment(10), claims=(Claim("address", 1),))
    assert Gate(candidate, budget=0).decide().harm_probability == Fraction(99, 100)


def test_two_checks_that_pay_only_together() -> None:
    gate = Gate(complementary(), budget=4)
    decision = gate.decide()
    assert decision.kind is DecisionKind.VERIFY
    assert all(value <= 0 for value in decision.worth.values())
    assert decision.two_step["ask_user"] > 0
    assert Gate(complementary(), budget=4, policy=greedy_policy).decide().kind is (
        DecisionKind.ABSTAIN
    )
    assert Gate(complementary(), budget=1).decide().kind is DecisionKind.ABSTAIN
    gate.observe("ask_user", refutes=False)
    assert gate.decide().verifier == "look_up"
    gate.observe("look_up", refutes=False)
    assert gate.decide().kind is DecisionKind.PROCEED


def test_a_tie_proceeds() -> None:
    candidate = replace(
        shipment(10, loss=Loss(abstain=1, price=1)), claims=(Claim("address", 0.1),)
    )
    assert Gate(candidate, budget=0).decide().kind is DecisionKind.PROCEED


def test_the_screens_stop_what_the_loss_would_allow() -> None:
    screened = Loss(abstain=10, price=1, max_harm_probability=0.05)
    assert Gate(shipment(1, loss=screened), budget=0).decide().kind is DecisionKind.ABSTAIN
    at_the_bound = Loss(abstain=10, price=1, max_harm_probability=0.28)
    assert Gate(shipment(1, loss=at_the_bound), budget=0).decide().kind is DecisionKind.PROCEED
    no_harm = Loss(abstain=10, price=1, harm_loss=1, max_harm_probability=0)
    assert Gate(shipment(1, loss=no_harm), budget=0).decide().kind is DecisionKind.PROCEED
    capped = Loss(abstain=10, price=1, max_expected_loss=0.27)
    assert Gate(shipment(1, loss=capped), budget=0).decide().kind is DecisionKind.ABSTAIN


def test_an_invalidated_premise_asks_for_a_new_plan() -> None:
    gate = Gate(shipment(1000, reliability=1, loss=MAIN_POINT), budget=4)
    gate.observe("ask_user", refutes=True)
    decision = gate.decide()
    assert decision.kind is DecisionKind.REPLAN
    assert decision.premise == "deliverable"
    assert decision.evidence == (Evidence("ask_user", 0, 1),)


def test_nothing_is_invalidated_before_an_observation() -> None:
    candidate = replace(shipment(1000, loss=MAIN_POINT), claims=(Claim("address", 0.99),))
    gate = Gate(candidate, budget=4)
    assert gate.decide().kind is DecisionKind.ABSTAIN
    assert gate.fail("ask_user") is Observed.FAILED
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_a_premise_that_is_not_required_invalidates_nothing() -> None:
    optional = (Premise("deliverable", "address", required=False),)
    candidate = replace(shipment(1000, reliability=1, loss=MAIN_POINT), premises=optional)
    gate = Gate(candidate, budget=4)
    gate.observe("ask_user", refutes=True)
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_the_budget_carries_across_replans() -> None:
    gate = Gate(complementary(), budget=Fraction(5, 2))
    gate.observe("ask_user", refutes=True)
    assert gate.decide().kind is DecisionKind.REPLAN
    gate.replan(complementary(address=0.2))
    assert gate.remaining == Fraction(3, 2)
    # The address is another memory now: both checks would be needed, one can be paid.
    assert gate.decide().kind is DecisionKind.ABSTAIN
    gate.observe("look_up", refutes=False)
    gate.replan(complementary(address=0.25))
    assert gate.remaining == Fraction(1, 2)
    assert gate.observe("ask_user", refutes=False) is Observed.REFUSED
    assert gate.remaining == Fraction(1, 2)
    assert gate.history == (
        GateEntry(0, "ask_user", True, Observed.RECORDED),
        GateEntry(1, "look_up", False, Observed.RECORDED),
        GateEntry(2, "ask_user", False, Observed.REFUSED),
    )


def test_the_same_candidate_again_is_no_fresh_start() -> None:
    gate = Gate(shipment(10), budget=4)
    gate.observe("ask_user", refutes=True)
    before = gate.decide()
    gate.replan(shipment(10))
    assert gate.decide() == before
    assert gate.observe("ask_user", refutes=False) is Observed.REFUSED


def test_an_answer_outlives_its_verifier_and_the_action() -> None:
    gate = Gate(shipment(10, loss=MAIN_POINT), budget=4)
    gate.observe("ask_user", refutes=True)
    other = replace(shipment(8), action="ship_gift", verifiers=())
    gate.replan(other)
    decision = gate.decide()
    assert decision.kind is DecisionKind.ABSTAIN
    assert decision.candidate == other
    assert decision.evidence == (Evidence("ask_user", 0, 1),)
    kinder = replace(shipment(10).verifiers[0], sensitivity=0.5, specificity=0.5)
    gate.replan(replace(shipment(10), verifiers=(kinder,)))
    assert gate.decide().harm_probability == decision.harm_probability


def test_another_error_probability_is_another_memory() -> None:
    gate = Gate(shipment(10), budget=4)
    gate.observe("ask_user", refutes=True)
    refreshed = replace(shipment(10), claims=(Claim("address", 0.03),))
    gate.replan(refreshed)
    assert gate.decide() == Gate(refreshed, budget=3).decide()
    assert gate.candidates == (shipment(10), refreshed)


def test_an_invalidated_candidate_stays_rejected() -> None:
    ask = replace(shipment(10).verifiers[0], sensitivity=1, specificity=0.9, uses=4)
    gate = Gate(replace(shipment(10, loss=MAIN_POINT), verifiers=(ask,)), budget=4)
    for _ in range(2):
        gate.observe("ask_user", refutes=True)
    assert gate.decide().premise == "deliverable"
    gate.observe("ask_user", refutes=False)
    assert gate.decide().premise == "deliverable"


def test_a_verifier_is_asked_only_as_often_as_it_may() -> None:
    gate = Gate(shipment(10), budget=4)
    assert gate.observe("ask_user", refutes=False) is Observed.RECORDED
    assert gate.observe("ask_user", refutes=False) is Observed.REFUSED
    assert gate.remaining == 3
    assert gate.decide().worth == {}


def test_a_verifier_that_is_not_available_is_never_asked() -> None:
    away = replace(shipment(10).verifiers[0], available=False)
    gate = Gate(replace(shipment(10), verifiers=(away,)), budget=4)
    assert gate.decide().kind is DecisionKind.ABSTAIN
    assert gate.observe("ask_user", refutes=False) is Observed.REFUSED


def test_a_failing_verifier_is_charged_and_authorizes_nothing() -> None:
    gate = Gate(shipment(10), budget=4)
    assert gate.fail("ask_user") is Observed.FAILED
    assert gate.remaining == 3
    assert gate.decide().kind is DecisionKind.ABSTAIN


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
def test_after_a_contradiction_it_never_proceeds(policy: Policy) -> None:
    twice = replace(shipment(0, reliability=1).verifiers[0], uses=3)
    gate = Gate(replace(shipment(0), verifiers=(twice,)), budget=4, policy=policy)
    gate.observe("ask_user", refutes=False)
    assert gate.observe("ask_user", refutes=True) is Observed.CONTRADICTION
    decision = gate.decide()
    assert decision.kind is DecisionKind.ABSTAIN
    assert "impossible" in decision.reason
    assert gate.observe("ask_user", refutes=False) is Observed.RECORDED
    assert gate.decide().kind is DecisionKind.ABSTAIN
    assert gate.remaining == 1
    gate.replan(shipment(0))
    decision = gate.decide()
    assert (decision.kind, decision.admissible) == (DecisionKind.ABSTAIN, False)
    assert decision.stopping_value == 1
    gate.replan(replace(shipment(0), claims=(Claim("address", 0.2),)))
    assert gate.decide().kind in (DecisionKind.PROCEED, DecisionKind.VERIFY)


def test_a_candidate_that_is_refused_leaves_the_earlier_one() -> None:
    gate = Gate(shipment(10), budget=4)
    before = gate.decide()
    with pytest.raises(InvalidInput, match="expected a Candidate"):
        gate.replan("ship it anyway")  # type: ignore[arg-type]
    assert gate.decide() == before
    assert gate.history == ()


def test_a_policy_that_raises_or_chooses_nonsense_authorizes_nothing() -> None:
    def nonsense(model: GateModel, budget: Fraction) -> Chooser:
        return lambda position: 7

    with pytest.raises(InvalidInput, match="can be asked and paid"):
        Gate(shipment(0), budget=4, policy=nonsense).decide()

    def raising(model: GateModel, budget: Fraction) -> Chooser:
        def choose(position: Position) -> int:
            raise RuntimeError("no idea")

        return choose

    with pytest.raises(RuntimeError, match="no idea"):
        Gate(shipment(0), budget=4, policy=raising).decide()


def test_the_shared_model_is_rolled_forward() -> None:
    both = Verifier("look_up", 1, ("address", "stock"), 0.9, 0.8)
    candidate = replace(complementary(), verifiers=(both,))
    exact = Gate(candidate, budget=4)
    shared = Gate(candidate, budget=4, observation=ObservationModel.SHARED)
    for gate in (exact, shared):
        gate.observe("look_up", refutes=False)
    # Each error alone: 0.3 x 0.1 / (0.3 x 0.1 + 0.7 x 0.8).
    wrong = Fraction(3, 59)
    assert shared.decide().expected_loss == 20 * wrong
    # Jointly: right with 0.49 x 0.8; any wrong 0.51 x 0.1.
    harm = Fraction("0.051") / (Fraction("0.051") + Fraction("0.392"))
    assert exact.decide().harm_probability == harm


def test_several_conjunctions_in_one_candidate() -> None:
    names = ("a", "b", "c")
    candidate = replace(
        shipment(1),
        claims=tuple(Claim(name, 0.5) for name in names),
        premises=tuple(Premise(name, name) for name in names),
        failure_modes=(
            FailureMode(("a", "b"), 4, "g"),
            FailureMode(("b", "c"), 8, "h"),
            FailureMode(("a", "b", "c"), 100, "g"),
        ),
        verifiers=(),
        loss=Loss(abstain=100, price=0),
    )
    # a b only: 4; b c only: 8; all: 100 in place of 4, and 8.
    assert Gate(candidate, budget=0).decide().expected_loss == Fraction(4 + 8 + 108, 8)


def test_many_threads_share_one_budget() -> None:
    many = replace(shipment(10).verifiers[0], uses=100)
    gate = Gate(replace(shipment(10), verifiers=(many,)), budget=20)

    def work(number: int) -> Observed:
        gate.decide()
        return gate.fail("ask_user") if number % 3 else gate.observe("ask_user", number % 2 == 0)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(60)))
    assert gate.remaining == 0
    assert found.count(Observed.REFUSED) == 40
    assert len(gate.history) == 60
    paid = [entry for entry in gate.history if entry.observed is not Observed.REFUSED]
    assert gate.history[:20] == tuple(paid)
    again = Gate(replace(shipment(10), verifiers=(many,)), budget=20)
    for entry in gate.history:
        if entry.refutes is None:
            again.fail(entry.verifier)
        else:
            again.observe(entry.verifier, entry.refutes)
    assert again.decide() == gate.decide()


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
def test_every_policy_runs_to_its_end(policy: Policy) -> None:
    gate = Gate(complementary(), budget=4, policy=policy)
    for _ in range(5):
        decision = gate.decide()
        if decision.kind is not DecisionKind.VERIFY:
            break
        assert decision.verifier is not None
        gate.observe(decision.verifier, refutes=False)
    assert decision.kind in (DecisionKind.PROCEED, DecisionKind.ABSTAIN)


@pytest.mark.parametrize("uses", [1, 2])
def test_the_static_policy_counts_a_failed_call_as_asked(uses: int) -> None:
    checks = tuple(replace(check, uses=uses) for check in complementary().verifiers)
    gate = Gate(replace(complementary(), verifiers=checks), budget=4, policy=static_policy)
    assert gate.decide().verifier == "ask_user"
    gate.fail("ask_user")
    assert gate.decide().verifier == "look_up"
