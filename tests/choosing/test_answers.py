"""Known answers from files, and records with theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from licet import InvalidInput
from licet_bindings.choosing.answers import labelled_records, parse_answers, read_answers
from licet_bindings.documents import build_document, commit_document
from licet_bindings.errors import DocumentError
from licet_bindings.records.reading import ReadRecord, UnreadableRecord
from tests.choosing.programs import content

CHAIN = commit_document(build_document(content()))
FORK = commit_document(build_document(content(order=[["seen", "due"], ["seen", "late"]])))


def test_a_list_and_lines_say_the_same() -> None:
    one, other = '{"record": "x", "conclusion": "due"}', '{"record": "y", "conclusion": null}'
    expected = {"x": frozenset({"due"}), "y": frozenset[str]()}
    assert parse_answers(f"[{one}, {other}]", CHAIN) == expected
    assert parse_answers(f"{one}\r\n\n{other}\n", CHAIN) == expected


def test_weaker_conclusions_beside_stronger_ones_say_nothing() -> None:
    text = '{"record": "x", "conclusion": ["seen", "late", "due"]}'
    assert parse_answers(text, CHAIN)["x"] == {"late"}
    assert parse_answers(text, FORK)["x"] == {"late", "due"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "answers: expected at least one answer, found none"),
        ("[]", "answers: expected at least one answer, found none"),
        ("[1]", "answers: 0: expected an object with the keys record and conclusion, found 1"),
        ('{"record": "x"}', "answers:1: expected an object with the keys"),
        ('{"record": "x", "conclusion": null, "note": 1}', "answers:1: expected an object"),
        ('{"record": " ", "conclusion": null}', "answers:1: record: expected a record's name"),
        ('{"record": 1, "conclusion": null}', "answers:1: record: expected a record's name"),
        ('{"record": "x", "conclusion": []}', "answers:1: conclusion: expected null where none"),
        ('{"record": "x", "conclusion": 2}', "answers:1: conclusion: expected a conclusion, a"),
        ('{"record": "x", "conclusion": [["due"]]}', "answers:1: conclusion: expected a conclus"),
        ('{"record": "x", "conclusion": "dew"}', "answers:1: conclusion: did you mean due?"),
        ('{"record": "x", "record": "y", "conclusion": null}', "twice"),
        ('{"record": "x", "conclusion": NaN}', "answers:1"),
        ('{"record": "x", "conclusion": null', "answers:1"),
        (
            '{"record": "x", "conclusion": null}\n{"record": "x", "conclusion": null}',
            'answers:2: record: expected one answer a record, found "x" again',
        ),
        (b"\xff\xfe", "expected UTF-8 text, found UTF-16"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(text: str | bytes, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_answers(text, CHAIN)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "a\0b"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(DocumentError, match="cannot be read"):
        read_answers(tmp_path / name, CHAIN)


def test_records_are_named_by_file_or_by_a_field() -> None:
    answers = parse_answers('{"record": "x", "conclusion": "due"}', CHAIN)
    for record, key in (
        (ReadRecord("records/x.json", {}), None),
        (ReadRecord("lines.jsonl:3", {"id": {"n": "x"}}), "id.n"),
    ):
        (found,) = labelled_records([record], answers, key)
        assert (found.name, found.answer) == ("x", frozenset({"due"}))


@pytest.mark.parametrize(
    ("records", "key", "message"),
    [
        ([ReadRecord("z.json", {})], None, "z.json: expected an answer for this record"),
        ([ReadRecord("x.json", {"id": "z"})], "id", 'x.json: expected an answer for "z"'),
        ([ReadRecord("x.json", {"id": 1})], "id", "x.json: id: expected the record's name"),
        ([ReadRecord("x.json", {})], "id", "x.json: id: expected the record's name"),
        ([ReadRecord("a/x.json", {}), ReadRecord("b/x.json", {})], None, "found that of"),
        ([UnreadableRecord("x.json", "a", "expected text")], None, "x.json: a: expected text"),
    ],
)
def test_a_record_without_an_answer_of_its_own_is_refused(
    records: list[ReadRecord | UnreadableRecord], key: str | None, message: str
) -> None:
    answers = parse_answers('{"record": "x", "conclusion": "due"}', CHAIN)
    with pytest.raises(DocumentError) as caught:
        list(labelled_records(records, answers, key))
    assert message in str(caught.value)


def test_a_key_that_is_no_path_is_refused() -> None:
    with pytest.raises(InvalidInput, match="key"):
        list(labelled_records([], {}, "a..b"))
