"""What other processes do with a ledger, as functions that a new process can import."""

from __future__ import annotations

import os
import sys
from multiprocessing.synchronize import Barrier
from pathlib import Path

from licet_bindings.durable.errors import LedgerError, Taken
from licet_bindings.durable.sqlite_store import SqliteStore
from tests.durable.drafts import event, opening


def write_episodes(path: Path, start: Barrier, number: int, episodes: int) -> None:
    """Open the ledger at the same moment as the others, and write episodes of three entries."""
    start.wait()
    with SqliteStore.open(path, timeout=60) as store:
        for episode in range(episodes):
            first = store.append(opening(f"{number}.{episode}"))
            for position in (1, 2):
                store.append(event(first.sequence, position, b"%d" % number))


def race(path: Path, start: Barrier, number: int, positions: int) -> None:
    """Append to one episode whatever position is next, as often as nobody else was faster."""
    with SqliteStore.open(path, timeout=60) as store:
        start.wait()
        for position in range(1, positions + 1):
            try:
                store.append(event(1, position, b"%d" % number))
            except Taken:
                continue


def acknowledge(path: Path) -> None:
    """Append until killed, and say each number when it was acknowledged."""
    with SqliteStore.open(path) as store:
        first = store.append(opening(f"process {os.getpid()}"))
        for position in range(1, 100_000):
            entry = store.append(event(first.sequence, position))
            print(entry.sequence, entry.digest.hex(), flush=True)


def use_after_fork(path: Path) -> None:
    """Use a store in a forked process, and then in the first again; say what was refused."""
    with SqliteStore.open(path) as store:
        store.append(opening("a"))
        child = os.fork()
        if child == 0:
            try:
                store.append(event(1, 1))
            except LedgerError as error:
                print(error.problem, flush=True)
            store.close()
            os._exit(0)
        os.waitpid(child, 0)
        print(store.append(event(1, 1)).sequence)


def append_under_limit(path: Path, bytes_allowed: int) -> None:
    """Append until files may not grow any more; say the error, and what is acknowledged."""
    import resource

    with SqliteStore.open(path) as store:
        store.append(opening("a"))
        position = 0
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_allowed, resource.RLIM_INFINITY))
        for _ in range(2):
            try:
                while True:
                    store.append(event(1, position + 1, b"x" * 1000))
                    position += 1
            except LedgerError as error:
                print(position + 1, type(error).__name__, error.problem, flush=True)


if __name__ == "__main__":
    name, path_text, *numbers = sys.argv[1:]
    {
        "acknowledge": acknowledge,
        "use_after_fork": use_after_fork,
        "append_under_limit": append_under_limit,
    }[name](Path(path_text), *map(int, numbers))
