"""The three calibrators as curves from the base's probability to a better one.

Each rises, so that what the base thinks likelier never becomes less likely. They are computed in
plain Python: a saved calibration needs nothing else.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from licet import InvalidInput
from licet_bindings.calibration.measures import CLIP, clipped


class Curve(Protocol):
    """A calibrator that is fitted."""

    @property
    def rises(self) -> bool:
        """Whether it falls nowhere."""

    def __call__(self, score: float) -> float:
        """Return the calibrated probability of what the base gives this one."""


@dataclass(frozen=True, slots=True)
class Platt:
    """A logistic curve on the log-odds of scores: slope times log-odds plus intercept."""

    slope: float
    intercept: float

    @property
    def rises(self) -> bool:
        """Whether it falls nowhere."""
        return self.slope >= 0

    def __call__(self, score: float) -> float:
        """Return the calibrated probability; the score is clipped before."""
        within = clipped(score)
        return logistic(self.slope * math.log(within / (1 - within)) + self.intercept)


@dataclass(frozen=True, slots=True)
class Beta:
    """A beta calibration curve (Kull and others, 2017): the log-odds a ln s - b ln(1 - s) + c."""

    a: float
    b: float
    c: float

    @property
    def rises(self) -> bool:
        """Whether it falls nowhere."""
        return self.a >= 0 and self.b >= 0

    def __call__(self, score: float) -> float:
        """Return the calibrated probability; the score is clipped before."""
        within = clipped(score)
        return logistic(self.a * math.log(within) - self.b * math.log(1 - within) + self.c)


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A rising curve of straight pieces between points, level outside of them.

    Attributes:
        points: scores that rise strictly, each with its probability within [0.01, 0.99].
    """

    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        """Refuse points that are none, or whose scores do not rise."""
        if not self.points:
            raise InvalidInput("points", "expected at least one point, found none")
        for place, (one, other) in enumerate(pairwise(self.points)):
            if not one[0] < other[0]:
                raise InvalidInput(f"points.{place + 1}", "expected a score above the one before")
        for place, (_, chance) in enumerate(self.points):
            if not CLIP[0] <= chance <= CLIP[1]:
                raise InvalidInput(f"points.{place}", "expected a probability from 0.01 to 0.99")

    @property
    def rises(self) -> bool:
        """Whether it falls nowhere."""
        return all(one[1] <= other[1] for one, other in pairwise(self.points))

    def __call__(self, score: float) -> float:
        """Return the calibrated probability."""
        place = bisect_right(self.points, score, key=lambda point: point[0])
        if place == 0:
            return self.points[0][1]
        if place == len(self.points):
            return self.points[-1][1]
        (left, low), (right, high) = self.points[place - 1], self.points[place]
        return low + (high - low) / (right - left) * (score - left)


def name_of(curve: Curve) -> str:
    """Return a curve's name."""
    return type(curve).__name__.lower()


def logistic(odds: float) -> float:
    """Return the probability of log-odds, without overflow."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    lifted = math.exp(odds)
    return lifted / (1 + lifted)
