"""Attestations: judgements of a text that a model or a person puts on record, and retractions.

A judgement is admitted only for a text atom whose text was read in this review, with a verbatim
quote; in the verified mode only where a second judge, who sees nothing but the condition and the
text, agrees. What is rejected leaves the ledger as it was (PRIME, appendix E.4).
"""

from dataclasses import replace
from typing import Final

from icontract import ensure, require

from ._seal import SEAL
from .compiled import ATTESTATION_COST, calls_of
from .completion import after_charge, end_checking
from .errors import InvariantViolation
from .ledger import Attestation, Certificate, Retraction, retracts
from .messages import (
    Answer,
    AnswerKind,
    AttestRequest,
    Failed,
    Judged,
    Resolution,
    RetractRequest,
)
from .objects import Check, CheckKind
from .outcome import Ending, Failure
from .state import Episode, Judgement, Transition, charge, text_read, with_records

QUOTE_LENGTH: Final = 8
"""Characters of a quote, at least; blanks around it do not count."""

UNCONFIRMED: Final = "an independent check did not confirm it"


def text_check(episode: Episode, atom: str) -> Check | None:
    """Return the check that reads the text on which an atom is judged, None of a field atom."""
    checks = episode.commitment.compiled.registered
    texts = (check for check in checks if check.kind is CheckKind.TEXT and atom in check.settles)
    return next(texts, None)


def why_rejected(
    check: Check | None, text: str | None, quote: str, unavailable: bool = False
) -> str:
    """Return why an attestation is rejected, or nothing where it may be admitted.

    Args:
        check: the check that reads the atom's text, None where the atom is no text atom.
        text: the text, None where it was not read in this review.
        quote: what the attester quotes.
        unavailable: whether the read of the text established that there is none.

    >>> check = Check("text", ("named",), kind=CheckKind.TEXT)
    >>> why_rejected(check, "a crash in libfoo 1.2", "libfoo")
    'expected a quote of at least 8 characters'
    """
    if check is None:
        return "the atom is not judged on a text; run its check"
    if unavailable:
        return "its text is unavailable"
    if text is None:
        return f"its text was not read in this review; run check {check.identifier} first"
    if len(quote.strip()) < QUOTE_LENGTH:
        return f"expected a quote of at least {QUOTE_LENGTH} characters"
    if quote not in text:
        return "the quote is no verbatim part of the text"
    return ""


@ensure(
    lambda episode, result: (
        result.episode.ledger.records
        in (episode.ledger.records, (*episode.ledger.records, *result.episode.ledger.records[-1:]))
    )
)
def request_attestation(episode: Episode, asked: AttestRequest) -> Transition:
    """Take an attestation: charged one call, admitted or not; a repeat is free.

    The answer JUDGE means that the second judge is to be asked, and its answer handed to `judge`.
    """
    program = episode.commitment.compiled
    check = text_check(episode, asked.atom)
    text = text_read(episode, check.identifier) if check else None
    for known in episode.judgements:
        if (known.request, known.read) == (asked, text is not None):
            values = () if known.rejected else ((asked.atom, asked.value),)
            return Transition(
                episode, Answer(AnswerKind.CACHED, asked.atom, values=values, reason=known.rejected)
            )
    units = ATTESTATION_COST * program.unit
    if units > episode.left:
        return end_checking(episode, Ending.UNAFFORDABLE)
    charged, calls = charge(episode, units), calls_of(program, units)
    rejected = why_rejected(check, text, asked.quote, _is_unavailable(episode, asked.atom))
    if not rejected and episode.verified:
        waiting = replace(charged, judging=asked, seal=SEAL)
        return Transition(waiting, Answer(AnswerKind.JUDGE, asked.atom, calls))
    decided = _decided(charged, asked, text is not None, rejected)
    return after_charge(decided.episode, decided.answer._replace(charged=calls))


@require(lambda episode: episode.judging is not None)
@ensure(lambda result: result.episode.judging is None)
@ensure(
    lambda episode, resolution, result: (
        (type(resolution) is Judged and resolution.value is episode.judging.value)
        or result.episode.ledger is episode.ledger
    )
)
def judge(episode: Episode, resolution: Resolution) -> Transition:
    """Take what the second judge answered: only its agreement admits the attestation.

    Whatever is no truth value is a failed call: charged, not cached, and it admits nothing.
    """
    asked = episode.judging
    check = text_check(episode, asked.atom) if asked else None
    if asked is None or check is None:
        raise InvariantViolation("no attestation waits for the second judge")
    done = replace(episode, judging=None, seal=SEAL)
    if type(resolution) is Judged and type(resolution.value) is bool:
        rejected = "" if resolution.value is asked.value else UNCONFIRMED
        return after_charge(*_decided(done, asked, True, rejected))
    reason = resolution.reason if type(resolution) is Failed else "expected a truth value"
    failure = Failure(check.identifier, f"the second judge of {asked.atom}: {reason}")
    failed = replace(done, failures=(*done.failures, failure), seal=SEAL)
    return after_charge(failed, Answer(AnswerKind.FAILED, asked.atom, reason=failure.reason))


def request_retraction(episode: Episode, asked: RetractRequest) -> Transition | None:
    """Withdraw what an attester attested of an atom; None where there is nothing to withdraw.

    It is free, for evidence that is no longer stood by must never be too dear to withdraw, and it
    clears what a repeat of the attestation would have been answered from.
    """
    retraction = Retraction(asked.atom, asked.attester)
    if not any(retracts(retraction, value) for value in episode.ledger.admitted):
        return None
    kept = tuple(known for known in episode.judgements if not _is_cleared(known, retraction))
    retracted = replace(with_records(episode, retraction), judgements=kept, seal=SEAL)
    return Transition(retracted, Answer(AnswerKind.RETRACTED, asked.atom))


def _decided(episode: Episode, asked: AttestRequest, read: bool, rejected: str) -> Transition:
    """Admit an attestation or reject it, and remember which."""
    known = (*episode.judgements, Judgement(asked, read, rejected))
    if rejected:
        return Transition(
            replace(episode, judgements=known, seal=SEAL),
            Answer(AnswerKind.REJECTED, asked.atom, reason=rejected),
        )
    record = Attestation(asked.atom, asked.value, asked.quote, asked.attester)
    return Transition(
        replace(with_records(episode, record), judgements=known, seal=SEAL),
        Answer(AnswerKind.RECORDED, asked.atom, values=((asked.atom, asked.value),)),
    )


def _is_unavailable(episode: Episode, atom: str) -> bool:
    standing = episode.ledger.standing
    return any(isinstance(record, Certificate) and record.atom == atom for record in standing)


def _is_cleared(known: Judgement, retraction: Retraction) -> bool:
    asked = known.request
    mine = (asked.atom, asked.attester) == (retraction.atom, retraction.attester)
    return mine and not known.rejected
