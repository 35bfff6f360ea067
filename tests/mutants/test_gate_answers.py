"""The whole decision of a gate, its reasons and its refusals, on candidates worked by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import (
    Candidate,
    Claim,
    Decision,
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
from licet.beliefs import Belief, compile_candidate, loss, prior, update, violation_probability
from licet.information import fixed_action, one_step, outcomes, two_step
from licet.planner import ExactPlanner, Position, lattice_size, require_small, start, step
from licet.policies import Chooser
from licet.verdicts import invalidated
from tests.gate.candidates import complementary, shipment

TENTH = Fraction(1, 10)


def often(candidate: Candidate, uses: int = 3) -> Candidate:
    """The candidate with verifiers that can be asked more than once."""
    verifiers = tuple(replace(verifier, uses=uses) for verifier in candidate.verifiers)
    return replace(candidate, verifiers=verifiers)


SHIP = often(shipment(10))


def never(model: object, budget: Fraction) -> Chooser:
    return lambda position: None


def first(model: object, budget: Fraction) -> Chooser:
    return lambda position: 0


def test_a_decision_to_verify() -> None:
    gate = Gate(SHIP, budget=4)
    expected = Decision(
        DecisionKind.VERIFY,
        SHIP,
        "ask_user",
        None,
        "the policy asks for this check",
        Fraction(28, 10),
        Fraction(28, 100),
        Fraction(1),
        True,
        {"ask_user": Fraction(1) - Fraction(14, 100) - Fraction(302, 1000) - TENTH},
        {},
        (),
        Fraction(4),
    )
    assert gate.decide() == expected
    assert repr(gate) == "<Gate of ship_order: 4 left>"
    gate = Gate(SHIP, budget=4, policy=never)
    assert gate.observe("ask_user", False) is Observed.RECORDED
    decision = gate.decide()
    assert (decision.kind, decision.reason) == (
        DecisionKind.PROCEED,
        "the screens admit it, and it costs no more than abstaining",
    )
    assert decision.evidence == (Evidence("ask_user", 1, 0),)
    assert decision.expected_loss == Fraction(140, 698)
    assert (decision.stopping_value, decision.budget) == (Fraction(140, 698), 3)
    assert decision.worth["ask_user"] > 0
    assert decision.two_step == {}
    gate.observe("ask_user", True)
    assert gate.decide().evidence == (Evidence("ask_user", 1, 1),)


def test_why_it_abstains() -> None:
    screened = replace(SHIP, loss=Loss(abstain=5, price=0.1, max_harm_probability=0.1))
    for candidate, budget, reason in (
        (SHIP, 4, "proceeding costs more than abstaining, and the policy asks for no check"),
        (SHIP, 0, "proceeding costs more than abstaining, and no check can be asked and paid"),
        (
            screened,
            4,
            "the screens do not admit proceeding, and the policy asks for no check",
        ),
        (
            screened,
            0,
            "the screens do not admit proceeding, and no check can be asked and paid",
        ),
    ):
        decision = Gate(candidate, budget=budget, policy=never).decide()
        assert (decision.kind, decision.reason) == (DecisionKind.ABSTAIN, reason)
        assert decision.admissible is (candidate is SHIP)
        assert decision.stopping_value == candidate.loss.abstain


def test_a_premise_that_the_answers_invalidate_asks_for_a_new_plan() -> None:
    loss_of = Loss(abstain=1, price=0.1, invalidation=Fraction(3, 4))
    candidate = often(shipment(10, loss=loss_of))
    gate = Gate(candidate, budget=4)
    gate.observe("ask_user", True)
    decision = gate.decide()
    assert (decision.kind, decision.premise, decision.verifier) == (
        DecisionKind.REPLAN,
        "deliverable",
        None,
    )
    assert decision.reason == "the required premise deliverable is too likely to be violated"
    gate.observe("ask_user", False)
    gate.observe("ask_user", False)
    assert gate.decide().kind is DecisionKind.REPLAN
    model = compile_candidate(candidate)
    position = start(model, Fraction(9))
    refuted = step(model, position, 0, True)
    assert invalidated(model, position) is None
    violated = violation_probability(model, refuted.belief, 0)
    assert violated == Fraction(266, 302)
    for bound, found in ((violated, "deliverable"), (violated + Fraction(1, 999), None)):
        assert invalidated(replace(model, invalidation=bound), refuted) == found
    assert invalidated(replace(model, invalidation=None), refuted) is None


def test_refusals_of_a_gate() -> None:
    with pytest.raises(TypeError) as copied:
        Gate(SHIP, budget=1).__copy__()
    assert str(copied.value) == "a gate cannot be copied"
    for act, text in (
        (lambda: Gate(SHIP, budget=1, policy=7), "policy: expected a policy, found 7"),  # type: ignore[arg-type]
        (lambda: Gate(SHIP, budget=-1), "budget: "),
        (
            lambda: Gate(SHIP, budget=1).observe("ask_user", 1),  # type: ignore[arg-type]
            "refutes: expected a truth value, found 1",
        ),
        (lambda: Gate(SHIP, budget=1).fail("nobody"), "verifier: no verifier is named 'nobody'"),
        (
            lambda: Gate(SHIP, budget=0, policy=first).decide(),
            "policy: expected a verifier that can be asked and paid",
        ),
        (
            lambda: compile_candidate(SHIP, 1),  # type: ignore[arg-type]
            "candidate: expected a Candidate and an ObservationModel",
        ),
        (
            lambda: ExactPlanner(compile_candidate(SHIP, ObservationModel.SHARED), Fraction(1)),
            "policy: exact planning needs the exact observation model; use the two-step policy",
        ),
    ):
        with pytest.raises(InvalidInput) as refusal:
            act()
        assert str(refusal.value).startswith(text)
        assert text.endswith(": ") or str(refusal.value) == text


def test_what_is_too_large_is_said_with_its_size() -> None:
    many = tuple(Claim(f"c{i}", 0.5) for i in range(15))
    premises, modes = (Premise("p", "c0"),), (FailureMode(("p",), 1, "one"),)
    wide = Candidate("act", many, premises, modes, (), Loss(abstain=1, price=0.1))
    with pytest.raises(InvalidInput) as refusal:
        compile_candidate(wide)
    assert str(refusal.value) == (
        "claims: at least 32768 joint hidden states, times 1 failure modes, are more than the"
        " 16384, or together the 2097152, that are taken; leave out claims on which no failure"
        " mode and no required premise rests"
    )
    assert len(compile_candidate(replace(wide, claims=many[:14])).losses) == 1 << 14
    model = compile_candidate(often(SHIP, 101))
    assert lattice_size(model, Fraction(100)) == (5151, 100)
    assert lattice_size(model, Fraction(99, 2)) == (1275, 49)
    require_small(model, Fraction(100), "exact planner")
    with pytest.raises(InvalidInput) as refusal:
        require_small(model, Fraction(101), "exact planner")
    assert str(refusal.value) == (
        "verifiers: at least 101 answers in a row are more than the 100 that the exact planner"
        " takes; use the two-step policy"
    )


def test_reports_that_are_refused_or_fail_or_contradict() -> None:
    perfect = often(shipment(10, reliability=1))
    gate = Gate(perfect, budget=2, policy=never)
    assert gate.fail("ask_user") is Observed.FAILED
    assert (gate.remaining, gate.decide().evidence) == (1, ())
    assert gate.observe("ask_user", False) is Observed.RECORDED
    assert gate.decide().kind is DecisionKind.PROCEED
    assert gate.observe("ask_user", False) is Observed.REFUSED
    assert gate.decide().kind is DecisionKind.PROCEED
    assert gate.observe("ask_user", True) is Observed.REFUSED
    decision = gate.decide()
    assert (decision.kind, decision.reason, decision.admissible) == (
        DecisionKind.ABSTAIN,
        "an answer was impossible under the model, so its error rates are wrong",
        False,
    )
    assert decision.stopping_value == 1
    assert gate.history == (
        GateEntry(0, "ask_user", None, Observed.FAILED),
        GateEntry(0, "ask_user", False, Observed.RECORDED),
        GateEntry(0, "ask_user", False, Observed.REFUSED),
        GateEntry(0, "ask_user", True, Observed.REFUSED),
    )
    gate = Gate(perfect, budget=5, policy=never)
    gate.observe("ask_user", True)
    assert gate.observe("ask_user", False) is Observed.CONTRADICTION
    assert gate.remaining == 3


def test_a_refused_answer_speaks_against_proceeding() -> None:
    gate = Gate(SHIP, budget=1, policy=never)
    gate.observe("ask_user", False)
    assert gate.decide().kind is DecisionKind.PROCEED
    assert gate.observe("ask_user", True) is Observed.REFUSED
    decision = gate.decide()
    assert (decision.kind, decision.reason) == (
        DecisionKind.ABSTAIN,
        "an answer that was not charged speaks against it",
    )


def test_what_carries_over_to_a_new_candidate() -> None:
    gate = Gate(often(complementary()), budget=5, policy=never)
    gate.observe("ask_user", False)
    gate.fail("look_up")
    gate.replan(often(complementary()))
    assert gate.remaining == 3
    assert [each.action for each in gate.candidates] == ["ship_order"] * 2
    assert gate.decide().evidence == (Evidence("ask_user", 1, 0),)
    assert gate._state.position.uses == (2, 2)
    gate.observe("look_up", True)
    gate.replan(often(complementary(0.4)))
    decision = gate.decide()
    assert decision.evidence == (Evidence("look_up", 0, 1),)
    assert gate.history[-1] == GateEntry(1, "look_up", True, Observed.RECORDED)
    gate.observe("look_up", True)
    assert gate.history[-1].candidate == 2


def test_a_verifier_that_is_gone_still_counts_by_what_it_answered() -> None:
    gate = Gate(SHIP, budget=5, policy=never)
    gate.observe("ask_user", False)
    other = replace(SHIP, verifiers=(Verifier.symmetric("call", 2, ("address",), 0.9),))
    gate.replan(other)
    assert gate.decide().evidence == (Evidence("ask_user", 1, 0),)
    assert gate.decide().expected_loss == Fraction(140, 698)
    assert gate.remaining == 4
    assert gate._state.position.uses[1] == 0


def draws() -> Candidate:
    """Three claims, two of one draw, a premise that contradicts, two modes of one group."""
    return Candidate(
        "act",
        (Claim("a", 0.25, draw="d"), Claim("b", 0.5, draw="d"), Claim("c", 0.25)),
        (Premise("p", "a"), Premise("q", "b", contradicts=True), Premise("r", "c", required=False)),
        (
            FailureMode(("p",), 4, "one"),
            FailureMode(("p", "r"), 6, "one"),
            FailureMode(("q", "r"), Fraction(1, 2), "two"),
        ),
        (
            Verifier("both", 1, ("a", "c"), 0.75, 0.5),
            Verifier("mine", 0.5, ("b",), 1, 0.75, uses=2),
        ),
        Loss(abstain=2, price=0.5, harm_loss=4, max_expected_loss=3, max_harm_probability=0.5),
    )


def test_a_belief_worked_by_hand() -> None:
    model = compile_candidate(draws())
    belief = prior(model)
    chances = {mask: Fraction(weight, belief.total) for mask, weight in belief.states}
    assert chances == {
        0b000: Fraction(6, 16),
        0b010: Fraction(3, 16),
        0b011: Fraction(3, 16),
        0b100: Fraction(2, 16),
        0b110: Fraction(1, 16),
        0b111: Fraction(1, 16),
    }
    assert [loss(model, mask) for mask in (0, 1, 2, 4, 5, 6, 7)] == [
        0,
        4,
        0,
        Fraction(1, 2),
        Fraction(13, 2),
        0,
        6,
    ]
    assert (model.unit, model.losses[0b111]) == (2, 12)
    assert violation_probability(model, belief, 0) == Fraction(1, 4)
    assert violation_probability(model, belief, 1) == Fraction(1, 2)
    assert [(c, refutes) for c, refutes, _ in outcomes(model, belief, 0)] == [
        (Fraction(25, 64), False),
        (Fraction(39, 64), True),
    ]
    after = update(model, belief, 1, True)
    chances = {mask: Fraction(weight, after.total) for mask, weight in after.states}
    # Refuted: 1 where b is wrong, 1/4 where it is right.
    assert chances[0b011] == Fraction(12, 40)
    assert chances[0b000] == Fraction(6, 40)
    supported = update(model, belief, 1, False)
    assert {mask for mask, _ in supported.states} == {0b000, 0b100}
    assert fixed_action(model, belief, 1) == -Fraction(1, 4)


def test_the_shared_model_moves_each_error_alone() -> None:
    model = compile_candidate(draws(), ObservationModel.SHARED)
    belief = prior(model)
    assert len(model.losses) == 8
    assert [chance for chance, _, _ in outcomes(model, belief, 0)] == [
        Fraction(7, 16),
        Fraction(9, 16),
    ]
    after = update(model, belief, 0, True)
    errors = [violation_probability(model, after, 0), violation_probability(model, after, 2)]
    assert errors == [Fraction(1, 3), Fraction(1, 3)]


def test_values_of_both_forms_agree() -> None:
    model = compile_candidate(draws())
    position: Position = start(model, Fraction(3))
    decision = Gate(draws(), budget=3, policy=never).decide()
    belief: Belief = position.belief
    worth = {q.name: one_step(model, belief, i) for i, q in enumerate(model.verifiers)}
    assert decision.worth == worth
    if all(value <= 0 for value in worth.values()):
        assert decision.two_step == {
            q.name: two_step(model, belief, i, position.uses, position.budget)
            for i, q in enumerate(model.verifiers)
        }
    planner = ExactPlanner(model, Fraction(3))
    assert planner.value() <= decision.stopping_value
