"""What docs/ledger.md shows, run."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 10


def test_the_figures_of_the_page_are_those_of_the_results() -> None:
    results = PAGE.parents[1] / "benchmarks" / "results"
    written = (results / "writers.md").read_text("utf-8").splitlines()
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    figures = [row for row in rows if row.startswith(("| 1 ", "| 8 "))]
    assert len(figures) == 2
    assert all(row in written for row in figures)
    assert "| violations | 0 |" in (results / "kills.md").read_text("utf-8")
    assert '"violations": 0' in (results / "kills.json").read_text("utf-8")
