"""Claims in JSON Lines: what is taken, and what is refused in one line that names the place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from licet_bindings.calibration import claims as claims_module
from licet_bindings.calibration.claims import claim_of, known_claims, read_claims
from licet_bindings.errors import DocumentError
from licet_bindings.schema import claim_schema
from tests.calibration.generated import EXAMPLES, fitted_lines, held_out_lines, text

LINES = fitted_lines()[:3]
PUBLISHED = EXAMPLES.parents[1] / "docs" / "schema" / "remembered-claim.schema.json"
Change = Callable[[dict[str, Any]], object]


def feature(name: str, value: object) -> Change:
    return lambda content: content["features"].__setitem__(name, value)


def without(name: str) -> Change:
    return lambda content: content["features"].pop(name)


def key(name: str, value: object) -> Change:
    return lambda content: content.__setitem__(name, value)


def test_the_examples_are_what_the_generator_gives() -> None:
    assert (EXAMPLES / "claims.jsonl").read_text() == text(fitted_lines())
    assert (EXAMPLES / "held_out.jsonl").read_text() == text(held_out_lines())


def test_a_claim_is_read_as_it_is_stated() -> None:
    claims = read_claims(EXAMPLES / "claims.jsonl")
    first = claims[0]
    assert (first.name, first.family, first.wrong) == (
        LINES[0]["claim"], LINES[0]["family"], LINES[0]["wrong"],
    )  # fmt: skip
    assert dict(first.features) == LINES[0]["features"]
    assert list(first.features) == [
        "age", "source", "supports", "conflicts", "provenance", "confidence",
        "attribute", "refreshed",
    ]  # fmt: skip
    assert known_claims(claims)[0].raw == 1 - LINES[0]["features"]["confidence"]


FAULTS: list[tuple[Change, str]] = [
    (without("age"), "claims.jsonl:2: features.age: expected this key, found none"),
    (without("confidence"), "claims.jsonl:2: features.confidence: expected this key, found none"),
    (without("attribute"), "features.attribute: expected this key, as in"),
    (feature("more", 1), "features.more: expected no such key, as in"),
    (feature("attribute", 3), "features.attribute: expected a category, as in"),
    (feature("age", float("nan")), "features.age: expected a finite number, found NaN"),
    (feature("age", float("inf")), "features.age: expected a finite number, found Infinity"),
    (feature("age", -1), "features.age: expected a number of at least 0, found -1"),
    (feature("age", 1e300), "features.age: expected a number within 1e+12 of 0, found 1e+300"),
    (feature("age", None), "features.age: expected a number, found null"),
    (feature("age", True), "features.age: expected a number, found true"),
    (feature("supports", 1.5), "features.supports: expected a whole number of at least 0"),
    (feature("conflicts", -1), "features.conflicts: expected a whole number of at least 0"),
    (feature("provenance", 1), "features.provenance: expected true or false, found 1"),
    (feature("confidence", 1.5), "features.confidence: expected a probability from 0 to 1"),
    (feature("source", " "), "features.source: expected a text of 1 to 200 printed characters"),
    (feature("source", 3), "features.source: expected text, found 3"),
    (feature("attribute", []), "features.attribute: expected a number, true, false or text"),
    (feature("wrong", True), "features: expected features only, found wrong, which is none"),
    (feature("family", "x"), "features: expected features only, found family, which is none"),
    (key("features", {}), "features.age: expected this key, found none"),
    (key("features", None), "features: expected an object, found null"),
    (key("wrong", 1), "wrong: expected true or false, found 1"),
    (key("wrong", None), "wrong: expected true or false, found null"),
    (key("family", ""), "family: expected a text of 1 to 200 printed characters"),
    (key("family", "a\u0000"), "family: expected a text of 1 to 200 printed characters"),
    (key("famly", "x"), "famly: unknown key; did you mean family?"),
    (key("claim", 1), "claim: expected text, found 1"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_line_that_is_no_claim_is_refused(change: Change, message: str, tmp_path: Path) -> None:
    content = json.loads(json.dumps(LINES))
    change(content[1])
    path = tmp_path / "claims.jsonl"
    path.write_text(text(content))
    with pytest.raises(DocumentError) as refused:
        read_claims(path)
    assert message in str(refused.value)
    assert "claims.jsonl:2: " in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("missing", "message"), [("family", "family"), ("wrong", "wrong")])
def test_what_is_fitted_on_needs_its_family_and_the_truth(
    missing: str, message: str, tmp_path: Path
) -> None:
    content = json.loads(json.dumps(LINES))
    del content[2][missing]
    path = tmp_path / "claims.jsonl"
    path.write_text(text(content))
    claims = read_claims(path)
    with pytest.raises(DocumentError, match=f"claims.jsonl:3: {message}: expected this key"):
        known_claims(claims)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("claims.json", "{}", "expected a file name that ends in one of .jsonl, .ndjson"),
        ("claims.jsonl", "", "expected one JSON object a line, found none"),
        ("claims.jsonl", "[]\n", "claims.jsonl:1: expected a JSON object, found a list"),
        ("claims.jsonl", '{"claim": "a", "claim": "b"}\n', 'found "claim" twice'),
    ],
)
def test_a_file_that_holds_no_claims_is_refused(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(DocumentError) as refused:
        read_claims(path)
    assert message in str(refused.value)


def test_a_file_of_too_many_claims_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(text(LINES))
    monkeypatch.setattr(claims_module, "MAX_CLAIMS", 3)
    assert len(read_claims(path)) == 3
    monkeypatch.setattr(claims_module, "MAX_CLAIMS", 2)
    with pytest.raises(DocumentError, match="expected at most 2 claims"):
        read_claims(path)


def test_the_schema_is_current_and_of_one_mind_with_the_model(tmp_path: Path) -> None:
    assert PUBLISHED.read_text() == claim_schema()
    schema = json.loads(claim_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for content in LINES:
        validator.validate(content)
    refused = 0
    for change, _ in FAULTS:
        content = json.loads(json.dumps(LINES[1]))
        change(content)
        refused += not validator.is_valid(content)
    # The others take more than the shape of one line to see.
    assert refused >= len(FAULTS) - 9


@pytest.mark.parametrize("name", ["age", "supports", "confidence", "more"])
def test_a_number_that_is_none_is_refused_in_python_too(name: str) -> None:
    content = json.loads(json.dumps(LINES[0]))
    content["features"][name] = float("nan")
    with pytest.raises(DocumentError, match=rf"line: features\.{name}: expected a number within"):
        claim_of(content, "line")
