"""Contracts as documents: what they state, and what is refused of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from licet_bindings.errors import DocumentError
from licet_bindings.premises.contracts import build_contracts, read_contracts
from licet_bindings.premises.filtering import read_filter
from licet_bindings.premises.memories import (
    build_action,
    build_memories,
    read_action,
    read_memories,
)
from licet_bindings.schema import schema_named
from tests.premises.worlds import CONTRACTS, EXAMPLES, ROOT, condition, contracts, fault

Alter = Callable[[dict[str, Any]], object]

PUBLISHED = {
    "contracts": "tool-contracts",
    "action": "action",
    "memories": "memories",
    "proposal": "premise-proposal",
    "filter": "counterfactual-filter",
}


def of_send(key: str, value: object) -> Alter:
    return lambda content: content["tools"]["send"].update({key: value})


FAULTS: list[tuple[Alter, str]] = [
    (lambda c: c.update(licet=2), "licet: expected 1"),
    (lambda c: c.update(tool={}), "tool: unknown key; did you mean tools?"),
    (lambda c: c.update(tools={}), "tools: expected at least 1"),
    (lambda c: c.pop("loss"), "loss: expected this key"),
    (lambda c: c.update(unremembered=2), "unremembered: expected a probability"),
    (lambda c: c.update(unremembered=None), "unremembered: "),
    (lambda c: c.update(proposed=None), "proposed: expected an object"),
    (lambda c: c["tools"]["look"].pop("commits"), "tools.look.commits: expected this key"),
    (lambda c: c["tools"]["look"].update(commits=1), "tools.look.commits: expected true or false"),
    (of_send("input_schema", {"type": "nothing"}), "tools.send.input_schema: expected a JSON Sch"),
    (of_send("input_schema", {"type": "array"}), "tools.send.input_schema: expected the schema of"),
    (of_send("arguments", {"to": {"targets": "n"}}), "tools.send.arguments.to.targets: unknown"),
    (of_send("establishes", {"wifi": {}}), "tools.send.establishes.wifi: expected either"),
    (
        of_send("establishes", {"wifi": {"value": 1, "argument": "on"}}),
        "tools.send.establishes.wifi: expected either",
    ),
    (
        of_send("preconditions", {"to": condition("cellular")}),
        "tools.send.preconditions.to: expected another name",
    ),
    (
        of_send("preconditions", {"a": {**condition("x"), "kind": "mood"}}),
        "tools.send.preconditions.a.kind: expected 'environment' or 'policy'",
    ),
    (
        of_send("preconditions", {"a": {**condition("x"), "test": "at_least", "value": "b"}}),
        "tools.send.preconditions.a.value: ",
    ),
    (
        of_send("failure_modes", [{"premises": ["tu"], "impact": 1}]),
        "tools.send.failure_modes.0.premises: no argument or precondition is named 'tu'; ",
    ),
    (
        of_send("failure_modes", [{"premises": ["to", "to"], "impact": 1}]),
        "tools.send.failure_modes.0.premises: expected each name once",
    ),
    (
        of_send("failure_modes", [{"premises": ["to"], "impact": 1}]),
        "tools.send.failure_modes: expected a mode that names 'cellular_on'",
    ),
    (
        of_send("failure_modes", [{"premises": ["to"], "impact": -1}]),
        "tools.send.failure_modes.0.impact: expected",
    ),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_what_is_refused_of_contracts(alter: Alter, message: str) -> None:
    assert fault(lambda: contracts(alter)).startswith(message)


def test_public_targets_are_all_that_anything_names() -> None:
    expected = {"number", "cellular", "wifi", "consent", "charged", "router", "weather"}
    assert contracts().targets == expected
    assert contracts(lambda c: c.update(proposed={"impact": 0.5})).proposed == (
        Fraction(1, 2),
        None,
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"licet": 1}, "tool: expected this key"),
        ({"licet": 1, "tool": "a", "arguments": []}, "arguments: expected an object"),
        ({"licet": 1, "tool": "a b"}, "tool: expected an identifier"),
        ({"licet": 1, "tool": "a", "prefix": [{"tools": "a"}]}, "prefix.0.tools: unknown key"),
        ({"licet": 1, "tool": "a", "prefix": [{"tool": "a"}] * 101}, "prefix: expected at most"),
        ({"licet": 1, "memories": {}}, ": this is what is remembered, not an action"),
        (CONTRACTS, ": this is the contracts of tools, not an action"),
    ],
)
def test_what_is_refused_of_actions(content: dict[str, Any], message: str) -> None:
    assert fault(lambda: build_action(content)).startswith(message)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"value": 1, "error": 0.1}, "memories.a.target: expected this key"),
        ({"target": "t", "value": None, "error": 0.1}, "memories.a.value: expected what was"),
        ({"target": "t", "value": 1, "error": 1.5}, "memories.a.error: expected"),
        ({"target": "t", "value": 1, "error": True}, "memories.a.error: expected"),
        ({"target": "t", "value": float("nan"), "error": 0.1}, "memories.a.value: "),
        ({"target": "t", "value": 1, "error": 0.1, "draws": "d"}, "memories.a.draws: unknown"),
    ],
)
def test_what_is_refused_of_memories(entry: dict[str, Any], message: str) -> None:
    content = {"licet": 1, "memories": {"a": entry}}
    assert fault(lambda: build_memories(content)).startswith(message)


def test_too_many_of_anything_are_refused() -> None:
    entry = {"target": "t", "value": 1, "error": 0.1}
    many = {"licet": 1, "memories": {f"m{number}": entry for number in range(1_001)}}
    assert fault(lambda: build_memories(many)).startswith("memories: expected at most 1,000")
    tools = {"tools": {f"t{number}": {"commits": False} for number in range(1_001)}}
    assert fault(lambda: build_contracts({**CONTRACTS, **tools})).startswith("tools: expected at")


@pytest.mark.parametrize(("kind", "name"), PUBLISHED.items())
def test_the_published_schemas_are_current(kind: str, name: str) -> None:
    path = ROOT / "docs" / "schema" / f"{name}.schema.json"
    assert path.read_text(encoding="utf-8") == schema_named(kind)
    Draft202012Validator.check_schema(json.loads(schema_named(kind)))


def test_the_schemas_take_the_examples_and_so_do_the_readers() -> None:
    for kind, read in {
        "contracts": read_contracts,
        "action": read_action,
        "memories": read_memories,
        "filter": read_filter,
    }.items():
        path = EXAMPLES / f"{kind}.json"
        Draft202012Validator(json.loads(schema_named(kind))).validate(_content(path))
        assert read(path)
    validator = Draft202012Validator(json.loads(schema_named("proposal")))
    for proposal in _content(EXAMPLES / "proposals.json"):
        validator.validate(proposal)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for read in (read_contracts, read_action, read_memories, read_filter):
        with pytest.raises(DocumentError, match=r"none\.json: cannot be read"):
            read(tmp_path / "none.json")


def _content(path: Path) -> Any:  # noqa: ANN401
    return json.loads(path.read_text(encoding="utf-8"))
