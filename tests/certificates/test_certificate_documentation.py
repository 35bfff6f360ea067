"""docs/certificates.md says what is so: its commands run, and print what it shows."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from licet_proofs import checker
from tests.bindings.commands import licet

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")


def test_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    commands, shown = re.findall(r"```\n(.*?)\n```", TEXT, re.DOTALL)
    printed = []
    for command in commands.splitlines():
        file = str(tmp_path / "certificates.jsonl")
        program, *arguments = shlex.split(command.replace("certificates.jsonl", file))
        if program == "python3":
            done = subprocess.run(
                [sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=60
            )
            printed.append(done.stdout.replace(file, "certificates.jsonl").splitlines()[0])
        else:
            assert program == ".venv/bin/licet"
            result = licet(*arguments)
            assert result.exit_code == 0, result.output
            printed.append(result.stdout)
    review, check, once, pinned = printed
    assert "[publishable]" in review or "publishable" in review
    assert re.findall(r"[0-9a-f]{64}", check)[0] in commands
    assert once == pinned == shown


def test_its_table_names_every_key() -> None:
    table = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert table == [key.rstrip("?") for key in checker.CERTIFICATE]
    assert all(f"`{key.rstrip('?')}`" in TEXT for key in checker.EVENT)
    assert all(f"`{word}`" in TEXT for word in checker.ANSWER.pattern.split("|"))


def test_it_says_how_long_the_checker_is() -> None:
    (most,) = re.findall(r"one file of under (\d+) lines", TEXT)
    assert len(Path(checker.__file__).read_text(encoding="utf-8").splitlines()) < int(most)
