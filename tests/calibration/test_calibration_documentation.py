"""What docs/calibration.md shows, run: Python, commands, the claim and the picture."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from licet_bindings.calibration.documents import read_calibration
from licet_bindings.calibration.features import FEATURES
from tests.bindings.commands import licet
from tests.calibration.generated import EXAMPLES

ROOT = EXAMPLES.parents[1]
PAGE = ROOT / "docs" / "calibration.md"
TEXT = PAGE.read_text("utf-8")
COMMANDS = re.findall(r"```console\n\$ licet (.*)\n((?s:.*?))```", TEXT)


def test_the_python_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 8


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_the_commands_of_the_page(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = licet(*command.split())
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == shown


def test_all_three_commands_are_on_the_page() -> None:
    assert [command.split()[1] for command, _ in COMMANDS] == ["fit", "report", "apply"]


def test_the_claim_of_the_page_is_the_first_of_the_example() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    first, *_ = (EXAMPLES / "claims.jsonl").read_text().splitlines()
    assert json.loads(shown) == json.loads(first)


def test_the_page_names_every_feature() -> None:
    for name in FEATURES:
        assert f"`features.{name}`" in TEXT


def test_the_calibration_of_the_examples_is_what_is_fitted_on_them(tmp_path: Path) -> None:
    output, picture = tmp_path / "calibration.json", tmp_path / "reliability.svg"
    result = licet(
        "calibrate", "fit", EXAMPLES / "claims.jsonl", "--output", output, "--picture", picture
    )
    assert result.exit_code == 0, result.stderr
    published = read_calibration(EXAMPLES / "calibration.json")
    fitted = read_calibration(output)
    # Another machine's linear algebra may differ in the last digits.
    features = json.loads((EXAMPLES / "candidate.json").read_text())["claims"]
    for claim in features.values():
        ours = published.calibration.predict(claim["features"])
        assert fitted.calibration.predict(claim["features"]) == pytest.approx(ours, abs=1e-6)
    assert fitted.calibration.chosen == published.calibration.chosen
    assert words(ROOT / "docs" / "pictures" / "reliability.svg") == words(picture)


def words(picture: Path) -> list[str]:
    return re.findall(r"<!-- (.*?) -->", picture.read_text("utf-8"))
