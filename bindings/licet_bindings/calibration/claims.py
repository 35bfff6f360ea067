"""Claims from JSON Lines: each with its features, and those to fit on with the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, WithJsonSchema
from pydantic_core import PydanticKnownError

from licet_bindings.calibration.features import (
    Features,
    FeaturesModel,
    ShortText,
    Value,
    kind_of_value,
    short_text,
)
from licet_bindings.errors import DocumentError
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.models import SCHEMA_KEY, keys_of
from licet_bindings.records.reading import (
    LINES_SUFFIXES,
    FilePath,
    Record,
    UnreadableRecord,
    display,
    open_records,
)

MAX_CLAIMS = 200_000
"""Claims in one file, at most."""


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise PydanticKnownError("bool_type")
    return value


# A key that may be left out has None then; written out, null is refused like any other value.
_OptionalTruth: TypeAlias = Annotated[
    bool | None, PlainValidator(_truth), WithJsonSchema({"type": "boolean"})
]
_OptionalText: TypeAlias = Annotated[
    str | None, PlainValidator(short_text), WithJsonSchema({"type": "string", "minLength": 1})
]


class ClaimLineModel(BaseModel):
    """A claim that was remembered, one a line."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    claim: ShortText = Field(description="The claim's name.")
    family: _OptionalText = Field(
        default=None,
        description="What kind of case it is from, to fit and to report: families are held out as"
        " a whole. Never a feature.",
    )
    features: Features
    wrong: _OptionalTruth = Field(
        default=None, description="Whether the claim was wrong, to fit and to report."
    )
    says: str = Field(default="", description="What it claims, for people.")
    error: Any = Field(
        default=None,
        description="The probability that it is wrong, as `licet calibrate apply` writes it;"
        " nothing reads it.",
    )


@dataclass(frozen=True, slots=True)
class RememberedClaim:
    """A claim as a file states it.

    Attributes:
        place: where it is stated, for messages.
        name: its own.
        features: what is known of it.
        content: all that the line holds.
        family: the family that it is from, if it says so.
        wrong: whether it was wrong, if it says so.
    """

    place: str
    name: str
    features: Mapping[str, Value]
    content: Record
    family: str | None = None
    wrong: bool | None = None


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim with the truth about it.

    Attributes:
        family: the family that it is from.
        features: what is known of it.
        wrong: whether it was wrong.
    """

    family: str
    features: Mapping[str, Value]
    wrong: bool

    @property
    def raw(self) -> float:
        """The error probability that the raw confidence states: 1 less it."""
        return 1 - float(self.features["confidence"])


def read_claims(path: FilePath) -> tuple[RememberedClaim, ...]:
    """Read claims from JSON Lines, one a line.

    Raises:
        DocumentError: the file cannot be read or has no claim, a line is no valid claim, or its
            features are not those of the first line.
    """
    name = display(path)
    if not name.lower().endswith(LINES_SUFFIXES):
        raise DocumentError(
            name, "", f"expected a file name that ends in one of {', '.join(LINES_SUFFIXES)}"
        )
    claims: list[RememberedClaim] = []
    for found in open_records(path):
        if isinstance(found, UnreadableRecord):
            raise DocumentError(found.name, found.place, found.problem)
        if len(claims) == MAX_CLAIMS:
            raise DocumentError(name, "", f"expected at most {MAX_CLAIMS:,} claims")
        claim = claim_of(found.content, found.name)
        require_alike(claims[0] if claims else claim, claim)
        claims.append(claim)
    return tuple(claims)


def claim_of(content: Record, place: str) -> RememberedClaim:
    """Make a claim of what a line holds.

    Raises:
        DocumentError: it is no valid claim.
    """
    try:
        model = ClaimLineModel.model_validate(content)
    except ValidationError as error:
        raise document_error(place, error, content, _SHAPE) from None
    return RememberedClaim(
        place, model.claim, model.features.values_by_name(), content, model.family, model.wrong
    )


def require_alike(first: RememberedClaim, claim: RememberedClaim) -> None:
    """Return if a claim has the features of the first, of the same kinds.

    Raises:
        DocumentError: it has not.
    """
    for name in first.features:
        if name not in claim.features:
            raise DocumentError(
                claim.place,
                f"features.{name}",
                f"expected this key, as in {first.place}, found none",
            )
    for name, value in claim.features.items():
        place = f"features.{name}"
        if name not in first.features:
            raise DocumentError(claim.place, place, f"expected no such key, as in {first.place}")
        kind, wanted = kind_of_value(value), kind_of_value(first.features[name])
        if kind is not wanted:
            raise DocumentError(
                claim.place,
                place,
                f"expected a {wanted.value}, as in {first.place}, found a {kind.value}",
            )


def known_claims(claims: Iterable[RememberedClaim]) -> Sequence[KnownClaim]:
    """Return claims with their families and the truth about them.

    Raises:
        DocumentError: one of them does not state them.
    """
    return tuple(map(_known, claims))


def _known(claim: RememberedClaim) -> KnownClaim:
    if claim.family is None:
        raise DocumentError(claim.place, "family", "expected this key, found none")
    if claim.wrong is None:
        raise DocumentError(claim.place, "wrong", "expected this key, found none")
    return KnownClaim(claim.family, claim.features, claim.wrong)


def _keys_at(location: Location) -> Iterator[str]:
    return iter(keys_of(ClaimLineModel if location == () else FeaturesModel))


_SHAPE = DocumentShape(_keys_at)
