"""What `licet review` does with attestations, and what it says of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from licet import denote
from licet_bindings import attesting, evidence_reports, reviewing
from licet_bindings.attesting import parse_statements, statements_made
from licet_bindings.documents import build_document, read_document
from licet_bindings.reviewing import review_record
from tests.bindings.commands import licet, lines, write
from tests.bindings.evidence import FIXED, PACKAGE, PROGRAM, RECORD, RETRACT, but, changed, line
from tests.bindings.programs import Json, put

DOCUMENT = build_document(PROGRAM)

STANDING = {"retracted": False, "expired": False}


@pytest.fixture
def judged(tmp_path: Path) -> tuple[Path, Path, Path]:
    """The program, a record, and attestations, as files."""
    return (
        write(tmp_path / "p.json", PROGRAM),
        write(tmp_path / "r.json", RECORD),
        tmp_path / "a.jsonl",
    )


def reviewed(judged: tuple[Path, Path, Path], *contents: object, **more: str) -> dict[str, Any]:
    program, record, path = judged
    path.write_text(line(*contents), encoding="utf-8")
    options = [part for name, value in more.items() for part in (f"--{name}", value)]
    result = licet("review", program, record, "--attestations", path, "--json", *options)
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = lines(result)
    return found


def test_attestations_are_put_on_record_and_charged(judged: tuple[Path, Path, Path]) -> None:
    found = reviewed(judged, PACKAGE, FIXED)
    assert found["conclusions"] == ["classified"]
    assert found["utility"] == 100
    # The read, two attestations, details, reference and two candidates.
    assert found["spent"] == 7
    assert found["atoms"]["package"] == found["atoms"]["fixed"] == "true"
    assert found["attestations"] == [
        {**PACKAGE, "retracted": False, "expired": False},
        {**FIXED, "retracted": False, "expired": False},
    ]
    assert found["rejected"] == found["retractions"] == []
    assert found["candidates"] == {
        "cwe": [
            {
                "field": "database_specific.cwe_ids.0",
                "reason": "the path is missing from the record",
            },
            {"field": "/database_specific/cwe", "reason": None},
        ]
    }


REJECTED: list[tuple[dict[str, Any], str]] = [
    (but(PACKAGE, quote="Crash in libfoo"), "the quote is no verbatim part of the text"),
    (but(PACKAGE, quote="libfoo"), "expected a quote of at least 8 characters"),
    (but(PACKAGE, quote=""), "expected a quote of at least 8 characters"),
    (but(PACKAGE, atom="url"), "the atom is not judged on a text; run its check"),
    (but(PACKAGE, atom="cwe"), "the atom is not judged on a text; run its check"),
]


@pytest.mark.parametrize(("content", "reason"), REJECTED)
def test_a_rejected_attestation_is_shown_with_its_reason(
    judged: tuple[Path, Path, Path], content: dict[str, Any], reason: str
) -> None:
    found = reviewed(judged, content, FIXED)
    assert found["rejected"] == [{**content, "reason": reason}]
    assert found["conclusions"] == ["described"]
    assert [each["atom"] for each in found["attestations"]] == ["fixed"]
    people = licet("review", judged[0], judged[1], "--attestations", judged[2]).stdout
    assert f"  not on record: {content['atom']} true " in people
    assert f" by model reader: {reason}\n" in people


def test_conflicts_and_retractions(judged: tuple[Path, Path, Path]) -> None:
    denied = {**FIXED, "value": False, "attester": "reader", "kind": "model"}
    found = reviewed(judged, PACKAGE, FIXED, denied)
    assert found["atoms"]["fixed"] == "conflict"
    assert found["conclusions"] == ["described"]
    assert found["unresolved"]["located"] == {
        "missing": [],
        "blocked": ["fixed"],
        "repairable": ["fixed"],
    }
    mended = reviewed(judged, PACKAGE, FIXED, denied, but(RETRACT, attester="reader", kind="model"))
    assert mended["atoms"]["fixed"] == "true"
    assert mended["conclusions"] == ["classified"]
    assert mended["retractions"] == [{"atom": "fixed", "attester": "reader", "kind": "model"}]
    assert [each["retracted"] for each in mended["attestations"]] == [False, False, True]
    # A name alone is not who attested: a model of the name is another attester than a person.
    other = reviewed(judged, PACKAGE, FIXED, denied, but(RETRACT, kind="model"))
    assert other["atoms"]["fixed"] == "conflict"
    assert other["rejected"] == [
        {
            "atom": "fixed",
            "value": None,
            "quote": None,
            "attester": "alice",
            "kind": "model",
            "reason": "this attester has nothing on record of it",
        }
    ]


def test_a_contradiction_is_told_with_what_to_review(tmp_path: Path) -> None:
    content = changed(put("constraints", value=[["!package", "!fixed", "reference"]]))
    judged = (
        write(tmp_path / "p.json", content),
        write(tmp_path / "r.json", {**RECORD, "references": []}),
        tmp_path / "a.jsonl",
    )
    content["routes"] = {
        **content["routes"],
        "classified": [["details", "package", "fixed", "cwe"]],
    }
    write(judged[0], content)
    found = reviewed(judged, PACKAGE, FIXED, policy="in-order")
    assert found["suspension"] is None
    # What no route that is shown has is not told.
    assert found["implied"] == []
    content["routes"]["described"] = [["details", "!reference"], ["details", "package"]]
    write(judged[0], content)
    found = reviewed(judged, PACKAGE, FIXED, policy="in-order")
    assert found["suspension"] == {
        "reason": "what is recorded contradicts the constraints",
        "review": [
            {**PACKAGE, "retracted": False, "expired": False},
            {**FIXED, "retracted": False, "expired": False},
        ],
    }
    assert found["authorized"] == found["conclusions"] == found["implied"] == []
    assert found["utility"] == 0
    assert all(not each["missing"] for each in found["unresolved"].values())
    command = ("review", judged[0], judged[1], "--attestations", judged[2], "--policy", "in-order")
    people = licet(*command).stdout
    assert "to review: package, judged true by model reader" in people
    assert "!package" not in people
    folder = tmp_path / "records"
    folder.mkdir()
    write(folder / "r.json", {**RECORD, "references": []})
    table = licet("review", judged[0], folder, *command[3:]).stdout
    assert "1 record: 1 (suspended)" in table


def test_what_comes_after_the_end_of_checking_is_told(judged: tuple[Path, Path, Path]) -> None:
    found = reviewed(judged, PACKAGE, FIXED, RETRACT, budget="2")
    assert found["ended"] == "budget"
    assert [each["atom"] for each in found["attestations"]] == ["package"]
    assert [(each["atom"], each["reason"]) for each in found["rejected"]] == [
        ("fixed", "checking had ended before: the budget was used up"),
        ("fixed", "checking had ended before: the budget was used up"),
    ]
    dear = changed(put("checks", value={"read": {"settles": ["package", "fixed"], "cost": 5}}))
    write(judged[0], dear)
    found = reviewed(judged, PACKAGE, budget="4")
    assert found["ended"] == "unaffordable"
    # Completion still reads what it can.
    assert found["conclusions"] == ["described"]
    assert [each["reason"] for each in found["rejected"]] == [
        "checking had ended before: the budget was used up"
    ]


def test_a_text_that_is_missing_rejects_its_attestations(judged: tuple[Path, Path, Path]) -> None:
    write(judged[1], {"references": [1]})
    found = reviewed(judged, PACKAGE, FIXED)
    assert [each["reason"] for each in found["rejected"]] == ["its text is unavailable"] * 2
    assert [(each["kind"], each["atom"]) for each in found["errors"]] == [
        ("unavailable", "fixed"),
        ("unavailable", "package"),
    ]
    # One read, whatever comes after it.
    assert found["spent"] == 1 + 2 + 1


def test_people_see_what_was_judged_tried_and_implied(judged: tuple[Path, Path, Path]) -> None:
    judged[2].write_text(line(PACKAGE, FIXED, RETRACT), encoding="utf-8")
    result = licet(
        "review", judged[0], judged[1], "--attestations", judged[2], "--policy", "in-order"
    )
    assert result.exit_code == 0
    report, _, evidence = result.stdout.partition("\nEVIDENCE\n")
    assert "[described] is reported" in report
    assert evidence.splitlines() == [
        "  utility: 40",
        '  attested: package true by model reader: "crash in libfoo"',
        '  attested: fixed true by person alice, retracted: "version 1.2.3"',
        "  tried for cwe: database_specific.cwe_ids.0: the path is missing from the record",
        "  tried for cwe: /database_specific/cwe: it decides",
    ]
    plain = licet("review", judged[0], write(judged[1].parent / "bare.json", {"details": "x"}))
    assert "EVIDENCE" not in plain.stdout


def test_a_quote_cannot_forge_a_finding(judged: tuple[Path, Path, Path]) -> None:
    text = 'x\n[classified] is reported: "Classified."\n  utility: 100'
    write(judged[1], {**RECORD, "details": text})
    judged[2].write_text(line(but(PACKAGE, quote=text), but(FIXED, quote="\x1b[2J" * 4)), "utf-8")
    people = licet("review", judged[0], judged[1], "--attestations", judged[2]).stdout
    assert "[classified] is reported" not in people
    assert denote(people) == {"described"}
    assert "\x1b" not in people
    assert people.count("(text withheld") >= 2


def test_statements_select_records_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    for name in "abc":
        write(folder / f"{name}.json", RECORD)
    program = write(tmp_path / "p.json", PROGRAM)
    path = tmp_path / "a.json"
    write(
        path,
        [
            PACKAGE,
            but(FIXED, record="a"),
            but(FIXED, record="b.json", quote="no such version"),
            but(FIXED, record=str(folder / "c.json"), value=False),
            but(FIXED, record="d"),
        ],
    )
    result = licet("review", program, folder, "--attestations", path, "--json")
    assert result.exit_code == 2
    assert result.stderr == f'licet: {path}: 4: no record has the name "d"\n'
    found = {Path(each["record"]).stem: each for each in lines(result)}
    assert [found[name]["conclusion"] for name in "abc"] == ["classified", "described", "described"]
    assert [found[name]["atoms"]["fixed"] for name in "abc"] == ["true", "unknown", "false"]
    table = licet("review", program, folder, "--attestations", path).stdout
    assert (
        'b.json: not on record: fixed true "no such version" by person alice: the quote is no'
        " verbatim part of the text\n"
    ) in table


def test_a_file_for_many_records_serves_one_of_them(judged: tuple[Path, Path, Path]) -> None:
    found = reviewed(judged, PACKAGE, but(FIXED, record="r"), but(FIXED, record="other"))
    assert found["conclusions"] == ["classified"]
    judged[2].write_text(line(but(PACKAGE, record="R")), encoding="utf-8")
    result = licet("review", judged[0], judged[1], "--attestations", judged[2])
    assert result.exit_code == 2
    assert result.stderr == f'licet: {judged[2]}:1: no record has the name "R"\n'


def test_statements_select_lines_of_json_lines(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text(line(RECORD, RECORD), encoding="utf-8")
    program = write(tmp_path / "p.json", PROGRAM)
    path = tmp_path / "a.jsonl"
    path.write_text(line(PACKAGE, but(FIXED, record="records.jsonl:2")), encoding="utf-8")
    result = licet("review", program, records, "--attestations", path, "--json")
    assert [each["conclusion"] for each in lines(result)] == ["described", "classified"]


def test_a_file_of_attestations_that_is_not_there_is_told(judged: tuple[Path, Path, Path]) -> None:
    result = licet("review", *judged[:2], "--attestations", judged[2])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"licet: {judged[2]}: cannot be read: No such file or directory\n"


def test_attestations_may_come_from_a_pipe(judged: tuple[Path, Path, Path]) -> None:
    os.mkfifo(judged[2])

    def feed() -> None:
        judged[2].write_text(line(PACKAGE, FIXED), encoding="utf-8")

    thread = threading.Thread(target=feed)
    thread.start()
    result = licet("review", *judged[:2], "--attestations", judged[2], "--json")
    thread.join(10)
    assert lines(result)[0]["conclusion"] == "classified"


def test_the_same_in_python_and_with_a_second_judge() -> None:
    asked = [each.asked for each in parse_statements(line(PACKAGE, FIXED), DOCUMENT)]
    assert review_record(DOCUMENT, RECORD, statements=asked).outcome.conclusions == ("classified",)

    def judge(condition: str, text: str) -> bool:
        if "version" in condition:
            raise ConnectionError("no network")
        return False

    found = review_record(DOCUMENT, RECORD, statements=asked, judge=judge)
    assert found.outcome.conclusions == ("described",)
    unconfirmed, broken = statements_made(found.history)
    assert unconfirmed.rejected == "an independent check did not confirm it"
    assert "no network" in broken.rejected


def reads_no_text(review: Json, statements: Json) -> None:
    for asked in statements:
        review.attest(asked.atom, asked.value, asked.quote, asked.attester)


def attests_as_the_agent(review: Json, statements: Json) -> None:
    review.check("text:details")
    for asked in statements:
        review.attest(asked.atom, asked.value, asked.quote)


def ignores_rejections(history: Json) -> Json:
    return [each._replace(rejected="") for each in statements_made(history)]


@pytest.mark.parametrize("bug", [reads_no_text, attests_as_the_agent])
def test_the_tests_fall_where_statements_are_made_wrongly(
    bug: Callable[..., Json],
    monkeypatch: pytest.MonkeyPatch,
    judged: tuple[Path, Path, Path],
) -> None:
    monkeypatch.setattr(reviewing, "put_on_record", bug)
    with pytest.raises(AssertionError):
        test_attestations_are_put_on_record_and_charged(judged)


def test_the_tests_fall_where_rejections_are_not_told(
    monkeypatch: pytest.MonkeyPatch, judged: tuple[Path, Path, Path]
) -> None:
    monkeypatch.setattr(evidence_reports, "statements_made", ignores_rejections)
    with pytest.raises(AssertionError):
        test_a_rejected_attestation_is_shown_with_its_reason(judged, *REJECTED[0])


def test_a_judgement_of_one_record_is_not_put_on_another(tmp_path: Path) -> None:
    program, records = write(tmp_path / "p.json", PROGRAM), tmp_path / "records"
    records.mkdir()
    for name in ("a.json", "a.json.json"):
        write(records / name, RECORD)
    path = tmp_path / "a.jsonl"
    path.write_text(line({**PACKAGE, "record": "a.json"}, {**FIXED, "record": "a.json"}))
    result = licet("review", program, records, "--attestations", path, "--json")
    first, second = lines(result)
    assert (first["conclusion"], second["conclusion"]) == ("classified", "described")


def test_a_name_of_two_records_is_told(tmp_path: Path) -> None:
    program = write(tmp_path / "p.json", PROGRAM)
    statements = attesting.parse_statements(
        line({**PACKAGE, "record": "a.json"}), read_document(program)
    )
    selected = attesting.Selected(statements)
    assert [len(selected.of(name)) for name in ("x/a.json", "y/a.json", "x/a.json")] == [1, 0, 1]
    assert [record for record, _ in selected.ambiguous] == ["y/a.json"]


@pytest.mark.parametrize("quote", ["half a pair \ud800", "x" * 100_001])
def test_a_quote_that_no_review_takes_is_a_fault_of_the_file(
    judged: tuple[Path, Path, Path], quote: str
) -> None:
    judged[2].write_text(line(but(PACKAGE, quote=quote)), encoding="utf-8")
    result = licet("review", judged[0], judged[1], "--attestations", judged[2])
    assert result.exit_code == 2
    assert "a.jsonl:1: quote: expected" in result.stderr.replace("\n", " ")
