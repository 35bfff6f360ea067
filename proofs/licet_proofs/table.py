"""The table of what is shown, as Markdown and as plain data for JSON."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypedDict

from . import confirm
from .clauses import Clause
from .suite import CheckResult, Report, Row

BEGINS: Final = "<!-- written by `licet prove --markdown`; begins -->"
ENDS: Final = "<!-- written by `licet prove --markdown`; ends -->"


class Line(NamedTuple):
    """What of a row must be the same in every run: clause, method, bounds, and the verdict."""

    clause: str
    method: str
    bounds: str
    verdict: str


class Claim(NamedTuple):
    """What a clause claims, in the words of the table: its name, the claim, and the source."""

    clause: str
    says: str
    source: str


class CheckData(TypedDict):
    """One check, for JSON."""

    name: str
    verdict: str
    covered: int
    seconds: float
    detail: str


class RowData(TypedDict):
    """One row, for JSON."""

    clause: str
    says: str
    source: str
    method: str
    bounds: str
    must_be: str
    covered: int
    unit: str
    seconds: float
    verdict: str
    checks: list[CheckData]


class ReportData(TypedDict):
    """A run, for JSON."""

    good: bool
    rows: list[RowData]
    faults: list[str]


def promised(clauses: Iterable[Clause]) -> list[Line]:
    """Return the rows that a good run has, without running anything."""
    required = confirm.required()
    return [
        Line(clause.name, part.method.value, part.bounds_in(required), part.promised.value)
        for clause in clauses
        for part in clause.parts
    ]


def claimed(clauses: Iterable[Clause]) -> list[Claim]:
    """Return the claims as the table words them, without running anything."""
    return [Claim(clause.name, clause.says, clause.source) for clause in clauses]


def data_of(report: Report) -> ReportData:
    """Return a run as plain data."""
    return {
        "good": report.is_good,
        "rows": [_row_data(row) for row in report.rows],
        "faults": list(report.faults),
    }


def _row_data(row: Row) -> RowData:
    return {
        "clause": row.clause.name,
        "says": row.clause.says,
        "source": row.clause.source,
        "method": row.part.method.value,
        "bounds": row.bounds,
        "must_be": row.part.promised.value,
        "covered": row.covered,
        "unit": row.unit,
        "seconds": round(row.seconds, 1),
        "verdict": row.verdict.value,
        "checks": [_check_data(result) for result in row.results],
    }


def _check_data(result: CheckResult) -> CheckData:
    return {
        "name": result.name,
        "verdict": result.verdict.value,
        "covered": result.covered,
        "seconds": round(result.seconds, 1),
        "detail": result.detail,
    }


def markdown(report: Report) -> str:
    """Return the claims and the table as Markdown, between the two marks."""
    claims = claimed({row.clause.name: row.clause for row in report.rows}.values())
    lines = [BEGINS, "", "| clause | what it claims | source |", "|---|---|---|"]
    lines += [_cells(f"`{c.clause}`", c.says, c.source) for c in claims]
    lines += ["", "| clause | method | bounds | covered | verdict |", "|---|---|---|---:|---|"]
    lines += [
        _cells(
            f"`{row.clause.name}`",
            row.part.method.value,
            row.bounds,
            f"{row.covered:,} {row.unit}",
            row.verdict.value,
        )
        for row in report.rows
    ]
    return "\n".join([*lines, "", *(f"- {fault}" for fault in report.faults), ENDS, ""])


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def lines_in(text: str) -> list[Line]:
    """Return the rows of the table in a Markdown text, as `markdown` writes them."""
    return [Line(row[0], row[1], row[2], row[4]) for row in _rows_in(text) if len(row) == 5]


def claims_in(text: str) -> list[Claim]:
    """Return the claims in a Markdown text, as `markdown` writes them."""
    return [Claim(*row) for row in _rows_in(text) if len(row) == 3]


def _rows_in(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row that begins with a clause, between the two marks."""
    for line in text.partition(BEGINS)[2].partition(ENDS)[0].splitlines():
        if line.startswith("| `"):
            cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
            name, *others = (cell.replace("\\|", "|") for cell in cells)
            yield [name.strip("`"), *others]


def markdown_within(report: Report, page: str) -> str:
    """Return a page with the table in it: where it has the two marks, between them; else alone."""
    written = markdown(report)
    before, begins, rest = page.partition(BEGINS)
    _, ends, after = rest.partition(ENDS + "\n")
    return f"{before}{written}{after}" if begins and ends else written
