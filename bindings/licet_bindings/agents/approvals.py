"""What a person who approves is shown."""

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
