"""Actions before they commit, and what is remembered, as documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import fspath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from licet_bindings.errors import DocumentError, dotted
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of
from licet_bindings.premises.arguments import plain
from licet_bindings.premises.models import (
    MAX_MEMORIES,
    MAX_STEPS,
    ActionModel,
    MemoriesModel,
    MemoryModel,
    StepModel,
)
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced
from licet_bindings.trees import FilePath, read_tree, tree_of

_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a tool, with its arguments as JSON."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """A candidate action before it commits.

    Attributes:
        name: the document's name, for messages.
        step: the call.
        prefix: the steps of the plan before it, in order.
    """

    name: str
    step: Step
    prefix: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """What was found of a public target.

    Attributes:
        identifier: its name.
        target: the target.
        value: what was found, as JSON.
        error: the calibrated probability that it is wrong.
        says: what it claims, for people.
        tree: the document's own words, which go to a candidate's claim.
    """

    identifier: str
    target: str
    value: Json
    error: Fraction
    says: str
    tree: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Memories:
    """What was retrieved for an action; `name` is the document's, for messages."""

    name: str
    entries: Mapping[str, Memory]

    def of_target(self, target: str) -> tuple[Memory, ...]:
        """Return the memories of a target, the one that is least likely wrong first."""
        found = [memory for memory in self.entries.values() if memory.target == target]
        return tuple(sorted(found, key=lambda memory: (memory.error, memory.identifier)))


def read_action(path: FilePath) -> PlannedAction:
    """Read an action from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid action.
    """
    return action_of(read_tree(path), fspath(path))


def build_action(content: Mapping[str, object], name: str = "action") -> PlannedAction:
    """Make an action of Python values.

    Raises:
        DocumentError: it is no valid action.
    """
    return action_of(tree_of(content, name), name)


def action_of(tree: object, name: str) -> PlannedAction:
    """Make an action of a strict tree.

    Raises:
        DocumentError: it is no valid action.
    """
    refuse_other_kind(tree, name, Kind.ACTION)
    model = _model(ActionModel, tree, name, _ACTION)
    try:
        if len(model.prefix) > MAX_STEPS:
            problem = f"expected at most {MAX_STEPS} steps, found {len(model.prefix):,}"
            raise Misplaced(problem, ("prefix",))
        prefix = tuple(_step(step, ("prefix", index)) for index, step in enumerate(model.prefix))
        return PlannedAction(name, _step(model, ()), prefix)
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None


def read_memories(path: FilePath) -> Memories:
    """Read memories from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds are no valid memories.
    """
    return memories_of(read_tree(path), fspath(path))


def build_memories(content: Mapping[str, object], name: str = "memories") -> Memories:
    """Make memories of Python values.

    Raises:
        DocumentError: they are no valid memories.
    """
    return memories_of(tree_of(content, name), name)


def memories_of(tree: object, name: str) -> Memories:
    """Make memories of a strict tree.

    Raises:
        DocumentError: they are no valid memories.
    """
    refuse_other_kind(tree, name, Kind.MEMORIES)
    model = _model(MemoriesModel, tree, name, _MEMORIES)
    assert isinstance(tree, dict)
    try:
        if len(model.memories) > MAX_MEMORIES:
            problem = f"expected at most {MAX_MEMORIES:,}, found {len(model.memories):,}"
            raise Misplaced(problem, ("memories",))
        entries = {
            identifier: _memory(identifier, shape, tree["memories"][identifier])
            for identifier, shape in model.memories.items()
        }
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    return Memories(name, entries)


def _model(kind: type[_Model], tree: object, name: str, shape: DocumentShape) -> _Model:
    try:
        return kind.model_validate(tree)
    except ValidationError as error:
        raise document_error(name, error, tree, shape) from None


def _step(shape: StepModel, place: tuple[str | int, ...]) -> Step:
    return Step(shape.tool, plain(shape.arguments, (*place, "arguments")))


def _memory(identifier: str, shape: MemoryModel, tree: Mapping[str, Any]) -> Memory:
    place = ("memories", identifier)
    value = plain({"value": shape.value}, place)["value"]
    if value is None:
        raise Misplaced("expected what was found, found null", (*place, "value"))
    return Memory(identifier, shape.target, value, shape.error, shape.says, tree)


def _action_keys(location: Location) -> Iterable[str]:
    return keys_of(StepModel if location else ActionModel)


def _memory_keys(location: Location) -> Iterable[str]:
    return keys_of(MemoryModel if location else MemoriesModel)


_ACTION = DocumentShape(_action_keys)
_MEMORIES = DocumentShape(_memory_keys)
