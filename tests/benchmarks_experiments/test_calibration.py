"""Calibration: generated claims, the pipeline, and what its part claims on held-out families."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmarks.experiments.calibration import efficiency
from benchmarks.experiments.calibration.claims import Features, Remembered, family
from benchmarks.experiments.calibration.pipeline import COLUMNS, Chances, fit
from benchmarks.experiments.files import write
from benchmarks.experiments.part import Size
from licet_bindings.calibration.fitting import CALIBRATORS
from licet_bindings.calibration.measures import CLIP, measures

CLAIMS = tuple(claim for number in range(4) for claim in family(7, f"family{number}", 30))


def test_families_are_the_same_again_and_unlike_each_other() -> None:
    assert family(7, "one", 20) == family(7, "one", 20)
    assert family(7, "one", 20) != family(8, "one", 20)
    shares = [np.mean([c.wrong for c in family(7, f"f{n}", 60)]) for n in range(8)]
    assert max(shares) - min(shares) > 0.1


def test_claims_are_wrong_as_often_as_their_chance_says() -> None:
    claims = [claim for number in range(20) for claim in family(3, f"f{number}", 60)]
    chances = np.array([claim.chance for claim in claims])
    wrong = np.array([claim.wrong for claim in claims])
    assert measures(chances, wrong).calibration_error < 0.03


def test_names_of_families_and_truth_are_no_features() -> None:
    used = set(COLUMNS)
    assert list(COLUMNS) == list(Features._fields)
    assert not used & {"family", "instance", "wrong", "chance"}
    renamed = [claim._replace(family=claim.family[::-1]) for claim in CLAIMS]
    features = [claim.features for claim in CLAIMS]
    assert np.array_equal(fit(CLAIMS).predict(features), fit(renamed).predict(features))


def test_predictions_are_within_the_clip_also_for_what_was_never_seen() -> None:
    strange = CLAIMS[0].features._replace(age=10_000.0, conflicts=9, attribute="never seen")
    model = fit(CLAIMS)
    assert model.chosen in model.criteria.keys() == CALIBRATORS.keys()
    for chance in model.predict([strange, strange._replace(age=0.0, conflicts=0)]):
        assert 0.01 <= chance <= 0.99


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(ValueError, match="at least three families, found 1"):
        fit(family(7, "one", 5))
    with pytest.raises(ValueError, match="that are wrong and claims that are not"):
        fit([claim._replace(wrong=False) for claim in CLAIMS])


def test_shares_of_data_keep_instances_whole_and_every_family() -> None:
    kept = efficiency._share_of(CLAIMS, 0.1, "7/0")
    assert {claim.family for claim in kept} == {claim.family for claim in CLAIMS}
    whole = {(claim.family, claim.instance) for claim in kept}
    assert len(whole) == 4 * 3
    assert [c for c in CLAIMS if (c.family, c.instance) in whole] == list(kept)


def test_calibration_lowers_all_three_on_held_out_families() -> None:
    found = efficiency.run(Size.QUICK, 7)
    assert efficiency.failures(found) == []
    assert all(change.lower == found.families for change in found.changes.values())
    # All six families are lower in all three: 2 of 2**6 patterns of signs, times three tests.
    assert all(change.p == pytest.approx(3 * 2 / 2**6) for change in found.changes.values())
    true = found.fixed[efficiency.TRUE]
    for of in found.curve.values():
        assert of[efficiency.CALIBRATED].likelihood > true.likelihood


@dataclass(frozen=True)
class Planted:
    """A model that predicts something of the raw doubt alone."""

    of: Callable[[Chances], Chances]
    chosen: str = "platt"

    def predict(self, features: Sequence[Features]) -> Chances:
        return np.clip(self.of(np.array([each.doubt for each in features])), *CLIP)

    uncalibrated = predict


@pytest.mark.parametrize("of", [lambda doubt: doubt, lambda doubt: 1 - doubt])
def test_a_pipeline_that_does_not_calibrate_is_noticed(
    of: Callable[[Chances], Chances], monkeypatch: pytest.MonkeyPatch
) -> None:
    def planted(claims: Sequence[Remembered]) -> Planted:
        return Planted(of)

    monkeypatch.setattr(efficiency, "fit", planted)
    said = efficiency.failures(efficiency.run(Size.QUICK, 7))
    assert any(re.match(r"likelihood at 100% of the data is .*, raw", text) for text in said)
    assert any("the interval of likelihood less raw reaches" in text for text in said)


def test_it_is_written_and_the_same_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(efficiency.FITTED, Size.QUICK, (4, 20))
    monkeypatch.setitem(efficiency.SEEDS, Size.QUICK, 1)
    for name in ("one", "other"):
        write(efficiency, efficiency.run(Size.QUICK, 7), Size.QUICK, 7, tmp_path / name)
    written = [{f.name: f.read_bytes() for f in (tmp_path / n).iterdir()} for n in ("one", "other")]
    assert written[0] == written[1]
    text = written[0]["calibration.md"].decode()
    for words in ("4.401", "like setting", "not comparable", "Calibrators chosen"):
        assert words in text
