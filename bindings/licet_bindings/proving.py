"""The command `licet prove`: the proof suite, or checks of a program of one's own.

The proofs are imported when the command runs. Exit codes: 0 everything is confirmed or tested as it
must be; 1 a clause falls, or what must be confirmed no longer is, or a program has a fault; 2 bad
input.
"""

from __future__ import annotations

import json
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from licet import InvalidInput
from licet_bindings.console import (
    FINDING,
    AsJson,
    answering,
    complain,
    example,
    print_plainly,
)
from licet_bindings.errors import escaped, shown
from licet_bindings.outputs import OutputFile

if TYPE_CHECKING:
    from licet_proofs.clauses import Clause
    from licet_proofs.suite import CheckResult, Report

# The packages that the suite needs, and those that only clauses of the kernels need, by the extra
# that brings them.
NEEDED: Final = {"proofs": ("hypothesis", "crosshair", "z3"), "kernels": ("numba", "numpy")}

# What a shell reports for a program that SIGTERM has ended.
TERMINATED: Final = 128 + signal.SIGTERM

EXAMPLES: Final = 200

Watch: TypeAlias = "Callable[[CheckResult, int, int], None]"


@answering()
def prove(
    only: Annotated[
        list[str] | None,
        typer.Option(help="A clause, or a check of it; may be given again.", show_default=False),
    ] = None,
    program: Annotated[
        list[Path] | None,
        typer.Option(
            help="Check this review program or gate candidate instead; may be given again.",
            show_default=False,
        ),
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Generated examples for each property that is tested.",
            show_default=str(EXAMPLES),
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            help="Write the table to this file, between its marks where it has them.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Write the results to this file as JSON.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run the proofs of the kernel, or check a program of your own.

    Without --program, every clause is confirmed or tested, and a table says which, within which
    bounds. With it, the review program or gate candidate is checked: what can be reached, which
    routes are needed, which single wrong observation changes the outcome; or where the decision
    flips.
    """
    results = None if output is None else OutputFile(output, "--output")
    table = None if markdown is None else OutputFile(markdown, "--markdown")
    if program:
        from licet_bindings.proving_programs import prove_programs

        if only or table is not None or examples is not None:
            raise InvalidInput(
                "--program", "expected none of --only, --examples and --markdown beside it"
            )
        if results is not None:
            results.require_apart(program)
            results.require_writable()
        found, failed = prove_programs(program, as_json)
        if results is not None:
            results.write(_json(found))
    else:
        failed = not _prove_kernel(only or [], examples or EXAMPLES, table, results, as_json)
    if failed:
        raise typer.Exit(FINDING)


def add_prove_command(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        epilog=example(
            "prove",
            "prove --only hold --only proposition-1-regimes",
            "prove --program examples/advisories/program.json",
        )
    )(prove)


def _prove_kernel(
    only: list[str],
    examples: int,
    table: OutputFile | None,
    results: OutputFile | None,
    as_json: bool,
) -> bool:
    _require("proofs")
    if not __debug__:
        raise InvalidInput(
            "licet prove", "contracts are off under -O: nothing can be confirmed; run without -O"
        )
    from licet_proofs.suite import run

    if table is not None and only:
        raise InvalidInput("--markdown", "expected the whole table; leave --only out")
    clauses = _chosen(only)
    if _have_kernels(clauses):
        _require("kernels")
    _require_writable(table, results)
    with _ended_by_sigterm(), _watched() as watch:
        report = run(clauses, watch, examples=examples)
    # The files first: what reads standard output may have gone. What was found is told anyway.
    unwritten = _written(report, table, results)
    _print(report, as_json)
    if unwritten:
        for fault in unwritten[:-1]:
            complain(str(fault))
        raise unwritten[-1]
    return report.is_good


def _require(extra: str) -> None:
    """Refuse with one message where an extra is missing."""
    missing = [name for name in NEEDED[extra] if find_spec(name) is None]
    if missing:
        raise InvalidInput(
            "licet prove",
            f"needs {', '.join(missing)}; install the extra: pip install 'licet[{extra}]'",
        )


def _have_kernels(clauses: Iterable[Clause]) -> bool:
    from licet_proofs.clauses_kernels import CLAUSES

    return not {clause.name for clause in CLAUSES}.isdisjoint(clause.name for clause in clauses)


def _require_writable(table: OutputFile | None, results: OutputFile | None) -> None:
    """Refuse at once what could not be written at the end."""
    for file in (table, results):
        if file is not None:
            file.require_writable()
    if table is not None:
        table.text()


def _written(
    report: Report, table: OutputFile | None, results: OutputFile | None
) -> list[InvalidInput]:
    """Write the files, and return why one was not."""
    from licet_proofs.table import data_of, markdown_within

    faults = []
    if table is not None:
        try:
            table.write(markdown_within(report, table.text()))
        except InvalidInput as fault:
            faults.append(fault)
    if results is not None:
        try:
            results.write(_json(data_of(report)))
        except InvalidInput as fault:
            faults.append(fault)
    return faults


def _print(report: Report, as_json: bool) -> None:
    from licet_proofs.table import data_of

    if as_json:
        print(json.dumps(data_of(report)))
    else:
        print_plainly(_table(report))
        print(f"\n{_total(report)}")
    for line in _complaints(report):
        complain(line)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the run as an interrupt does, so that the suite can end its processes."""
    # No other thread may set what is done on a signal, and what the caller chose stays.
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _chosen(only: list[str]) -> tuple[Clause, ...]:
    from licet_proofs.clauses import chosen, clauses

    known = clauses()
    try:
        return chosen(only, known)
    except LookupError as unknown:
        name = unknown.args[0]
        checks = [check for clause in known.values() for p in clause.parts for check in p.checks]
        near = get_close_matches(name, [*known, *checks], n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InvalidInput(
            "--only",
            f"no clause and no check is named {shown(name)}; {hint}the clauses are"
            f" {', '.join(known)}",
        ) from None


@contextmanager
def _watched() -> Iterator[Watch]:
    """Give what shows progress: a bar on a terminal, else a line on standard error for each."""
    console = Console(stderr=True)
    if not console.is_terminal:

        def told(result: CheckResult, done: int, total: int) -> None:
            console.print(
                f"[{done}/{total}] {result.verdict.value}: {result.name.replace('_', ' ')}",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )

        yield told
        return
    columns = (
        TextColumn("proving"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        bar = progress.add_task("", total=None)

        def moved(result: CheckResult, done: int, total: int) -> None:
            last = f"{result.verdict.value}: {result.name.replace('_', ' ')}"
            progress.update(bar, completed=done, total=total, description=escaped(last))

        yield moved


def _table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("clause", "method", "bounds", "covered", "seconds", "verdict"):
        right = heading in ("covered", "seconds")
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for row in report.rows:
        table.add_row(
            *map(Text, (row.clause.name, row.part.method.value, row.bounds)),
            Text(f"{row.covered:,} {row.unit}"),
            Text(f"{row.seconds:.1f}"),
            Text(row.verdict.value, style="green" if row.verdict.is_good else "bold red"),
        )
    return table


def _total(report: Report) -> str:
    """Return how many rows have which verdict."""
    from licet_proofs.clauses import SEVERITY

    counts = Counter(row.verdict for row in report.rows)
    ordered = sorted(counts, key=SEVERITY.index)
    words = ", ".join(f"{counts[word]} {word.value}" for word in ordered)
    return f"{len(report.rows)} {'row' if len(report.rows) == 1 else 'rows'}: {words}"


def _complaints(report: Report) -> Iterator[str]:
    yield from report.faults
    seen = set()
    for row in report.rows:
        for result in row.results:
            if not result.verdict.is_good and (row.part.method, result.name) not in seen:
                seen.add((row.part.method, result.name))
                yield f"{result.name}: {result.verdict.value}: {result.detail}"


def _json(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"
