"""The premises of an action, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from rich.console import Group, RenderableType
from rich.table import Table

from licet_bindings.errors import escaped
from licet_bindings.premises.contracts import Mode
from licet_bindings.premises.criticality import Notions
from licet_bindings.premises.finding import FoundPremise, FoundPremises
from licet_bindings.reports import JsonNumber, json_number


class PremiseReport(TypedDict):
    """A premise as JSON."""

    name: str
    kind: str
    target: str
    says: str
    dependency: str
    found_by: list[str]
    memory: str | None
    contradicts: bool
    violation: JsonNumber | None
    agreeing: list[str]
    differing: list[str]
    broken_by: str | None


class ModeReport(TypedDict):
    """A way to fail as JSON."""

    premises: list[str]
    impact: JsonNumber
    group: str | None


class RefusedReport(TypedDict):
    """A refused proposal as JSON."""

    proposal: str
    reason: str


class NotionsReport(TypedDict):
    """What memories are to an action, as JSON."""

    relevant: list[str]
    action_supporting: list[str]
    critical: list[str]


class PremisesReport(TypedDict):
    """What an action rests on, as JSON."""

    action: str
    commits: bool
    premises: list[PremiseReport]
    failure_modes: list[ModeReport]
    unremembered: list[str]
    refused: list[RefusedReport]
    filtered: list[str]
    extractor_failure: str | None
    memories: NotionsReport | None
    no_candidate: str | None


def premises_report(
    found: FoundPremises, notions: Notions | None, no_candidate: str | None
) -> PremisesReport:
    """Return the premises of an action as JSON.

    Args:
        found: the premises.
        notions: what memories are to the action; None where it has no candidate.
        no_candidate: why it has none.
    """
    return {
        "action": found.action.step.tool,
        "commits": found.commits,
        "premises": [_premise(premise) for premise in found.premises],
        "failure_modes": [_mode(mode) for mode in found.modes],
        "unremembered": list(found.unremembered),
        "refused": [{"proposal": r.proposal, "reason": r.reason} for r in found.refused],
        "filtered": [premise.name for premise in found.filtered],
        "extractor_failure": found.failure or None,
        "memories": None
        if notions is None
        else {
            "relevant": list(notions.relevant),
            "action_supporting": list(notions.action_supporting),
            "critical": list(notions.critical),
        },
        "no_candidate": no_candidate,
    }


def premises_text(found: FoundPremises, notions: Notions | None) -> RenderableType:
    """Return the premises of an action for people."""
    tool = found.action.step.tool
    if not found.commits:
        return f"{tool} commits nothing: no gate has to decide on it"
    parts: list[RenderableType] = []
    if found.premises:
        parts.append(_premise_table(found.premises))
    lines = list(_lines(found, notions))
    return Group(*parts, *([""] if parts and lines else []), *map(escaped, lines))


def _premise_table(premises: Sequence[FoundPremise]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("premise", "target", "dependency", "found by", "memory", "violated"):
        table.add_column(heading)
    for premise in premises:
        support = premise.support
        memory = "none" if support.memory is None else support.memory.identifier
        table.add_row(
            premise.name,
            premise.condition.target,
            premise.dependency.value,
            ", ".join(origin.value for origin in premise.origins),
            f"{memory} contradicts it" if support.contradicts else memory,
            "unknown" if support.violation is None else f"{float(support.violation):.4g}",
        )
    return table


def _lines(found: FoundPremises, notions: Notions | None) -> Iterator[str]:
    for premise in found.premises:
        if premise.support.differing:
            others = ", ".join(premise.support.differing)
            yield f"{premise.name}: otherwise by {others}"
        if premise.condition.broken_by:
            yield f"{premise.name}: broken by {premise.condition.broken_by}"
    for mode in found.modes:
        if len(mode.names) > 1:
            yield f"only together: {', '.join(mode.names)}"
    for refused in found.refused:
        yield f"refused: {refused.proposal}: {refused.reason}"
    if found.filtered:
        names = ", ".join(premise.name for premise in found.filtered)
        yield f"never mattered in training: {names}"
    if found.failure:
        yield found.failure
    if notions is not None:
        yield f"relevant memories  {_listed(notions.relevant)}"
        yield f"action-supporting  {_listed(notions.action_supporting)}"
        yield f"critical           {_listed(notions.critical)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _premise(premise: FoundPremise) -> PremiseReport:
    condition, support = premise.condition, premise.support
    return {
        "name": premise.name,
        "kind": condition.kind.value,
        "target": condition.target,
        "says": condition.says,
        "dependency": premise.dependency.value,
        "found_by": [origin.value for origin in premise.origins],
        "memory": None if support.memory is None else support.memory.identifier,
        "contradicts": support.contradicts,
        "violation": None if support.violation is None else json_number(support.violation),
        "agreeing": list(support.agreeing),
        "differing": list(support.differing),
        "broken_by": condition.broken_by or None,
    }


def _mode(mode: Mode) -> ModeReport:
    return {
        "premises": list(mode.names),
        "impact": json_number(mode.impact),
        "group": mode.group,
    }
