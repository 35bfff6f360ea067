"""The JSON Schema of review programs, generated from the models.

`python -m licet_bindings.schema` prints it, and so does `licet schema`. The published copy is
`docs/schema/review-program.schema.json`; a test holds it to what is printed.
"""

from __future__ import annotations

import json
from typing import Any

from licet_bindings.models import ProgramModel


def program_schema() -> str:
    """Return the JSON Schema of review programs (draft 2020-12), as text that ends in a line feed.

    It says what keys there are and what kinds of value they take. What needs more than that to
    see (that a route's atoms exist, that utilities rise, that an expression compiles) is refused
    when the document is read, with the place named.
    """
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "licet review program",
        **_without_noise(ProgramModel.model_json_schema()),
    }
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"


def _without_noise(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the titles, which repeat the keys, and null as a default, which no key takes."""
    return {
        key: _without_noise(value) if isinstance(value, dict) else value
        for key, value in schema.items()
        if key != "title" and not (key == "default" and value is None)
    }


if __name__ == "__main__":
    print(program_schema(), end="")
