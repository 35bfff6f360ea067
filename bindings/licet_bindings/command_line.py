"""The command `licet`: review records, check programs, print the schema of programs.

Exit codes: 0 done, 1 a finding, 2 bad input. Where some of many records could not be read, the
others are reviewed and the exit code is 2; with `--json` such a record has null as `ended`. What
`licet check` finds in a valid program is advice and leaves it at 0. With `--json`, standard output
holds JSON and nothing else; messages go to standard error.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress

from licet import InvalidInput, render
from licet_bindings.amounts import budget_number
from licet_bindings.checking import check_document, invalid_report
from licet_bindings.documents import commit_document, read_document
from licet_bindings.errors import DocumentError, escaped, shown
from licet_bindings.policies import DESCRIPTIONS, policy_named
from licet_bindings.records.reading import Records, UnreadableRecord, open_records
from licet_bindings.reports import described, record_report
from licet_bindings.reviewing import RecordReview, budget_of, review_records
from licet_bindings.schema import program_schema
from licet_bindings.tables import check_lines, review_table, totals

BAD_INPUT: Final = 2
# What a shell reports for a program that a closed pipe has ended.
PIPE_CLOSED: Final = 141
LONGEST_LINE: Final = 10_000

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,100}(\.[0-9]{1,100})?([eE][+-]?[0-9]{1,3})?")


@contextmanager
def _answering() -> Iterator[None]:
    """End a command on bad input with one message and the exit code for it, never a traceback."""
    try:
        yield
        sys.stdout.flush()
    except InvalidInput as fault:
        more = fault.more if isinstance(fault, DocumentError) else ()
        _complain(f"{fault} (and {len(more)} more)" if more else str(fault))
        raise typer.Exit(BAD_INPUT) from None
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except OSError as error:
        _abandon_output()
        _complain(f"standard output cannot be written: {error.strerror}")
        raise typer.Exit(BAD_INPUT) from None


def _abandon_output() -> None:
    # What is still buffered would fail again when the interpreter flushes it at exit.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    """Review records under a fixed program: report what the checks justify, and no more."""


ProgramPath = Annotated[
    Path, typer.Argument(help="A review program: .json, .toml or .yaml.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def _example(*commands: str) -> str:
    # The mark keeps the lines apart in the help text.
    return "\n".join(("\b", "Example:", *(f"  licet {command}" for command in commands)))


@app.command(
    epilog=_example(
        "review examples/recalls/program.json examples/recalls/records",
        "review program.toml records.jsonl --budget 8 --json",
    )
)
@_answering()
def review(
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
    as_json: AsJson = False,
) -> None:
    """Review one record, the records of a folder, or JSON Lines.

    One record gives a report, many give a table; with --json each record gives one line. A record
    that cannot be read is reported, and the others are reviewed.
    """
    document = read_document(program)
    calls = budget_of(document) if budget is None else _budget(budget)
    chosen = policy_named(policy, seed)
    records = open_records(record)
    complaints: list[str] = []
    reviews: list[RecordReview] = []
    with _progress(records, as_json) as progress:
        bar = progress.add_task("reviewing", total=records.total)
        for done in review_records(
            document, records, budget=calls, policy=chosen, completion=complete
        ):
            progress.advance(bar)
            if isinstance(done.result, UnreadableRecord):
                complaints.append(f"{done.name}: {described(done.result)}")
            if as_json:
                print(json.dumps(record_report(done, commit_document(document), calls)), flush=True)
            else:
                reviews.append(done)
    for complaint in complaints:
        _complain(complaint)
    if not as_json:
        _print_reviews(reviews, records.single)
    if complaints:
        raise typer.Exit(BAD_INPUT)


@app.command(epilog=_example("check examples/recalls/program.json"))
@_answering()
def check(program: ProgramPath, as_json: AsJson = False) -> None:
    """Validate a program; print its hash, what each conclusion costs, and what to look at."""
    try:
        report = check_document(read_document(program))
    except DocumentError as fault:
        if as_json:
            print(json.dumps(invalid_report(fault)))
        raise
    print(json.dumps(report) if as_json else check_lines(report))


@app.command(epilog=_example("schema > review-program.schema.json"))
@_answering()
def schema() -> None:
    """Print the JSON Schema of review programs, for editors and other tools."""
    print(program_schema(), end="")


def main() -> None:
    """Run the command line; the entry point of the command `licet`."""
    if sys.stderr is None:
        # Otherwise `print` would write what belongs there to standard output.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        _complain("standard output cannot be written: it is closed")
        sys.exit(BAD_INPUT)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    output = sys.stdout
    try:
        try:
            app()
        finally:
            output.flush()
    except BrokenPipeError:
        _abandon_output()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        _abandon_output()
        _complain(f"standard output cannot be written: {error.strerror}")
        sys.exit(BAD_INPUT)
    except SystemExit:
        if sys.stdout is not output:
            # The library has put another in its place because the reader has left.
            sys.exit(PIPE_CLOSED)
        raise


def _complain(message: str) -> None:
    print(f"licet: {escaped(message)}", file=sys.stderr)


def _budget(text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        raise InvalidInput(
            "--budget", f"expected a number of calls, such as 8, 2.5 or 1e1, found {shown(text)}"
        )
    return budget_number(Decimal(text), "--budget")


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
        return
    # In a file or a pipe each record stays on one line, however long.
    width = None if sys.stdout.isatty() else LONGEST_LINE
    console = Console(highlight=False, width=width)
    console.print(review_table(reviews, console.width))
    console.print()
    console.print(totals(reviews), markup=False)


if __name__ == "__main__":
    main()
