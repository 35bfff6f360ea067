"""Curves and the base: within bounds, rising, and the same as the libraries that fitted them."""

from __future__ import annotations

import numpy as np
import pytest
from betacal import BetaCalibration
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from licet import InvalidInput
from licet_bindings.calibration.curves import Beta, Curve, Isotonic, Platt, logistic
from licet_bindings.calibration.features import FeatureKind
from licet_bindings.calibration.fitting import CALIBRATORS
from licet_bindings.calibration.measures import CLIP, clipped, measures
from licet_bindings.calibration.model import Base, Calibration, Scaled, Weighed

REAL = st.floats(-1e6, 1e6)
SLOPE = st.floats(0, 1e6)
POINTS = st.dictionaries(st.floats(0, 1), st.floats(*CLIP), min_size=1, max_size=8)


def rising_points(points: dict[float, float]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(sorted(points), sorted(points.values()), strict=True))


CURVES: st.SearchStrategy[Curve] = st.one_of(
    st.builds(Platt, SLOPE, REAL),
    st.builds(Beta, SLOPE, SLOPE, REAL),
    POINTS.map(rising_points).map(Isotonic),
)


def calibration(curve: Curve) -> Calibration:
    """A calibration whose base is the log-odds that the one feature gives."""
    return Calibration(Base(0.0, {"odds": Scaled(FeatureKind.NUMBER, 0.0, 1.0, 1.0)}), curve)


@given(CURVES, st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_probabilities_are_bounded_and_never_fall(curve: Curve, one: float, other: float) -> None:
    model = calibration(curve)
    low, high = (model.predict({"odds": odds}) for odds in sorted((one, other)))
    assert CLIP[0] <= low <= CLIP[1]
    assert CLIP[0] <= high <= CLIP[1]
    assert low <= high + 1e-12


@pytest.mark.parametrize("name", CALIBRATORS)
def test_a_calibrator_mends_a_known_distortion_and_keeps_the_order(name: str) -> None:
    random = np.random.default_rng(7)
    true = random.uniform(0.05, 0.95, 4_000)
    wrong = random.random(4_000) < true
    distorted = true**3  # too confident that nothing is wrong
    curve = CALIBRATORS[name](distorted, wrong)
    mended = measures([clipped(curve(score)) for score in distorted], wrong.tolist())
    before = measures(distorted.tolist(), wrong.tolist())
    assert mended.likelihood < before.likelihood - 0.1
    assert mended.calibration_error < 0.05 < before.calibration_error
    rising = [curve(score) for score in np.linspace(0, 1, 101)]
    assert curve.rises
    assert np.all(np.diff(rising) >= 0)


def test_curves_say_what_the_libraries_say_that_fitted_them() -> None:
    random = np.random.default_rng(11)
    scores = random.uniform(0, 1, 300)
    wrong = random.random(300) < scores**2
    within = np.clip(scores, *CLIP)
    odds = np.log(within / (1 - within)).reshape(-1, 1)
    isotonic = IsotonicRegression(y_min=CLIP[0], y_max=CLIP[1], out_of_bounds="clip")
    # The library turns off all warnings of the process; pytest undoes it after the test.
    expected = {
        "platt": LogisticRegression(C=1e10).fit(odds, wrong).predict_proba(odds)[:, 1],
        "beta": BetaCalibration("abm").fit(within, wrong).predict(within),
        "isotonic": isotonic.fit(scores, wrong.astype(float)).predict(scores),
    }
    for name, theirs in expected.items():
        curve = CALIBRATORS[name](scores, wrong)
        assert [curve(score) for score in scores] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("curve", [Platt(-0.1, 0), Beta(-0.1, 1, 0), Beta(1, -0.1, 0),
                                   Isotonic(((0.2, 0.5), (0.4, 0.4)))])  # fmt: skip
def test_a_curve_that_falls_is_refused(curve: Curve) -> None:
    assert not curve.rises
    with pytest.raises(InvalidInput, match="calibrator: expected a curve that rises"):
        calibration(curve)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ((), "expected at least one point"),
        (((0.2, 0.5), (0.2, 0.6)), r"points\.1: expected a score above"),
        (((0.2, 0.5), (0.4, 0.995)), r"points\.1: expected a probability from 0\.01 to 0\.99"),
    ],
)
def test_points_that_are_no_curve_are_refused(
    points: tuple[tuple[float, float], ...], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        Isotonic(points)


def test_the_base_adds_up_what_features_weigh() -> None:
    base = Base(
        0.5,
        {
            "age": Scaled(FeatureKind.NUMBER, 10.0, 4.0, 0.25),
            "provenance": Scaled(FeatureKind.TRUTH, 0.5, 0.5, -1.0),
            "source": Weighed({"user": -0.75, "tool": 0.5}),
        },
    )
    claim = {"age": 18.0, "provenance": True, "source": "user", "more": 3.0}
    assert base(claim) == logistic(0.5 + 0.5 - 1 - 0.75)
    assert base({**claim, "source": "never seen"}) == logistic(0.5 + 0.5 - 1)
    model = Calibration(base, Platt(1, 0))
    assert model.unseen(claim) == ()
    assert model.unseen({**claim, "source": "never seen"}) == ("source",)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, "features.age: expected this feature, found none"),
        ({"age": True}, "features.age: expected a number within 1e+12 of 0, found true"),
        ({"age": "3"}, 'features.age: expected a number within 1e+12 of 0, found "3"'),
        ({"age": float("nan")}, "features.age: expected a number within 1e+12 of 0, found NaN"),
        ({"age": float("inf")}, "features.age: expected a number within 1e+12 of 0"),
        ({"age": 1.0, "source": 1.0}, "features.source: expected text, found 1.0"),
    ],
)
def test_features_that_are_not_those_that_were_fitted_are_refused(
    features: dict[str, float | bool | str], message: str
) -> None:
    terms = {"age": Scaled(FeatureKind.NUMBER, 0.0, 1.0, 1.0), "source": Weighed({"user": 0.0})}
    with pytest.raises(InvalidInput) as refused:
        Calibration(Base(0.0, terms), Platt(1, 0)).predict(features)
    assert message in str(refused.value)


def test_a_number_beyond_what_was_fitted_on_counts_as_its_edge() -> None:
    """Else a claim with many copies would be as good as certain."""
    terms = {
        "supports": Scaled(FeatureKind.NUMBER, 1.0, 1.0, -2.0),
        "provenance": Scaled(FeatureKind.TRUTH, 0.0, 1.0, 0.0),
    }
    plain = Calibration(Base(0.0, terms), Platt(1.0, 0.0))
    seen = [{"supports": count, "provenance": True} for count in (0, 1, 2)]
    fitted = plain.within(seen)
    features: list[dict[str, float | bool]] = [
        {"supports": count, "provenance": False} for count in (-1, 0, 2, 3, 10**9)
    ]
    least, low, high, more, most = (fitted.error(each) for each in features)
    assert (least, more, most) == (low, high, high)
    assert plain.error(features[4]) < high
    found = [fitted.outside(each) for each in features]
    assert found[0] == found[4] == ("supports", "provenance")
    assert found[1] == ("provenance",)


@pytest.mark.parametrize(
    ("intercept", "weights", "scale"),
    [(1.7e308, [1e308], 1.0), (0.0, [1e308, -1e308], 1e-300), (0.0, [0.0], 5e-324)],
)
def test_numbers_that_have_no_sum_are_refused(
    intercept: float, weights: list[float], scale: float
) -> None:
    terms = {f"f{n}": Scaled(FeatureKind.NUMBER, 0.0, scale, w) for n, w in enumerate(weights)}
    calibration = Calibration(Base(intercept, terms), Platt(1.0, 0.0))
    with pytest.raises(InvalidInput, match="have no sum"):
        calibration.error(dict.fromkeys(terms, 1e12))
