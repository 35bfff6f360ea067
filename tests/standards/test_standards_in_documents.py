"""A document's standard: compared with its routes, or the source of them; `licet check` on both."""

from __future__ import annotations

import copy
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.documents import build_document, commit_document, parse_document
from licet_bindings.errors import DocumentError
from licet_bindings.reviewing import review_record
from licet_bindings.schema import program_schema
from licet_bindings.standards import encoding
from licet_bindings.strict import PROGRAM_LIMITS
from licet_bindings.syntax import Syntax
from tests.bindings.commands import licet, lines, write
from tests.bindings.programs import ADVISORY, Alter, altered, drop, put

STANDARD = {
    "described": "details",
    "ready": "details and (reviewed and severity or advisory and url)",
    "complete": "details and reviewed and severity and cwe and not withdrawn and recent",
}


def stated(**formulas: str) -> dict[str, Any]:
    """`ADVISORY` with its routes and a standard."""
    return altered(put("standard", value={**STANDARD, **formulas}))


def unrouted(**formulas: str) -> dict[str, Any]:
    content = stated(**formulas)
    del content["routes"]
    return content


def check(content: object, tmp_path: Path) -> tuple[int, dict[str, Any], str]:
    path = write(tmp_path / "p.json", content)
    as_json, people = licet("check", path, "--json"), licet("check", path)
    assert as_json.exit_code == people.exit_code
    assert as_json.stderr == people.stderr == ""
    (found,) = lines(as_json)
    for finding in found["findings"]:
        assert f"  {finding['place']}: {finding['problem']}\n" in people.stdout
    return as_json.exit_code, found, people.stdout


def test_the_hash_does_not_cover_the_standard() -> None:
    hashes = {
        commit_document(build_document(content)).sha256
        for content in (ADVISORY, stated(), unrouted(), stated(described="url or details"))
    }
    assert hashes == {commit_document(build_document(ADVISORY)).sha256}


def test_routes_that_are_the_minimal_ones(tmp_path: Path) -> None:
    code, found, people = check(stated(), tmp_path)
    assert code == 0
    minimal = {
        "verdict": "minimal",
        "state": None,
        "justified": None,
        "missing": [],
        "not_minimal": [],
        "reason": None,
    }
    assert found["standard"] == dict.fromkeys(STANDARD, minimal)
    assert found["routes"] == ADVISORY["routes"]
    assert found["routes_computed"] is False
    assert found["findings"] == []
    assert people.endswith(
        "the routes beside the standard:\n  described: its minimal routes\n"
        "  ready: its minimal routes\n  complete: its minimal routes\n"
    )


def test_routes_that_say_too_much(tmp_path: Path) -> None:
    code, found, people = check(stated(ready=f"({STANDARD['ready']}) and not withdrawn"), tmp_path)
    assert code == 1
    compared = found["standard"]["ready"]
    assert compared["verdict"] == "different"
    assert compared["justified"] is False
    assert [atom for atom, value in compared["state"].items() if value] == [
        "details",
        "advisory",
        "url",
        "withdrawn",
    ]
    assert compared["missing"] == [
        ["details", "reviewed", "severity", "!withdrawn"],
        ["details", "advisory", "url", "!withdrawn"],
    ]
    assert compared["not_minimal"] == ADVISORY["routes"]["ready"]
    assert found["findings"][0] == {
        "place": "routes.ready",
        "problem": "the route details & advisory & url holds and the standard does not justify it,"
        " with details, advisory, url, withdrawn true and every other atom false",
    }
    assert "  ready: DIFFERENT\n" in people


def test_routes_that_say_too_little(tmp_path: Path) -> None:
    code, found, _ = check(stated(ready=STANDARD["ready"] + " or details and cwe"), tmp_path)
    assert code == 1
    assert found["standard"]["ready"]["justified"] is True
    assert found["findings"] == [
        {
            "place": "routes.ready",
            "problem": "the standard justifies it and no route holds, with details, cwe true and"
            " every other atom false",
        },
        {
            "place": "routes.ready",
            "problem": "without these minimal routes, checks that suffice may authorize nothing:"
            " details & cwe",
        },
    ]


def test_routes_that_are_right_and_not_minimal_are_advice(tmp_path: Path) -> None:
    content = stated(ready="details and (reviewed and severity or url and not reviewed)")
    content["routes"]["ready"] = [
        ["details", "reviewed", "severity"],
        ["details", "url", "!reviewed", "severity"],
        ["details", "url", "!reviewed", "!severity"],
    ]
    code, found, people = check(content, tmp_path)
    assert code == 0
    assert found["standard"]["ready"]["verdict"] == "equivalent"
    assert [finding["problem"] for finding in found["findings"][1:]] == [
        "not minimal: it suffices without !reviewed",
        "not minimal: it suffices without !severity",
        "without these minimal routes, checks that suffice may authorize nothing:"
        " details & !reviewed & url; details & severity & url",
    ]
    assert "  ready: they hold where it does, and are not the minimal ones\n" in people


def test_a_standard_may_be_silent_on_a_conclusion(tmp_path: Path) -> None:
    content = stated()
    del content["standard"]["ready"]
    code, found, _ = check(content, tmp_path)
    assert code == 0
    assert list(found["standard"]) == ["described", "complete"]
    assert found["findings"] == [{"place": "standard", "problem": "it says nothing of 'ready'"}]


def test_a_standard_against_the_order_is_a_finding_beside_routes(tmp_path: Path) -> None:
    code, found, _ = check(stated(ready="url"), tmp_path)
    assert code == 1
    places = [finding["place"] for finding in found["findings"]]
    assert places[:2] == ["standard.ready", "standard.complete"]
    assert found["findings"][0]["problem"] == (
        "expected it to hold only where that of the weaker 'described' does; it holds, and that"
        " does not, with url true and every other atom false"
    )


def test_what_cannot_be_decided_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "MAX_STEPS", 12)
    code, found, people = check(stated(), tmp_path)
    assert code == 1
    assert found["valid"]
    assert found["standard"]["described"]["verdict"] == "minimal"
    assert found["standard"]["complete"]["verdict"] == "undecided"
    assert "  complete: NOT DECIDED\n" in people
    assert found["standard"]["complete"]["reason"].startswith("too large to be decided exactly")


def test_more_minimal_routes_than_can_be_listed(tmp_path: Path) -> None:
    content = stated()
    for at in range(9):
        for side in "ab":
            content["atoms"][f"{side}{at}"] = {"says": "", "field": f"{side}{at}", "test": "exists"}
    content["standard"]["described"] = "details or " + " and ".join(
        f"(a{at} or b{at})" for at in range(9)
    )
    content["routes"]["described"] += [[f"a{at}" for at in range(9)]]
    code, found, _ = check(content, tmp_path)
    assert code == 1
    assert found["standard"]["described"]["verdict"] == "different"
    assert found["standard"]["described"]["reason"].startswith("expected at most 500 minimal")
    del content["routes"]
    with pytest.raises(DocumentError, match=r"standard.described: expected at most 500 minimal ro"):
        build_document(content)


def test_routes_are_computed_where_there_are_none(tmp_path: Path) -> None:
    code, found, people = check(unrouted(), tmp_path)
    assert code == 0
    assert found["routes"] == ADVISORY["routes"]
    assert found["routes_computed"] is True
    assert {each["verdict"] for each in found["standard"].values()} == {"minimal"}
    assert "routes, computed from the standard:\n  described: details\n" in people
    written = {**unrouted(), "routes": found["routes"]}
    assert commit_document(build_document(written)).sha256 == found["program_sha256"]


@given(st.permutations(list(ADVISORY["atoms"])), st.permutations(list(STANDARD)), st.data())
def test_the_order_of_keys_counts_for_nothing(
    atoms: list[str], conclusions: list[str], data: st.DataObject
) -> None:
    content = unrouted()
    content["atoms"] = {atom: content["atoms"][atom] for atom in atoms}
    content["standard"] = {conclusion: STANDARD[conclusion] for conclusion in conclusions}
    content = {key: content[key] for key in data.draw(st.permutations(list(content)))}
    assert build_document(content).program == build_document(unrouted()).program


def test_reviews_report_what_the_standard_justifies() -> None:
    names = ("a", "b", "c", "d")
    content = {
        "licet": 1,
        "conclusions": [
            {"id": "weak", "says": "Weak.", "utility": 1},
            {"id": "strong", "says": "Strong.", "utility": 2},
        ],
        "atoms": {name: {"says": name, "field": name, "test": "exists"} for name in names},
        "standard": {
            "weak": "a and b or not a and c",
            "strong": "(a and b or not a and c) and (c or not d)",
        },
    }
    document = build_document(content)
    for a, b, c, d in product((False, True), repeat=4):
        record = {name: 1 for name, there in zip(names, (a, b, c, d), strict=True) if there}
        weak = (a and b) or (not a and c)
        strong = weak and (c or not d)
        expected = ("strong",) if strong else ("weak",) if weak else ()
        assert review_record(document, record).outcome.conclusions == expected


def test_a_standard_in_toml_and_yaml() -> None:
    toml = parse_document(
        """
        licet = 1
        conclusions = [{id = "ready", says = "Ready.", utility = 1}]
        [atoms]
        "a.b" = {says = "a", field = "a", test = "exists"}
        or = {says = "b", field = "b", test = "exists"}
        [standard]
        ready = 'a.b and not "or"'
        """,
        Syntax.TOML,
    )
    yaml = parse_document(
        """
licet: 1
conclusions: [{id: ready, says: Ready., utility: 1}]
atoms:
  a.b: {says: a, field: a, test: exists}
  or: {says: b, field: b, test: exists}
standard:
  ready: a.b and !"or"
""".replace('!"or"', 'not "or"'),
        Syntax.YAML,
    )
    assert toml.program == yaml.program
    assert str(toml.program.of_conclusion("ready")[0]) == "a.b & !or"


FAULTS: list[tuple[Alter, str]] = [
    (drop("standard"), "routes: expected this key, or `standard` to compute them from; found neit"),
    (put("standard", value={}), "routes: expected this key, or `standard` to compute them from;"),
    (put("standard", value=None), "standard: expected an object, found null"),
    (put("standard", value="details"), 'standard: expected an object, found "details"'),
    (put("standard", "ready", value=1), "standard.ready: expected text, found 1"),
    (put("standard", "ready", value=["details"]), "standard.ready: expected text, found ["),
    (put("standard", "ready", value=""), "standard.ready: character 1: expected an atom, true, f"),
    (put("standard", "ready", value="details url"), "standard.ready: character 9: expected and, o"),
    (put("standard", "ready", value="detail"), "standard.ready: no atom is named 'detail'; did yo"),
    (put("standard", "done", value="details"), "standard.done: no conclusion has this name"),
    (put("standard", "a b", value="details"), "standard.a b: expected an identifier"),
    (drop("standard", "ready"), "standard.ready: expected a formula for each conclusion, for"),
    (put("standard", "described", value="true"), "standard.described: it holds on every realiz"),
    (put("standard", "complete", value="url and !url"), "standard.complete: it holds on no reali"),
    (
        put("standard", "complete", value="details and cwe"),
        "standard.complete: expected it to hold only where that of the weaker 'ready' does; it"
        " holds, and that does not, with details, cwe true and every other atom false",
    ),
    (put("routes", value=None), "routes: expected an object, found null"),
    (put("routes", value={}), "routes.described: expected at least one route"),
    (put("order", value=[["described", "no"]]), "order: no conclusion is named 'no'"),
    (
        put("order", value=[["described", "ready"], ["ready", "described"]]),
        "order: expected no cycle, found one through 'described'",
    ),
    (put("constraints", value=[["url"], ["!url"]]), "constraints: "),
    (put("constraints", value=[["link"]]), "constraints.0: no atom is named 'link'"),
]


@pytest.mark.parametrize(("alter", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_named_with_its_place(alter: Alter, message: str) -> None:
    content = copy.deepcopy(unrouted())
    alter(content)
    with pytest.raises(DocumentError) as caught:
        build_document(content, "p.json")
    assert str(caught.value).startswith(f"p.json: {message}")
    assert "\n" not in str(caught.value)


def test_the_schema_takes_either() -> None:
    import json

    validator = jsonschema.Draft202012Validator(json.loads(program_schema()))
    for content in (ADVISORY, stated(), unrouted()):
        validator.validate(content)
    assert not validator.is_valid(altered(drop("routes")))
    assert not validator.is_valid(unrouted(ready=""))
    assert not validator.is_valid(unrouted(**{"a b": "details"}))


def test_a_document_of_the_greatest_size_is_answered_in_time() -> None:
    longest = " or ".join(["details"] * 900)
    assert len(longest) < 10_000 < PROGRAM_LIMITS.size
    assert build_document(unrouted(described=longest)).program == build_document(unrouted()).program
