"""Files that commands write: never over what they read, and as a whole or not at all."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from licet import InvalidInput
from licet_bindings import outputs
from licet_bindings.outputs import OutputFile
from tests.bindings.commands import licet, write
from tests.bindings.programs import EXAMPLES, RECORD

CANDIDATE = EXAMPLES / "gate" / "invoice.json"
OLD = "an old certificate\n"


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def alias(how: str, file: Path, name: Path) -> Path:
    """Return another path of a file: itself, a link of either kind, or a way around."""
    if how == "itself":
        return file
    if how == "way around":
        return file.parent / ".." / file.parent.name / file.name
    (name.symlink_to if how == "symlink" else name.hardlink_to)(file)
    return name


ALIASES = ["itself", "way around", "symlink", "hard link"]


@pytest.mark.parametrize("how", ALIASES)
@pytest.mark.parametrize("read", ["program", "record"])
def test_certificates_are_not_written_over_what_is_read(
    how: str, read: str, program: Path, record: Path, tmp_path: Path
) -> None:
    file = program if read == "program" else record
    before = file.read_bytes()
    output = alias(how, file, tmp_path / "other")
    done = licet("review", program, record, "--certificates", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"licet: --certificates: expected another file than {file}, which is read, found {output}\n"
    )
    assert file.read_bytes() == before


@pytest.mark.parametrize("how", ALIASES)
def test_certificates_are_not_written_over_json_lines(
    how: str, program: Path, tmp_path: Path
) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text(json.dumps(RECORD) + "\n")
    output = alias(how, records, tmp_path / "other.jsonl")
    done = licet("review", program, records, "--certificates", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--certificates: expected another file" in done.stderr
    assert json.loads(records.read_text()) == RECORD


def test_what_is_no_record_may_stand_beside_records(program: Path, folder: Path) -> None:
    done = licet("review", program, folder, "--certificates", folder / "certificates.jsonl")
    assert "--certificates" not in done.stderr
    assert (folder / "certificates.jsonl").read_text()


@pytest.mark.parametrize("name", ["a.json", "new.json", "new.JSON"])
def test_certificates_are_not_written_into_the_folder_of_records(
    name: str, program: Path, folder: Path
) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    done = licet("review", program, folder, "--certificates", folder / name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--certificates: expected a file outside of {folder}, which is read" in done.stderr
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize("how", ["symlink", "hard link"])
def test_a_record_of_a_folder_is_not_written_over_by_another_name(
    how: str, program: Path, folder: Path, tmp_path: Path
) -> None:
    before = (folder / "a.json").read_bytes()
    output = alias(how, folder / "a.json", tmp_path / "other")
    done = licet("review", program, folder, "--certificates", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert (folder / "a.json").read_bytes() == before


def test_a_folder_by_another_name_is_the_folder(
    program: Path, folder: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    for read, written in ((folder, link), (link, folder)):
        done = licet("review", program, read, "--certificates", written / "new.json")
        assert done.exit_code == 2
        assert "expected a file outside of" in done.stderr
    assert names(folder) == ["a.json", "b.json", "c.json"]


def test_certificates_may_be_beside_one_record(program: Path, record: Path, tmp_path: Path) -> None:
    done = licet("review", program, record, "--certificates", tmp_path / "certificates.jsonl")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("content", [None, '{"details": NaN}', "{}\n{"])
def test_old_certificates_stay_where_nothing_could_be_reviewed(
    content: str | None, program: Path, tmp_path: Path
) -> None:
    record, old = tmp_path / "typo.json", tmp_path / "certificates.jsonl"
    if content is not None:
        record.write_text(content)
    old.write_text(OLD)
    before = names(tmp_path)
    assert licet("review", program, record, "--certificates", old).exit_code == 2
    assert old.read_text() == OLD
    assert names(tmp_path) == before


def test_old_certificates_stay_where_a_run_ends_before_its_end(
    program: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from licet_bindings import command_line

    def stopped(*arguments: object) -> object:
        raise BrokenPipeError

    old = tmp_path / "certificates.jsonl"
    old.write_text(OLD)
    before = names(tmp_path)
    monkeypatch.setattr(command_line, "record_report", stopped)
    assert licet("review", program, folder, "--certificates", old, "--json").exit_code == 141
    assert old.read_text() == OLD
    assert names(tmp_path) == before


def test_old_certificates_are_replaced_at_the_end(
    program: Path, record: Path, tmp_path: Path
) -> None:
    old, link = tmp_path / "certificates.jsonl", tmp_path / "link"
    old.write_text(OLD)
    old.chmod(0o640)
    link.symlink_to(old)
    before = names(tmp_path)
    done = licet("review", program, record, "--certificates", link)
    assert done.exit_code == 0, done.output
    assert json.loads(old.read_text())["record"] == str(record)
    assert link.is_symlink()
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert names(tmp_path) == before


REVIEW = "from licet_bindings.command_line import main; main()"


def test_certificates_go_to_standard_output_that_is_a_pipe(program: Path, record: Path) -> None:
    command = [sys.executable, "-c", REVIEW, "review", str(program), str(record), "--json"]
    done = subprocess.run(
        [*command, "--certificates", "/dev/stdout"], capture_output=True, text=True, check=True
    )
    made, report = map(json.loads, done.stdout.splitlines())
    assert (made["record"], report["record"]) == (str(record), str(record))


def test_certificates_go_to_standard_output_that_is_a_file(
    program: Path, record: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", REVIEW, "review", str(program), str(record), "--json"]
    file = tmp_path / "both"
    with file.open("wb") as output:
        subprocess.run([*command, "--certificates", "/dev/stdout"], stdout=output, check=True)
    made, report = map(json.loads, file.read_text().splitlines())
    assert (made["record"], report["record"]) == (str(record), str(record))


def test_certificates_go_to_a_device(program: Path, record: Path) -> None:
    assert licet("review", program, record, "--certificates", os.devnull).exit_code == 0
    done = licet("review", program, record, "--certificates", "/dev/full")
    assert done.exit_code == 2
    assert "--certificates: /dev/full cannot be written: No space left" in done.stderr


@pytest.mark.parametrize("how", ["symlink", "hard link"])
def test_a_picture_is_not_drawn_over_the_candidate(how: str, tmp_path: Path) -> None:
    file = tmp_path / "candidate.json"
    file.write_bytes(CANDIDATE.read_bytes())
    picture = alias(how, file, tmp_path / "plan.svg")
    done = licet("plan", file, "--picture", picture)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"licet: --picture: expected another file than {file}, which is read, found {picture}\n"
    )
    assert file.read_bytes() == CANDIDATE.read_bytes()


@pytest.mark.parametrize("how", ALIASES)
def test_results_are_not_written_over_a_program(how: str, tmp_path: Path) -> None:
    file = tmp_path / "program.json"
    file.write_bytes(CANDIDATE.read_bytes())
    output = alias(how, file, tmp_path / "other.json")
    done = licet("prove", "--program", CANDIDATE, "--program", file, "--output", output)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"--output: expected another file than {file}, which is read" in done.stderr
    assert file.read_bytes() == CANDIDATE.read_bytes()


def test_what_fails_between_two_parts_leaves_the_old_file(tmp_path: Path) -> None:
    file = write(tmp_path / "file", "old")
    with pytest.raises(KeyboardInterrupt), OutputFile(file, "--output").writing() as put:
        put(b"new")
        raise KeyboardInterrupt
    assert file.read_text() == '"old"'
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("where", ["_beside", "replace"])
def test_a_file_that_cannot_be_replaced_is_written_in_its_place(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    if where == "replace":
        monkeypatch.setattr(Path, "replace", refused)
    else:
        monkeypatch.setattr(outputs, "_beside", refused)
    file = write(tmp_path / "file", "a longer old text")
    with OutputFile(file, "--output").writing() as put:
        put(b"one ")
        put(b"two")
    assert file.read_text() == "one two"
    assert names(tmp_path) == ["file"]
    with pytest.raises(InvalidInput, match="cannot be written: Permission denied"):
        OutputFile(tmp_path / "new", "--output").write("text")
    assert names(tmp_path) == ["file"]


def test_a_terminal_that_is_read_and_written_is_no_file(program: Path) -> None:
    OutputFile(Path(os.devnull), "--output").require_apart([Path(os.devnull), program])
