"""Documents with texts, candidate fields and constraints: what they become, and their faults."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import pytest
import yaml

from licet import Check, CheckKind, Literal, canonical_text
from licet_bindings.documents import (
    build_document,
    commit_document,
    parse_document,
    read_document,
)
from licet_bindings.errors import DocumentError
from licet_bindings.records.field_tests import (
    CandidateTests,
    JudgedText,
    bound_test,
    committed_tests,
)
from licet_bindings.reviewing import budget_of, cost_of_all_checks
from licet_bindings.syntax import Syntax
from tests.bindings.evidence import PROGRAM, changed
from tests.bindings.programs import ADVISORY, DOMAINS, EXAMPLES, Alter, drop, put


def checks_of(content: dict[str, Any]) -> dict[str, Check]:
    return {c.identifier: c for c in build_document(content).specification.checks}


def test_atoms_of_one_text_share_one_read() -> None:
    read = checks_of(PROGRAM)["text:details"]
    assert read == Check("text:details", ("fixed", "package"), kind=CheckKind.TEXT)


def test_candidates_are_named_as_written_and_exhausted_as_their_test_says() -> None:
    cwe = checks_of(PROGRAM)["cwe"]
    assert cwe.candidates == ("database_specific.cwe_ids.0", "/database_specific/cwe", "cwe")
    assert cwe.exhausted is False
    absent = checks_of(changed(put("atoms", "cwe", "test", value="absent")))["cwe"]
    assert absent.exhausted is True
    other = put("atoms", "cwe", value={**PROGRAM["atoms"]["cwe"], "test": "equals", "value": 1})
    assert checks_of(changed(other))["cwe"].exhausted is None


def test_constraints_are_clauses_of_literals() -> None:
    assert build_document(PROGRAM).specification.constraints == (
        (Literal("url", False), Literal("reference")),
    )


def test_a_stated_call_names_a_read_and_says_its_cost() -> None:
    call = {"settles": ["package", "fixed"], "cost": 2.5}
    found = checks_of(changed(put("checks", value={"read_details": call})))
    assert found["read_details"].kind is CheckKind.TEXT
    assert found["read_details"].cost == 2.5
    assert "text:details" not in found


def test_a_call_may_price_the_reads_of_one_atom_with_candidates() -> None:
    call = {"settles": ["cwe"], "cost": 3}
    found = checks_of(changed(put("checks", value={"look_for_cwe": call})))
    assert found["look_for_cwe"].cost == 3
    assert len(found["look_for_cwe"].candidates) == 3
    assert "cwe" not in found


def test_one_way_of_writing_a_path_or_another_is_one_text() -> None:
    found = checks_of(changed(put("atoms", "fixed", "text", value="/details")))
    assert found["text:details"].settles == ("fixed", "package")
    nested = changed(put("atoms", "fixed", "text", value="/a.b/c"), drop("routes", "classified"))
    nested["conclusions"].pop()
    assert "text:/a.b/c" in checks_of(nested)


def test_one_field_in_a_list_stays_a_plain_read() -> None:
    one = changed(put("atoms", "cwe", "fields", value=["cwe"]))
    plain = changed(put("atoms", "cwe", value={**PROGRAM["atoms"]["cwe"], "field": "cwe"}))
    del plain["atoms"]["cwe"]["fields"]
    assert checks_of(one)["cwe"] == Check("cwe", ("cwe",))
    assert sha256(one) == sha256(plain)


def sha256(content: dict[str, Any]) -> str:
    return commit_document(build_document(content)).sha256


HASHED: list[Alter] = [
    put("atoms", "fixed", "text", value="summary"),
    put("atoms", "cwe", "fields", value=["/database_specific/cwe", "cwe"]),
    put("atoms", "cwe", "fields", 2, value="cwes"),
    put("atoms", "cwe", "fields", 1, value="database_specific.cwe"),
    put("atoms", "cwe", "test", value="absent"),
    put("constraints", value=[]),
    put("constraints", value=[["url", "!reference"]]),
    put("checks", value={"read": {"settles": ["package", "fixed"]}}),
    put("checks", value={"text:details": {"settles": ["package", "fixed"], "cost": 2}}),
]


@pytest.mark.parametrize("alter", HASHED)
def test_the_hash_covers_what_is_read_where(alter: Alter) -> None:
    assert sha256(changed(alter)) != sha256(PROGRAM)


def test_the_order_of_the_candidates_counts() -> None:
    fields = PROGRAM["atoms"]["cwe"]["fields"]
    assert sha256(changed(put("atoms", "cwe", "fields", value=fields[::-1]))) != sha256(PROGRAM)


@pytest.mark.parametrize(
    "alter",
    [
        put("atoms", "fixed", "prior", value=0.9),
        put("constraints", value=[["reference", "!url"]]),
        put("constraints", value=[["reference", "!url"], ["!url", "reference"]]),
        put("atoms", "fixed", "text", value="/details"),
        put("budget", value=3),
        put("checks", value={"text:details": {"settles": ["fixed", "package"]}}),
    ],
)
def test_the_hash_does_not_cover_how_it_is_written(alter: Alter) -> None:
    assert sha256(changed(alter)) == sha256(PROGRAM)


def test_keys_in_another_order_are_the_same_program() -> None:
    turned = {key: PROGRAM[key] for key in reversed(PROGRAM)}
    turned["atoms"] = {key: PROGRAM["atoms"][key] for key in reversed(PROGRAM["atoms"])}
    assert sha256(turned) == sha256(PROGRAM)


HASHES = {
    "advisories": "5f28c2c72b5b9e97833c4736d8e176b90c6bfa120421ace7ee907d86506956dc",
    "filings": "f30dd5ba8e523e0f4c8ef10410cbf6a5dbde728bb9948a2acee4534d0dceca67",
    "recalls": "ee4df10ca3c15e18905d6135d5b188282a32868e6fc94aabecfb99c93a411c98",
    "trials": "4b66cb5392509c47a856baff319f209299cedce59d35410513d5df5e364ac307",
}
"""What the bundled programs were committed as before there were texts, candidates, constraints."""


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_document_without_new_keys_is_hashed_as_before(domain: str) -> None:
    # The canonical text as it was before there were texts, candidates and constraints.
    document = read_document(EXAMPLES / domain / "program.json")
    specification, program = document.specification, document.program
    below = [c.identifier for c in specification.conclusions]
    content = {
        "licet": 1,
        "request": specification.request,
        "conclusions": [
            [c.identifier, c.sentence, str(c.utility)] for c in specification.conclusions
        ],
        "order": sorted([a, b] for i, a in enumerate(below) for b in below[i + 1 :]),
        "atoms": {a.identifier: [a.sentence, a.binding] for a in specification.atoms},
        "checks": {c.identifier: [sorted(c.settles), str(c.cost)] for c in specification.checks},
        "routes": [
            [[str(literal) for literal in route.literals] for route in program.of_conclusion(name)]
            for name in below
        ],
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert canonical_text(specification, program) == text
    assert commit_document(document).sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert commit_document(document).sha256 == HASHES[domain]
    for bound in document.bindings.values():
        assert set(json.loads(bound.binding)) == {"field", "test", "value", "date_format"}


def test_a_commitment_alone_gives_what_is_read() -> None:
    document = build_document(PROGRAM)
    tests = committed_tests(commit_document(document))
    assert dict(tests) == dict(document.bindings)
    assert isinstance(tests["cwe"], CandidateTests)
    assert tests["fixed"] == JudgedText(("details",))


def test_toml_and_yaml_say_the_same() -> None:
    toml = """
        licet = 1
        request = "Decide whether this advisory locates its fault."
        budget = 20
        constraints = [["!url", "reference"]]
        conclusions = [
          {id = "described", says = "It is described.", utility = 40},
          {id = "located", says = "It locates the fault.", utility = 70},
          {id = "classified", says = "It is classified.", utility = 100},
        ]
        [atoms]
        details = {says = "a description exists", field = "details", test = "exists"}
        package = {says = "the text names the package", text = "details"}
        fixed = {says = "the text states a fixed version", text = "details", prior = 0.3}
        url = {says = "a reference has a URL", field = "references.0.url", test = "exists"}
        reference = {says = "there is a reference", field = "references.0", test = "exists"}
        [atoms.cwe]
        says = "a weakness is named"
        fields = ["database_specific.cwe_ids.0", "/database_specific/cwe", "cwe"]
        test = "exists"
        [routes]
        described = [["details"]]
        located = [["details", "package", "fixed"]]
        classified = [["details", "package", "fixed", "cwe", "reference"]]
    """
    for text, syntax in (
        (toml, Syntax.TOML),
        (yaml.safe_dump(PROGRAM), Syntax.YAML),
        (json.dumps(PROGRAM), Syntax.JSON),
    ):
        document = parse_document(text, syntax)
        assert commit_document(document).sha256 == sha256(PROGRAM)
        assert document.priors == build_document(PROGRAM).priors


def test_an_atom_may_have_the_name_of_the_read_that_settles_it() -> None:
    content = changed()
    content["atoms"]["text:details"] = {"says": "the text is clear", "text": "details"}
    assert checks_of(content)["text:details"].settles == ("fixed", "package", "text:details")


def test_the_budget_that_is_left_out_pays_for_all_candidates_and_judgements() -> None:
    content = changed(
        drop("budget"), put("checks", value={"look": {"settles": ["cwe"], "cost": 2}})
    )
    document = build_document(content)
    # details and reference; the read and two attestations; three candidates at 2 each.
    assert budget_of(document) == cost_of_all_checks(commit_document(document)) == 2 + 3 + 6


def test_a_document_of_ones_own_making_is_held_to_its_bindings() -> None:
    document = build_document(PROGRAM, "mine")
    checks = {c.identifier: c for c in document.specification.checks}
    for name, alteration in (
        ("text:details", {"kind": CheckKind.FIELD}),
        ("url", {"kind": CheckKind.TEXT}),
        ("cwe", {"candidates": ("cwe",)}),
        ("cwe", {"exhausted": True}),
        ("cwe", {"exhausted": None}),
        ("url", {"candidates": ("a", "b")}),
        ("url", {"settles": ("url", "fixed")}),
    ):
        other = dataclasses.replace(checks[name], **alteration)  # type: ignore[arg-type]
        altered = dataclasses.replace(
            document.specification, checks=tuple({**checks, name: other}.values())
        )
        with pytest.raises(DocumentError, match=f"^mine: checks.{name}: expected "):
            dataclasses.replace(document, specification=altered)


EXISTS = '"test": "exists", "value": null, "date_format": null}'


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "details"}',
        '{"text": [1]}',
        '{"fields": [["a", ["a"]]]}',
        '{"fields": [["a", ["a"]], ["a", ["b"]]], ' + EXISTS,
        '{"fields": 1, ' + EXISTS,
        '{"fields": [[1, ["a"]]], ' + EXISTS,
        "[]",
        "null",
        "",
    ],
)
def test_what_is_no_binding_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"binding|Expecting"):
        bound_test(text)


def test_the_program_of_the_other_tests_has_none_of_it() -> None:
    document = build_document(ADVISORY)
    assert all(check.kind is CheckKind.FIELD for check in document.specification.checks)
    assert not any(check.candidates for check in document.specification.checks)
