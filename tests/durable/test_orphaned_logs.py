"""A log whose file is gone holds entries that were acknowledged: nothing new takes its place."""

import shutil
from pathlib import Path

import pytest

from licet import InvalidInput
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.importing import import_ledger
from licet_bindings.durable.jsonl import entry_line
from licet_bindings.durable.sqlite_store import SqliteStore


def draft(name: str) -> Draft:
    return Draft(None, 0, Kind.GATE, "2026-11-30T12:00:00Z", b"{}", name)


@pytest.fixture
def orphan(tmp_path: Path) -> Path:
    """The path of a ledger whose file was moved away while its entries were in its log."""
    path = tmp_path / "a.licet"
    with SqliteStore.open(path) as store:
        store.append(draft("a"))
        shutil.copy(f"{path}-wal", tmp_path / "log")
    path.rename(tmp_path / "moved.licet")
    shutil.copy(tmp_path / "log", f"{path}-wal")
    return path


@pytest.mark.parametrize("is_empty", [False, True])
def test_no_ledger_is_begun(orphan: Path, is_empty: bool) -> None:
    if is_empty:
        orphan.touch()
    log = Path(f"{orphan}-wal").read_bytes()
    with pytest.raises(LedgerError, match=r"its log \(-wal\) is there"):
        SqliteStore.open(orphan)
    assert Path(f"{orphan}-wal").read_bytes() == log


@pytest.mark.parametrize("is_whole", [False, True])
def test_no_ledger_is_imported(orphan: Path, tmp_path: Path, is_whole: bool) -> None:
    with SqliteStore.open(tmp_path / "b.licet") as store:
        line = entry_line(store.append(draft("b")))
    lines = tmp_path / "b.jsonl"
    lines.write_text(line if is_whole else line.replace('"b"', '"c"'))
    log = Path(f"{orphan}-wal").read_bytes()
    with pytest.raises(InvalidInput, match="of a ledger that is gone"):
        import_ledger(lines, orphan)
    assert Path(f"{orphan}-wal").read_bytes() == log
    assert not orphan.exists()
