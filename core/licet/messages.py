"""What an agent asks, what a resolver answers, and what the runtime replies."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure

from .objects import Check

# The longest text that is kept of a request or an error, in characters.
TEXT_LIMIT: Final = 1_000


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Run the registered check of this identifier."""

    check: str


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """Report this conclusion: the paper's emit(c)."""

    conclusion: str


@dataclass(frozen=True, slots=True)
class StopRequest:
    """Stop checking."""


@dataclass(frozen=True, slots=True)
class CloseRequest:
    """End the review without a stop: the agent went silent or the caller gave up."""

    complete: bool = False


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """Anything else that an agent asked for, as text: refused, and charged the first time."""

    text: str


Request: TypeAlias = CheckRequest | ReportRequest | StopRequest | CloseRequest | OtherRequest


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A resolver's answer for an atom whose read establishes nothing, and why: it is terminal."""

    reason: str = ""


Value: TypeAlias = bool | Unavailable


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a resolver answered: one value for each atom that its check settles."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The resolver gave no usable answer: it raised, hung past its limit, or answered nonsense."""

    reason: str


Resolution: TypeAlias = Resolved | Failed
Event: TypeAlias = Request | Resolution


class AnswerKind(Enum):
    """What the runtime did with a request."""

    RUN = "run"
    RECORDED = "recorded"
    CACHED = "cached"
    FAILED = "failed"
    UNRECOGNIZED = "unrecognized"
    UNAUTHORIZED = "unauthorized"
    HELD = "held"
    ACCEPTED = "accepted"
    REMINDED = "reminded"
    IGNORED = "ignored"
    BUSY = "busy"
    ENDED = "ended"


class Answer(NamedTuple):
    """The runtime's answer to a request.

    Attributes:
        kind: what was done.
        subject: the check or conclusion that it is about, else empty.
        charged: calls that this request was charged.
        values: for RECORDED and CACHED what the check established.
        reason: in plain words, why something was refused or failed.
    """

    kind: AnswerKind
    subject: str = ""
    charged: Fraction = Fraction(0)
    values: tuple[tuple[str, Value], ...] = ()
    reason: str = ""


@ensure(
    lambda check, result: (
        isinstance(result, Failed) or {atom for atom, _ in result.values} == set(check.settles)
    )
)
def usable_answer(check: Check, resolution: Resolution) -> Resolution:
    """Return the resolution if it answers exactly the check's atoms, else why it fails.

    Nothing but True, False and `Unavailable` is a value: 1, "true" and None are not, nor is an
    object that only claims to be one of them. What is returned is made of exact types anew.
    """
    if isinstance(resolution, Failed):
        return resolution
    if not isinstance(resolution, Resolved):
        return Failed(f"expected a resolution, found {type(resolution).__name__}")
    if not all(type(atom) is str for atom, _ in resolution.values):
        return Failed("expected the names of atoms, as text, for keys")
    given = dict(resolution.values)
    if len(given) != len(resolution.values) or given.keys() != set(check.settles):
        return Failed(f"expected one value for each of {sorted(check.settles)}")
    for atom in check.settles:
        if not is_value(given[atom]):
            return Failed(f"no truth value for {atom!r}: {type(given[atom]).__name__}")
    return Resolved(tuple((atom, given[atom]) for atom in sorted(check.settles)))


def is_value(value: object) -> bool:
    """Return whether a resolver may answer `value` for an atom: a truth value or `Unavailable`."""
    return type(value) is bool or (type(value) is Unavailable and type(value.reason) is str)


def plain(asked: object) -> Request:
    """Return an agent's request made of exact types; whatever else was asked as its text.

    A request of a subclass, or with a field of one, could say something else each time that it is
    read. `CloseRequest` is the caller's, not an agent's, and counts as something else here.
    """
    if type(asked) is CheckRequest and type(asked.check) is str:
        return CheckRequest(asked.check)
    if type(asked) is ReportRequest and type(asked.conclusion) is str:
        return ReportRequest(asked.conclusion)
    if type(asked) is StopRequest:
        return StopRequest()
    if type(asked) is OtherRequest and type(asked.text) is str:
        return OtherRequest(asked.text[:TEXT_LIMIT])
    return OtherRequest(described(asked))


def described(thing: object) -> str:
    """Return the `repr` of whatever was handed in, cut, or its type's name where it has none."""
    try:
        text = str.__str__(repr(thing))
    except Exception:
        text = f"<{type(thing).__name__} without a text>"
    return text[:TEXT_LIMIT]
