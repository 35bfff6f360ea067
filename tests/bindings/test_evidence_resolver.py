"""Texts and candidate fields of records: what is read, what decides, and limits on who answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Check,
    CheckKind,
    Inconclusive,
    Observation,
    Review,
    State,
    Unavailable,
)
from licet_bindings.documents import build_document, commit_document
from licet_bindings.records.field_tests import CandidateTests, JudgedText
from licet_bindings.records.predicates import evaluate, make_predicate
from licet_bindings.records.resolver import record_resolver
from tests.bindings.evidence import PROGRAM, RECORD, TEXT, changed
from tests.bindings.programs import Json, put

DOCUMENT = build_document(PROGRAM)
READ = Check("text:details", ("fixed", "package"), kind=CheckKind.TEXT)
LOOK = next(c for c in DOCUMENT.specification.checks if c.identifier == "cwe")
MISSING = "the path is missing from the record"


def read(record: dict[str, Any]) -> object:
    return record_resolver(DOCUMENT, record)(READ)


def test_a_text_read_answers_the_text() -> None:
    assert read(RECORD) == TEXT
    assert record_resolver(commit_document(DOCUMENT), RECORD)(READ) == TEXT


@pytest.mark.parametrize("text", ["x", " x\n", "日本語のテキスト", "a\u0301", "\x00x", "😀"])
def test_a_text_is_read_as_it_is(text: str) -> None:
    assert read({"details": text}) == text


NO_TEXT: list[tuple[Json, str]] = [
    (None, "the field holds null"),
    ("", "the text is blank"),
    (" \n\t\u00a0\u200b", "the text is blank"),
    (1, "expected text, found a number"),
    (True, "expected text, found a truth value"),
    (["a text"], "expected text, found a list"),
    ({"a": "a text"}, "expected text, found an object"),
    ("half a pair: \ud800", "the text has a lone surrogate"),
    (float("nan"), "the field cannot be read: it is or holds a number that is not finite"),
    (b"bytes", "the field cannot be read: it is or holds something that is not JSON"),
    (object(), "the field cannot be read: it is or holds something that is not JSON"),
    (type("Text", (str,), {})("a text"), "the field cannot be read: it is or holds something th"),
]


@pytest.mark.parametrize(("value", "reason"), NO_TEXT, ids=[reason for _, reason in NO_TEXT])
def test_what_is_no_text_is_unavailable_with_the_reason(value: Json, reason: str) -> None:
    found = read({"details": value})
    assert isinstance(found, Unavailable)
    assert found.reason.startswith(reason)
    review = Review(
        commit_document(DOCUMENT), record_resolver(DOCUMENT, {"details": value}), budget=9
    )
    assert review.check("text:details").kind is AnswerKind.RECORDED
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.REJECTED
    assert not set(review.authorized) & {"located", "classified"}


def test_a_missing_text_is_unavailable() -> None:
    assert read({}) == Unavailable(MISSING)
    deep = build_document(
        changed(*(put("atoms", a, "text", value="/a.b/0/c") for a in ("package", "fixed")))
    )
    check = replace(READ, identifier="text:/a.b/0/c")
    assert record_resolver(deep, {"a.b": [{"c": "found"}]})(check) == "found"
    for record in ({"a.b": []}, {"a.b": {"0": 1}}, {"a": {"b": [{"c": "x"}]}}, {"a.b": "text"}):
        assert record_resolver(deep, record)(check) == Unavailable(MISSING)


def test_long_texts_are_read_up_to_a_limit() -> None:
    most = 10_000_000
    began = time.monotonic()
    assert read({"details": "x" * most}) == "x" * most
    assert read({"details": "x" * (most + 1)}) == Unavailable(
        "expected a text of at most 10,000,000 characters"
    )
    assert time.monotonic() - began < 2
    review = Review(
        commit_document(DOCUMENT),
        record_resolver(DOCUMENT, {"details": "x" * (most - 20) + "crash in libfoo"}),
        budget=9,
    )
    assert review.check("text:details").kind is AnswerKind.RECORDED
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.RECORDED


def look(content: dict[str, Any], record: dict[str, Any]) -> tuple[object, list[object]]:
    """Return the final state of the atom, and for each candidate read why it decided nothing."""
    document = build_document(content)
    review = Review(
        commit_document(document), record_resolver(document, record), budget=20, completion=False
    )
    kinds = [review.check("cwe").kind for _ in range(4)]
    # Each candidate is read until one decides; a further request is answered from the cache.
    assert kinds.count(AnswerKind.RECORDED) == 1
    assert kinds[-1] is AnswerKind.CACHED
    state, outcome = review.state("cwe"), review.close()
    reads: list[object] = []
    for each in outcome.ledger.records:
        if isinstance(each, Inconclusive):
            reads.append(each.reason)
        elif isinstance(each, Observation) and each.candidate:
            reads.append(True)
    assert outcome.spent == len(reads)
    return state, reads


def looking(test: str, value: Json = None) -> dict[str, Any]:
    atom = {**PROGRAM["atoms"]["cwe"], "test": test, "fields": ["first", "second", "third"]}
    if value is not None:
        atom["value"] = value
    return changed(put("atoms", "cwe", value=atom))


NULL = "the field holds null"
TABLE: list[tuple[str, Json, dict[str, Json], State, list[object]]] = [
    # exists: missing and null decide nothing, a blank text does.
    ("exists", None, {"second": "x"}, State.TRUE, [MISSING, True]),
    ("exists", None, {"first": None, "third": 0}, State.TRUE, [NULL, MISSING, True]),
    ("exists", None, {"first": " ", "second": "x"}, State.FALSE, [True]),
    ("exists", None, {"first": [], "second": "x"}, State.FALSE, [True]),
    ("exists", None, {"first": [None], "second": "x"}, State.FALSE, [True]),
    ("exists", None, {}, State.FALSE, [MISSING, MISSING, MISSING]),
    ("exists", None, {"second": None}, State.FALSE, [MISSING, NULL, MISSING]),
    # absent: its negation, once they are exhausted too.
    ("absent", None, {"second": "x"}, State.FALSE, [MISSING, True]),
    ("absent", None, {"first": ""}, State.TRUE, [True]),
    ("absent", None, {}, State.TRUE, [MISSING, MISSING, MISSING]),
    # Others: of another kind decides nothing; exhausted is unavailable.
    ("equals", 1, {"first": None, "second": 1}, State.TRUE, [NULL, True]),
    ("equals", 1, {"first": "1", "second": 1}, State.FALSE, [True]),
    ("equals", 1, {}, State.UNKNOWN, [MISSING, MISSING, MISSING]),
    ("at_least", 18, {"first": "19", "second": 17.5}, State.FALSE, [str, True]),
    ("at_least", 18, {"first": "19", "second": True}, State.UNKNOWN, [str, str, MISSING]),
    ("matches", "a+", {"first": 7, "third": "aa"}, State.TRUE, [str, MISSING, True]),
    ("contains", "a", {"first": 7, "second": {}, "third": ["a"]}, State.TRUE, [str, str, True]),
    (
        "on_or_after",
        "2019-01-15",
        {"first": "2019-01", "second": "soon"},
        State.UNKNOWN,
        [str, str, MISSING],
    ),
    ("on_or_after", "2019-01-15", {"first": "2019-01", "second": "2020"}, State.TRUE, [str, True]),
    ("one_of", [1, 2], {"first": None, "second": 2.0}, State.TRUE, [NULL, True]),
    ("differs", 1, {"third": True}, State.TRUE, [MISSING, MISSING, True]),
]


@pytest.mark.parametrize(("test", "value", "record", "state", "reads"), TABLE)
def test_the_first_candidate_that_can_be_evaluated_decides(
    test: str, value: Json, record: dict[str, Json], state: State, reads: list[object]
) -> None:
    found, made = look(looking(test, value), record)
    assert found is state
    assert len(made) == len(reads)
    for one, expected in zip(made, reads, strict=True):
        assert isinstance(one, str) if expected is str else one == expected


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        {1: 2},
        "\ud800",
        object(),
    ],
)
def test_what_cannot_be_read_decides_nothing(value: Json) -> None:
    state, made = look(looking("exists"), {"first": value, "second": "x"})
    assert state is State.TRUE
    assert made[1:] == [True]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["cwe", "cwe_ids", "url", "0", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)
RECORDS = st.dictionaries(
    st.sampled_from(["details", "database_specific", "references", "cwe"]), JSON
)


@given(RECORDS)
def test_every_record_is_answered_and_none_raises(record: dict[str, Json]) -> None:
    resolver = record_resolver(DOCUMENT, record)
    for check in DOCUMENT.specification.checks:
        for place in check.candidates or ("",):
            one = replace(check, candidates=(place,)) if place else check
            found = resolver(one)
            if check.kind is CheckKind.TEXT:
                assert type(found) is Unavailable or found == record["details"]
            else:
                assert isinstance(found, dict)
                assert set(found) == set(check.settles)
                assert all(type(value) in (bool, Unavailable) for value in found.values())


def test_candidates_lie_deep_and_in_odd_keys() -> None:
    fields = ["/a~1b/0/c.d", "Ü.0", "items.10"]
    content = changed(put("atoms", "cwe", "fields", value=fields))
    for record, decided in (
        ({"a/b": [{"c.d": 1}]}, 0),
        ({"Ü": [1]}, 1),
        ({"items": list(range(11))}, 2),
        ({"items": {"10": 1}}, 2),
    ):
        state, made = look(content, record)
        assert state is State.TRUE
        assert made == [MISSING] * decided + [True]


def oracle(values: list[Json], test: str, value: Json) -> tuple[bool | None, int]:
    """Return what the atom is, and how many candidates are read; None as a value is missing."""
    predicate = make_predicate(test, value) if value is not None else make_predicate(test)
    for count, found in enumerate(values, start=1):
        if found is not None:
            decided = evaluate(predicate, found).value
            if decided is not None:
                return decided, count
    return {"exists": False, "absent": True}.get(test), len(values)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", " ", "1", "2019", "a"])
)
TESTS = st.sampled_from(
    [
        ("exists", None),
        ("absent", None),
        ("equals", 1),
        ("differs", "a"),
        ("at_least", 0),
        ("matches", "a|1"),
        ("on_or_before", "2019-06-01"),
        ("contains", "a"),
    ]
)


def require_the_first_that_decides(values: list[Json], test: str, value: Json) -> None:
    """Fail unless candidates that hold these values decide as `oracle` says."""
    record = {
        name: held
        for name, held in zip(("first", "second", "third"), values, strict=True)
        if held is not None
    }
    state, made = look(looking(test, value), record)
    expected, count = oracle(values, test, value)
    assert state is {None: State.UNKNOWN, True: State.TRUE, False: State.FALSE}[expected]
    assert len(made) == count


@given(st.lists(VALUES, min_size=3, max_size=3), TESTS)
def test_candidates_decide_as_the_table_of_the_format_says(
    values: list[Json], test: tuple[str, Json]
) -> None:
    require_the_first_that_decides(values, *test)


def evaluates_the_missing(self: CandidateTests, name: str, record: Json, **more: bool) -> object:
    from licet_bindings.records.paths import lookup

    return evaluate(self.predicate, lookup(record, dict(self.fields)[name]))


def reads_the_first(self: CandidateTests, name: str, record: Json, **more: bool) -> object:
    return EVALUATE(self, self.candidates[0], record, **more)


def takes_false_for_nothing(self: CandidateTests, name: str, record: Json, **more: bool) -> object:
    found = EVALUATE(self, name, record, **more)
    return found if found.value is not False else replace(found, value=None, reason="nothing")


EVALUATE = CandidateTests.evaluate


@pytest.mark.parametrize("bug", [evaluates_the_missing, reads_the_first, takes_false_for_nothing])
def test_the_property_falls_where_a_candidate_is_read_wrongly(
    bug: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CandidateTests, "evaluate", bug)
    with pytest.raises(AssertionError):
        require_the_first_that_decides([None, " ", "a"], "exists", None)
        require_the_first_that_decides([None, "a", " "], "exists", None)


def test_the_property_falls_where_what_is_exhausted_is_turned_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CandidateTests, "exhausted", True)
    with pytest.raises(AssertionError):
        require_the_first_that_decides([None, None, None], "exists", None)


def test_a_resolver_is_asked_for_one_candidate() -> None:
    resolver = record_resolver(DOCUMENT, RECORD)
    one = replace(LOOK, candidates=("/database_specific/cwe",))
    assert resolver(one) == {"cwe": True}
    with pytest.raises(ValueError, match="the one candidate"):
        resolver(LOOK)
    with pytest.raises(KeyError):
        resolver(replace(LOOK, candidates=("elsewhere",)))


def test_a_resolver_does_not_mix_texts_and_fields() -> None:
    resolver = record_resolver(DOCUMENT, RECORD)
    for check in (
        Check("c", ("package", "url"), kind=CheckKind.TEXT),
        Check("c", ("url",), kind=CheckKind.TEXT),
    ):
        with pytest.raises(ValueError, match="expected atoms that are judged on one text"):
            resolver(check)
    with pytest.raises(ValueError, match="judged on a text has no field"):
        resolver(Check("c", ("package",)))


def test_texts_that_differ_are_told_apart() -> None:
    two = build_document(changed(put("atoms", "fixed", "text", value="summary")))
    resolver = record_resolver(two, {"details": "one", "summary": "two"})
    found = {
        c.identifier: resolver(c) for c in two.specification.checks if c.kind is CheckKind.TEXT
    }
    assert found == {"text:details": "one", "text:summary": "two"}
    with pytest.raises(ValueError, match="expected atoms that are judged on one text"):
        resolver(READ)


def test_a_blank_text_of_the_greatest_length_is_seen_to_be_blank() -> None:
    assert JudgedText(("a",)).read({"a": " " * 1_000_000}) == Unavailable("the text is blank")
