r"""Regular expressions that match in time linear in the text, and within stated limits.

The one place that touches google-re2, which has no type stubs. The syntax is RE2's: no
backreferences and no look-around, and `\C` is refused; `\d`, `\w` and `\s` mean ASCII characters;
`.` does not match a line break unless the expression begins with `(?s)`; letter case counts unless
it begins with `(?i)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

import re2

from licet_bindings.records.values import has_surrogate

MAX_PATTERN: Final = 1_000
"""The longest regular expression, in characters."""

MAX_TEXT: Final = 100_000
"""The longest text that is matched, in characters."""

MAX_WORK: Final = 100_000_000
"""The most work for one match: characters of the text times instructions of the compiled
expression. Reached only by expressions of more than a thousand instructions on long texts; a
match then takes about half a second."""

_MAX_MEMORY: Final = 1 << 20  # For one compiled expression, in bytes.


class PatternError(ValueError):
    """The regular expression cannot be used; the message says why."""


class PatternLimitError(ValueError):
    """The text is too long for the matcher; the message is a clause about "the text"."""


class _Compiled(Protocol):
    programsize: int

    def fullmatch(self, text: str) -> object | None: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled regular expression for whole texts.

    Raises: PatternError when the expression is longer than `MAX_PATTERN`, is malformed, or
    compiles to more than the matcher's memory.

    >>> Pattern("CVE-[0-9]{4}-[0-9]+").matches("CVE-2012-4520")
    True
    """

    text: str
    _compiled: _Compiled = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", _compile(self.text))

    def __reduce__(self) -> tuple[type[Pattern], tuple[str]]:
        """Pickle the expression alone: the compiled form belongs to one process."""
        return Pattern, (self.text,)

    def matches(self, text: str) -> bool:
        """Whether the whole text matches.

        Raises: PatternLimitError when the text is longer than `MAX_TEXT`, or its match could
        take more than `MAX_WORK`.
        """
        if len(text) > MAX_TEXT:
            raise PatternLimitError(f"is longer than {MAX_TEXT:,} characters")
        if len(text) * self._compiled.programsize > MAX_WORK:
            raise PatternLimitError("is too long for a regular expression of this size")
        return self._compiled.fullmatch(text) is not None


_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


def _compile(text: str) -> _Compiled:
    if len(text) > MAX_PATTERN:
        raise PatternError(f"it is longer than {MAX_PATTERN:,} characters")
    if has_surrogate(text):
        raise PatternError("it has a lone surrogate")
    if "C" in _ESCAPED.findall(text):
        raise PatternError("\\C matches a byte, which may be a part of a character")
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.never_capture = True  # Only whole matches are asked for.
    options.log_errors = False  # Errors are raised, not written to standard error.
    try:
        return cast(_Compiled, re2.compile(text, options))
    except re2.error as error:
        raise PatternError(_message(error)) from None


_LONGEST_MESSAGE: Final = 100


def _message(error: Exception) -> str:
    """The message of an RE2 error, which comes as bytes and may end with the whole expression."""
    detail = error.args[0] if error.args else "malformed"
    message = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
    return message if len(message) <= _LONGEST_MESSAGE else message[:_LONGEST_MESSAGE] + "..."
