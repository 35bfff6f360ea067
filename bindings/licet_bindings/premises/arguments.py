"""The arguments of a call, held to the JSON Schema that its tool publishes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from licet_bindings.atoms import json_value
from licet_bindings.errors import printable, shown
from licet_bindings.records.predicates import PredicateError
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced


def plain(content: Mapping[str, Any], place: tuple[str | int, ...]) -> dict[str, Json]:
    """Return an object as `json.loads` would give it.

    Raises:
        Misplaced: a number does not fit 64 bits.
    """
    try:
        return {key: json_value(value) for key, value in content.items()}
    except PredicateError as error:
        raise Misplaced(str(error), place) from None


def check_schema(schema: Mapping[str, Any], place: tuple[str | int, ...]) -> None:
    """Refuse what is no JSON Schema of an object of arguments.

    Raises:
        Misplaced: it is none.
    """
    if not schema:
        return
    try:
        Draft202012Validator.check_schema(schema)
    except Exception as error:
        problem = str(getattr(error, "message", error))
        raise Misplaced(f"expected a JSON Schema: {printable(problem)}", place) from None
    if schema.get("type", "object") != "object":
        found = shown(schema["type"])
        raise Misplaced(f"expected the schema of an object, found type {found}", place)


def misfit(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Return why arguments do not fit a schema; None where they do.

    Whatever the schema makes of them, be it an error of its own, is no fit.
    """
    if not schema:
        return None
    try:
        errors = sorted(
            Draft202012Validator(schema).iter_errors(arguments),
            key=lambda e: list(map(str, e.path)),
        )
    except Exception as error:
        return f"the input_schema cannot be applied: {printable(str(error))}"
    if not errors:
        return None
    place = ".".join(["arguments", *map(str, errors[0].path)])
    return f"{place}: {printable(errors[0].message)}"
