"""The faults that pydantic found, in the order of the document and in plain words."""

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
    ProgramModel,
)

# Where in a location pydantic names the branch of a union that it took.
_TAG_AT: Final[dict[str | int, int]] = {"atoms": 2, "order": 1}
_EXPECTED: Final = {
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def faults_in_order(
    error: ValidationError, tree: object
) -> list[tuple[tuple[str | int, ...], str]]:
    """Return the path and the problem of each fault, in the order of the document."""
    details = error.errors(include_url=False)
    # What is missing stands last in its object, after a key that may be its misspelling.
    details.sort(key=lambda detail: _position(_path(detail["loc"]), tree))
    return [(_path(detail["loc"]), _problem(detail)) for detail in details]


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
            return _unknown_key(detail["loc"])
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


# What the format has and this version refuses: not to be recommended.
_LATER: Final = frozenset({"constraints", "fields", "text"})


def _unknown_key(location: tuple[str | int, ...]) -> str:
    if _TAG_AT.get(location[0]) == 2 and location[-1] in _LATER:
        return "not supported by this version; expected no such key"
    known = ", ".join(key for key in _known_keys(location) if key not in _LATER)
    return f"unknown key; expected one of {known}"


def _known_keys(location: tuple[str | int, ...]) -> list[str]:
    match location[:-1]:
        case ():
            return sorted(ProgramModel.model_fields)
        case ("conclusions", _):
            return sorted(ConclusionModel.model_fields)
        case ("checks", _):
            return sorted(CheckModel.model_fields)
    # For an atom of another kind too: this version takes no other.
    return sorted(FieldAtomModel.model_fields)


def _value_problem(error: object, detail: ErrorDetails) -> str:
    if isinstance(error, InvalidInput):
        return error.problem
    return f"{error}, found {shown(detail['input'])}"
