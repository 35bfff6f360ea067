"""Several processes write one ledger at once: nothing is lost, and nothing is there twice."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.durability.aftermath import Found
from benchmarks.durability.at_once import Share, Span, review_durably
from benchmarks.durability.writers import look, writers
from benchmarks.report import as_json


@pytest.mark.slow
def test_processes_write_at_once_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    result = writers(processes=3, reviews=6, rounds=1, seed=3, folder=tmp_path)
    figures = json.loads(as_json(result, {}))["figures"]
    assert figures["examples_of_violations"] == []
    assert not result.failed
    for processes in ("1", "3"):
        measured = figures["by_processes"][processes]
        assert measured["entries"] > 30
        assert measured["reviews_a_second_without"] > measured["reviews_a_second"] > 0
        assert measured["price"] > 0


def written(folder: Path) -> tuple[Path, Span]:
    path = folder / "ledger"
    return path, review_durably(Share(path, 7, range(2), "alone", 0, 1))


def test_what_was_acknowledged_twice_is_found(tmp_path: Path) -> None:
    path, span = written(tmp_path)
    assert kinds(path, span) == {}
    assert kinds(path, span, span._replace(entries=span.entries[-1:], ran=())) == {
        "lost or doubled": 1
    }


def test_what_nobody_was_given_is_found(tmp_path: Path) -> None:
    path, span = written(tmp_path)
    assert kinds(path, span._replace(entries=span.entries[:-1])) == {"lost or doubled": 1}


def test_what_was_acknowledged_and_is_not_there_is_found(tmp_path: Path) -> None:
    path, span = written(tmp_path)
    lost = (len(span.entries) + 1, bytes(32))
    found = kinds(path, span._replace(entries=(*span.entries, lost)))
    assert found == {"lost or doubled": 1, "acknowledged entry": 1}


def test_a_call_that_ran_twice_is_found(tmp_path: Path) -> None:
    path, span = written(tmp_path)
    assert kinds(path, span._replace(ran=span.ran + span.ran[:1])) == {"runs of a call": 1}


def kinds(path: Path, *spans: Span) -> Counter[str]:
    found = Found()
    look(path, 7, range(2), spans, found)
    return Counter(violation.kind for violation in found.violations)
