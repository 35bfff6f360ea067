"""The checker by itself: what it accepts and refuses, what it prints, and that it stands alone."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from licet_proofs import checker
from licet_proofs.certified_by_core import could_be_issued
from tests.certificates.refusals import REFUSALS
from tests.certificates.refusals_evidence import (
    EVIDENCE_REFUSALS,
    of_program,
    without_constraints,
)
from tests.certificates.samples import CERTIFICATE, certificate
from tests.certificates.samples_evidence import ACCEPTED, evidence, suspended
from tests.certificates.samples_freshness import FRESH, FRESHNESS_REFUSALS

Json: TypeAlias = Any
SOURCE = Path(checker.__file__)
HASH = certificate()["program_sha256"]

ALL_REFUSALS = REFUSALS | EVIDENCE_REFUSALS | FRESHNESS_REFUSALS


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the checker's file, without any package that is installed here."""
    command = [sys.executable, "-I", "-S", "-W", "error", SOURCE, *arguments]
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=60, check=False
    )


def write(path: Path, *certificates: Json) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in certificates), encoding="ascii")
    return path


def test_it_is_short_and_needs_the_standard_library_alone() -> None:
    source = SOURCE.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 350
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None) or node.names[0].name]  # type: ignore[attr-defined]
    }
    assert imported <= sys.stdlib_module_names
    assert not any(getattr(node, "level", 0) for node in ast.walk(ast.parse(source)))


def test_it_runs_where_there_is_nothing_else(tmp_path: Path) -> None:
    alone = shutil.copy(SOURCE, tmp_path / "checker.py")
    file = write(tmp_path / "one.json", certificate())
    done = subprocess.run(
        [sys.executable, "-I", "-S", alone, file],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_words_for_a_certificate_that_holds(tmp_path: Path) -> None:
    file = write(tmp_path / "all.jsonl", certificate(), certificate())
    done = run(file)
    said = f"reports ['paid'] of the authorized ['paid'], program {HASH}, 9 of 9 spent"
    assert done.stdout.splitlines() == [
        f"holds: {file}:{line}: {said}, record 'order-7'" for line in (1, 2)
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reported_conclusion_that_is_not_the_strongest() -> None:
    said = checker.judged(json.dumps(lower()), set())
    assert said.startswith("reports ['paid'] of the authorized ['paid', 'ready'],")


def lower() -> Json:
    """A certificate in which `paid` was reported though `ready` was authorized."""

    def alter(made: Json) -> None:
        del made["events"][6]
        made["events"][-1:] = [{**made["events"][-1]}]
        made.update(spent="8", maximal=False, unresolved={})
        made["holding"] = {"paid": ["payment"], "ready": ["payment", "!blocked", "item"]}

    return certificate(alter)


def test_the_certificate_by_hand_is_as_it_is_read() -> None:
    assert certificate()["events"] == CERTIFICATE["events"]
    assert checker.judged(json.dumps(certificate()), {HASH})


def test_the_second_version_by_hand() -> None:
    said = checker.judged(json.dumps(evidence()), set())
    assert said.startswith("reports ['located', 'linked'] of the authorized ['described', 'located")
    assert "13 of 20 spent" in said


def test_nothing_is_authorized_where_the_ledger_contradicts_the_constraints() -> None:
    assert checker.judged(json.dumps(suspended()), set()).startswith(
        "reports [] of the authorized []"
    )


def test_what_holds_in_the_second_version() -> None:
    for made in (*ACCEPTED, *FRESH, of_program(lambda program: None), without_constraints()):
        assert could_be_issued(made)
        assert checker.judged(json.dumps(made), set())


def test_another_derivation_is_as_good() -> None:
    other = evidence(lambda c: c["closures"][2].update(known=["y", "", ""]))
    longer = evidence(lambda c: c["closures"][2].update(known=["url", "y", "", "", "x", "", ""]))
    assert all(checker.judged(json.dumps(each), set()) for each in (other, longer))


def test_a_second_judge_may_reject_what_is_quoted_rightly() -> None:
    def alter(made: Json) -> None:
        made["verified"] = True
        made["events"][3]["quote"] = "crash in libfoo"

    assert checker.judged(json.dumps(evidence(alter)), set())


def test_every_part_of_what_is_new_is_needed() -> None:
    """No event can be left out, and none of the assignments and derivations, unnoticed."""
    whole = evidence()
    free = {
        3,
        9,
        12,
    }  # what was rejected or failed, and a report: without them it is another review
    for place, event in enumerate(whole["events"]):
        changed = json.loads(json.dumps(whole))
        del changed["events"][place]
        changed["spent"] = str(13 - int(event["charged"]))
        if place in free:
            assert checker.judged(json.dumps(changed), set())
            continue
        with pytest.raises(checker.Refused):
            checker.judged(json.dumps(changed), set())


@pytest.mark.parametrize("name", ALL_REFUSALS)
def test_what_is_refused_and_where(name: str) -> None:
    refused, place = ALL_REFUSALS[name]
    with pytest.raises(checker.Refused) as raised:
        checker.judged(json.dumps(refused), set())
    code, said = raised.value.args
    assert code in (1, 2)
    assert said.partition(": ")[0].removeprefix("certificate.") == place.removeprefix(
        "certificate."
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [("another version", 2), ("an unknown key", 2), ("constraints", 1), ("another hash", 1)],
)
def test_the_exit_code_and_the_line_of_a_refusal(name: str, code: int, tmp_path: Path) -> None:
    refused, place = REFUSALS[name]
    file = write(tmp_path / "some.jsonl", certificate(), refused, certificate())
    done = run(file)
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["holds", "refused", "holds"]
    assert lines[1].startswith(f"refused: {file}:2: ")
    assert place in lines[1]
    assert (done.returncode, done.stderr) == (code, "")


def test_the_greatest_exit_code_counts(tmp_path: Path) -> None:
    false = write(tmp_path / "false", REFUSALS["another hash"][0])
    unknown = write(tmp_path / "unknown", REFUSALS["another version"][0])
    assert [run(false).returncode, run(unknown, false).returncode] == [1, 2]


def test_only_the_programs_that_are_asked_for(tmp_path: Path) -> None:
    file = write(tmp_path / "one.json", certificate())
    assert run(HASH, file).returncode == 0
    assert run("0" * 64, file, HASH).returncode == 0
    done = run("0" * 64, file)
    assert done.returncode == 1
    assert HASH in done.stdout


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"null",
        b"NaN",
        b"1" * 10_000,
        b'{"licet_certificate": 1' + b"1" * 10_000 + b"}",
        b'"\\ud800"',
        "\ufeff{}".encode(),
        json.dumps(CERTIFICATE).encode("utf-16"),
        json.dumps(certificate()).encode().replace(b"order-7", b"\xff"),
        json.dumps(certificate(), indent=1).encode(),
    ],
    ids=range(14),
)
def test_what_is_no_certificate_is_refused_without_a_traceback(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "bad"
    file.write_bytes(content)
    done = run(file)
    assert (done.returncode, done.stderr) == (2, "")
    assert all(line.startswith(f"refused: {file}:") for line in done.stdout.splitlines())
    assert done.stdout


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    good = write(tmp_path / "good", certificate())
    done = run(tmp_path, tmp_path / "missing", good)
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        "refused",
        "refused",
        "holds",
    ]
    assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.parametrize("lines", [1, 500])
@pytest.mark.parametrize("output", ["/dev/full", "a closed pipe"])
@pytest.mark.parametrize("errors", ["a pipe", "/dev/full"])
def test_what_cannot_be_told_is_no_verdict(
    output: str, errors: str, lines: int, tmp_path: Path
) -> None:
    file = write(tmp_path / "all", *[certificate()] * lines)
    reader, closed = os.pipe()
    os.close(reader)
    full = os.open("/dev/full", os.O_WRONLY)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", SOURCE, file, tmp_path / "missing"],
        stdout=full if output == "/dev/full" else closed,
        stderr=full if errors == "/dev/full" else subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(closed)
    os.close(full)
    assert done.returncode == 2
    if errors == "a pipe":
        why = "No space left on device" if output == "/dev/full" else "Broken pipe"
        (line,) = done.stderr.splitlines()
        assert line.startswith("OSError: standard output cannot be written: ")
        assert line.endswith(why)


USAGE = "usage: checker.py [SHA256 of 64 hexadecimal digits...] FILE..."


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "no file is named"),
        ([HASH], "no file is named"),
        (["--help"], "--help"),
        (["nowhere.json"], "nowhere.json"),
        ([HASH[:12]], HASH[:12]),
        ([f"sha256:{HASH}"], f"sha256:{HASH}"),
        ([HASH.upper()], HASH.upper()),
    ],
)
def test_an_operator_is_told_the_usage(arguments: list[str], named: str) -> None:
    done = run(*arguments)
    assert done.stdout == f"refused: {named}: No such file or directory: {USAGE}\n"
    assert (done.returncode, done.stderr) == (2, "")


def test_a_hash_that_is_none_lets_nothing_pass(tmp_path: Path) -> None:
    file = write(tmp_path / "one", certificate())
    done = run(f"sha256:{HASH}", file)
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["refused", "holds"]
    assert done.returncode == 2


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_certificate_in_several_lines_is_refused_once(newline: str, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps(certificate(), indent=2), encoding="ascii", newline=newline)
    done = run(file)
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"refused: {file}:1: certificate: expected JSON in one line: ")
    assert done.returncode == 2


def test_a_line_that_is_no_certificate_hides_no_other(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    line = json.dumps(certificate()) + "\n"
    file.write_text(line + "{}\n\n" + line, encoding="ascii")
    said = [each.partition(":")[0] for each in run(file).stdout.splitlines()]
    assert said == ["holds", "refused", "refused", "holds"]


def test_a_certificate_of_another_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "one.json", certificate())
    monkeypatch.setattr(checker, "SIZE", file.stat().st_size)
    assert checker.main([str(file)]) == 0
    monkeypatch.setattr(checker, "SIZE", file.stat().st_size - 1)
    assert checker.main([str(file)]) == 2
    assert "at most" in capsys.readouterr().out


def test_a_name_cannot_forge_a_line(tmp_path: Path) -> None:
    forged = certificate(lambda c: c.update(record="x'\nholds: y:1: \x1b[2J\u202e"))
    done = run(write(tmp_path / "one", forged))
    (line,) = done.stdout.splitlines()
    assert line.isascii()
    assert line.isprintable()
    assert re.match(r"holds: \S+:1: reports \['paid'\]", line)


def test_what_is_of_one_value_is_compared_by_type() -> None:
    """1 equals true in Python; in a certificate it does not."""
    for key, wrong in (("licet_certificate", True), ("maximal", 1), ("licet_certificate", 1.0)):
        with pytest.raises(checker.Refused):
            checker.judged(json.dumps({**certificate(), key: wrong}), set())
