"""Reviews of generated programs, and their certificates.

Any requests, attestations and retractions among them; any answers of resolvers and second judges,
failed calls among them; any budget.
"""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from licet import (
    Answer,
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    CloseRequest,
    Commitment,
    Entry,
    Event,
    Failed,
    Judged,
    Number,
    OtherRequest,
    Outcome,
    Read,
    RefreshRequest,
    ReportRequest,
    Request,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
    canonical_text,
)
from licet.episode import begin, outcome_of, request, resolve
from licet.messages import Resolution
from licet.state import Episode, pending_check, text_read

from .certified_by_core import Json, Stated, conclude, later_keys
from .certified_programs import TEXTS

READ: Final = (
    'A crash in libfoo 1.2; fixed in 1.3.\n"quoted"',
    "ein Gerät \N{GRINNING FACE} und zwei davon, " * 3,
    "        a  b    ",
)
QUOTES: Final = (
    *("in libfoo 1.2; fixed", '.3.\n"quoted"', "fixed in 1.3", "Gerät \N{GRINNING FACE} und zwei"),
    *(
        "zwei davon, ein Gerät",
        "libfoo",
        "in libfoo  1.2",
        "        ",
        "     a  b  ",
        "",
        "davon,  ",
    ),
)
DIGESTS: Final = ("", "v1", "v2", "sha256:0f")
BUDGETS: Final[tuple[Number, ...]] = (*range(9), 12, 20, 20, 30, 0.3, 2.5, 4.75, Fraction(22, 3))
_ATTESTERS: Final = (
    Attester("agent"),
    Attester("agent", AttesterKind.PERSON),
    Attester("ann", AttesterKind.PERSON),
)
_JUDGED: Final[tuple[Resolution, ...]] = (
    *(Judged(True), Judged(False), Judged(True)),
    *(Failed("it raised"), Resolved(())),
)


class Ran(NamedTuple):
    """A review that was run.

    Attributes:
        outcome: its outcome.
        completion: its completion setting.
        verified: whether it had a second judge.
        history: what was asked and answered.
        certificate: what certifies it.
    """

    outcome: Outcome
    completion: bool
    verified: bool
    history: tuple[Entry, ...]
    certificate: Stated


def random_review(commitment: Commitment, random: Random) -> Ran:
    """Run a review of any requests and answers; most resolvers keep to one truth."""
    completion, verified = random.random() < 0.7, random.random() < 0.3
    truth = {atom: random.random() < 0.7 for atom in commitment.compiled.atoms}
    steady, watched = random.random() < 0.8, random.random() < 0.3
    episode = begin(commitment, random.choice(BUDGETS), completion, verified)
    events: list[Json] = []
    history: list[Entry] = []
    while not episode.over:
        event: Event
        before = episode
        if before.judging is not None:
            said: Resolution = random.choice(_JUDGED)
            event, (episode, answer) = said, resolve(before, said)
            events.append(_attested(before.judging, answer))
        elif before.pending is not None:
            check = pending_check(before)
            given = _answer(random, check, truth if steady else {})
            if watched and not isinstance(given, Judged | Failed):
                given = replace(given, digest=random.choice(DIGESTS))
            event, (episode, answer) = given, resolve(before, given)
            events.append(_call(check, given))
        else:
            asked = _request(random, before, len(history), watched)
            event, (episode, answer) = asked, request(before, asked)
            events += _requested(event, answer)
        history.append(Entry(event, answer))
    outcome = outcome_of(episode)
    certificate = _certificate(outcome, events, verified, random)
    return Ran(outcome, completion, verified, tuple(history), certificate)


def _request(random: Random, episode: Episode, length: int, watched: bool) -> Request:
    program = episode.commitment.compiled
    if watched and random.random() < 0.2:
        return RefreshRequest(random.choice(program.checks), random.choice(DIGESTS[1:]))
    if program.texts and random.random() < 0.6:
        return _judgement(random, episode)
    draw = random.random()
    if draw < 0.6:
        check = random.choice(program.registered)
        named = random.random() < 0.5 and check.candidates
        return CheckRequest(check.identifier, random.choice(check.candidates) if named else "")
    if draw < 0.75:
        return ReportRequest(random.choice(program.conclusions))
    if draw < 0.77:
        return AttestRequest(random.choice(program.atoms), True, "a quotation", _ATTESTERS[0])
    if draw < 0.8:
        return OtherRequest(random.choice(TEXTS))
    return CloseRequest(random.random() < 0.5) if draw < 0.85 or length > 30 else StopRequest()


def _judgement(random: Random, episode: Episode) -> Request:
    """Return a request about a text: to read it, to attest of it or to retract that."""
    program = episode.commitment.compiled
    check = random.choice([c for c in program.registered if c.kind is CheckKind.TEXT])
    atom, attester = random.choice(check.settles), random.choice(_ATTESTERS)
    text, draw = text_read(episode, check.identifier), random.random()
    if draw < (0.7 if text is None else 0.05):
        return CheckRequest(check.identifier)
    if draw < 0.25 and text is not None:
        return RetractRequest(atom, attester)
    quote = random.choice(QUOTES)
    if text is not None and random.random() < 0.8:
        start = random.randrange(len(text))
        quote = text[start : start + random.randint(6, 30)]
    return AttestRequest(atom, random.random() < 0.8, quote, attester)


def _answer(random: Random, check: Check, truth: dict[str, bool]) -> Resolution:
    if random.random() < 0.1:
        return Failed("it raised")
    if check.kind is CheckKind.TEXT and random.random() < 0.9:
        return Read(random.choice(READ))
    unavailable = 0.6 if check.candidates else 0.08
    if check.kind is CheckKind.TEXT and random.random() < 0.7:
        unavailable = 1.0
    values = [
        (
            atom,
            Unavailable(random.choice(TEXTS))
            if random.random() < unavailable
            else truth.get(atom, random.random() < 0.6),
        )
        for atom in check.settles
    ]
    return Resolved(tuple(values))


def _requested(asked: Event, answer: Answer) -> list[Json]:
    """Return what a request came to, where it was charged or withdrew something."""
    kind = answer.kind.value
    if isinstance(asked, AttestRequest) and kind in ("recorded", "rejected"):
        return [_attested(asked, answer)]
    if kind == "retracted" and isinstance(asked, RetractRequest):
        return [{**_event(asked.atom, kind, Fraction(0)), "attester": _named(asked.attester)}]
    if kind == "expired" and isinstance(asked, RefreshRequest):
        return [{**_event(asked.check, kind, Fraction(0)), "digest": asked.digest}]
    if kind in ("accepted", "held", "unauthorized"):
        return [_event(answer.subject, kind, answer.charged)]
    if kind == "unrecognized" and answer.charged:
        return [_event("", kind, answer.charged)]
    return []


def _attested(asked: AttestRequest, answer: Answer) -> Json:
    said = "admitted" if answer.kind.value == "recorded" else "rejected"
    return {
        **_event(asked.atom, said, Fraction(1)),
        "values": {asked.atom: asked.value},
        "quote": asked.quote,
        "attester": _named(asked.attester),
    }


def _named(attester: Attester) -> list[str]:
    return [attester.name, attester.kind.value]


def _event(subject: str, answer: str, charged: Fraction) -> Json:
    nothing: Json = {"values": {}, "unavailable": {}}
    return {"subject": subject, "answer": answer, "charged": str(charged), **nothing}


def _call(check: Check, given: Resolution) -> Json:
    """Return what a check gave; the one candidate of a check that has some was read."""
    event = _event(check.identifier, "recorded", Fraction(check.cost))
    if check.candidates:
        event["candidate"] = check.candidates[0]
    if isinstance(given, Read):
        event["text"] = given.text
    if isinstance(given, Read | Resolved) and given.digest:
        event["digest"] = given.digest
    if not isinstance(given, Resolved) or (
        check.kind is CheckKind.TEXT and any(isinstance(v, bool) for _, v in given.values)
    ):
        if isinstance(given, Read):
            return event
        return {key: each for key, each in event.items() if key != "digest"} | {"answer": "failed"}
    event["values"] = {a: v for a, v in sorted(given.values) if isinstance(v, bool)}
    event["unavailable"] = {
        a: v.reason for a, v in sorted(given.values) if isinstance(v, Unavailable)
    }
    return event


def _certificate(outcome: Outcome, events: list[Json], verified: bool, random: Random) -> Stated:
    """Return the certificate of an outcome, as far as that goes from what the outcome says."""
    commitment = outcome.commitment
    found = conclude(commitment, outcome.ledger, list(outcome.conclusions))
    stated = {
        "licet_certificate": 1,
        "record": "a record",
        "program": canonical_text(commitment.specification, commitment.program),
        "program_sha256": commitment.sha256,
        "budget": str(outcome.budget),
        "events": events,
        "spent": str(outcome.spent),
        "ended": outcome.ending.value,
        "conclusions": list(outcome.conclusions),
        "maximal": found["maximal"],
        "holding": {
            support.conclusion: [str(literal) for literal in support.route.literals]
            for support in outcome.supports
        },
        "unresolved": found["unresolved"],
    }
    return {**stated, **later_keys({**stated, "verified": verified}, random)}
