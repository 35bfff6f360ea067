"""What reports do to a gate that were cut off, that failed, or that were refused."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from licet import (
    Candidate,
    Claim,
    Decision,
    DecisionKind,
    FailureMode,
    Gate,
    InvalidInput,
    Loss,
    Observed,
    Premise,
    Verifier,
)
from licet import gate as gate_module
from licet.beliefs import GateModel
from licet.planner import Position
from licet.policies import Chooser, stop_policy
from tests.gate.candidates import shipment

HALF = Fraction(1, 2)
UNPAID = "an answer that was not charged speaks against it"
SAFE = replace(shipment(8, loss=Loss(abstain=1, price=0.1)), claims=(Claim("address", 0.04),))


def test_a_report_that_was_cut_off_is_named_until_it_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    gate = Gate(SAFE, budget=4, policy=stop_policy)
    with monkeypatch.context() as patched:
        patched.setattr(gate_module, "step", interrupt)
        with pytest.raises(KeyboardInterrupt):
            gate.observe("ask_user", refutes=False)
    decision = gate.decide()
    assert decision.kind is DecisionKind.ABSTAIN
    assert decision.reason == "a report of ask_user was cut off: report it again"
    gate.observe("ask_user", refutes=False)
    assert gate.decide().kind is DecisionKind.PROCEED


def test_a_policy_that_asks_its_own_gate_is_told_so() -> None:
    gates: list[Gate] = []

    def asking(model: GateModel, budget: Fraction) -> Chooser:
        def choose(position: Position) -> int | None:
            gates[0].decide()
            return None

        return choose

    gates.append(Gate(SAFE, budget=1, policy=asking))
    with pytest.raises(InvalidInput) as refusal:
        gates[0].decide()
    assert str(refusal.value) == "gate: asked from within its own policy, or another call"


def heard(
    candidate: Candidate, refused: Sequence[tuple[str, bool]], budget: int = 0
) -> tuple[Gate, Decision]:
    """A gate that refused these reports, and its decision, which is that after a new plan too."""
    gate = Gate(candidate, budget=budget, policy=stop_policy)
    assert gate.decide().kind is DecisionKind.PROCEED
    for verifier, refutes in refused:
        assert gate.observe(verifier, refutes) is Observed.REFUSED
    decision = gate.decide()
    gate.replan(candidate)
    assert gate.decide() == decision
    return gate, decision


def test_a_failed_call_takes_back_nothing() -> None:
    dear = Verifier.symmetric("dear", 9, ("address",), 0.95)
    candidate = replace(SAFE, verifiers=(*SAFE.verifiers, dear))
    gate, decision = heard(candidate, [("dear", True)], budget=1)
    assert decision.reason == UNPAID
    assert gate.fail("ask_user") is Observed.FAILED
    assert gate.decide().reason == UNPAID


NO_HARM = replace(SAFE, loss=Loss(abstain=1, price=0.1, harm_loss=8))
# As much is lost whichever way x is, but more than 5 where it is right and y is wrong.
LEVEL = replace(
    SAFE,
    claims=(Claim("x", HALF), Claim("y", HALF)),
    premises=(Premise("x", "x"), Premise("not_x", "x", contradicts=True), Premise("y", "y")),
    failure_modes=(FailureMode(("not_x", "y"), 10), FailureMode(("x",), 5)),
    verifiers=(Verifier.symmetric("ask_user", 1, ("x",), 0.9),),
    loss=Loss(abstain=9, price=0.1, harm_loss=5, max_harm_probability=0.3),
)


@pytest.mark.parametrize(
    ("candidate", "against"),
    [(NO_HARM, True), (LEVEL, False)],
    ids=["harm is the same", "loss is the same"],
)
def test_what_was_heard_against_proceeding_is_not_outvoted(
    candidate: Candidate, against: bool
) -> None:
    _, decision = heard(candidate, [("ask_user", against)])
    assert decision.reason == UNPAID
    _, decision = heard(candidate, [("ask_user", against), ("ask_user", not against)])
    assert decision.reason == UNPAID


def test_less_loss_with_more_harm_is_heard() -> None:
    # Where both are right 5 is lost, just a harm; y alone wrong loses no harmful 4.
    modes = (FailureMode(("not_x", "not_y"), 5), FailureMode(("x",), 100), FailureMode(("y",), 4))
    candidate = replace(
        LEVEL,
        claims=(Claim("x", 0.1), Claim("y", HALF)),
        premises=(*LEVEL.premises, Premise("not_y", "y", contradicts=True)),
        failure_modes=modes,
        verifiers=(Verifier.symmetric("ask_user", 1, ("x", "y"), 0.9),),
        loss=Loss(abstain=20, price=0.1, harm_loss=4, max_harm_probability=0.6),
    )
    _, decision = heard(candidate, [("ask_user", False)])
    assert decision.reason == UNPAID


def test_a_premise_that_the_charged_answers_invalidate_stays_so() -> None:
    # All is lost where the address is right: what is heard of it and not charged is a support.
    candidate = replace(
        SAFE,
        claims=(Claim("address", HALF),),
        premises=(
            Premise("deliverable", "address"),
            Premise("elsewhere", "address", required=False, contradicts=True),
        ),
        failure_modes=(FailureMode(("elsewhere",), 1),),
        verifiers=(
            Verifier.symmetric("ask", 1, ("address",), 0.9, uses=2),
            Verifier.symmetric("dear", 9, ("address",), 0.9),
        ),
        loss=Loss(abstain=1, price=0.1, invalidation=0.75),
    )
    gate, _ = heard(candidate, [("dear", False)], budget=2)
    for refutes in (True, False):
        gate.observe("ask", refutes)
        assert gate.decide().premise == "deliverable"
