"""The command `licet audit`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, TypedDict

import typer
from rich.console import Console
from rich.progress import Progress as Bar

from licet import InvalidInput
from licet_bindings.console import (
    BAD_INPUT,
    FINDING,
    AsJson,
    answering,
    complain,
    example,
)
from licet_bindings.durable.audit import Auditor, Progress
from licet_bindings.durable.audited import Audit, AuditedEpisode, Finding
from licet_bindings.durable.entries import EMPTY, Head
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.file_audit import file_findings
from licet_bindings.durable.markup import Markup
from licet_bindings.durable.report_html import contents_row, episode_article, report_page
from licet_bindings.durable.sqlite_files import beside
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.errors import escaped, shown
from licet_bindings.outputs import OutputFile

_HEAD: Final = re.compile(r"(0|[1-9][0-9]{0,17}):([0-9a-fA-F]{64})")
_LISTED: Final = 10
"""Findings that are printed, at most, and notes."""


class FindingReport(TypedDict):
    """A finding or a note; `entry` and `episode` are null where none is meant."""

    entry: int | None
    episode: int | None
    problem: str


class AuditReport(TypedDict):
    """An audit as JSON.

    `first` is the first finding by entry, null where all holds; `more` how many are not listed.
    `head` is where the chain ends, as `--head` takes it.
    """

    ledger: str
    holds: bool
    head: str
    entries: int
    reviews: int
    gates: int
    replayed: int
    first: FindingReport | None
    findings: list[FindingReport]
    more: int
    notes: list[FindingReport]


def add_audit_command(app: typer.Typer) -> None:
    """Add the command to a command line."""
    app.command(
        epilog=example(
            "audit reviews.licet",
            "audit reviews.licet --html report.html",
            "audit reviews.licet --episode order-7 --html order-7.html",
        )
    )(audit)


@answering()
def audit(
    ledger: Annotated[Path, typer.Argument(help="A durable ledger.", show_default=False)],
    episode: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Replay this review or gate alone; the chain is followed as a whole all the same.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a report to this file.", show_default=False),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="SEQUENCE:DIGEST",
            help="A head that was noted before: the chain has to pass through it.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a ledger again: its file, its chain, its programs, each outcome and certificate.

    Every episode is replayed. The exit code is 1 where something does not hold; the first entry
    that fails is named. The head that is printed can be kept elsewhere and given to --head later.
    """
    pinned = None if head is None else _head(head)
    output = None if html is None else OutputFile(html, "--html")
    if output is not None:
        output.require_apart((ledger, *beside(ledger)))
        output.require_writable()
    try:
        found = _audited(ledger, episode, pinned, output)
    except LedgerError as fault:
        complain(str(fault))
        raise typer.Exit(BAD_INPUT) from None
    print(json.dumps(audit_report(found)) if as_json else audit_text(found))
    if not found.holds:
        raise typer.Exit(FINDING)


def audit_report(audit: Audit) -> AuditReport:
    """Return an audit as JSON."""
    findings = [_finding(each) for each in audit.findings]
    return {
        "ledger": audit.ledger,
        "holds": audit.holds,
        "head": _head_text(audit.head),
        "entries": audit.entries,
        "reviews": audit.reviews,
        "gates": audit.gates,
        "replayed": audit.replayed,
        "first": findings[0] if findings else None,
        "findings": findings,
        "more": audit.left_out,
        "notes": [_finding(each) for each in audit.notes],
    }


def audit_text(audit: Audit) -> str:
    """Return an audit as lines for people."""
    name = escaped(audit.ledger)
    lines = [f"{name}: {'all holds' if audit.holds else 'it does not hold'}"]
    if not audit.holds:
        first = audit.findings[0]
        lines[0] += f", first at {first.place}: {escaped(first.problem)}"
    lines += [f"  {each.place}: {escaped(each.problem)}" for each in audit.findings[1:_LISTED]]
    unlisted = max(len(audit.findings) - _LISTED, 0) + audit.left_out
    lines += [f"  {unlisted:,} more"] if unlisted else []
    counts = (
        _counted(audit.entries, "entry", "entries"),
        _counted(audit.reviews, "review", "reviews"),
        _counted(audit.gates, "gate", "gates"),
    )
    lines.append(f"  {', '.join(counts)}, {audit.replayed:,} of them replayed")
    lines += [f"  note: {each.place}: {escaped(each.problem)}" for each in audit.notes[:_LISTED]]
    unlisted = max(len(audit.notes) - _LISTED, 0)
    lines += [f"  {unlisted:,} more notes"] if unlisted else []
    return "\n".join([*lines, f"  head: {_head_text(audit.head)}"])


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _finding(finding: Finding) -> FindingReport:
    return {
        "entry": finding.sequence,
        "episode": finding.episode,
        "problem": finding.problem,
    }


def _head_text(head: Head) -> str:
    return f"{head.sequence}:{head.digest.hex()}"


def _head(text: str) -> Head:
    match = _HEAD.fullmatch(text)
    head = Head(int(match[1]), bytes.fromhex(match[2])) if match else None
    if head is None or (head.sequence == 0 and head != EMPTY):
        expected = "expected an entry's number and its digest, as an audit prints its head"
        raise InvalidInput("--head", f"{expected}, found {shown(text)}")
    return head


def _audited(
    ledger: Path, episode: str | None, pinned: Head | None, output: OutputFile | None
) -> Audit:
    """Audit a ledger's file, and write the report if one is asked for."""
    rows: list[tuple[Markup, ...]] = []
    articles: list[Markup] = []

    def told(replayed: AuditedEpisode) -> None:
        if output is not None:
            rows.append(contents_row(replayed))
            articles.append(episode_article(replayed))

    try:
        with SqliteStore.read(ledger) as store, _bars(_length(store)) as progress:
            auditor = Auditor(
                store,
                str(ledger),
                pinned=pinned,
                examine=lambda writers: file_findings(ledger, writers),
            )
            found = auditor.audit(episode, told, progress)
    except Damaged as fault:
        damaged = Finding(None, f"{fault.place}: {fault.problem}")
        found = Audit(str(ledger), EMPTY, 0, 0, 0, 0, (damaged,))
    if output is not None:
        with output.writing() as write:
            for part in report_page(found, rows, articles):
                write(part.encode("utf-8"))
    return found


def _length(store: SqliteStore) -> int | None:
    """Return how many entries there are to read; None where the last cannot be read."""
    try:
        return store.head().sequence
    except Damaged:
        return None


@contextmanager
def _bars(entries: int | None) -> Iterator[Progress]:
    """Give what shows bars on a terminal's standard error."""
    console = Console(stderr=True)
    with Bar(
        console=console,
        transient=True,
        # What is printed goes to standard output, wherever the bar is.
        redirect_stdout=False,
        disable=not console.is_terminal or sys.stderr is None,
    ) as bar:
        reading = bar.add_task("reading", total=entries)
        replaying = bar.add_task("replaying", total=None)

        def replayed(total: int) -> None:
            bar.update(replaying, total=total, advance=1)

        yield Progress(lambda: bar.advance(reading), replayed)
