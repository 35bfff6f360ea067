"""Batches of one call, timed, and what their readings come to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from time import perf_counter
from timeit import Timer
from typing import Final

BATCH_SECONDS: Final = 0.002


@dataclass(frozen=True, slots=True)
class Reading:
    """One timed batch: what, on which kind of ledger, on which of them, microseconds a decision."""

    series: str
    kind: str
    ledger: str
    microseconds: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Microseconds: over all batches, and over the ledgers' medians."""

    least: float
    median: float
    worst_ledger: float
    greatest: float


def batch(call: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Return microseconds a call, of a batch that lasts about `BATCH_SECONDS`; no collection."""
    started = clock()
    call()
    once = clock() - started
    number = max(1, round(BATCH_SECONDS / once))
    return Timer(call, timer=clock).timeit(number) / number * 1e6


def spread(readings: Iterable[Reading]) -> Spread:
    """Return what the readings of one series on one kind of ledger come to."""
    ordered = sorted(readings, key=lambda reading: reading.ledger)
    of_ledgers = [
        median(reading.microseconds for reading in group)
        for _, group in groupby(ordered, key=lambda reading: reading.ledger)
    ]
    times = [reading.microseconds for reading in ordered]
    found = (min(times), median(of_ledgers), max(of_ledgers), max(times))
    return Spread(*(round(microseconds, 1) for microseconds in found))
