"""Contracts, actions and memories that the tests of premises share."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from licet_bindings.errors import DocumentError
from licet_bindings.premises.contracts import Contracts, build_contracts
from licet_bindings.premises.finding import FoundPremises, find_premises
from licet_bindings.premises.memories import Memories, build_action, build_memories

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "premises"

LOSS: Final = {"abstain": 1, "price": 0.1, "max_harm_probability": 0.05, "invalidation": 0.95}


def condition(target: str, kind: str = "environment", value: object = True) -> dict[str, object]:
    return {"kind": kind, "target": target, "test": "equals", "value": value}


CONTRACTS: Final[dict[str, Any]] = {
    "licet": 1,
    "tools": {
        "send": {
            "commits": True,
            "arguments": {"to": {"target": "number"}},
            "preconditions": {
                "cellular_on": condition("cellular"),
                "wifi_on": condition("wifi"),
                "allowed": condition("consent", "policy"),
            },
            "failure_modes": [
                {"premises": ["to"], "impact": 5},
                {"premises": ["cellular_on", "wifi_on"], "impact": 1, "group": "failed"},
                {"premises": ["allowed"], "impact": 10, "group": "forbidden"},
            ],
        },
        "set_wifi": {
            "commits": True,
            "arguments": {},
            "preconditions": {"charged": condition("charged"), "found": condition("router")},
            "establishes": {"wifi": {"argument": "on"}},
            "failure_modes": [
                {"premises": ["charged"], "impact": 1},
                {"premises": ["found"], "impact": 1},
            ],
        },
        "charge": {"commits": True, "establishes": {"charged": {"value": True}}},
        "look": {"commits": False},
    },
    "verifiers": {
        "ask": {"cost": 1, "covers": ["number", "weather"], "reliability": 0.9},
        "read": {"cost": 1, "covers": ["cellular", "wifi"], "reliability": 0.9},
        "look_up": {"cost": 1, "covers": ["number"], "reliability": 0.9},
    },
    "loss": LOSS,
}


def contracts(alter: Callable[[dict[str, Any]], object] = lambda content: None) -> Contracts:
    content = deepcopy(CONTRACTS)
    alter(content)
    return build_contracts(content)


def memories(**values: object) -> Memories:
    """Memories by target; a value may come with its error."""
    entries = {}
    for target, stated in values.items():
        value, error = stated if isinstance(stated, tuple) else (stated, 0.1)
        entries[f"of_{target}"] = {"target": target, "value": value, "error": error}
    return build_memories({"licet": 1, "memories": entries})


ALL: Final = memories(
    number="X", cellular=True, wifi=True, consent=True, charged=True, router=True, weather="rain"
)


def found(
    *prefix: tuple[str, dict[str, object]],
    remembered: Memories = ALL,
    tool: str = "send",
    arguments: dict[str, object] | None = None,
    by: Contracts | None = None,
    **options: Any,  # noqa: ANN401
) -> FoundPremises:
    """The premises of a call of `send` to X, after these steps."""
    content = {
        "licet": 1,
        "tool": tool,
        "arguments": {"to": "X"} if arguments is None else arguments,
        "prefix": [{"tool": name, "arguments": given} for name, given in prefix],
    }
    return find_premises(
        contracts() if by is None else by, build_action(content), remembered, **options
    )


def names(premises: FoundPremises) -> list[str]:
    return [premise.name for premise in premises.premises]


def modes(premises: FoundPremises) -> list[set[str]]:
    return [set(mode.names) for mode in premises.modes]


def fault(build: Callable[[], object]) -> str:
    with pytest.raises(DocumentError) as caught:
        build()
    return f"{caught.value.place}: {caught.value.problem}"
