"""What docs/choosing.md shows, run: its Python, its commands and what they print."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.bindings.commands import licet

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "choosing.md"
README = ROOT / "examples" / "reporting" / "README.md"
COMMANDS = [
    shown
    for page in (PAGE, README)
    for shown in re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", page.read_text("utf-8"))
]


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 12


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_the_commands(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = licet(*command.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == shown
