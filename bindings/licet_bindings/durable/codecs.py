"""Values of the kernel as JSON and back, exactly: what is read equals what was written.

A codec refuses what it cannot give back, and reads nothing but what it writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from licet import InvalidInput, LicetError, Number
from licet_bindings.durable.canonical_json import canonical_bytes, canonical_content
from licet_bindings.durable.errors import Damaged
from licet_bindings.errors import dotted, shown
from licet_bindings.records.values import Json, has_surrogate
from licet_bindings.strict import Misplaced

Value = TypeVar("Value")
First = TypeVar("First")
Second = TypeVar("Second")
Member = TypeVar("Member", bound=Enum)

_DECIMAL_BELOW: Final = 10**4_000
"""What is written in decimal digits; more of them than this Python neither writes nor reads."""

_DECIMAL: Final = re.compile(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"(-?)0x([0-9a-f]+)/0x([0-9a-f]+)", re.ASCII)
_ESCAPES: Final = re.compile(r"\\(\\|u[0-9a-f]{4})", re.ASCII)
_ESCAPED: Final = re.compile(r"[\\\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Value]):
    """How values of one type are written as JSON and read back; both refuse by `Misplaced`."""

    write: Callable[[Value], Json]
    read: Callable[[Json], Value]


def body_of(codec: Codec[Value], value: Value, place: str) -> bytes:
    """Return a value as the bytes that a ledger stores.

    Raises:
        InvalidInput: it is none that can be given back exactly; `place` is named.
    """
    try:
        return canonical_bytes(codec.write(value))
    except Misplaced as fault:
        raise InvalidInput(dotted((place, *fault.path)), fault.problem) from None


def value_of(codec: Codec[Value], body: bytes, place: str) -> Value:
    """Return the value of stored bytes.

    Raises:
        Damaged: they are not what is written of any value; `place` is named.
    """
    try:
        value = codec.read(canonical_content(body))
        if canonical_bytes(codec.write(value)) != body:
            raise Misplaced("expected what is written of it")
    except Misplaced as fault:
        named = dotted(fault.path)
        raise Damaged(f"{place}: {named}" if named else place, fault.problem) from None
    return value


def _exactly(kind: type[Value], expected: str) -> Callable[[object], Value]:
    """Return what takes a value of a type that JSON has; one of a subclass is refused."""

    def take(value: object) -> Value:
        if not isinstance(value, kind) or type(value) is not kind:
            raise Misplaced(f"expected {expected}, found {shown(value)}")
        return value

    return take


_truth: Final = _exactly(bool, "true or false")
_whole: Final = _exactly(int, "a whole number")
_plain: Final = _exactly(str, "text")

TRUTH: Final[Codec[bool]] = Codec(_truth, _truth)
"""A truth value."""

WHOLE: Final[Codec[int]] = Codec(_whole, _whole)
"""A whole number."""


def _write_text(value: str) -> Json:
    _plain(value)
    if not has_surrogate(value):
        return value
    return {"escaped": _ESCAPED.sub(_escape, value)}


def _escape(found: re.Match[str]) -> str:
    return "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}"


def _read_text(content: Json) -> str:
    if not isinstance(content, dict):
        text = _plain(content)
        if has_surrogate(text):
            raise Misplaced("expected half a surrogate pair to be escaped")
        return text
    (escaped,) = _members(content, ("escaped",))
    return _ESCAPES.sub(_unescape, _plain(escaped))


def _unescape(found: re.Match[str]) -> str:
    return "\\" if found[1] == "\\" else chr(int(found[1][1:], 16))


TEXT: Final = Codec(_write_text, _read_text)
"""Any text: halves of surrogate pairs, which JSON has no one reading of, are escaped."""


def fraction_text(value: Fraction) -> str:
    """Return a rational as text: `3`, `5/2`, in hexadecimal beyond thousands of digits."""
    if max(abs(value.numerator), value.denominator) < _DECIMAL_BELOW:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"


def fraction_of(text: str) -> Fraction:
    """Return the rational of such a text.

    Raises:
        Misplaced: it is none, or another text is written of the same rational.
    """
    value = None
    if _DECIMAL.fullmatch(text):
        value = Fraction(text)
    elif (parts := _HEXADECIMAL.fullmatch(text)) and int(parts[3], 16):
        value = Fraction(int(parts[1] + parts[2], 16), int(parts[3], 16))
    if value is None or fraction_text(value) != text:
        raise Misplaced(f"expected a fraction in lowest terms, as text, found {shown(text)}")
    return value


def _write_fraction(value: Fraction) -> Json:
    # A sum of no fractions is the integer 0.
    if type(value) not in (Fraction, int):
        raise Misplaced(f"expected a fraction, found {shown(value)}")
    return fraction_text(Fraction(value))


FRACTION: Final = Codec(_write_fraction, lambda content: fraction_of(_plain(content)))
"""A rational."""


def _write_number(value: Number) -> Json:
    match value:
        case bool():
            raise Misplaced(f"expected a number, found {shown(value)}")
        case int():
            return int.__int__(value)
        case float():
            return {"float": repr(float.__float__(value))}
        case Decimal():
            return {"decimal": str(Decimal(value))}
    return _write_fraction(value)


def _read_number(content: Json) -> Number:
    match content:
        case {"float": str(text)}:
            return _parsed(float, text)
        case {"decimal": str(text)}:
            return _parsed(Decimal, text)
        case str():
            return fraction_of(content)
    return WHOLE.read(content)


def _parsed(parse: Callable[[str], Value], text: str) -> Value:
    try:
        return parse(text)
    except (ValueError, ArithmeticError):
        raise Misplaced(f"expected a number, as text, found {shown(text)}") from None


NUMBER: Final = Codec(_write_number, _read_number)
"""A number as a caller may state it; its type is kept, for 0.1 and 1/10 are not equal."""


def choice(kind: type[Member]) -> Codec[Member]:
    """Return the codec of an enumeration, whose values are texts."""
    members = {str(member.value): member for member in kind}
    expected = f"expected one of {', '.join(members)}"

    def write(value: Member) -> Json:
        if type(value) is not kind:
            raise Misplaced(f"{expected}, found {shown(value)}")
        return str(value.value)

    def read(content: Json) -> Member:
        if not isinstance(content, str) or content not in members:
            raise Misplaced(f"{expected}, found {shown(content)}")
        return members[content]

    return Codec(write, read)


def optional(codec: Codec[Value]) -> Codec[Value | None]:
    """Return the codec of a value or None."""
    return Codec(
        lambda value: None if value is None else codec.write(value),
        lambda content: None if content is None else codec.read(content),
    )


def sequence(codec: Codec[Value]) -> Codec[tuple[Value, ...]]:
    """Return the codec of a tuple."""

    def write(values: tuple[Value, ...]) -> Json:
        if type(values) is not tuple:
            raise Misplaced(f"expected a tuple, found {shown(values)}")
        return [_placed(index, codec.write, value) for index, value in enumerate(values)]

    def read(content: Json) -> tuple[Value, ...]:
        if type(content) is not list:
            raise Misplaced(f"expected a list, found {shown(content)}")
        return tuple(_placed(index, codec.read, item) for index, item in enumerate(content))

    return Codec(write, read)


def pair(first: Codec[First], second: Codec[Second]) -> Codec[tuple[First, Second]]:
    """Return the codec of a tuple of two."""

    def write(values: tuple[First, Second]) -> Json:
        one, other = _two(values, tuple)
        return [_placed(0, first.write, one), _placed(1, second.write, other)]

    def read(content: Json) -> tuple[First, Second]:
        one, other = _two(content, list)
        return _placed(0, first.read, one), _placed(1, second.read, other)

    return Codec(write, read)


def _two(values: object, kind: type) -> tuple[Any, Any]:
    if not isinstance(values, list | tuple) or type(values) is not kind or len(values) != 2:
        raise Misplaced(f"expected two values, found {shown(values)}")
    return values[0], values[1]


def mapping(codec: Codec[Value]) -> Codec[Mapping[str, Value]]:
    """Return the codec of a mapping of texts; it is read as one that cannot change."""
    pairs = sequence(pair(TEXT, codec))

    def read(content: Json) -> Mapping[str, Value]:
        listed = pairs.read(content)
        if len(dict(listed)) != len(listed):
            raise Misplaced("expected each name once")
        return MappingProxyType(dict(listed))

    return Codec(lambda values: pairs.write(tuple(values.items())), read)


def record(kind: type[Value], /, **fields: Codec[Any]) -> Codec[Value]:
    """Return the codec of a class: an object with a member for each field."""

    def write(value: Value) -> Json:
        if type(value) is not kind:
            raise Misplaced(f"expected {_a(kind)}, found a {type(value).__name__}")
        return {name: _placed(name, c.write, getattr(value, name)) for name, c in fields.items()}

    def read(content: Json) -> Value:
        found = dict(zip(fields, _members(content, tuple(fields)), strict=True))
        read = {name: _placed(name, c.read, found[name]) for name, c in fields.items()}
        try:
            return kind(**read)
        except LicetError as fault:
            raise Misplaced(str(fault)) from None

    return Codec(write, read)


class Case(NamedTuple):
    """One of several classes that a value may be of, the name it is written by, and its codec."""

    name: str
    kind: type
    codec: Codec[Any]


def case(name: str, kind: type[Value], /, **fields: Codec[Any]) -> Case:
    """Return the case of a class that is written with a member for each field."""
    return Case(name, kind, record(kind, **fields))


def union(*cases: Case) -> Codec[Any]:
    """Return the codec of a value of one of several classes: an object with one member, by name."""
    by_kind = {each.kind: each for each in cases}
    by_name = {each.name: each for each in cases}
    expected = f"expected one of {', '.join(by_name)}"

    def write(value: object) -> Json:
        if type(value) not in by_kind:
            raise Misplaced(f"{expected}, found a {type(value).__name__}")
        found = by_kind[type(value)]
        return {found.name: _placed(found.name, found.codec.write, value)}

    def read(content: Json) -> object:
        if (
            not isinstance(content, dict)
            or len(content) != 1
            or not content.keys() <= by_name.keys()
        ):
            raise Misplaced(f"{expected}, found {shown(content)}")
        ((name, member),) = content.items()
        return _placed(name, by_name[name].codec.read, member)

    return Codec(write, read)


def _placed(step: str | int, act: Callable[[First], Second], value: First) -> Second:
    """Do something with a part, and say of what is refused where the part is."""
    try:
        return act(value)
    except Misplaced as fault:
        raise Misplaced(fault.problem, (step, *fault.path)) from None


def _members(content: Json, names: tuple[str, ...]) -> tuple[Json, ...]:
    """Return the members of an object that has exactly these."""
    if type(content) is not dict or content.keys() != set(names):
        raise Misplaced(f"expected an object of {', '.join(names) or 'nothing'}")
    return tuple(content[name] for name in names)


def _a(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIO' else 'a'} {kind.__name__}"
