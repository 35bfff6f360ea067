"""Digests of what checks read in records, refreshes of reviews, and what is said of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    AttestRequest,
    Check,
    Failed,
    InvalidInput,
    Review,
    Sourced,
    State,
    still_authorized,
)
from licet_bindings.certificates import certificate_line, certificate_of_review
from licet_bindings.documents import build_document, commit_document
from licet_bindings.evidence_reports import attestations, candidates, expirations
from licet_bindings.observing import observe
from licet_bindings.records.digests import digest_of, digests_of, refreshed
from licet_bindings.records.field_tests import CandidateTests, committed_tests
from licet_bindings.records.resolver import bounded, record_resolver
from licet_proofs import checker
from tests.bindings.evidence import PROGRAM, RECORD

DOCUMENT = build_document(PROGRAM)
COMMITMENT = commit_document(DOCUMENT)
TEXT = "text:details"


def reviewed(record: dict[str, Any]) -> Review:
    """Return a review in which every check ran; the text may then be judged."""
    review = Review(COMMITMENT, record_resolver(COMMITMENT, record, sourced=True), budget=100)
    for check in COMMITMENT.compiled.registered:
        read_through(review, check)
    return review


def read_through(review: Review, check: Check) -> None:
    """Run a check, of one with candidates as often as it has some to read."""
    kinds = [review.check(check.identifier).kind]
    for _ in check.candidates[1:]:
        if kinds[-1] is AnswerKind.INCONCLUSIVE:
            kinds.append(review.check(check.identifier).kind)
    assert AnswerKind.INCONCLUSIVE not in kinds[-1:]


LIMITS: list[Callable[[Any], Any]] = [lambda each: each, lambda each: bounded(each, 30)]


def test_a_resolver_names_digests_where_that_is_asked_for() -> None:
    plain = record_resolver(COMMITMENT, RECORD)
    sourced = record_resolver(COMMITMENT, RECORD, sourced=True)
    digests = digests_of(COMMITMENT, RECORD)
    for check in COMMITMENT.compiled.registered:
        one = Check(check.identifier, check.settles, 1, check.kind, check.candidates[:1])
        given_plain, given_sourced = plain(one), sourced(one)
        assert isinstance(given_sourced, Sourced)
        assert given_sourced.answer == given_plain
        assert given_sourced.digest == digests[check.identifier]
    assert digests.keys() == set(COMMITMENT.compiled.checks)


def test_of_candidates_the_digest_covers_every_field() -> None:
    tests = committed_tests(COMMITMENT)
    check = next(c for c in COMMITMENT.compiled.registered if len(c.candidates) > 1)
    first = Check(check.identifier, check.settles, 1, candidates=check.candidates[:1])
    assert digest_of(first, tests, RECORD) == digest_of(check, tests, RECORD)
    test = tests[check.settles[0]]
    assert isinstance(test, CandidateTests)
    for _, path in test.fields:
        if len(path) == 1:
            newer = {**RECORD, path[0]: "another value"}
            assert digest_of(first, tests, newer) != digest_of(first, tests, RECORD)


def test_only_the_fields_that_a_check_reads_count() -> None:
    before = digests_of(COMMITMENT, RECORD)
    assert digests_of(COMMITMENT, {**RECORD, "unread": 1}) == before
    assert digests_of(COMMITMENT, dict(reversed(RECORD.items()))) == before
    after = digests_of(COMMITMENT, {**RECORD, "details": "Another text."})
    assert {check for check in before if before[check] != after[check]} == {"details", TEXT}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"details": None}),
        ({"details": None}, {"details": ""}),
        ({"details": 1}, {"details": True}),
        ({"details": 1}, {"details": "1"}),
        ({"details": []}, {"details": {}}),
        ({"details": [1, 2]}, {"details": [2, 1]}),
        ({"details": "a"}, {"details": "\u00e4"}),
        ({"details": "a"}, {}),
        ({"details": "a"}, {"details": float("nan")}),
    ],
)
def test_what_differs_has_different_digests(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digests_of(COMMITMENT, one)[TEXT] != digests_of(COMMITMENT, other)[TEXT]


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), "\ud800", {1: 2}, object(), [[float("nan")]], (1,)]
)
def test_what_cannot_be_evaluated_has_a_digest_all_the_same(value: object) -> None:
    first = digests_of(COMMITMENT, {"details": value})[TEXT]
    assert first == digests_of(COMMITMENT, {"details": float("-inf")})[TEXT]


def test_a_deep_field_has_a_digest() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    assert digests_of(COMMITMENT, {"details": deep})[TEXT].startswith("sha256:")


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a JSON object"):
        digests_of(COMMITMENT, [])  # type: ignore[arg-type]


@given(st.dictionaries(st.sampled_from([*RECORD, "unread"]), st.none() | st.text() | st.booleans()))
def test_what_is_unchanged_is_not_refreshed_and_what_changed_is(changes: dict[str, Any]) -> None:
    review = reviewed(RECORD)
    newer = {**RECORD, **changes}
    before, after = digests_of(COMMITMENT, RECORD), digests_of(COMMITMENT, newer)
    states = {atom: review.state(atom) for atom in COMMITMENT.compiled.atoms}
    expired = refreshed(review, newer)
    assert set(expired) == {check for check in before if before[check] != after[check]}
    assert refreshed(review, newer) == ()
    for check in COMMITMENT.compiled.registered:
        for atom in check.settles:
            gone = check.identifier in expired
            assert review.state(atom) is (State.UNKNOWN if gone else states[atom])
    # From here on the newer record is read: all is then as in a review of it alone.
    spent = review.spent
    again = Review(
        COMMITMENT,
        record_resolver(COMMITMENT, newer, sourced=True),
        budget=100,
        history=review.history,
    )
    for check in COMMITMENT.compiled.registered:
        if check.identifier in expired:
            read_through(again, check)
    assert (again.spent > spent) == bool(expired)
    alone = reviewed(newer)
    assert {a: again.state(a) for a in states} == {a: alone.state(a) for a in states}
    assert again.authorized == alone.authorized


def test_an_outcome_is_judged_again_on_a_newer_record() -> None:
    review = reviewed(RECORD)
    outcome = review.close()
    assert outcome.authorized
    assert still_authorized(outcome, digests_of(COMMITMENT, RECORD)) == outcome.authorized
    assert still_authorized(outcome, digests_of(COMMITMENT, {})) == ()


@pytest.mark.parametrize("wrap", LIMITS)
def test_a_limit_in_time_keeps_the_digest(wrap: Callable[[Any], Any]) -> None:
    resolver = wrap(record_resolver(COMMITMENT, RECORD, sourced=True))
    review = Review(COMMITMENT, resolver, budget=100)
    review.check(TEXT)
    assert review.refresh(TEXT, "sha256:0").kind is AnswerKind.EXPIRED


def test_a_limit_reads_no_more_of_a_sourced_answer_than_of_another() -> None:
    check = next(c for c in COMMITMENT.compiled.registered if c.identifier not in (TEXT, "cwe"))
    many = dict.fromkeys([*check.settles, "more"], True)
    review = Review(COMMITMENT, bounded(lambda check: Sourced(many, "v1"), 30), budget=100)
    assert review.check(check.identifier).kind is AnswerKind.FAILED
    assert isinstance(review.history[-1].event, Failed)


def watched() -> Review:
    """Return a review with an attestation, whose text and candidates then change."""
    review = reviewed(RECORD)
    quote = RECORD["details"][:20]
    for atom in next(c for c in COMMITMENT.compiled.registered if c.identifier == TEXT).settles:
        assert review.request(AttestRequest(atom, True, quote)).kind is AnswerKind.RECORDED
    newer = copy.deepcopy(RECORD)
    newer["details"] = "Another text."
    assert refreshed(review, newer) == ("details", TEXT)
    return review


def test_a_report_tells_what_has_expired() -> None:
    outcome = watched().close()
    assert [each["check"] for each in expirations(outcome)] == ["details", TEXT]
    found = attestations(outcome)
    assert found
    assert all(each["expired"] and not each["retracted"] for each in found)
    assert not any(each["expired"] for each in attestations(reviewed(RECORD).close()))


def test_candidates_that_expired_are_not_told_as_read() -> None:
    review = reviewed(RECORD)
    review.refresh("cwe", "elsewhere")
    assert candidates(review.close()).get("cwe") is None


def test_a_policy_sees_what_expired_as_unknown_and_not_run() -> None:
    review = watched()
    for check in COMMITMENT.compiled.checks:
        review.refresh(check, "elsewhere")
    seen = observe(review)
    resolver = record_resolver(COMMITMENT, RECORD)
    fresh = observe(Review(COMMITMENT, resolver, budget=review.remaining))
    assert (seen.settled, seen.runnable, seen.read) == (fresh.settled, fresh.runnable, fresh.read)


def test_a_policy_sees_what_the_review_says() -> None:
    review = watched()
    settled = observe(review).settled
    for index, atom in enumerate(COMMITMENT.compiled.atoms):
        if settled.true >> index & 1:
            assert review.state(atom) in (State.TRUE, State.UNKNOWN)
        if review.state(atom) is State.TRUE:
            assert settled.true >> index & 1


def test_a_certificate_of_a_review_that_was_refreshed_holds() -> None:
    review = watched()
    review.close()
    made = certificate_of_review(review)
    assert made["licet_certificate"] == 3
    checker.judged(certificate_line(made), {COMMITMENT.sha256})
    assert [e["digest"] for e in made["events"] if e["answer"] == "expired"]


def test_a_review_without_digests_is_certified_as_before() -> None:
    review = Review(COMMITMENT, record_resolver(COMMITMENT, RECORD), budget=100)
    review.check(TEXT)
    review.close()
    made = certificate_of_review(review)
    assert made["licet_certificate"] == 2
    assert not any("digest" in event for event in made["events"])
