"""How good probabilities are: calibration error, Brier score, negative log-likelihood."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.metrics import brier_score_loss, log_loss

CLIP: Final = (0.01, 0.99)
"""As the paper clips before the gate reads it (B.2)."""

BINS: Final = 10


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


def measures(chances: npt.NDArray[np.float64], wrong: npt.NDArray[np.bool_]) -> Measures:
    """Return the three measures."""
    error = sum(
        share * abs(predicted - observed) for share, predicted, observed in bins(chances, wrong)
    )
    brier = float(brier_score_loss(wrong, chances, pos_label=True))
    return Measures(float(error), brier, negative_log_likelihood(chances, wrong))


def bins(
    chances: npt.NDArray[np.float64], wrong: npt.NDArray[np.bool_]
) -> list[tuple[float, float, float]]:
    """Return for each bin that is not empty its share, mean probability and share of wrong."""
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    return [
        (float(inside.mean()), float(chances[inside].mean()), float(wrong[inside].mean()))
        for place in range(BINS)
        if (inside := places == place).any()
    ]


def negative_log_likelihood(
    chances: npt.NDArray[np.float64], wrong: npt.NDArray[np.bool_]
) -> float:
    """Return the mean negative log-likelihood, in nats."""
    return float(log_loss(wrong, chances, labels=[False, True]))


def clipped(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return probabilities within [0.01, 0.99]."""
    return np.clip(chances, *CLIP)
