"""Resolvers: what runs a committed check on a record, and a limit on how long one may take."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import islice
from typing import TypeAlias, TypeVar

from licet import (
    Check,
    CheckKind,
    Commitment,
    InvalidInput,
    Judge,
    Resolver,
    Sourced,
    Unavailable,
    Value,
)
from licet_bindings.documents import ReviewDocument
from licet_bindings.records.digests import digest_of
from licet_bindings.records.field_tests import (
    AtomTest,
    CandidateTests,
    JudgedText,
    committed_tests,
)
from licet_bindings.records.judges import Finding
from licet_bindings.records.reading import Record
from licet_bindings.records.values import is_json
from licet_bindings.strict import RECORD_LIMITS

Answer: TypeAlias = Mapping[str, Value] | str | Unavailable | Sourced
"""What a resolver answers: values, or of a text read the text or why there is none."""

_T = TypeVar("_T")


def record_resolver(
    source: ReviewDocument | Commitment, record: Record, *, sourced: bool = False
) -> Resolver:
    """Return the resolver that evaluates a program's checks on `record`.

    For each atom that the check settles it answers what the atom's test establishes; a test that
    establishes nothing is `Unavailable`, with the reason. Of a check with candidates it is what the
    test establishes on the one that is to be read. To a text read it answers the text; one that is
    missing, null, blank or no text is `Unavailable`.

    Args:
        source: the review program, as a document or committed.
        record: the record; it should not change while it is reviewed.
        sourced: whether each answer names the digest of what its check reads, by which it can
            expire; see `digests`.

    Raises:
        InvalidInput: the record is no JSON object, or a commitment was not made from a document.

    >>> from licet_bindings.documents import build_document
    >>> document = build_document(
    ...     {
    ...         "licet": 1,
    ...         "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
    ...         "atoms": {"text": {"says": "it has a text", "field": "text", "test": "exists"}},
    ...         "routes": {"described": [["text"]]},
    ...     }
    ... )
    >>> record_resolver(document, {"text": "a crash"})(Check("text", ("text",)))
    {'text': True}
    """
    if type(record) is not dict:
        raise InvalidInput("record", f"expected a JSON object, found {type(record).__name__}")
    tests = source.bindings if isinstance(source, ReviewDocument) else committed_tests(source)
    # Once, and not at every look-up: a record may have as many keys as a program has atoms.
    checked = is_json(record, RECORD_LIMITS.values)

    def resolve(check: Check) -> Mapping[str, Value] | str | Unavailable:
        if check.kind is CheckKind.TEXT:
            return _text(check, tests).read(record, checked=checked)
        place = check.candidates[0] if len(check.candidates) == 1 else None
        return {atom: _value(tests[atom], place, record, checked) for atom in check.settles}

    def resolve_sourced(check: Check) -> Sourced:
        return Sourced(resolve(check), digest_of(check, tests, record, checked=checked))

    return resolve_sourced if sourced else resolve


def _text(check: Check, tests: Mapping[str, AtomTest]) -> JudgedText:
    first, *others = (tests[atom] for atom in check.settles)
    if isinstance(first, JudgedText) and all(other == first for other in others):
        return first
    raise ValueError(f"check {check.identifier}: expected atoms that are judged on one text")


def _value(test: AtomTest, place: str | None, record: Record, checked: bool) -> Value:
    finding = _finding(test, place, record, checked)
    return Unavailable(finding.reason) if finding.value is None else finding.value


def _finding(test: AtomTest, place: str | None, record: Record, checked: bool) -> Finding:
    match test:
        case JudgedText():
            raise ValueError("an atom that is judged on a text has no field")
        case CandidateTests():
            if place is None:
                raise ValueError("expected the one candidate that is to be read")
            return test.evaluate(place, record, checked=checked)
    return test.evaluate(record, checked=checked)


def bounded(resolver: Resolver, seconds: float) -> Resolver:
    """Return `resolver` with a limit on how long it may take for one check.

    Past the limit the caller gets a `TimeoutError`, which a review records as a failed call:
    charged, and establishing nothing. Python cannot stop a thread, so the call goes on in its own
    daemon thread; whatever it answers later is dropped, and it does not keep the process alive.
    Whoever wraps a resolver that never returns leaves one such thread for each check.

    The limit covers reading the answer too: a mapping that computes its items is read in that
    thread, at most one item more than the check has atoms.

    Args:
        resolver: a resolver that may hang: one that asks a network, a model or a person. It must
            be synchronous (a coroutine is no answer), and it must not call back into the review
            that it works for: in a thread of its own it would wait for that review until the
            limit is over.
        seconds: the limit, above 0.

    Raises:
        InvalidInput: `seconds` is no finite number above 0.

    >>> bounded(lambda check: {"text": True}, 5)(Check("text", ("text",)))
    {'text': True}
    """
    _require_limit(seconds)

    def resolve(check: Check) -> Answer:
        return within(seconds, f"check {check.identifier}", lambda: read_answer(resolver, check))

    return resolve


def bounded_judge(judge: Judge, seconds: float) -> Judge:
    """Return a second judge with a limit on how long it may take for one attestation.

    Past the limit the caller gets a `TimeoutError`, which a review records as a failed call: the
    attestation is charged and not admitted. What is said of `bounded` holds here too.

    Args:
        judge: a second judge that may hang.
        seconds: the limit, above 0.

    Raises:
        InvalidInput: `seconds` is no finite number above 0.

    >>> bounded_judge(lambda condition, text: condition in text, 5)("a crash", "it is a crash")
    True
    """
    _require_limit(seconds)

    def confirm(condition: str, text: str) -> bool:
        return within(seconds, "second judge", lambda: judge(condition, text))

    return confirm


def _require_limit(seconds: float) -> None:
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not math.isfinite(seconds) or not 0 < seconds <= threading.TIMEOUT_MAX:
        raise InvalidInput("seconds", f"expected a finite number above 0, found {seconds!r}")


def within(seconds: float, name: str, asked: Callable[[], _T]) -> _T:
    """Return what `asked` returns in a thread of its own, within a limit.

    Args:
        seconds: the limit, above 0.
        name: what it is called in messages.
        asked: what is run; what it raises is raised here.

    Raises:
        TimeoutError: it took longer; it goes on, and what it returns is dropped.
    """
    answer: Future[_T] = Future()
    context = contextvars.copy_context()

    def call() -> None:
        try:
            answer.set_result(context.run(asked))
        except BaseException as error:
            # Raised again in the caller's thread, where the review deals with it.
            answer.set_exception(error)

    thread = threading.Thread(target=call, name=name, daemon=True)
    thread.start()
    thread.join(seconds)
    if not answer.done():
        raise TimeoutError(f"{name}: no answer within {seconds} seconds")
    return answer.result()


def read_answer(resolver: Resolver, check: Check) -> Answer:
    """Return what a resolver answers, read as far as a usable answer goes.

    Raises:
        ValueError: the answer is none, for it has too many atoms or one of them twice.
    """
    given = resolver(check)
    if type(given) is Sourced:
        return given._replace(answer=_read(given.answer, check))
    return given if isinstance(given, Sourced) else _read(given, check)


def _read(
    given: Mapping[str, Value] | str | Unavailable, check: Check
) -> Mapping[str, Value] | str | Unavailable:
    if not isinstance(given, Mapping):
        return given
    pairs = list(islice(given.items(), len(check.settles) + 1))
    if len(pairs) > len(check.settles):
        raise ValueError(f"expected the {len(check.settles)} atoms of the check, found more")
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("expected each atom once, found one twice")
    return read
