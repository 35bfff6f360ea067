"""What the documentation shows, run: docstrings, the README's programs and its commands."""

import doctest
import importlib
import json
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

import licet
import licet_bindings
import licet_kernels
import licet_proofs
from licet_bindings.command_line import app
from licet_bindings.documents import parse_document

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PACKAGES = (licet, licet_kernels, licet_proofs, licet_bindings)


def modules(package: ModuleType) -> list[str]:
    walked = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [package.__name__, *(found.name for found in walked if not found.name.endswith("__"))]


@pytest.mark.parametrize("name", [name for package in PACKAGES for name in modules(package)])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_in_docstrings() -> None:
    names = [name for package in (licet, licet_bindings) for name in modules(package)]
    finder = doctest.DocTestFinder()
    found = [test for name in names for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) > 20


def test_the_program_in_python_of_the_readme() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 10


def test_the_document_of_the_readme_can_be_checked_and_reviewed(tmp_path: Path) -> None:
    (text,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    assert parse_document(text).budget == 10
    program, record = tmp_path / "advisory.json", tmp_path / "record.json"
    program.write_text(text)
    record.write_text(json.dumps({"details": "text", "references": [{"type": "ADVISORY"}]}))
    for command in (["check", str(program)], ["review", str(program), str(record)]):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    assert "[triage] is reported" in result.output


@pytest.mark.slow
def test_the_commands_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    commands = re.findall(r"^\.venv/bin/licet (.*)$", README, re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        result = CliRunner().invoke(app, command.split())
        assert result.exit_code == 0, (command, result.output)


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], ids=str)
def test_links_to_files_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name}: {target}"
