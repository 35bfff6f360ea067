"""The calibration pipeline: a logistic base, then Platt, beta or bounded isotonic (AMV, B.2).

The base is fitted on claim features. Its leave-one-family-out predictions are what a calibrator is
fitted on, so that it sees how the base errs on a family that it has not seen. Which calibrator is
taken is decided by predictions for one family of calibrators fitted on the others, by three
criteria: the worst family's negative log-likelihood, that of all claims, and the calibration error.
The paper names them in this order and not how they are weighed; here ranks are added up, of equals
the better in the first. What is predicted is clipped to [0.01, 0.99].

The families of claims are never features, and neither are names of entities or perturbations.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from betacal import BetaCalibration
from sklearn.compose import make_column_transformer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from .claims import Features, Remembered
from .measures import CLIP, Measures, clipped, measures, negative_log_likelihood

Chances = npt.NDArray[np.float64]
Calibrator = Callable[[Chances], Chances]

_NUMERIC: Final = "age trust supports conflicts provenance downstream doubt refreshed".split()
_CATEGORICAL: Final = "attribute source dependency action layer".split()
_UNREGULARIZED: Final = 1e10


def platt(scores: Chances, wrong: npt.NDArray[np.bool_]) -> Calibrator:
    """Fit a logistic curve on the log-odds of scores."""
    model = LogisticRegression(C=_UNREGULARIZED).fit(_log_odds(scores), wrong)
    return lambda scores: np.asarray(model.predict_proba(_log_odds(scores))[:, 1])


def beta(scores: Chances, wrong: npt.NDArray[np.bool_]) -> Calibrator:
    """Fit a beta calibration curve (Kull and others, 2017) with its three parameters."""
    # The library turns off all warnings of the process; this undoes it.
    with warnings.catch_warnings():
        model = BetaCalibration("abm").fit(clipped(scores), wrong)
    return lambda scores: np.asarray(model.predict(clipped(scores)))


def bounded_isotonic(scores: Chances, wrong: npt.NDArray[np.bool_]) -> Calibrator:
    """Fit a rising step curve that stays within what is clipped to."""
    model = IsotonicRegression(y_min=CLIP[0], y_max=CLIP[1], out_of_bounds="clip")
    model.fit(scores, wrong.astype(float))
    return lambda scores: np.asarray(model.predict(scores))


CALIBRATORS: Final[Mapping[str, Callable[..., Calibrator]]] = {
    "platt": platt,
    "beta": beta,
    "isotonic": bounded_isotonic,
}


class Criteria(NamedTuple):
    """What a calibrator is chosen by, on families that it was not fitted on; less is better."""

    worst_family: float
    likelihood: float
    calibration_error: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted pipeline.

    Attributes:
        base: the logistic base.
        calibrator: what its predictions go through.
        chosen: the name of the calibrator.
        criteria: what each of the three did.
    """

    base: Pipeline
    calibrator: Calibrator
    chosen: str
    criteria: Mapping[str, Criteria]

    def predict(self, features: Sequence[Features]) -> Chances:
        """Return for each claim the probability that it is wrong, within [0.01, 0.99]."""
        return clipped(self.calibrator(self.uncalibrated(features)))

    def uncalibrated(self, features: Sequence[Features]) -> Chances:
        """Return what the base says, clipped."""
        return clipped(np.asarray(self.base.predict_proba(_rows(features))[:, 1]))


def fit(claims: Sequence[Remembered]) -> Fitted:
    """Fit the pipeline.

    Args:
        claims: what it is fitted on: claims of at least three families, some wrong and some not.

    Raises:
        ValueError: there are fewer families, or all claims are wrong, or none.
    """
    families = np.array([claim.family for claim in claims])
    wrong = np.array([claim.wrong for claim in claims])
    if len(set(families)) < 3:
        raise ValueError(f"expected claims of at least three families, found {len(set(families))}")
    if wrong.all() or not wrong.any():
        raise ValueError("expected claims that are wrong and claims that are not")
    # One thread: sums in one order give the same digits, and small problems are faster so.
    with threadpool_limits(1):
        return _fit(claims, families, wrong)


def _fit(
    claims: Sequence[Remembered], families: npt.NDArray[Any], wrong: npt.NDArray[np.bool_]
) -> Fitted:
    rows = _rows([claim.features for claim in claims])
    scores = np.asarray(
        cross_val_predict(
            _base(), rows, wrong, groups=families, cv=LeaveOneGroupOut(), method="predict_proba"
        )
    )[:, 1]
    criteria = {name: _criteria(one, scores, wrong, families) for name, one in CALIBRATORS.items()}
    chosen = best(criteria)
    return Fitted(_base().fit(rows, wrong), CALIBRATORS[chosen](scores, wrong), chosen, criteria)


def best(criteria: Mapping[str, Criteria]) -> str:
    """Return the name with the least sum of ranks; of equals the least worst-family likelihood."""

    def ranks(name: str) -> tuple[int, float]:
        own = criteria[name]
        better = (
            sum(other[which] < own[which] for other in criteria.values())
            for which in range(len(own))
        )
        return sum(better), own.worst_family

    return min(criteria, key=ranks)


def _criteria(
    calibrator: Callable[..., Calibrator],
    scores: Chances,
    wrong: npt.NDArray[np.bool_],
    families: npt.NDArray[Any],
) -> Criteria:
    predicted = np.empty_like(scores)
    for family in sorted(set(families)):
        held_out = families == family
        curve = calibrator(scores[~held_out], wrong[~held_out])
        predicted[held_out] = clipped(curve(scores[held_out]))
    found: Measures = measures(predicted, wrong)
    worst = max(
        negative_log_likelihood(predicted[families == family], wrong[families == family])
        for family in sorted(set(families))
    )
    return Criteria(worst, found.likelihood, found.calibration_error)


def _base() -> Pipeline:
    numbers = [Features._fields.index(name) for name in _NUMERIC]
    words = [Features._fields.index(name) for name in _CATEGORICAL]
    encoded = make_column_transformer(
        (StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), words)
    )
    return make_pipeline(encoded, LogisticRegression(max_iter=1_000))


def _rows(features: Sequence[Features]) -> npt.NDArray[np.object_]:
    return np.array([tuple(each) for each in features], dtype=object)


def _log_odds(scores: Chances) -> Chances:
    within = clipped(scores)
    return np.asarray(np.log(within / (1 - within)).reshape(-1, 1))
