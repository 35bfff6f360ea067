"""The gate candidate that the tests start from, ways to alter it, and generated candidates."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

EXAMPLES = Path(__file__).parents[2] / "examples" / "gate"

SHIPMENT: dict[str, Any] = {
    "licet": 1,
    "action": "ship_order",
    "claims": {
        "address": {
            "says": "the shipping address is X",
            "error": 0.28,
            "source": "user",
            "written": "2026-09-01",
        },
        "stock": {"says": "the item is in stock", "error": 0.05, "draw": "import"},
        "price": {"error": 0.1, "draw": "import"},
    },
    "premises": {
        "deliverable": {"claim": "address", "required": True},
        "available": {"claim": "stock", "contradicts": False},
        "changed": {"claim": "price", "required": False, "contradicts": True},
    },
    "failure_modes": [
        {"premises": ["deliverable"], "impact": 10, "group": "wrong_recipient"},
        {"premises": ["deliverable", "available"], "impact": 2, "group": "task_failure"},
        {"premises": ["available"], "impact": 0.1},
    ],
    "verifiers": {
        "ask_user": {"cost": 1, "covers": ["address"], "reliability": 0.95, "uses": 1},
        "look_up": {
            "cost": 0.5,
            "covers": ["address", "stock"],
            "sensitivity": 0.9,
            "specificity": 0.8,
            "uses": 2,
            "available": True,
        },
    },
    "loss": {
        "abstain": 1,
        "price": 0.1,
        "harm_loss": 0.5,
        "max_harm_probability": 0.05,
        "max_expected_loss": 2,
        "invalidation": 0.95,
    },
    "budget": 4,
}

ADDRESS: dict[str, Any] = {
    "licet": 1,
    "action": "ship_item",
    "claims": {"address": {"error": 0.28}},
    "premises": {"deliverable": {"claim": "address"}},
    "failure_modes": [{"premises": ["deliverable"], "impact": 8}],
    "verifiers": {"ask_user": {"cost": 1, "covers": ["address"], "reliability": 0.95}},
    "loss": {"abstain": 1, "price": 0.1},
    "budget": 4,
}
"""One claim, one verifier: what can be reckoned by hand (Proposition 1)."""

Alter = Callable[[dict[str, Any]], object]


def altered(alter: Alter, content: dict[str, Any] = SHIPMENT) -> dict[str, Any]:
    """Return a copy of a candidate after `alter` has changed it."""
    changed = copy.deepcopy(content)
    alter(changed)
    return changed


def put(*path: str | int, value: object) -> Alter:
    """Return what puts a value at a path."""

    def alter(content: dict[str, Any]) -> None:
        place: Any = content
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value

    return alter


def drop(*path: str | int) -> Alter:
    """Return what removes the value at a path."""

    def alter(content: dict[str, Any]) -> None:
        place: Any = content
        for part in path[:-1]:
            place = place[part]
        del place[path[-1]]

    return alter


_rates = st.sampled_from([0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
_losses = st.sampled_from([0, 0.25, 0.5, 1, 3, 10])


@st.composite
def candidates(draw: st.DrawFn) -> dict[str, Any]:
    """One to three claims, premises and failure modes, up to three verifiers of up to two uses."""
    claims = [f"c{index}" for index in range(draw(st.integers(1, 3)))]
    premises = [f"p{index}" for index in range(draw(st.integers(1, 3)))]
    some_claims = st.lists(st.sampled_from(claims), min_size=1, unique=True)
    some_premises = st.lists(st.sampled_from(premises), min_size=1, unique=True)
    mode = st.fixed_dictionaries({"premises": some_premises, "impact": _losses}).flatmap(
        lambda mode: st.sampled_from([{**mode, "group": "g"}, mode])
    )
    verifier = st.fixed_dictionaries(
        {
            "cost": st.sampled_from([0, 0.5, 1, 2]),
            "covers": some_claims,
            "sensitivity": _rates,
            "specificity": _rates,
            "uses": st.integers(0, 2),
            "available": st.sampled_from([True, True, True, False]),
        }
    )
    claim = st.fixed_dictionaries({"error": _rates}).flatmap(
        lambda claim: st.sampled_from([claim, {**claim, "draw": "d"}])
    )
    premise = st.fixed_dictionaries(
        {
            "claim": st.sampled_from(claims),
            "required": st.booleans(),
            "contradicts": st.booleans(),
        }
    )
    loss = st.fixed_dictionaries(
        {"abstain": st.sampled_from([0.5, 1, 3]), "price": st.sampled_from([0, 0.1, 0.5])},
        optional={
            "harm_loss": _losses,
            "max_harm_probability": _rates,
            "max_expected_loss": _losses,
            "invalidation": _rates,
        },
    )
    return {
        "licet": 1,
        "action": "act",
        "claims": {name: draw(claim) for name in claims},
        "premises": {name: draw(premise) for name in premises},
        "failure_modes": draw(st.lists(mode, min_size=1, max_size=3)),
        "verifiers": {f"v{index}": draw(verifier) for index in range(draw(st.integers(0, 3)))},
        "loss": draw(loss),
        "budget": draw(st.sampled_from([0, 0.5, 1, 2, 4])),
    }
