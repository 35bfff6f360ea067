"""What happens in a review or at a gate as canonical JSON, and back, exactly."""

from __future__ import annotations

from typing import Any, Final

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttesterKind,
    AttestRequest,
    Candidate,
    CheckRequest,
    Claim,
    CloseRequest,
    Decision,
    DecisionKind,
    Entry,
    Event,
    Evidence,
    Failed,
    FailureMode,
    GateEntry,
    GateEvent,
    Judged,
    Loss,
    Observed,
    OtherRequest,
    Premise,
    Read,
    RefreshRequest,
    ReportRequest,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
    Value,
    Verifier,
)
from licet_bindings.durable.codecs import (
    FRACTION,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Case,
    Codec,
    body_of,
    case,
    choice,
    mapping,
    optional,
    pair,
    record,
    sequence,
    union,
    value_of,
)
from licet_bindings.records.values import Json

_UNAVAILABLE: Final = record(Unavailable, reason=TEXT)


def _write_value(value: Value) -> Json:
    return _UNAVAILABLE.write(value) if isinstance(value, Unavailable) else TRUTH.write(value)


def _read_value(content: Json) -> Value:
    return _UNAVAILABLE.read(content) if isinstance(content, dict) else TRUTH.read(content)


_VALUES: Final = sequence(pair(TEXT, Codec(_write_value, _read_value)))

ATTESTER: Final = record(Attester, name=TEXT, kind=choice(AttesterKind))
"""Who attests."""

EVENT: Final[Codec[Event]] = union(
    case("check", CheckRequest, check=TEXT, candidate=TEXT),
    case("attest", AttestRequest, atom=TEXT, value=TRUTH, quote=TEXT, attester=ATTESTER),
    case("retract", RetractRequest, atom=TEXT, attester=ATTESTER),
    case("refresh", RefreshRequest, check=TEXT, digest=TEXT),
    case("report", ReportRequest, conclusion=TEXT),
    case("stop", StopRequest),
    case("close", CloseRequest, complete=TRUTH),
    case("other", OtherRequest, text=TEXT),
    case("resolved", Resolved, values=_VALUES, digest=TEXT),
    case("read", Read, text=TEXT, digest=TEXT),
    case("judged", Judged, value=TRUTH),
    case("failed", Failed, reason=TEXT),
)
"""A request of an agent, or a resolver's or the second judge's answer to one."""

ANSWER: Final = record(
    Answer,
    kind=choice(AnswerKind),
    subject=TEXT,
    charged=FRACTION,
    values=_VALUES,
    reason=TEXT,
    text=TEXT,
)
"""The kernel's answer to an event."""

_WHOLE_ENTRY: Final = record(Entry, event=EVENT, answer=ANSWER)


def _write_entry(entry: Entry) -> Json:
    """Write a text once, where it was read: where an answer repeats it, `true` stands for it."""
    content = _WHOLE_ENTRY.write(entry)
    match content:
        case {"event": {"read": {"text": text}}, "answer": dict() as answer}:
            answer["text"] = answer["text"] == text or answer["text"]
        case {"answer": dict() as answer} if answer["kind"] == AnswerKind.CACHED.value:
            answer["text"] = answer["text"] != "" or ""
    return content


class EntryReader:
    """Reads the lines of a review's history in order, for some repeat a text that was read before.

    >>> entry = Entry(StopRequest(), Answer(AnswerKind.BUSY))
    >>> EntryReader().read(entry_bytes(entry)) == entry
    True
    """

    def __init__(self) -> None:
        """Begin before the first line."""
        self._texts: dict[str, str] = {}

    def read(self, body: bytes, place: str = "entry") -> Entry:
        """Return the next line, which was written as these bytes.

        Raises:
            Damaged: they are not what `entry_bytes` writes; `place` is named.
        """
        entry = value_of(Codec(_write_entry, self._whole), body, place)
        if isinstance(entry.event, Read) and entry.answer.kind is AnswerKind.RECORDED:
            self._texts[entry.answer.subject] = entry.event.text
        return entry

    def _whole(self, content: Json) -> Entry:
        match content:
            case {"event": event, "answer": dict() as answer} if answer.get("text") is True:
                text = self._text(event, answer.get("subject"))
                return _WHOLE_ENTRY.read({"event": event, "answer": {**answer, "text": text}})
        return _WHOLE_ENTRY.read(content)

    def _text(self, event: Json, subject: Json) -> Json:
        match event:
            case {"read": {"text": text}}:
                return text
        return self._texts.get(TEXT.read(subject))


CANDIDATE: Final = record(
    Candidate,
    action=TEXT,
    claims=sequence(
        record(Claim, identifier=TEXT, error=NUMBER, draw=optional(TEXT), sentence=TEXT)
    ),
    premises=sequence(
        record(Premise, identifier=TEXT, claim=TEXT, required=TRUTH, contradicts=TRUTH)
    ),
    failure_modes=sequence(record(FailureMode, premises=sequence(TEXT), impact=NUMBER, group=TEXT)),
    verifiers=sequence(
        record(
            Verifier,
            identifier=TEXT,
            cost=NUMBER,
            covers=sequence(TEXT),
            sensitivity=NUMBER,
            specificity=NUMBER,
            uses=WHOLE,
            available=TRUTH,
        )
    ),
    loss=record(
        Loss,
        abstain=NUMBER,
        price=NUMBER,
        harm_loss=NUMBER,
        max_harm_probability=optional(NUMBER),
        max_expected_loss=optional(NUMBER),
        invalidation=optional(NUMBER),
    ),
)
"""What a gate decides about."""

_DECISION_FIELDS: Final[dict[str, Codec[Any]]] = {
    "kind": choice(DecisionKind),
    "candidate": CANDIDATE,
    "verifier": optional(TEXT),
    "premise": optional(TEXT),
    "reason": TEXT,
    "expected_loss": FRACTION,
    "harm_probability": FRACTION,
    "stopping_value": FRACTION,
    "admissible": TRUTH,
    "worth": mapping(FRACTION),
    "two_step": mapping(FRACTION),
    "evidence": sequence(record(Evidence, verifier=TEXT, supported=WHOLE, refuted=WHOLE)),
    "budget": FRACTION,
}

GATE_EVENT: Final[Codec[GateEvent]] = union(
    case(
        "report",
        GateEntry,
        candidate=WHOLE,
        verifier=TEXT,
        refutes=optional(TRUTH),
        observed=choice(Observed),
    ),
    Case("replan", Candidate, CANDIDATE),
    case("decision", Decision, **_DECISION_FIELDS),
)
"""A report to a gate, the candidate of a replan, or a decision."""


def entry_bytes(entry: Entry) -> bytes:
    """Return a line of a review's history as canonical JSON.

    Raises:
        InvalidInput: it holds what could not be given back exactly.

    >>> entry_bytes(Entry(StopRequest(), Answer(AnswerKind.BUSY)))[-20:]
    b'"event":{"stop":{}}}'
    """
    return body_of(Codec(_write_entry, _WHOLE_ENTRY.read), entry, "entry")


def gate_event_bytes(event: GateEvent) -> bytes:
    """Return an event of a gate as canonical JSON.

    Raises:
        InvalidInput: it holds what could not be given back exactly.

    >>> gate_event_bytes(GateEntry(0, "ask_user", False, Observed.RECORDED))
    b'{"report":{"candidate":0,"observed":"recorded","refutes":false,"verifier":"ask_user"}}'
    """
    return body_of(GATE_EVENT, event, "event")


def gate_event_of(body: bytes, place: str = "event") -> GateEvent:
    """Return the event of a gate that was written as these bytes.

    Raises:
        Damaged: they are not what `gate_event_bytes` writes; `place` is named.
    """
    return value_of(GATE_EVENT, body, place)
