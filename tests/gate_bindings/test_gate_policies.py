"""Every policy on generated candidates: what it asks, how it ends, and what it is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import DecisionKind, Gate, InvalidInput, ObservationModel
from licet.beliefs import GateModel, admissible, answer_probability, compile_candidate
from licet.information import affordable
from licet.memories import CLIP
from licet.planner import Position, start, step
from licet.policies import policy_tree
from licet_bindings.gate.advice import check_candidate
from licet_bindings.gate.deciding import Observation, decide_candidate
from licet_bindings.gate.documents import build_candidate, default_budget
from licet_bindings.gate.planning import evaluate
from licet_bindings.gate.policies import (
    GATE_POLICIES,
    Ending,
    cost_aware_policy,
    environment_probing,
    gate_policy,
)
from tests.gate_bindings.candidates import ADDRESS, SHIPMENT, altered, candidates, put

NAMES = sorted(GATE_POLICIES)
BY_THE_KERNEL = [name for name in NAMES if GATE_POLICIES[name].ending is Ending.EQUATION_2]


def compiled(
    content: dict[str, Any], observation: ObservationModel = ObservationModel.EXACT
) -> tuple[GateModel, Fraction]:
    document = build_candidate(content)
    return compile_candidate(document.candidate, observation, CLIP), default_budget(document)


def first_choice(name: str, content: dict[str, Any]) -> int | None:
    model, budget = compiled(content)
    return gate_policy(name).policy(model, budget)(start(model, budget))


def an_answer(model: GateModel, position: Position, verifier: int, data: st.DataObject) -> bool:
    possible = [
        refutes
        for refutes in (False, True)
        if answer_probability(model, position.belief, verifier, refutes) > 0
    ]
    return data.draw(st.sampled_from(possible), label="refutes")


@pytest.mark.parametrize("name", NAMES)
@given(content=candidates(), data=st.data())
def test_a_policy_asks_only_what_can_be_asked_and_paid(
    name: str, content: dict[str, Any], data: st.DataObject
) -> None:
    models = [ObservationModel.EXACT] if name == "exact" else list(ObservationModel)
    model, budget = compiled(content, data.draw(st.sampled_from(models), label="model"))
    choose = gate_policy(name).checks(model, budget)
    position, asked = start(model, budget), 0
    while (verifier := choose(position)) is not None:
        assert verifier in affordable(model, position.uses, position.budget)
        assert choose(position) == verifier
        position = step(model, position, verifier, an_answer(model, position, verifier, data))
        asked += 1
    assert position.budget >= 0
    assert asked <= sum(verifier.uses for verifier in model.verifiers)
    if name == "always-verify":
        assert affordable(model, position.uses, position.budget) == ()
    if name in ("stop", "never", "always-proceed"):
        assert asked == 0


@pytest.mark.parametrize("name", NAMES)
@given(content=candidates(), data=st.data())
def test_the_gate_under_every_policy(
    name: str, content: dict[str, Any], data: st.DataObject
) -> None:
    document = build_candidate(content)
    model, budget = compiled(content)
    position = start(model, budget)
    observations: list[Observation] = []
    while True:
        decided = decide_candidate(document, policy=name, observations=observations)
        assert decided.kernel.admissible == admissible(model, position.belief)
        assert decided.kernel.budget == position.budget == budget - decided.spent
        if decided.kind is not DecisionKind.VERIFY:
            break
        assert decided.kernel.verifier is not None
        index = [verifier.name for verifier in model.verifiers].index(decided.kernel.verifier)
        refutes = an_answer(model, position, index, data)
        observations.append(Observation(decided.kernel.verifier, refutes))
        position = step(model, position, index, refutes)
    assert decided.kernel.kind is not DecisionKind.PROCEED or decided.kernel.admissible
    match GATE_POLICIES[name].ending:
        case Ending.EQUATION_2:
            assert (decided.kind, decided.baseline) == (decided.kernel.kind, False)
        case Ending.PROCEED:
            assert (decided.kind, decided.baseline) == (DecisionKind.PROCEED, True)
        case Ending.ABSTAIN:
            assert (decided.kind, decided.baseline) == (DecisionKind.ABSTAIN, True)
    assert not decided.baseline or "is a baseline for evaluation" in decided.reason


@pytest.mark.parametrize("name", BY_THE_KERNEL)
@given(content=candidates())
def test_a_policy_is_worth_what_its_tree_is_worth(name: str, content: dict[str, Any]) -> None:
    model, budget = compiled(content)
    policy = gate_policy(name).policy
    found = evaluate(model, policy(model, budget), budget)
    tree = policy_tree(model, policy, budget)
    assert (found.value, found.cost) == (tree.value, tree.cost)
    assert 0 <= found.harms <= found.proceeds <= 1
    assert found.cost <= budget
    exact = evaluate(model, gate_policy("exact").policy(model, budget), budget)
    assert exact.value <= found.value


@pytest.mark.parametrize("name", ["environment-probing", "cost-aware"])
@given(content=candidates(), factor=st.sampled_from([0.25, 4, 1000]))
def test_the_adapted_baselines_do_not_see_what_is_at_stake(
    name: str, content: dict[str, Any], factor: float
) -> None:
    def raise_the_stakes(changed: dict[str, Any]) -> None:
        for mode in changed["failure_modes"]:
            mode["impact"] = mode["impact"] * factor + 1
        changed["loss"] = {"abstain": 7, "price": changed["loss"]["price"]}

    assert first_choice(name, content) == first_choice(name, altered(raise_the_stakes, content))


def test_the_two_step_policy_sees_what_is_at_stake() -> None:
    choices = [
        first_choice("two-step", altered(put("failure_modes", 0, "impact", value=impact), ADDRESS))
        for impact in (0.3, 8, 60)
    ]
    assert choices == [None, 0, None]


@pytest.mark.parametrize(
    ("cost", "reliability", "asks"),
    # p = 0.28: a perfect answer lowers the chance of a wrong guess by 0.28; price 0.1 a unit.
    [(2.7, 1, True), (2.8, 1, False), (2.9, 1, False), (0.1, 0.5, False), (0, 0.5, False)],
)
def test_the_cost_aware_rule_by_hand(cost: float, reliability: float, asks: bool) -> None:
    verifier = {"cost": cost, "covers": ["address"], "reliability": reliability}
    content = altered(put("verifiers", "ask_user", value=verifier), ADDRESS)
    assert (first_choice("cost-aware", content) is not None) == asks


def test_the_cost_aware_rule_counts_a_contradicting_premise_as_violated_when_right() -> None:
    # The claim is wrong with 0.9, so the premise that contradicts it is violated with 0.1.
    content = altered(put("claims", "address", "error", value=0.9), ADDRESS)
    content["verifiers"]["ask_user"]["reliability"] = 1
    content["premises"]["deliverable"]["contradicts"] = True
    for price, asks in ((0.09, True), (0.11, False)):
        content["loss"]["price"] = price
        assert (first_choice("cost-aware", content) is not None) == asks


def test_environment_probing_by_hand() -> None:
    # The entropy of 0.28 is 0.8555 bits, so the score of the address is 0.28 x 0.8555 = 0.2395.
    model, budget = compiled(ADDRESS)
    for threshold, asks in ((0, True), (0.239, True), (0.24, False), (2, False)):
        choose = environment_probing(threshold)(model, budget)
        assert (choose(start(model, budget)) is not None) == asks
    stale = environment_probing(0.5, {"address": 1})(model, budget)
    assert stale(start(model, budget)) == 0
    fresh = environment_probing(0, {"address": 0})(model, budget)
    assert fresh(start(model, budget)) is None


def test_environment_probing_asks_about_the_worst_claim_by_its_cheapest_verifier_once() -> None:
    model, budget = compiled(SHIPMENT)
    choose = environment_probing(0)(model, budget)
    position = start(model, budget)
    assert model.verifiers[choose(position) or 0].name == "look_up"
    position = step(model, position, 1, False)
    # The address and the stock were probed; no verifier covers the price.
    assert choose(position) is None


def test_what_the_adapted_baselines_refuse() -> None:
    with pytest.raises(InvalidInput, match="threshold: expected a number of at least 0"):
        environment_probing(-1)
    with pytest.raises(InvalidInput, match=r"staleness\.address: expected a probability"):
        environment_probing(0, {"address": 2})
    with pytest.raises(InvalidInput, match="policy: expected one of exact, two-step, greedy"):
        gate_policy("lucky")


@pytest.mark.parametrize("name", sorted({*NAMES} - {*BY_THE_KERNEL}))
def test_a_baseline_that_overrides_the_gate_is_refused_in_one(name: str) -> None:
    candidate = build_candidate(ADDRESS).candidate
    with pytest.raises(InvalidInput, match=f"policy: {name} overrides the gate, and a Gate"):
        Gate(candidate, budget=4, policy=gate_policy(name).policy)
    assert check_candidate(build_candidate(ADDRESS))["policies"][name]


def test_the_cost_aware_rule_asks_the_first_of_equals() -> None:
    verifier = ADDRESS["verifiers"]["ask_user"]
    content = altered(put("verifiers", value={"one": verifier, "two": verifier}), ADDRESS)
    model, budget = compiled(content)
    assert cost_aware_policy(model, budget)(start(model, budget)) == 0


def test_observations_that_cannot_have_been_made_are_refused() -> None:
    document = build_candidate(ADDRESS)
    once = [Observation("ask_user", False)]
    assert decide_candidate(document, observations=once).spent == 1
    with pytest.raises(InvalidInput, match=r"observe: answer 2, ask_user=support, .* no use left"):
        decide_candidate(document, observations=once * 2)
    with pytest.raises(InvalidInput, match=r"answer 1, .* costs 1, and 0\.5 is left of the budg"):
        decide_candidate(document, budget=Fraction(1, 2), observations=once)
    absent = build_candidate(
        altered(put("verifiers", "ask_user", "available", value=False), ADDRESS)
    )
    with pytest.raises(InvalidInput, match=r"answer 1, .*: it is not available"):
        decide_candidate(absent, observations=once)
    with pytest.raises(InvalidInput, match="no verifier is named 'x'"):
        decide_candidate(document, observations=[Observation("x", False)])


def test_an_answer_that_the_belief_excludes_ends_in_abstention() -> None:
    content = altered(put("verifiers", "ask_user", "reliability", value=1), ADDRESS)
    content["verifiers"]["ask_user"]["uses"] = 2
    answers = [Observation("ask_user", False), Observation("ask_user", True)]
    decided = decide_candidate(build_candidate(content), observations=answers)
    assert decided.kind is DecisionKind.ABSTAIN
    assert decided.reason.startswith("ask_user answered refute, which was impossible")
    assert (decided.spent, decided.uses_left) == (2, {"ask_user": 0})


def test_a_failed_check_is_charged_and_teaches_nothing() -> None:
    decided = decide_candidate(
        build_candidate(ADDRESS), observations=[Observation("ask_user", None)]
    )
    assert (decided.spent, decided.kernel.expected_loss) == (1, Fraction(224, 100))
    assert decided.kind is DecisionKind.ABSTAIN
