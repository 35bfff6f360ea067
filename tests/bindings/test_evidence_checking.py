"""`licet check` and `licet plan` on programs with texts, candidates and constraints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from licet import InvalidInput
from licet.decisions import Settled
from licet_bindings import checking
from licet_bindings.checking import cheapest, sufficient_budget
from licet_bindings.documents import build_document, commit_document
from licet_bindings.planned import exact_policy
from licet_bindings.reviewing import review_record
from tests.bindings.commands import licet, lines, write
from tests.bindings.evidence import PROGRAM, RECORD, changed
from tests.bindings.programs import ADVISORY, Alter, drop, put


def check(content: dict[str, Any], tmp_path: Path) -> tuple[dict[str, Any], str]:
    path = write(tmp_path / "p.json", content)
    as_json, people = licet("check", path, "--json"), licet("check", path)
    assert as_json.exit_code == people.exit_code == 0
    (found,) = lines(as_json)
    for finding in found["findings"]:
        assert f"  {finding['place']}: {finding['problem']}\n" in people.stdout
    return found, people.stdout


def test_what_is_read_judged_and_looked_for_is_shown(tmp_path: Path) -> None:
    found, people = check(PROGRAM, tmp_path)
    assert found["cheapest"] == {"described": 1, "located": 4, "classified": 6}
    assert found["sufficient_budget"] is None
    assert found["constraints"] == 1
    assert found["texts"] == {"text:details": ["fixed", "package"]}
    assert found["candidates"] == {"cwe": PROGRAM["atoms"]["cwe"]["fields"]}
    assert people.splitlines()[5:] == [
        "sufficient budget: not known",
        "constraints: 1",
        "texts that are read, and what is judged on each, one call each:",
        "  text:details: fixed, package",
        "candidate fields, in the order in which they are tried, one charge each:",
        "  cwe: database_specific.cwe_ids.0, /database_specific/cwe, cwe",
        "findings:",
        *(f"  {each['place']}: {each['problem']}" for each in found["findings"]),
    ]
    unknown = "no budget is known to suffice: Theorem 4.3 takes "
    assert [(each["place"], each["problem"]) for each in found["findings"]] == [
        ("atoms.fixed", f"{unknown}field checks, and completion judges no text; so too package"),
        ("atoms.cwe", f"{unknown}fields at one known place, and here there are candidates"),
        ("constraints", f"{unknown}no constraints"),
    ]


PLAIN = (
    put("constraints", value=[]),
    put("atoms", "cwe", "fields", value=["cwe"]),
    put("atoms", "package", value={"says": "", "field": "a", "test": "exists"}),
    put("atoms", "fixed", value={"says": "", "field": "b", "test": "exists"}),
)
ORDER = [["described", "located"], ["described", "classified"]]
PREMISES: list[tuple[int | None, Alter, list[str]]] = [
    (None, put("budget", value=20), []),
    (0, put("budget", value=20), ["constraints"]),
    (1, put("budget", value=20), ["atoms.cwe"]),
    (3, put("budget", value=20), ["atoms.fixed"]),
    (None, put("order", value=ORDER), ["order"]),
]


@pytest.mark.parametrize(("left_out", "alter", "places"), PREMISES)
def test_each_premise_that_fails_by_form_is_named(
    left_out: int | None, alter: Alter, places: list[str]
) -> None:
    alters = [each for index, each in enumerate(PLAIN) if index != left_out]
    commitment = commit_document(build_document(changed(*alters, alter)))
    assert [each.place for each in checking.failing_premises(commitment)] == places
    assert (sufficient_budget(commitment) is None) is bool(places)


def test_a_program_without_them_says_nothing_of_them(tmp_path: Path) -> None:
    found, people = check(ADVISORY, tmp_path)
    assert (found["constraints"], found["texts"], found["candidates"]) == (0, {}, {})
    assert found["sufficient_budget"] == 7
    assert people.splitlines()[5:] == ["sufficient budget: 7"]


def test_what_is_authorized_before_any_check_is_a_finding(tmp_path: Path) -> None:
    content = changed(put("constraints", value=[["!url"], ["url", "details"]]))
    found, _ = check(content, tmp_path)
    assert found["cheapest"] == {"described": 0, "located": 3, "classified": 5}
    told = {each["place"]: each["problem"] for each in found["findings"]}
    assert told["routes.described.0"] == (
        "the constraints alone imply details: 'described' is authorized before any check"
    )
    # So it is: with an empty record and no call at all.
    document = build_document(content)
    reviewed = review_record(document, {}, budget=0, completion=False)
    assert reviewed.outcome.conclusions == ("described",)
    assert "routes.described.0" not in {
        each["place"] for each in check(PROGRAM, tmp_path)[0]["findings"]
    }


def test_the_finding_falls_where_the_constraints_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "at_first", lambda commitment: Settled())
    with pytest.raises((AssertionError, KeyError)):
        test_what_is_authorized_before_any_check_is_a_finding(tmp_path)


def test_constraints_whose_closure_is_not_decided_are_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "not decided" not in check(PROGRAM, tmp_path)[1]
    bottom = Settled(unavailable=0b111111, suspended=True)
    monkeypatch.setattr(checking, "at_first", lambda commitment: bottom)
    found, _ = check(PROGRAM, tmp_path)
    told = [each["problem"] for each in found["findings"] if each["place"] == "constraints"]
    assert told[-1].startswith("what they imply is not decided within the limit of the search")


def test_costs_of_texts_count_the_read_once_and_each_judgement() -> None:
    call = {"settles": ["package", "fixed"], "cost": 2.5}
    content = changed(put("checks", value={"read": call}))
    content["routes"]["located"] = [["details", "package"], ["details", "fixed", "url"]]
    costs = cheapest(commit_document(build_document(content)))
    # details, the read, and one judgement or two; then a candidate and the reference.
    assert costs == {"described": 1, "located": 4.5, "classified": 7.5}


@pytest.mark.parametrize(
    ("alters", "message"),
    [
        ((), "atoms.package.text: expected a field: judgements of texts are not planned exactly"),
        (PLAIN[2:], "atoms.cwe.fields: expected one field: places that are not known are not pl"),
    ],
)
def test_plans_refuse_what_is_judged_or_uncertain(
    alters: tuple[Alter, ...], message: str, tmp_path: Path
) -> None:
    content = changed(*alters)
    path, record = write(tmp_path / "p.json", content), write(tmp_path / "r.json", RECORD)
    for command in (("plan", path), ("plan", path, "--json"), ("review", path, record)):
        more = ("--policy", "exact") if command[0] == "review" else ()
        result = licet(*command, *more)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"licet: {path}: {message}")
        assert result.stderr.count("\n") == 1
    with pytest.raises(InvalidInput):
        exact_policy(commit_document(build_document(content)), 5)


def test_priors_of_judged_atoms_are_taken_and_used_by_nothing() -> None:
    document = build_document(PROGRAM)
    assert list(document.priors) == ["fixed"]
    other = build_document(changed(drop("atoms", "fixed", "prior")))
    assert commit_document(document).sha256 == commit_document(other).sha256
