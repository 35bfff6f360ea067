"""The bundled judgements of advisory texts, against the same rules written out in plain Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from licet_bindings.attesting import read_statements
from licet_bindings.documents import ReviewDocument, read_document
from tests.bindings.commands import licet, lines
from tests.examples.reference import EXAMPLES

FOLDER = EXAMPLES / "advisories"
PROGRAM, JUDGEMENTS = FOLDER / "text_judgements.json", FOLDER / "text_judgements.jsonl"
NAMES = sorted(path.stem for path in (FOLDER / "records").glob("*.json"))
STATED = [json.loads(line) for line in JUDGEMENTS.read_text(encoding="utf-8").splitlines()]


def record_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "records" / f"{name}.json").read_text("utf-8"))
    return found


def judged(name: str, record: dict[str, Any], atom: str) -> set[bool]:
    """Return the values on record of an atom of a record, by the rules of an attestation."""
    values: list[tuple[str, bool]] = []
    for each in STATED:
        if each["record"] != name:
            continue
        if each.get("retract") == atom:
            values = [value for value in values if value[0] != each["attester"]]
        elif each.get("atom") == atom and each["quote"] in record["details"]:
            values.append((each["attester"], each["value"]))
    return {value for _, value in values}


def rated(record: dict[str, Any]) -> bool:
    severity = record.get("severity") or [{}]
    affected = (record.get("affected") or [{}])[0].get("severity") or [{}]
    first = (severity[0].get("score"), affected[0].get("score"))
    return any((*first, (record.get("database_specific") or {}).get("severity")))


def expected(name: str) -> str | None:
    record = record_of(name)
    withdrawn = "withdrawn" in record or True in judged(name, record, "says_withdrawn")
    if withdrawn or not record["details"].strip():
        return None
    if judged(name, record, "names_package") != {True}:
        return "stands"
    if judged(name, record, "states_fix") != {True} or not rated(record):
        return "names"
    return "advises"


def reviews(policy: str, *more: str) -> dict[str, dict[str, Any]]:
    result = licet(
        "review",
        PROGRAM,
        FOLDER / "records",
        "--attestations",
        JUDGEMENTS,
        "--policy",
        policy,
        "--json",
        *more,
    )
    assert (result.exit_code, result.stderr) == (0, "")
    return {Path(found["record"]).stem: found for found in lines(result)}


@pytest.fixture(scope="module")
def document() -> ReviewDocument:
    return read_document(PROGRAM)


@pytest.mark.parametrize("policy", ["guided", "ceiling", "blind", "locator", "in-order"])
def test_each_record_comes_to_what_its_text_and_fields_support(policy: str) -> None:
    found = reviews(policy)
    assert {name: found[name]["conclusion"] for name in NAMES} == {
        name: expected(name) for name in NAMES
    }
    assert {found[name]["conclusion"] for name in NAMES} == {None, "stands", "names", "advises"}


def test_without_the_judgements_no_text_counts() -> None:
    result = licet("review", PROGRAM, FOLDER / "records", "--json")
    assert {found["conclusion"] for found in lines(result)} == {None, "stands"}


def test_every_kind_of_evidence_occurs() -> None:
    found = reviews("in-order")
    assert found["GHSA-h59x-p739-982c"]["atoms"]["states_fix"] == "conflict"
    suspension = found["GHSA-4g4c-8gqh-m4vm"]["suspension"]
    assert [each["atom"] for each in suspension["review"]] == ["says_withdrawn"]
    assert [each["retracted"] for each in found["PYSEC-2023-1"]["attestations"]] == [False, True]
    assert [each["attester"] for each in found["PYSEC-2021-856"]["rejected"]] == ["reader"]
    # That the text does not say so is implied, and of no route: it is not told.
    assert found["GHSA-wc9m-r3v6-9p5h"]["implied"] == []
    assert found["PYSEC-2020-267"]["atoms"]["severity"] == "false"
    # Read where the GitHub database has it, after the two places of the schema.
    assert [
        read["reason"] is None for read in found["GHSA-h59x-p739-982c"]["candidates"]["severity"]
    ] == [False, False, True]


def test_the_locator_spends_no_more_than_blind_enumeration() -> None:
    blind, told = reviews("blind"), reviews("locator")
    assert all(told[name]["spent"] <= blind[name]["spent"] for name in NAMES)


def test_every_attestation_is_about_a_bundled_record(document: ReviewDocument) -> None:
    stated = read_statements(JUDGEMENTS, document)
    assert {each.record for each in stated} == set(NAMES)


def test_the_program_fits_the_published_schema() -> None:
    schema = EXAMPLES.parent / "docs" / "schema" / "review-program.schema.json"
    program = json.loads(PROGRAM.read_text(encoding="utf-8"))
    jsonschema.validate(program, json.loads(schema.read_text(encoding="utf-8")))
