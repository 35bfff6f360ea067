"""Resolvers: what runs a committed check on a record, and a limit on how long one may take."""

from __future__ import annotations

import contextvars
import math
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from itertools import islice

from licet import Check, Commitment, InvalidInput, Resolver, Unavailable, Value
from licet_bindings.documents import ReviewDocument
from licet_bindings.records.field_tests import FieldTest, committed_tests
from licet_bindings.records.reading import Record
from licet_bindings.records.values import is_json
from licet_bindings.strict import RECORD_LIMITS


def record_resolver(source: ReviewDocument | Commitment, record: Record) -> Resolver:
    """Return the resolver that evaluates a program's checks on `record`.

    For each atom that the check settles it answers what the atom's test establishes; a test that
    establishes nothing is `Unavailable`, with the reason.

    Args:
        source: the review program, as a document or committed.
        record: the record; it should not change while it is reviewed.

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

    def resolve(check: Check) -> Mapping[str, Value]:
        return {atom: _value(tests[atom], record, checked) for atom in check.settles}

    return resolve


def _value(test: FieldTest, record: Record, checked: bool) -> Value:
    finding = test.evaluate(record, checked=checked)
    return Unavailable(finding.reason) if finding.value is None else finding.value


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
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not math.isfinite(seconds) or not 0 < seconds <= threading.TIMEOUT_MAX:
        raise InvalidInput("seconds", f"expected a finite number above 0, found {seconds!r}")

    def resolve(check: Check) -> Mapping[str, Value]:
        answer: Future[Mapping[str, Value]] = Future()
        context = contextvars.copy_context()

        def call() -> None:
            try:
                answer.set_result(context.run(_answer, resolver, check))
            except BaseException as error:
                # Raised again in the caller's thread, where the review deals with it.
                answer.set_exception(error)

        thread = threading.Thread(target=call, name=f"check {check.identifier}", daemon=True)
        thread.start()
        thread.join(seconds)
        if not answer.done():
            raise TimeoutError(f"check {check.identifier}: no answer within {seconds} seconds")
        return answer.result()

    return resolve


def _answer(resolver: Resolver, check: Check) -> Mapping[str, Value]:
    """Return what a resolver answers, read as far as a usable answer goes."""
    given = resolver(check)
    if not isinstance(given, Mapping):
        return given
    pairs = list(islice(given.items(), len(check.settles) + 1))
    if len(pairs) > len(check.settles):
        raise ValueError(f"expected the {len(check.settles)} atoms of the check, found more")
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("expected each atom once, found one twice")
    return read
