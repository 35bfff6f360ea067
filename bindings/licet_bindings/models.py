"""The shape of a review program as pydantic models, from which the JSON Schema is published.

The models say what a document may hold, key by key. What the parts say together (that a route's
atoms exist, that utilities rise along the order) the kernel's validation says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
)
from pydantic_core import PydanticKnownError

from licet import InvalidInput
from licet import Literal as AtomLiteral
from licet.objects import identifier
from licet.rationals import Number, exact
from licet_bindings.amounts import (
    BUDGET_DIGITS,
    COST_DIGITS,
    budget_number,
    cost_number,
    number_only,
    utility_number,
)
from licet_bindings.standards.expressions import LONGEST, parse_expression

SCHEMA_KEY: Final = "Where an editor finds this schema; read by nothing else."
UNIQUE: Final[dict[str, Any]] = {"uniqueItems": True}

_IDENTIFIER: Final = "[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}"


def _identifier(text: str) -> str:
    return identifier(text, "")


def _literal(text: str) -> str:
    try:
        return str(AtomLiteral.parse(text))
    except InvalidInput as fault:
        word, _, atom = text.partition(" ")
        if word.lower() != "not" or not re.fullmatch(_IDENTIFIER, atom.strip()):
            raise
        raise InvalidInput(fault.place, f"{fault.problem}; or `!{atom.strip()}`") from None


def _expression(text: str) -> str:
    parse_expression(text, "")
    return text


def _version(value: object) -> int:
    # True and 1.0 equal 1 in Python; neither is the number of a version.
    if type(value) is not int or value != 1:
        raise ValueError("expected 1, the version of the format")
    return 1


def _number(check: Callable[[Number, str], Fraction]) -> Callable[[Number], Fraction]:
    return lambda value: check(value, "")


def _probability(value: Number) -> Fraction:
    number_only(value, "")
    chance = exact(value, "")
    if not 0 <= chance <= 1:
        raise ValueError("expected a probability from 0 to 1")
    return chance


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise PydanticKnownError("string_type")
    return value


Version: TypeAlias = Annotated[int, PlainValidator(_version), WithJsonSchema({"const": 1})]
Identifier: TypeAlias = Annotated[
    str,
    AfterValidator(_identifier),
    WithJsonSchema({"type": "string", "pattern": f"^{_IDENTIFIER}$"}),
]
LiteralText: TypeAlias = Annotated[
    str,
    AfterValidator(_literal),
    WithJsonSchema({"type": "string", "pattern": f"^!?{_IDENTIFIER}$"}),
]
ExpressionText: TypeAlias = Annotated[
    str,
    AfterValidator(_expression),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST}),
]
_KEYS: Final[dict[str, Any]] = {"additionalProperties": False}
Utility: TypeAlias = Annotated[
    Fraction,
    PlainValidator(_number(utility_number)),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
Cost: TypeAlias = Annotated[
    Fraction,
    PlainValidator(_number(cost_number)),
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 10**COST_DIGITS}),
]
# A key that may be left out has None then; written out, null is refused like any other value.
OptionalBudget: TypeAlias = Annotated[
    Fraction | None,
    PlainValidator(_number(budget_number)),
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 10**BUDGET_DIGITS}),
]
OptionalText: TypeAlias = Annotated[
    str | None, PlainValidator(_text), WithJsonSchema({"type": "string"})
]
OptionalProbability: TypeAlias = Annotated[
    Fraction | None,
    PlainValidator(_probability),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Clause: TypeAlias = Annotated[list[LiteralText], Field(min_length=1)]
Pair: TypeAlias = Annotated[list[Identifier], Field(min_length=2, max_length=2)]
TestWord: TypeAlias = Literal[
    "exists",
    "absent",
    "equals",
    "differs",
    "one_of",
    "contains",
    "matches",
    "at_least",
    "at_most",
    "on_or_before",
    "on_or_after",
]


def _keys_without_default(schema: dict[str, Any]) -> None:
    """Mend the schema of an object that means something else when it is left out than empty."""
    schema.update(_KEYS)
    del schema["default"]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def keys_of(model: type[BaseModel]) -> list[str]:
    """Return the keys that a document may have for a model, but `$schema`."""
    return [name for name, field in model.model_fields.items() if field.alias is None]


class ConclusionModel(_Model):
    """Something that a review may report."""

    id: Identifier
    says: str = Field(description="The sentence that a report states.")
    utility: Utility = Field(
        description="Higher for a stronger conclusion; at most 15 significant digits."
    )


class _AtomModel(_Model):
    says: str = Field(description="The condition, as a sentence.")
    prior: OptionalProbability = Field(
        default=None,
        description="The probability that the condition holds, for planning; not hashed.",
    )


class TestedModel(_Model):
    """A test, and what it compares with."""

    __test__ = False  # Not a test class, whatever pytest makes of the name.

    test: TestWord
    value: Any = Field(default=None, description="What the test compares with, where it takes one.")
    date_format: OptionalText = Field(
        default=None,
        description="How the record writes its dates, as datetime.strptime takes it.",
    )


VALUE_RULE: Final[dict[str, Any]] = {
    "if": {"properties": {"test": {"enum": ["exists", "absent"]}}},
    "then": {"properties": {"value": {"type": "null"}}},
    "else": {"required": ["value"], "properties": {"value": {"not": {"type": "null"}}}},
}


class FieldAtomModel(TestedModel, _AtomModel):
    """A condition on one field of the record."""

    model_config = ConfigDict(json_schema_extra=VALUE_RULE)

    field: str = Field(description="A dotted path, or a JSON Pointer that begins with a slash.")


class FieldsAtomModel(TestedModel, _AtomModel):
    """A condition on the first of several candidate fields on which its test can be evaluated."""

    model_config = ConfigDict(json_schema_extra=VALUE_RULE)

    fields: list[str] = Field(
        min_length=1, description="Paths, tried in order.", json_schema_extra=UNIQUE
    )


class TextAtomModel(_AtomModel):
    """A condition that a person or a model judges on a text."""

    text: str = Field(description="The path of the text; atoms of one text share its read.")


def _atom_kind(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    kinds = ("field", "fields", "text")
    # Without any of them it is taken for a condition on a field, so that what is wrong is named.
    return next((kind for kind in kinds if kind in value), "field")


AtomModel: TypeAlias = Annotated[
    Annotated[FieldAtomModel, Tag("field")]
    | Annotated[FieldsAtomModel, Tag("fields")]
    | Annotated[TextAtomModel, Tag("text")],
    Discriminator(
        _atom_kind,
        custom_error_type="atom_kind",
        custom_error_message="expected an object with the keys says, and field and test, or text",
    ),
]


def _order_kind(value: object) -> str | None:
    if isinstance(value, list):
        return "pairs"
    return "chain" if value == "chain" else None


OrderModel: TypeAlias = Annotated[
    Annotated[Literal["chain"], Tag("chain")] | Annotated[list[Pair], Tag("pairs")],
    Discriminator(
        _order_kind,
        custom_error_type="order_kind",
        custom_error_message='expected "chain" or a list of [weaker, stronger] pairs',
    ),
]


class CheckModel(_Model):
    """A call that settles several atoms at once."""

    settles: list[Identifier] = Field(min_length=1, json_schema_extra=UNIQUE)
    cost: Cost = Field(
        default=Fraction(1),
        description="Calls that it costs: at most 6 digits before the decimal point, 6 after.",
        json_schema_extra={"default": 1},
    )


class ProgramModel(_Model):
    """A review program: which conclusions a review may report, and on which checks."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["routes"]}, {"required": ["standard"]}]}
    )

    schema_named: str = Field(default="", alias="$schema", description=SCHEMA_KEY)
    licet: Version = Field(description="The version of the format.")
    request: str = Field(default="", description="What is asked, for people.")
    conclusions: list[ConclusionModel] = Field(
        min_length=1, description="In a chain, weakest first."
    )
    order: OrderModel = Field(
        default="chain", description='"chain", or a list of [weaker, stronger] pairs.'
    )
    atoms: dict[Identifier, AtomModel] = Field(json_schema_extra=_KEYS)
    routes: dict[Identifier, list[list[LiteralText]]] = Field(
        default={},
        description="For each conclusion its routes; a literal is an atom's name, ! before it for"
        " its negation. Left out: the minimal routes of the standard.",
        json_schema_extra=_keys_without_default,
    )
    standard: dict[Identifier, ExpressionText] = Field(
        default={},
        description="For each conclusion when it is justified: atoms, and, or, not, parentheses."
        " The routes are compared with it; not hashed.",
        json_schema_extra=_keys_without_default,
    )
    constraints: list[Clause] = Field(
        default=[],
        description="Clauses, of each of which at least one literal holds in every record.",
    )
    checks: dict[Identifier, CheckModel] = Field(
        default={},
        description="Calls that settle several atoms; an atom in none is a call of its own, of"
        " cost 1.",
        json_schema_extra=_KEYS,
    )
    budget: OptionalBudget = Field(
        default=None,
        description="Calls that a review has, unless the caller says otherwise: at most 9 digits"
        " before the decimal point, 6 after.",
    )
