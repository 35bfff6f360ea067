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


def changed(record: Path, to: Path, **fields: object) -> Path:
    """Write another version of a record."""
    to.write_text(json.dumps({**json.loads(record.read_text("utf-8")), **fields}), "utf-8")
    return to


def test_an_ended_review_is_not_shown_for_a_record_that_has_changed(
    path: Path, tmp_path: Path
) -> None:
    records = tmp_path / "records"
    records.mkdir()
    good = changed(RECORDS / "GO-2023-2402.json", records / "a.json")
    changed(RECORDS / "GO-2024-3031.json", records / "b.json")
    first = reports(licet("review", PROGRAM, records, "--json", "--ledger", path))
    assert first[0]["conclusion"] == "fix"
    changed(good, good, unread="a field that no check reads")
    again = licet("review", PROGRAM, records, "--json", "--ledger", path)
    assert (again.exit_code, reports(again)) == (0, first)
    changed(good, good, withdrawn="2026-01-01T00:00:00Z")
    result = licet("review", PROGRAM, records, "--json", "--ledger", path)
    assert result.exit_code == 2
    assert result.stderr == (
        f"licet: {good}: the review in the ledger has ended, and read_history would read otherwise"
        " now; still authorized: nothing; review it under another name\n"
    )
    stale, other = reports(result)
    assert (stale["ended"], stale["authorized"], other) == (None, [], first[1])


def test_what_changed_while_a_review_was_cut_off_is_read_again(path: Path, tmp_path: Path) -> None:
    record = changed(RECORDS / "GO-2023-2402.json", tmp_path / "record.json")
    document = read_document(PROGRAM)
    content = json.loads(record.read_text("utf-8"))
    with DurableLedger.open(path) as ledger:
        review = ledger.review(
            document, record_resolver(document, content, sourced=True), name=str(record)
        )
        review.check("withdrawn")
    changed(record, record, withdrawn="2026-01-01T00:00:00Z")
    [report] = reports(licet("review", PROGRAM, record, "--json", "--ledger", path))
    assert report["authorized"] == []
    assert report["expired"] != []


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("end", ["", "-wal"])
def test_certificates_are_not_written_over_the_ledger(path: Path, is_there: bool, end: str) -> None:
    if is_there:
        licet("review", PROGRAM, RECORDS, "--ledger", path)
    over = f"{path}{end}"
    result = licet("review", PROGRAM, RECORDS, "--ledger", path, "--certificates", over)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("licet: --certificates: expected another file than")
    with SqliteStore.read(path) as store:
        assert Auditor(store, "reviews").audit().reviews == (14 if is_there else 0)


def test_a_path_that_cannot_be_a_name_does_not_stop_the_others(path: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    changed(RECORDS / "GO-2023-2402.json", records / f"{'a' * 200}.json")
    changed(RECORDS / "GO-2023-2402.json", records / "b.json")
    result = licet("review", PROGRAM, records, "--json", "--ledger", path)
    assert result.exit_code == 2
    assert "its path cannot be a review's name: expected a text of 1 to 200" in result.stderr
    assert result.stderr.count("\n") == 1
    assert [report["conclusion"] for report in reports(result)] == [None, "fix"]


def test_an_ended_review_takes_no_other_statements(path: Path, tmp_path: Path) -> None:
    program, said = EXAMPLE / "text_judgements.json", EXAMPLE / "text_judgements.jsonl"
    arguments = ("review", program, RECORDS, "--json", "--ledger", path, "--attestations")
    first = licet(*arguments, said)
    assert first.exit_code == 0, first.output
    assert reports(licet(*arguments, said)) == reports(first)
    fewer = tmp_path / "fewer.jsonl"
    fewer.write_text(said.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    result = licet(*arguments, fewer)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "has ended, with other statements than these; review it under" in result.stderr
