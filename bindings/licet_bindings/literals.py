"""What number literals and repeated keys become in a strict tree, whatever the syntax."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation

from licet_bindings.strict import MAX_DIGITS, MAX_EXPONENT, Refused


def json_number(text: str) -> int | Decimal | Refused:
    """Return the number that a JSON number literal writes."""
    return decimal(text) if any(mark in text for mark in ".eE") else integer(text)


def integer(text: str) -> int | Refused:
    """Return the whole number that a text of digits writes."""
    return int(text) if len(text) <= MAX_DIGITS else _too_long()


def decimal(text: str) -> Decimal | Refused:
    """Return the number that a text with a fraction or an exponent writes, exactly."""
    if len(text) > MAX_DIGITS:
        return _too_long()
    try:
        return Decimal(text)
    except InvalidOperation:  # An exponent beyond what even a Decimal holds.
        return Refused(f"expected a number within 1e{MAX_EXPONENT} and 1e-{MAX_EXPONENT}")


def twice(key: str) -> Refused:
    """Return what stands for an object that has a key twice."""
    return Refused(f"expected each key once, found {json.dumps(key)} twice")


def _too_long() -> Refused:
    return Refused(f"expected a number of at most {MAX_DIGITS:,} digits")
