"""The runner of mutants: what it is given, how it reads mutmut, and that its page is current."""

import ast
import json
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.run import (
    DOCUMENT,
    GROUPS,
    NEAREST,
    PROPERTIES,
    RESULTS,
    Result,
    document,
    explanations,
    function_of,
    lines_after,
    stages,
)
from tests.mutants.workspace import CORE, ROOT, without_contracts

# Not mutated: the names that the package exports.
LEFT_OUT = {"__init__"}


@pytest.mark.parametrize("file", sorted(CORE.glob("*.py")), ids=lambda file: file.stem)
def test_contracts_and_nothing_else_are_taken_away(file: Path) -> None:
    source = file.read_text("utf-8")
    before, after = (functions(text) for text in (source, without_contracts(source)))
    assert [each.name for each in before] == [each.name for each in after]
    assert [ast.dump(ast.Module(each.body, [])) for each in before] == [
        ast.dump(ast.Module(each.body, [])) for each in after
    ]
    left = {ast.unparse(decorator) for each in after for decorator in each.decorator_list}
    assert left <= {"classmethod", "staticmethod"}


def functions(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("kind", ["property", "cached_property"])
def test_a_property_stays_one(kind: str) -> None:
    source = f"class A:\n    @{kind}\n    def one(self):\n        return 1\n"
    changed = without_contracts(source)
    assert f"@{kind}" not in changed
    names: dict[str, Any] = {"cached_property": cached_property}
    exec(changed, names)
    assert names["A"]().one == 1


def test_every_module_is_in_one_group() -> None:
    listed = [name for names, _ in GROUPS for name in names]
    assert sorted(listed) == sorted({file.stem for file in CORE.glob("*.py")} - LEFT_OUT)


def test_the_nearest_tests_are_there() -> None:
    for module, tests in NEAREST.items():
        assert (CORE / f"{module}.py").exists()
        assert all((ROOT / test).exists() for test in tests)


def test_what_mutmut_calls_a_mutant() -> None:
    assert function_of("licet.ledger.x_settle__mutmut_12") == "ledger.settle"
    assert function_of("licet.ledger.xǁLedgerǁstate__mutmut_1") == "ledger.Ledger.state"
    assert function_of("licet.decisions.x__cover__mutmut_1") == "decisions._cover"
    assert lines_after("-", [" same", "-   old", "+   new"]) == "old"


def test_the_table_counts_and_scores() -> None:
    one = {"function": "m.f", "was": "a | b", "becomes": "", "status": "survived"}
    found = {"source": "00", "mutants": 4, "timeouts": 2, "survivors": [one]}
    results: dict[str, Result] = {"m": found}  # type: ignore[dict-item]
    page = document(results, {})
    assert "| m | 00 | 4 | 3 | 2 | 0 | 1 | 75.0 |" in page
    assert "| `m.f` | `` a \\| b `` | nothing | survived |" in page
    page = document(results, {("m.f", "a | b", ""): "it is the same"})
    assert "| m | 00 | 4 | 3 | 2 | 1 | 0 | 100.0 |" in page
    assert "it is the same" in page


def test_the_tests_of_a_module_are_run_first() -> None:
    assert stages("ledger", ("all",)) == [
        ["tests/mutants/test_ledger.py", *NEAREST["ledger"]],
        ("all",),
        ["all", PROPERTIES],
    ]
    assert stages("objects", ("all",))[0] == [
        "tests/core/test_objects.py",
        "tests/mutants/test_objects.py",
    ]
    assert stages("nothing", ("all",)) == [("all",), ["all", PROPERTIES]]


def test_the_page_is_that_of_the_last_run() -> None:
    assert DOCUMENT.read_text("utf-8") == document(
        json.loads(RESULTS.read_text("utf-8")), explanations()
    )


def test_nothing_is_explained_that_does_not_survive() -> None:
    found = {
        (one["function"], one["was"], one["becomes"])
        for result in json.loads(RESULTS.read_text("utf-8")).values()
        for one in result["survivors"]
    }
    assert explanations().keys() <= found
