"""Edges of the command line: exact amounts, empty paths, several faults, the version."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from licet_bindings.amounts import MAX_CHECKS, budget_number, cost_number
from licet_bindings.attesting import parse_statements
from licet_bindings.documents import parse_document
from licet_bindings.reports import json_number
from tests.bindings.commands import licet, lines, write
from tests.bindings.programs import EXAMPLES, altered


def test_a_budget_may_have_an_exponent(program: Path, record: Path) -> None:
    (found,) = lines(licet("review", program, record, "--json", "--budget", "1e1"))
    assert found["budget"] == 10


def test_every_sum_that_is_printed_is_exact() -> None:
    largest = cost_number(Decimal("999999.999999"), "cost")
    for count in (1, 3, 7, MAX_CHECKS - 1, MAX_CHECKS):
        total = largest * count
        assert budget_number(Decimal(repr(json_number(total))), "budget") == total


def test_an_empty_path_is_no_folder(program: Path) -> None:
    result = licet("review", program, "")
    assert result.exit_code == 2
    assert result.stderr == "licet: record: expected a path, found an empty text\n"


def test_an_unreadable_record_lacks_everything(program: Path, tmp_path: Path) -> None:
    (found,) = lines(licet("review", program, tmp_path / "gone.json", "--json"))
    lacking = {"missing": ["details"], "blocked": [], "repairable": []}
    assert found["unresolved"]["described"] == lacking
    assert list(found["unresolved"]) == ["described", "ready", "complete"]


def test_check_lists_every_fault(tmp_path: Path) -> None:
    def alter(content: dict[str, Any]) -> None:
        content["budget"] = -1
        content["atoms"]["url"]["x"] = 1

    result = licet("check", write(tmp_path / "p.json", altered(alter)), "--json")
    assert [found["place"] for found in lines(result)[0]["findings"]] == ["atoms.url.x", "budget"]
    first, second = result.stderr.splitlines()
    assert "p.json: atoms.url.x: unknown key; expected one of" in first
    assert second.endswith("p.json: budget: expected a number of at least 0, found -1")


def test_many_faults_are_counted(tmp_path: Path) -> None:
    def alter(content: dict[str, Any]) -> None:
        content.update({f"x{number}": 1 for number in range(5)})

    result = licet("check", write(tmp_path / "p.json", altered(alter)))
    *named, last = result.stderr.splitlines()
    assert [line.partition("x")[2][:2] for line in named] == ["0:", "1:", "2:"]
    assert last.endswith("p.json: 2 more faults")


def test_the_version_and_the_policies_are_shown() -> None:
    assert licet("--version").stdout.startswith("licet")
    assert "ceiling (the route" in licet("review", "--help").stdout


def test_the_example_of_the_format() -> None:
    text = (EXAMPLES.parent / "docs" / "format.md").read_text(encoding="utf-8")
    example = text.partition("```json\n")[2].partition("```")[0]
    assert parse_document(example).budget == 5


def test_the_other_examples_of_the_format() -> None:
    text = (EXAMPLES.parent / "docs" / "format.md").read_text(encoding="utf-8")
    _, _, example = text.partition("```json\n")[2].partition("```json\n")
    document = parse_document(example.partition("```")[0])
    assert len(document.specification.constraints) == 1
    listed = text.partition("JSON Lines:\n\n```\n")[2].partition("```")[0]
    assert len(parse_statements(listed, document)) == 3
    # Every key that a review prints beside those that the table of tests cannot show is named.
    for key in ("utility", "implied", "attestations", "rejected", "retractions", "suspension"):
        assert f"| `{key}` |" in text
