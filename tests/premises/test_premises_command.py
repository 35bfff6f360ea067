"""`licet premises`, and what docs/premises.md shows, run."""

from __future__ import annotations

import doctest
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from licet import Gate
from licet_bindings.gate.documents import read_candidate
from tests.bindings.commands import licet, write
from tests.premises.worlds import EXAMPLES, ROOT

PAGE = ROOT / "docs" / "premises.md"
COMMANDS = re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", PAGE.read_text(encoding="utf-8"))
THREE = [EXAMPLES / f"{name}.json" for name in ("contracts", "action", "memories")]


PROPOSED = ("--proposals", EXAMPLES / "proposals.json", "--filter", EXAMPLES / "filter.json")


def run(*options: object) -> Result:
    return licet("premises", *THREE, *options)


def report(*options: object) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(run("--json", *options).stdout)
    return content


def test_the_python_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=flags)
    assert result.failed == 0
    assert result.attempted >= 20


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_the_commands_of_the_page(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = licet(*command.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == shown


def test_the_candidate_is_written_and_a_gate_decides_on_it(tmp_path: Path) -> None:
    output = tmp_path / "candidate.json"
    result = run(*PROPOSED, "--output", output)
    assert (result.exit_code, result.stderr) == (0, f"licet: wrote {output}\n")
    document = read_candidate(output)
    decision = Gate(document.candidate, budget=document.budget or 0).decide()
    assert (decision.kind.value, decision.verifier) == ("verify", "ask_user")
    assert licet("check", output).exit_code == 0


def test_the_report_says_all() -> None:
    content = report(
        "--proposals", EXAMPLES / "proposals.json", "--filter", EXAMPLES / "filter.json"
    )
    assert content["filtered"] == ["not_asleep"]
    assert [each["proposal"][:22] for each in content["refused"]] == [
        '{"name": "likes_texts"',
        '{"name": "no_flight_mo',
    ]
    assert content["memories"]["critical"] == [
        "number_2026_03",
        "cellular_off",
        "battery",
        "consent",
    ]
    premise = content["premises"][1]
    assert (premise["name"], premise["memory"], premise["violation"]) == (
        "cellular_is_on",
        "cellular_off",
        0.9,
    )
    assert content["no_candidate"] is None and content["extractor_failure"] is None


def test_an_extractor_is_called_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model_for_premises.py").write_text(
        "def propose(action, contracts, memories):\n"
        "    return [{'name': 'dry', 'memory': 'weather', 'dependency': 'transitive'}]\n"
        "def fail(action, contracts, memories):\n"
        "    raise ConnectionError('no model')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    content = report("--extractor", "model_for_premises:propose")
    assert content["premises"][-1]["name"] == "dry"
    output = tmp_path / "candidate.json"
    result = run("--extractor", "model_for_premises:fail", "--output", output)
    assert result.exit_code == 1
    assert "the extractor failed: ConnectionError('no model')" in result.stdout
    assert result.stderr.startswith("licet: no candidate: ")
    assert not output.exists()
    sys.modules.pop("model_for_premises")


def test_where_nothing_is_remembered_there_is_no_candidate(tmp_path: Path) -> None:
    content = json.loads((EXAMPLES / "contracts.json").read_text(encoding="utf-8"))
    del content["unremembered"]
    stated = write(tmp_path / "contracts.json", content)
    known = write(tmp_path / "memories.json", {"licet": 1, "memories": {}})
    output = tmp_path / "candidate.json"
    result = licet("premises", stated, THREE[1], known, "--output", output, "--json")
    assert result.exit_code == 1
    assert "no memory of recipient_number tells" in json.loads(result.stdout)["no_candidate"]
    assert not output.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--output", "candidate.txt"], "--output: expected a file name that ends in .json"),
        (["--output", str(THREE[0])], "--output: expected another file than"),
        (["--proposals", str(THREE[0])], "expected a list of proposals"),
        (
            ["--filter", str(THREE[0])],
            "this is the contracts of tools, not a counterf",
        ),
        (["--extractor", "nothing"], "--extractor: expected module:function"),
        (["--extractor", "os:path.join", "--proposals", "p.json"], "--extractor: expected no"),
    ],
)
def test_bad_options_end_with_2(options: list[str], message: str) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_documents_in_the_wrong_place_are_named() -> None:
    result = licet("premises", *reversed(THREE))
    assert result.exit_code == 2
    assert "this is what is remembered, not the contracts of tools" in result.stderr
    result = licet("gate", THREE[0])
    assert result.exit_code == 2 and "this is the contracts of tools" in result.stderr


def test_a_tool_that_commits_nothing_is_said_so(tmp_path: Path) -> None:
    action = write(tmp_path / "action.json", {"licet": 1, "tool": "search_contacts"})
    result = licet("premises", THREE[0], action, THREE[2])
    assert result.exit_code == 1
    assert result.stdout == "search_contacts commits nothing: no gate has to decide on it\n"


def test_what_an_extractor_says_is_shown_as_it_is(tmp_path: Path) -> None:
    """Its words are no markup of the terminal's."""
    said = ["[/nope]", {"name": "x", "dependency": "direct", "says": "[bold]really[/bold] [/]"}]
    result = run("--proposals", write(tmp_path / "proposals.json", said))
    assert result.exit_code == 0
    assert 'refused: "[/nope]": expected an object' in result.stdout
    assert "[bold]really" in result.stdout
