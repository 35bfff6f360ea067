"""The command line through Typer's runner: what is printed, where, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from licet_bindings.documents import commit_document, read_document
from licet_bindings.reviewing import review_record
from licet_bindings.schema import program_schema
from tests.bindings.commands import licet, lines, write
from tests.bindings.programs import (
    ADVISORY,
    DOMAINS,
    EXAMPLES,
    RECORD,
    altered,
    drop,
    put,
)

REVIEW_KEYS = (
    "record program_sha256 conclusion conclusions authorized atoms routes unresolved spent budget"
    " ended errors utility implied attestations rejected retractions expired suspension"
    " candidates"
).split()


def test_one_record_as_json(program: Path, record: Path) -> None:
    result = licet("review", program, record, "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    (found,) = lines(result)
    assert list(found) == REVIEW_KEYS
    assert found == {
        "record": str(record),
        "program_sha256": commit_document(read_document(program)).sha256,
        "conclusion": "complete",
        "conclusions": ["complete"],
        "authorized": ["described", "ready", "complete"],
        "atoms": {
            "details": "true",
            "reviewed": "true",
            "severity": "true",
            "advisory": "unknown",
            "url": "unknown",
            "cwe": "true",
            "withdrawn": "false",
            "recent": "true",
        },
        "routes": {"complete": ["details", "reviewed", "severity", "cwe", "!withdrawn", "recent"]},
        "unresolved": {},
        "spent": 6,
        "budget": 20,
        "ended": "stopped",
        "errors": [],
        "utility": 100,
        "implied": [],
        "attestations": [],
        "rejected": [],
        "retractions": [],
        "expired": [],
        "suspension": None,
        "candidates": {},
    }


def test_what_is_missing_and_what_is_blocked(program: Path, tmp_path: Path) -> None:
    bare = write(tmp_path / "bare.json", {**RECORD, "published": "soon", "withdrawn": "2021"})
    (found,) = lines(licet("review", program, bare, "--json", "--policy", "in-order"))
    assert found["conclusion"] == "ready"
    assert found["routes"] == {"ready": ["details", "reviewed", "severity"]}
    blocked = {"missing": [], "blocked": ["!withdrawn", "recent"], "repairable": []}
    assert found["unresolved"] == {"complete": blocked}
    assert found["errors"] == [
        {
            "kind": "unavailable",
            "check": "recent",
            "atom": "recent",
            "reason": "the text is not an ISO 8601 date",
        }
    ]
    (short,) = lines(licet("review", program, bare, "--json", "--budget", "2.5", "--no-complete"))
    assert short["budget"] == 2.5
    assert short["spent"] == 2
    assert short["unresolved"]["ready"]["missing"] == ["reviewed", "severity"]


def test_abstention_is_null(program: Path, tmp_path: Path) -> None:
    (found,) = lines(licet("review", program, write(tmp_path / "r.json", {}), "--json"))
    assert found["conclusion"] is None
    assert found["conclusions"] == found["authorized"] == []
    assert found["routes"] == {}
    assert list(found["unresolved"]) == ["described", "ready", "complete"]


def test_one_record_for_people(program: Path, record: Path) -> None:
    result = licet("review", program, record)
    assert result.exit_code == 0
    assert result.stdout.startswith("AUTHORIZED FINDINGS\n[complete] is reported: ")
    assert 'cwe "a weakness identifier exists", established by check cwe' in result.stdout
    assert "spent: 6 of 20 calls; ended: stopped" in result.stdout


def test_a_folder_with_one_bad_record(program: Path, folder: Path) -> None:
    result = licet("review", program, folder, "--json")
    assert result.exit_code == 2
    found = lines(result)
    assert [line["record"] for line in found] == [str(folder / f"{x}.json") for x in "abc"]
    assert [line["conclusion"] for line in found] == ["complete", None, None]
    assert all(list(line) == REVIEW_KEYS for line in found)
    problem = "details: expected a finite number, found NaN"
    assert found[1]["errors"] == [
        {"kind": "unreadable", "check": None, "atom": None, "reason": problem}
    ]
    assert found[1]["ended"] is None
    assert set(found[1]["atoms"].values()) == {"unknown"}
    assert found[1]["spent"] == 0
    assert result.stderr == f"licet: {folder / 'b.json'}: {problem}\n"


def test_a_folder_for_people(program: Path, folder: Path) -> None:
    result = licet("review", program, folder)
    assert result.exit_code == 2
    rows = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert rows[:3] == [
        ["record", "conclusion", "spent", "next", "missing", "blocked"],
        ["a.json", "complete", "6/20"],
        ["b.json", "(not", "read)"],
    ]
    assert rows[3][:4] == ["c.json", "(none)", "1/20", "described"]
    assert rows[3][-1] == "details"
    assert rows[4] == "3 records: 1 complete, 1 (not read), 1 (none)".split()


def test_json_lines(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\nnothing\n\n{{}}\n", encoding="utf-8")
    result = licet("review", program, path, "--json")
    assert result.exit_code == 2
    assert [(line["record"], line["conclusion"]) for line in lines(result)] == [
        (f"{path}:1", "complete"),
        (f"{path}:2", None),
        (f"{path}:4", None),
    ]


def test_one_record_that_cannot_be_read(program: Path, tmp_path: Path) -> None:
    result = licet("review", program, tmp_path / "gone.json", "--json")
    assert result.exit_code == 2
    (found,) = lines(result)
    assert found["errors"][0]["reason"] == "cannot be read: No such file or directory"
    silent = licet("review", program, tmp_path / "gone.json")
    assert silent.exit_code == 2
    assert silent.stdout == ""
    assert silent.stderr.count("\n") == 1


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("policy", ["guided", "ceiling", "random", "in-order"])
def test_the_examples_give_what_the_library_gives(domain: str, policy: str) -> None:
    path = EXAMPLES / domain / "program.json"
    result = licet(
        "review", path, EXAMPLES / domain / "records", "--policy", policy, "--seed", 5, "--json"
    )
    assert result.exit_code == 0
    document = read_document(path)
    for found in lines(result):
        content = json.loads(Path(found["record"]).read_text(encoding="utf-8"))
        outcome = review_record(document, content, policy=policy, seed=5).outcome
        assert found["conclusions"] == list(outcome.conclusions)
        assert found["spent"] == outcome.spent


def test_check_as_json(program: Path) -> None:
    result = licet("check", program, "--json")
    assert result.exit_code == 0
    assert lines(result) == [
        {
            "kind": "program",
            "program_sha256": commit_document(read_document(program)).sha256,
            "valid": True,
            "cheapest": {"described": 1, "ready": 2, "complete": 6},
            "sufficient_budget": 7,
            "constraints": 0,
            "texts": {},
            "candidates": {},
            "routes": ADVISORY["routes"],
            "routes_computed": False,
            "standard": {},
            "findings": [],
        }
    ]


def test_check_for_people(program: Path) -> None:
    result = licet("check", program)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        "cheapest route of each conclusion, in calls:",
        "  described: 1",
        "  ready: 2",
        "  complete: 6",
        "sufficient budget: 7",
    ]


def test_costs_that_are_not_whole(tmp_path: Path) -> None:
    content = altered(put("checks", "first_reference", "cost", value=0.25))
    (found,) = lines(licet("check", write(tmp_path / "p.json", content), "--json"))
    assert found["cheapest"] == {"described": 1, "ready": 1.25, "complete": 6}
    assert found["sufficient_budget"] == 6.25


def findings(content: object, tmp_path: Path) -> dict[str, str]:
    result = licet("check", write(tmp_path / "p.json", content), "--json")
    assert result.exit_code == 0
    (found,) = lines(result)
    assert found["valid"]
    people = licet("check", tmp_path / "p.json").stdout
    for finding in found["findings"]:
        assert f"  {finding['place']}: {finding['problem']}\n" in people
    return {finding["place"]: finding["problem"] for finding in found["findings"]}


def test_check_finds_what_is_worth_a_look(tmp_path: Path) -> None:
    def alter(content: dict[str, Any]) -> None:
        content["request"] = "Is it [ready]?"
        content["conclusions"][1]["says"] = "x" * 201
        content["atoms"]["url"]["says"] = ""
        content["budget"] = 4
        content["atoms"]["spare"] = {"says": "spare", "field": "a", "test": "exists"}
        content["atoms"]["other"] = {"says": "other", "field": "b", "test": "exists"}
        content["checks"]["useless"] = {"settles": ["spare", "other"]}

    found = findings(altered(alter), tmp_path)
    assert list(found) == [
        "request",
        "conclusions.1.says",
        "atoms.url.says",
        "atoms.spare",
        "atoms.other",
        "checks.useless",
        "routes.complete",
    ]
    assert found["request"].startswith("a report withholds this sentence")
    assert found["atoms.spare"] == "no route needs this atom"
    assert found["checks.useless"] == "no route needs an atom that it settles"
    assert found["routes.complete"] == "the cheapest route costs 6, more than the budget of 4"


def test_a_cost_that_is_not_proven_to_be_the_least_is_said(tmp_path: Path) -> None:
    draw = Random(0)
    names = [f"a{index}" for index in range(60)]
    exists = {"says": "it is there", "field": "a", "test": "exists"}
    content = {
        "licet": 1,
        "conclusions": [{"id": "all", "says": "All are there.", "utility": 1}],
        "atoms": dict.fromkeys(names, exists),
        "routes": {"all": [names]},
        # Each atom is settled by about six checks, so there are many covers of nearly equal size.
        "checks": {f"call{i}": {"settles": sorted(draw.sample(names, 6))} for i in range(60)},
    }
    assert "overlap too much" in findings(content, tmp_path)["routes.all"]


def test_no_budget_is_known_to_suffice_without_a_chain(tmp_path: Path) -> None:
    content = altered(put("order", value=[["described", "ready"], ["described", "complete"]]))
    assert list(findings(content, tmp_path)) == ["order"]
    (found,) = lines(licet("check", tmp_path / "p.json", "--json"))
    assert found["sufficient_budget"] is None
    assert "sufficient budget: not known\n" in licet("check", tmp_path / "p.json").stdout


def test_a_program_that_is_not_valid(tmp_path: Path) -> None:
    path = write(tmp_path / "p.json", altered(drop("atoms", "withdrawn")))
    message = f"licet: {path}: routes.complete.0: no atom is named 'withdrawn'\n"
    as_json = licet("check", path, "--json")
    assert as_json.exit_code == 2
    assert lines(as_json) == [
        {
            "kind": None,
            "program_sha256": None,
            "valid": False,
            "cheapest": {},
            "sufficient_budget": None,
            "constraints": 0,
            "texts": {},
            "candidates": {},
            "routes": {},
            "routes_computed": False,
            "standard": {},
            "findings": [{"place": "routes.complete.0", "problem": "no atom is named 'withdrawn'"}],
        }
    ]
    assert as_json.stderr == message
    for command in (("check", path), ("review", path, path), ("review", path, path, "--json")):
        result = licet(*command)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


BAD_OPTIONS = [
    (("--budget", "-1"), "licet: --budget: expected a number of at least 0, found -1\n"),
    (("--budget", "nan"), "licet: --budget: expected a number of calls, such as 8, 2.5 or"),
    (("--budget", "1e9"), "licet: --budget: expected at most 9 digits before the decimal"),
    (("--budget", "9" * 41), "licet: --budget: expected a number whose exact fraction has at mo"),
    (("--policy", "best"), "licet: --policy: expected one of guided, ceiling, blind, locator, r"),
    (("--seed", "x"), "Usage: "),
    (("--unknown",), "Usage: "),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS, ids=[str(o) for o, _ in BAD_OPTIONS])
def test_bad_options(options: tuple[str, ...], message: str, program: Path, record: Path) -> None:
    result = licet("review", program, record, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(message)


def test_bad_places(program: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n")
    for arguments, message in (
        (("check", tmp_path / "gone.json"), "cannot be read: No such file or directory"),
        (("check", tmp_path), "expected a file name that ends in one of .json"),
        (("check", binary), "expected UTF-8 text, found the byte 0x89 at 0"),
        (("review", program, empty), "expected a folder of files that end in .json, found none"),
        (("review", program, tmp_path / "gone.jsonl"), "cannot be read: No such file or directo"),
        (("review", program, binary), "expected UTF-8 text, found the byte 0x89 at 0"),
    ):
        result = licet(*arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_name_cannot_steer_the_terminal(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    write(folder / "a\x1b[2J\n.json", [])
    write(folder / "[bold]b.json", RECORD)
    result = licet("review", program, folder)
    assert "\x1b" not in result.output
    assert r"a\x1b[2J\n.json" in result.stdout
    assert "[bold]b.json" in result.stdout


def test_schema_prints_the_schema() -> None:
    result = licet("schema")
    assert result.exit_code == 0
    assert result.stdout == program_schema()


@pytest.mark.parametrize("command", ["review", "check", "schema"])
def test_every_command_has_an_example_in_its_help(command: str) -> None:
    result = licet(command, "--help")
    assert result.exit_code == 0
    assert f"\n    licet {command}" in result.stdout
    assert command in licet("--help").stdout
