"""What docs/gate.md and docs/candidates.md show, run: Python, commands, documents, pictures."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from licet import DecisionKind, Gate
from licet_bindings.command_line import app
from licet_bindings.gate.documents import parse_candidate
from licet_bindings.schema import candidate_schema
from licet_bindings.syntax import Syntax
from tests.gate_bindings.candidates import EXAMPLES

ROOT = EXAMPLES.parents[1]
GATE = ROOT / "docs" / "gate.md"
CANDIDATES = ROOT / "docs" / "candidates.md"
COMMANDS = [
    found
    for page in (GATE, CANDIDATES)
    for found in re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", page.read_text("utf-8"))
]


def test_the_python_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(GATE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 10


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_the_commands_of_the_page(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(app, command.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == shown


def test_there_are_commands_on_the_page() -> None:
    assert {command.split()[0] for command, _ in COMMANDS} == {"check", "gate", "plan", "regimes"}


def test_the_agent_of_the_page_is_the_one_that_runs() -> None:
    (shown,) = re.findall(r"```python\n(def .*?)```", GATE.read_text("utf-8"), re.DOTALL)
    assert shown in (EXAMPLES / "agent.py").read_text("utf-8")


def test_the_documents_of_the_page() -> None:
    text = CANDIDATES.read_text("utf-8")
    (as_json,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (as_toml,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    stated, bare = parse_candidate(as_json), parse_candidate(as_toml, Syntax.TOML)
    assert bare.candidate.failure_modes == stated.candidate.failure_modes
    assert Gate(stated.candidate, budget=4).decide().kind is DecisionKind.VERIFY
    assert Gate(bare.candidate, budget=0).decide().kind is DecisionKind.ABSTAIN


def test_the_page_names_every_key() -> None:
    text = CANDIDATES.read_text("utf-8")
    schema = json.loads(candidate_schema())
    shapes = [schema, *schema["$defs"].values()]
    for key in {key for shape in shapes for key in shape["properties"]}:
        assert re.search(rf"`([a-z_*]+\.)*{re.escape(key)}`", text), key


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("regimes", "regimes --error 0.28 --reliability 0.95 --cost 0.1"),
        ("plan", "plan examples/gate/invoice.json"),
    ],
)
def test_the_pictures_of_the_page_say_what_is_drawn_now(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    path = tmp_path / f"{name}.svg"
    result = CliRunner().invoke(app, [*command.split(), "--picture", str(path)])
    assert result.exit_code == 0, result.stderr
    published = ROOT / "docs" / "pictures" / f"{name}.svg"
    # Outlines may differ between versions of matplotlib; what they say may not.
    assert words(published) == words(path)


def words(picture: Path) -> list[str]:
    return re.findall(r"<!-- (.*?) -->", picture.read_text("utf-8"))
