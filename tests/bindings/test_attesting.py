"""Attestations from files, and what `licet review` says of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import Attester, AttesterKind, AttestRequest, RetractRequest
from licet_bindings.attesting import Selected, names_of, parse_statements
from licet_bindings.documents import build_document
from licet_bindings.errors import DocumentError
from tests.bindings.evidence import FIXED, PACKAGE, PROGRAM, RETRACT, but, line
from tests.bindings.programs import Json

DOCUMENT = build_document(PROGRAM)
ALICE = Attester("alice", AttesterKind.PERSON)


def test_lines_and_a_list_say_the_same() -> None:
    by_line = parse_statements(line(PACKAGE, FIXED, RETRACT), DOCUMENT, "a")
    assert [each.asked for each in by_line] == [
        AttestRequest("package", True, "crash in libfoo", Attester("reader")),
        AttestRequest("fixed", True, "version 1.2.3", ALICE),
        RetractRequest("fixed", ALICE),
    ]
    listed = parse_statements(json.dumps([PACKAGE, FIXED, RETRACT], indent=1), DOCUMENT, "a")
    assert [each.asked for each in listed] == [each.asked for each in by_line]
    assert [each.place for each in by_line] == ["a:1", "a:2", "a:3"]
    assert [each.place for each in listed] == ["a: 0", "a: 1", "a: 2"]
    assert parse_statements("[]", DOCUMENT) == ()
    assert parse_statements(b"\xef\xbb\xbf" + line(PACKAGE).encode(), DOCUMENT)[0].record is None


FAULTS: list[tuple[Json, str]] = [
    ({}, "attester: expected this key, found none"),
    (but(PACKAGE, atom=...), "atom: expected this key, found none"),
    (but(PACKAGE, kind=...), "kind: expected this key, found none"),
    (but(PACKAGE, attester=...), "attester: expected this key, found none"),
    (but(PACKAGE, quote=...), "quote: expected this key, found none"),
    (but(PACKAGE, atom="packages"), "atom: no atom is named 'packages'; did you mean package?"),
    (but(PACKAGE, atom=1), "atom: expected text, found 1"),
    (but(PACKAGE, atom="a b"), "atom: expected an identifier"),
    (but(PACKAGE, value="true"), 'value: expected true or false, found "true"'),
    (but(PACKAGE, value=1), "value: expected true or false, found 1"),
    (but(PACKAGE, value=None), "value: expected true or false, found null"),
    (but(PACKAGE, quote=None), "quote: expected text, found null"),
    (but(PACKAGE, quote=["a"]), "quote: expected text, found ["),
    (but(PACKAGE, attester="a b"), "attester: expected an identifier"),
    (but(PACKAGE, attester=""), "attester: expected an identifier"),
    (but(PACKAGE, kind="human"), "kind: expected 'model' or 'person', found \"human\""),
    (but(PACKAGE, kind=None), "kind: expected 'model' or 'person', found null"),
    (but(PACKAGE, record=None), "record: expected text, found null"),
    (but(PACKAGE, record=7), "record: expected text, found 7"),
    (but(PACKAGE, says="x"), "says: unknown key; expected one of atom, attester, kind, quote, rec"),
    (
        but(RETRACT, quote="x"),
        "quote: unknown key; expected one of attester, kind, record, retract",
    ),
    (but(RETRACT, retract="nothing"), "retract: no atom is named 'nothing'"),
    (but(RETRACT, retract=None), "retract: expected text, found null"),
    ([], "expected an object, found []"),
    ("text", 'expected an object, found "text"'),
    (None, "expected an object, found null"),
]


@pytest.mark.parametrize(("content", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_named_with_its_line_or_place(content: Json, message: str) -> None:
    for text, place in (
        (line(PACKAGE) + "\n" + line(content), "a:3: "),
        (json.dumps([PACKAGE, content]), "a: 1"),
    ):
        with pytest.raises(DocumentError) as caught:
            parse_statements(text, DOCUMENT, "a")
        assert str(caught.value).startswith(place)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


BROKEN = [
    ("", "expected a JSON list, or one object a line, found neither"),
    ("\n \n", "expected a JSON list, or one object a line, found neither"),
    ("{", "a:1: "),
    ('{"atom": NaN}', "expected a finite number, found NaN"),
    ('{"atom": "package", "atom": "fixed"}', 'expected each key once, found "atom" twice'),
    ("[1, 2", "a: "),
    ("[[]]", "a: 0: expected an object, found []"),
    ('[{"atom": {"atom": 1, "atom": 2}}]', "expected each key once"),
    ("attestations", "a:1: "),
    ('{"a": ' * 300, "a:1: "),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_what_is_no_list_of_attestations_is_refused(text: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_statements(text, DOCUMENT, "a")
    assert message in str(caught.value)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(DocumentError, match="a: expected UTF-8 text, found the byte 0xff at 9"):
        parse_statements(b'{"atom":"\xff"}', DOCUMENT, "a")


PIECES = st.sampled_from(
    ["[", "]", "{", "}", ",", ":", "\n", '"atom"', '"package"', '"retract"', "true", "1", '"', " "]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join), st.binary()))
def test_whatever_a_file_holds_is_read_or_refused(data: str | bytes) -> None:
    try:
        assert isinstance(parse_statements(data, DOCUMENT, "a"), tuple)
    except DocumentError as fault:
        assert str(fault).startswith("a")


@pytest.mark.parametrize(
    ("record", "names"),
    [
        ("records/a.json", ("records/a.json", "a.json", "a")),
        ("a", ("a",)),
        ("d/records.jsonl:3", ("d/records.jsonl:3", "records.jsonl:3")),
        ("a.JSON", ("a.JSON",)),
    ],
)
def test_a_record_is_selected_by_its_names(record: str, names: tuple[str, ...]) -> None:
    assert names_of(record) == names


def test_statements_keep_their_order_and_what_is_left_is_known() -> None:
    stated = parse_statements(
        line(
            but(PACKAGE, record="a"),
            FIXED,
            but(RETRACT, record="records/a.json"),
            but(PACKAGE, record="b"),
            but(FIXED, record="b"),
            but(FIXED, record="c"),
        ),
        DOCUMENT,
        "f",
    )
    selected = Selected(stated)
    assert selected.of("records/a.json") == [each.asked for each in stated[:3]]
    assert selected.of("records/d.json") == [stated[1].asked]
    assert [each.place for each in selected.left] == ["f:4", "f:6"]
