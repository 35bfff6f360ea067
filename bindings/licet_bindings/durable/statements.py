"""Reviews of a ledger as in-toto statements (version 1), and back: what is stated is verified.

A statement has the two entries of the ledger that say how a review began and how it ended, with
their digests, so the certificate in it is the one that was written; and where the ledger stood.
Signed, it goes into an envelope (`envelopes`). It says nothing of entries in between: their digests
are in the chain that the outcome's digest closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from licet import InvalidInput
from licet_bindings.certificates import ReviewCertificate, certificate_line
from licet_bindings.certified_events import plain_text
from licet_bindings.durable.canonical_json import canonical_bytes, canonical_content
from licet_bindings.durable.codecs import TEXT, optional
from licet_bindings.durable.entries import OPENINGS, Head, Kind, LedgerEntry, digest_of
from licet_bindings.durable.envelopes import opened, sealed
from licet_bindings.durable.errors import Damaged, NotVerified
from licet_bindings.durable.exports import episode_entries, verified_head
from licet_bindings.durable.outcome_audit import independent_checker
from licet_bindings.durable.statement_models import (
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    StatementModel,
    keys_at,
)
from licet_bindings.durable.stores import Store
from licet_bindings.errors import DocumentError, dotted, printable, shown
from licet_bindings.faults import DocumentShape, document_error
from licet_bindings.records.values import Json
from licet_bindings.strict import RECORD_LIMITS, Misplaced, check_tree
from licet_bindings.syntax import decode, read_record_text

if TYPE_CHECKING:
    from securesystemslib.signer import Key, Signer

_RECORD: Final = optional(TEXT)
_LIMITS: Final = replace(RECORD_LIMITS, surrogates=False)
_SHAPE: Final = DocumentShape(keys_at)


@dataclass(frozen=True, slots=True)
class ReviewStatement:
    """A statement about a review that was checked.

    Attributes:
        episode: the review's name in its ledger.
        program_sha256: the hash of its program.
        certificate: the certificate, which the independent checker has accepted.
        outcome: the number and the digest of the entry that holds the outcome.
        head: where the ledger stood when the statement was made.
        keys: the identifiers of the keys that signed it; none where nobody did.
    """

    episode: str
    program_sha256: str
    certificate: ReviewCertificate
    outcome: Head
    head: Head
    keys: tuple[str, ...] = ()


def statement_bytes(store: Store, ledger: str, episode: str, head: Head | None = None) -> bytes:
    """Return the statement about a review that has ended, as canonical JSON.

    Args:
        store: where the ledger is kept.
        ledger: what messages call it.
        episode: the review's name.
        head: the ledger's verified head; left out, its whole chain is followed.

    Raises:
        InvalidInput: there is no such review, it has not ended, or it has no certificate.
        NotVerified: it would state what does not hold.
        Damaged: the entries are not as they were written.
        LedgerError: the ledger cannot be read.
    """
    entries = episode_entries(store, ledger, episode)
    head = verified_head(store, ledger) if head is None else head
    opening = next(entry for entry in entries if entry.kind in OPENINGS)
    if opening.kind is not Kind.REVIEW:
        raise _nothing_stated(episode, "a gate has no certificate")
    ends = [each for each in entries if each.kind is Kind.OUTCOME]
    if not ends or ends[-1].sequence > head.sequence:
        raise _nothing_stated(episode, "the review has not ended")
    place = f"{ledger}: {shown(episode)}"
    ending = _content(place, ends[-1])
    if not ending.get("certificate"):
        why = shown(ending.get("uncertified"))
        raise _nothing_stated(episode, f"the review has no certificate: {why}")
    payload = canonical_bytes(_statement(place, opening, ends[-1], head))
    checked_statement(payload, place)
    return payload


def signed_statement(store: Store, ledger: str, episode: str, signer: Signer) -> str:
    """Return the statement about a review in a signed envelope, as one line.

    Args:
        store: where the ledger is kept.
        ledger: what messages call it.
        episode: the review's name.
        signer: what signs: any signer of securesystemslib; `read_signer` gives one of a file.

    Raises:
        InvalidInput, LedgerError: as `statement_bytes`.
        ModuleNotFoundError: the extra `attest` is not installed.
    """
    return sealed(statement_bytes(store, ledger, episode), signer)


def verified_statement(
    line: str | bytes, keys: Sequence[Key], name: str = "envelope"
) -> ReviewStatement:
    """Return what an envelope states, once signatures, statement and certificate are verified.

    Args:
        line: the envelope, as one line of JSON.
        keys: the public keys that are trusted; each signature must be by one of them.
        name: what messages call the envelope.

    Raises:
        NotVerified: a signature is by none of the keys, or what is stated does not hold.
        DocumentError: it is no envelope, or what was signed is no statement about a review.
        ModuleNotFoundError: the extra `attest` is not installed.
    """
    envelope = opened(line, keys, name)
    return checked_statement(envelope.payload, name, envelope.keys)


def checked_statement(
    payload: bytes, name: str = "statement", keys: tuple[str, ...] = ()
) -> ReviewStatement:
    """Return what a statement says, once it is checked; who wrote it is not asked.

    Args:
        payload: the statement, as JSON.
        name: what messages call it.
        keys: the identifiers of the keys that have signed it.

    Raises:
        NotVerified: what is stated does not hold.
        DocumentError: it is no statement about a review.
    """
    tree = _tree(payload, name)
    predicate = tree["predicate"]
    began, ended = predicate["opening"]["content"], predicate["outcome"]["content"]
    certificate: ReviewCertificate = ended["certificate"]
    first, last = _opening(predicate), _outcome(predicate)
    head = Head(predicate["head"]["sequence"], bytes.fromhex(predicate["head"]["digest"]))
    for place, problem in _faults(first, last, head):
        raise NotVerified(f"{name}: predicate.{place}", problem)
    if tree["subject"] != _subject(began, last):
        problem = "expected the program and the episode of the predicate"
        raise NotVerified(f"{name}: subject", problem)
    place = f"{name}: predicate.outcome.content"
    for part, found, expected in _compared(began, ended["outcome"], certificate):
        if found != expected:
            problem = f"expected {shown(expected)}, as elsewhere, found {shown(found)}"
            raise NotVerified(f"{place}.{part}", problem)
    _require_certificate(f"{place}.certificate", certificate)
    return ReviewStatement(
        began["name"],
        began["program_sha256"],
        certificate,
        Head(last.sequence, last.digest),
        head,
        keys,
    )


def _nothing_stated(episode: str, why: str) -> InvalidInput:
    return InvalidInput("episode", f"nothing can be stated of {shown(episode)}: {why}")


def _statement(place: str, opening: LedgerEntry, outcome: LedgerEntry, head: Head) -> Json:
    began = _content(place, opening)
    return {
        "_type": STATEMENT_TYPE,
        "subject": _subject(began, outcome),
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "opening": {**_link(opening), "content": began},
            "outcome": {
                **_link(outcome),
                "position": outcome.position,
                "content": _content(place, outcome),
            },
            "head": {"sequence": head.sequence, "digest": head.digest.hex()},
        },
    }


def _link(entry: LedgerEntry) -> dict[str, Json]:
    """Return of an entry what its digest covers besides its content, and the digest."""
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "previous": entry.previous.hex(),
        "digest": entry.digest.hex(),
    }


def _content(place: str, entry: LedgerEntry) -> dict[str, Json]:
    try:
        content = canonical_content(entry.body)
        if not isinstance(content, dict):
            raise Misplaced(f"expected an object, found {shown(content)}")
    except Misplaced as fault:
        raise Damaged(f"{place}: entry {entry.sequence}", fault.problem) from None
    return content


def _subject(began: Mapping[str, Any], outcome: LedgerEntry) -> list[Json]:
    """Return what a statement is about: a program, and an episode by its outcome's digest."""
    digests = {"program": began["program_sha256"], "episode": outcome.digest.hex()}
    return [{"name": name, "digest": {"sha256": digest}} for name, digest in digests.items()]


def _tree(payload: bytes, name: str) -> dict[str, Any]:
    """Return a statement that has the published form."""
    try:
        tree = read_record_text(decode(payload))
        check_tree(tree, _LIMITS)
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    if not isinstance(tree, dict):
        raise DocumentError(name, "", f"expected an object, found {shown(tree)}")
    try:
        StatementModel.model_validate(tree)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    return tree


def _opening(predicate: Mapping[str, Any]) -> LedgerEntry:
    """Return the entry that a predicate's opening was made of."""
    opening = predicate["opening"]
    return _entry(opening, opening["sequence"], 0, Kind.REVIEW, opening["content"]["name"])


def _outcome(predicate: Mapping[str, Any]) -> LedgerEntry:
    """Return the entry that a predicate's outcome was made of."""
    outcome, episode = predicate["outcome"], predicate["opening"]["sequence"]
    return _entry(outcome, episode, outcome["position"], Kind.OUTCOME, "")


def _entry(
    written: Mapping[str, Any], episode: int, position: int, kind: Kind, name: str
) -> LedgerEntry:
    return LedgerEntry(
        written["sequence"],
        episode,
        position,
        kind,
        written["time"],
        name,
        canonical_bytes(written["content"]),
        bytes.fromhex(written["previous"]),
        bytes.fromhex(written["digest"]),
    )


def _faults(first: LedgerEntry, last: LedgerEntry, head: Head) -> Iterator[tuple[str, str]]:
    """Yield what cannot be so of the entries and the head, and where."""
    for place, entry in (("opening", first), ("outcome", last)):
        if digest_of(entry) != entry.digest:
            yield f"{place}.digest", "it is not that of the content"
    if last.sequence <= first.sequence:
        yield "outcome.sequence", "expected an entry behind the opening"
    if head.sequence < last.sequence or (
        head.sequence == last.sequence and head.digest != last.digest
    ):
        yield "head", "expected the outcome's entry, or one behind it"


def _compared(
    began: Mapping[str, Any], ended: Mapping[str, Any], certificate: ReviewCertificate
) -> Iterator[tuple[str, object, object]]:
    """Yield what two of the opening, the outcome and the certificate say, and where."""
    yield "certificate.program_sha256", certificate["program_sha256"], began["program_sha256"]
    record = plain_text(_RECORD.read(began["record"]) or "")
    yield "certificate.record", certificate["record"], record
    yield "certificate.verified", certificate.get("verified", began["verified"]), began["verified"]
    yield "outcome.budget", ended["budget"], began["budget"]
    for key in ("conclusions", "spent", "budget", "ended"):
        yield f"outcome.{key}", ended[key], dict(certificate)[key]
    holding = sorted((each["conclusion"], each["route"]) for each in ended["holding"])
    yield "outcome.holding", holding, sorted(certificate["holding"].items())
    lacking = sorted(each["conclusion"] for each in ended["lacking"])
    yield "outcome.lacking", lacking, sorted(certificate["unresolved"])


def _require_certificate(place: str, certificate: ReviewCertificate) -> None:
    """Return if the independent checker accepts a certificate."""
    refused = independent_checker()(certificate_line(certificate), certificate["program_sha256"])
    if refused:
        raise NotVerified(place, printable(refused))
