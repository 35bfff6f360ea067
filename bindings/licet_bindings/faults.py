"""The first fault that pydantic found, in the order of the document and in plain words."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from licet import InvalidInput
from licet_bindings.errors import shown
from licet_bindings.models import (
    CheckModel,
    ConclusionModel,
    FieldAtomModel,
    FieldsAtomModel,
    ProgramModel,
    TextAtomModel,
)

# Where in a location pydantic names the branch of a union that it took.
_TAG_AT: Final[dict[str | int, int]] = {"atoms": 2, "order": 1}
_EXPECTED: Final = {
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def first_fault(error: ValidationError, tree: object) -> tuple[tuple[str | int, ...], str]:
    """Return the path and the problem of the fault that a reader of the document meets first."""
    details = error.errors(include_url=False)
    first = min(details, key=lambda detail: _position(_path(detail["loc"]), tree))
    return _path(first["loc"]), _problem(first)


def _path(location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return pydantic's location without its own words: which kind an atom is, a mark at a key."""
    tag = _TAG_AT.get(location[0], len(location)) if location else 0
    path = location[:tag] + location[tag + 1 :]
    # A faulty key is marked by one more part, and has the key before it.
    return path[:-1] if len(path) > 1 and path[-1] == "[key]" else path


def _position(path: tuple[str | int, ...], tree: object) -> tuple[int, ...]:
    """Return where a path stands in the document; what is missing stands at its object's end."""
    position: list[int] = []
    here = tree
    for part in path:
        if isinstance(here, dict):
            keys = list(here)
            position.append(keys.index(part) if part in here else len(keys))
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int):
            position.append(part)
            here = here[part]
    return tuple(position)


def _problem(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    match kind:
        case "missing":
            return "expected this key, found none"
        case "extra_forbidden":
            return f"unknown key; expected one of {', '.join(_known_keys(detail['loc']))}"
        case "value_error":
            return _value_problem(context.get("error"), detail)
        case "literal_error":
            return f"expected {context.get('expected')}, found {shown(detail['input'])}"
        case "too_short" | "too_long":
            bound = "least" if kind == "too_short" else "most"
            limit = context.get("min_length", context.get("max_length"))
            return f"expected at {bound} {limit}, found {context.get('actual_length')}"
    expected = _EXPECTED.get(kind)
    if expected is None:
        return f"{detail['msg']}, found {shown(detail['input'])}"
    return f"expected {expected}, found {shown(detail['input'])}"


def _known_keys(location: tuple[str | int, ...]) -> list[str]:
    match location[:-1]:
        case ():
            return sorted(ProgramModel.model_fields)
        case ("conclusions", _):
            return sorted(ConclusionModel.model_fields)
        case ("checks", _):
            return sorted(CheckModel.model_fields)
        case (_, _, "field"):
            return sorted(FieldAtomModel.model_fields)
        case (_, _, "fields"):
            return sorted(FieldsAtomModel.model_fields)
    return sorted(TextAtomModel.model_fields)


def _value_problem(error: object, detail: ErrorDetails) -> str:
    if isinstance(error, InvalidInput):
        return error.problem
    return f"{error}, found {shown(detail['input'])}"
