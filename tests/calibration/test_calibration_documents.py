"""Calibrations as documents: what is saved is what is loaded, and what was changed is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.calibration.curves import Beta, Curve, Isotonic, Platt
from licet_bindings.calibration.documents import (
    CalibrationDocument,
    calibration_text,
    parse_calibration,
    read_calibration,
)
from licet_bindings.calibration.features import FeatureKind
from licet_bindings.calibration.holding_out import fit_claims
from licet_bindings.calibration.model import Base, Calibration, Scaled, Weighed
from licet_bindings.documents import read_document
from licet_bindings.errors import DocumentError
from licet_bindings.schema import calibration_schema
from tests.calibration.generated import EXAMPLES, known, lines, names
from tests.calibration.test_curves import CURVES

PUBLISHED = EXAMPLES.parents[1] / "docs" / "schema" / "calibration.schema.json"
CLAIMS = known(lines(names("family", 4), 15))
DOCUMENT = fit_claims(CLAIMS).document
FINITE = st.floats(allow_nan=False, allow_infinity=False)
ISOTONIC = Isotonic(((0.1, 0.2), (0.3, 0.2), (0.30000000000000004, 0.7)))


def content() -> dict[str, Any]:
    return json.loads(calibration_text(DOCUMENT))  # type: ignore[no-any-return]


def validator() -> jsonschema.protocols.Validator:
    schema = json.loads(PUBLISHED.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def with_curve(curve: Curve) -> CalibrationDocument:
    return replace(DOCUMENT, calibration=replace(DOCUMENT.calibration, curve=curve))


@pytest.mark.parametrize("curve", [Platt(0.1 + 0.2, -1e-17), Beta(1 / 3, 0.0, -0.0), ISOTONIC])
def test_what_is_saved_gives_the_same_probabilities_when_it_is_loaded(curve: Curve) -> None:
    saved = with_curve(curve)
    loaded = parse_calibration(calibration_text(saved))
    assert loaded == saved
    assert calibration_text(loaded) == calibration_text(saved)
    for claim in CLAIMS:
        ours = saved.calibration.predict(claim.features)
        assert loaded.calibration.predict(claim.features) == ours


@given(FINITE, FINITE, st.floats(1e-300, 1e300), FINITE, CURVES)
def test_every_number_is_kept_to_the_last_bit(
    intercept: float, mean: float, scale: float, weight: float, curve: Curve
) -> None:
    terms = {"a": Scaled(FeatureKind.NUMBER, mean, scale, weight), "b": Weighed({"w": weight})}
    saved = replace(DOCUMENT, calibration=Calibration(Base(intercept, terms), curve))
    assert parse_calibration(calibration_text(saved)) == saved


Change = Callable[[dict[str, Any]], object]


def put(*path: str | int, value: object) -> Change:
    def change(stated: dict[str, Any]) -> None:
        here: Any = stated
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return change


def drop(key: str) -> Change:
    return lambda stated: stated.pop(key)


PLATT = {"kind": "platt", "slope": 1, "intercept": 0}
FAULTS: list[tuple[Change, str]] = [
    (put("licet", value=2), "licet: expected 1, the version of the format"),
    (drop("base"), "base: expected this key, found none"),
    (drop("sha256"), "sha256: expected this key, found none"),
    (put("more", value=1), "more: unknown key"),
    (put("sha256", value="0" * 64), "sha256: expected "),
    (put("base", "intercept", value=0.5), "the digest of what it holds; it was changed"),
    (put("base", "intercept", value="x"), 'base.intercept: expected a number, found "x"'),
    (put("base", "features", "age", "scale", value=0),
     "base.features.age.scale: expected a number above 0, found 0"),
    (put("base", "features", "age", "kind", value="x"), "base.features.age"),
    (put("base", "features", "age", "weigth", value=1),
     "base.features.age.weigth: unknown key; did you mean weight?"),
    (put("base", "features", "source", "weights", value={}),
     "base.features.source.weights: expected at least 1, found 0"),
    (put("calibrator", value={"kind": "other"}), "calibrator"),
    (put("calibrator", value={**PLATT, "slope": -1}),
     "calibrator.slope: expected a number from 0 to inf, found -1"),
    (put("calibrator", value={**PLATT, "slop": 1}),
     "calibrator.slop: unknown key; did you mean slope?"),
    (put("calibrator", value={"kind": "isotonic", "points": []}),
     "calibrator.points: expected at least 1, found 0"),
    (put("calibrator", value={"kind": "isotonic", "points": [[0.1, 0.5], [0.2, 0.4]]}),
     "calibrator: expected a curve that rises"),
    (put("calibrator", value={"kind": "isotonic", "points": [[0.2, 0.4], [0.1, 0.5]]}),
     "calibrator.points.1: expected a score above the one before"),
    (put("calibrator", value={"kind": "isotonic", "points": [[0.2, 1]]}),
     "calibrator.points.0.1: expected a number from 0.01 to 0.99, found 1"),
    (put("criteria", "worst", value={}), "criteria.worst"),
    (put("held_out", "raw", "ece", value=2), "held_out.raw.ece: expected a number from 0 to 1"),
    (put("fitted", "claims", value=True), "fitted.claims: expected a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_what_is_no_calibration_is_refused(change: Change, message: str) -> None:
    stated = content()
    change(stated)
    with pytest.raises(DocumentError) as refused:
        parse_calibration(json.dumps(stated), "c.json")
    assert message in str(refused.value)
    assert str(refused.value).startswith("c.json: ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ['{"base": NaN}', '{"base": {"intercept": 1e999}}'])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="expected a"):
        parse_calibration(text)


def test_a_document_of_another_kind_is_named() -> None:
    with pytest.raises(DocumentError, match="this is a gate candidate, not a calibration"):
        read_calibration(EXAMPLES / "candidate.json")
    with pytest.raises(DocumentError, match="this is a calibration, not a review program"):
        read_document(EXAMPLES / "calibration.json")


def test_whitespace_key_order_and_schema_are_no_part_of_the_digest(tmp_path: Path) -> None:
    stated = {"$schema": "calibration.schema.json", **dict(reversed(content().items()))}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(stated))
    assert read_calibration(path).sha256 == DOCUMENT.sha256


def test_the_schema_is_current_and_of_one_mind_with_the_model() -> None:
    assert PUBLISHED.read_text() == calibration_schema()
    for curve in (Platt(1, 0), Beta(1, 1, 0), ISOTONIC):
        validator().validate(json.loads(calibration_text(with_curve(curve))))
    validator().validate(json.loads((EXAMPLES / "calibration.json").read_text()))
    refused = 0
    for change, _ in FAULTS:
        stated = content()
        change(stated)
        refused += not validator().is_valid(stated)
    # A digest, and a curve that rises, take more than the shape to see.
    assert refused == len(FAULTS) - 4


_PROBE = """
import sys
class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {'numpy', 'scipy', 'sklearn', 'betacal', 'matplotlib'}:
            raise ImportError(name)
sys.meta_path.insert(0, Refusing())
from licet_bindings.calibration.documents import read_calibration
calibration = read_calibration(sys.argv[1]).calibration
print(repr(calibration.predict({'age': 60.0, 'source': 'user', 'supports': 0.0, 'conflicts': 1.0,
    'provenance': False, 'confidence': 0.97, 'attribute': 'contact', 'refreshed': False})))
"""


def test_a_saved_calibration_is_used_without_what_fitted_it() -> None:
    path = EXAMPLES / "calibration.json"
    run = subprocess.run(
        [sys.executable, "-c", _PROBE, str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    features = json.loads((EXAMPLES / "candidate.json").read_text())["claims"]["address"][
        "features"
    ]
    ours = read_calibration(path).calibration.predict(features)
    assert run.stdout.strip() == repr(ours)
