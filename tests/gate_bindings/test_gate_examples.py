"""The bundled gate candidates decide as the documentation says."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace

import pytest

from licet import DecisionKind, Gate, Observed
from licet_bindings.gate.deciding import Observation, decide_candidate
from licet_bindings.gate.documents import read_candidate
from licet_bindings.gate.planning import plan_candidate
from tests.gate_bindings.candidates import EXAMPLES

OPENING = ("printed_documents", "high_value", "irreplaceable")


def test_the_opening_case_differs_in_the_action_and_its_impact_alone() -> None:
    contents = [json.loads((EXAMPLES / f"{name}.json").read_text("utf-8")) for name in OPENING]
    impacts = []
    for content in contents:
        del content["action"]
        impacts.append(content["failure_modes"][0].pop("impact"))
    assert contents[0] == contents[1] == contents[2]
    assert impacts == sorted(impacts)
    assert contents[0]["claims"]["address"]["error"] == 0.28


def test_the_agent_asks_and_stops(capsys: pytest.CaptureFixture[str]) -> None:
    agent = runpy.run_path(str(EXAMPLES / "agent.py"))
    agent["main"]()
    assert capsys.readouterr().out.splitlines() == [
        "the user confirms: proceed, 3 left to spend",
        "the user denies: abstain, 3 left to spend",
        "the user does not answer: abstain, 3 left to spend",
    ]


def test_the_agent_says_what_could_not_be_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    agent = runpy.run_path(str(EXAMPLES / "agent.py"))
    document = read_candidate(EXAMPLES / "high_value.json")
    gate = Gate(document.candidate, budget=1)

    def meanwhile(verifier: str) -> bool:
        gate.fail(verifier)
        return False

    assert agent["before_committing"](gate, meanwhile).kind is DecisionKind.ABSTAIN
    assert capsys.readouterr().out == "ask_user could not be charged\n"
    sure = replace(document.candidate.verifiers[0], sensitivity=1, specificity=1, uses=2)
    gate = Gate(replace(document.candidate, verifiers=(sure,)), budget=2)
    gate.observe("ask_user", refutes=True)
    gate.observe("ask_user", refutes=False)
    assert gate.history[-1].observed is Observed.CONTRADICTION
    assert agent["before_committing"](gate, meanwhile).kind is DecisionKind.ABSTAIN


@pytest.mark.parametrize(
    ("name", "answer", "decision"),
    [
        ("printed_documents", None, DecisionKind.PROCEED),
        ("high_value", None, DecisionKind.VERIFY),
        ("high_value", False, DecisionKind.PROCEED),
        ("high_value", True, DecisionKind.ABSTAIN),
        ("irreplaceable", None, DecisionKind.ABSTAIN),
        ("irreplaceable", False, DecisionKind.ABSTAIN),
    ],
)
def test_one_memory_three_behaviours(
    name: str, answer: bool | None, decision: DecisionKind
) -> None:
    answers = [] if answer is None else [Observation("ask_user", answer)]
    document = read_candidate(EXAMPLES / f"{name}.json")
    assert decide_candidate(document, observations=answers).kind is decision


@pytest.mark.parametrize("name", OPENING)
def test_no_policy_does_better_on_the_opening_case(name: str) -> None:
    plan = plan_candidate(read_candidate(EXAMPLES / f"{name}.json"))
    assert plan.regret["two-step"] == 0


def test_the_invoice_tells_the_policies_apart() -> None:
    plan = plan_candidate(read_candidate(EXAMPLES / "invoice.json"))
    regret = plan.regret
    lost = [regret[name] or 0 for name in ("two-step", "static", "greedy", "stop")]
    assert 0 < lost[0] < lost[1] < lost[2] == lost[3]
    assert plan.root is not None
    assert plan.root.verifier == "order_status"
    decided = decide_candidate(plan.document)
    assert decided.kernel.verifier == "supplier_register"
    assert all(value <= 0 for value in decided.kernel.worth.values())
    assert decided.kernel.two_step["supplier_register"] > 0
