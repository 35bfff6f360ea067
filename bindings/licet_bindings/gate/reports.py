"""Decisions, plans and regimes as JSON; the `TypedDict`s keep the keys in one place.

Losses and costs are in the document's own units. Numbers are integers where they are whole, else
the nearest floats of exact rationals.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypedDict

from licet import GateEntry, Number
from licet.rationals import exact
from licet_bindings.gate.deciding import Decided, Outlook
from licet_bindings.gate.documents import clipped_claims
from licet_bindings.gate.planning import Evaluation, Plan, PlanNode
from licet_bindings.gate.reasons import WORDS, contradicting
from licet_bindings.gate.regimes import RegimeDiagram
from licet_bindings.reports import JsonNumber, json_number


class EvidenceReport(TypedDict):
    """How often a verifier supported, refuted and gave no answer so far."""

    verifier: str
    supported: int
    refuted: int
    failed: int


class AnswerReport(TypedDict):
    """One answer: `support`, `refute` or `fail`; what became of it: see `licet.Observed`."""

    verifier: str
    answer: str
    outcome: str


class ClaimReport(TypedDict):
    """The probability that a claim is wrong, now and before any answer."""

    error: JsonNumber
    before: JsonNumber


class PremiseReport(TypedDict):
    """The probability that a premise is violated, now and before any answer."""

    violation: JsonNumber
    before: JsonNumber


class BeliefsReport(TypedDict):
    """What is believed of each claim and each premise."""

    claims: dict[str, ClaimReport]
    premises: dict[str, PremiseReport]


class ScreensReport(TypedDict):
    """The screens on Proceed, null where one is not set; both null: nothing is screened."""

    max_harm_probability: JsonNumber | None
    max_expected_loss: JsonNumber | None


class OutlookReport(TypedDict):
    """How things would stand after one answer, without a further check.

    `stopping_value` is the loss of what is then done, the other two are those of proceeding.
    """

    probability: JsonNumber
    decision: str
    stopping_value: JsonNumber
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
    policy overrides the kernel's decision; `admissible` is the kernel's word all the same, and true
    where `screens` sets none. `answers` are in the order given, and `evidence` counts them for each
    verifier in the order in which they were first asked. `contradiction` is true where an answer
    was impossible; `reason` names it. `clipped` names the claims whose error probability is taken
    as 0.01 or 0.99.
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
    answers: list[AnswerReport]
    contradiction: bool
    beliefs: BeliefsReport
    screens: ScreensReport
    observation_model: str
    clipped: list[str]


class NodeReport(TypedDict):
    """One decision of a plan and what follows each answer; null for an impossible answer.

    `probability` is that of coming here; the losses and `harm_probability` are those given that.
    """

    decision: str
    verifier: str | None
    value: JsonNumber
    expected_cost: JsonNumber
    probability: JsonNumber
    expected_loss: JsonNumber
    harm_probability: JsonNumber
    support: NodeReport | None
    refute: NodeReport | None


class PolicyReport(TypedDict):
    """What a policy is worth: `harm_probability` is that it proceeds and does harm."""

    value: JsonNumber
    regret: JsonNumber
    expected_cost: JsonNumber
    proceed_probability: JsonNumber
    harm_probability: JsonNumber


class PlanReport(TypedDict):
    """An exact plan; `policies` are the expected objectives of bounded policies.

    One for which the candidate is too large has null there. `regret` is what each loses to the
    exact value. `harm_probability` is that the plan proceeds and does harm. `tree` is null where
    it has more nodes than are listed; `nodes` counts them.
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
    policy_details: dict[str, PolicyReport | None]


class RegimesReport(TypedDict):
    """What Proposition 1 says of one premise and one verifier.

    `verify_from` and `verify_to` are theta1 and theta2, null where verifying is never strictly
    better; `verify_to` is null too where it is without a limit, and `unlimited` then true.
    `abstain_from` is the consequence from which abstaining at once is optimal, null where it never
    is. `indifference` is kappa/p, where proceeding and abstaining cost the same without a check;
    `unlicensed_from` is kappa/p+, from which not even support licenses proceeding, null where it
    always does.
    """

    error: JsonNumber
    abstain: JsonNumber
    reliability: JsonNumber
    cost: JsonNumber
    support_probability: JsonNumber
    error_after_support: JsonNumber
    error_after_refute: JsonNumber
    abstain_from: JsonNumber | None
    verify_from: JsonNumber | None
    verify_to: JsonNumber | None
    unlimited: bool
    indifference: JsonNumber
    unlicensed_from: JsonNumber | None


def gate_report(decided: Decided) -> GateReport:
    """Return a decision as JSON."""
    kernel, loss = decided.kernel, decided.document.candidate.loss
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
        "evidence": _evidence(decided.history),
        "spent": json_number(decided.spent),
        "answers": [
            {
                "verifier": entry.verifier,
                "answer": WORDS[entry.refutes],
                "outcome": entry.observed.value,
            }
            for entry in decided.history
        ],
        "contradiction": contradicting(decided.history) is not None,
        "beliefs": {
            "claims": {
                claim.name: {"error": json_number(claim.now), "before": json_number(claim.before)}
                for claim in decided.claims
            },
            "premises": {
                premise.name: {
                    "violation": json_number(premise.now),
                    "before": json_number(premise.before),
                }
                for premise in decided.premises
            },
        },
        "screens": {
            "max_harm_probability": _optional(loss.max_harm_probability),
            "max_expected_loss": _optional(loss.max_expected_loss),
        },
        "observation_model": decided.model.value,
        "clipped": list(clipped_claims(decided.document)),
    }


def _evidence(history: tuple[GateEntry, ...]) -> list[EvidenceReport]:
    counted: dict[str, EvidenceReport] = {}
    for entry in history:
        found = counted.setdefault(
            entry.verifier,
            {"verifier": entry.verifier, "supported": 0, "refuted": 0, "failed": 0},
        )
        match entry.refutes:
            case None:
                found["failed"] += 1
            case True:
                found["refuted"] += 1
            case False:
                found["supported"] += 1
    return list(counted.values())


def _optional(value: Number | None) -> JsonNumber | None:
    return None if value is None else json_number(exact(value, "loss"))


def _numbers(values: Mapping[str, Fraction]) -> dict[str, JsonNumber]:
    return {name: json_number(value) for name, value in values.items()}


def _outlook_report(outlook: Outlook | None) -> OutlookReport | None:
    if outlook is None:
        return None
    return {
        "probability": json_number(outlook.probability),
        "decision": outlook.decision.value,
        "stopping_value": json_number(outlook.stopping_value),
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
        "policy_details": {
            name: None if found is None else _policy_report(found, plan.exact)
            for name, found in (("exact", plan.exact), *plan.policies.items())
        },
    }


def _policy_report(found: Evaluation, best: Evaluation) -> PolicyReport:
    return {
        "value": json_number(found.value),
        "regret": json_number(found.value - best.value),
        "expected_cost": json_number(found.cost),
        "proceed_probability": json_number(found.proceeds),
        "harm_probability": json_number(found.harms),
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
    abstain, unlicensed = diagram.abstain_from, diagram.unlicensed_from
    return {
        "error": json_number(diagram.error),
        "abstain": json_number(diagram.abstain),
        "reliability": json_number(diagram.reliability),
        "cost": json_number(diagram.cost),
        "support_probability": json_number(found.support),
        "error_after_support": json_number(found.after_support),
        "error_after_refute": json_number(found.after_refute),
        "abstain_from": None if abstain is None else json_number(abstain),
        "verify_from": None if interval is None else json_number(interval.low),
        "verify_to": None if high is None else json_number(high),
        "unlimited": interval is not None and high is None,
        "indifference": json_number(diagram.indifference),
        "unlicensed_from": None if unlicensed is None else json_number(unlicensed),
    }
