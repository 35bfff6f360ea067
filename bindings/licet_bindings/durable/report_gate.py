"""One audited gate as HTML: what was decided and why, what was asked, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from licet import Candidate, Decision, GateEntry, Observed
from licet.renderer import number
from licet_bindings.durable.audited import AuditedGate
from licet_bindings.durable.markup import (
    NOTHING,
    Markup,
    code,
    joined,
    paragraph,
    said,
    section,
    stated,
    table,
    terms,
)
from licet_bindings.gate.rounding import rounded

_OBSERVED: Final = {
    Observed.RECORDED: "recorded",
    Observed.FAILED: "no answer",
    Observed.CONTRADICTION: "impossible under the model",
    Observed.REFUSED: "refused: no use or no budget is left; it counts only against proceeding",
}


def gate_parts(gate: AuditedGate) -> Iterator[Markup]:
    """Yield the sections of a gate that was replayed; of one that fails, what was written."""
    if gate.findings:
        yield paragraph(
            said("The audit of this episode failed: below is only what was written up to there.")
        )
    elif _decided(gate):
        yield section(3, "Last decision", _conclusion(gate, _decided(gate)[-1]))
    yield section(3, "Decisions", _decisions(gate))
    yield section(3, "Verifications", _reports(gate))
    yield section(3, "Candidates", _candidates(gate))


def decision_of(gate: AuditedGate) -> Markup:
    """Return a gate's last decision, in few words."""
    if gate.findings:
        return said("not shown: the audit failed")
    decided = _decided(gate)
    return said(_word(decided[-1])) if decided else said("none yet")


def gate_terms(gate: AuditedGate) -> Markup:
    """Return the facts of a gate: its action, its policy, and what it cost."""
    return terms(
        (
            ("action", stated(gate.action)),
            ("decision", decision_of(gate)),
            ("policy", code(gate.policy)),
            ("budget", said(f"{number(gate.remaining)} of {number(gate.budget)} left")),
        )
    )


def _word(decision: Decision) -> str:
    if decision.verifier is not None:
        return f"{decision.kind.value}: ask {decision.verifier}"
    if decision.premise is not None:
        return f"{decision.kind.value}: {decision.premise} does not hold"
    return decision.kind.value


def _decided(gate: AuditedGate) -> list[Decision]:
    return [step.event for step in gate.steps if isinstance(step.event, Decision)]


def _conclusion(gate: AuditedGate, decision: Decision) -> Markup:
    stale = NOTHING
    if gate.steps[-1].event is not decision:
        stale = paragraph(said("Something was reported after it: it no longer stands."))
    facts = terms(
        (
            ("decision", said(_word(decision))),
            ("on the action", stated(decision.candidate.action)),
            ("why", said(decision.reason)),
            ("expected loss of proceeding", _amount(decision.expected_loss)),
            ("probability of harm", _amount(decision.harm_probability)),
            ("loss where it stops here", _amount(decision.stopping_value)),
            ("proceeding is admitted", said("yes" if decision.admissible else "no")),
            ("answers that it rests on", _evidence(decision)),
        )
    )
    return Markup(facts + stale)


def _evidence(decision: Decision) -> Markup:
    counted = (
        Markup(code(name) + said(f" supported {supported}, refuted {refuted}"))
        for name, supported, refuted in decision.evidence
    )
    return joined(counted, "; ") or said("none")


def _amount(value: Fraction) -> Markup:
    return said(rounded(value))


def _decisions(gate: AuditedGate) -> Markup:
    return table(
        "Decisions, in order",
        ("entry", "time", "decision", "why", "expected loss", "harm", "budget left"),
        (
            (
                said(str(step.written.sequence)),
                said(step.written.time),
                said(_word(step.event)),
                said(step.event.reason),
                _amount(step.event.expected_loss),
                _amount(step.event.harm_probability),
                said(number(step.event.budget)),
            )
            for step in gate.steps
            if isinstance(step.event, Decision)
        ),
    )


def _reports(gate: AuditedGate) -> Markup:
    words = {None: "none", True: "refutes", False: "supports"}
    return table(
        "What verifiers answered, in order",
        ("entry", "time", "verifier", "answer", "what became of it"),
        (
            (
                said(str(step.written.sequence)),
                said(step.written.time),
                code(step.event.verifier),
                said(words[step.event.refutes]),
                said(_OBSERVED[step.event.observed]),
            )
            for step in gate.steps
            if isinstance(step.event, GateEntry)
        ),
    )


def _candidates(gate: AuditedGate) -> Markup:
    return table(
        "Candidates that replaced the first, in order",
        ("entry", "time", "action", "claims"),
        (
            (
                said(str(step.written.sequence)),
                said(step.written.time),
                stated(step.event.action),
                joined(stated(claim.identifier) for claim in step.event.claims),
            )
            for step in gate.steps
            if isinstance(step.event, Candidate)
        ),
    )
