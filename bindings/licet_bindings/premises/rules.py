"""The rule layer: what an action rests on by the public contracts of its tools.

An argument that states a target's value rests on that value; a precondition on its target. What an
earlier step of the plan sets is not taken from memory: it rests on what that step rests on, and so
on backwards (goal regression through the prefix).

Source: AMV-Guard, section 3.1, the public tool-contract rule layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from math import prod
from typing import Final

from licet import InvalidInput
from licet_bindings.errors import DocumentError, expected_one_of
from licet_bindings.premises.arguments import misfit
from licet_bindings.premises.contracts import ConditionKind, Contracts, Mode, Tool
from licet_bindings.premises.memories import PlannedAction, Step
from licet_bindings.records.judges import Finding
from licet_bindings.records.predicates import Predicate, PredicateError, evaluate, make_predicate
from licet_bindings.records.values import Json

MAX_MODES: Final = 1_000
"""Ways to fail of one action, at most, with those of the steps that it rests on."""

_TOO_MANY: Final = f"expected at most {MAX_MODES:,} ways to fail, found more"


class Dependency(Enum):
    """How an action depends on a premise (AMV-Guard, section 3.1).

    DIRECT: the premise's value enters the arguments. TRANSITIVE: it does not, and its violation
    alone changes the outcome. JOINT: it only matters together with others.
    """

    DIRECT = "direct"
    TRANSITIVE = "transitive"
    JOINT = "joint"


@dataclass(frozen=True, slots=True)
class Condition:
    """What has to hold of a target for an action.

    Attributes:
        name: its name among the action's premises.
        kind: what it is about.
        target: the public target.
        predicate: what has to hold of it; None: whatever is remembered.
        says: for people.
        broken_by: the step before the action that sets the target otherwise; empty if none does.
    """

    name: str
    kind: ConditionKind
    target: str
    predicate: Predicate | None
    says: str = ""
    broken_by: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the contracts say that an action rests on.

    Attributes:
        conditions: in the contract's order; those of earlier steps after.
        modes: how the action fails, by the conditions' names.
    """

    conditions: Sequence[Condition]
    modes: Sequence[Mode]


def rules_of(contracts: Contracts, action: PlannedAction) -> Rules:
    """Return what an action rests on by the contracts.

    Raises:
        DocumentError: the action, or a step before it, is not a call that its contract allows; or
            it has more ways to fail than `MAX_MODES`.
    """
    steps = (*action.prefix, action.step)
    tools = [_called(contracts, action, index) for index in range(len(steps))]
    try:
        rules = _Regression(tools, steps).of_step(len(steps) - 1)
    except InvalidInput as fault:
        raise DocumentError(action.name, fault.place, fault.problem) from None
    used = {name for mode in rules.modes for name in mode.names}
    # What an earlier step establishes is no condition any more, unless that step broke it.
    return replace(rules, conditions=[each for each in rules.conditions if each.name in used])


def dependency_of(name: str, kind: ConditionKind, modes: Iterable[Mode]) -> Dependency:
    """Return how an action depends on one of its conditions."""
    if not any(mode.names == (name,) for mode in modes):
        return Dependency.JOINT
    return Dependency.DIRECT if kind is ConditionKind.ARGUMENT else Dependency.TRANSITIVE


def tool_of(contracts: Contracts, action: PlannedAction) -> Tool:
    """Return the contract of the action's tool.

    Raises:
        DocumentError: there is none.
    """
    return _called(contracts, action, len(action.prefix))


def _called(contracts: Contracts, action: PlannedAction, index: int) -> Tool:
    is_prefix = index < len(action.prefix)
    step = action.prefix[index] if is_prefix else action.step
    place = f"prefix.{index}." if is_prefix else ""
    tool = contracts.tools.get(step.tool)
    if tool is None:
        hint = expected_one_of(step.tool, contracts.tools)
        raise DocumentError(action.name, f"{place}tool", f"no contract of {step.tool!r}; {hint}")
    problem = misfit(tool.input_schema, step.arguments)
    if problem is not None:
        raise DocumentError(action.name, f"{place}arguments", problem)
    if not tool.input_schema:
        for argument in tool.arguments:
            if argument not in step.arguments:
                raise DocumentError(
                    action.name, f"{place}arguments.{argument}", "expected this key, found none"
                )
    return tool


class _Regression:
    """What each step rests on, found once; the names of earlier steps' conditions say which."""

    def __init__(self, tools: Sequence[Tool], steps: Sequence[Step]) -> None:
        self._tools, self._steps = tools, steps
        self._found: dict[int, Rules] = {}

    def of_step(self, index: int) -> Rules:
        """Return what a step rests on."""
        if index not in self._found:
            self._found[index] = self._of_step(index)
        return self._found[index]

    def _of_step(self, index: int) -> Rules:
        mark = "" if index == len(self._steps) - 1 else f"step{index + 1}."
        conditions: dict[str, Condition] = {}
        replaced: dict[str, list[tuple[str, ...]]] = {}
        for condition in _own(self._tools[index], self._steps[index], mark):
            setter = _setter(self._tools, condition.target, index)
            if setter is not None and _holds(self._tools[setter], self._steps[setter], condition):
                before = self.of_step(setter)
                conditions.update({each.name: each for each in before.conditions})
                replaced[condition.name] = [mode.names for mode in before.modes]
                continue
            if setter is not None:
                broken = f"step {setter + 1} before it, {self._steps[setter].tool}"
                condition = replace(condition, broken_by=broken)  # noqa: PLW2901
            conditions[condition.name] = condition
            replaced[condition.name] = [(condition.name,)]
        return Rules(tuple(conditions.values()), _modes(self._tools[index], mark, replaced))


def _modes(
    tool: Tool, mark: str, replaced: Mapping[str, list[tuple[str, ...]]]
) -> tuple[Mode, ...]:
    modes: list[Mode] = []
    stated = {mode.group for mode in tool.modes}
    for index, mode in enumerate(tool.modes):
        group = mode.group or f"{mark}mode{index + 1}"
        while mode.group is None and group in stated:
            group += "_"
        # All that one mode becomes is one event downstream, and charged once.
        names = [f"{mark}{name}" for name in mode.names]
        modes.extend(Mode(each, mode.impact, group) for each in _substituted(names, replaced))
        if len(modes) > MAX_MODES:
            raise InvalidInput("prefix", _TOO_MANY)
    return tuple(modes)


def _own(tool: Tool, step: Step, mark: str) -> Iterator[Condition]:
    for argument, target in tool.arguments.items():
        if argument in step.arguments:
            value = step.arguments[argument]
            yield Condition(
                f"{mark}{argument}",
                ConditionKind.ARGUMENT,
                target,
                _equals(value, f"{mark}arguments.{argument}"),
                f"{argument} is the {target}",
            )
    for each in tool.preconditions:
        yield Condition(f"{mark}{each.name}", each.kind, each.target, each.predicate, each.says)


def _equals(value: Json, place: str) -> Predicate:
    try:
        return make_predicate("equals", value)
    except PredicateError as error:
        raise InvalidInput(place, str(error)) from None


def _setter(tools: Sequence[Tool], target: str, index: int) -> int | None:
    """Return the last step before `index` that sets a target."""
    earlier = (k for k in reversed(range(index)) if target in tools[k].establishes)
    return next(earlier, None)


def _holds(tool: Tool, step: Step, condition: Condition) -> bool:
    """Whether what a step sets a target to is what a condition asks of it."""
    stated = tool.establishes[condition.target]
    value = stated.value if stated.argument is None else step.arguments.get(stated.argument)
    if condition.predicate is None:
        return True
    found: Finding = evaluate(condition.predicate, value)
    return found.value is True


def _substituted(
    names: Sequence[str], replaced: Mapping[str, list[tuple[str, ...]]]
) -> Iterator[tuple[str, ...]]:
    """Yield a mode for each way in which all of its names can be violated."""
    # An optional argument that was not given has no condition, and cannot be violated.
    ways = [replaced.get(name, []) for name in names]
    if prod(len(way) for way in ways) > MAX_MODES:
        raise InvalidInput("prefix", _TOO_MANY)
    seen = set()
    for chosen in product(*ways):
        mode = tuple(dict.fromkeys(name for part in chosen for name in part))
        if mode not in seen:
            seen.add(mode)
            yield mode
