"""The command `licet`: review, check, choose, gate, calibrate, serve, audit, prove and more.

Exit codes: 0 done, 1 a finding, 2 bad input. Where some of many records could not be read, the
others are reviewed and the exit code is 2; with `--json` such a record has null as `ended`. What
`licet check` finds in a valid program is advice and leaves it at 0, but for routes that differ from
the program's standard. With `--json`, standard output holds JSON and nothing else; messages go to
standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import PackageNotFoundError, version
from os import fspath
from pathlib import Path, PurePath
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from licet import render
from licet_bindings.attesting import Selected, read_statements
from licet_bindings.calibration.commands import add_calibrate_commands
from licet_bindings.certificates import certificates_file
from licet_bindings.checking import check_document, invalid_report
from licet_bindings.choosing.commands import add_choose_command
from licet_bindings.console import (
    BAD_INPUT,
    FINDING,
    LONGEST_LINE,
    AsJson,
    answering,
    budget_option,
    complain,
    example,
    options_named,
    run,
)
from licet_bindings.derivations import NoCertificate
from licet_bindings.documents import commit_document, document_of, read_document
from licet_bindings.durable.audit_command import add_audit_command
from licet_bindings.durable.export_commands import add_export_commands
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_files import beside
from licet_bindings.errors import DocumentError, escaped, shown
from licet_bindings.evidence_reports import evidence_lines, rejected_lines
from licet_bindings.gate.advice import candidate_check_lines, check_candidate
from licet_bindings.gate.commands import add_gate_commands
from licet_bindings.gate.documents import candidate_of
from licet_bindings.kinds import Kind, kind_of
from licet_bindings.planned import assumed_priors
from licet_bindings.policies import DESCRIPTIONS, EXACT, LOCATOR
from licet_bindings.premises.commands import add_premises_command
from licet_bindings.proving import add_prove_command
from licet_bindings.records.reading import Records, UnreadableRecord, open_records
from licet_bindings.reports import described, record_report
from licet_bindings.reviewing import RecordReview, Reviewed, budget_of, policy_for, review_records
from licet_bindings.schema import SCHEMAS, schema_named
from licet_bindings.server.commands import add_serve_command
from licet_bindings.standards.reports import disagrees
from licet_bindings.tables import check_lines, review_table, totals
from licet_bindings.trees import read_tree


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            print(f"licet {version('licet')}")
        except PackageNotFoundError:
            print("licet, run without being installed")
        raise typer.Exit


app = typer.Typer(
    name="licet",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def licet(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Decide outside the agent: what a review may report, and whether an action may commit."""


ProgramPath = Annotated[
    Path, typer.Argument(help="A review program: .json, .toml or .yaml.", show_default=False)
]


@app.command(
    epilog=example(
        "review examples/recalls/program.json examples/recalls/records",
        "review program.toml records.jsonl --budget 8 --json",
        "review program.json records --attestations judgements.jsonl",
        "review program.json records --certificates certificates.jsonl",
        "review program.json records --ledger reviews.licet",
    )
)
@answering()
def review(  # noqa: PLR0913, PLR0917 -- one argument for each option
    program: ProgramPath,
    record: Annotated[
        str,
        typer.Argument(
            help="A JSON record, a folder of them, or JSON Lines (.jsonl, .ndjson).",
            show_default=False,
        ),
    ],
    budget: Annotated[
        str | None,
        typer.Option(
            help="Calls for each record. Left out: the program's budget, and where it states none,"
            " the cost of all checks on its routes.",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            help="How checks are chosen: "
            + "; ".join(f"{name} ({said})" for name, said in DESCRIPTIONS.items())
            + "."
        ),
    ] = "guided",
    seed: Annotated[int, typer.Option(help="For the policy that draws.")] = 0,
    complete: Annotated[
        bool,
        typer.Option(
            "--complete/--no-complete",
            help="Whether checks still open on the target route are run after a stop.",
        ),
    ] = True,
    attestations: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Attestations and retractions to put on record before the policy runs: a JSON"
            " list, or JSON Lines.",
            show_default=False,
        ),
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a certificate of each outcome to this file, one a line, for"
            " licet_proofs/checker.py.",
            show_default=False,
        ),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the reviews in this durable ledger, by the records' names, and go on with"
            " those that it has.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Review one record, the records of a folder, or JSON Lines.

    One record gives a report, many give a table; with --json each record gives one line. A record
    that cannot be read is reported, and the others are reviewed.
    """
    document = read_document(program)
    calls = budget_of(document) if budget is None else budget_option(budget, "calls")
    with options_named("policy"):
        chosen = policy if policy == LOCATOR else policy_for(document, policy, calls, seed)
    stated = Selected(read_statements(attestations, document) if attestations else ())
    assumed = assumed_priors(document) if policy == EXACT else None
    records = open_records(record)
    complaints: list[str] = []
    reviews: list[RecordReview] = []
    inputs = (program, records.path, *records.files, *([attestations] if attestations else []))
    if ledger is not None:
        inputs = (*inputs, ledger, *beside(ledger))
    with (
        _progress(records, as_json) as progress,
        _ledger(ledger) as kept,  # Before what is written: only what is there is kept apart.
        certificates_file(certificates, inputs) as certify,
    ):
        reviewed = review_records(
            document,
            records,
            budget=calls,
            policy=chosen,
            completion=complete,
            statements=stated,
            ledger=kept,
        )
        bar = progress.add_task("reviewing", total=records.total)
        for done in reviewed:
            progress.advance(bar)
            if isinstance(done.result, UnreadableRecord):
                complaints.append(f"{done.name}: {described(done.result)}")
            else:
                complaints += _certified(certify, done.result, complete, done.name)
            if as_json:
                report = record_report(done, commit_document(document), calls, assumed)
                print(json.dumps(report), flush=True)
            else:
                reviews.append(done)
    complaints += _unmatched(stated, records)
    for complaint in complaints:
        complain(complaint)
    if not as_json:
        _print_reviews(reviews, records.single)
        if assumed:
            print(f"Planned with a prior of 1/2 for {', '.join(assumed)}: the program states none.")
    if complaints:
        raise typer.Exit(BAD_INPUT)


def _ledger(path: Path | None) -> AbstractContextManager[DurableLedger | None]:
    return nullcontext() if path is None else DurableLedger.open(path)


@app.command(
    epilog=example("check examples/recalls/program.json", "check examples/gate/invoice.json")
)
@answering()
def check(
    document: Annotated[
        Path,
        typer.Argument(
            help="A review program or a gate candidate: .json, .toml or .yaml.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Validate a program or a gate candidate; print its costs or sizes, and what to look at.

    A program that states a standard is compared with it; the exit code is 1 where they differ.
    """
    try:
        report, lines, good = _checked(document)
    except DocumentError as fault:
        if as_json:
            print(json.dumps(invalid_report(fault)))
        raise
    print(json.dumps(report) if as_json else lines)
    if not good:
        raise typer.Exit(FINDING)


def _checked(path: Path) -> tuple[object, str, bool]:
    """Return what checking a document found, for programs and people, and whether it is good."""
    tree, name = read_tree(path), fspath(path)
    if kind_of(tree) is Kind.CANDIDATE:
        found = check_candidate(candidate_of(tree, name))
        return found, candidate_check_lines(found), True
    report = check_document(document_of(tree, name))
    return report, check_lines(report), not disagrees(report["standard"])


@app.command(
    epilog=example(
        "schema > review-program.schema.json",
        "schema candidate > gate-candidate.schema.json",
        "schema predicate > review-predicate.schema.json",
    )
)
@answering()
def schema(
    kind: Annotated[
        str, typer.Argument(help=f"Which kind of document: {', '.join(SCHEMAS)}.")
    ] = "program",
) -> None:
    """Print the JSON Schema of a kind of document, for editors and other tools."""
    print(schema_named(kind), end="")


add_audit_command(app)
add_gate_commands(app)
add_prove_command(app)
add_export_commands(app)
add_calibrate_commands(app)
add_choose_command(app)
add_premises_command(app)
add_serve_command(app)


def main() -> None:
    """Run the command line; the entry point of the command `licet`."""
    run(app)


def _certified(
    certify: Callable[..., None], done: Reviewed, complete: bool, name: str
) -> list[str]:
    """Write a certificate; return the complaint where the outcome has none."""
    try:
        certify(done.outcome, complete, done.history, name)
    except NoCertificate as fault:
        return [f"{shown(name)}: no certificate: {fault.problem}"]
    return []


def _unmatched(stated: Selected, records: Records) -> list[str]:
    """Return what to say of statements about records that were not there, or more than one.

    A file for many records may be used for one of them, but not where it says nothing of that.
    """
    ambiguous = [
        f"{each.place}: {shown(record)} has the name {shown(each.record)} too; left out there"
        for record, each in stated.ambiguous
    ]
    if records.single and stated.used:
        return ambiguous
    return ambiguous + [
        f"{each.place}: no record has the name {shown(each.record)}" for each in stated.left
    ]


def _progress(records: Records, lines_shown: bool) -> Progress:
    """Return a bar on a terminal's standard error; none for one record, or among printed lines."""
    console = Console(stderr=True)
    return Progress(
        console=console,
        transient=True,
        # What is printed goes to standard output, wherever the bar is.
        redirect_stdout=False,
        disable=records.single or not console.is_terminal or (lines_shown and sys.stdout.isatty()),
    )


def _print_reviews(reviews: list[RecordReview], single: bool) -> None:
    if single:
        for done in reviews:
            if not isinstance(done.result, UnreadableRecord):
                print(render(done.result.outcome), end="")
                print("".join(f"{line}\n" for line in evidence_lines(done.result)), end="")
        return
    # In a file or a pipe each record stays on one line, however long.
    width = None if sys.stdout.isatty() else LONGEST_LINE
    console = Console(highlight=False, markup=False, width=width)
    console.print(review_table(reviews, console.width))
    console.print()
    console.print(totals(reviews), markup=False)
    for done in reviews:
        if not isinstance(done.result, UnreadableRecord):
            for line in rejected_lines(done.result):
                print(f"{escaped(PurePath(done.name).name)}: {line}")


if __name__ == "__main__":
    main()
