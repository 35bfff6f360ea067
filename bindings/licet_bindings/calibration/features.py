"""The features of a claim: what is known of it without looking at the world (AMV, B.2)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from licet import InvalidInput
from licet.objects import identifier
from licet_bindings.errors import shown

Value: TypeAlias = float | bool | str
"""A feature's value: a number, true or false, or one word of several."""

MOST: Final = 1e12
"""How far from 0 a number may be."""

LONGEST_TEXT: Final = 200
"""The longest text of a feature, in characters."""

MAX_OWN: Final = 50
"""Features of one's own, at most."""

NOT_FEATURES: Final = frozenset({"claim", "error", "family", "wrong"})
"""What would tell a calibrator the truth, or which family it is in."""


class FeatureKind(Enum):
    """How a feature enters the logistic base."""

    NUMBER = "number"
    TRUTH = "truth"
    CATEGORY = "category"


def kind_of_value(value: Value) -> FeatureKind:
    """Return the kind of a feature that has this value."""
    if isinstance(value, bool):
        return FeatureKind.TRUTH
    return FeatureKind.CATEGORY if isinstance(value, str) else FeatureKind.NUMBER


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InvalidInput("", f"expected a number, found {shown(value)}")
    # NaN is within no bounds.
    if not -MOST <= value <= MOST:
        raise InvalidInput("", f"expected a number within {MOST:g} of 0, found {shown(value)}")
    return float(value)


def _count(value: object) -> float:
    found = _number(value)
    if found < 0 or found != int(found):
        raise InvalidInput("", f"expected a whole number of at least 0, found {shown(value)}")
    return found


def _age(value: object) -> float:
    found = _number(value)
    if found < 0:
        raise InvalidInput("", f"expected a number of at least 0, found {shown(value)}")
    return found


def _confidence(value: object) -> float:
    found = _number(value)
    if not 0 <= found <= 1:
        raise InvalidInput("", f"expected a probability from 0 to 1, found {shown(value)}")
    return found


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise PydanticKnownError("bool_type")
    return value


def short_text(value: object) -> str:
    """Return a text that is neither blank nor too long, or refuse the value."""
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    if not value.strip() or len(value) > LONGEST_TEXT or not value.isprintable():
        raise InvalidInput(
            "", f"expected a text of 1 to {LONGEST_TEXT} printed characters, found {shown(value)}"
        )
    return value


def _own(value: object) -> Value:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return short_text(value)
    if isinstance(value, int | float | Decimal):
        return _number(value)
    raise InvalidInput("", f"expected a number, true, false or text, found {shown(value)}")


_NAMES: Final[dict[str, Any]] = {
    "pattern": "^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$",
    "not": {"enum": sorted(NOT_FEATURES)},
}
_BOUNDED: Final = {"type": "number", "minimum": -MOST, "maximum": MOST}
_TEXT: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}

ShortText: TypeAlias = Annotated[str, PlainValidator(short_text), WithJsonSchema(_TEXT)]
Count: TypeAlias = Annotated[
    float,
    PlainValidator(_count),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": MOST}),
]
OwnValue: TypeAlias = Annotated[
    Value,
    PlainValidator(_own),
    WithJsonSchema({"anyOf": [_BOUNDED, {"type": "boolean"}, _TEXT]}),
]


def _plain(value: object) -> object:
    """Refuse names that no feature may have, before what stands under them is looked at."""
    if isinstance(value, Mapping):
        for name in value:
            identifier(name, "")
            if name in NOT_FEATURES:
                raise InvalidInput("", f"expected features only, found {name}, which is none")
        if len(value) > MAX_OWN + len(FeaturesModel.model_fields):
            raise InvalidInput("", f"expected at most {MAX_OWN} features of one's own")
    return value


class FeaturesModel(BaseModel):
    """What is known of a claim without looking at the world; further keys are features too."""

    model_config = ConfigDict(
        strict=True, extra="allow", frozen=True, json_schema_extra={"propertyNames": _NAMES}
    )
    __pydantic_extra__: dict[str, OwnValue]

    age: Annotated[
        float,
        PlainValidator(_age),
        WithJsonSchema({"type": "number", "minimum": 0, "maximum": MOST}),
    ] = Field(description="How long ago it was written, always in the same unit.")
    source: ShortText = Field(description="Where it came from, one word of few.")
    supports: Count = Field(description="Entries that say the same.")
    conflicts: Count = Field(description="Entries that say otherwise.")
    provenance: Annotated[bool, PlainValidator(_truth), WithJsonSchema({"type": "boolean"})] = (
        Field(description="Whether an observation is recorded that it came from.")
    )
    confidence: Annotated[
        float,
        PlainValidator(_confidence),
        WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
    ] = Field(description="How sure whoever wrote it was that it is right.")

    def values_by_name(self) -> dict[str, Value]:
        """Return all of them by name: the six that every claim has, then one's own by name."""
        own = self.__pydantic_extra__ or {}
        return {
            **{name: getattr(self, name) for name in type(self).model_fields},
            **{name: own[name] for name in sorted(own)},
        }


Features: TypeAlias = Annotated[FeaturesModel, BeforeValidator(_plain)]
FEATURES: Final = tuple(FeaturesModel.model_fields)
"""The features that every claim has."""
