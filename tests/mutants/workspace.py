"""Prepares the folder in which mutmut works: the core without its contracts, and the tests.

mutmut leaves a decorated function alone, and most of the core's functions carry contracts. So it
is given a copy in which they are taken away. That is the harder test: a contract can only help to
notice a mutant, and here the tests have to do without. `@property` is written as an assignment
after the method, for the same reason.
"""

import ast
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
CORE: Final = ROOT / "core" / "licet"
CONTRACTS: Final = frozenset({"require", "ensure"})
PROPERTIES: Final = frozenset({"property", "cached_property"})

# The same few examples every time; a failure is not made smaller, for nobody looks at it.
CONFTEST: Final = """\
from hypothesis import Phase, settings

settings.register_profile(
    "mutants",
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile("mutants")
"""

CONFIGURATION: Final = """\
[tool.mutmut]
source_paths = ["licet"]
only_mutate = [{modules}]
also_copy = ["conftest.py"]
pytest_add_cli_args_test_selection = [{tests}]
pytest_add_cli_args = ["-m", "not slow", "--hypothesis-profile=mutants", "-p", "no:cacheprovider"]
timeout_multiplier = 8.0
timeout_constant = 1.0
track_dependencies = false
use_git_change_detection = false

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
addopts = ["-ra", "--import-mode=importlib"]
markers = ["slow: takes more than a second or two"]
"""


def without_contracts(source: str) -> str:
    """Return a module's source without its contracts, and with no method decorated as property."""
    lines = source.splitlines(keepends=True)
    ends: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            kind = decorator.id if isinstance(decorator, ast.Name) else ""
            is_property = kind in PROPERTIES
            if is_property or _is_contract(decorator):
                assert decorator.end_lineno is not None
                for line in range(decorator.lineno - 1, decorator.end_lineno):
                    lines[line] = ""
            if is_property:
                assert node.end_lineno is not None
                indent = " " * node.col_offset
                ends.append((node.end_lineno, f"\n{indent}{node.name} = {kind}({node.name})\n"))
    for line, text in ends:
        lines[line - 1] += text
    return "".join(lines)


def _is_contract(decorator: ast.expr) -> bool:
    return (
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Name)
        and decorator.func.id in CONTRACTS
    )


def prepare(folder: Path, modules: Sequence[str], tests: Sequence[str]) -> None:
    """Fill `folder` with the core without contracts, the tests and mutmut's configuration."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CORE, folder / "licet", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (folder / "licet").glob("*.py"):
        file.write_text(without_contracts(file.read_text("utf-8")), "utf-8")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    (folder / "tests" / "conftest.py").unlink()
    (folder / "tests" / "mutants" / "test_run.py").unlink()
    (folder / "pyproject.toml").write_text(
        CONFIGURATION.format(
            modules=", ".join(f'"licet/{module}.py"' for module in modules),
            tests=", ".join(f'"{test}"' for test in tests),
        ),
        "utf-8",
    )
