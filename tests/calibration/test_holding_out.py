"""Calibration of one's own claims on held-out families: better than raw, and honestly so."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from licet import InvalidInput
from licet_bindings.calibration import holding_out
from licet_bindings.calibration.claims import KnownClaim
from licet_bindings.calibration.evaluating import Compared, evaluate, evaluated
from licet_bindings.calibration.fitting import Examples, Fit, fit
from licet_bindings.calibration.holding_out import (
    examples_of,
    fit_claims,
    held_out_chances,
    naming_the_family,
)
from licet_bindings.calibration.measures import measures
from tests.calibration.generated import known, lines, names

CLAIMS = known(lines(names("family", 6), 20))
FITTED = fit_claims(CLAIMS)


def test_it_lowers_all_three_on_families_held_out_of_the_fit() -> None:
    raw, calibrated = FITTED.evaluation.compared
    assert FITTED.evaluation.findings == ()
    assert all(ours < theirs for ours, theirs in zip(calibrated, raw, strict=True))
    assert FITTED.document.fitted.raw == raw
    assert FITTED.document.fitted.calibrated == calibrated


@pytest.mark.parametrize("seed", range(5))
def test_it_lowers_all_three_on_families_of_another_file(seed: int) -> None:
    new = known(lines(names("new", 6), 30, seed))
    evaluation = evaluate(FITTED.document, new)
    assert evaluation.findings == ()
    assert evaluation.left_out == 0
    assert list(evaluation.families) == names("new", 6)


def test_a_calibration_that_does_not_help_is_found_out() -> None:
    # The planted failure: what is wrong has nothing to do with any feature, and raw confidence
    # states how often it is.
    random = Random(7)
    planted = [
        KnownClaim(claim.family, {**claim.features, "confidence": 0.7}, random.random() < 0.3)
        for claim in CLAIMS
    ]
    evaluation = fit_claims(planted).evaluation
    assert any(finding.startswith("NLL is ") for finding in evaluation.findings)
    assert evaluation.compared.calibrated.likelihood > evaluation.compared.raw.likelihood


def is_held_out() -> bool:
    """Whether what is said of each family is what a pipeline says that was fitted without it."""
    examples = examples_of(CLAIMS)
    said = held_out_chances(examples, CLAIMS)
    for family in examples.names():
        model = fit(examples.only(examples.families != family)).calibration
        for claim, chance in zip(CLAIMS, said, strict=True):
            if claim.family == family and model.predict(claim.features) != chance:
                return False
    return True


def test_no_claim_of_a_family_has_a_part_in_what_is_said_of_it() -> None:
    assert is_held_out()


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(examples: Examples, held_out: object) -> Fit:
        return fit(examples)

    monkeypatch.setattr(holding_out, "_without", leaky)
    assert not is_held_out()


def test_base_curve_and_choice_are_all_made_without_the_family(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[set[str]] = []
    everything = set(names("family", 6))

    def spy(examples: Examples) -> Fit:
        left.append(everything - set(examples.names()))
        return fit(examples)

    monkeypatch.setattr(holding_out, "fit", spy)
    fit_claims(CLAIMS)
    assert left[0] == set()
    assert sorted(left[1:], key=sorted) == [{name} for name in sorted(everything)]


def test_of_many_families_several_go_together_and_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    examples = examples_of(known(lines(names("family", 23), 3)))
    folds = list(holding_out._folds(examples))
    assert len(folds) == holding_out.FOLDS
    assert np.array(folds).sum(axis=0).tolist() == [1] * len(examples.rows)
    apart = [set(examples.families[fold]) for fold in folds]
    assert sum(map(len, apart)) == 23


def test_its_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    fit_claims(CLAIMS, watch=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_it_is_the_same_again() -> None:
    again = fit_claims(CLAIMS)
    assert again.document == FITTED.document
    assert again.document.sha256 == FITTED.document.sha256


def test_claims_of_families_that_were_fitted_are_no_evidence() -> None:
    new = known(lines(["new"], 20))
    assert evaluate(FITTED.document, [*CLAIMS[:30], *new]).left_out == 30
    both = evaluate(FITTED.document, [*CLAIMS[:30], *new])
    assert both.compared == evaluate(FITTED.document, new).compared
    with pytest.raises(InvalidInput, match="it was fitted on all of theirs"):
        evaluate(FITTED.document, CLAIMS)


def test_raw_confidence_is_clipped_as_what_is_calibrated_is() -> None:
    sure = KnownClaim("one", {"confidence": 1.0}, False)
    assert evaluated([sure], [0.01]).compared == Compared(
        measures([0.01], [False]), measures([0.01], [False])
    )


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ([], "expected at least one, found none"),
        ([claim for claim in CLAIMS if claim.family == "family-1"],
         "expected claims of at least 4 families, found 1 (family-1)"),
        ([claim for claim in CLAIMS if claim.family < "family-4"],
         "expected claims of at least 4 families, found 3"),
        ([KnownClaim(c.family, c.features, True) for c in CLAIMS], "that are not, found none"),
        ([KnownClaim(c.family, c.features, False) for c in CLAIMS], "that are wrong, found none"),
        ([KnownClaim(c.family, c.features, c.wrong and c.family < "family-3") for c in CLAIMS],
         "without family-2: expected claims that are wrong and claims that are not, each in at"
         " least two families; of those that are wrong, found them in family-1 alone"),
    ],
)  # fmt: skip
def test_claims_that_say_too_little_are_refused(claims: Sequence[KnownClaim], message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        fit_claims(claims)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_feature_that_names_the_family_is_noticed() -> None:
    assert naming_the_family(CLAIMS) == ()
    telling = [
        KnownClaim(c.family, {**c.features, "attribute": f"of {c.family}"}, c.wrong) for c in CLAIMS
    ]
    assert naming_the_family(telling) == ("attribute",)
