"""Means over instances with bootstrap intervals; the instance is the unit, drawn on its own."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy import stats

RESAMPLES: Final = 2_000
"""As many as the paper takes."""


class Mean(NamedTuple):
    """A mean over instances, and its 95 % interval."""

    value: float
    low: float
    high: float


def mean(values: Sequence[float], seed: int) -> Mean:
    """Return the mean and its percentile bootstrap interval, from a seed."""
    numbers = np.asarray(values, dtype=float)
    if np.ptp(numbers) == 0:  # nothing varies, so no resample does
        return Mean(*[float(numbers[0])] * 3)
    found = stats.bootstrap(
        (numbers,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Mean(float(numbers.mean()), float(found.low), float(found.high))


def difference(ones: Sequence[float], others: Sequence[float], seed: int) -> Mean:
    """Return the mean of ones less others, paired by instance, with its interval."""
    return mean([one - other for one, other in zip(ones, others, strict=True)], seed)
