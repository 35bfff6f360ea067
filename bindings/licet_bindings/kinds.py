"""The kinds of document told apart, so that one in the place of the other is named."""

from __future__ import annotations

from enum import Enum
from typing import Final

from licet_bindings.errors import DocumentError


class Kind(Enum):
    """What a document states: what may be reported, an action, or what is known beside it."""

    PROGRAM = "a review program"
    CANDIDATE = "a gate candidate"
    CALIBRATION = "a calibration"
    CONTRACTS = "the contracts of tools"
    ACTION = "an action"
    MEMORIES = "what is remembered"
    FILTER = "a counterfactual filter"


_KEYS: Final = {
    Kind.PROGRAM: frozenset({"conclusions", "atoms", "routes", "standard", "request", "order"}),
    Kind.CANDIDATE: frozenset({"action", "claims", "premises", "failure_modes"}),
    Kind.CALIBRATION: frozenset({"base", "calibrator", "fitted", "criteria", "held_out"}),
    Kind.CONTRACTS: frozenset({"tools", "proposed", "unremembered"}),
    Kind.ACTION: frozenset({"tool", "arguments", "prefix"}),
    Kind.MEMORIES: frozenset({"memories"}),
    Kind.FILTER: frozenset({"least", "irrelevant"}),
}
"""Keys at the top that only this kind has."""

_COMMANDS: Final = {
    Kind.PROGRAM: "`licet review` reviews records under it",
    Kind.CANDIDATE: "`licet gate` decides on it and `licet plan` plans its checks",
    Kind.CALIBRATION: "`licet calibrate apply` fills errors in with it",
    Kind.CONTRACTS: "`licet premises` finds an action's premises with them",
    Kind.ACTION: "`licet premises` finds its premises",
    Kind.MEMORIES: "`licet premises` takes them as its third document",
    Kind.FILTER: "`licet premises --filter` takes it",
}


def kind_of(tree: object) -> Kind | None:
    """Return the kind whose keys a tree has at the top; None where it has none, or of both."""
    keys = set(tree) if isinstance(tree, dict) else set()
    found = [kind for kind, own in _KEYS.items() if keys & own]
    return found[0] if len(found) == 1 else None


def refuse_other_kind(tree: object, name: str, expected: Kind) -> None:
    """Refuse a document of another kind, and say what takes it.

    Raises:
        DocumentError: the tree is one of another kind.
    """
    found = kind_of(tree)
    if found is not None and found is not expected:
        raise DocumentError(
            name, "", f"this is {found.value}, not {expected.value}; {_COMMANDS[found]}"
        )
