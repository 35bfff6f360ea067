"""docs/experiments.md shows what was written, row by row."""

import json
from pathlib import Path

from benchmarks.experiments.files import FOLDER
from benchmarks.experiments.registry import parts

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ")]


def test_every_row_of_the_page_is_a_row_of_the_results() -> None:
    written = {row for path in FOLDER.glob("*.md") for row in rows(path.read_text("utf-8"))}
    shown = rows(PAGE.read_text("utf-8"))
    assert len(shown) > 40
    assert [row for row in shown if row not in written] == []


def test_the_page_says_of_every_table_how_its_setting_stands_to_the_papers() -> None:
    blocks = PAGE.read_text("utf-8").split("\n\n")
    tables = [place for place, block in enumerate(blocks) if block.startswith("| ")]
    assert len(tables) > 8
    for place in tables:
        after = blocks[place + 1]
        assert after.startswith(("*like setting.*", "*not comparable*")), blocks[place][:80]


def test_the_results_of_every_part_are_there_and_nothing_failed() -> None:
    for name in parts():
        written = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        assert (written["size"], written["seed"], written["failures"]) == ("full", 7, []), name
        assert f"`{name}`, full size, seed 7." in (FOLDER / "README.md").read_text("utf-8")
