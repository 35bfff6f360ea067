"""Contracts of tools as documents: what each rests on in public, and what it costs to be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from os import fspath
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from licet_bindings.atoms import predicate_of
from licet_bindings.errors import DocumentError, dotted, expected_one_of
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.gate.models import FailureModeModel, LossModel, VerifierModel
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import keys_of
from licet_bindings.premises.arguments import check_schema, plain
from licet_bindings.premises.models import (
    MAX_TOOLS,
    ArgumentModel,
    ContractsModel,
    EstablishedModel,
    PreconditionModel,
    ProposedModel,
    ToolModel,
)
from licet_bindings.records.predicates import Predicate
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced
from licet_bindings.trees import FilePath, read_tree, tree_of


class ConditionKind(Enum):
    """What a condition is about: an argument's value, the environment, or what is allowed."""

    ARGUMENT = "argument"
    ENVIRONMENT = "environment"
    POLICY = "policy"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class Precondition:
    """What has to hold of a target for a tool to work, or to be allowed.

    Attributes:
        name: its name in the tool's contract.
        kind: ENVIRONMENT or POLICY.
        target: the public target.
        predicate: what has to hold of it.
        says: the condition, for people.
    """

    name: str
    kind: ConditionKind
    target: str
    predicate: Predicate
    says: str = ""


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to fail: the names that are violated together, the loss, and its group or none."""

    names: tuple[str, ...]
    impact: Fraction
    group: str | None


@dataclass(frozen=True, slots=True)
class Established:
    """What a target is set to: a value, or, where `argument` is stated, that argument's."""

    value: Json
    argument: str | None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool's public contract.

    Attributes:
        name: the tool's.
        commits: whether it changes state or has consequences outside.
        input_schema: the JSON Schema of its arguments; empty where none is stated.
        arguments: the target whose value an argument has to be, by the argument.
        preconditions: in the contract's order.
        establishes: what it sets targets to.
        modes: how it fails, by the names of arguments and preconditions.
    """

    name: str
    commits: bool
    input_schema: Mapping[str, Any]
    arguments: Mapping[str, str]
    preconditions: Sequence[Precondition]
    establishes: Mapping[str, Established]
    modes: Sequence[Mode]


@dataclass(frozen=True, slots=True)
class Contracts:
    """The contracts of tools.

    Attributes:
        name: the document's name, for messages.
        tools: by their names.
        verifiers: for each the targets that it covers.
        proposed: what a violated premise costs that only an extractor proposed: loss and group;
            None: the greatest impact in the tool's contract.
        unremembered: the probability that a premise is violated of which no memory says anything.
        tree: the document itself, of which verifiers, loss and budget go to candidates.
    """

    name: str
    tools: Mapping[str, Tool]
    verifiers: Mapping[str, tuple[str, ...]]
    proposed: tuple[Fraction, str | None] | None
    unremembered: Fraction | None
    tree: Mapping[str, Any]

    @property
    def targets(self) -> frozenset[str]:
        """All public targets: what a contract or a verifier names."""
        found: set[str] = set()
        for tool in self.tools.values():
            found.update(tool.arguments.values(), tool.establishes)
            found.update(precondition.target for precondition in tool.preconditions)
        return frozenset(found.union(*self.verifiers.values()))


def read_contracts(path: FilePath) -> Contracts:
    """Read contracts from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds are no valid contracts.
    """
    return contracts_of(read_tree(path), fspath(path))


def build_contracts(content: Mapping[str, object], name: str = "contracts") -> Contracts:
    """Make contracts of Python values: what `json.loads` would give, or a TOML reader.

    Raises:
        DocumentError: they are no valid contracts.
    """
    return contracts_of(tree_of(content, name), name)


def contracts_of(tree: object, name: str) -> Contracts:
    """Make contracts of a strict tree.

    Raises:
        DocumentError: they are no valid contracts.
    """
    refuse_other_kind(tree, name, Kind.CONTRACTS)
    try:
        model = ContractsModel.model_validate(tree)
        if len(model.tools) > MAX_TOOLS:
            problem = f"expected at most {MAX_TOOLS:,} in one document, found {len(model.tools):,}"
            raise Misplaced(problem, ("tools",))
        tools = {tool: _tool(tool, shape) for tool, shape in model.tools.items()}
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    proposed = model.proposed
    return Contracts(
        name,
        tools,
        {verifier: tuple(shape.covers) for verifier, shape in model.verifiers.items()},
        None if proposed is None else (proposed.impact, proposed.group),
        model.unremembered,
        cast(dict[str, Any], tree),
    )


def _tool(name: str, shape: ToolModel) -> Tool:
    place = ("tools", name)
    schema = plain(shape.input_schema, (*place, "input_schema"))
    check_schema(schema, (*place, "input_schema"))
    tool = Tool(
        name,
        shape.commits,
        schema,
        {argument: stated.target for argument, stated in shape.arguments.items()},
        tuple(_preconditions(shape, place)),
        {
            target: _established(stated, (*place, "establishes", target))
            for target, stated in shape.establishes.items()
        },
        tuple(Mode(tuple(m.premises), m.impact, m.group) for m in shape.failure_modes),
    )
    _check_names(tool, place)
    return tool


def _established(stated: EstablishedModel, place: tuple[str, ...]) -> Established:
    return Established(plain({"value": stated.value}, place)["value"], stated.argument)


def _preconditions(shape: ToolModel, place: tuple[str, ...]) -> Iterator[Precondition]:
    for name, stated in shape.preconditions.items():
        here = (*place, "preconditions", name)
        predicate = predicate_of(stated, here)
        kind = ConditionKind(stated.kind)
        yield Precondition(name, kind, stated.target, predicate, stated.says)


def _check_names(tool: Tool, place: tuple[str, ...]) -> None:
    """Refuse names that mean two things, modes about nothing, and conditions without a cost."""
    known = [*tool.arguments, *(each.name for each in tool.preconditions)]
    for condition in tool.preconditions:
        if condition.name in tool.arguments:
            problem = "expected another name than an argument's"
            raise Misplaced(problem, (*place, "preconditions", condition.name))
    for index, mode in enumerate(tool.modes):
        here: tuple[str | int, ...] = (*place, "failure_modes", index, "premises")
        for position, name in enumerate(mode.names):
            if name not in known:
                hint = expected_one_of(name, known)
                raise Misplaced(f"no argument or precondition is named {name!r}; {hint}", here)
            if name in mode.names[:position]:
                raise Misplaced(f"expected each name once, found {name!r} twice", here)
    costly = {name for mode in tool.modes for name in mode.names}
    free = [name for name in known if name not in costly]
    if tool.commits and free:
        problem = f"expected a mode that names {free[0]!r}: without one its violation costs nothing"
        raise Misplaced(problem, (*place, "failure_modes"))


_MODELS: dict[Location, type[BaseModel]] = {
    (): ContractsModel,
    ("tools", 2): ToolModel,
    ("tools", "arguments", 4): ArgumentModel,
    ("tools", "preconditions", 4): PreconditionModel,
    ("tools", "establishes", 4): EstablishedModel,
    ("tools", "failure_modes", 4): FailureModeModel,
    ("verifiers", 2): VerifierModel,
    ("loss", 1): LossModel,
    ("proposed", 1): ProposedModel,
}
"""By the section, what part of a tool, and how deep; names and positions left out."""


def _keys_at(location: Location) -> Iterable[str]:
    depth = (len(location),) if location else ()
    return keys_of(_MODELS.get((*location[:1], *location[2:3], *depth), ContractsModel))


_SHAPE = DocumentShape(_keys_at)
