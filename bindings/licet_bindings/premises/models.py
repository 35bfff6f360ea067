"""The shapes of contracts, actions and memories as pydantic models, for the JSON Schemas."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from licet import InvalidInput
from licet_bindings.calibration.features import Features
from licet_bindings.gate.models import (
    FailureModeModel,
    Loss,
    LossModel,
    OptionalIdentifier,
    Probability,
    VerifierModel,
    no_null,
    not_null,
)
from licet_bindings.models import (
    SCHEMA_KEY,
    VALUE_RULE,
    Identifier,
    OptionalBudget,
    OptionalProbability,
    OptionalText,
    TestedModel,
    TestWord,
    Version,
)

MAX_TOOLS: Final = 1_000
"""Tools in one document of contracts, at most."""

MAX_MEMORIES: Final = 1_000
"""Memories in one document, at most."""

MAX_STEPS: Final = 100
"""Steps before an action, at most."""

_KEYS: Final[dict[str, Any]] = {"additionalProperties": False}


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ArgumentModel(_Model):
    """An argument whose value has to be that of a public target."""

    target: Identifier


class PreconditionModel(TestedModel):
    """What has to hold of a public target for the tool to work, or to be allowed."""

    model_config = ConfigDict(json_schema_extra=VALUE_RULE)

    kind: Literal["environment", "policy"]
    target: Identifier
    says: str = Field(default="", description="The condition, for people.")


_ONE_OF_TWO: Final[dict[str, Any]] = {
    "oneOf": [{"required": ["value"]}, {"required": ["argument"]}]
}


class EstablishedModel(_Model):
    """What a tool sets a target to: a value, or what one of its arguments says."""

    model_config = ConfigDict(json_schema_extra=_ONE_OF_TWO)

    value: Any = None
    argument: OptionalText = None

    @model_validator(mode="after")
    def _one_is_stated(self) -> Self:
        if (self.value is None) is (self.argument is None):
            raise InvalidInput("", "expected either value or argument")
        return self


class ToolModel(_Model):
    """A tool's public contract."""

    says: str = Field(default="", description="What it does, for people.")
    commits: bool = Field(
        description="Whether it changes state or has consequences outside; only such actions have"
        " premises."
    )
    input_schema: dict[str, Any] = Field(
        default={}, description="The JSON Schema of its arguments, as a server publishes it."
    )
    arguments: dict[Identifier, ArgumentModel] = Field(
        default={},
        description="Arguments that state the value of a target.",
        json_schema_extra=_KEYS,
    )
    preconditions: dict[Identifier, PreconditionModel] = Field(default={}, json_schema_extra=_KEYS)
    establishes: dict[Identifier, EstablishedModel] = Field(
        default={},
        description="Targets that it sets: a later step has them from it, not from memory.",
        json_schema_extra=_KEYS,
    )
    failure_modes: list[FailureModeModel] = Field(
        default=[],
        description="What it costs when arguments and preconditions are violated, by their names:"
        " one, or several that only matter together.",
    )


class ProposedModel(_Model):
    """What it costs when a premise that an extractor proposed is violated."""

    impact: Loss
    group: OptionalIdentifier = None


class ContractsModel(_Model):
    """The public contracts of tools, what can verify their targets, and the cost of being wrong."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    tools: dict[Identifier, ToolModel] = Field(
        min_length=1, json_schema_extra={**_KEYS, "maxProperties": MAX_TOOLS}
    )
    verifiers: dict[Identifier, VerifierModel] = Field(
        default={},
        description="As in a candidate; but `covers` names targets.",
        json_schema_extra=_KEYS,
    )
    loss: LossModel
    budget: OptionalBudget = Field(
        default=None, description="Verification cost that may be spent on one action."
    )
    proposed: Annotated[ProposedModel | None, BeforeValidator(not_null)] = Field(
        default=None,
        description="Left out: the greatest impact in the tool's contract.",
        json_schema_extra=no_null,
    )
    unremembered: OptionalProbability = Field(
        default=None,
        description="The probability that a premise of which no memory says anything is violated."
        " Left out: an action with such a premise has no candidate.",
    )


class StepModel(_Model):
    """A call of a tool."""

    tool: Identifier
    arguments: dict[str, Any] = {}


class ActionModel(StepModel):
    """An action before it commits, and the steps of its plan before it."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    prefix: list[StepModel] = Field(
        default=[],
        description="The steps before it, in order.",
        json_schema_extra={"maxItems": MAX_STEPS},
    )


class MemoryModel(_Model):
    """A memory: what was found of a public target."""

    target: Identifier
    value: Any = Field(description="What was found; JSON, and not null.")
    error: Probability = Field(description="The calibrated probability that it is wrong.")
    says: str = Field(default="", description="What it claims, for people.")
    source: str = Field(default="", description="Where it comes from, for people.")
    written: str = Field(default="", description="When it was written, for people.")
    draw: OptionalIdentifier = Field(
        default=None,
        description="Memories of one draw share one latent variable; one without is independent.",
    )
    features: Annotated[Features | None, BeforeValidator(not_null)] = Field(
        default=None,
        description="What is known of it, from which `licet calibrate apply` fills in the error.",
        json_schema_extra=no_null,
    )


class MemoriesModel(_Model):
    """What is remembered, as it was retrieved for an action."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    memories: dict[Identifier, MemoryModel] = Field(
        json_schema_extra={**_KEYS, "maxProperties": MAX_MEMORIES}
    )


class IrrelevantModel(_Model):
    """A target that never mattered to a tool in training."""

    tool: Identifier
    target: Identifier
    flips: int = Field(ge=1, description="How often flipping it changed nothing.")


class FilterModel(_Model):
    """A counterfactual filter: what was proposed in training and never mattered."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    least: int = Field(ge=1, description="How many flips without effect it took.")
    irrelevant: list[IrrelevantModel]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(
        description="Of all but $schema and this, as JSON with sorted keys and no blanks."
    )


DependencyWord: TypeAlias = Literal["direct", "transitive", "joint"]


class ProposalModel(_Model):
    """A premise that an extractor proposes; it has to name something that there is."""

    name: Identifier
    says: str = Field(default="", description="The condition, for people.")
    memory: OptionalIdentifier = None
    verifier: OptionalIdentifier = None
    target: OptionalIdentifier = None
    test: TestWord | None = Field(
        default=None, description="Left out: that the target is as it is remembered."
    )
    value: Any = None
    date_format: OptionalText = None
    dependency: DependencyWord
    beside: list[Identifier] = Field(
        default=[], description="For a joint premise: those that it only matters together with."
    )
