"""The rule layer: kinds of dependency, earlier steps, and calls that a contract does not allow."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.premises.rules import MAX_MODES
from tests.premises.worlds import condition, contracts, fault, found, memories, modes, names


def kinds(*prefix: tuple[str, dict[str, object]]) -> dict[str, str]:
    return {each.name: each.dependency.value for each in found(*prefix).premises}


def test_an_argument_is_direct_a_condition_transitive_and_a_pair_joint() -> None:
    assert kinds() == {
        "to": "direct",
        "cellular_on": "joint",
        "wifi_on": "joint",
        "allowed": "transitive",
    }
    assert modes(found()) == [{"to"}, {"cellular_on", "wifi_on"}, {"allowed"}]


def test_what_an_earlier_step_sets_rests_on_what_that_step_rests_on() -> None:
    after = found(("set_wifi", {"on": True}))
    assert names(after) == ["to", "cellular_on", "step1.charged", "step1.found", "allowed"]
    assert modes(after) == [
        {"to"},
        {"cellular_on", "step1.charged"},
        {"cellular_on", "step1.found"},
        {"allowed"},
    ]
    # It is one event, and charged once.
    assert [mode.group for mode in after.modes] == ["mode1", "failed", "failed", "forbidden"]


def test_steps_rest_on_the_steps_before_them() -> None:
    after = found(("charge", {}), ("set_wifi", {"on": True}))
    assert names(after) == ["to", "cellular_on", "step2.found", "allowed"]
    # The other way round the charge comes too late.
    late = found(("set_wifi", {"on": True}), ("charge", {}))
    assert "step1.charged" in names(late)


def test_the_last_step_that_sets_a_target_counts() -> None:
    after = found(("set_wifi", {"on": True}), ("set_wifi", {"on": False}))
    [broken] = [each for each in after.premises if each.condition.broken_by]
    assert broken.name == "wifi_on"
    assert broken.condition.broken_by == "step 2 before it, set_wifi"
    again = found(("set_wifi", {"on": False}), ("set_wifi", {"on": True}))
    assert not any(each.condition.broken_by for each in again.premises)


@pytest.mark.parametrize("given_on", [{}, {"on": "true"}, {"on": None}, {"on": 1}])
def test_a_step_that_does_not_surely_set_it_breaks_it(given_on: dict[str, object]) -> None:
    assert any(each.condition.broken_by for each in found(("set_wifi", given_on)).premises)


def test_a_chain_of_steps_is_followed_once_each() -> None:
    """Each step has two conditions that the step before sets: paths double, steps do not."""

    def chain(content: dict[str, Any]) -> None:
        for number in range(60):
            before = [condition(f"a{number}"), condition(f"b{number}")]
            content["tools"][f"do{number}"] = {
                "commits": True,
                "preconditions": dict(zip("ab", before, strict=True)),
                "establishes": {f"{x}{number + 1}": {"value": True} for x in "ab"},
                "failure_modes": [{"premises": ["a", "b"], "impact": 1}],
            }

    steps = [(f"do{number}", {}) for number in range(59)]
    after = found(*steps, tool="do59", arguments={}, by=contracts(chain))
    assert names(after) == ["step1.a", "step1.b"]
    assert modes(after) == [{"step1.a", "step1.b"}]


def test_more_ways_to_fail_than_can_be_taken_are_refused() -> None:
    def wide(content: dict[str, Any]) -> None:
        many = {f"c{number}": condition(f"c{number}") for number in range(40)}
        content["tools"]["wide"] = {
            "commits": True,
            "preconditions": many,
            "establishes": {"cellular": {"value": True}, "wifi": {"value": True}},
            "failure_modes": [{"premises": [name], "impact": 1} for name in many],
        }
        content["tools"]["other"] = {
            **content["tools"]["wide"],
            "establishes": {"wifi": {"value": True}},
        }

    assert MAX_MODES < 40 * 40
    steps = (("wide", {}), ("other", {}))
    assert fault(lambda: found(*steps, by=contracts(wide))).startswith("prefix: expected at most")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("sent", {}, "tool: no contract of 'sent'; did you mean send?"),
        ("send", {}, "arguments.to: expected this key, found none"),
        ("send", {"to": None}, "arguments.to: "),
    ],
)
def test_calls_that_the_contract_does_not_allow(
    tool: str, arguments: dict[str, object], message: str
) -> None:
    assert fault(lambda: found(tool=tool, arguments=arguments)).startswith(message)


SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "copy": {"type": "string", "maxLength": 3}},
    "required": ["to"],
    "additionalProperties": False,
}


def with_schema(content: dict[str, Any]) -> None:
    send = content["tools"]["send"]
    send["input_schema"] = SCHEMA
    send["arguments"]["copy"] = {"target": "number"}
    send["failure_modes"].append({"premises": ["copy"], "impact": 1})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "arguments: arguments: 'to' is a required property"),
        ({"to": 1}, "arguments: arguments.to: 1 is not of type 'string'"),
        ({"to": "X", "more": 1}, "arguments: arguments: Additional properties"),
        ({"to": "X", "copy": "long"}, "arguments: arguments.copy: "),
    ],
)
def test_arguments_are_held_to_the_schema_of_the_tool(
    arguments: dict[str, object], message: str
) -> None:
    by = contracts(with_schema)
    assert fault(lambda: found(arguments=arguments, by=by)).startswith(message)


def test_an_optional_argument_that_is_not_given_is_no_premise() -> None:
    by = contracts(with_schema)
    assert "copy" not in names(found(by=by))
    assert {"copy"} not in modes(found(by=by))
    assert "copy" in names(found(arguments={"to": "X", "copy": "X"}, by=by))


def test_a_schema_that_cannot_be_applied_takes_nothing() -> None:
    def broken(content: dict[str, Any]) -> None:
        content["tools"]["send"]["input_schema"] = {"$ref": "elsewhere.json"}

    message = fault(lambda: found(by=contracts(broken)))
    assert message.startswith("arguments: the input_schema cannot be applied")


def test_a_tool_that_commits_nothing_has_no_premises() -> None:
    result = found(tool="look", arguments={})
    assert (result.commits, result.premises, result.modes) == (False, (), ())


@given(
    st.sets(st.sampled_from(["number", "cellular", "wifi", "consent", "charged", "router"])),
    st.booleans(),
)
def test_the_modes_fail_where_the_plan_would(wrong: set[str], on_first: bool) -> None:
    """Against an execution of the plan, step by step."""
    after = found(*([("set_wifi", {"on": True})] if on_first else []))
    target = {each.name: each.condition.target for each in after.premises}
    failing = any(all(target[name] in wrong for name in mode.names) for mode in after.modes)
    wifi = not wrong & {"charged", "router"} if on_first else "wifi" not in wrong
    works = "number" not in wrong and "consent" not in wrong and ("cellular" not in wrong or wifi)
    assert failing is not works


def test_every_combination_of_premises_has_its_memory() -> None:
    for cellular, wifi in product((True, False), repeat=2):
        known = memories(number="X", cellular=cellular, wifi=wifi, consent=True)
        contradicts = {e.name: e.support.contradicts for e in found(remembered=known).premises}
        assert contradicts == {
            "to": False,
            "cellular_on": not cellular,
            "wifi_on": not wifi,
            "allowed": False,
        }
