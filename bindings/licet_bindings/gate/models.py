"""The shape of a gate candidate as pydantic models, from which the JSON Schema is published.

The models say what a document may hold, key by key. What the parts say together (that a premise's
claim exists, that no name comes twice) the kernel says.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticKnownError

from licet import InvalidInput
from licet.objects import identifier
from licet.rationals import Number, non_negative, positive, probability
from licet_bindings.amounts import number_only
from licet_bindings.calibration.features import Features
from licet_bindings.errors import shown
from licet_bindings.models import (
    SCHEMA_KEY,
    UNIQUE,
    Cost,
    Identifier,
    OptionalBudget,
    OptionalProbability,
    Version,
)

MAX_CLAIMS: Final = 100
"""Claims in one candidate, at most."""

MAX_PARTS: Final = 1_000
"""Premises, failure modes or verifiers in one candidate, at most."""

_KEYS: Final[dict[str, Any]] = {"additionalProperties": False}


def _probability(value: Number) -> Fraction:
    number_only(value, "")
    return probability(value, "")


def _loss(value: Number) -> Fraction:
    number_only(value, "")
    return non_negative(value, "")


def _positive_loss(value: Number) -> Fraction:
    number_only(value, "")
    return positive(value, "")


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput("", f"expected text, found {shown(value)}")
    return identifier(value, "")


def _whole(value: object) -> int:
    # True equals 1 in Python, and 1.0 too; neither says how often.
    if type(value) is not int or value < 0:
        raise InvalidInput("", f"expected a whole number of at least 0, found {shown(value)}")
    return value


Probability: TypeAlias = Annotated[
    Fraction,
    PlainValidator(_probability),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Loss: TypeAlias = Annotated[
    Fraction, PlainValidator(_loss), WithJsonSchema({"type": "number", "minimum": 0})
]
PositiveLoss: TypeAlias = Annotated[
    Fraction,
    PlainValidator(_positive_loss),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
# A key that may be left out has None then; written out, null is refused like any other value.
OptionalIdentifier: TypeAlias = Annotated[
    str | None,
    PlainValidator(_name),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$"}),
]
OptionalLoss: TypeAlias = Annotated[
    Fraction | None, PlainValidator(_loss), WithJsonSchema({"type": "number", "minimum": 0})
]
Uses: TypeAlias = Annotated[
    int, PlainValidator(_whole), WithJsonSchema({"type": "integer", "minimum": 0})
]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def not_null(value: object) -> object:
    """Refuse null where a key may be left out."""
    # Left out, it is None; written out, null is refused like any other value.
    if value is None:
        raise PydanticKnownError("dict_type")
    return value


def no_null(schema: dict[str, Any]) -> None:
    """Take null out of the schema of a key that may be left out."""
    schema.update(schema.pop("anyOf")[0])


class ClaimModel(_Model):
    """A memory entry and the calibrated probability that it is wrong."""

    error: Probability = Field(description="The calibrated probability that the claim is wrong.")
    says: str = Field(default="", description="What it claims, for people.")
    source: str = Field(default="", description="Where it comes from, for people.")
    written: str = Field(default="", description="When it was written, for people.")
    draw: OptionalIdentifier = Field(
        default=None,
        description="Claims of one draw share one latent variable; one without is independent.",
    )
    features: Annotated[Features | None, BeforeValidator(not_null)] = Field(
        default=None,
        description="What is known of it, from which `licet calibrate apply` fills in the error;"
        " a gate reads the error alone.",
        json_schema_extra=no_null,
    )


class PremiseModel(_Model):
    """A proposition that the action rests on, supported by a claim."""

    claim: Identifier
    required: bool = Field(
        default=True, description="Whether its violation can ask for a new plan."
    )
    contradicts: bool = Field(
        default=False,
        description="The stored value contradicts the premise: violated when the claim is right.",
    )


class FailureModeModel(_Model):
    """A way in which the action fails: active when all its premises are violated."""

    premises: list[Identifier] = Field(min_length=1, json_schema_extra=UNIQUE)
    impact: Loss = Field(description="The loss when it is active.")
    group: OptionalIdentifier = Field(
        default=None,
        description="Modes of one group are charged the greatest active impact once; a mode"
        " without one is a group of its own.",
    )


_RATES: Final[dict[str, Any]] = {
    "oneOf": [
        {
            "required": ["reliability"],
            "not": {"anyOf": [{"required": ["sensitivity"]}, {"required": ["specificity"]}]},
        },
        {"required": ["sensitivity", "specificity"], "not": {"required": ["reliability"]}},
    ]
}


class VerifierModel(_Model):
    """A check that answers support or refute about whether any claim that it covers is wrong."""

    model_config = ConfigDict(json_schema_extra=_RATES)

    cost: Cost = Field(
        description="In the budget's units: at most 6 digits before the decimal point, 6 after."
    )
    covers: list[Identifier] = Field(min_length=1, json_schema_extra=UNIQUE)
    reliability: OptionalProbability = Field(
        default=None, description="Stands for sensitivity and specificity, both equal to it."
    )
    sensitivity: OptionalProbability = Field(
        default=None,
        description="The probability that it refutes when some covered claim is wrong.",
    )
    specificity: OptionalProbability = Field(
        default=None, description="The probability that it supports when none is."
    )
    uses: Uses = Field(default=1, description="How often it may be asked.")
    available: bool = True

    @model_validator(mode="after")
    def _rates_are_given_once(self) -> Self:
        rates = (self.sensitivity, self.specificity)
        if (None in rates) if self.reliability is None else (rates != (None, None)):
            raise InvalidInput("", "expected either reliability, or sensitivity and specificity")
        return self


class LossModel(_Model):
    """The cost of being wrong, and the screens on Proceed."""

    abstain: PositiveLoss = Field(description="kappa, the loss of abstaining.")
    price: Loss = Field(description="lambda, the loss of one unit of verification cost.")
    harm_loss: Loss = Field(
        default=Fraction(0),
        json_schema_extra={"default": 0},
        description="delta; an outcome of greater loss counts as harm.",
    )
    max_harm_probability: OptionalProbability = Field(
        default=None, description="epsilon; Proceed is admissible only up to it."
    )
    max_expected_loss: OptionalLoss = Field(
        default=None, description="A cap on the expected loss of Proceed."
    )
    invalidation: OptionalProbability = Field(
        default=None,
        description="rho; a required premise whose violation reaches it asks for a new plan.",
    )


class CandidateModel(_Model):
    """A gate candidate: an action before it commits, and all that its gate decides on."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    action: Identifier
    claims: dict[Identifier, ClaimModel] = Field(
        json_schema_extra={**_KEYS, "maxProperties": MAX_CLAIMS}
    )
    premises: dict[Identifier, PremiseModel] = Field(
        json_schema_extra={**_KEYS, "maxProperties": MAX_PARTS}
    )
    failure_modes: list[FailureModeModel] = Field(
        min_length=1, json_schema_extra={"maxItems": MAX_PARTS}
    )
    verifiers: dict[Identifier, VerifierModel] = Field(
        default={}, json_schema_extra={**_KEYS, "maxProperties": MAX_PARTS}
    )
    loss: LossModel
    budget: OptionalBudget = Field(
        default=None,
        description="Verification cost that may be spent, over all replans: at most 9 digits before"
        " the decimal point, 6 after. Left out, what every use of every available verifier costs.",
    )
