"""`licet prove --program`: the checks of programs of one's own, for people and as JSON.

For people on a terminal a bar shows how far it is, and a table follows. Elsewhere each finding is a
line of its own, written when it is found: a run that is cut off has said what it knew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from licet_bindings.console import print_plainly
from licet_bindings.errors import escaped
from licet_bindings.own_programs import ProgramReport, checks_of, report_of

if TYPE_CHECKING:
    from licet_proofs.own.findings import Finding, OwnCheck

_STYLES: Final = {"holds": "green", "told": "", "advice": "yellow", "fault": "bold red"}
_GAP: Final = "  "


class _Document(NamedTuple):
    """A document, what it is, and its checks."""

    path: Path
    kind: str
    checks: tuple[OwnCheck, ...]

    @property
    def title(self) -> str:
        return escaped(f"{self.path}, a {self.kind}")


def prove_programs(paths: list[Path], as_json: bool) -> tuple[list[ProgramReport], bool]:
    """Check some documents and print what was found; return it, and whether there is a fault.

    Raises:
        DocumentError: one of them is no valid document; nothing is checked then.
    """
    documents = [_Document(path, *checks_of(path)) for path in paths]
    if as_json:
        reports = _reports(documents, [list(_run(document)) for document in documents])
        for report in reports:
            print(json.dumps(report))
    elif sys.stdout.isatty():
        found = _with_bar(documents)
        for document, findings in zip(documents, found, strict=True):
            print_plainly(_table(document, findings))
        reports = _reports(documents, found)
    else:
        reports = _reports(documents, [_line_by_line(document) for document in documents])
    return reports, not all(report["good"] for report in reports)


def _run(document: _Document) -> Iterator[Finding]:
    return (check.run() for check in document.checks)


def _reports(documents: list[_Document], found: list[list[Finding]]) -> list[ProgramReport]:
    return [report_of(d.path, d.kind, each) for d, each in zip(documents, found, strict=True)]


def _with_bar(documents: list[_Document]) -> list[list[Finding]]:
    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("checking", total=sum(len(d.checks) for d in documents))
        found: list[list[Finding]] = []
        for document in documents:
            found.append([])
            for finding in _run(document):
                found[-1].append(finding)
                progress.advance(bar)
    return found


def _line_by_line(document: _Document) -> list[Finding]:
    """Print each finding when it is found, in the columns of the table."""
    widths = (
        max(map(cell_len, ("check", *(escaped(check.name) for check in document.checks)))),
        max(map(len, _STYLES)),
    )

    def line(name: str, word: str, says: str) -> None:
        columns = (*map(set_cell_size, (name, word), widths), says)
        print(_GAP.join(columns), flush=True)

    print(document.title)
    line("check", "", "finding")
    found = []
    for finding in _run(document):
        line(escaped(finding.name), finding.word.value, _says(finding))
        found.append(finding)
    return found


def _table(document: _Document, findings: list[Finding]) -> Table:
    table = Table(
        title=Text(document.title),
        title_justify="left",
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
    )
    for heading in ("check", "", "finding"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        word = finding.word.value
        table.add_row(
            Text(escaped(finding.name)), Text(word, style=_STYLES[word]), Text(_says(finding))
        )
    return table


def _says(finding: Finding) -> str:
    covered = f" ({finding.covered})" if finding.covered else ""
    return escaped(f"{finding.says}{covered}")
