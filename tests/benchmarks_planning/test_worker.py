"""Contenders run in processes of their own, and what goes wrong there is said, not left out."""

import os

import pytest

from benchmarks.planning import worker
from benchmarks.planning.contenders import NEEDS, STORM, installed
from benchmarks.planning.worker import NOT_INSTALLED, differences, peak_bytes, time_in_turn
from tests.benchmarks_planning import toys


def test_times_and_values_come_back() -> None:
    found = time_in_turn(None, {"right": toys.right}, rounds=4)["right"]
    assert len(found.readings) == 4
    assert (found.seconds, found.part("more"), found.first.method) == (0.75, 0.25, "by hand")


@pytest.mark.slow
def test_a_wrong_value_is_noticed() -> None:
    contenders = {
        "right": toys.right,
        "again": toys.right,
        "wrong": toys.wrong,
        "no number": toys.no_number,
        "short": toys.short,
    }
    found = differences(time_in_turn(None, contenders, rounds=1), 2.0)
    assert found["again"] == 0
    assert found["wrong"] == pytest.approx(5e-10)
    assert found["no number"] == found["short"] == float("inf")


def test_peak_memory_is_the_processes_own() -> None:
    found = time_in_turn(None, {"large": toys.large, "right": toys.right}, rounds=1)
    assert 100_000_000 < found["large"].plan_bytes < 300_000_000
    assert found["right"].peak < 100_000_000
    assert found["right"].plan_bytes < 20_000_000


def test_what_is_kept_of_the_runs_is_no_memory_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    # A round of so many seconds kept 20 million bytes of readings where a run takes no time.
    calls: list[None] = []
    monkeypatch.setattr(worker, "_opened", [lambda: calls.append(None) or toys.right(None)()])
    monkeypatch.setattr(worker, "ROUND_SECONDS", 60.0)
    assert isinstance(worker._one_round(), worker.Reading)
    assert len(calls) == worker.ROUND_RUNS


def test_contracts_are_off_in_a_process_of_its_own() -> None:
    found = time_in_turn(None, {"one": toys.contracts, "two": toys.contracts}, rounds=1)
    assert [one.first.values for one in found.values()] == [(0.0,), (0.0,)]
    processes = {one.first.states for one in found.values()}
    assert len(processes | {os.getpid()}) == 3


@pytest.mark.slow
def test_a_process_that_ends_or_is_late_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "TIMEOUT_SECONDS", 2.0)
    found = time_in_turn(
        None, {"ends": toys.ends, "late": toys.late, "right": toys.right}, rounds=2
    )
    assert found["ends"].missing == worker.ENDED
    assert found["late"].missing == worker.LATE
    assert len(found["right"].readings) == 2
    assert differences(found, 1.0) == {}


def test_a_contender_that_refuses_a_case_is_said() -> None:
    found = time_in_turn(None, {"refuses": toys.refuses, "right": toys.right}, rounds=1)
    assert found["refuses"].missing == "refused: they are too many"
    assert found["right"].readings


def test_a_contender_that_fails_is_an_error() -> None:
    with pytest.raises(worker.Failed, match="ValueError: not this one"):
        time_in_turn(None, {"fails": toys.fails})


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed("naive memoized")
    monkeypatch.setitem(NEEDS, STORM, "no_such_module_anywhere")
    assert not installed(STORM)
    assert worker._open(STORM, toys.right, None) == NOT_INSTALLED


def test_peak_memory_of_this_process_is_measured() -> None:
    assert 10_000_000 < peak_bytes() < 10_000_000_000


def test_compiled_code_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    with worker.compiled_code() as folder:
        assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
        assert list(folder.iterdir()) == []
    assert not folder.exists()
    assert "NUMBA_CACHE_DIR" not in os.environ
