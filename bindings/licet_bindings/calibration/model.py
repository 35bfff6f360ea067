"""A calibration: a logistic base on features, and a curve that its probability goes through.

It is what a gate needs of it, in plain Python: what `fitting` finds is turned into it, and what a
document states is read as it, so a saved calibration gives the probabilities of the one that was
saved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from licet import InvalidInput
from licet_bindings.calibration.curves import Curve, logistic, name_of
from licet_bindings.calibration.features import MOST, FeatureKind, Value, kind_of_value
from licet_bindings.calibration.measures import Measures, clipped
from licet_bindings.errors import shown

PLACES: Final = 6
"""Digits after the decimal point of an error that is written into a claim."""

_EXPECTED: Final = {
    FeatureKind.NUMBER: f"a number within {MOST:g} of 0",
    FeatureKind.TRUTH: "true or false",
    FeatureKind.CATEGORY: "text",
}


class Criteria(NamedTuple):
    """What a calibrator is chosen by, on families that it was not fitted on; less is better.

    Attributes:
        worst_family: the negative log-likelihood of the family where it is greatest.
        likelihood: that of all claims.
        calibration_error: ECE of all claims.
    """

    worst_family: float
    likelihood: float
    calibration_error: float


@dataclass(frozen=True, slots=True)
class Scaled:
    """How a number enters the base: weight times (value less mean) by scale; true counts as 1.

    A number outside of what was fitted on counts as the nearest that was: of others nothing is
    known, and a line that goes on would make a claim with many copies, say, as good as certain.

    Attributes:
        kind: a number or a truth value.
        mean: what is taken off.
        scale: what is divided by.
        weight: what is multiplied by.
        low: the least value that was fitted on.
        high: the greatest.
    """

    kind: FeatureKind
    mean: float
    scale: float
    weight: float
    low: float = -MOST
    high: float = MOST

    def __call__(self, value: float) -> float:
        """Return what it adds to the log-odds."""
        within = min(max(value, self.low), self.high)
        return (within - self.mean) / self.scale * self.weight


@dataclass(frozen=True, slots=True)
class Weighed:
    """How a word enters the base: by its own weight; one that was not seen weighs nothing."""

    weights: Mapping[str, float]

    @property
    def kind(self) -> FeatureKind:
        """A category."""
        return FeatureKind.CATEGORY

    def __call__(self, value: str) -> float:
        """Return what it adds to the log-odds."""
        return self.weights.get(value, 0.0)


Term: TypeAlias = Scaled | Weighed


@dataclass(frozen=True, slots=True)
class Base:
    """The logistic base.

    Attributes:
        intercept: its log-odds before any feature.
        terms: by the feature's name what it adds to them.
    """

    intercept: float
    terms: Mapping[str, Term]

    def __call__(self, features: Mapping[str, Value]) -> float:
        """Return the base's probability that a claim is wrong, within [0.01, 0.99].

        Raises:
            InvalidInput: a feature is missing, or is of another kind than those that were fitted;
                or the base's numbers are so large that there is no sum.
        """
        added = [self._added(name, term, features) for name, term in self.terms.items()]
        return clipped(logistic(_total([self.intercept, *added])))

    def _added(self, name: str, term: Term, features: Mapping[str, Value]) -> float:
        if name not in features:
            raise InvalidInput(
                f"features.{name}", "expected this feature, found none; the calibration needs it"
            )
        value = features[name]
        if kind_of_value(value) is term.kind:
            if isinstance(term, Scaled) and not isinstance(value, str) and abs(value) <= MOST:
                return term(float(value))
            if isinstance(term, Weighed) and isinstance(value, str):
                return term(value)
        raise InvalidInput(
            f"features.{name}", f"expected {_EXPECTED[term.kind]}, found {shown(value)}"
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a calibration was fitted on, and how good it is on families that it was not.

    Attributes:
        claims: how many.
        wrong: how many of them are wrong.
        families: their names.
        criteria: what each calibrator that could be chosen did; the one taken is the calibration's.
        raw: how good 1 less the raw confidence is, clipped as what is calibrated is.
        calibrated: how good the whole pipeline is on families that no part of it was fitted on.
    """

    claims: int
    wrong: int
    families: tuple[str, ...]
    criteria: Mapping[str, Criteria]
    raw: Measures
    calibrated: Measures


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted pipeline: the probability that a claim is wrong, from its features.

    Attributes:
        base: the logistic base.
        curve: the calibrator that its probability goes through; it falls nowhere.
    """

    base: Base
    curve: Curve

    def __post_init__(self) -> None:
        """Refuse a curve that falls."""
        if not self.curve.rises:
            raise InvalidInput("calibrator", f"expected a curve that rises, found {self.curve}")

    @property
    def chosen(self) -> str:
        """The calibrator's name."""
        return name_of(self.curve)

    def predict(self, features: Mapping[str, Value]) -> float:
        """Return the probability that a claim is wrong, within [0.01, 0.99].

        Raises:
            InvalidInput: a feature is missing, or is of another kind than those that were fitted.
        """
        found = self.curve(self.base(features))
        if not math.isfinite(found):
            raise InvalidInput("calibrator", "expected a curve that gives a number")
        return clipped(found)

    def error(self, features: Mapping[str, Value]) -> float:
        """Return `predict` to six decimal places: the `error` of a claim, the same everywhere."""
        return round(self.predict(features), PLACES)

    def unseen(self, features: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the features whose word was in no claim that was fitted on: it weighs nothing."""
        return tuple(
            name
            for name, term in self.base.terms.items()
            if isinstance(term, Weighed) and features.get(name) not in term.weights
        )

    def outside(self, features: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the features whose number is less or greater than all that was fitted on."""
        return tuple(
            name
            for name, term in self.base.terms.items()
            if isinstance(term, Scaled)
            and not isinstance(features[name], str)
            and not term.low <= float(features[name]) <= term.high
        )

    def within(self, seen: Iterable[Mapping[str, Value]]) -> Calibration:
        """Return the calibration whose numbers count within what was seen.

        Args:
            seen: the features of the claims that it was fitted on, at least one.
        """
        listed = list(seen)
        terms = {
            name: replace(term, low=low, high=high) if isinstance(term, Scaled) else term
            for name, term in self.base.terms.items()
            for low, high in [_range(listed, name)]
        }
        return replace(self, base=replace(self.base, terms=terms))


def _range(seen: list[Mapping[str, Value]], name: str) -> tuple[float, float]:
    numbers = [float(each[name]) for each in seen if not isinstance(each[name], str)]
    return min(numbers, default=-MOST), max(numbers, default=MOST)


def _total(parts: list[float]) -> float:
    """Return a sum; one that has no number, or no finite one, is refused."""
    try:
        total = math.fsum(parts)
    except (OverflowError, ValueError):
        total = math.nan
    if not math.isfinite(total):
        raise InvalidInput("base", "its numbers are too large: they have no sum")
    return total
