"""`licet prove --program`: the checks of programs of one's own, for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from licet_bindings.console import print_plainly
from licet_bindings.errors import escaped
from licet_bindings.own_programs import ProgramReport, checks_of, report_of

if TYPE_CHECKING:
    from licet_proofs.own.findings import Finding

_STYLES = {"holds": "green", "told": "", "advice": "yellow", "fault": "bold red"}


def prove_programs(paths: list[Path], as_json: bool) -> tuple[list[ProgramReport], bool]:
    """Check some documents and print what was found; return it, and whether there is a fault.

    Raises:
        DocumentError: one of them is no valid document; nothing is checked then.
    """
    listed = [(path, *checks_of(path)) for path in paths]
    found: list[tuple[Path, str, list[Finding]]] = []
    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, redirect_stdout=False, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("checking", total=sum(len(checks) for _, _, checks in listed))
        for path, kind, checks in listed:
            findings = []
            for check in checks:
                findings.append(check.run())
                progress.advance(bar)
            found.append((path, kind, findings))
    reports = [report_of(*each) for each in found]
    for each, report in zip(found, reports, strict=True):
        if as_json:
            print(json.dumps(report))
        else:
            print_plainly(_findings(*each))
    return reports, not all(report["good"] for report in reports)


def _findings(path: Path, kind: str, findings: list[Finding]) -> Table:
    table = Table(
        title=Text(escaped(f"{path}, a {kind}")),
        title_justify="left",
        box=None,
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0),
    )
    for heading in ("check", "", "finding"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        covered = f" ({finding.covered})" if finding.covered else ""
        word = finding.word.value
        table.add_row(
            Text(finding.name),
            Text(word, style=_STYLES[word]),
            Text(escaped(f"{finding.says}{covered}")),
        )
    return table
