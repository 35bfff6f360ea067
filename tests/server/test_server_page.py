"""What docs/server.md shows, run."""

import doctest
import re
from pathlib import Path

import pytest

from licet_bindings.server.tools import tools_of
from tests.bindings.commands import licet
from tests.server.desks import desk

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "server.md"


def test_the_python_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 15


def test_the_page_names_every_tool_and_no_other() -> None:
    [table] = re.findall(r"\| tool \|.*?\n\n", PAGE.read_text("utf-8"), re.DOTALL)
    rows = [line.split("|")[1] for line in table.splitlines()[2:] if line]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    with desk() as it:
        assert named == {tool.name for tool in tools_of(it)}


def test_the_page_names_options_that_there_are() -> None:
    shown = licet("serve", "--help").output
    named = set(re.findall(r"`(--[a-z]+)", PAGE.read_text("utf-8"))) - {"--folder"}
    assert len(named) >= 8
    for option in named:
        assert option in shown
