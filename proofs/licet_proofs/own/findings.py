"""What a check of a user's own program finds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Detail: TypeAlias = "bool | int | float | str | Sequence[Detail] | Mapping[str, Detail] | None"
"""Plain data, as JSON has it."""


class Word(Enum):
    """What a finding is.

    HOLDS: it is as it should be. TOLD: a fact about it, neither good nor bad. ADVICE: worth a look,
    and may be meant so. FAULT: the program, or the kernel on it, does not do what it is there for;
    a run with a fault fails.
    """

    HOLDS = "holds"
    TOLD = "told"
    ADVICE = "advice"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        name: the check, and the part of the program that it is about (`route triage.0`).
        word: holds, told, advice or fault.
        says: in plain words.
        covered: what was gone through, and how: enumerated or sampled; "" where nothing was.
        details: the same and more as plain data.
    """

    name: str
    word: Word
    says: str
    covered: str = ""
    details: Mapping[str, Detail] = field(default_factory=dict)


class OwnCheck(NamedTuple):
    """A check that can be run: its name is known before."""

    name: str
    run: Callable[[], Finding]


def has_fault(findings: Iterable[Finding]) -> bool:
    """Return whether a run with these findings fails."""
    return any(finding.word is Word.FAULT for finding in findings)


def named(names: Sequence[str]) -> str:
    """Return names in one line.

    >>> named(["details", "reviewed"])
    'details, reviewed'
    """
    return ", ".join(names) or "nothing"


def number(value: Fraction) -> str:
    """Return a number for people.

    >>> number(Fraction(5, 2))
    '2.5'
    """
    return str(value) if value.denominator == 1 else f"{float(value):g}"
