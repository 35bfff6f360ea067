"""Expressions over atoms, as a document writes them: and, or, not, parentheses, true, false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from licet import InvalidInput
from licet.objects import identifier
from licet_bindings.errors import printable

LONGEST: Final = 10_000
"""The longest expression, in characters."""

DEEPEST: Final = 100
"""Parentheses and negations inside one another, at most."""


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false, whatever the state."""

    value: bool


@dataclass(frozen=True, slots=True)
class Named:
    """What an atom says."""

    atom: str


@dataclass(frozen=True, slots=True)
class Negation:
    """The opposite of a part."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Every part holds."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """At least one part holds."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = Constant | Named | Negation | Conjunction | Disjunction


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<word>[A-Za-z0-9_][A-Za-z0-9_.:/-]*)
      | "(?P<quoted>[^"]*)"
      | (?P<mark>[()!])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_WORDS: Final = frozenset({"and", "or", "not", "true", "false"})
_ATOM: Final = "an atom, true, false, not or ("
_PARTS: Final = "atoms, true, false, and, or, not, ! and parentheses"


def parse_expression(text: str, place: str = "expression") -> Expression:
    """Return what a text says.

    `not` binds more tightly than `and`, `and` more than `or`; `!name` is `not name`. An atom's name
    stands as it is, or in double quotes where it is one of the words `and`, `or`, `not`, `true` and
    `false`.

    Args:
        text: at most `LONGEST` characters.
        place: what a message calls it.

    Raises:
        InvalidInput: it is no expression; the message names the character at which it goes wrong.

    >>> parse_expression("reviewed and not withdrawn")
    Conjunction(parts=(Named(atom='reviewed'), Negation(part=Named(atom='withdrawn'))))
    """
    if not isinstance(text, str):
        raise InvalidInput(place, f"expected an expression over atoms as text, found {text!r}")
    if len(text) > LONGEST:
        raise InvalidInput(
            place, f"expected at most {LONGEST:,} characters in one expression, found {len(text):,}"
        )
    return _Parser(_tokens(text, place), place).whole()


def atoms_of(expression: Expression) -> dict[str, None]:
    """Return the atoms that an expression names, in the order in which it first does."""
    match expression:
        case Named(atom):
            return {atom: None}
        case Negation(part):
            return atoms_of(part)
        case Conjunction(parts) | Disjunction(parts):
            return {atom: None for part in parts for atom in atoms_of(part)}
    return {}


def _tokens(text: str, place: str) -> Iterator[_Token]:
    position = 0
    while True:
        found = _TOKEN.match(text, position)
        if found is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise _unexpected(place, _PARTS, repr(text[start]), start)
        kind, start = str(found.lastgroup), found.start(str(found.lastgroup))
        name = found[kind]
        if kind in ("word", "quoted"):
            if kind == "word" and name in _WORDS:
                kind = name
            else:
                kind = "atom"
                if not _is_name(name):
                    raise _unexpected(place, "an atom's name", repr(name), start)
        yield _Token(name if kind == "mark" else kind, name, start)
        if kind == "end":
            return
        position = found.end()


def _is_name(text: str) -> bool:
    try:
        return identifier(text, "") == text
    except InvalidInput:
        return False


class _Parser:
    """Reads tokens one after another, by recursive descent."""

    def __init__(self, tokens: Iterator[_Token], place: str) -> None:
        self._tokens = tokens
        self._place = place
        self._next = next(tokens)
        self._depth = 0

    def whole(self) -> Expression:
        found = self._disjunction()
        if self._next.kind != "end":
            raise self._refusal("and, or, or the end")
        return found

    def _disjunction(self) -> Expression:
        parts = [self._conjunction()]
        while self._taken("or"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Disjunction(tuple(parts))

    def _conjunction(self) -> Expression:
        parts = [self._part()]
        while self._taken("and"):
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else Conjunction(tuple(parts))

    def _part(self) -> Expression:
        token = self._next
        if self._taken("atom"):
            return Named(token.text)
        if self._taken("true") or self._taken("false"):
            return Constant(token.kind == "true")
        self._deeper(1)
        if self._taken("not") or self._taken("!"):
            found: Expression = Negation(self._part())
        elif self._taken("("):
            found = self._disjunction()
            if not self._taken(")"):
                raise self._refusal("and, or, or )")
        else:
            raise self._refusal(_ATOM)
        self._deeper(-1)
        return found

    def _deeper(self, change: int) -> None:
        self._depth += change
        if self._depth > DEEPEST:
            raise InvalidInput(
                self._place, f"expected at most {DEEPEST} parentheses and negations in one another"
            )

    def _taken(self, kind: str) -> bool:
        if self._next.kind != kind:
            return False
        self._next = next(self._tokens)
        return True

    def _refusal(self, expected: str) -> InvalidInput:
        found = "the end" if self._next.kind == "end" else repr(self._next.text)
        return _unexpected(self._place, expected, found, self._next.start)


def _unexpected(place: str, expected: str, found: str, start: int) -> InvalidInput:
    return InvalidInput(
        place, f"character {start + 1}: expected {expected}; found {printable(found)}"
    )
