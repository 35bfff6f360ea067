"""Errors filled in: into claims and candidates, with all else kept as it was."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import DecisionKind, Gate
from licet_bindings.calibration.applying import document_text, fill_candidate, fill_claims
from licet_bindings.calibration.claims import claim_of
from licet_bindings.calibration.documents import read_calibration
from licet_bindings.errors import DocumentError
from licet_bindings.gate.documents import read_candidate
from licet_bindings.syntax import Syntax, read_program_text
from tests.calibration.generated import EXAMPLES, held_out_lines

CALIBRATION = read_calibration(EXAMPLES / "calibration.json")


def candidate() -> dict[str, Any]:
    return json.loads((EXAMPLES / "candidate.json").read_text())  # type: ignore[no-any-return]


def tree(content: dict[str, Any]) -> object:
    return read_program_text(json.dumps(content), Syntax.JSON)


def test_each_claim_gets_its_own_error_to_six_places() -> None:
    content = held_out_lines()[:20]
    claims = [claim_of(each, f"line {n}") for n, each in enumerate(content)]
    filled, written = fill_claims(CALIBRATION, claims)
    for claim, found, line, before in zip(claims, filled, written, content, strict=True):
        chance = CALIBRATION.calibration.predict(claim.features)
        assert found.error == round(chance, 6)
        assert 0.01 <= found.error <= 0.99
        assert json.loads(line) == {**before, "error": found.error}


def test_what_was_filled_in_can_be_filled_in_again() -> None:
    content = held_out_lines()[:3]
    claims = [claim_of(each, "line") for each in content]
    _, written = fill_claims(CALIBRATION, claims)
    again = fill_claims(CALIBRATION, [claim_of(json.loads(line), "line") for line in written])
    assert again[1] == written


def test_a_candidate_gets_its_errors_and_nothing_else_changes(tmp_path: Path) -> None:
    content = candidate()
    filled = fill_candidate(CALIBRATION, tree(content), "c.json")
    written = json.loads(document_text(filled.tree))
    errors = {name: written["claims"][name].pop("error") for name in written["claims"]}
    assert written == content
    for name, error in errors.items():
        features = content["claims"][name]["features"]
        assert error == pytest.approx(CALIBRATION.calibration.predict(features), abs=1e-6)
    path = tmp_path / "filled.json"
    path.write_text(document_text(filled.tree))
    assert read_candidate(path).candidate == filled.document.candidate
    assert Gate(filled.document.candidate, budget=4).decide().kind is DecisionKind.VERIFY


def test_a_claim_without_features_keeps_the_error_that_it_states() -> None:
    content = candidate()
    content["claims"]["stock"] = {"error": 0.05}
    filled = fill_candidate(CALIBRATION, tree(content), "c.json")
    assert [each.claim for each in filled.filled] == ["address"]
    assert filled.kept == ["stock"]
    assert json.loads(document_text(filled.tree))["claims"]["stock"] == {"error": 0.05}


def test_an_error_that_is_out_of_date_is_replaced() -> None:
    content = candidate()
    expected = fill_candidate(CALIBRATION, tree(content), "c.json").filled
    content["claims"]["address"]["error"] = 0.5
    assert fill_candidate(CALIBRATION, tree(content), "c.json").filled == expected


def test_a_word_that_was_never_seen_is_named() -> None:
    content = candidate()
    content["claims"]["address"]["features"]["source"] = "a rumour"
    filled = fill_candidate(CALIBRATION, tree(content), "c.json")
    assert [each.unseen for each in filled.filled] == [("source",), ()]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["claims"]["address"]["features"].pop("age"),
         "c.json: claims.address.features.age: expected this key, found none"),
        (lambda c: c["claims"]["address"]["features"].pop("attribute"),
         "c.json: claims.address.features.attribute: expected this feature, found none"),
        (lambda c: c["claims"]["address"]["features"].update(attribute=3),
         "c.json: claims.address.features.attribute: expected text, found 3.0"),
        (lambda c: c["claims"]["address"].update(features=None),
         "c.json: claims.address.features: expected an object, found null"),
        (lambda c: c["claims"]["stock"].pop("features"),
         "c.json: claims.stock.error: expected this key, found none"),
        (lambda c: c.update(claims={"address": {"error": 0.1}, "stock": {"error": 0.1}}),
         "c.json: claims: expected features in at least one claim, found none"),
        (lambda c: c.update(claims=[]), "c.json: claims: expected an object"),
        (lambda c: c.pop("loss"), "c.json: loss: expected this key, found none"),
        (lambda c: c["claims"]["address"].update(eror=1), "c.json: claims.address.eror: unknown"),
    ],
)  # fmt: skip
def test_a_candidate_that_cannot_be_filled_in_is_refused(change: Any, message: str) -> None:  # noqa: ANN401
    content = candidate()
    change(content)
    with pytest.raises(DocumentError) as refused:
        fill_candidate(CALIBRATION, tree(content), "c.json")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_gate_refuses_a_candidate_that_was_not_filled_in() -> None:
    with pytest.raises(
        DocumentError, match=r"claims\.address\.error: expected this key, found none"
    ):
        read_candidate(EXAMPLES / "candidate.json")


TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('abc"\\é'), inner),
    max_leaves=10,
)


@given(TREES)
def test_numbers_are_written_as_they_were_read(content: object) -> None:
    back = json.loads(document_text(content), parse_float=Decimal)
    assert back == content
    assert repr(back) == repr(content) or "Decimal" in repr(content)
