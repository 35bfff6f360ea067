"""JSON, TOML and YAML texts as strict trees: one value each, nothing lost, nothing guessed.

All three refuse keys that come twice, NaN and infinities, and numbers beyond `strict.MAX_DIGITS`.
Numbers of a program stay exact (`Decimal`); numbers of a record are read as every JSON reader
reads them, as `float` where they have a fraction or an exponent.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Final

from licet_bindings.literals import decimal, integer, twice
from licet_bindings.strict import (
    MAX_DIGITS,
    PROGRAM_LIMITS,
    RECORD_LIMITS,
    Misplaced,
    Refused,
    check_tree,
    dates_as_text,
)


class Syntax(Enum):
    """How a document is written."""

    JSON = "json"
    TOML = "toml"
    YAML = "yaml"


SUFFIXES: Final = {
    ".json": Syntax.JSON,
    ".toml": Syntax.TOML,
    ".yaml": Syntax.YAML,
    ".yml": Syntax.YAML,
}
"""What a program's file name ends in, and what that says."""

_TOO_DEEP: Final = "expected lists and objects nested less deeply"


def decode(data: bytes) -> str:
    """Return UTF-8 bytes as text, without a byte order mark.

    Raises:
        Misplaced: they are something else.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Misplaced("expected UTF-8 text, found UTF-16")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Misplaced(
            f"expected UTF-8 text, found the byte 0x{data[error.start]:02x} at {error.start}"
        ) from None
    if "\0" in text:
        raise Misplaced(f"expected text, found a NUL character at {text.index(chr(0))}")
    return text


def read_program_text(text: str, syntax: Syntax) -> object:
    """Return the strict tree of a program's text.

    Raises:
        Misplaced: the text is not of that syntax, or holds what no document may hold.
    """
    if len(text) > PROGRAM_LIMITS.size:
        raise Misplaced(f"expected at most {PROGRAM_LIMITS.size:,} bytes")
    tree = _parsed(_PARSERS[syntax], text)
    check_tree(tree, PROGRAM_LIMITS)
    return dates_as_text(tree)


def read_record_text(text: str) -> object:
    """Return the strict tree of one JSON record.

    Raises:
        Misplaced: the text is not JSON, or holds what no record may hold.
    """
    tree = _parsed(_record_json, text)
    check_tree(tree, RECORD_LIMITS)
    return tree


def _parsed(parser: Callable[[str], object], text: str) -> object:
    try:
        return parser(text)
    except RecursionError:
        raise Misplaced(_TOO_DEEP) from None


def _program_json(text: str) -> object:
    return _json(text, decimal)


def _record_json(text: str) -> object:
    return _json(text, _float)


def _json(text: str, parse_float: Callable[[str], object]) -> object:
    if not text.strip():
        raise Misplaced("expected a JSON document, found nothing")
    try:
        return json.loads(
            text,
            parse_float=parse_float,
            parse_int=integer,
            parse_constant=lambda name: Refused(f"expected a finite number, found {name}"),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise Misplaced(
            f"line {error.lineno}, column {error.colno}: not JSON: {_lowered(error.msg)}"
        ) from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | Refused:
    built = dict(pairs)
    if len(built) == len(pairs):
        return built
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return twice(key)
        seen.add(key)
    raise AssertionError("a shorter dictionary has a key twice")


def _float(text: str) -> float | Refused:
    value = float(text)
    return value if math.isfinite(value) else Refused(f"expected a finite number, found {text}")


def _toml(text: str) -> object:
    try:
        # `loads` calls whatever it is given; what a Refused is in the tree, the walk says.
        return tomllib.loads(text, parse_float=_toml_float)
    except tomllib.TOMLDecodeError as error:
        raise Misplaced(f"not TOML: {_lowered(str(error))}") from None
    except ValueError:  # An integer of more digits than Python reads.
        raise Misplaced(f"expected numbers of at most {MAX_DIGITS:,} digits") from None


def _toml_float(text: str) -> Decimal | Refused:
    return decimal(text.replace("_", ""))


def _yaml(text: str) -> object:
    from licet_bindings.yaml_syntax import read_yaml

    return read_yaml(text)


_PARSERS: Final[dict[Syntax, Callable[[str], object]]] = {
    Syntax.JSON: _program_json,
    Syntax.TOML: _toml,
    Syntax.YAML: _yaml,
}


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
