"""The page about agents, run; and that no framework is loaded before its adapter is."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "agents.md"
FRAMEWORKS = ("pydantic_ai", "agents", "langchain", "langgraph", "openai")


@pytest.mark.slow
def test_the_page_runs() -> None:
    flags = doctest.ELLIPSIS
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert result.failed == 0
    assert result.attempted > 60


def test_the_shared_part_loads_no_framework() -> None:
    program = (
        "import sys\n"
        "import licet_bindings.agents.guard, licet_bindings.agents.spending\n"
        "import licet_bindings.agents.approvals\n"
        f"print(sorted(set(sys.modules) & set({FRAMEWORKS!r})))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout == "[]\n"
