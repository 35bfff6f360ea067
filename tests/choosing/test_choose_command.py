"""The command `licet choose`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from licet_bindings.documents import build_document, commit_document
from tests.bindings.commands import licet, write
from tests.choosing.programs import atom, content, record

BOLD = {"seen": [["a"]], "due": [["a"]], "late": [["a"]]}
RIGHT_HASH = commit_document(build_document(content())).sha256


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "right.json", content())
    write(tmp_path / "bold.json", content(routes=BOLD))
    (tmp_path / "records").mkdir()
    answers = []
    for name, level, right in (("x", 1, "seen"), ("y", 2, "due"), ("z", 3, "due"), ("o", 0, None)):
        write(tmp_path / "records" / f"{name}.json", record(level))
        answers.append({"record": name, "conclusion": right})
    write(tmp_path / "answers.json", answers)
    return tmp_path


def arguments(folder: Path, *programs: str) -> list[object]:
    return [
        "choose",
        *(folder / program for program in programs),
        "--records",
        folder / "records",
        "--answers",
        folder / "answers.json",
    ]


def test_json_has_the_choice_and_each_programs_figures(folder: Path) -> None:
    result = licet(*arguments(folder, "bold.json", "right.json"), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found["program"] == str(folder / "right.json")
    assert found["program_sha256"] == RIGHT_HASH
    assert found["records"] == 4
    bold, right = found["programs"]
    assert right["valid"] and right["admitted"] and right["findings"] == []
    score = right["score"]
    assert score["coverage"]["share"] == score["agreement"]["share"] == 0.75
    assert score["unsupported"]["records"] == 1
    assert score["unsupported"]["share"] == 0.25
    assert score["agreement_where_stated"]["share"] == pytest.approx(2 / 3)
    assert score["utility"] == 20
    assert score["disagreements"] == [
        {
            "record": "z",
            "answer": ["due"],
            "stated": ["late"],
            "supported": ["late"],
            "unsupported": ["late"],
        }
    ]
    assert {"answer": [], "stated": [], "records": 1} in score["pairs"]
    assert bold["score"]["unsupported"]["records"] == 3


def test_the_chosen_program_is_written_with_its_hash(folder: Path) -> None:
    output = folder / "chosen.json"
    result = licet(*arguments(folder, "bold.json", "right.json"), "--output", output)
    assert result.exit_code == 0
    assert f"sha256 {RIGHT_HASH}" in result.stdout
    assert json.loads(licet("check", output, "--json").stdout)["program_sha256"] == RIGHT_HASH


def test_people_see_figures_and_what_was_stated_of_which_answer(folder: Path) -> None:
    lines = licet(*arguments(folder, "right.json")).stdout.splitlines()
    (row,) = (line for line in lines if line.startswith(str(folder / "right.json")))
    assert "75.0% [30.1, 95.4]" in row
    assert [line.split() for line in lines[-4:]] == [
        ["(none)", "(none)", "1"],
        ["seen", "seen", "1"],
        ["due", "due", "1"],
        ["due", "late", "1"],
    ]


def test_a_refused_program_is_named_and_the_others_are_scored(folder: Path) -> None:
    write(folder / "broken.json", content(routes={"seen": [["nothing"]]}))
    result = licet(*arguments(folder, "broken.json", "missing.json", "right.json"), "--json")
    assert result.exit_code == 2
    assert "routes.seen.0" in result.stderr
    assert "missing.json: cannot be read" in result.stderr
    found = json.loads(result.stdout)
    assert found["program_sha256"] == RIGHT_HASH
    assert [each["valid"] for each in found["programs"]] == [False, False, True]
    assert found["programs"][0]["score"] is None
    assert found["programs"][0]["findings"][0]["place"] == "routes.seen.0"


def test_where_none_may_be_chosen_nothing_is_written(folder: Path) -> None:
    output = folder / "chosen.json"
    result = licet(*arguments(folder, "right.json"), "--max-unsupported", "0.2", "--output", output)
    assert result.exit_code == 1
    assert "none may be chosen" in result.stdout
    assert "too many unsupported" in result.stdout
    assert not output.exists()


def test_records_may_be_lines_named_by_a_field(folder: Path) -> None:
    lines = folder / "records.jsonl"
    lines.write_text(json.dumps({"id": "y", **record(2)}) + "\n", encoding="utf-8")
    command = ["choose", folder / "right.json", "--records", lines]
    command += ["--answers", folder / "answers.json"]
    assert licet(*command).exit_code == 2
    found = json.loads(licet(*command, "--key", "id", "--json").stdout)
    assert found["programs"][0]["score"]["agreement"]["share"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-unsupported", "2"], "--max-unsupported: expected a share from 0 to 1"),
        (["--max-unsupported", "few"], "--max-unsupported: expected a number"),
        (["--policy", "best"], "--policy: expected one of"),
        (["--key", "a..b"], "--key: field path"),
        (["--budget", "-1"], "--budget"),
        (["--output", "chosen.yaml"], "--output: expected a file name that ends in .json"),
    ],
)
def test_bad_options_are_named(folder: Path, options: list[str], message: str) -> None:
    result = licet(*arguments(folder, "right.json"), *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["right.json", "answers.json", "records/new.json"])
def test_nothing_that_is_read_is_written_over(folder: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    result = licet(*arguments(folder, "right.json"), "--output", folder / name)
    assert result.exit_code == 2
    assert "--output: expected" in result.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before


def test_a_record_without_an_answer_ends_it(folder: Path) -> None:
    write(folder / "records" / "new.json", {})
    result = licet(*arguments(folder, "right.json"))
    assert result.exit_code == 2
    assert "new.json: expected an answer for this record" in result.stderr


def test_where_every_program_is_refused_nothing_is_read(folder: Path) -> None:
    result = licet("choose", folder / "no.json", "--records", "nowhere", "--answers", "nowhere")
    assert result.exit_code == 2
    assert "nowhere" not in result.stderr
    assert result.stdout == ""
    command = ["choose", folder / "no.json", "--records", "nowhere", "--answers", "nowhere"]
    found = json.loads(licet(*command, "--json").stdout)
    assert (found["program"], found["records"]) == (None, 0)
    assert [each["valid"] for each in found["programs"]] == [False]


def test_what_there_is_to_look_at_in_a_program_is_shown(folder: Path) -> None:
    atoms = {**content()["atoms"], "d": atom("d")}
    write(folder / "unused.json", content(atoms=atoms))
    result = licet(*arguments(folder, "unused.json"))
    assert result.exit_code == 0
    assert f"  {folder / 'unused.json'}: atoms.d: no route needs this atom" in result.stdout
