"""The calibration pipeline: a logistic base, then Platt, beta or bounded isotonic (AMV, B.2).

The base is fitted on claim features. Its leave-one-family-out predictions are what a calibrator is
fitted on, so that it sees how the base errs on a family that it has not seen. Which calibrator is
taken is decided by predictions for one family of calibrators fitted on the others, by three
criteria: the worst family's negative log-likelihood, that of all claims, and the calibration error.
The paper names them in this order and not how they are weighed; here ranks are added up, of equals
the better in the first. What is predicted is clipped to [0.01, 0.99]. A calibrator that falls
somewhere is not taken: it would turn what the base says around.

The families of claims are never features, and neither should be names of entities. This module
needs the extra `calibrate`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from betacal import BetaCalibration
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from licet import InvalidInput
from licet_bindings.calibration.curves import Beta, Curve, Isotonic, Platt
from licet_bindings.calibration.features import FeatureKind, Value
from licet_bindings.calibration.measures import (
    CLIP,
    clipped,
    measures,
    negative_log_likelihood,
)
from licet_bindings.calibration.model import Base, Calibration, Criteria, Scaled, Term, Weighed

Chances: TypeAlias = npt.NDArray[np.float64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Calibrator: TypeAlias = Callable[[Chances, Truths], Curve]

LEAST_FAMILIES: Final = 3
LEAST_WITH_EACH: Final = 2
"""Families with a wrong claim, and with a right one, at least: one of them is held out."""

_UNREGULARIZED: Final = 1e10


@dataclass(frozen=True, slots=True)
class Examples:
    """Claims with the truth, as a table.

    Attributes:
        columns: for each feature its kind; of the table's columns in order.
        rows: for each claim its features.
        families: for each claim the family that it is from.
        wrong: for each claim whether it was wrong.
    """

    columns: Mapping[str, FeatureKind]
    rows: npt.NDArray[np.object_]
    families: npt.NDArray[np.str_]
    wrong: Truths

    @classmethod
    def of(
        cls,
        columns: Mapping[str, FeatureKind],
        rows: Sequence[Sequence[Value]],
        families: Sequence[str],
        wrong: Sequence[bool],
    ) -> Examples:
        """Make a table of sequences of equal length."""
        table = np.empty((len(rows), len(columns)), dtype=object)
        for place, row in enumerate(rows):
            table[place] = row
        return cls(columns, table, np.array(families, dtype=np.str_), np.array(wrong, dtype=bool))

    def only(self, kept: npt.NDArray[np.bool_]) -> Examples:
        """Return those where `kept` is true."""
        return Examples(self.columns, self.rows[kept], self.families[kept], self.wrong[kept])

    def names(self) -> list[str]:
        """Return the names of the families, sorted."""
        return sorted({str(family) for family in self.families})


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted pipeline.

    Attributes:
        calibration: what gives probabilities.
        criteria: what each calibrator that could be chosen did.
    """

    calibration: Calibration
    criteria: Mapping[str, Criteria]


def platt(scores: Chances, wrong: Truths) -> Platt:
    """Fit a logistic curve on the log-odds of scores."""
    within = np.clip(scores, *CLIP)
    odds = np.log(within / (1 - within)).reshape(-1, 1)
    with warnings.catch_warnings():
        # Where scores tell all claims apart it has no end; how good it is, the criteria say.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(C=_UNREGULARIZED).fit(odds, wrong)
    return Platt(float(model.coef_[0, 0]), float(model.intercept_[0]))


def beta(scores: Chances, wrong: Truths) -> Beta:
    """Fit a beta calibration curve (Kull and others, 2017) with its three parameters."""
    # The library turns off all warnings of the process; this undoes it.
    with warnings.catch_warnings():
        model = BetaCalibration("abm").fit(np.clip(scores, *CLIP), wrong).calibrator_
    return Beta(float(model.map_[0]), float(model.map_[1]), float(model.lr_.intercept_[0]))


def bounded_isotonic(scores: Chances, wrong: Truths) -> Isotonic:
    """Fit a rising step curve that stays within what is clipped to."""
    model = IsotonicRegression(y_min=CLIP[0], y_max=CLIP[1], out_of_bounds="clip")
    model.fit(scores, wrong.astype(float))
    return Isotonic(
        tuple(zip(model.X_thresholds_.tolist(), model.y_thresholds_.tolist(), strict=True))
    )


CALIBRATORS: Final[Mapping[str, Calibrator]] = {
    "platt": platt,
    "beta": beta,
    "isotonic": bounded_isotonic,
}


def fit(examples: Examples) -> Fit:
    """Fit the pipeline.

    Args:
        examples: claims of at least three families; of these at least two have a claim that is
            wrong, and at least two one that is not.

    Raises:
        InvalidInput: there are fewer.
    """
    require_fittable(examples)
    # One thread: sums in one order give the same digits, and small problems are faster so.
    try:
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            return _fit(examples)
    except ConvergenceWarning:
        raise InvalidInput("claims", "the logistic base does not converge on them") from None


def require_fittable(examples: Examples) -> None:
    """Return if the pipeline can be fitted on claims.

    Raises:
        InvalidInput: there are too few families, or too few of them have wrong claims, or right.
    """
    families, wrong = examples.names(), examples.wrong
    if len(families) < LEAST_FAMILIES:
        found = f"found {len(families)}" + (f" ({families[0]})" if len(families) == 1 else "")
        raise InvalidInput("claims", f"expected claims of at least three families, {found}")
    for what, these in (("wrong", wrong), ("not", ~wrong)):
        with_some = examples.only(these).names()
        if len(with_some) < LEAST_WITH_EACH:
            found = f"found them in {with_some[0]} alone" if with_some else "found none"
            raise InvalidInput(
                "claims",
                "expected claims that are wrong and claims that are not, each in at least two"
                f" families; of those that are {what}, {found}",
            )


def _fit(examples: Examples) -> Fit:
    scores = held_out_scores(examples)
    wrong = examples.wrong
    curves = {name: calibrator(scores, wrong) for name, calibrator in CALIBRATORS.items()}
    criteria = {
        name: criteria_of(CALIBRATORS[name], scores, wrong, examples.families)
        for name, curve in curves.items()
        if curve.rises
    }
    base = extracted(unfitted_base(examples.columns).fit(examples.rows, wrong), examples.columns)
    return Fit(Calibration(base, curves[best(criteria)]), criteria)


def held_out_scores(examples: Examples) -> Chances:
    """Return for each claim what a base says that was fitted on the other families."""
    return np.asarray(
        cross_val_predict(
            unfitted_base(examples.columns),
            examples.rows,
            examples.wrong,
            groups=examples.families,
            cv=LeaveOneGroupOut(),
            method="predict_proba",
        )
    )[:, 1]


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


def criteria_of(
    calibrator: Calibrator, scores: Chances, wrong: Truths, families: npt.NDArray[np.str_]
) -> Criteria:
    """Return how a calibrator does on each family when it is fitted on the others."""
    predicted = np.empty_like(scores)
    worst = []
    for family in sorted(set(families)):
        held_out = families == family
        curve = calibrator(scores[~held_out], wrong[~held_out])
        predicted[held_out] = [clipped(curve(float(score))) for score in scores[held_out]]
        worst.append(
            negative_log_likelihood(predicted[held_out].tolist(), wrong[held_out].tolist())
        )
    found = measures(predicted.tolist(), wrong.tolist())
    return Criteria(max(worst), found.likelihood, found.calibration_error)


def unfitted_base(columns: Mapping[str, FeatureKind]) -> Pipeline:
    """Return the logistic base before it is fitted."""
    words = [place for place, kind in enumerate(columns.values()) if kind is FeatureKind.CATEGORY]
    numbers = [place for place in range(len(columns)) if place not in words]
    encoded = make_column_transformer(
        (StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), words)
    )
    return make_pipeline(encoded, LogisticRegression(max_iter=1_000))


def extracted(base: Pipeline, columns: Mapping[str, FeatureKind]) -> Base:
    """Return a fitted base in plain Python."""
    encoded, logistic = base.steps[0][1], base.steps[1][1]
    weights = iter(logistic.coef_[0].tolist())
    terms: dict[str, Term] = {}
    numbers = [name for name, kind in columns.items() if kind is not FeatureKind.CATEGORY]
    words = [name for name, kind in columns.items() if kind is FeatureKind.CATEGORY]
    fitted: dict[str, Any] = encoded.named_transformers_
    if numbers:
        scaler = fitted["standardscaler"]
        for name, mean, scale in zip(
            numbers, scaler.mean_.tolist(), scaler.scale_.tolist(), strict=True
        ):
            terms[name] = Scaled(columns[name], mean, scale, next(weights))
    if words:
        for name, found in zip(words, fitted["onehotencoder"].categories_, strict=True):
            terms[name] = Weighed({str(word): next(weights) for word in found})
    return Base(float(logistic.intercept_[0]), {name: terms[name] for name in columns})
