"""The pipeline: families held out in it really are, and what cannot be fitted is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import pytest
from sklearn.model_selection import KFold

from licet import InvalidInput
from licet_bindings.calibration import fitting
from licet_bindings.calibration.curves import Curve, Platt
from licet_bindings.calibration.features import FeatureKind
from licet_bindings.calibration.fitting import (
    Chances,
    Criteria,
    Examples,
    Truths,
    best,
    criteria_of,
    extracted,
    fit,
    held_out_scores,
    unfitted_base,
)
from licet_bindings.calibration.holding_out import examples_of
from licet_bindings.calibration.measures import negative_log_likelihood
from tests.calibration.generated import known, lines, names

CLAIMS = known(lines(names("family", 4), 30))
EXAMPLES = examples_of(CLAIMS)


def named_after_families() -> Examples:
    """Claims that are wrong by family alone, and a word that gives the family away."""
    families = [f"family-{number}" for number in range(8) for _ in range(20)]
    wrong = [name in ("family-0", "family-3", "family-5", "family-6") for name in families]
    rows = [[float(place % 7), name] for place, name in enumerate(families)]
    columns = {"age": FeatureKind.NUMBER, "entity": FeatureKind.CATEGORY}
    return Examples.of(columns, rows, families, wrong)


def scores_know_nothing_of_their_family() -> bool:
    examples = named_after_families()
    scores = held_out_scores(examples)
    return negative_log_likelihood(scores.tolist(), examples.wrong.tolist()) > 0.65


def test_a_family_is_not_known_to_the_base_that_scores_it() -> None:
    assert scores_know_nothing_of_their_family()


class OneByOne(KFold):
    """Holds out claims whatever their family: the leak."""

    def __init__(self) -> None:
        super().__init__(10, shuffle=True, random_state=7)

    def split(self, rows: object, wrong: object = None, groups: object = None) -> object:
        return super().split(rows, wrong)


def test_a_base_that_has_seen_the_family_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "LeaveOneGroupOut", OneByOne)
    assert not scores_know_nothing_of_their_family()


def test_the_calibrator_is_fitted_on_what_the_base_says_of_families_that_it_has_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unseen = np.empty(len(CLAIMS))
    for name in EXAMPLES.names():
        out = EXAMPLES.families == name
        model = unfitted_base(EXAMPLES.columns).fit(EXAMPLES.rows[~out], EXAMPLES.wrong[~out])
        unseen[out] = model.predict_proba(EXAMPLES.rows[out])[:, 1]
    given: list[Chances] = []

    def spy(scores: Chances, wrong: Truths) -> Curve:
        given.append(scores)
        return Platt(1, 0)

    monkeypatch.setattr(fitting, "CALIBRATORS", {"platt": spy})
    fit(EXAMPLES)
    assert given[0] == pytest.approx(unseen)


def test_calibrators_are_judged_on_families_that_they_were_not_fitted_on() -> None:
    scores = np.linspace(0.1, 0.9, 12)
    families = np.array(["one", "two", "three"] * 4)
    judged: list[float] = []

    def spy(fitted: Chances, wrong: Truths) -> Curve:
        def curve(held_out: float) -> float:
            assert held_out not in set(fitted)
            assert len(fitted) == len(wrong) == 8
            judged.append(held_out)
            return held_out

        return cast(Curve, curve)

    criteria_of(spy, scores, scores > 0.5, families)
    assert sorted(judged) == list(scores)


def test_the_calibrator_of_the_best_ranks_is_chosen() -> None:
    one, two, three = Criteria(1, 1, 3), Criteria(2, 2, 1), Criteria(3, 3, 2)
    assert best({"one": one, "two": two, "three": three}) == "one"
    # Sums of ranks are equal: the worst family decides.
    assert best({"two": Criteria(2, 1, 1), "one": Criteria(1, 2, 1)}) == "one"


def test_a_calibrator_that_falls_is_never_chosen() -> None:
    # Whoever is old is right in most families, and wrong in the others: what is learned of the
    # others is the opposite of what is so, and the curves that may fall do.
    random = np.random.default_rng(7)
    rows, families, wrong = [], [], []
    for number in range(6):
        for _ in range(40):
            age = float(random.uniform(0, 10))
            rows.append([age])
            families.append(f"family-{number}")
            wrong.append(bool((age > 5) == (number % 2 == 0)))
    examples = Examples.of({"age": FeatureKind.NUMBER}, rows, families, wrong)
    scores = held_out_scores(examples)
    assert not fitting.platt(scores, examples.wrong).rises
    assert not fitting.beta(scores, examples.wrong).rises
    found = fit(examples)
    assert found.calibration.curve.rises
    assert list(found.criteria) == ["isotonic"]


def test_the_base_in_plain_python_says_what_scikit_learn_says() -> None:
    model = unfitted_base(EXAMPLES.columns).fit(EXAMPLES.rows, EXAMPLES.wrong)
    base = extracted(model, EXAMPLES.columns)
    theirs = np.clip(model.predict_proba(EXAMPLES.rows)[:, 1], 0.01, 0.99)
    assert [base(claim.features) for claim in CLAIMS] == pytest.approx(theirs, abs=1e-12)


def test_it_is_the_same_again_and_in_whatever_way_families_are_called() -> None:
    again = fit(examples_of(CLAIMS))
    assert fit(EXAMPLES) == again
    renamed = Examples(
        EXAMPLES.columns,
        EXAMPLES.rows,
        np.array([name[::-1] for name in EXAMPLES.families]),
        EXAMPLES.wrong,
    )
    assert fit(renamed).calibration == again.calibration


Alter = Callable[[Sequence[str], Sequence[bool]], tuple[Sequence[str], Sequence[bool]]]


@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (
            lambda families, wrong: (["only"] * len(families), wrong),
            "claims: expected claims of at least three families, found 1 (only)",
        ),
        (
            lambda families, wrong: (families, [True] * len(wrong)),
            "of those that are not, found none",
        ),
        (
            lambda families, wrong: (families, [False] * len(wrong)),
            "of those that are wrong, found none",
        ),
        (
            lambda families, wrong: (families, [name == "family-2" for name in families]),
            "of those that are wrong, found them in family-2 alone",
        ),
    ],
)
def test_what_cannot_be_fitted_is_refused(alter: Alter, message: str) -> None:
    families, wrong = alter(EXAMPLES.families.tolist(), EXAMPLES.wrong.tolist())
    examples = Examples.of(EXAMPLES.columns, EXAMPLES.rows.tolist(), families, wrong)
    with pytest.raises(InvalidInput) as refused:
        fit(examples)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
