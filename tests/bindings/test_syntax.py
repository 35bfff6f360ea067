"""JSON, TOML and YAML texts: the same document from each, and the faults of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from licet_bindings.documents import commit_document, parse_document, read_document
from licet_bindings.errors import DocumentError
from licet_bindings.syntax import Syntax
from tests.bindings.programs import ADVISORY, EXAMPLES, altered, put

YAML = """\
licet: 1
request: Is this dated?
conclusions:
  - {id: dated, says: It is dated., utility: 1.50}
atoms:
  date: {says: it has a date, field: published, test: on_or_after, value: 2019-01-01}
  "no": {says: "it is no draft", field: draft, test: differs, value: "yes"}
routes:
  dated: [[date, '!no']]
budget: 2
"""

TOML = """\
licet = 1
request = "Is this dated?"
budget = 2
conclusions = [{id = "dated", says = "It is dated.", utility = 1.50}]
routes.dated = [["date", "!no"]]

[atoms.date]
says = "it has a date"
field = "published"
test = "on_or_after"
value = "2019-01-01"

[atoms.no]
says = "it is no draft"
field = "draft"
test = "differs"
value = "yes"
"""

JSON: dict[str, Any] = {
    "licet": 1,
    "request": "Is this dated?",
    "conclusions": [{"id": "dated", "says": "It is dated.", "utility": 1.5}],
    "atoms": {
        "date": {
            "says": "it has a date",
            "field": "published",
            "test": "on_or_after",
            "value": "2019-01-01",
        },
        "no": {"says": "it is no draft", "field": "draft", "test": "differs", "value": "yes"},
    },
    "routes": {"dated": [["date", "!no"]]},
    "budget": 2,
}


def fault(text: str | bytes, syntax: Syntax = Syntax.JSON) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_document(text, syntax, "p")
    assert str(caught.value).startswith("p: ")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("p: ")


def test_the_three_syntaxes_read_the_same_document() -> None:
    documents = [
        parse_document(json.dumps(JSON), Syntax.JSON),
        parse_document(TOML, Syntax.TOML),
        parse_document(YAML, Syntax.YAML),
        parse_document(json.dumps(JSON), Syntax.YAML),
    ]
    assert len({commit_document(document).sha256 for document in documents}) == 1
    assert documents[0] == documents[1] == documents[2] == documents[3]


@pytest.mark.parametrize("suffix", [".json", ".yaml", ".yml", ".toml", ".JSON"])
def test_the_suffix_says_the_syntax(suffix: str, tmp_path: Path) -> None:
    texts = {".toml": TOML, ".yaml": YAML, ".yml": YAML}
    path = tmp_path / f"program{suffix}"
    path.write_text(texts.get(suffix, json.dumps(JSON)), encoding="utf-8")
    assert read_document(path).name == str(path)
    assert read_document(str(path)).budget == 2


def test_every_example_reads_alike_as_yaml() -> None:
    for path in EXAMPLES.glob("*/program.json"):
        as_yaml = yaml.safe_dump(json.loads(path.read_text(encoding="utf-8")))
        again = parse_document(as_yaml, Syntax.YAML)
        assert commit_document(again).sha256 == commit_document(read_document(path)).sha256


def test_a_byte_order_mark_is_taken() -> None:
    text = json.dumps(JSON).encode("utf-8-sig")
    assert parse_document(text) == parse_document(json.dumps(JSON))


JSON_FAULTS = {
    "": "expected a JSON document, found nothing",
    "  \n": "expected a JSON document, found nothing",
    "{": "line 1, column 2: not JSON: ",
    "{'licet': 1}": "line 1, column 2: not JSON: ",
    '{"licet": 1}}': "line 1, column 13: not JSON: extra data",
    '{"licet": 1,}': "line 1, column 1",
    '{"licet": NaN}': "licet: expected a finite number, found NaN",
    '{"licet": 1, "budget": -Infinity}': "budget: expected a finite number, found -Infinity",
    '{"budget": 1e401}': "budget: expected a number within 1e400 and 1e-400",
    '{"budget": 1e999999999999999999999}': "budget: expected a number within 1e400",
    '{"budget": 1%s}' % ("0" * 1000): "budget: expected a number of at most 1,000 digits",
    '{"budget": 1.%s}' % ("0" * 1000): "budget: expected a number of at most 1,000 digits",
    '{"licet": 1, "licet": 1}': 'expected each key once, found "licet" twice',
    '{"atoms": {"a": {"says": "x", "says": "y"}}}': 'atoms.a: expected each key once, found "says',
    '{"routes": [[{"a": 1, "a": 2}]]}': 'routes.0.0: expected each key once, found "a" twice',
    '{"request": "\\ud800"}': "request: expected text without lone surrogates",
    '{"\\ud800": 1}': "\\ud800: expected text without lone surrogates",
    "[" * 100_000: "expected lists and objects nested less deeply",
    '{"a":' * 100_000: "expected lists and objects nested less deeply",
    "[" * 60 + "]" * 60: "0.0.0",
    '"text"': 'expected an object, found "text"',
    "\ufeff\ufeff{}": "line 1, column 1: not JSON: ",
}


@pytest.mark.parametrize("text", JSON_FAULTS, ids=[text[:30] for text in JSON_FAULTS])
def test_what_json_gets_wrong_is_named(text: str) -> None:
    assert fault(text).startswith(JSON_FAULTS[text])


BYTE_FAULTS = {
    b"\xff\xfe{\x00": "expected UTF-8 text, found UTF-16",
    b'{"licet": "\xe9"}': "expected UTF-8 text, found the byte 0xe9 at 11",
    b"\x89PNG\r\n\x1a\n": "expected UTF-8 text, found the byte 0x89 at 0",
    b'{"licet": "\x00"}': "expected text, found a NUL character at 11",
    b" " * 1_000_001: "expected at most 1,000,000 bytes",
}


@pytest.mark.parametrize("data", BYTE_FAULTS, ids=range(len(BYTE_FAULTS)))
def test_what_bytes_get_wrong_is_named(data: bytes) -> None:
    assert fault(data) == BYTE_FAULTS[data]


TOML_FAULTS = {
    "": "licet: expected this key, found none",
    "licet = ": "not TOML: invalid value (at ",
    "licet = 1\nlicet = 1": "not TOML: cannot overwrite a value (at ",
    "[atoms.a]\n[atoms.a]": "not TOML: cannot declare",
    "budget = nan": "budget: expected a finite number, found NaN",
    "budget = -inf": "budget: expected a finite number, found -Infinity",
    "budget = 1e500": "budget: expected a number within 1e400",
    "budget = 0x" + "f" * 900: "budget: expected a number of at most 1,000 digits",
    "budget = " + "9" * 5000: "expected numbers of at most 1,000 digits",
    "request = 10:00:00": "request: expected text, a number, true, false, null, a list or an"
    " object, found a time (10:00:00); write it in quotes, as text",
    "a = " + "[" * 100_000: "expected lists and objects nested less deeply",
}


@pytest.mark.parametrize("text", TOML_FAULTS, ids=[text[:30] for text in TOML_FAULTS])
def test_what_toml_gets_wrong_is_named(text: str) -> None:
    assert fault(text, Syntax.TOML).startswith(TOML_FAULTS[text])


YAML_FAULTS = {
    "": "expected a YAML document, found nothing",
    "# only a comment": "expected a YAML document, found nothing",
    "a: [": "line 1, column 5: not YAML: ",
    "a: 1\nb: 2\na: 3": 'expected each key once, found "a" twice',
    "a: {b: 1, b: 1}": 'a: expected each key once, found "b" twice',
    "licet: 1\n---\nlicet: 1": "line 2, column 1: not YAML: ",
    "budget: .nan": 'budget: line 1: ".nan" may mean text or something else',
    "budget: -.inf": 'budget: line 1: "-.inf" may mean text or something else',
    "a: yes": 'a: line 1: "yes" may mean text or something else; write it in quotes',
    "a: [GB, NO]": 'a.1: line 1: "NO" may mean text',
    "a: 010": 'a: line 1: "010" may mean text',
    "a: 0x10": 'a: line 1: "0x10" may mean text',
    "a: 1_000": 'a: line 1: "1_000" may mean text',
    "a: 1:30": 'a: line 1: "1:30" may mean text',
    "a: True": 'a: line 1: "True" may mean text',
    "a: +1": 'a: line 1: "+1" may mean text',
    "on: 1": 'line 1: "on" may mean text',
    "1: 1": "line 1: expected text as a key, found 1; write it in quotes",
    "[a]: 1": 'line 1: expected text as a key, found ["a"]; write it in quotes',
    "<<: {a: 1}": 'line 1: "<<" may mean text',
    "a: &x 1\nb: *x": "b: line 1: expected no alias; write the value again",
    "a: &x [*x]": "a.0: line 1: expected no alias",
    "routes: {a: [[d, !withdrawn ]]}": "routes.a.0.1: line 1: expected quotes around a text that"
    " begins with '!': write \"!withdrawn\"",
    "routes: {a: [[number, !blocked, recent]]}": "routes.a.0.1: line 1: expected quotes around"
    " a text that begins with '!': write \"!blocked\"",
    "routes: {a: [[! b]]}": "routes.a.0.0: line 1: expected quotes around a text that"
    " begins with '!': write \"!b\"",
    "a: !!python/object/apply:os.system [ls]": "a: line 1: expected no tag, found",
    "a: !!timestamp 2019-01-01": "a: line 1: expected no tag, found",
    "a: !!set {b}": "a: line 1: expected no tag, found",
    "[" * 100_000: "expected lists and objects nested less deeply",
    "a: \x07": "not YAML: ",
    "a: *x": "line 1, column 4: not YAML: ",
    "%YAML 9.0\n---\na": "line 1, column 1: not YAML: ",
}
UNQUOTED = [
    "a: [[!x]]",
    "a: [[y, !x]]\nb: 1",
    "a: {b: !x}",
    "- [!x]\n- [y]",
    "a: {b: [[!x]]}\n",
    "a:\n- [!x]\n- [!y, z]",
]


@pytest.mark.parametrize("text", UNQUOTED)
def test_a_bracket_behind_an_unquoted_negation_is_explained(text: str) -> None:
    found = fault(text, Syntax.YAML)
    assert "not YAML: " in found
    assert found.endswith("; a text that begins with '!' needs quotes: write \"!x\"")
    quoted = text.replace("!x", '"!x"').replace("!y", '"!y"')
    assert "not YAML" not in fault(quoted, Syntax.YAML)
    assert "quotes" not in fault("a: [b", Syntax.YAML)


@pytest.mark.parametrize("text", YAML_FAULTS, ids=[text[:30] for text in YAML_FAULTS])
def test_what_yaml_gets_wrong_is_named(text: str) -> None:
    assert fault(text, Syntax.YAML).startswith(YAML_FAULTS[text])


def test_plain_dates_in_toml_are_text() -> None:
    plain = TOML.replace('"2019-01-01"', "2019-01-01")
    assert plain != TOML
    assert parse_document(plain, Syntax.TOML) == parse_document(TOML, Syntax.TOML)
    timed = TOML.replace('"2019-01-01"', "2019-01-01T10:00:00Z")
    assert "on_or_after needs a date of the form" in fault(timed, Syntax.TOML)


def test_plain_dates_in_yaml_are_text() -> None:
    text = YAML.replace("2019-01-01", "2019-01-01T10:00:00Z")
    assert "on_or_after needs a date of the form" in fault(text, Syntax.YAML)


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("null", None),
        ("~", None),
        ("", None),
        ("true", True),
        ("false", False),
        ("-12", -12),
        ("1e2", 100.0),
        ("2.50", 2.5),
        ("2019-01", "2019-01"),
        ("2019-01-02", "2019-01-02"),
        ("'yes'", "yes"),
        ("'1'", "1"),
        ("=", "="),
        ("|\n    two\n    lines\n", "two\nlines\n"),
    ],
)
def test_scalars_in_yaml_are_what_json_makes_of_them(plain: str, value: object) -> None:
    from licet_bindings.syntax import read_program_text

    found = read_program_text(f"a:\n  b: {plain}", Syntax.YAML)
    assert found == {"a": {"b": value}}
    assert type(value) is float or type(found["a"]["b"]) is type(value)


def test_a_value_is_compared_as_the_record_would_hold_it() -> None:
    texts = [json.dumps(altered(put("atoms", "url", value={**ADVISORY["atoms"]["url"]})))]
    tested = '"field": "references.0.url", "test": "exists"'
    for number in ("0.1", "0.10000000000000000001", "1e-1"):
        texts.append(
            texts[0].replace(tested, f'"field": "score", "test": "at_least", "value": {number}')
        )
    hashes = {commit_document(parse_document(text)).sha256 for text in texts[1:]}
    assert len(hashes) == 1


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    secret = tmp_path / "program.txt"
    secret.write_text("{}", encoding="utf-8")
    for path, problem in (
        (tmp_path / "none.json", "cannot be read: No such file or directory"),
        (folder, "cannot be read: Is a directory"),
        (secret, "expected a file name that ends in one of .json, .toml, .yaml, .yml"),
        ("nul\0.json", "cannot be read: "),
        ("/dev/zero/x.json", "cannot be read: Not a directory"),
    ):
        with pytest.raises(DocumentError) as caught:
            read_document(path)
        assert caught.value.problem.startswith(problem)
        assert caught.value.place == ""


def test_a_file_too_large_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(5_000_000_000)  # sparse
    with pytest.raises(DocumentError, match="expected at most 1,000,000 bytes"):
        read_document(path)
