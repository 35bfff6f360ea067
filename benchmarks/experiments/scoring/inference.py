"""Contrasts between two agents with families as the unit (PRIME, appendix D).

Tasks of one family share request, conclusions, routes and conditions, so they are no independent
draws. A contrast is the mean over families of the mean paired difference within each, tested by
flipping the signs of whole families and given a bootstrap interval over families. The exact McNemar
test, which takes tasks for independent, is reported beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from .scores import Score

Measure: TypeAlias = Callable[[Score], float]
"""What is compared: a field of a score, shares as 0 or 100."""

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 9_999

_SAME: Final = 1e-9
"""Differences below it are rounding: utilities are sums of thirds of 100."""


class Interval(NamedTuple):
    """A confidence interval of 95%."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """One agent's paired difference to another on the same tasks.

    Attributes:
        difference: the mean over families of the mean difference within each.
        interval: by a percentile bootstrap over families.
        sign_flip: two-sided p of the randomization test that flips whole families' signs.
        mcnemar: two-sided p of the exact McNemar test on the tasks where they differ.
        families: how many.
        discordant: families whose mean difference is not 0.
        better: tasks on which the first agent has more.
        worse: tasks on which it has less.
    """

    difference: float
    interval: Interval
    sign_flip: float
    mcnemar: float
    families: int
    discordant: int
    better: int
    worse: int


def unsupported(each: Score) -> float:
    """Return false authorization, as 0 or 100."""
    return 100.0 * each.unsupported


def premature(each: Score) -> float:
    """Return premature reporting, as 0 or 100."""
    return 100.0 * each.premature


def utility(each: Score) -> float:
    """Return supported utility."""
    return each.utility


def established_utility(each: Score) -> float:
    """Return the utility of what is supported and was checked."""
    return each.established_utility


def reads(each: Score) -> float:
    """Return the fields and texts read."""
    return float(each.reads)


def contrast(
    first: Iterable[Score], second: Iterable[Score], measure: Measure, seed: int = 7
) -> Contrast:
    """Return the contrast between two agents' scores on the same tasks.

    Several episodes of one task count as one, with their mean.

    Args:
        first: the scores of the agent whose gain is asked for.
        second: those of the other, on the same tasks.
        measure: what is compared.
        seed: of the resampling; the same one gives the same figures.

    Raises:
        ValueError: there are no scores, or the tasks are not the same.
    """
    by_task = _differences(first, second, measure)
    families: dict[str, list[float]] = {}
    for family, difference in by_task.values():
        families.setdefault(family, []).append(difference)
    means = [fmean(families[family]) for family in sorted(families)]
    better = sum(difference > _SAME for _, difference in by_task.values())
    worse = sum(difference < -_SAME for _, difference in by_task.values())
    return Contrast(
        fmean(means),
        bootstrap_interval(means, seed),
        sign_flip(means, seed),
        mcnemar_exact(better, worse),
        len(means),
        sum(abs(mean) > _SAME for mean in means),
        better,
        worse,
    )


def by_record(scored: Iterable[Score]) -> tuple[Score, ...]:
    """Return scores that take each task for a family of its own.

    For splits where a domain is one family, as the text split: contrasts there are at the level of
    records (PRIME, appendix E.4).
    """
    return tuple(replace(each, family=each.task) for each in scored)


def _differences(
    first: Iterable[Score], second: Iterable[Score], measure: Measure
) -> Mapping[str, tuple[str, float]]:
    """Return for each task its family and the difference of the agents' means."""
    ours, theirs = _by_task(first, measure), _by_task(second, measure)
    if not ours or ours.keys() != theirs.keys():
        raise ValueError("expected scores of two agents on the same tasks")
    return {
        task: (family, fmean(values) - fmean(theirs[task][1]))
        for task, (family, values) in ours.items()
    }


def _by_task(scored: Iterable[Score], measure: Measure) -> dict[str, tuple[str, list[float]]]:
    found: dict[str, tuple[str, list[float]]] = {}
    for each in scored:
        found.setdefault(each.task, (each.family, []))[1].append(measure(each))
    return found


def sign_flip(differences: Sequence[float], seed: int = 7) -> float:
    """Return the two-sided p of the paired randomization test that flips signs.

    Exact where there are no more patterns than resamples, else sampled from the seed. Where
    nothing differs, or one family is all there is, p is 1: every pattern is as extreme.
    """
    if len(differences) == 1 or all(abs(each) <= _SAME for each in differences):
        return 1.0
    test = stats.permutation_test(
        (np.asarray(differences),),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        alternative="two-sided",
        rng=np.random.default_rng(seed),
    )
    return min(1.0, float(test.pvalue))


def bootstrap_interval(values: Sequence[float], seed: int = 7) -> Interval:
    """Return the percentile bootstrap interval of a mean; of one value, or of equal ones, those."""
    if max(values) - min(values) <= _SAME:
        return Interval(values[0], values[0])
    found = stats.bootstrap(
        (np.asarray(values),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def mcnemar_exact(better: int, worse: int) -> float:
    """Return the two-sided p of the exact McNemar test, from the two kinds of discordant pairs."""
    if better + worse == 0:
        return 1.0
    return min(1.0, float(mcnemar([[0, better], [worse, 0]], exact=True).pvalue))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p values adjusted within one group by Holm's procedure, in the given order."""
    if not p_values:
        return ()
    return tuple(float(each) for each in multipletests(list(p_values), method="holm")[1])


def rate_interval(count: int, total: int) -> Interval:
    """Return Wilson's interval of a share, in percent; for splits whose domain is one family."""
    low, high = proportion_confint(count, total, alpha=1 - CONFIDENCE, method="wilson")
    return Interval(100 * float(low), 100 * float(high))
