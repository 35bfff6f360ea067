"""The pytest plugin, run as a user runs it: in a project of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.bindings.commands import write
from tests.bindings.programs import ADVISORY, EXAMPLES

PATHS = os.pathsep.join(path for path in sys.path if path)
CANDIDATE = EXAMPLES / "gate" / "high_value.json"


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    plugin = ["-p", "licet_bindings.pytest_plugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": PATHS, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_each_check_is_a_test(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY)
    done = run(tmp_path, "-v", "--licet-program", program)
    assert done.returncode == 0, done.stdout
    for name in ("valid", "reachable complete", "route complete.0", "observation details"):
        assert f"program.json::{name} PASSED" in done.stdout


@pytest.mark.slow
def test_a_fault_fails_in_one_line(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY | {"budget": 1})
    done = run(tmp_path, "--licet-program", program)
    assert done.returncode == 1
    assert f"{program}: reachable complete: not within the budget of 1" in done.stdout
    assert "Traceback" not in done.stdout
    assert "runtest" not in done.stdout


@pytest.mark.slow
def test_advice_fails_nothing_and_is_listed(tmp_path: Path) -> None:
    done = run(tmp_path, "--licet-program", CANDIDATE)
    assert done.returncode == 0, done.stdout
    assert "licet: worth a look" in done.stdout
    assert "high_value.json: reliability ask_user" in done.stdout


@pytest.mark.slow
def test_several_programs_and_a_choice_among_their_checks(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY)
    arguments = ("--licet-program", "program.json", "--licet-program", CANDIDATE, "-k", "valid")
    done = run(tmp_path, "-v", *arguments)
    assert program.is_file()
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_the_checks_are_counted_with_the_tests(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert True\n", encoding="utf-8")
    program = ("--licet-program", CANDIDATE, "--collect-only")
    listed = run(tmp_path, "-q", *program).stdout.splitlines()
    names = [line for line in listed if "::" in line]
    assert names[0] == "test_own.py::test_own"
    assert len(names) > 4
    assert any(line.startswith(f"{len(names)} tests collected") for line in listed)
    done = run(tmp_path, *program, "-k", "valid or own")
    assert f"collected {len(names)} items / {len(names) - 2} deselected / 2 selected" in done.stdout


def test_a_program_that_cannot_be_collected_is_an_error_of_its_own(tmp_path: Path) -> None:
    """A fault of the plugin is told as any fault while pytest collects, not as one of pytest."""
    broken = "import licet_bindings.own_programs as own\n\n\nown.checks_of = None\n"
    (tmp_path / "conftest.py").write_text(broken, encoding="utf-8")
    done = run(tmp_path, "--licet-program", CANDIDATE)
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "1 error during collection" in done.stdout
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_an_invalid_document_is_one_failing_test(tmp_path: Path) -> None:
    write(tmp_path / "program.json", ADVISORY | {"routes": {}})
    done = run(tmp_path, "-v", "--licet-program", "program.json")
    assert done.returncode == 1
    assert "program.json::valid FAILED" in done.stdout
    assert "1 failed" in done.stdout


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = run(tmp_path, "--licet-program", "nowhere.json")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no file is at nowhere.json" in done.stdout + done.stderr


def test_without_the_option_it_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert True\n", encoding="utf-8")
    done = run(tmp_path, "-v")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    assert "licet" not in done.stdout.partition("collected")[2]


def test_it_loads_nothing_but_pytest() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules);"
        " import licet_bindings.pytest_plugin;"
        " print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['licet_bindings']\n"


def test_the_plugin_is_an_entry_point_of_the_distribution() -> None:
    project = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"licet": "licet_bindings.pytest_plugin"}
