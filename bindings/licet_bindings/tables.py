"""Reviews and checked programs as tables and lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from licet import Outcome
from licet.renderer import number
from licet_bindings.checking import CheckReport
from licet_bindings.errors import escaped
from licet_bindings.records.reading import UnreadableRecord
from licet_bindings.reviewing import RecordReview
from licet_bindings.standards.reports import verdict_text

SUSPENDED = "(suspended)"
"""What stands for it where what is on record contradicts the constraints."""

ABSTENTION = "(none)"
"""What stands for the conclusion where none is authorized."""

NOT_READ = "(not read)"
"""What stands for it where the record could not be read."""


HEADINGS: Final = ("record", "conclusion", "spent", "next", "missing", "blocked")
GAP: Final = 1


def review_table(reviews: Iterable[RecordReview], width: int) -> Table:
    """Return one row a record: what is reported, what it cost, and what the next step lacks.

    The next step is the weakest conclusion, as listed, that is not authorized. Lines break between
    items alone; where not all columns have room, the last are left out.

    Args:
        reviews: the records.
        width: characters of a line.
    """
    rows = [tuple(map(escaped, _row(review))) for review in reviews]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    widths = _widths(list(zip(HEADINGS, *rows, strict=True)), width)
    for heading, wide in zip(HEADINGS, widths, strict=False):
        table.add_column(heading, overflow="fold", width=wide, no_wrap=heading == "record")
    for row in rows:
        table.add_row(*map(Text, row[: len(widths)]))
    return table


def _widths(columns: list[tuple[str, ...]], width: int) -> list[int]:
    """Return how wide the columns that have room are, each at least as its longest item."""
    whole = [max(map(cell_len, column)) for column in columns]
    least = [
        max(cell_len(item) for cell in column for item in cell.split(" ")) for column in columns
    ]
    # Names of records and what is reported stay on one line; only the longest lists are broken.
    least[:4] = whole[:4]
    kept = [min(whole[0], width)]
    for wide in least[1:]:
        if sum(kept) + wide + GAP * len(kept) > width:
            break
        kept.append(wide)
    for position, wide in enumerate(whole[: len(kept)]):
        room = width - sum(kept) - GAP * (len(kept) - 1)
        kept[position] = min(wide, kept[position] + room)
    return kept


def _row(review: RecordReview) -> tuple[str, ...]:
    name = PurePath(review.name).name
    if isinstance(review.result, UnreadableRecord):
        return name, NOT_READ, "", "", "", ""
    outcome = review.result.outcome
    spent = f"{number(outcome.spent)}/{number(outcome.budget)}"
    reported = _reported(outcome)
    if not outcome.unresolved:
        return name, reported, spent, "", "", ""
    step = outcome.unresolved[0]
    return (
        name,
        reported,
        spent,
        step.conclusion,
        ", ".join(str(literal) for literal in step.missing),
        ", ".join(str(literal) for literal in step.blocked),
    )


def _reported(outcome: Outcome) -> str:
    if outcome.suspension is not None:
        return SUSPENDED
    return ", ".join(outcome.conclusions) or ABSTENTION


def totals(reviews: Iterable[RecordReview]) -> str:
    """Return how many records came to each conclusion, the most frequent first, on one line."""
    counts: Counter[str] = Counter()
    for review in reviews:
        if isinstance(review.result, UnreadableRecord):
            counts[NOT_READ] += 1
        else:
            counts[_reported(review.result.outcome)] += 1
    records = "record" if counts.total() == 1 else "records"
    return f"{counts.total()} {records}: " + ", ".join(
        f"{count} {name}" for name, count in counts.most_common()
    )


def check_lines(report: CheckReport) -> str:
    """Return what checking a valid program found, as lines."""
    sufficient = report["sufficient_budget"]
    lines = [
        f"program: sha256 {report['program_sha256']}",
        "cheapest route of each conclusion, in calls:",
        *(f"  {name}: {cost}" for name, cost in report["cheapest"].items()),
        f"sufficient budget: {'not known' if sufficient is None else sufficient}",
    ]
    if report["constraints"]:
        lines.append(f"constraints: {report['constraints']}")
    if report["texts"]:
        lines.append("texts that are read, and what is judged on each, one call each:")
        lines += [f"  {name}: {', '.join(atoms)}" for name, atoms in report["texts"].items()]
    if report["candidates"]:
        lines.append("candidate fields, in the order in which they are tried, one charge each:")
        lines += [
            f"  {name}: {', '.join(map(escaped, fields))}"
            for name, fields in report["candidates"].items()
        ]
    if report["routes_computed"]:
        lines.append("routes, computed from the standard:")
        lines += _routes_lines(report["routes"])
    elif report["standard"]:
        lines.append("the routes beside the standard:")
        lines += [
            f"  {name}: {verdict_text(compared)}" for name, compared in report["standard"].items()
        ]
    if report["findings"]:
        lines.append("findings:")
    lines += [f"  {found['place']}: {found['problem']}" for found in report["findings"]]
    return "\n".join(lines)


def _routes_lines(routes: Mapping[str, list[list[str]]]) -> Iterator[str]:
    for name, listed in routes.items():
        for route in listed:
            yield f"  {name}: {' & '.join(route)}"
