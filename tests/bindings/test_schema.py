"""The published JSON Schema: current, valid, and of one mind with the models."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, get_args

import jsonschema
import pytest
from jsonschema.protocols import Validator

from licet_bindings.documents import build_document
from licet_bindings.errors import DocumentError
from licet_bindings.models import TestWord
from licet_bindings.records.predicates import Test
from licet_bindings.schema import program_schema
from tests.bindings.programs import ADVISORY, DOMAINS, EXAMPLES, Alter, altered
from tests.bindings.test_documents import FAULTS

PUBLISHED = EXAMPLES.parent / "docs" / "schema" / "review-program.schema.json"


@pytest.fixture(scope="module")
def validator() -> Validator:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == program_schema()


def test_the_module_prints_the_schema() -> None:
    command = [sys.executable, "-m", "licet_bindings.schema"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == program_schema()


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_schema_accepts_the_examples(domain: str, validator: Validator) -> None:
    text = (EXAMPLES / domain / "program.json").read_text(encoding="utf-8")
    validator.validate(json.loads(text))


def test_the_schema_knows_the_tests() -> None:
    assert list(get_args(TestWord)) == [test.value for test in Test]


def test_the_schema_accepts_the_program_of_the_tests(validator: Validator) -> None:
    validator.validate(ADVISORY)


def test_the_schema_accepts_texts_candidates_and_constraints(validator: Validator) -> None:
    def alter(content: dict[str, Any]) -> None:
        content["constraints"] = [["!url", "advisory"]]
        content["atoms"]["named"] = {"says": "it names a package", "text": "details"}
        content["atoms"]["cwe"]["fields"].append("database_specific.cwe")

    validator.validate(altered(alter))


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_what_the_schema_refuses_is_refused(
    alter: Alter, message: str, validator: Validator
) -> None:
    content = altered(alter)
    try:
        refused = not validator.is_valid(content)
    except (ValueError, OverflowError):  # A number that is no JSON.
        refused = False
    if refused:
        with pytest.raises(DocumentError):
            build_document(content)


def test_the_schema_sees_most_faults(validator: Validator) -> None:
    # Those that take more than the shape to see are the kernel's and the predicates'.
    seen = 0
    for alter, _ in FAULTS:
        try:
            seen += not validator.is_valid(altered(alter))
        except (ValueError, OverflowError):
            seen += 1
    assert seen > len(FAULTS) / 2
