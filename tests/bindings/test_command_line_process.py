"""The command line as a process of its own: pipes, terminals and encodings."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.bindings.programs import ADVISORY, EXAMPLES, RECORD

PROGRAM = EXAMPLES / "recalls" / "program.json"
RECORDS = EXAMPLES / "recalls" / "records"
COMMAND = [sys.executable, "-c", "from licet_bindings.command_line import main; main()"]


def licet(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


def test_standard_output_holds_json_alone() -> None:
    done = licet("review", PROGRAM, RECORDS, "--json")
    assert done.returncode == 0
    assert done.stderr == b""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(list(RECORDS.glob("*.json")))
    assert done.stdout.isascii()


@pytest.mark.slow
def test_the_same_input_gives_the_same_output() -> None:
    arguments = ("review", PROGRAM, RECORDS, "--json", "--policy", "random", "--seed", 3)
    one = licet(*arguments, PYTHONHASHSEED="1")
    other = licet(*arguments, PYTHONHASHSEED="2")
    assert one.stdout == other.stdout


def test_no_input_gives_help_and_no_traceback() -> None:
    done = licet()
    assert b"Usage: " in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [("review", PROGRAM, RECORDS, "--json"), ("schema",), ("--help",)]
)
def test_a_reader_that_leaves_ends_it_quietly(arguments: tuple[object, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    finally:
        os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b""


def test_output_that_cannot_be_written_is_one_message() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "check", str(PROGRAM)],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert done.returncode == 2
    assert done.stderr == b"licet: standard output cannot be written: No space left on device\n"


@pytest.mark.slow
def test_an_encoding_without_the_characters_is_no_error(tmp_path: Path) -> None:
    program = tmp_path / "prógram.json"
    program.write_text(json.dumps(ADVISORY), encoding="utf-8")
    records = tmp_path / "récords"
    records.mkdir()
    (records / "naïve.json").write_text(json.dumps(RECORD), encoding="utf-8")
    (records / "ü.json").write_text("[]", encoding="utf-8")
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for options in ((), ("--json",)):
        done = licet("review", program, records, *options, **ascii_only)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr
        assert b"expected a JSON object, found a list" in done.stderr
        assert b"complete" in done.stdout


def test_a_bar_is_drawn_on_a_terminal_alone() -> None:
    main, terminal = pty.openpty()
    try:
        process = subprocess.Popen(
            [*COMMAND, "review", str(PROGRAM), str(RECORDS), "--json"],
            stdout=subprocess.PIPE,
            stderr=terminal,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )
    finally:
        os.close(terminal)
    with process, os.fdopen(main, "rb", buffering=0) as shown, ThreadPoolExecutor(1) as reader:
        drawn = reader.submit(read_to_the_end, shown)
        output, _ = process.communicate(timeout=120)
        assert b"reviewing" in drawn.result(timeout=120)
    assert process.returncode == 0
    assert len([json.loads(line) for line in output.splitlines()]) == len(
        list(RECORDS.glob("*.json"))
    )


def read_to_the_end(terminal: BinaryIO | RawIOBase) -> bytes:
    parts = []
    # A terminal that its last writer has closed reports an error in place of the end.
    with suppress(OSError):
        while part := terminal.read(10_000):
            parts.append(part)
    return b"".join(parts)


def test_a_table_in_a_pipe_keeps_each_record_on_one_line() -> None:
    done = licet("review", PROGRAM, RECORDS)
    rows = done.stdout.decode().splitlines()
    assert len(rows) == 1 + len(list(RECORDS.glob("*.json"))) + 2


@pytest.mark.slow
def test_hostile_programs_end_in_a_message(tmp_path: Path) -> None:
    texts = {
        "deep.json": '{"a":' * 150_000,
        "deep.toml": "a = " + "[" * 150_000,
        "deep.yaml": "[" * 150_000,
        "number.json": '{"budget": 1e999999999999999999}',
        "laughs.yaml": "a: &a [x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        done = licet("check", path)
        assert done.returncode == 2, name
        assert done.stderr.startswith(b"licet: "), name
        assert done.stderr.count(b"\n") == 1, name


@pytest.mark.slow
def test_a_closed_or_full_output_is_one_message() -> None:
    for command, code in (
        ('"$@" check examples >&-', 2),
        ('"$@" --help >/dev/full', 2),
    ):
        done = subprocess.run(
            ["sh", "-c", command, "sh", *COMMAND], capture_output=True, check=False, timeout=120
        )
        assert done.returncode == code
        assert done.stderr.startswith(b"licet: standard output cannot be written")
        assert done.stderr.count(b"\n") == 1
