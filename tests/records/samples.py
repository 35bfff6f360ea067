"""Sample values shared by the tests of the records binding, and equality written another way."""

from __future__ import annotations

import json
from collections import OrderedDict
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

from licet_bindings.records.values import MAX_DEPTH, MAX_VALUES, Json


def nested(depth: int, inner: Json = 1) -> Json:
    """`inner` in as many lists as asked for."""
    value = inner
    for _ in range(depth):
        value = [value]
    return value


class _Number(IntEnum):
    ONE = 1


class _Text(str):
    __slots__ = ()


class _Liar:
    """Claims to be a text."""

    def __getattribute__(self, name: str) -> object:
        return str if name == "__class__" else object.__getattribute__(self, name)


def _cycle() -> list[object]:
    cycle: list[object] = []
    cycle.append(cycle)
    return cycle


def _doubling() -> list[object]:
    """A list of 2**60 values in 60 lists."""
    value: list[object] = [1, 1]
    for _ in range(60):
        value = [value, value]
    return value


NOT_JSON: dict[str, tuple[object, str]] = {
    "NaN": (float("nan"), "not finite"),
    "infinity": (float("inf"), "not finite"),
    "negative infinity": (-float("inf"), "not finite"),
    "NaN within": ([1, {"a": float("nan")}], "not finite"),
    "NaN after something": ([1, float("nan")], "not finite"),
    "surrogate": ("\ud800", "surrogate"),
    "surrogate within": (["é\udc80"], "surrogate"),
    "surrogate in a key": ({"\udfff": 1}, "surrogate"),
    "number as key": ({1: "a"}, "key that is not text"),
    "None as key": ({None: "a"}, "key that is not text"),
    "subclass of text as key": ({_Text("a"): 1}, "key that is not text"),
    "tuple": ((1, 2), "not JSON"),
    "set": ({1}, "not JSON"),
    "bytes": (b"a", "not JSON"),
    "Decimal": (Decimal(1), "not JSON"),
    "Fraction": (Fraction(1), "not JSON"),
    "complex": (1j, "not JSON"),
    "object": (object(), "not JSON"),
    "enum of numbers": (_Number.ONE, "not JSON"),
    "subclass of text": (_Text("a"), "not JSON"),
    "false claim to be text": (_Liar(), "not JSON"),
    "ordered dictionary": (OrderedDict(a=1), "not JSON"),
    "ellipsis": (..., "not JSON"),
    "list that holds itself": (_cycle(), "nested more than"),
    "just too deep": (nested(MAX_DEPTH + 1), "nested more than"),
    "far too deep": (nested(100_000), "nested more than"),
    "exponentially large": (_doubling(), "more than 1,000,000 values"),
    "just too large": ([0] * MAX_VALUES, "more than 1,000,000 values"),
}


NOTHING: list[Json] = [
    None,
    "",
    " ",
    "\t\r\n",
    "\u200b",
    ["\u3164"],
    [],
    {},
    [None],
    [[], {}],
    {"a": None},
    {"a": [{"b": " "}]},
]
SOMETHING: list[Json] = [
    0,
    -0.0,
    False,
    True,
    1,
    "a",
    "0",
    "N/A",
    "null",
    [0],
    [None, False],
    {"a": {"b": 0}},
]


def canonical_text(value: Json) -> str:
    """Write a JSON value so that equal values, and no others, give the same text."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        exact = Fraction(value)
        return f"{exact.numerator:x}/{exact.denominator:x}"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{','.join(map(canonical_text, value))}]"
    members = sorted(f"{json.dumps(key)}:{canonical_text(item)}" for key, item in value.items())
    return f"{{{','.join(members)}}}"
