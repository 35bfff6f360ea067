"""How good a calibration is on claims of families that it was not fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from licet import InvalidInput
from licet_bindings.calibration.claims import KnownClaim
from licet_bindings.calibration.documents import CalibrationDocument
from licet_bindings.calibration.measures import Bin, Measures, bins, clipped, measures, not_lower


class Compared(NamedTuple):
    """Raw confidence and what is calibrated, by the same measures on the same claims."""

    raw: Measures
    calibrated: Measures


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of it.

    Attributes:
        claims: how many there are.
        wrong: how many of them are wrong.
        compared: all claims, raw and calibrated.
        families: by family the same.
        reliability: the bins of the reliability diagram, by `raw` and `calibrated`.
        left_out: claims of families that the calibration was fitted on, which are not counted.
    """

    claims: int
    wrong: int
    compared: Compared
    families: Mapping[str, Compared]
    reliability: Mapping[str, Sequence[Bin]]
    left_out: int = 0

    @property
    def findings(self) -> tuple[str, ...]:
        """In what the calibration is no better than raw confidence."""
        return tuple(not_lower(self.compared.calibrated, self.compared.raw))


def evaluate(document: CalibrationDocument, claims: Sequence[KnownClaim]) -> Evaluation:
    """Measure a calibration on the claims whose families it was not fitted on.

    Raises:
        InvalidInput: there are none, or a claim lacks a feature.
    """
    fitted = set(document.fitted.families)
    kept = [claim for claim in claims if claim.family not in fitted]
    if not kept:
        raise InvalidInput(
            "claims",
            "expected claims of families that the calibration was not fitted on; it was fitted on"
            " all of theirs",
        )
    chances = [document.calibration.predict(claim.features) for claim in kept]
    return evaluated(kept, chances, len(claims) - len(kept))


def evaluated(
    claims: Sequence[KnownClaim], chances: Sequence[float], left_out: int = 0
) -> Evaluation:
    """Compare probabilities with the truth, and with raw confidence clipped as they are."""
    wrong = [claim.wrong for claim in claims]
    raw = [clipped(claim.raw) for claim in claims]
    places: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        places.setdefault(claim.family, []).append(place)
    return Evaluation(
        len(claims),
        sum(wrong),
        _compared(raw, chances, wrong),
        {
            family: _compared(
                *([each[place] for place in inside] for each in (raw, chances, wrong))
            )
            for family, inside in sorted(places.items())
        },
        {"raw": bins(raw, wrong), "calibrated": bins(chances, wrong)},
        left_out,
    )


def _compared(raw: Sequence[float], chances: Sequence[float], wrong: Sequence[float]) -> Compared:
    truth = [bool(each) for each in wrong]
    return Compared(measures(raw, truth), measures(chances, truth))
