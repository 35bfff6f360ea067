"""The faults that pydantic found, in the order of the document and in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from licet import Fault, InvalidInput
from licet_bindings.errors import DocumentError, dotted, expected_one_of, shown

Location: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the outside in, as pydantic names them."""

_EXPECTED: Final = {
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


class DocumentShape(NamedTuple):
    """What one kind of document looks like to pydantic.

    Attributes:
        keys_at: the keys that the object at a location may have.
        tag_at: for a key at the top, where in its locations pydantic names the branch of a union
            that it took.
        apart: by a key at the top, the keys of which an object in it has one alone.
    """

    keys_at: Callable[[Location], Iterable[str]]
    tag_at: Mapping[str | int, int] = {}
    apart: Mapping[str | int, tuple[str, ...]] = {}


def document_error(
    name: str, error: ValidationError, tree: object, shape: DocumentShape
) -> DocumentError:
    """Return the refusal of a document with all its faults, the one that is met first in front."""
    found = faults_in_order(error, tree, shape)
    return DocumentError.of(name, [Fault(dotted(path), problem) for path, problem in found])


def faults_in_order(
    error: ValidationError, tree: object, shape: DocumentShape
) -> list[tuple[Location, str]]:
    """Return the path and the problem of each fault, in the order of the document."""
    details = error.errors(include_url=False)
    # What is missing stands last in its object, after a key that may be its misspelling.
    details.sort(key=lambda detail: _position(_path(detail["loc"], shape), tree))
    return [(_path(detail["loc"], shape), _problem(detail, shape)) for detail in details]


def _path(location: Location, shape: DocumentShape) -> Location:
    """Return pydantic's location without its own words: the branch of a union, a mark at a key."""
    tag = shape.tag_at.get(location[0], len(location)) if location else 0
    path = location[:tag] + location[tag + 1 :]
    # A faulty key is marked by one more part, and has the key before it.
    return path[:-1] if len(path) > 1 and path[-1] == "[key]" else path


def _position(path: Location, tree: object) -> tuple[int, ...]:
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


def _problem(detail: ErrorDetails, shape: DocumentShape) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    match kind:
        case "missing":
            return "expected this key, found none"
        case "extra_forbidden":
            return _unknown_key(detail["loc"], shape)
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


def _unknown_key(location: Location, shape: DocumentShape) -> str:
    apart = shape.apart.get(location[0], ())
    if location[-1] in apart:
        return f"expected only one of {', '.join(apart)}"
    return f"unknown key; {expected_one_of(location[-1], sorted(shape.keys_at(location[:-1])))}"


def _value_problem(error: object, detail: ErrorDetails) -> str:
    if isinstance(error, InvalidInput):
        return error.problem
    return f"{error}, found {shown(detail['input'])}"
