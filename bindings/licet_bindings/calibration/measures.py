"""How good probabilities are: calibration error, Brier score, negative log-likelihood."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from licet.memories import CLIP as _CLIP

CLIP: Final = (float(_CLIP[0]), float(_CLIP[1]))
"""The least and the greatest probability, as the gate clips them (AMV, B.2)."""

BINS: Final = 10

_LEAST: Final = sys.float_info.epsilon


class Measures(NamedTuple):
    """Of probabilities against what is so; less is better.

    Attributes:
        calibration_error: ECE: over ten bins of equal width, how far the mean probability is from
            the share that is wrong, weighed by how many are in the bin.
        brier: the mean squared difference.
        likelihood: NLL: the mean negative log-likelihood, in nats.
    """

    calibration_error: float
    brier: float
    likelihood: float


NAMES: Final = ("ECE", "Brier score", "NLL")
"""What the field calls them."""


class Bin(NamedTuple):
    """One bin of a reliability diagram.

    Attributes:
        share: how much of all is in it.
        predicted: the mean probability in it.
        observed: the share in it that is wrong.
    """

    share: float
    predicted: float
    observed: float


def clipped(chance: float) -> float:
    """Return a probability within [0.01, 0.99]."""
    return min(max(chance, CLIP[0]), CLIP[1])


def measures(chances: Sequence[float], wrong: Sequence[bool]) -> Measures:
    """Return the three measures of probabilities in [0, 1], at least one.

    >>> measures([0.25, 0.75], [False, True]).brier
    0.0625
    """
    error = math.fsum(
        each.share * abs(each.predicted - each.observed) for each in bins(chances, wrong)
    )
    brier = _mean([(chance - so) ** 2 for chance, so in zip(chances, wrong, strict=True)])
    return Measures(error, brier, negative_log_likelihood(chances, wrong))


def bins(chances: Sequence[float], wrong: Sequence[bool]) -> list[Bin]:
    """Return the bins that are not empty, the lowest first."""
    inside: dict[int, list[tuple[float, bool]]] = {}
    for chance, so in zip(chances, wrong, strict=True):
        inside.setdefault(min(int(chance * BINS), BINS - 1), []).append((chance, so))
    return [
        Bin(
            len(found) / len(chances),
            _mean([chance for chance, _ in found]),
            _mean([float(so) for _, so in found]),
        )
        for _, found in sorted(inside.items())
    ]


def negative_log_likelihood(chances: Sequence[float], wrong: Sequence[bool]) -> float:
    """Return the mean negative log-likelihood, in nats; a probability of 0 or 1 is no infinity."""
    within = (min(max(chance, _LEAST), 1 - _LEAST) for chance in chances)
    return -_mean(
        [math.log(chance if so else 1 - chance) for chance, so in zip(within, wrong, strict=True)]
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def not_lower(ours: Measures, raw: Measures) -> Iterable[str]:
    """Yield for each measure that is not below that of raw confidence what it is."""
    for name, mine, other in zip(NAMES, ours, raw, strict=True):
        if not mine < other:
            yield f"{name} is {mine:.4f}, that of raw confidence {other:.4f}"
