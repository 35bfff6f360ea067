"""What docs/proofs.md shows, run: its Python, its program, its commands and what they print."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.bindings.commands import licet
from tests.bindings.programs import EXAMPLES

ROOT = EXAMPLES.parent
PAGE = ROOT / "docs" / "proofs.md"
TEXT = PAGE.read_text("utf-8")
COMMANDS = re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", TEXT)


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 7


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_the_commands_of_the_page(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (document,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "triage.json").write_text(document, encoding="utf-8")
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    result = licet(*command.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == shown


def test_there_are_commands_on_the_page() -> None:
    assert len(COMMANDS) == 2


def test_what_may_be_chosen_on_the_page_is_there() -> None:
    from licet_proofs.clauses import chosen, clauses

    named = re.findall(r"^licet prove --only (\S+)$", TEXT, re.MULTILINE)
    assert len(named) == 2
    assert len(chosen(named, clauses())) == 2
