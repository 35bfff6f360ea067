"""A calibration of one's own claims, and how good its pipeline is on families held out of it all.

The pipeline itself holds families out to fit and to choose its calibrator, so its own figures have
seen every family. Here each family is left out of the whole pipeline once: the base, the curve and
the choice are made without it. This module needs the extra `calibrate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import GroupKFold

from licet import InvalidInput
from licet_bindings.calibration.claims import KnownClaim
from licet_bindings.calibration.documents import CalibrationDocument
from licet_bindings.calibration.evaluating import Evaluation, evaluated
from licet_bindings.calibration.features import kind_of_value
from licet_bindings.calibration.fitting import Examples, Fit, fit
from licet_bindings.calibration.model import Fitted

FOLDS: Final = 10
"""How often families are left out, at most; with more families several go together."""

LEAST_FAMILIES: Final = 4
"""Families at least: without one of them the pipeline still needs three."""


@dataclass(frozen=True, slots=True)
class HeldOutFit:
    """A calibration and its evaluation on held-out families."""

    document: CalibrationDocument
    evaluation: Evaluation


def fit_claims(
    claims: Sequence[KnownClaim],
    name: str = "calibration",
    watch: Callable[[int, int], None] | None = None,
) -> HeldOutFit:
    """Fit a calibration on claims, and evaluate its pipeline on families that it has not seen.

    Args:
        claims: of at least four families. However the families are left out, of the others at
            least two have a claim that is wrong, and at least two one that is not.
        name: what messages call the calibration.
        watch: is told after each fit how many are done, of how many.

    Raises:
        InvalidInput: there are fewer, or a fit does not converge.
    """
    examples = examples_of(claims)
    names = examples.names()
    if len(names) < LEAST_FAMILIES:
        found = f"found {len(names)}" + (f" ({names[0]})" if len(names) == 1 else "")
        raise InvalidInput(
            "claims", f"expected claims of at least {LEAST_FAMILIES} families, {found}"
        )
    whole = fit(examples)
    chances = held_out_chances(examples, claims, watch)
    evaluation = evaluated(claims, chances)
    fitted = Fitted(
        len(claims), evaluation.wrong, tuple(names), whole.criteria, *evaluation.compared
    )
    calibration = whole.calibration.within(claim.features for claim in claims)
    return HeldOutFit(CalibrationDocument(name, calibration, fitted), evaluation)


def naming_the_family(claims: Sequence[KnownClaim]) -> tuple[str, ...]:
    """Return the features whose words each occur in one family alone, so that they are its name.

    What is learned of such a word says nothing of another family, nor does a name of an entity.
    """
    words: dict[str, dict[str, set[str]]] = {}
    for claim in claims:
        for name, value in claim.features.items():
            if isinstance(value, str):
                words.setdefault(name, {}).setdefault(value, set()).add(claim.family)
    return tuple(
        name
        for name, families in words.items()
        if len(families) > 1 and all(len(found) == 1 for found in families.values())
    )


def held_out_chances(
    examples: Examples,
    claims: Sequence[KnownClaim],
    watch: Callable[[int, int], None] | None = None,
) -> list[float]:
    """Return for each claim what a pipeline says that no claim of its family had a part in.

    Raises:
        InvalidInput: without some families there are too few to fit on.
    """
    chances = [0.0] * len(claims)
    folds = list(_folds(examples))
    for done, held_out in enumerate(folds, start=1):
        calibration = _without(examples, held_out).calibration
        for place in np.flatnonzero(held_out).tolist():
            chances[place] = calibration.predict(claims[place].features)
        if watch is not None:
            watch(done, len(folds))
    return chances


def _folds(examples: Examples) -> Iterator[npt.NDArray[np.bool_]]:
    folds = min(FOLDS, len(examples.names()))
    for _, places in GroupKFold(folds).split(examples.rows, groups=examples.families):
        held_out = np.zeros(len(examples.rows), dtype=bool)
        held_out[places] = True
        yield held_out


def _without(examples: Examples, held_out: npt.NDArray[np.bool_]) -> Fit:
    try:
        return fit(examples.only(~held_out))
    except InvalidInput as fault:
        left = ", ".join(examples.only(held_out).names())
        raise InvalidInput(fault.place, f"without {left}: {fault.problem}") from None


def examples_of(claims: Sequence[KnownClaim]) -> Examples:
    """Return claims as a table; all of them have the features of the first.

    Raises:
        InvalidInput: there are none.
    """
    if not claims:
        raise InvalidInput("claims", "expected at least one, found none")
    columns = {name: kind_of_value(value) for name, value in claims[0].features.items()}
    return Examples.of(
        columns,
        [[claim.features[name] for name in columns] for claim in claims],
        [claim.family for claim in claims],
        [claim.wrong for claim in claims],
    )
