"""ECE, Brier score and NLL against a worked example, and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from licet_bindings.calibration.measures import Measures, bins, measures, not_lower

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50)


def test_measures_of_a_worked_example() -> None:
    found = measures([0.1, 0.15, 0.8, 0.9], [False, True, True, True])
    # Bins: 0.1 and 0.15 with half wrong, 0.8 and 0.9 alone with all wrong.
    assert found.calibration_error == pytest.approx(0.5 * 0.375 + 0.25 * 0.2 + 0.25 * 0.1)
    assert found.brier == pytest.approx((0.01 + 0.7225 + 0.04 + 0.01) / 4)
    assert found.likelihood == pytest.approx(-np.log([0.9, 0.15, 0.8, 0.9]).mean())


def test_certainty_that_is_right_costs_nothing_and_that_is_wrong_is_finite() -> None:
    assert measures([1.0], [True]) == pytest.approx((0, 0, 0))
    assert 30 < measures([1.0], [False]).likelihood < math.inf


@given(PAIRS)
def test_they_are_those_of_scikit_learn(pairs: list[tuple[float, bool]]) -> None:
    chances, wrong = [chance for chance, _ in pairs], [so for _, so in pairs]
    found = measures(chances, wrong)
    assert found.brier == pytest.approx(brier_score_loss(wrong, chances, pos_label=True))
    assert found.likelihood == pytest.approx(log_loss(wrong, chances, labels=[False, True]))


@given(PAIRS)
def test_every_claim_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    found = bins([chance for chance, _ in pairs], [so for _, so in pairs])
    assert sum(each.share for each in found) == pytest.approx(1)
    observed = sum(each.share * each.observed for each in found)
    assert observed == pytest.approx(sum(so for _, so in pairs) / len(pairs))


def test_what_is_equal_is_not_lower() -> None:
    same = Measures(0.1, 0.2, 0.3)
    assert len(list(not_lower(same, same))) == 3
    assert list(not_lower(Measures(0.09, 0.19, 0.31), same)) == [
        "NLL is 0.3100, that of raw confidence 0.3000"
    ]
    assert not list(not_lower(Measures(0.09, 0.19, 0.29), same))
