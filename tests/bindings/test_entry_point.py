"""The entry point of the command: it names the extra where a package of it is missing."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from licet_bindings.__main__ import BROUGHT
from tests.bindings.programs import EXAMPLES


def licet(setup: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; {setup}; from licet_bindings.__main__ import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def absent(*packages: str) -> str:
    return "; ".join(f"sys.modules[{package!r}] = None" for package in packages)


@pytest.mark.parametrize("package", sorted(BROUGHT))
def test_a_missing_package_ends_in_one_line_that_names_the_extra(
    package: str, tmp_path: Path
) -> None:
    document = tmp_path / "program.yaml"
    document.write_text("licet: 1")
    done = licet(absent(package), "check", str(document))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"licet: the command line needs {package}: pip install 'licet[cli]'\n")


@pytest.mark.parametrize("arguments", [["--version"], ["check", "program.json"], []])
def test_the_core_alone_ends_in_one_line(arguments: list[str]) -> None:
    done = licet(absent(*BROUGHT), *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(": pip install 'licet[cli]'\n")
    assert done.stderr.count("\n") == 1


def test_another_missing_module_is_no_missing_extra() -> None:
    done = licet("sys.modules['licet.gate'] = None", "--version")
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr
    assert "licet[cli]" not in done.stderr


def test_with_the_extra_the_command_runs() -> None:
    done = licet("pass", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("licet")


def test_the_command_begins_there_and_the_extra_brings_what_it_needs() -> None:
    project = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["scripts"]["licet"].partition(":")
    assert callable(getattr(import_module(module), function))
    assert len(project["optional-dependencies"]["cli"]) == len(BROUGHT)
