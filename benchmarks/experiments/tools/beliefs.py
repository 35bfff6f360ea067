"""What the agent believes of its memory: raw confidence, or calibrated on other scenarios."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Final, TypeAlias

from licet_bindings.calibration.measures import CLIP

from ..calibration.claims import Remembered
from ..calibration.pipeline import Fitted, fit
from .instances import Instance, features, instances, remembered

Beliefs: TypeAlias = Callable[[Instance], Mapping[str, Fraction]]
"""For an instance, the error probability of each claim."""

_STEP: Final = 1000


@lru_cache(maxsize=16)
def calibrated(seed: int, scenarios: int, share: float = 1.0) -> Fitted:
    """Return the pipeline, fitted on training scenarios; a share of them is drawn whole."""
    random = Random(f"share/{seed}/{share}")
    numbers = range(scenarios)
    kept = set(random.sample(numbers, max(2, round(share * scenarios))))
    claims: list[Remembered] = []
    for each in instances(training(seed), scenarios):
        if each.scenario.number in kept:
            claims += remembered(each)
    return fit(claims)


def training(seed: int) -> str:
    """Return the seed of the scenarios that calibrators are fitted on."""
    return f"{seed}/train"


def from_model(model: Fitted) -> Beliefs:
    """Return what a fitted pipeline believes, in thousandths."""

    def believe(of: Instance) -> Mapping[str, Fraction]:
        chances = model.predict([features(of, entry) for entry in of.memory])
        return {
            entry.claim: _rounded(float(chance))
            for entry, chance in zip(of.memory, chances, strict=True)
        }

    return believe


def raw(of: Instance) -> Mapping[str, Fraction]:
    """Return the complement of what was recorded, clipped as calibrated beliefs are."""
    return {entry.claim: _rounded(1 - entry.confidence) for entry in of.memory}


def _rounded(chance: float) -> Fraction:
    return Fraction(round(min(max(chance, CLIP[0]), CLIP[1]) * _STEP), _STEP)
