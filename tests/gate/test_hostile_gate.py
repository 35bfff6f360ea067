"""Agents, policies and interrupts that would make the gate proceed where it must not."""

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from licet import (
    Claim,
    Decision,
    DecisionKind,
    Evidence,
    FailureMode,
    Gate,
    InvalidInput,
    Observed,
    Premise,
    Verifier,
)
from licet import gate as gate_module
from licet.beliefs import GateModel
from licet.planner import Position
from licet.policies import Chooser, static_policy, stop_policy

from .candidates import MAIN_POINT, shipment

SAFE = replace(shipment(8, loss=MAIN_POINT), claims=(Claim("address", 0.04),))
RISKY = shipment(1000, loss=MAIN_POINT)


def test_a_policy_cannot_report_to_its_own_gate() -> None:
    opened: list[Gate] = []

    def asking(model: GateModel, budget: Fraction) -> Chooser:
        def choose(position: Position) -> int | None:
            opened[0].observe("ask_user", refutes=True)
            return None

        return choose

    opened.append(Gate(SAFE, budget=1, policy=asking))
    with pytest.raises(InvalidInput, match="from within its own policy"):
        opened[0].decide()
    assert (opened[0].history, opened[0].remaining) == ((), 1)


def test_a_policy_cannot_change_the_candidate_under_a_decision() -> None:
    opened: list[Gate] = []

    def replanning(model: GateModel, budget: Fraction) -> Chooser:
        if opened:
            opened[0].observe("ask_user", refutes=True)
        return lambda position: None

    opened.append(Gate(SAFE, budget=1, policy=replanning))
    with pytest.raises(InvalidInput, match="from within its own policy"):
        opened[0].replan(SAFE)
    assert opened[0].decide().kind is DecisionKind.PROCEED


def test_a_policy_cannot_rewrite_the_losses() -> None:
    def rewriting(model: GateModel, budget: Fraction) -> Chooser:
        losses: Any = model.losses
        for state in losses:
            losses[state] = 0
        return lambda position: None

    with pytest.raises(TypeError, match="does not support item assignment"):
        Gate(RISKY, budget=0, policy=rewriting)


class Always:
    """Equal to whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0


@pytest.mark.parametrize("chosen", [True, 0.0, Always(), "ask_user", 7, -1, Fraction(0)])
def test_a_choice_that_is_no_verifier_is_refused(chosen: object) -> None:
    gate = Gate(SAFE, budget=4, policy=lambda model, budget: lambda position: chosen)  # type: ignore[arg-type,return-value]
    with pytest.raises(InvalidInput, match="can be asked and paid"):
        gate.decide()


@pytest.mark.parametrize("policy", [None, "exact", lambda model, budget: None])
def test_what_is_no_policy_is_refused(policy: object) -> None:
    with pytest.raises(InvalidInput, match="policy: expected a policy"):
        Gate(SAFE, budget=4, policy=policy)  # type: ignore[arg-type]


class Liar(str):
    """A name that claims to be every name."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def test_a_name_that_lies_names_nothing() -> None:
    gate = Gate(SAFE, budget=4)
    with pytest.raises(InvalidInput, match="no verifier is named"):
        gate.observe(Liar("other"), refutes=False)
    assert gate.history == ()


TWO = replace(
    SAFE,
    verifiers=(
        Verifier.symmetric("a", 1, ("address",), 0.95),
        Verifier.symmetric("b", 1, ("address",), 0.99),
    ),
)


@pytest.mark.parametrize("refutes", [False, True])
def test_an_answer_that_is_not_charged_is_heard(refutes: bool) -> None:
    gate = Gate(TWO, budget=1, policy=stop_policy)
    gate.observe("a", refutes=False)
    assert gate.observe("b", refutes=refutes) is Observed.REFUSED
    decision = gate.decide()
    assert (decision.kind is DecisionKind.PROCEED) == (not refutes)
    assert decision.admissible == (not refutes)
    gate.replan(TWO)
    assert gate.decide() == decision


def test_support_of_what_must_be_wrong_is_heard_too() -> None:
    contradicted = replace(
        TWO,
        claims=(Claim("address", 0.96),),
        premises=(Premise("deliverable", "address", contradicts=True),),
    )
    gate = Gate(contradicted, budget=0, policy=stop_policy)
    assert gate.decide().kind is DecisionKind.PROCEED
    assert gate.observe("b", refutes=False) is Observed.REFUSED
    assert gate.decide().kind is DecisionKind.ABSTAIN


@pytest.mark.parametrize("where", ["step", "update", "affordable", "GateEntry"])
def test_a_report_that_is_cut_off_bars_proceeding(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    other = Verifier.symmetric("other", 1, ("address",), 0.9)
    safe = replace(SAFE, verifiers=(*SAFE.verifiers, other))
    gate = Gate(safe, budget=4, policy=stop_policy)
    assert gate.decide().kind is DecisionKind.PROCEED
    with monkeypatch.context() as patched:
        patched.setattr(gate_module, where, interrupt)
        with pytest.raises(KeyboardInterrupt):
            gate.observe("ask_user", refutes=True)
    gate.replan(safe)
    gate.fail("other")
    decision = gate.decide()
    assert (decision.kind, decision.admissible) == (DecisionKind.ABSTAIN, False)
    assert "report it again" in decision.reason
    assert (len(gate.history), gate.remaining) == (1, 3)
    gate.observe("ask_user", refutes=True)
    decision = gate.decide()
    assert (decision.kind, decision.evidence) == (
        DecisionKind.ABSTAIN,
        (Evidence("ask_user", 0, 1),),
    )


def test_each_report_that_is_cut_off_must_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    gate = Gate(TWO, budget=4, policy=stop_policy)
    reports = (("b", False), ("a", True), ("b", False))
    with monkeypatch.context() as patched:
        patched.setattr(gate_module, "step", interrupt)
        for verifier, refutes in reports:
            with pytest.raises(KeyboardInterrupt):
                gate.observe(verifier, refutes)
    gate.observe("b", refutes=False)
    assert "a report of a was cut off" in gate.decide().reason
    gate.observe("a", refutes=True)
    decision = gate.decide()
    assert len(decision.evidence) == 2
    assert "cut off" not in decision.reason


def test_a_verifier_that_is_gone_reports_nothing_more() -> None:
    gate = Gate(TWO, budget=4, policy=stop_policy)
    gate.observe("b", refutes=True)
    gate.replan(replace(TWO, verifiers=TWO.verifiers[:1]))
    with pytest.raises(InvalidInput, match="no verifier is named 'b'"):
        gate.observe("b", refutes=False)
    gate.replan(TWO)
    assert gate.decide().evidence == (Evidence("b", 0, 1),)


def test_a_gate_cannot_be_copied() -> None:
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(Gate(SAFE, budget=1))


def test_what_a_decision_tells_cannot_be_rewritten() -> None:
    decision = Gate(SAFE, budget=4).decide()
    worth: Any = decision.worth
    with pytest.raises(TypeError):
        worth["ask_user"] = 100
    assert isinstance(decision, Decision)


def test_a_fixed_set_goes_on_after_answers_outside_it() -> None:
    risky = replace(
        TWO,
        claims=(Claim("address", 0.28),),
        failure_modes=(FailureMode(("deliverable",), 5, "g"),),
    )
    gate = Gate(risky, budget=1, policy=static_policy)
    planned = gate.decide().verifier
    other = next(q.identifier for q in risky.verifiers if q.identifier != planned)
    gate.fail(other)
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_a_refused_answer_that_invalidates_asks_for_a_new_plan() -> None:
    beside = Premise("beside", "address")
    sure = Verifier.symmetric("ask_user", 1, ("address",), 0.999)
    harmless = FailureMode(("deliverable",), 0, "g")
    risky = replace(
        SAFE,
        premises=(*SAFE.premises, beside),
        failure_modes=(harmless,),
        verifiers=(sure,),
        claims=(Claim("address", 0.05),),
    )
    gate = Gate(risky, budget=0)
    assert gate.decide().kind is DecisionKind.PROCEED
    assert gate.observe("ask_user", refutes=True) is Observed.REFUSED
    # No loss hangs on it; only what it invalidates speaks.
    assert gate.decide().premise == "deliverable"


def test_refused_supports_never_outvote_a_refused_refutation() -> None:
    gate = Gate(TWO, budget=1, policy=stop_policy)
    gate.observe("a", refutes=False)
    gate.observe("b", refutes=True)
    for _ in range(4):
        assert gate.observe("b", refutes=False) is Observed.REFUSED
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_another_sentence_is_another_memory() -> None:
    rome = replace(shipment(8), claims=(Claim("address", 0.28, sentence="ship to Rome"),))
    gate = Gate(rome, budget=4)
    gate.observe("ask_user", refutes=False)
    assert gate.decide().kind is DecisionKind.PROCEED
    oslo = replace(rome, claims=(Claim("address", 0.28, sentence="ship to Oslo"),))
    gate.replan(oslo)
    assert gate.decide().kind is DecisionKind.VERIFY


DRAWN = replace(
    shipment(40),
    claims=(Claim("address", 0.1, draw="import"), Claim("stock", 0.1, draw="import")),
    premises=(Premise("deliverable", "address"), Premise("available", "stock")),
)


@pytest.mark.parametrize(
    "claims",
    [
        (Claim("address", 0.11, draw="import"), Claim("stock", 0.1, draw="import")),
        (Claim("address", 0.1), Claim("stock", 0.1, draw="import")),
        (Claim("address", 0.1), Claim("stock", 0.1)),
    ],
    ids=["one re-estimated", "one out of the draw", "no draw"],
)
def test_memories_that_an_answer_ties_together_are_kept_together(claims: tuple[Claim, ...]) -> None:
    gate = Gate(DRAWN, budget=4, policy=stop_policy)
    gate.observe("ask_user", refutes=True)
    before = gate.decide()
    with pytest.raises(InvalidInput, match="ask_user answered about it together with"):
        gate.replan(replace(DRAWN, claims=claims))
    assert gate.decide() == before
    anew = tuple(replace(claim, error=0.5) for claim in DRAWN.claims)
    gate.replan(replace(DRAWN, claims=anew))
    assert gate.decide().evidence == ()


def test_other_rates_give_no_use_back() -> None:
    free = replace(shipment(8).verifiers[0], cost=0)
    gate = Gate(replace(shipment(8), verifiers=(free,)), budget=4)
    gate.observe("ask_user", refutes=True)
    for rate in (0.9499, 0.9498):
        gate.replan(replace(shipment(8), verifiers=(replace(free, sensitivity=rate),)))
        assert gate.observe("ask_user", refutes=False) is Observed.REFUSED
    assert gate.decide().kind is DecisionKind.ABSTAIN


def test_errors_that_are_clipped_alike_are_alike() -> None:
    gate = Gate(replace(SAFE, claims=(Claim("address", 0.001),)), budget=4, policy=stop_policy)
    gate.observe("ask_user", refutes=True)
    before = gate.decide()
    gate.replan(replace(SAFE, claims=(Claim("address", 0.002),)))
    assert gate.decide().harm_probability == before.harm_probability
