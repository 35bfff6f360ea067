"""Interpreters beside this one, with contracts on or off."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final, Protocol, Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_OPTIMIZE: Final = "PYTHONOPTIMIZE"


@contextmanager
def interpreters(count: int, *, contracts: bool) -> Iterator[ProcessPoolExecutor]:
    """Start `count` fresh interpreters that run licet with or without its contracts.

    icontract leaves contracts out where Python runs optimized (`python -O`), and an interpreter is
    that from its start; so each setting needs processes of its own.
    """
    before = os.environ.get(_OPTIMIZE)
    os.environ[_OPTIMIZE] = "" if contracts else "1"
    try:
        pool = ProcessPoolExecutor(
            count, get_context("spawn"), initializer=_require_contracts, initargs=(contracts,)
        )
        wait([pool.submit(_begin) for _ in range(count)])
    finally:
        if before is None:
            del os.environ[_OPTIMIZE]
        else:
            os.environ[_OPTIMIZE] = before
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


class Figures(Protocol):
    """What chunks of work came to: counts by name, and a sum."""

    counts: Counter[str]

    def add(self, other: Self) -> None:
        """Add another's figures to these."""


Some = TypeVar("Some", bound=Figures)


def in_chunks(
    title: str,
    counted: str,
    sizes: Sequence[int],
    run_chunk: Callable[[int, int, int], Some],
    seed: int,
    processes: int,
    total: Some,
    *,
    contracts: bool,
) -> Some:
    """Run chunks of work in fresh interpreters, with a bar, and add what they came to.

    Args:
        title: what is shown beside the bar.
        counted: which count of a chunk moves the bar.
        sizes: the size of each chunk.
        run_chunk: runs one, given the seed, its number and its size.
        seed: of the whole run.
        processes: how many interpreters.
        total: figures of nothing, to which those of the chunks are added in order.
        contracts: whether the interpreters check contracts.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with (
        interpreters(processes, contracts=contracts) as pool,
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task(title, total=sum(sizes))
        chunks = [pool.submit(run_chunk, seed, number, size) for number, size in enumerate(sizes)]
        for done in as_completed(chunks):
            progress.advance(task, done.result().counts[counted])
    for chunk in chunks:
        total.add(chunk.result())
    return total


def _require_contracts(contracts: bool) -> None:
    if contracts != __debug__:
        raise RuntimeError(f"expected contracts {contracts} in an interpreter that has {__debug__}")


def _begin() -> None:
    """Nothing; the first call of each interpreter starts it."""
