"""`licet review --ledger`: kept, gone on with, and refused where it is another review."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from licet import AttestRequest, InvalidInput, Review
from licet_bindings.command_line import app
from licet_bindings.documents import read_document
from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.records.resolver import record_resolver
from licet_bindings.reviewing import budget_of, review_record

EXAMPLE = Path(__file__).parents[2] / "examples" / "advisories"
PROGRAM, RECORDS = EXAMPLE / "program.json", EXAMPLE / "records"


def licet(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def reports(result: Result) -> list[Mapping[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.licet"


def test_what_is_reviewed_is_kept_and_holds(path: Path) -> None:
    plain = reports(licet("review", PROGRAM, RECORDS, "--json"))
    kept = licet("review", PROGRAM, RECORDS, "--json", "--ledger", path)
    assert kept.exit_code == 0, kept.output
    assert reports(kept) == plain
    with SqliteStore.read(path) as store:
        audit = Auditor(store, "reviews").audit()
    assert (audit.holds, audit.reviews) == (True, len(plain))


def test_a_second_run_adds_nothing(path: Path) -> None:
    first = licet("review", PROGRAM, RECORDS, "--json", "--ledger", path)
    with DurableLedger.open(path) as ledger:
        head = ledger.head
    again = licet("review", PROGRAM, RECORDS, "--json", "--ledger", path)
    assert reports(again) == reports(first)
    with DurableLedger.open(path) as ledger:
        assert ledger.head == head


def cut_off(path: Path, record: Path) -> Review:
    """Open a review of a record, run one check, and leave it there."""
    document = read_document(PROGRAM)
    resolver = record_resolver(document, json.loads(record.read_text("utf-8")), sourced=True)
    with DurableLedger.open(path) as ledger:
        review = ledger.review(document, resolver, name=str(record), record=str(record))
        review.check("package")
    return review


def test_what_was_cut_off_goes_on(path: Path) -> None:
    record = min(RECORDS.glob("*.json"))
    cut_off(path, record)
    whole = licet("review", PROGRAM, record, "--json")
    again = licet("review", PROGRAM, record, "--json", "--ledger", path)
    assert reports(again)[0]["conclusions"] == reports(whole)[0]["conclusions"]


@pytest.mark.parametrize("option", [("--budget", "3"), ("--no-complete",)])
def test_a_review_with_other_settings_is_another(path: Path, option: tuple[str, ...]) -> None:
    record = min(RECORDS.glob("*.json"))
    assert licet("review", PROGRAM, record, "--ledger", path).exit_code == 0
    result = licet("review", PROGRAM, record, "--ledger", path, *option)
    assert result.exit_code == 2
    assert "is in the ledger with" in result.stderr


def test_a_review_under_another_program_is_another(path: Path, tmp_path: Path) -> None:
    record = min(RECORDS.glob("*.json"))
    assert licet("review", PROGRAM, record, "--ledger", path).exit_code == 0
    changed = json.loads(PROGRAM.read_text("utf-8"))
    changed["conclusions"][0]["says"] = "Another sentence."
    other = tmp_path / "program.json"
    other.write_text(json.dumps(changed), "utf-8")
    result = licet("review", other, record, "--ledger", path)
    assert result.exit_code == 2
    assert "is in the ledger with program" in result.stderr


@pytest.mark.parametrize("which", [PROGRAM, min(RECORDS.glob("*.json"))])
def test_what_is_read_is_no_ledger(which: Path) -> None:
    before = which.read_bytes()
    result = licet("review", PROGRAM, RECORDS, "--ledger", which)
    assert result.exit_code == 2
    assert "expected a ledger" in result.stderr
    assert which.read_bytes() == before


def test_statements_are_not_put_on_record_twice(path: Path) -> None:
    document, record = read_document(PROGRAM), min(RECORDS.glob("*.json"))
    name = str(record)
    cut_off(path, record)
    content = json.loads(record.read_text("utf-8"))
    budget = budget_of(document)
    said = [AttestRequest("cve", True, "CVE-2020-1234")]
    with (
        DurableLedger.open(path) as ledger,
        pytest.raises(InvalidInput, match="was cut off"),
    ):
        review_record(document, content, budget=budget, statements=said, ledger=ledger, name=name)
