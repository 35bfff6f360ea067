"""The calibration pipeline of the product, on the features of these experiments' claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from licet_bindings.calibration import fitting
from licet_bindings.calibration.features import FeatureKind
from licet_bindings.calibration.model import Calibration, Criteria

from .claims import Features, Remembered

Chances = npt.NDArray[np.float64]

COLUMNS: Final[Mapping[str, FeatureKind]] = {
    "age": FeatureKind.NUMBER,
    "trust": FeatureKind.NUMBER,
    "supports": FeatureKind.NUMBER,
    "conflicts": FeatureKind.NUMBER,
    "provenance": FeatureKind.TRUTH,
    "downstream": FeatureKind.NUMBER,
    "doubt": FeatureKind.NUMBER,
    "refreshed": FeatureKind.TRUTH,
    "attribute": FeatureKind.CATEGORY,
    "source": FeatureKind.CATEGORY,
    "dependency": FeatureKind.CATEGORY,
    "action": FeatureKind.CATEGORY,
    "layer": FeatureKind.CATEGORY,
}
"""The paper's, and how each enters the base."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted pipeline.

    Attributes:
        calibration: the base, and the calibrator that its predictions go through.
        criteria: what each of the three did.
    """

    calibration: Calibration
    criteria: Mapping[str, Criteria]

    @property
    def chosen(self) -> str:
        """The name of the calibrator."""
        return self.calibration.chosen

    def predict(self, features: Sequence[Features]) -> Chances:
        """Return for each claim the probability that it is wrong, within [0.01, 0.99]."""
        return np.array([self.calibration.predict(each._asdict()) for each in features])

    def uncalibrated(self, features: Sequence[Features]) -> Chances:
        """Return what the base says, clipped."""
        return np.array([self.calibration.base(each._asdict()) for each in features])


def fit(claims: Sequence[Remembered]) -> Fitted:
    """Fit the pipeline.

    Args:
        claims: what it is fitted on: claims of at least three families, some wrong and some not.

    Raises:
        InvalidInput: there are fewer families, or all claims are wrong, or none.
    """
    found = fitting.fit(
        fitting.Examples.of(
            COLUMNS,
            [tuple(claim.features) for claim in claims],
            [claim.family for claim in claims],
            [claim.wrong for claim in claims],
        )
    )
    return Fitted(found.calibration, found.criteria)
