"""Decisions, plans and regimes as JSON; the `TypedDict`s keep the keys in one place.

Losses and costs are in the document's own units. Numbers are integers where they are whole, else
the nearest floats of exact rationals.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypedDict

from licet_bindings.gate.deciding import Decided, Outlook
from licet_bindings.gate.planning import Plan, PlanNode
from licet_bindings.gate.regimes import RegimeDiagram
from licet_bindings.reports import JsonNumber, json_number


class EvidenceReport(TypedDict):
    """How often a verifier supported and refuted so far."""

    verifier: str
    supported: int
    refuted: int


class OutlookReport(TypedDict):
    """How things would stand after one answer."""

    probability: JsonNumber
    decision: str
    expected_loss: JsonNumber
    harm_probability: JsonNumber


class ProspectReport(TypedDict):
    """What a verifier may answer; null for an impossible answer."""

    support: OutlookReport | None
    refute: OutlookReport | None


class GateReport(TypedDict):
    """A decision on a candidate.

    `worth` is Equation (4) for each verifier that can be asked and paid, `two_step` Equation (5)
    where no value of `worth` is positive. `budget` is what is left. `baseline` is true where the
    policy overrides the kernel's decision; `admissible` is the kernel's word all the same.
    """

    decision: str
    verifier: str | None
    expected_loss: JsonNumber
    harm_probability: JsonNumber
    stopping_value: JsonNumber
    admissible: bool
    worth: dict[str, JsonNumber]
    budget: JsonNumber
    action: str
    policy: str
    baseline: bool
    reason: str
    premise: str | None
    two_step: dict[str, JsonNumber]
    prospects: dict[str, ProspectReport]
    evidence: list[EvidenceReport]
    spent: JsonNumber


class NodeReport(TypedDict):
    """One decision of a plan and what follows each answer; null for an impossible answer."""

    decision: str
    verifier: str | None
    value: JsonNumber
    expected_cost: JsonNumber
    probability: JsonNumber
    expected_loss: JsonNumber
    harm_probability: JsonNumber
    support: NodeReport | None
    refute: NodeReport | None


class PlanReport(TypedDict):
    """An exact plan; `policies` are the expected objectives of bounded policies.

    One for which the candidate is too large has null there. `regret` is what each loses to the
    exact value. `tree` is null where it has more nodes than are listed; `nodes` counts them.
    """

    value: JsonNumber
    expected_cost: JsonNumber
    policies: dict[str, JsonNumber | None]
    tree: NodeReport | None
    action: str
    budget: JsonNumber
    proceed_probability: JsonNumber
    harm_probability: JsonNumber
    regret: dict[str, JsonNumber | None]
    states: int
    nodes: int


class RegimesReport(TypedDict):
    """What Proposition 1 says of one premise and one verifier.

    `verify_from` and `verify_to` are theta1 and theta2, null where verifying is never strictly
    better; `verify_to` is null too where it is without a limit, and `unlimited` then true.
    """

    error: JsonNumber
    abstain: JsonNumber
    reliability: JsonNumber
    cost: JsonNumber
    support_probability: JsonNumber
    error_after_support: JsonNumber
    error_after_refute: JsonNumber
    abstain_from: JsonNumber
    verify_from: JsonNumber | None
    verify_to: JsonNumber | None
    unlimited: bool


def gate_report(decided: Decided) -> GateReport:
    """Return a decision as JSON."""
    kernel = decided.kernel
    return {
        "decision": decided.kind.value,
        "verifier": None if decided.baseline else kernel.verifier,
        "expected_loss": json_number(kernel.expected_loss),
        "harm_probability": json_number(kernel.harm_probability),
        "stopping_value": json_number(kernel.stopping_value),
        "admissible": kernel.admissible,
        "worth": _numbers(kernel.worth),
        "budget": json_number(kernel.budget),
        "action": decided.document.candidate.action,
        "policy": decided.policy.name,
        "baseline": decided.baseline,
        "reason": decided.reason,
        "premise": None if decided.baseline else kernel.premise,
        "two_step": _numbers(kernel.two_step),
        "prospects": {
            prospect.verifier: {
                "support": _outlook_report(prospect.support),
                "refute": _outlook_report(prospect.refute),
            }
            for prospect in decided.prospects
        },
        "evidence": [
            {"verifier": name, "supported": supported, "refuted": refuted}
            for name, supported, refuted in kernel.evidence
        ],
        "spent": json_number(decided.spent),
    }


def _numbers(values: Mapping[str, Fraction]) -> dict[str, JsonNumber]:
    return {name: json_number(value) for name, value in values.items()}


def _outlook_report(outlook: Outlook | None) -> OutlookReport | None:
    if outlook is None:
        return None
    return {
        "probability": json_number(outlook.probability),
        "decision": outlook.decision.value,
        "expected_loss": json_number(outlook.expected_loss),
        "harm_probability": json_number(outlook.harm_probability),
    }


def plan_report(plan: Plan) -> PlanReport:
    """Return a plan as JSON."""
    return {
        "value": json_number(plan.exact.value),
        "expected_cost": json_number(plan.exact.cost),
        "policies": {
            name: None if found is None else json_number(found.value)
            for name, found in plan.policies.items()
        },
        "tree": None if plan.root is None else _node_report(plan.root),
        "action": plan.document.candidate.action,
        "budget": json_number(plan.budget),
        "proceed_probability": json_number(plan.exact.proceeds),
        "harm_probability": json_number(plan.exact.harms),
        "regret": {
            name: None if lost is None else json_number(lost) for name, lost in plan.regret.items()
        },
        "states": plan.states,
        "nodes": plan.exact.nodes,
    }


def _node_report(node: PlanNode) -> NodeReport:
    return {
        "decision": node.decision.value,
        "verifier": node.verifier,
        "value": json_number(node.value),
        "expected_cost": json_number(node.cost),
        "probability": json_number(node.probability),
        "expected_loss": json_number(node.expected_loss),
        "harm_probability": json_number(node.harm_probability),
        "support": None if node.support is None else _node_report(node.support),
        "refute": None if node.refute is None else _node_report(node.refute),
    }


def regimes_report(diagram: RegimeDiagram) -> RegimesReport:
    """Return what Proposition 1 says as JSON."""
    interval, found = diagram.interval, diagram.posterior
    high = None if interval is None else interval.high
    return {
        "error": json_number(diagram.error),
        "abstain": json_number(diagram.abstain),
        "reliability": json_number(diagram.reliability),
        "cost": json_number(diagram.cost),
        "support_probability": json_number(found.support),
        "error_after_support": json_number(found.after_support),
        "error_after_refute": json_number(found.after_refute),
        "abstain_from": json_number(diagram.indifference),
        "verify_from": None if interval is None else json_number(interval.low),
        "verify_to": None if high is None else json_number(high),
        "unlimited": interval is not None and high is None,
    }
