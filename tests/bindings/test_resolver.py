"""Resolvers on records, and the limit on how long a resolver may take."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Iterator, Mapping
from itertools import cycle
from typing import Any

import pytest

from licet import AnswerKind, Check, InvalidInput, Review, Unavailable, Value
from licet_bindings.documents import build_document, commit_document
from licet_bindings.records.resolver import bounded, record_resolver
from tests.bindings.programs import ADVISORY, RECORD, Json

DOCUMENT = build_document(ADVISORY)
CHECK = Check("details", ("details",))


def resolve(record: dict[str, Any], *atoms: str) -> Mapping[str, Value]:
    return record_resolver(DOCUMENT, record)(Check("c", atoms))


def test_a_check_answers_for_each_of_its_atoms() -> None:
    assert resolve(RECORD, "advisory", "url", "withdrawn") == {
        "advisory": False,
        "url": True,
        "withdrawn": False,
    }


@pytest.mark.parametrize("nothing", [None, "", " \n", [], {}, [None], {"a": [""]}])
def test_presence_is_not_read_loosely(nothing: object) -> None:
    assert resolve({"details": nothing}, "details") == {"details": False}


@pytest.mark.parametrize("something", [0, False, 0.0, "0", [0], {"a": False}])
def test_zero_and_false_are_something(something: object) -> None:
    assert resolve({"details": something}, "details") == {"details": True}


def test_what_establishes_nothing_is_unavailable_with_its_reason() -> None:
    assert resolve({}, "reviewed") == {
        "reviewed": Unavailable("the path is missing from the record")
    }
    (split,) = resolve({"published": "2019"}, "recent").values()
    assert split is True
    (unreadable,) = resolve({"published": "soon"}, "recent").values()
    assert unreadable == Unavailable("the text is not an ISO 8601 date")


def test_a_month_is_not_its_first_day() -> None:
    content = {
        **ADVISORY,
        "atoms": {
            **ADVISORY["atoms"],
            "recent": {**ADVISORY["atoms"]["recent"], "value": "2019-01-15"},
        },
    }
    resolver = record_resolver(build_document(content), {"published": "2019-01"})
    (value,) = resolver(Check("recent", ("recent",))).values()
    assert isinstance(value, Unavailable)


def test_a_commitment_gives_the_same_resolver() -> None:
    check = Check("all", tuple(ADVISORY["atoms"]))
    by_commitment = record_resolver(commit_document(DOCUMENT), RECORD)
    assert by_commitment(check) == record_resolver(DOCUMENT, RECORD)(check)


@pytest.mark.parametrize("record", [None, [], "text", 1, [("details", "x")]])
def test_a_record_is_a_json_object(record: Json) -> None:
    with pytest.raises(InvalidInput, match="record: expected a JSON object"):
        record_resolver(DOCUMENT, record)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1: 2}, object(), {"a": {1, 2}}])
def test_what_is_not_json_establishes_nothing(value: object) -> None:
    (found,) = resolve({"details": value}, "details").values()
    assert isinstance(found, Unavailable)


def test_a_quick_resolver_answers_within_its_limit() -> None:
    assert bounded(lambda check: {"details": True}, 60)(CHECK) == {"details": True}


def test_a_resolver_that_hangs_is_left_after_its_limit() -> None:
    release = threading.Event()

    def hang(check: Check) -> Mapping[str, Value]:
        release.wait(60)
        return {"details": True}

    review = Review(commit_document(DOCUMENT), bounded(hang, 0.02), budget=5, completion=False)
    began = time.monotonic()
    answer = review.check("details")
    assert time.monotonic() - began < 30
    assert answer.kind is AnswerKind.FAILED
    assert "no answer within 0.02 seconds" in answer.reason
    # The late answer is dropped: nothing is established, and the call is charged.
    release.set()
    for thread in threading.enumerate():
        if thread.name == "check details":
            thread.join(60)
    assert review.authorized == ()
    assert review.spent == 1
    assert [entry.answer.kind for entry in review.history] == [AnswerKind.RUN, AnswerKind.FAILED]


def test_what_a_bounded_resolver_raises_is_raised() -> None:
    def fail(check: Check) -> Mapping[str, Value]:
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        bounded(fail, 60)(CHECK)

    def leave(check: Check) -> Mapping[str, Value]:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        bounded(leave, 60)(CHECK)


def test_a_bounded_resolver_sees_the_callers_context() -> None:
    variable = contextvars.ContextVar("variable", default=False)
    variable.set(True)
    assert bounded(lambda check: {"details": variable.get()}, 60)(CHECK) == {"details": True}


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1", None, 1e12])
def test_a_limit_is_a_finite_number_above_0(seconds: Json) -> None:
    with pytest.raises(InvalidInput, match="seconds: expected a finite number above 0"):
        bounded(lambda check: {"details": True}, seconds)


class Lazy(Mapping[str, Value]):
    """A mapping whose items never end, or take their time."""

    def __init__(self, pause: float) -> None:
        self.pause = pause

    def __getitem__(self, key: str) -> Value:
        time.sleep(self.pause)
        return True

    def __iter__(self) -> Iterator[str]:
        return cycle(["details"])

    def __len__(self) -> int:
        return 1


def test_the_limit_covers_reading_the_answer() -> None:
    with pytest.raises(TimeoutError):
        bounded(lambda check: Lazy(30), 0.02)(CHECK)
    with pytest.raises(ValueError, match="expected the 1 atoms of the check, found more"):
        bounded(lambda check: Lazy(0), 60)(CHECK)
    assert bounded(lambda check: None, 60)(CHECK) is None  # type: ignore[arg-type,return-value]


def test_a_record_of_many_keys_is_looked_through_once() -> None:
    atoms = {
        f"a{i}": {"says": "it is there", "field": f"k{i}", "test": "exists"} for i in range(900)
    }
    document = build_document(
        {
            "licet": 1,
            "conclusions": [{"id": "all", "says": "All are there.", "utility": 1}],
            "atoms": atoms,
            "routes": {"all": [list(atoms)]},
        }
    )
    resolver = record_resolver(document, {f"k{i}": 1 for i in range(600_000)})
    began = time.monotonic()
    assert all(resolver(Check(name, (name,)))[name] is True for name in atoms)
    assert time.monotonic() - began < 5
