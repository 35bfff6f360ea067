"""Records from files, folders and JSON Lines; one that cannot be read does not stop the others."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.documents import read_document
from licet_bindings.errors import DocumentError
from licet_bindings.records.reading import (
    ReadRecord,
    UnreadableRecord,
    display,
    open_records,
    parse_record,
    read_record,
)
from tests.bindings.programs import EXAMPLES


def read(path: Path) -> list[ReadRecord | UnreadableRecord]:
    return list(open_records(path))


def problem(data: bytes | str) -> str:
    found = parse_record(data, "r")
    assert isinstance(found, UnreadableRecord)
    return f"{found.place}: {found.problem}" if found.place else found.problem


def test_a_record_is_a_json_object(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"a": [1, 1.5, null, true, "é"]}', encoding="utf-8")
    assert read_record(path) == {"a": [1, 1.5, None, True, "é"]}
    records = open_records(path)
    assert records.single
    assert records.total == 1
    assert list(records) == [ReadRecord(str(path), {"a": [1, 1.5, None, True, "é"]})]


FAULTS: dict[str | bytes, str] = {
    "": "expected a JSON document, found nothing",
    "[]": "expected a JSON object, found a list",
    "[{}]": "expected a JSON object, found a list",
    "null": "expected a JSON object, found no object",
    "1": "expected a JSON object, found no object",
    '{"a": 1}\n{"a": 2}': "line 2, column 1: not JSON: extra data",
    '{"a": NaN}': "a: expected a finite number, found NaN",
    '{"a": [1, {"b": -Infinity}]}': "a.1.b: expected a finite number, found -Infinity",
    '{"a": 1e400}': "a: expected a finite number, found 1e400",
    '{"a": 1%s}' % ("0" * 5000): "a: expected a number of at most 1,000 digits",
    '{"a": 1, "a": 1}': 'expected each key once, found "a" twice',
    '{"a": {"b": [{"c": 1, "c": 2}]}}': 'a.b.0: expected each key once, found "c" twice',
    '{"a": ' * 100_000: "expected lists and objects nested less deeply",
    '{"a": ' * 300 + "1" + "}" * 300: "a.a.a",
    b'{"a": "\xff"}': "expected UTF-8 text, found the byte 0xff at 7",
    b"\xff\xfe{\x00}\x00": "expected UTF-8 text, found UTF-16",
    b'{"a": "\x00"}': "expected text, found a NUL character at 7",
    b"\x1f\x8b\x08": "expected UTF-8 text, found the byte 0x8b at 1",
}


@pytest.mark.parametrize("data", FAULTS, ids=range(len(FAULTS)))
def test_what_is_no_record_is_named(data: str | bytes) -> None:
    assert problem(data).startswith(FAULTS[data])


def test_a_lone_surrogate_is_left_to_the_predicates() -> None:
    found = parse_record(r'{"a": "\ud800", "b": 1}')
    assert isinstance(found, ReadRecord)


def test_a_byte_order_mark_is_taken() -> None:
    assert parse_record('{"a": 1}'.encode("utf-8-sig")) == ReadRecord("record", {"a": 1})


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_text_raises(data: bytes | str) -> None:
    assert isinstance(parse_record(data), ReadRecord | UnreadableRecord)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=5))
def test_what_json_writes_is_read_back(record: dict[str, object]) -> None:
    found = parse_record(json.dumps(record))
    assert isinstance(found, ReadRecord)
    assert json.dumps(found.content) == json.dumps(record)


def test_a_folder_with_one_bad_record_gives_the_others(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"a": 1, "a": 2}', encoding="utf-8")
    for name in ("c.json", "a.JSON"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    (tmp_path / "d.json").mkdir()
    (tmp_path / "e.json").symlink_to(tmp_path / "gone.json")
    found = read(tmp_path)
    assert [Path(record.name).name for record in found] == [
        "a.JSON",
        "b.json",
        "c.json",
        "d.json",
        "e.json",
    ]
    assert [isinstance(record, ReadRecord) for record in found] == [True, False, True, False, False]
    assert found[1] == UnreadableRecord(
        str(tmp_path / "b.json"), "", 'expected each key once, found "a" twice'
    )
    assert open_records(tmp_path).total == 5
    assert not open_records(tmp_path).single


@pytest.mark.parametrize("suffix", ["jsonl", "ndjson", "JSONL"])
def test_json_lines_are_read_line_by_line(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"records.{suffix}"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\n{"a": \n{"a": "x\xe2\x80\xa8y"}\n  \n[]\n{"a": 2}')
    found = read(path)
    assert [record.name for record in found] == [f"{path}:{n}" for n in (1, 3, 4, 6, 7)]
    assert [r.content for r in found if isinstance(r, ReadRecord)] == [
        {"a": 1},
        {"a": "x\u2028y"},
        {"a": 2},
    ]
    assert [r.problem for r in found if isinstance(r, UnreadableRecord)] == [
        "column 7: not JSON: expecting value",
        "expected a JSON object, found a list",
    ]


def test_a_line_too_long_is_reported_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from licet_bindings.records import reading
    from licet_bindings.strict import Limits

    monkeypatch.setattr(reading, "RECORD_LIMITS", Limits(20, 10, 100, surrogates=True))
    path = tmp_path / "records.jsonl"
    path.write_text('{"a": 1}\n{"b": "%s"}\n{"c": 3}\n' % ("x" * 100), encoding="utf-8")
    found = read(path)
    assert [record.name.rpartition(":")[2] for record in found] == ["1", "2", "3"]
    assert isinstance(found[1], UnreadableRecord)
    assert found[1].problem == "expected a record of at most 20 bytes"
    assert found[2] == ReadRecord(f"{path}:3", {"c": 3})


def test_places_without_records_are_errors(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n", encoding="utf-8")
    for path, message in (
        (tmp_path, "expected a folder of files that end in .json, found none"),
        (empty, "expected one JSON object a line, found none"),
        (tmp_path / "gone.jsonl", "cannot be read: No such file or directory"),
    ):
        folder = tmp_path / "folder"
        folder.mkdir(exist_ok=True)
        with pytest.raises(DocumentError, match=message):
            read(folder if path == tmp_path else path)
    with pytest.raises(DocumentError, match="cannot be read: No such file"):
        read_record(tmp_path / "gone.json")
    assert isinstance(read(tmp_path / "gone.json")[0], UnreadableRecord)


def test_a_file_name_that_is_no_text_can_be_shown() -> None:
    name = display(os.fsdecode(b"r\xff.json"))
    assert name == "r\\xff.json"
    assert name.encode("utf-8")


def test_every_bundled_record_is_read() -> None:
    for folder in EXAMPLES.glob("*/records"):
        assert all(isinstance(record, ReadRecord) for record in read(folder))


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    (tmp_path / "c.json").symlink_to("/dev/zero")
    found = read(tmp_path)
    assert found[1] == ReadRecord(str(tmp_path / "b.json"), {})
    for record in (found[0], found[2]):
        assert isinstance(record, UnreadableRecord)
        assert record.problem == "cannot be read: expected a regular file"
    with pytest.raises(DocumentError, match="cannot be read: expected a regular file"):
        read_document(tmp_path / "a.json")


def test_a_record_that_is_named_may_be_a_pipe() -> None:
    reader, writer = os.pipe()
    os.write(writer, b'{"a": 1}')
    os.close(writer)
    try:
        assert read_record(f"/dev/fd/{reader}") == {"a": 1}
    finally:
        os.close(reader)


def test_a_byte_order_mark_is_taken_on_the_first_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\xef\xbb\xbf{"a": 2}\n')
    first, second = read(path)
    assert isinstance(first, ReadRecord)
    assert second == UnreadableRecord(
        f"{path}:2", "", "expected no byte order mark after the first line"
    )


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(DocumentError, match="expected a path, found an empty text"):
        open_records("")
