"""Arguments as JSON that say all that runs: what cannot be shown whole is not granted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from licet import InvalidInput
from licet_bindings.records.values import Json

_HIDDEN = "they cannot be shown whole: a value is masked, left out or changed when it is written"


def dumped(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Json]:
    """Return arguments as a model validates them, as JSON from which it makes the same again.

    Raises:
        InvalidInput: what would run is not what the JSON says: a secret is masked, a field is left
            out, or another value comes back.
        ValueError: the arguments are not what the model takes.
    """
    validated = model.model_validate(given)
    found: dict[str, Json] = validated.model_dump(mode="json", by_alias=True)
    require_same(lambda: model.model_validate(found) == validated)
    return found


def require_same(is_same: Callable[[], bool]) -> None:
    """Return if what was written as JSON is read as the same again.

    Raises:
        InvalidInput: it is not, or cannot be read again.
    """
    try:
        same = is_same()
    except Exception:
        same = False
    if not same:
        raise InvalidInput("arguments", _HIDDEN)
