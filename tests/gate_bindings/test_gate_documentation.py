"""What docs/gate.md shows, run: its Python, its commands and what they print, its pictures."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from licet_bindings.command_line import app
from tests.gate_bindings.candidates import EXAMPLES

ROOT = EXAMPLES.parents[1]
GATE = ROOT / "docs" / "gate.md"
COMMANDS = re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", GATE.read_text("utf-8"))


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
    assert {command.split()[0] for command, _ in COMMANDS} == {"gate", "plan", "regimes"}


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
