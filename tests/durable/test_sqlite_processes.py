"""A ledger that several processes write, and one whose writer is killed or runs out of disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from licet_bindings.durable.sqlite_store import SqliteStore
from tests.durable.drafts import assert_chained, opening
from tests.durable.writers import race, write_episodes

WRITERS = 8


def run_together(work: Callable[..., None], path: Path, amount: int) -> None:
    spawning = get_context("spawn")
    start = spawning.Barrier(WRITERS)
    writers = [
        spawning.Process(target=work, args=(path, start, number, amount))
        for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0] * WRITERS


def begin(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.durable.writers", *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.slow
def test_eight_processes_begin_a_ledger_together_and_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    path, episodes = tmp_path / "ledger", 5
    run_together(write_episodes, path, episodes)
    with SqliteStore.read(path) as store:
        entries = tuple(store.entries())
        assert len(entries) == WRITERS * episodes * 3
        assert_chained(entries)
        for number in range(WRITERS):
            for episode in range(episodes):
                first = store.opening(f"{number}.{episode}")
                assert first is not None
                written = store.episode(first.sequence)
                assert [entry.position for entry in written] == [0, 1, 2]
                assert {entry.body for entry in written[1:]} == {b"%d" % number}


@pytest.mark.slow
def test_of_eight_processes_that_race_for_a_position_one_gets_it(tmp_path: Path) -> None:
    path, positions = tmp_path / "ledger", 20
    with SqliteStore.open(path) as store:
        store.append(opening("a"))
    run_together(race, path, positions)
    with SqliteStore.read(path) as store:
        entries = store.episode(1)
        assert tuple(store.entries()) == entries
        assert Counter(entry.position for entry in entries) == Counter(range(positions + 1))
        assert_chained(entries)


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    acknowledged: dict[int, str] = {}
    for _ in range(3):
        writer = begin("acknowledge", path)
        assert writer.stdout is not None
        for _ in range(10):
            number, digest = writer.stdout.readline().split()
            acknowledged[int(number)] = digest
        writer.send_signal(signal.SIGKILL)
        for line in writer.stdout:
            if line.endswith("\n"):
                number, digest = line.split()
                acknowledged[int(number)] = digest
        writer.stdout.close()
        assert writer.wait() == -signal.SIGKILL
    with SqliteStore.open(path, create=False) as store:
        entries = tuple(store.entries())
    assert_chained(entries)
    digests = {entry.sequence: entry.digest.hex() for entry in entries}
    assert acknowledged.items() <= digests.items()
    assert len(digests) - len(acknowledged) <= 2 * 3  # An opening, and one cut off, for each kill.


def test_a_forked_process_may_not_use_the_store(tmp_path: Path) -> None:
    said, _ = begin("use_after_fork", tmp_path / "ledger").communicate()
    refused, appended = said.splitlines()
    assert "the store was opened before this process was forked" in refused
    assert appended == "2"


def test_a_file_that_may_not_grow_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    said, _ = begin("append_under_limit", path, 1_000_000).communicate()
    first, again = said.splitlines()
    assert "Uncertain the disk fails, or takes no more" in first
    assert "Uncertain whether entry" in again
    attempted = int(first.split()[0])
    with SqliteStore.open(path) as store:
        entries = tuple(store.entries())
        assert_chained(entries)
        assert len(entries) in (attempted, attempted + 1)  # The opening, and all before the error.
        store.append(opening("b"))
