"""What an agent asks, what a resolver answers, and what the runtime replies."""

import re
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from icontract import ensure

from .objects import Attester, Check, CheckKind

# The longest text that is kept of a request or an error, in characters.
TEXT_LIMIT: Final = 1_000
# The longest text that is judged, in characters.
READ_LIMIT: Final = 10_000_000
# The longest quote of an attestation, in characters.
QUOTE_LIMIT: Final = 100_000

_DIGEST: Final = re.compile(r"[A-Za-z0-9+/=:_.-]{1,200}")
NO_DIGEST: Final = "expected a digest: 1 to 200 ASCII letters, digits and characters of +/=:_.-"


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Run the registered check of this identifier.

    Attributes:
        check: its identifier.
        candidate: where it has candidates, the one to read; empty for the first not read yet.
    """

    check: str
    candidate: str = ""


AGENT: Final = Attester("agent")
"""Who attests where a review names nobody else."""


@dataclass(frozen=True, slots=True)
class AttestRequest:
    """Record a judgement of a text atom as evidence.

    Attributes:
        atom: the text atom.
        value: whether the condition holds.
        quote: a verbatim span of the text that was read.
        attester: who judges; an agent's request is recorded under the name that its review gives.
    """

    atom: str
    value: bool
    quote: str
    attester: Attester = AGENT


@dataclass(frozen=True, slots=True)
class RetractRequest:
    """Withdraw what an attester has attested of an atom; an agent may withdraw its own only."""

    atom: str
    attester: Attester = AGENT


@dataclass(frozen=True, slots=True)
class RefreshRequest:
    """Say what the source of a check has become; the caller's, who watches it, not an agent's.

    Attributes:
        check: the check.
        digest: the digest of what the check would read now.
    """

    check: str
    digest: str


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


Request: TypeAlias = (
    CheckRequest
    | AttestRequest
    | RetractRequest
    | RefreshRequest
    | ReportRequest
    | StopRequest
    | CloseRequest
    | OtherRequest
)


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A resolver's answer for an atom whose read establishes nothing, and why: it is terminal."""

    reason: str = ""


Value: TypeAlias = bool | Unavailable


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a resolver answered: one value for each atom that its check settles.

    Attributes:
        values: the values.
        digest: that of what was read, of all candidates where there are some; empty if not named.
    """

    values: tuple[tuple[str, Value], ...]
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """What a resolver answered to a text read: the text, and its digest if it was named."""

    text: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the second judge answered: whether the text establishes the condition."""

    value: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """No usable answer: a resolver or judge raised, hung past its limit, or answered nonsense."""

    reason: str


Resolution: TypeAlias = Resolved | Read | Judged | Failed
Event: TypeAlias = Request | Resolution


class AnswerKind(Enum):
    """What the runtime did with a request."""

    RUN = "run"
    JUDGE = "judge"
    RECORDED = "recorded"
    INCONCLUSIVE = "inconclusive"
    REJECTED = "rejected"
    RETRACTED = "retracted"
    EXPIRED = "expired"
    UNCHANGED = "unchanged"
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
        subject: the check, atom or conclusion that it is about, else empty.
        charged: calls that this request was charged.
        values: for RECORDED, INCONCLUSIVE and CACHED what was established.
        reason: in plain words, why something was refused or failed.
        text: of a text read, the text.
    """

    kind: AnswerKind
    subject: str = ""
    charged: Fraction = Fraction(0)
    values: tuple[tuple[str, Value], ...] = ()
    reason: str = ""
    text: str = ""


@ensure(
    lambda check, result: (
        isinstance(result, Failed | Read)
        or {atom for atom, _ in result.values} == set(check.settles)
    )
)
@ensure(lambda check, result: not isinstance(result, Read) or check.kind is CheckKind.TEXT)
def usable_answer(check: Check, resolution: Resolution) -> Resolved | Read | Failed:
    """Return the resolution if it answers exactly the check's atoms, else why it fails.

    Nothing but True, False and `Unavailable` is a value: 1, "true" and None are not, nor is an
    object that only claims to be one of them. What is returned is made of exact types anew. A text
    read is answered by a text, or by `Unavailable` for all its atoms. A digest that is none fails.
    """
    match resolution:
        case Failed():
            return resolution
        case Read(digest=digest) | Resolved(digest=digest) if digest != "" and not is_digest(
            digest
        ):
            return Failed(NO_DIGEST)
        case Read():
            return _usable_text(check, resolution)
        case Resolved():
            return _usable_values(check, resolution)
    return Failed(f"expected a resolution, found {type(resolution).__name__}")


def _usable_values(check: Check, resolution: Resolved) -> Resolved | Failed:
    if not all(type(atom) is str for atom, _ in resolution.values):
        return Failed("expected the names of atoms, as text, for keys")
    given = dict(resolution.values)
    if len(given) != len(resolution.values) or given.keys() != set(check.settles):
        return Failed(f"expected one value for each of {sorted(check.settles)}")
    for atom in check.settles:
        if not is_value(given[atom]):
            return Failed(f"no truth value for {atom!r}: {type(given[atom]).__name__}")
    if check.kind is CheckKind.TEXT and any(type(value) is bool for value in given.values()):
        return Failed("expected the text, found truth values of what is judged on it")
    values = tuple((atom, given[atom]) for atom in sorted(check.settles))
    return Resolved(values, resolution.digest)


def _usable_text(check: Check, resolution: Read) -> Read | Failed:
    if check.kind is not CheckKind.TEXT:
        return Failed("expected values, found a text")
    if type(resolution.text) is not str:
        return Failed(f"expected a text, found {type(resolution.text).__name__}")
    if len(resolution.text) > READ_LIMIT:
        return Failed(f"expected a text of at most {READ_LIMIT:,} characters")
    return Read(resolution.text, resolution.digest)


def is_digest(value: object) -> bool:
    """Return whether `value` may name what a check read: 1 to 200 characters, `sha256:` say.

    >>> is_digest("sha256:0f"), is_digest(""), is_digest("two words")
    (True, False, False)
    """
    return type(value) is str and _DIGEST.fullmatch(value) is not None


def is_value(value: object) -> bool:
    """Return whether a resolver may answer `value` for an atom: a truth value or `Unavailable`."""
    return type(value) is bool or (type(value) is Unavailable and type(value.reason) is str)


def plain(asked: object, attester: Attester = AGENT) -> Request:
    """Return an agent's request made of exact types; whatever else was asked as its text.

    A request of a subclass, or with a field of one, could say something else each time that it is
    read. `CloseRequest` and `RefreshRequest` are the caller's, not an agent's, and count as
    something else here. What an agent attests and retracts is in the name of `attester`, whatever
    name it gives.
    """
    if type(asked) is CheckRequest and type(asked.check) is type(asked.candidate) is str:
        return CheckRequest(asked.check, asked.candidate)
    if type(asked) is AttestRequest and is_attestation(replace(asked, attester=attester)):
        return AttestRequest(asked.atom, asked.value, asked.quote, attester)
    if type(asked) is RetractRequest and type(asked.atom) is str:
        return RetractRequest(asked.atom, attester)
    if type(asked) is ReportRequest and type(asked.conclusion) is str:
        return ReportRequest(asked.conclusion)
    if type(asked) is StopRequest:
        return StopRequest()
    if type(asked) is OtherRequest and type(asked.text) is str:
        return OtherRequest(asked.text[:TEXT_LIMIT])
    return OtherRequest(described(asked))


def is_attestation(asked: AttestRequest) -> bool:
    """Return whether a request to attest is made of exact types, its quote of admitted length."""
    return (
        type(asked.atom) is type(asked.quote) is str
        and type(asked.value) is bool
        and type(asked.attester) is Attester
        and len(asked.quote) <= QUOTE_LIMIT
        and not any("\ud800" <= character <= "\udfff" for character in asked.quote)
    )


def described(thing: object) -> str:
    """Return the `repr` of whatever was handed in, cut, or its type's name where it has none."""
    try:
        text = str.__str__(repr(thing))
    except Exception:
        text = f"<{type(thing).__name__} without a text>"
    return text[:TEXT_LIMIT]
