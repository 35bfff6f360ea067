"""`licet calibrate`: exit codes, what is printed and written, and what is refused before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from licet_bindings.calibration import commands
from licet_bindings.calibration.documents import read_calibration
from licet_bindings.calibration.evaluating import evaluated
from licet_bindings.calibration.pictures import draw_reliability
from tests.bindings.commands import licet
from tests.calibration.generated import EXAMPLES, known, lines, names, text

CLAIMS = EXAMPLES / "claims.jsonl"
HELD_OUT = EXAMPLES / "held_out.jsonl"
CALIBRATION = EXAMPLES / "calibration.json"
CANDIDATE = EXAMPLES / "candidate.json"
SMALL = lines(names("family", 4), 12)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.jsonl"
    path.write_text(text(SMALL))
    return path


@pytest.fixture
def useless(tmp_path: Path) -> Path:
    """Claims whose raw confidence is right: nothing can be better on average."""
    content = json.loads(json.dumps(SMALL))
    for place, each in enumerate(content):
        each["wrong"] = place % 4 == 0
        each["features"]["confidence"] = 0.75
        each["features"]["source"] = "user"
    path = tmp_path / "useless.jsonl"
    path.write_text(text(content))
    return path


def test_it_is_fitted_written_measured_and_applied(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "calibration.json"
    result = licet("calibrate", "fit", small, "--output", output, "--json")
    assert result.exit_code == 0, result.stderr
    said: dict[str, Any] = json.loads(result.stdout)
    document = read_calibration(output)
    assert said["calibration_sha256"] == document.sha256
    assert said["calibrator"] == document.calibration.chosen
    assert said["findings"] == []
    assert set(said["families"]) == set(names("family", 4))
    for measure in ("ece", "brier", "nll"):
        held_out = said["held_out"]
        assert held_out["calibrated"][measure] < held_out["raw"][measure]
    assert f"wrote {output}, sha256 {document.sha256}" in result.stderr
    again = tmp_path / "again.json"
    assert licet("calibrate", "fit", small, "--output", again).exit_code == 0
    assert again.read_bytes() == output.read_bytes()
    report = licet("calibrate", "report", output, HELD_OUT, "--json")
    assert report.exit_code == 0
    assert json.loads(report.stdout)["claims"] == len(HELD_OUT.read_text().splitlines())


def test_a_calibration_that_does_not_help_is_not_written(useless: Path, tmp_path: Path) -> None:
    output = tmp_path / "calibration.json"
    result = licet("calibrate", "fit", useless, "--output", output, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["findings"]
    assert "no better than raw confidence on held-out families: NLL is" in result.stderr
    assert f"{output} was not written; --even-if-worse writes it all the same" in result.stderr
    assert not output.exists()
    insisted = licet("calibrate", "fit", useless, "--output", output, "--even-if-worse")
    assert insisted.exit_code == 1
    read_calibration(output)


def test_a_report_says_what_is_left_out_and_what_does_not_help(
    useless: Path, tmp_path: Path
) -> None:
    result = licet("calibrate", "report", CALIBRATION, CLAIMS)
    assert result.exit_code == 2
    assert "expected claims of families that the calibration was not fitted on" in result.stderr
    both = tmp_path / "both.jsonl"
    both.write_text(CLAIMS.read_text() + HELD_OUT.read_text())
    result = licet("calibrate", "report", CALIBRATION, both, "--json")
    assert result.exit_code == 0
    said = json.loads(result.stdout)
    assert said["left_out"] == len(CLAIMS.read_text().splitlines())
    alone = licet("calibrate", "report", CALIBRATION, HELD_OUT, "--json")
    assert said["held_out"] == json.loads(alone.stdout)["held_out"]
    assert licet("calibrate", "report", CALIBRATION, useless).exit_code == 1


def test_errors_are_filled_into_a_candidate(tmp_path: Path) -> None:
    output = tmp_path / "filled.json"
    result = licet("calibrate", "apply", CALIBRATION, CANDIDATE, "--output", output, "--json")
    assert result.exit_code == 0
    errors = {each["claim"]: each["error"] for each in json.loads(result.stdout)["claims"]}
    filled = json.loads(output.read_text())
    assert errors == {name: each["error"] for name, each in filled["claims"].items()}
    assert licet("gate", output, "--json").exit_code == 0
    printed = licet("calibrate", "apply", CALIBRATION, CANDIDATE, "--output", "-")
    assert printed.stdout == output.read_text()


def test_errors_are_filled_into_claims_and_what_was_never_seen_is_told(small: Path) -> None:
    first, *rest = json.loads(json.dumps(SMALL))
    first["features"]["source"] = "a rumour"
    small.write_text(text([first, *rest]))
    result = licet("calibrate", "apply", CALIBRATION, small, "--output", "-")
    assert result.exit_code == 0
    written = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(0.01 <= each["error"] <= 0.99 for each in written)
    assert [{**each, "error": 0} for each in [first, *rest]] == [
        {**each, "error": 0} for each in written
    ]
    expected = f"{first['claim']}: in no claim that was fitted on, so it weighs nothing: source"
    assert expected in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fit", CLAIMS, "--output", CLAIMS), "--output: expected another file than"),
        (("fit", CLAIMS, "--picture", "a.txt"), "--picture: expected a name that ends in .svg"),
        (("fit", CLAIMS, "--output", "no/such/folder"), "--output: no/such/folder cannot be"),
        (("fit", CANDIDATE), "expected a file name that ends in one of .jsonl, .ndjson"),
        (("apply", CANDIDATE, CLAIMS), "this is a gate candidate, not a calibration"),
        (("apply", CALIBRATION, CALIBRATION), "this is a calibration, not a gate candidate"),
        (("apply", CALIBRATION, CLAIMS, "--output", "-", "--json"), "--json: expected no --output"),
        (("apply", CALIBRATION, CANDIDATE, "--output", CALIBRATION), "--output: expected another"),
        (("report", CALIBRATION, "missing.jsonl"), "missing.jsonl: cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[object, ...], message: str) -> None:
    result = licet("calibrate", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda each: each.update(family="only"), "at least 4 families, found 1 (only)"),
        (lambda each: each.update(wrong=True), "of those that are not, found none"),
        (lambda each: each.update(wrong=False), "of those that are wrong, found none"),
        (lambda each: each.pop("wrong"), "small.jsonl:1: wrong: expected this key, found none"),
        (lambda each: each["features"].pop("age"), "small.jsonl:1: features.age: expected this"),
        (lambda each: each["features"].update(age=float("nan")),
         "small.jsonl:1: features.age: expected a finite number, found NaN"),
    ],
)  # fmt: skip
def test_claims_that_cannot_be_fitted_are_one_line_and_exit_code_2(
    change: Any,  # noqa: ANN401
    message: str,
    small: Path,
    tmp_path: Path,
) -> None:
    content = json.loads(json.dumps(SMALL))
    for each in content:
        change(each)
    small.write_text(text(content))
    output = tmp_path / "calibration.json"
    result = licet("calibrate", "fit", small, "--output", output)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith(f"licet: {small}")
    assert len(result.stderr.splitlines()) == 1
    assert not output.exists()


def test_without_the_extra_what_to_install_is_said(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    result = licet("calibrate", "fit", small)
    assert result.exit_code == 2
    assert "needs betacal, sklearn, threadpoolctl; install the extra" in result.stderr
    assert "pip install 'licet[calibrate]'" in result.stderr
    assert licet("calibrate", "apply", CALIBRATION, CANDIDATE).exit_code == 0


def test_a_feature_that_names_the_family_is_told(small: Path) -> None:
    content = json.loads(json.dumps(SMALL))
    for each in content:
        each["features"]["attribute"] = each["family"]
    small.write_text(text(content))
    result = licet("calibrate", "fit", small)
    assert "features.attribute: each word is of one family alone" in result.stderr


def test_the_picture_is_the_same_each_time(tmp_path: Path) -> None:
    claims = known(SMALL)
    evaluation = evaluated(claims, [0.3] * len(claims))
    for name in ("one.svg", "other.svg", "one.png"):
        draw_reliability(evaluation, tmp_path / name)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "other.svg").read_bytes()
    ElementTree.fromstring(one)
    assert b"raw confidence, ECE" in one
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_the_command_draws(tmp_path: Path) -> None:
    picture = tmp_path / "reliability.svg"
    result = licet("calibrate", "report", CALIBRATION, HELD_OUT, "--picture", picture)
    assert result.exit_code == 0
    assert f"wrote {picture}" in result.stderr
    assert b"4 held-out families" in picture.read_bytes()
