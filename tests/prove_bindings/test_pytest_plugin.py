"""The pytest plugin, run as a user runs it: in a project of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from licet_bindings.pytest_plugin import DOCUMENTS
from licet_bindings.syntax import SUFFIXES
from tests.bindings.commands import write
from tests.bindings.programs import ADVISORY, EXAMPLES

pytestmark = pytest.mark.slow  # each starts pytest in a process of its own

PATHS = os.pathsep.join(path for path in sys.path if path)
CANDIDATE = EXAMPLES / "gate" / "high_value.json"
NAMED = "addopts = --licet-program program.json"


def configure(folder: Path, *lines: str) -> None:
    text = "\n".join(("[pytest]", "filterwarnings = error", *lines, ""))
    (folder / "pytest.ini").write_text(text, encoding="utf-8")


def run(
    folder: Path, *arguments: object, configured: bool = False, paths: str = PATHS
) -> subprocess.CompletedProcess[str]:
    if not configured:
        configure(folder)
    plugin = ["-p", "licet_bindings.pytest_plugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_check_is_a_test(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY)
    done = run(tmp_path, "-v", "--licet-program", program)
    assert done.returncode == 0, done.stdout
    for name in ("valid", "reachable complete", "route complete.0", "observation details"):
        assert f"program.json::{name} PASSED" in done.stdout


def test_a_fault_fails_in_one_line(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY | {"budget": 1})
    done = run(tmp_path, "--licet-program", program)
    assert done.returncode == 1
    # The summary is cut to the width of the terminal: what is wrong stands in what is left.
    assert "FAILED program.json::reachable complete - not within the budget of 1" in done.stdout
    assert str(program) not in done.stdout
    assert "Traceback" not in done.stdout
    assert "runtest" not in done.stdout


def test_advice_fails_nothing_and_is_listed(tmp_path: Path) -> None:
    done = run(tmp_path, "--licet-program", CANDIDATE)
    assert done.returncode == 0, done.stdout
    assert "licet: worth a look" in done.stdout
    assert "high_value.json: reliability ask_user" in done.stdout


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
    assert "FAILED program.json::valid - routes" in done.stdout
    assert "1 failed" in done.stdout


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = run(tmp_path, "--licet-program", "nowhere.json")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    said = f"ERROR: --licet-program: no file is at {tmp_path / 'nowhere.json'}\n"
    assert said in done.stdout + done.stderr
    configure(tmp_path, "licet_programs = nowhere.json")
    done = run(tmp_path, configured=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert said.replace("--licet-program", "licet_programs") in done.stdout + done.stderr


@pytest.mark.parametrize("line", [NAMED, "licet_programs = program.json"])
def test_a_program_of_the_configuration_is_found_from_every_folder(
    line: str, tmp_path: Path
) -> None:
    write(tmp_path / "program.json", ADVISORY)
    configure(tmp_path, line)
    (below := tmp_path / "below").mkdir()
    for folder in (tmp_path, below):
        done = run(folder, "-k", "valid", configured=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "1 passed" in done.stdout


def test_a_relative_path_is_first_looked_for_where_pytest_is_started(tmp_path: Path) -> None:
    write(tmp_path / "program.json", ADVISORY | {"routes": {}})
    configure(tmp_path, NAMED)
    (below := tmp_path / "below").mkdir()
    write(below / "program.json", ADVISORY)
    done = run(below, "-v", "-k", "valid", configured=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


@pytest.mark.parametrize("line", ["", NAMED, "licet_programs = program.json"])
def test_a_node_id_runs_one_check_alone(line: str, tmp_path: Path) -> None:
    write(tmp_path / "program.json", ADVISORY)
    configure(tmp_path, line)
    done = run(tmp_path, "-v", "program.json::route complete.0", configured=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "program.json::route complete.0 PASSED" in done.stdout
    assert "1 passed" in done.stdout
    done = run(tmp_path, "program.json::route none.0", configured=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "not found" in done.stdout + done.stderr


def test_a_program_that_is_named_twice_is_checked_once(tmp_path: Path) -> None:
    program = write(tmp_path / "program.json", ADVISORY)
    (tmp_path / "link.json").symlink_to(program)
    configure(tmp_path, NAMED, "licet_programs = program.json")
    for again in ("program.json", program, "link.json"):
        for asked in (".", "program.json"):
            done = run(tmp_path, asked, "--licet-program", again, "-k", "valid", configured=True)
            assert done.returncode == 0, done.stdout + done.stderr
            assert "1 passed" in done.stdout


def test_workers_check_a_program_once(tmp_path: Path) -> None:
    write(tmp_path / "program.json", ADVISORY)
    configure(tmp_path, NAMED)
    done = run(tmp_path, "-p", "xdist", "-n", "2", "-k", "valid or auth", configured=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_a_package_around_a_program_is_not_imported(tmp_path: Path) -> None:
    (package := tmp_path / "package").mkdir()
    (package / "__init__.py").write_text("raise ValueError('imported')\n", encoding="utf-8")
    program = write(package / "program.json", ADVISORY)
    done = run(tmp_path, "--licet-program", program, "-k", "valid")
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_the_extra_it_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    write(tmp_path / "program.json", ADVISORY)
    (hidden := tmp_path / "hidden").mkdir()
    raises = "raise ModuleNotFoundError('No module named pydantic', name='pydantic')\n"
    (hidden / "pydantic.py").write_text(raises, encoding="utf-8")
    paths = os.pathsep.join((str(hidden), PATHS))
    done = run(tmp_path, "--licet-program", "program.json", paths=paths)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    said = "ERROR: licet: checking programs needs pydantic; install the extra: "
    assert f"{said}pip install 'licet[cli]'\n" in done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr
    # Others may have node ids in files of these kinds; without the extra they are theirs alone.
    done = run(tmp_path, "program.json::valid", paths=paths)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "not found" in done.stdout + done.stderr


def test_the_kinds_of_documents_are_those_that_are_read() -> None:
    assert set(SUFFIXES) == DOCUMENTS


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
