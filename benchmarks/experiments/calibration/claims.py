"""Generated memory claims in families, each with the chance with which it is wrong, and the truth.

The features are those of the AMV paper's appendix B.2, without the legacy field that it says to be
equal to the age. The paper's claims are not available, so how a claim comes to be wrong is this
project's own. A claim is wrong when it was written with a chance that its source sets, and goes
stale at a rate that its attribute sets, much slower after a refresh; then each conflict multiplies
the odds by 3 and each support halves them. A family makes all rates of its claims higher or lower
by a factor of its own, is older or younger, and has its own mix of attributes, so a held-out family
is not like those that were seen. Raw confidence is what was thought when the claim was written: it
knows the source, and nothing of age or conflicts.
"""

import math
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple


class Features(NamedTuple):
    """What is known of a claim without looking at the world.

    Attributes:
        age: steps since it was written.
        trust: in its source, 0 to 1.
        supports: entries that say the same.
        conflicts: entries that say otherwise.
        provenance: whether an observation is recorded that it came from.
        downstream: how many premises rest on it.
        doubt: 1 less the raw confidence.
        refreshed: whether the value was read anew in the present run.
        attribute: what it is about.
        source: where it came from.
        dependency: how the action rests on it.
        action: the kind of action.
        layer: what proposed the premise.
    """

    age: float
    trust: float
    supports: int
    conflicts: int
    provenance: bool
    downstream: int
    doubt: float
    refreshed: bool
    attribute: str
    source: str
    dependency: str
    action: str
    layer: str


class Remembered(NamedTuple):
    """A claim with its truth.

    Attributes:
        family: the scenario family; never a feature.
        instance: the instance in it; its claims are drawn on or left out together.
        features: what a calibrator sees.
        wrong: whether the claim is wrong.
        chance: the probability with which that was drawn.
    """

    family: str
    instance: int
    features: Features
    wrong: bool
    chance: float


SOURCES: Final = {"user": (0.03, 0.9), "tool": (0.02, 0.95), "inferred": (0.2, 0.6)}
"""For each source the chance of being wrong when written, and the trust in it."""

RATES: Final = {"setting": 0.02, "contact": 0.006, "preference": 0.003, "schedule": 0.012}
"""How fast a claim about each attribute goes stale, for each step."""

_ACTIONS: Final = ("messaging", "settings", "booking")
_DEPENDENCIES: Final = ("direct", "transitive", "joint")
_LAYERS: Final = ("rules", "proposed", "both")


def family(seed: int, name: str, instances: int) -> tuple[Remembered, ...]:
    """Return the claims of one family; the same seed and name give the same claims."""
    random = Random(f"claims/{seed}/{name}")
    factor = math.exp(random.gauss(0, 0.35))
    age = random.uniform(20, 60)
    mix = [random.uniform(0.3, 1) for _ in RATES]
    return tuple(
        _claim(random, name, instance, factor, age, mix)
        for instance in range(instances)
        for _ in range(random.randint(2, 4))
    )


def _claim(
    random: Random, name: str, instance: int, factor: float, age: float, mix: Sequence[float]
) -> Remembered:
    attribute = random.choices(tuple(RATES), mix)[0]
    source = random.choice(tuple(SOURCES))
    written_wrong, trust = SOURCES[source]
    # Confidence in what was written, a little off, and blind to all that came after.
    confidence = min(0.999, max(0.5, 1 - written_wrong / 2 + random.gauss(0, 0.03)))
    features = Features(
        age=round(random.expovariate(1 / age), 2),
        trust=round(min(1, max(0, random.gauss(trust, 0.08))), 3),
        supports=random.choice((0, 0, 1, 2)),
        conflicts=random.choice((0, 0, 0, 1, 2)),
        provenance=random.random() < (0.9 if source == "tool" else 0.4),
        downstream=random.randint(1, 3),
        doubt=round(1 - confidence, 4),
        refreshed=random.random() < 0.15,
        attribute=attribute,
        source=source,
        dependency=random.choice(_DEPENDENCIES),
        action=random.choice(_ACTIONS),
        layer=random.choice(_LAYERS),
    )
    chance = _chance(features, factor)
    return Remembered(name, instance, features, random.random() < chance, chance)


def _chance(features: Features, factor: float) -> float:
    """Return the probability that a claim is wrong."""
    rate = RATES[features.attribute] * factor * (0.1 if features.refreshed else 1)
    written_wrong = min(0.9, SOURCES[features.source][0] * factor)
    stale = 1 - (1 - written_wrong) * math.exp(-rate * features.age)
    odds = stale / (1 - stale) * 3.0**features.conflicts / 2.0**features.supports
    return float(odds / (1 + odds))
