"""The shape of a calibration as pydantic models, from which the JSON Schema is published."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, model_validator

from licet import InvalidInput
from licet_bindings.calibration.features import ShortText
from licet_bindings.calibration.measures import CLIP
from licet_bindings.errors import shown
from licet_bindings.models import SCHEMA_KEY, UNIQUE, Identifier, Version

_KEYS: Final[dict[str, Any]] = {"additionalProperties": False}


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InvalidInput("", f"expected a number, found {shown(value)}")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise InvalidInput("", "expected a finite number")
    return found


def _bounded(low: float, high: float, above: bool = False) -> PlainValidator:
    def check(value: object) -> float:
        found = _number(value)
        if not low <= found <= high or (above and found == low):
            bounds = f"above {low:g}" if above else f"from {low:g} to {high:g}"
            raise InvalidInput("", f"expected a number {bounds}, found {shown(value)}")
        return found

    return PlainValidator(check)


def _whole(value: object) -> int:
    # True equals 1 in Python, and 1.0 too; neither says how many.
    if type(value) is not int or value < 0:
        raise InvalidInput("", f"expected a whole number of at least 0, found {shown(value)}")
    return value


Real: TypeAlias = Annotated[float, PlainValidator(_number), WithJsonSchema({"type": "number"})]
Positive: TypeAlias = Annotated[
    float,
    _bounded(0, math.inf, above=True),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
NonNegative: TypeAlias = Annotated[
    float, _bounded(0, math.inf), WithJsonSchema({"type": "number", "minimum": 0})
]
UnitNumber: TypeAlias = Annotated[
    float, _bounded(0, 1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})
]
Chance: TypeAlias = Annotated[
    float,
    _bounded(*CLIP),
    WithJsonSchema({"type": "number", "minimum": CLIP[0], "maximum": CLIP[1]}),
]
Whole: TypeAlias = Annotated[
    int, PlainValidator(_whole), WithJsonSchema({"type": "integer", "minimum": 0})
]
Point: TypeAlias = Annotated[tuple[Real, Chance], Field(strict=False)]
Digest: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NumberTermModel(_Model):
    """A number: weight times (value less mean) by scale is added to the log-odds."""

    kind: Literal["number", "truth"] = Field(description="truth: true is 1, and false 0.")
    mean: Real
    scale: Positive
    weight: Real
    low: Real = Field(description="The least value that was fitted on; less counts as it.")
    high: Real = Field(description="The greatest value that was fitted on; more counts as it.")

    @model_validator(mode="after")
    def _has_a_range(self) -> Self:
        if self.low > self.high:
            raise InvalidInput("", "expected low to be at most high")
        return self


class CategoryTermModel(_Model):
    """A word: its weight is added to the log-odds; one that is not listed adds nothing."""

    kind: Literal["category"]
    weights: dict[ShortText, Real] = Field(min_length=1)


TermModel: TypeAlias = Annotated[NumberTermModel | CategoryTermModel, Field(discriminator="kind")]


class BaseTermsModel(_Model):
    """The logistic base: log-odds that a claim is wrong."""

    intercept: Real
    features: dict[Identifier, TermModel] = Field(json_schema_extra=_KEYS)


class PlattModel(_Model):
    """A logistic curve on the base's log-odds."""

    kind: Literal["platt"]
    slope: NonNegative
    intercept: Real


class BetaModel(_Model):
    """A beta calibration curve on the base's probability s: log-odds a ln s - b ln(1 - s) + c."""

    kind: Literal["beta"]
    a: NonNegative
    b: NonNegative
    c: Real


class IsotonicModel(_Model):
    """A rising curve of straight pieces between points, level outside of them."""

    kind: Literal["isotonic"]
    points: list[Point] = Field(
        min_length=1, description="The base's probability and the calibrated one, rising."
    )


CurveModel: TypeAlias = Annotated[
    PlattModel | BetaModel | IsotonicModel, Field(discriminator="kind")
]


class FittedModel(_Model):
    """What it was fitted on."""

    claims: Whole
    wrong: Whole
    families: list[ShortText] = Field(json_schema_extra=UNIQUE)


class CriteriaModel(_Model):
    """How a calibrator did on families that it was not fitted on."""

    worst_family_nll: NonNegative
    nll: NonNegative
    ece: UnitNumber


class MeasuresModel(_Model):
    """How good probabilities are; less is better."""

    ece: UnitNumber = Field(description="Expected calibration error over ten bins.")
    brier: UnitNumber = Field(description="Brier score.")
    nll: NonNegative = Field(description="Negative log-likelihood, in nats.")


class HeldOutModel(_Model):
    """How good probabilities are on families that no part of the pipeline was fitted on."""

    raw: MeasuresModel = Field(description="1 less the raw confidence, within [0.01, 0.99].")
    calibrated: MeasuresModel


class CalibrationModel(_Model):
    """A calibration: from a claim's features to the probability that it is wrong."""

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    base: BaseTermsModel
    calibrator: CurveModel
    fitted: FittedModel
    criteria: dict[Literal["platt", "beta", "isotonic"], CriteriaModel] = Field(
        description="By calibrator, what the one taken was chosen by."
    )
    held_out: HeldOutModel
    sha256: Digest = Field(
        description="Of all but $schema and this, as JSON with sorted keys and no blanks."
    )
