"""A program, a record and a folder of records as files."""

from pathlib import Path

import pytest

from tests.bindings.commands import write
from tests.bindings.programs import ADVISORY, RECORD


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return write(tmp_path / "program.json", ADVISORY)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "record.json", RECORD)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three records, the second of which is none."""
    path = tmp_path / "records"
    path.mkdir()
    write(path / "a.json", RECORD)
    (path / "b.json").write_text('{"details": NaN}', encoding="utf-8")
    write(path / "c.json", {})
    return path
