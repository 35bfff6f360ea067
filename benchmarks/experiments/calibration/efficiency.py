"""Calibration against the share of data that it is fitted on, on families that it has not seen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

import numpy as np
import numpy.typing as npt

from licet_bindings.calibration.measures import CLIP, Measures, bins, measures

from ...progress import followed
from ..part import Setting, Shown, Size
from ..scoring.inference import bootstrap_interval, holm, sign_flip
from . import efficiency_tables
from .claims import Remembered, family
from .pipeline import fit

NAME: Final = "calibration"
TITLE: Final = "The gate: calibration"

FRACTIONS: Final = {Size.QUICK: (0.25, 1.0), Size.FULL: (0.1, 0.25, 0.5, 1.0)}
SEEDS: Final = {Size.QUICK: 2, Size.FULL: 5}
FITTED: Final = {Size.QUICK: (8, 25), Size.FULL: (14, 40)}
HELD_OUT: Final = {Size.QUICK: (6, 25), Size.FULL: (12, 40)}
"""How many families, and instances in each."""

CALIBRATED, BASE, RAW, UNCLIPPED, TRUE = (
    "calibrated",
    "base alone",
    "raw confidence, clipped",
    "raw confidence, as recorded",
    "true chance",
)
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Change:
    """A measure of calibrated less raw, over held-out families; below 0 is better.

    Attributes:
        difference: the mean over families, with all data.
        low: of its interval of 95 %, by a bootstrap over families.
        high: the same.
        p: of the sign-flip test over families, adjusted by Holm for the three measures.
        lower: families on which it is lower.
    """

    difference: float
    low: float
    high: float
    p: float
    lower: int


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        fitted: claims that are fitted on, with all data.
        held_out: claims of held-out families.
        families: held-out families.
        wrong: the share of held-out claims that are wrong.
        curve: for each fraction, for calibrated and the base alone, means over seeds.
        fixed: measures of what needs no fitting: raw confidence, and the true chance.
        chosen: for each fraction, how often each calibrator was chosen.
        changes: for each measure, calibrated less raw by family.
        reliability: for raw and calibrated, for each bin its share, mean probability and share of
            wrong, with all data.
    """

    fitted: int
    held_out: int
    families: int
    wrong: float
    curve: Mapping[float, Mapping[str, Measures]]
    fixed: Mapping[str, Measures]
    chosen: Mapping[float, Mapping[str, int]]
    changes: Mapping[str, Change]
    reliability: Mapping[str, Sequence[tuple[float, float, float]]]


def run(size: Size, seed: int) -> Found:
    """Fit on each share of the data and each seed, and measure on the held-out families."""
    fitted = _families(seed, "fitted", *FITTED[size])
    held_out = _families(seed, "held-out", *HELD_OUT[size])
    features = [claim.features for claim in held_out]
    wrong = np.array([claim.wrong for claim in held_out])
    recorded = np.array([each.doubt for each in features])
    raw = np.clip(recorded, *CLIP)
    curve, chosen = {}, {}
    full = raw
    jobs = [
        (share, again)
        for share in FRACTIONS[size]
        for again in range(SEEDS[size] if share < 1 else 1)  # of all data there is one draw
    ]
    runs: dict[float, list[tuple[Measures, Measures, str]]] = {}
    for share, again in followed(jobs, TITLE):
        model = fit(_share_of(fitted, share, f"{seed}/{again}"))
        predicted = model.predict(features)
        base = measures(model.uncalibrated(features), wrong)
        runs.setdefault(share, []).append((measures(predicted, wrong), base, model.chosen))
        if share == 1:
            full = predicted
    for share, found in runs.items():
        curve[share] = {
            CALIBRATED: _mean([one for one, _, _ in found]),
            BASE: _mean([one for _, one, _ in found]),
        }
        chosen[share] = dict(sorted(Counter(name for _, _, name in found).items()))
    true = np.array([claim.chance for claim in held_out])
    fixed = {RAW: raw, UNCLIPPED: np.clip(recorded, 1e-6, 1 - 1e-6), TRUE: true}
    return Found(
        len(fitted),
        len(held_out),
        HELD_OUT[size][0],
        round(float(wrong.mean()), _DIGITS),
        curve,
        {name: _mean([measures(chances, wrong)]) for name, chances in fixed.items()},
        chosen,
        _changes(held_out, full, raw, wrong, seed),
        {"raw": _rounded(bins(raw, wrong)), CALIBRATED: _rounded(bins(full, wrong))},
    )


def _families(seed: int, kind: str, families: int, instances: int) -> tuple[Remembered, ...]:
    names = (f"{kind}{number:02d}" for number in range(families))
    return tuple(claim for name in names for claim in family(seed, name, instances))


def _share_of(claims: Sequence[Remembered], share: float, seed: str) -> Sequence[Remembered]:
    """Return the claims of a share of the instances of each family, drawn whole; at least two."""
    if share == 1:
        return claims
    random = Random(f"share/{share}/{seed}")
    instances: dict[str, list[int]] = {}
    for claim in claims:
        known = instances.setdefault(claim.family, [])
        if claim.instance not in known:
            known.append(claim.instance)
    kept = {
        name: set(random.sample(known, max(2, round(share * len(known)))))
        for name, known in instances.items()
    }
    return [claim for claim in claims if claim.instance in kept[claim.family]]


def _mean(found: Sequence[Measures]) -> Measures:
    return Measures(*(round(fmean(values), _DIGITS) for values in zip(*found, strict=True)))


def _rounded(found: Sequence[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [(round(a, _DIGITS), round(b, _DIGITS), round(c, _DIGITS)) for a, b, c in found]


def _changes(
    claims: Sequence[Remembered],
    calibrated: npt.NDArray[np.float64],
    raw: npt.NDArray[np.float64],
    wrong: npt.NDArray[np.bool_],
    seed: int,
) -> Mapping[str, Change]:
    families = np.array([claim.family for claim in claims])
    pairs = [
        (measures(calibrated[inside], wrong[inside]), measures(raw[inside], wrong[inside]))
        for name in sorted(set(families))
        for inside in [families == name]
    ]
    differences = {
        name: [getattr(one, name) - getattr(other, name) for one, other in pairs]
        for name in Measures._fields
    }
    adjusted = holm([sign_flip(each, seed) for each in differences.values()])
    return {
        name: _change(each, p, seed)
        for (name, each), p in zip(differences.items(), adjusted, strict=True)
    }


def _change(differences: Sequence[float], p: float, seed: int) -> Change:
    low, high = bootstrap_interval(differences, seed)
    mean, low, high, p = (round(each, _DIGITS) for each in (fmean(differences), low, high, p))
    return Change(mean, low, high, p, sum(difference < 0 for difference in differences))


def failures(result: Found) -> Sequence[str]:
    """Return where calibration does not lower a measure against raw confidence.

    At every share of the data on average, and with all data by an interval over families below 0.
    Raw confidence is clipped as what is calibrated is, which only helps it.
    """
    said = []
    for share, found in result.curve.items():
        for name in Measures._fields:
            ours, raw = getattr(found[CALIBRATED], name), getattr(result.fixed[RAW], name)
            if not ours < raw:
                said.append(f"{name} at {share:.0%} of the data is {ours}, raw {raw}")
    for name, change in result.changes.items():
        if not change.high < 0:
            said.append(f"the interval of {name} less raw reaches {change.high}")
    return said


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    why = (
        "claims are generated, with known truth, in families of this project's own; the paper's"
        " are ToolSandbox claims whose features are not available. The pipeline is the paper's as"
        " far as its text says it."
    )
    return (
        Shown(efficiency_tables.by_share(result), Setting.LIKE, f"{why} {_RAW}"),
        Shown(
            efficiency_tables.by_family(result),
            Setting.NOT_COMPARABLE,
            "the paper gives no test by family. Families are the unit, claims are simulated, p is"
            " of the sign-flip test and adjusted by Holm.",
        ),
        Shown(
            efficiency_tables.by_choice(result),
            Setting.NOT_COMPARABLE,
            "the paper does not say which calibrator was chosen.",
        ),
    )


_RAW: Final = (
    "*True chance* is what the claims were drawn with; nothing has a lower Brier score or NLL in"
    " expectation. Shares below all are drawn five times. The paper's raw figures agree with a"
    " confidence of 1 in every claim, cut at 1 - 10^-6, where 31.9 % are wrong; here raw confidence"
    " is below 1 and clipped as the calibrated is, which is harder to beat."
)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw the three measures by share of the data, and the reliability."""
    from .efficiency_pictures import draw  # drawing is slow to import and not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
