"""What a certificate says of a review's history: what was charged, retracted, and has expired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NotRequired, TypedDict

from licet import (
    Answer,
    AttestRequest,
    Entry,
    Event,
    Failed,
    InvalidInput,
    Judged,
    Ledger,
    Outcome,
    Read,
    RefreshRequest,
    Resolved,
    RetractRequest,
    Unavailable,
)
from licet.compiled import ATTESTATION_COST, calls_of
from licet.episode import begin, outcome_of, request, resolve
from licet.messages import AnswerKind, Resolution, usable_answer
from licet.state import Episode
from licet_bindings.derivations import NoCertificate

DIGITS: Final = 40
"""Digits of an amount's numerator and of its denominator, at most."""

REPORTED: Final = ("accepted", "held", "unauthorized")
"""Answers to a report."""

ATTESTED: Final = ("admitted", "rejected", "retracted")
"""Answers to an attestation, and to a retraction."""

_JUDGED: Final = {
    AnswerKind.RECORDED: "admitted",
    AnswerKind.REJECTED: "rejected",
    AnswerKind.FAILED: "rejected",
}


class CertifiedEvent(TypedDict):
    """Something that had a price, a retraction or an expiration.

    Attributes:
        subject: the check, the conclusion or the atom; empty for an unrecognized request.
        answer: `recorded` or `failed` for a check, `accepted`, `held` or `unauthorized` for a
            report, `admitted`, `rejected` or `retracted` for an attestation, `expired` for what a
            check gave before, else `unrecognized`.
        charged: its price in calls.
        values: the truth value of each atom that a recorded check established, or that is attested.
        unavailable: the other atoms of a recorded check, and why it established nothing of them.
        candidate: of a check with candidates the one that was read.
        text: the text that was read.
        quote: what an attestation quotes.
        attester: who attested or retracted: name, and `model` or `person`.
        digest: the digest of what a check read, if it was named; that which its source has now.
    """

    subject: str
    answer: str
    charged: str
    values: dict[str, bool]
    unavailable: dict[str, str]
    candidate: NotRequired[str]
    text: NotRequired[str]
    quote: NotRequired[str]
    attester: NotRequired[list[str]]
    digest: NotRequired[str]


def charged_events(
    outcome: Outcome, completion: bool, history: Iterable[Entry], verified: bool
) -> Iterator[tuple[CertifiedEvent, Ledger]]:
    """Yield what was charged, was retracted or has expired, and the ledger before it.

    Args:
        outcome: the outcome of a review.
        completion: the review's completion setting.
        history: its whole history, which is replayed.
        verified: whether it had a second judge.

    Raises:
        InvalidInput: the history does not lead to the outcome, or a certificate cannot hold it.
    """
    episode = begin(outcome.commitment, outcome.budget, completion, verified)
    for position, entry in enumerate(history):
        place, asked, before = f"history.{position}", entry.event, episode
        if isinstance(asked, Resolved | Read | Judged | Failed):
            if not before.waiting:
                raise InvalidInput(place, "expected a request, found a resolver's answer")
            episode, answer = resolve(before, asked)
            event = _resolved(before, asked, answer, place)
        else:
            if before.waiting:
                raise InvalidInput(place, "expected a resolver's answer, found a request")
            episode, answer = request(before, asked)
            event = _requested(asked, answer, place)
        if event is not None:
            yield event, before.ledger
        amount_text(calls_of(episode.commitment.compiled, episode.spent), place)
    if not episode.over or outcome_of(episode) != outcome:
        raise InvalidInput("history", "expected the whole history of this outcome")


def _requested(asked: Event, answer: Answer, place: str) -> CertifiedEvent | None:
    """Return what a request came to, None where it was free or waits for an answer."""
    if isinstance(asked, AttestRequest) and answer.kind in _JUDGED:
        return _attested(asked, answer, place)
    if isinstance(asked, RetractRequest) and answer.kind is AnswerKind.RETRACTED:
        event = _event(asked.atom, AnswerKind.RETRACTED.value, Fraction(0))
        event["attester"] = [asked.attester.name, asked.attester.kind.value]
        return event
    if isinstance(asked, RefreshRequest) and answer.kind is AnswerKind.EXPIRED:
        event = _event(asked.check, AnswerKind.EXPIRED.value, Fraction(0))
        event["digest"] = asked.digest
        return event
    if answer.kind.value in REPORTED:
        return _event(answer.subject, answer.kind.value, answer.charged)
    if answer.kind is AnswerKind.UNRECOGNIZED and answer.charged:
        return _event("", answer.kind.value, answer.charged)
    return None


def _resolved(
    before: Episode, given: Resolution, answer: Answer, place: str
) -> CertifiedEvent | None:
    """Return what a resolver's or the second judge's answer came to."""
    if before.judging is not None:
        return _attested(before.judging, answer, place)
    return None if before.pending is None else _call(before, before.pending, given, place)


def _attested(asked: AttestRequest, answer: Answer, place: str) -> CertifiedEvent:
    event = _event(asked.atom, _JUDGED[answer.kind], Fraction(ATTESTATION_COST))
    event["values"] = {asked.atom: asked.value}
    event["quote"] = _exact_text(asked.quote, place)
    event["attester"] = [asked.attester.name, asked.attester.kind.value]
    return event


def _call(episode: Episode, index: int, answered: Resolution, place: str) -> CertifiedEvent:
    program = episode.commitment.compiled
    check, cost = program.registered[index], calls_of(program, program.calls[index].cost)
    usable = usable_answer(check, answered)
    kind = AnswerKind.FAILED if isinstance(usable, Failed) else AnswerKind.RECORDED
    event = _event(check.identifier, kind.value, cost)
    if check.candidates:
        event["candidate"] = check.candidates[episode.candidate]
    if not isinstance(usable, Failed) and usable.digest:
        event["digest"] = usable.digest
    if isinstance(usable, Read):
        event["text"] = _exact_text(usable.text, place)
    if isinstance(usable, Resolved):
        for atom, value in usable.values:
            if isinstance(value, Unavailable):
                event["unavailable"][atom] = plain_text(value.reason)
            else:
                event["values"][atom] = value
    return event


def _event(subject: str, answer: str, charged: Fraction) -> CertifiedEvent:
    return {
        "subject": subject,
        "answer": answer,
        "charged": str(charged),
        "values": {},
        "unavailable": {},
    }


def plain_text(text: str) -> str:
    """Return a text with its lone surrogates written out; JSON has no one reading of them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _exact_text(text: str, place: str) -> str:
    """Return a text in which quotes are looked for; with surrogates written out, others match."""
    if plain_text(text) != text:
        raise NoCertificate(place, "a certificate cannot hold a text that has lone surrogates")
    return text


def amount_text(value: Fraction, place: str) -> str:
    """Return an amount as text; `InvalidInput` where its parts have too many digits."""
    if max(value.numerator, value.denominator) >= 10**DIGITS:
        raise NoCertificate(place, f"expected at most {DIGITS} digits in an exact fraction's parts")
    return str(value)
