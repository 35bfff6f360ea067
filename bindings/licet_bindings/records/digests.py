"""Digests of what checks read in a record, by which what they gave expires as the record changes.

The digest of a check is that of the fields that it may read, with their paths: a change elsewhere
in the record expires nothing. Of candidate fields it covers all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from licet import AnswerKind, Check, Commitment, InvalidInput, Outcome, Review
from licet.freshness import expiration
from licet_bindings.records.field_tests import AtomTest, CandidateTests, committed_tests
from licet_bindings.records.paths import MISSING, Path, lookup
from licet_bindings.records.reading import Record
from licet_bindings.records.values import Json, NotJsonError, freeze, is_json
from licet_bindings.strict import RECORD_LIMITS


def digests_of(commitment: Commitment, record: Record) -> dict[str, str]:
    """Return the digest of what each check of a program reads in a record.

    With `licet.still_authorized` it says what an outcome still authorizes on a newer version of its
    record, if its resolver named digests.

    Raises:
        InvalidInput: the record is no JSON object, or a commitment was not made from a document.

    >>> from licet_bindings.documents import build_document
    >>> from licet import commit
    >>> document = build_document(
    ...     {
    ...         "licet": 1,
    ...         "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
    ...         "atoms": {"text": {"says": "it has a text", "field": "text", "test": "exists"}},
    ...         "routes": {"described": [["text"]]},
    ...     }
    ... )
    >>> commitment = commit(document.specification, document.program)
    >>> old = digests_of(commitment, {"text": "a crash", "read": 1})
    >>> old == digests_of(commitment, {"text": "a crash", "read": 2})
    True
    >>> old == digests_of(commitment, {"text": "a fault"})
    False
    """
    if type(record) is not dict:
        raise InvalidInput("record", f"expected a JSON object, found {type(record).__name__}")
    tests, checked = committed_tests(commitment), is_json(record, RECORD_LIMITS.values)
    return {
        check.identifier: digest_of(check, tests, record, checked=checked)
        for check in commitment.compiled.registered
    }


def refreshed(review: Review, record: Record) -> tuple[str, ...]:
    """Expire what a review read of fields that a newer version of its record has changed; free.

    The review's resolver must have named digests, and must read the newer version from here on.

    Returns:
        The checks that expired and can be run again.

    Raises:
        InvalidInput: as `digests_of` does.
    """
    return tuple(
        check
        for check, digest in digests_of(review.commitment, record).items()
        if review.refresh(check, digest).kind is AnswerKind.EXPIRED
    )


def changed_since(outcome: Outcome, record: Record) -> tuple[str, ...]:
    """Return the checks that read something else in an outcome's record than is in a newer one.

    Those whose resolver named no digest are never among them.

    Raises:
        InvalidInput: as `digests_of` does.
    """
    program, found = outcome.commitment.compiled, digests_of(outcome.commitment, record)
    return tuple(
        check.identifier
        for index, check in enumerate(program.registered)
        if expiration(program, outcome.ledger, index, found[check.identifier]) is not None
    )


def digest_of(
    check: Check, tests: Mapping[str, AtomTest], record: Record, *, checked: bool = False
) -> str:
    """Return the digest of what a check may read in a record: `sha256:` and 64 hexadecimal digits.

    Args:
        check: the check.
        tests: what is done for each of its atoms.
        record: the record.
        checked: whether it is known to be JSON throughout, see `paths.lookup`.
    """
    paths = sorted({path for atom in check.settles for path in _paths(tests[atom])})
    fields = [[list(path), *_found(record, path, checked)] for path in paths]
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def _paths(test: AtomTest) -> tuple[Path, ...]:
    if isinstance(test, CandidateTests):
        return tuple(path for _, path in test.fields)
    return (test.path,)


def _found(record: Record, path: Path, checked: bool) -> list[Json]:
    """Return what is at a path; a field that no test can be evaluated on is like any other such."""
    found = lookup(record, path, checked=checked)
    if found is MISSING:
        return []
    try:
        freeze(found)
    except NotJsonError:
        return [None]
    return [True, found]
