"""Limits on text reads and second judges: what hangs or breaks establishes and admits nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from licet import AnswerKind, Check, CheckKind, InvalidInput, Review, State, Unavailable
from licet_bindings.documents import build_document, commit_document
from licet_bindings.records.resolver import bounded, bounded_judge, record_resolver
from tests.bindings.evidence import PROGRAM, RECORD, TEXT
from tests.bindings.programs import Json

DOCUMENT = build_document(PROGRAM)
READ = Check("text:details", ("fixed", "package"), kind=CheckKind.TEXT)
LOOK = next(c for c in DOCUMENT.specification.checks if c.identifier == "cwe")
MISSING = "the path is missing from the record"


def test_a_bounded_resolver_gives_every_kind_of_answer() -> None:
    resolver = bounded(record_resolver(DOCUMENT, RECORD), 60)
    assert resolver(READ) == TEXT
    assert resolver(replace(LOOK, candidates=("cwe",))) == {"cwe": Unavailable(MISSING)}
    assert bounded(record_resolver(DOCUMENT, {}), 60)(READ) == Unavailable(MISSING)


def hang(*_: object) -> Json:
    threading.Event().wait(30)
    return True


def test_a_text_read_that_hangs_fails() -> None:
    review = Review(commit_document(DOCUMENT), bounded(hang, 0.02), budget=9, completion=False)
    assert review.check("text:details").kind is AnswerKind.FAILED
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.REJECTED


def verified(judge: Callable[[str, str], Json]) -> Review:
    review = Review(
        commit_document(DOCUMENT), record_resolver(DOCUMENT, RECORD), budget=9, judge=judge
    )
    review.check("text:details")
    return review


def test_a_second_judge_that_hangs_admits_nothing() -> None:
    review = verified(bounded_judge(hang, 0.02))
    began = time.monotonic()
    answer = review.attest("package", True, "crash in libfoo")
    assert time.monotonic() - began < 20
    assert answer.kind is AnswerKind.FAILED
    assert "no answer within 0.02 seconds" in answer.reason
    assert review.state("package") is State.UNKNOWN
    assert review.spent == 2
    # A failed call is not cached: it is asked, and charged, again.
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.FAILED
    assert review.spent == 3


def test_a_second_judge_within_its_limit_confirms() -> None:
    seen: list[tuple[str, str]] = []

    def judge(condition: str, text: str) -> bool:
        seen.append((condition, text))
        return True

    review = verified(bounded_judge(judge, 60))
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.RECORDED
    assert review.attest("fixed", False, "version 1.2.3").kind is AnswerKind.REJECTED
    assert seen == [
        ("the text names the package", TEXT),
        ("the text states a fixed version", TEXT),
    ]


def broken(*_: object) -> bool:
    raise ConnectionError("no network")


@pytest.mark.parametrize("judge", [broken, lambda c, t: None, lambda c, t: 1, lambda c, t: "true"])
def test_a_second_judge_that_is_broken_admits_nothing(judge: Callable[[str, str], Json]) -> None:
    review = verified(bounded_judge(judge, 60))
    assert review.attest("package", True, "crash in libfoo").kind is AnswerKind.FAILED
    assert review.state("package") is State.UNKNOWN


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1", None, 1e12])
def test_a_judges_limit_is_a_finite_number_above_0(seconds: Json) -> None:
    with pytest.raises(InvalidInput, match="seconds: expected a finite number above 0"):
        bounded_judge(lambda condition, text: True, seconds)
