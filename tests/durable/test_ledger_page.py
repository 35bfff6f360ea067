"""What docs/ledger.md shows, run."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"


def test_the_python_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 10
