"""Review every bundled record under its domain's program, print what each supports, then gate.

Run it with `make demo`, or `python examples/demo.py` where licet is installed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from licet import Literal, Outcome, Unresolved, render
from licet_bindings.documents import ReviewDocument, read_document
from licet_bindings.gate.deciding import Observation, decide_candidate
from licet_bindings.gate.documents import read_candidate
from licet_bindings.records.reading import UnreadableRecord, open_records
from licet_bindings.reviewing import budget_of, review_record

EXAMPLES = Path(__file__).resolve().parent

SHOWN_IN_FULL = {
    "advisories": "PYSEC-2020-267",
    "trials": "NCT06382129",
    "recalls": "D-021-2014",
    "filings": "CIK1640147_PaymentsToAcquireEquitySecuritiesFvNi",
}
"""The domains, in the order of the demonstration, and the record whose report is printed whole."""

SHIPMENTS = {"printed_documents": (), "high_value": (False, True), "irreplaceable": ()}
"""The gate candidates, and what the user is taken to answer where the gate asks."""

NOTHING = "(nothing)"
WIDTH_OF_A_FILE = 120
"""Columns to lay tables out for when the output is no terminal."""


def main() -> int:
    """Review the four domains, then gate; return 1 where a record could not be read."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH_OF_A_FILE)
    totals: dict[str, Counter[str]] = {}
    all_read = True
    for domain, shown in SHOWN_IN_FULL.items():
        document = read_document(EXAMPLES / domain / "program.json")
        outcomes, unreadable = review_folder(document, EXAMPLES / domain / "records")
        show_domain(console, domain, document, outcomes)
        show_report(console, shown, outcomes[shown])
        for record in unreadable:
            console.print(f"{record.name}: {record.place} {record.problem}", markup=False)
            all_read = False
        totals[domain] = Counter(strongest(outcome) for outcome in outcomes.values())
    show_totals(console, totals)
    show_gate(console)
    return 0 if all_read else 1


def review_folder(
    document: ReviewDocument, folder: Path
) -> tuple[dict[str, Outcome], list[UnreadableRecord]]:
    """Return the outcome of each record by name, and the records that could not be read."""
    outcomes: dict[str, Outcome] = {}
    unreadable: list[UnreadableRecord] = []
    for record in open_records(folder):
        if isinstance(record, UnreadableRecord):
            unreadable.append(record)
            continue
        reviewed = review_record(document, record.content, policy="guided", completion=True)
        outcomes[Path(record.name).stem] = reviewed.outcome
    return outcomes, unreadable


def strongest(outcome: Outcome) -> str:
    """Return the conclusion that a review reports; in a chain there is at most one."""
    return outcome.conclusions[0] if outcome.conclusions else NOTHING


def show_domain(
    console: Console, domain: str, document: ReviewDocument, outcomes: dict[str, Outcome]
) -> None:
    """Print what is asked in a domain, and a table with one row a record."""
    console.print()
    console.rule(f"[bold]{domain}")
    console.print(document.specification.request, markup=False)
    console.print(f"Budget for each record: {budget_of(document)} calls.\n")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("record", overflow="fold", max_width=26)
    table.add_column("supports", no_wrap=True)
    table.add_column("calls", justify="right", no_wrap=True)
    table.add_column("because", ratio=3)
    table.add_column("next stronger one lacks", ratio=2)
    for name, outcome in outcomes.items():
        table.add_row(
            name,
            strongest(outcome),
            f"{outcome.spent}/{outcome.budget}",
            because(outcome),
            lacking(outcome),
            style="" if outcome.conclusions else "dim",
        )
    console.print(table)


def because(outcome: Outcome) -> str:
    """Return the route that justifies what is reported."""
    routes = {support.conclusion: support.route for support in outcome.supports}
    return in_words(routes[outcome.conclusions[0]].literals) if outcome.conclusions else "-"


def lacking(outcome: Outcome) -> str:
    """Return what the weakest conclusion that is not authorized lacks on its nearest route."""
    if not outcome.unresolved:
        return "-"
    nearest: Unresolved = outcome.unresolved[0]
    parts = [
        f"{label} {in_words(literals)}"
        for label, literals in (("missing", nearest.missing), ("blocked", nearest.blocked))
        if literals
    ]
    return f"{nearest.conclusion}: {'; '.join(parts)}"


def in_words(literals: Iterable[Literal]) -> str:
    """Return literals as a list of conditions."""
    return ", ".join(
        literal.atom if literal.positive else f"not {literal.atom}" for literal in literals
    )


def show_report(console: Console, name: str, outcome: Outcome) -> None:
    """Print one record's report as the kernel renders it."""
    console.print(f"\nThe report on {name}:\n", markup=False)
    console.print(render(outcome), markup=False, soft_wrap=True, end="")


def show_totals(console: Console, totals: dict[str, Counter[str]]) -> None:
    """Print how many records support what."""
    console.rule("[bold]totals")
    for domain, counts in totals.items():
        listed = ", ".join(f"{conclusion} {count}" for conclusion, count in counts.most_common())
        console.print(f"{domain}: {listed}", markup=False)
    everything = sum(totals.values(), Counter[str]())
    console.print(
        f"{everything.total()} records reviewed; {everything[NOTHING]} of them support nothing, and"
        " nothing is reported of them.",
        markup=False,
    )


def show_gate(console: Console) -> None:
    """Print what the gate decides where the same memory is wrong at different costs."""
    console.print()
    console.rule("[bold]gate")
    console.print(
        "May a parcel be shipped to a remembered address that is wrong with a probability of 0.28?"
        "\nThe user can be asked, and is right in 95 of 100 cases.\n"
    )
    for name, answers in SHIPMENTS.items():
        document = read_candidate(EXAMPLES / "gate" / f"{name}.json")
        loss = document.candidate.failure_modes[0].impact
        for asked in ((), *((answer,) for answer in answers)):
            said = "".join(f", the user {'denies' if no else 'confirms'} it" for no in asked)
            observations = [Observation("ask_user", no) for no in asked]
            decided = decide_candidate(document, observations=observations)
            console.print(
                f"{name}, a loss of {float(loss):g} when astray{said}: {decided.kind.value},"
                f" because {decided.reason}",
                markup=False,
            )
    console.print(
        "\n`licet gate examples/gate/high_value.json` explains one; docs/gate.md has more."
    )


if __name__ == "__main__":
    sys.exit(main())
