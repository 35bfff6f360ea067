"""What a person who approves is shown, and what counts as an approval of it."""

from __future__ import annotations

from licet_bindings.agents.guard import Ruling
from licet_bindings.records.values import Json


def shown(ruling: Ruling, arguments: Json) -> dict[str, Json]:
    """Return what a person who approves is shown: the grant, and all that it is bound to."""
    if ruling.grant is None:
        return {}
    binding = ruling.grant.binding
    return {
        "grant": ruling.grant.identifier,
        "action": binding.action,
        "arguments": arguments,
        "evidence": binding.evidence,
        "program": binding.program,
    }


def approves(answer: object, ruling: Ruling) -> bool:
    """Return whether an answer approves this grant, and not another one.

    >>> from licet_bindings.agents.guard import RulingKind
    >>> approves({"grant": "1", "approved": True}, Ruling(RulingKind.APPROVAL))
    False
    """
    if type(answer) is not dict or ruling.grant is None:
        return False
    named = answer.get("grant")
    return named == ruling.grant.identifier and answer.get("approved") is True
