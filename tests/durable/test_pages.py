"""Every byte of a ledger's file is looked at: none can be changed without being found."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from benchmarks.durability.flips import BENEATH, BESIDE, LOG, SHARES, Figures, draw, run_chunk
from benchmarks.durability.regions import Region, regions
from benchmarks.durability.trials import CHAIN, flipped, found_by
from benchmarks.durability.written import WRITERS, closed_and_open, write
from licet_bindings.durable import file_pictures
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.file_pictures import Picture, take_picture
from licet_bindings.durable.pages import Check, examine, picture_faults
from licet_bindings.durable.sqlite_schema import PAGE_SIZE
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.durable.write_ahead import read_log

WRITER = """
import sys
from random import Random
from benchmarks.durability.written import write
from licet_bindings.durable.sqlite_store import SqliteStore
with SqliteStore.open(sys.argv[1]) as store:
    print(flush=True)
    while True:
        write(store, 1, Random())
"""
HOLDER = """
import fcntl, os, sys
handle = os.open(sys.argv[1], os.O_RDWR)
try:
    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
except OSError:
    print("held")
else:
    print("free")
"""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Picture, Picture]:
    return closed_and_open(tmp_path_factory.mktemp("ledger") / "ledger", 25, 7)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger"
    with SqliteStore.open(path) as store:
        write(store, 2, Random(1))
    return path


def run(code: str, path: Path) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def checks(picture: Picture) -> set[Check]:
    return {fault.check for fault in picture_faults(picture, WRITERS)}


def test_a_sound_ledger_has_no_faults(pictures: tuple[Picture, Picture]) -> None:
    closed, opened = pictures
    assert not closed.log
    assert opened.log
    assert found_by(closed, WRITERS) is None
    assert found_by(opened, WRITERS) is None


def test_a_ledger_without_entries_has_no_faults(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    with SqliteStore.open(path):
        assert examine(path, WRITERS) == ()
    assert examine(path, WRITERS) == ()


def test_flips_anywhere_are_found(pictures: tuple[Picture, Picture]) -> None:
    drawn = tuple(draw(*pictures, 240, Random(11)))
    figures = Figures()
    figures.add(run_chunk(*pictures, drawn, 11, 0, len(drawn)))
    assert figures.missed == []
    assert figures.found.total() == 240
    assert {where for where, _ in figures.found} == set(SHARES)
    # What the entries hold is for their digests; the rest for everything but them.
    assert figures.found["anywhere in the file", CHAIN] > 50
    assert all(
        where in ("anywhere in the file", BESIDE) for where, by in figures.found if by == CHAIN
    )
    assert {by for where, by in figures.found if where == LOG} == {Check.LOG}
    assert {by for where, by in figures.found if where == BENEATH} == {Check.BENEATH}


@pytest.mark.parametrize("mask", [0x01, 0x80])
def test_every_byte_of_the_header_and_of_the_schema_is_looked_at(
    pictures: tuple[Picture, Picture], mask: int
) -> None:
    closed, _ = pictures
    for place in range(100):
        assert checks(flipped(closed, place, mask)) == {Check.HEADER}, place
    places = [at for at, region in enumerate(regions(closed.file)) if region == Region.SCHEMA]
    assert len(places) > 250
    for place in (*range(100, 120), *places[::7]):
        assert checks(flipped(closed, place, mask)) == {Check.SCHEMA}, place


def test_a_flip_in_bytes_that_no_query_reads_is_found(pictures: tuple[Picture, Picture]) -> None:
    closed, _ = pictures
    unused = [at for at, region in enumerate(regions(closed.file)) if region == Region.UNUSED]
    place = unused[-1]
    picture = flipped(closed, place, 0x41)
    (fault,) = picture_faults(picture, WRITERS, "books")
    page, at = divmod(place, PAGE_SIZE)
    assert fault.place == f"books: page {page + 1}"
    assert fault.problem == f"byte {at}: expected 0x00, found 0x41"
    assert (fault.page, fault.check) == (page + 1, Check.BYTES)
    assert not fault.may_be_torn


def test_a_writer_that_no_entry_names_is_a_fault(pictures: tuple[Picture, Picture]) -> None:
    closed, _ = pictures
    (fault,) = picture_faults(closed, frozenset({3_039_000}))
    (known,) = WRITERS
    assert fault.check is Check.HEADER
    assert fault.problem == f"expected one that an entry names (3039000), found {known}"


def test_a_ledger_of_which_no_entry_names_its_writer_has_one_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    SqliteStore.open(path).close()
    assert examine(path, frozenset()) == ()
    picture = take_picture(path)
    (fault,) = picture_faults(flipped(picture, 97, 0x10), frozenset())
    assert fault.check is Check.HEADER


def test_pages_added_or_taken_away_are_found(pictures: tuple[Picture, Picture]) -> None:
    file = pictures[0].file
    assert checks(Picture(file + bytes(PAGE_SIZE), b"", 0)) == {Check.HEADER}
    assert checks(Picture(file[:-PAGE_SIZE], b"", 0)) == {Check.HEADER}
    assert checks(Picture(file[:-1], b"", 0)) == {Check.HEADER}
    assert checks(Picture(b"", b"", 0)) == {Check.HEADER}
    counted = (len(file) // PAGE_SIZE + 1).to_bytes(4, "big")
    grown = file[:28] + counted + file[32:] + bytes(PAGE_SIZE)
    assert checks(Picture(grown, b"", 0)) == {Check.BYTES}


@pytest.mark.parametrize(
    "change",
    [
        "CREATE INDEX named ON entries (name)",
        "CREATE TABLE more (text)",
        "CREATE TRIGGER late AFTER INSERT ON entries BEGIN SELECT 1; END",
        "DELETE FROM entries WHERE sequence = 3",
        "UPDATE entries SET sequence = 900 WHERE sequence = 3",
        "UPDATE entries SET body = zeroblob(300) WHERE sequence = 3",
    ],
)
def test_what_was_done_by_other_means_is_found(ledger: Path, change: str) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute(change)
    assert found_by(take_picture(ledger), WRITERS) is not None


def test_a_deleted_last_entry_leaves_other_bytes(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute(
            "DELETE FROM entries WHERE sequence = (SELECT max(sequence) FROM entries)"
        )
    assert [fault.check for fault in examine(ledger, WRITERS)] == [Check.BYTES]


def test_a_rollback_journal_is_a_fault(ledger: Path) -> None:
    Path(f"{ledger}-journal").write_bytes(b"x")
    (fault,) = examine(ledger, WRITERS)
    assert fault.check is Check.JOURNAL


def test_a_log_that_is_cut_off_may_be_torn(pictures: tuple[Picture, Picture]) -> None:
    _, opened = pictures
    frame = 24 + PAGE_SIZE
    for cut in (1, PAGE_SIZE, frame - 1, frame + 1):
        (fault,) = picture_faults(opened._replace(log=opened.log[:-cut]), WRITERS)
        assert fault.check is Check.LOG
        assert fault.may_be_torn
    more = opened._replace(log=opened.log + opened.log[32 : 32 + frame])
    (fault,) = picture_faults(more, WRITERS)
    assert fault.problem.startswith(f"byte {len(opened.log)}: {frame} bytes lie behind")


def test_a_flip_early_in_a_log_says_how_much_it_hides(pictures: tuple[Picture, Picture]) -> None:
    _, opened = pictures
    frames = (len(opened.log) - 32) // (24 + PAGE_SIZE)
    (fault, *_) = picture_faults(flipped(opened, len(opened.file) + 32 + 24 + 500, 1), WRITERS)
    assert f"there were {frames} more" in fault.problem


def test_every_byte_of_the_logs_headers_is_looked_at(pictures: tuple[Picture, Picture]) -> None:
    _, opened = pictures
    for place in range(32 + 24):
        picture = flipped(opened, len(opened.file) + place, 0x10)
        assert Check.LOG in checks(picture), place


def test_the_files_own_header_is_looked_at_beneath_a_log_that_has_another(ledger: Path) -> None:
    with SqliteStore.open(ledger) as store:
        store.append(Draft(None, 0, Kind.REVIEW, "", bytes(3 * PAGE_SIZE), "long"))
        picture = take_picture(ledger)
    assert 1 in read_log(picture.log, PAGE_SIZE).latest
    assert checks(picture) == set()
    for place in range(100):
        assert checks(flipped(picture, place, 0x01)) == {Check.BENEATH}, place


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("mode", ["none", "PASSIVE", "TRUNCATE", "RESTART"])
def test_what_is_written_while_the_file_is_read_leaves_the_picture_whole(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, when: str, mode: str
) -> None:
    with (
        SqliteStore.open(ledger) as store,
        closing(sqlite3.connect(ledger, isolation_level=None)) as other,
    ):
        write(store, 1, Random(4))
        hooks = 0

        def read(handles: file_pictures._Handles, path: str) -> bytes:
            nonlocal hooks
            hooks += 1
            content = handle_read(handles, path) if when == "after" else b""
            if hooks == 1:
                write_more()
            return content or handle_read(handles, path)

        def write_more() -> None:
            large = Draft(None, 0, Kind.REVIEW, "", bytes(3 * PAGE_SIZE), "large")
            store.append(large)
            if mode != "none":
                other.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
            if mode != "PASSIVE":
                # In the log alone, which is begun anew for it where all was taken into the file.
                write(store, 1, Random(5))

        handle_read = file_pictures._Handles.read
        monkeypatch.setattr(file_pictures._Handles, "read", read)
        picture = take_picture(ledger)
        assert hooks
        assert found_by(picture, WRITERS) is None


def test_pages_copied_in_part_are_no_fault(pictures: tuple[Picture, Picture]) -> None:
    _, opened = pictures
    frame = 24 + PAGE_SIZE
    last: dict[int, bytes] = {}
    for start in range(32, len(opened.log), frame):
        page = int.from_bytes(opened.log[start : start + 4], "big")
        last[page] = opened.log[start + 24 : start + frame]
        at = (page - 1) * PAGE_SIZE
        if at <= len(opened.file):
            copied = opened.file[:at] + last[page] + opened.file[at + PAGE_SIZE :]
            assert picture_faults(opened._replace(file=copied), WRITERS) == ()


def test_nothing_is_changed_and_nothing_left_behind(ledger: Path) -> None:
    with SqliteStore.open(ledger) as store:
        write(store, 1, Random(2))
        before = state(ledger)
        assert len(before) == 3
        assert examine(ledger, WRITERS) == ()
        assert state(ledger) == before
    before = state(ledger)
    assert len(before) == 1
    assert examine(ledger, WRITERS) == ()
    assert state(ledger) == before


def state(ledger: Path) -> dict[str, tuple[int, str]]:
    """When each file was changed, and its digest; the ledger's own is read so as to keep locks."""
    file = take_picture(ledger).file
    return {
        path.name: (
            path.stat().st_mtime_ns,
            sha256(file if path == ledger else path.read_bytes()).hexdigest(),
        )
        for path in ledger.parent.iterdir()
    }


def test_a_folder_that_may_only_be_read_will_do(ledger: Path) -> None:
    ledger.chmod(0o444)
    ledger.parent.chmod(0o555)
    try:
        assert examine(ledger, WRITERS) == ()
    finally:
        ledger.parent.chmod(0o755)


def test_the_locks_of_a_store_in_this_process_are_kept(ledger: Path) -> None:
    with SqliteStore.open(ledger) as store:
        store.head()
        for _ in range(2):
            assert examine(ledger, WRITERS) == ()
        with run(HOLDER, ledger) as holder:
            assert holder.communicate()[0].split() == ["held"]


def test_what_is_no_file_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="it cannot be read: No such file"):
        examine(tmp_path / "none", WRITERS)
    with pytest.raises(LedgerError, match="expected a file, found a folder"):
        examine(tmp_path, WRITERS)


@pytest.fixture
def writers(ledger: Path) -> Iterator[list["subprocess.Popen[str]"]]:
    started = [run(WRITER, ledger) for _ in range(3)]
    try:
        for writer in started:
            assert writer.stdout is not None
            writer.stdout.readline()
        yield started
    finally:
        for writer in started:
            writer.kill()
            writer.communicate()


@pytest.mark.slow
def test_writers_at_work_are_no_fault(ledger: Path, writers: list["subprocess.Popen[str]"]) -> None:
    lengths = []
    ends = time.monotonic() + 3
    while time.monotonic() < ends:
        assert examine(ledger, WRITERS) == ()
        lengths.append(len(take_picture(ledger).log))
    # The log was taken into the file and begun anew meanwhile.
    assert any(after < before for before, after in pairwise(lengths))


@pytest.mark.slow
def test_killed_writers_leave_at_most_an_end_of_the_log(
    ledger: Path, writers: list["subprocess.Popen[str]"]
) -> None:
    time.sleep(0.5)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert {fault.check for fault in examine(ledger, WRITERS)} <= {Check.LOG}
    with SqliteStore.open(ledger) as store:
        write(store, 1, Random(3))
        assert {fault.check for fault in examine(ledger, WRITERS)} <= {Check.LOG}
    assert found_by(take_picture(ledger), WRITERS) is None
