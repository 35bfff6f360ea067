"""What docs/standards.md shows, run: its Python, its program, its commands and what they print."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from tests.bindings.commands import licet, write
from tests.bindings.programs import EXAMPLES

PAGE = EXAMPLES.parent / "docs" / "standards.md"
TEXT = PAGE.read_text("utf-8")
COMMANDS = re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", TEXT)


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 10


@pytest.mark.parametrize(
    ("command", "shown", "exit_code"),
    [(*shown, code) for shown, code in zip(COMMANDS, (0, 1), strict=True)],
)
def test_the_commands_of_the_page(
    command: str, shown: str, exit_code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (document,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    (by_hand,) = re.findall(r'`("ready": \[\[.*?\]\])`', TEXT, re.DOTALL)
    content = json.loads(document)
    write(tmp_path / "standard.json", content)
    routes = {"described": [["details"]], **json.loads(f"{{{by_hand}}}")}
    write(tmp_path / "by_hand.json", {**content, "routes": routes})
    monkeypatch.chdir(tmp_path)
    result = licet(*command.split())
    assert (result.exit_code, result.stderr) == (exit_code, "")
    assert result.stdout == shown
