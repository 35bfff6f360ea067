"""Faults of documents with texts, candidate fields and constraints: each named with its place."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from licet import CheckKind
from licet_bindings import schema
from licet_bindings.calls import MAX_SETTLED
from licet_bindings.documents import MAX_CONSTRAINTS, build_document
from licet_bindings.errors import DocumentError
from tests.bindings.evidence import PROGRAM, changed
from tests.bindings.programs import Alter, atom, put


def fault(content: dict[str, Any]) -> str:
    with pytest.raises(DocumentError) as caught:
        build_document(content, "p.json")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("p.json: ")


FAULTS: list[tuple[Alter, str]] = [
    # Atoms
    (atom(text=""), "atoms.extra.text: a field path must not be empty"),
    (atom(text="a[0]"), "atoms.extra.text: field path 'a[0]': expected a list position"),
    (atom(text=["details"]), "atoms.extra.text: expected text, found ["),
    (atom(text="\ud800"), "atoms.extra.text: expected text without lone surrogates"),
    (atom(fields=["a", "\ud800"], test="exists"), "atoms.extra.fields.1: expected text without lo"),
    (atom(text=None), "atoms.extra.text: expected text, found null"),
    (atom(text="a", test="exists"), "atoms.extra.test: unknown key; did you mean text?"),
    (atom(text="a", value=1), "atoms.extra.value: unknown key; expected one of prior, says, text"),
    (atom(text="a", prior=2), "atoms.extra.prior: expected a probability from 0 to 1"),
    (
        atom(text="a", fields=["a", "b"], test="exists"),
        "atoms.extra.text: expected only one of field, fields, text",
    ),
    (atom(fields="ab", test="exists"), 'atoms.extra.fields: expected a list, found "ab"'),
    (atom(fields=["a", 1], test="exists"), "atoms.extra.fields.1: expected text, found 1"),
    (atom(fields=["a", "b."], test="exists"), "atoms.extra.fields.1: field path 'b.': segment 2"),
    (atom(fields=["a", "a"], test="exists"), "atoms.extra.fields.1: expected each place once, fo"),
    (
        atom(fields=["a.0", "/a/0"], test="exists"),
        "atoms.extra.fields.1: expected each place once, found that of 'a.0' again",
    ),
    (atom(fields=["a", "b"]), "atoms.extra.test: expected this key, found none"),
    (atom(fields=["a", "b"], test="at_least", value="1"), "atoms.extra.value: at_least needs a fi"),
    # Constraints
    (put("constraints", value={}), "constraints: expected a list, found {}"),
    (put("constraints", value=["url"]), 'constraints.0: expected a list, found "url"'),
    (put("constraints", value=[[]]), "constraints.0: expected at least 1, found 0"),
    (put("constraints", value=[["url"], ["!!url"]]), "constraints.1.0: expected an identifier"),
    (put("constraints", value=[["not url"]]), "constraints.0.0: expected an identifier"),
    (put("constraints", value=[["url", "url"]]), "constraints.0: expected each atom once, found"),
    (put("constraints", value=[["url", "!url"]]), "constraints.0: expected each atom once, found"),
    (put("constraints", value=[["url"], ["link"]]), "constraints.1: no atom is named 'link'"),
    (
        put("constraints", value=[["url"], ["!url"]]),
        "constraints: expected that some record can satisfy them all, found none",
    ),
    (
        put("constraints", value=[["!cwe"]]),
        "routes.classified.0: expected that some record can satisfy it with the constraints",
    ),
    # Calls
    (
        put("checks", value={"read": {"settles": ["package"]}}),
        "checks.read.settles: expected every atom that is judged on the text 'details', for they"
        " share its read; 'fixed' is not there",
    ),
    (
        put("checks", value={"read": {"settles": ["package", "fixed", "url"]}}),
        "checks.read.settles: expected atoms of one text, or of fields; 'package' is judged on the"
        " text 'details', and 'url' is read at a field",
    ),
    (
        put("checks", value={"read": {"settles": ["url", "cwe"]}}),
        "checks.read.settles: 'cwe' has several candidate fields; expected it in no call with",
    ),
    (
        put("checks", value={"read": {"settles": ["package", "fixed", "cwe"]}}),
        "checks.read.settles: 'cwe' has several candidate fields; expected it in no call with",
    ),
    (
        put("checks", value={"text:details": {"settles": ["url"]}}),
        "checks.text:details: expected another name: this is that of the read of the text 'detai",
    ),
    (
        put("atoms", "text:details", value={"says": "", "field": "a", "test": "exists"}),
        "atoms.text:details: expected another name: this is that of the read of the text 'details'",
    ),
    (
        put("checks", value={name: {"settles": ["package", "fixed"]} for name in ("one", "two")}),
        "checks.one.settles: 'package' is judged on a text; expected no other check that settles",
    ),
    (
        put("checks", value={name: {"settles": ["cwe"]} for name in ("one", "two")}),
        "checks.two.settles: 'cwe' has several candidate fields; expected one call of it, found al",
    ),
    (
        put("checks", value={"read": {"settles": ["package", "fixed", "nothing"]}}),
        "checks.read.settles: no atom is named 'nothing'",
    ),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_named_with_its_place(alter: Alter, message: str) -> None:
    assert fault(changed(alter)).startswith(message)


def test_a_call_over_two_texts_is_refused() -> None:
    content = changed(put("atoms", "fixed", "text", value="summary"))
    content["checks"] = {"read": {"settles": ["package", "fixed"]}}
    assert fault(content) == (
        "checks.read.settles: expected atoms of one text, or of fields; 'package' is judged on the"
        " text 'details', and 'fixed' is judged on 'summary'"
    )


@pytest.mark.parametrize("path", ["ab cd", "/a~1b~0c", "Übersicht", "x" * 96])
def test_a_path_that_names_no_check_asks_for_a_name(path: str) -> None:
    content = changed(*(put("atoms", name, "text", value=path) for name in ("package", "fixed")))
    assert fault(content).startswith("atoms.fixed.text: expected a call in `checks` that settles")
    content["checks"] = {"read": {"settles": ["package", "fixed"]}}
    checks = {c.identifier: c for c in build_document(content).specification.checks}
    assert checks["read"].kind is CheckKind.TEXT


def test_texts_candidates_and_constraints_have_limits() -> None:
    many = [["url"]] * (MAX_CONSTRAINTS + 1)
    assert fault(changed(put("constraints", value=many))) == (
        "constraints: expected at most 500 in one program, found 501"
    )
    fields = [f"f{i}" for i in range(993)]
    # details, url, reference, the read, two judged atoms: six calls besides.
    assert build_document(changed(put("atoms", "cwe", "fields", value=fields[:-1])))
    assert "judged atom; found 1,001" in fault(
        changed(put("atoms", "cwe", "fields", value=[*fields, "g", "h"]))
    )
    assert MAX_SETTLED == 10_000


def test_the_schema_takes_them() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema.program_schema()))
    validator.validate(PROGRAM)
    assert not validator.is_valid(changed(put("constraints", value=[[]])))
    assert not validator.is_valid(changed(atom(fields=["a", "a"], test="exists")))
    assert not validator.is_valid(changed(atom(text="a", test="exists")))
    for alter, _ in FAULTS:
        content = changed(alter)
        if not validator.is_valid(content):
            with pytest.raises(DocumentError):
                build_document(content)
