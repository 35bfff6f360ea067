"""Results of benchmarks: on the terminal, as JSON and as Markdown."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.table import Table as RichTable

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

RESULTS: Final = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Table:
    """Text in rows; the first column names the row, the others are right-aligned."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What one benchmark found.

    Attributes:
        name: of the benchmark and its files.
        title: in words.
        settings: what it was run with.
        figures: the measurements.
        tables: the figures for people.
        notes: paragraphs on how it was measured and what it means.
        picture: the file name of a plot in the results folder, if there is one.
        more_pictures: the file names of others.
        failed: whether something was found that must not be.
    """

    name: str
    title: str
    settings: Mapping[str, Json]
    figures: Mapping[str, Json]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    picture: str | None = None
    more_pictures: tuple[str, ...] = ()
    failed: bool = False


def figure(number: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{number:,}"


def machine() -> dict[str, Json]:
    """Return the class of this machine, and how busy it is now (load of the last minute)."""
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
    }


def as_json(result: Result, on: Mapping[str, Json]) -> str:
    """Return settings, machine and figures as JSON."""
    content = {
        "benchmark": result.name,
        "machine": on,
        "settings": result.settings,
        "figures": result.figures,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def as_markdown(result: Result, on: Mapping[str, Json]) -> str:
    """Return title, tables and notes as Markdown."""
    lines = [f"# {result.title}", "", _conditions(result, on)]
    for picture in ((result.picture,) if result.picture else ()) + result.more_pictures:
        lines += ["", f"![{result.title}]({picture})"]
    for table in result.tables:
        lines += ["", f"## {table.title}", "", _row(table.header)]
        lines.append(_row(("---", *["---:"] * (len(table.header) - 1))))
        lines += map(_row, table.rows)
    for note in result.notes:
        lines += ["", note]
    return "\n".join(lines) + "\n"


def show(result: Result, on: Mapping[str, Json]) -> None:
    """Print the same for a terminal."""
    console = Console()
    console.rule(result.title, align="left")
    console.print(_conditions(result, on), highlight=False, markup=False)
    for table in result.tables:
        shown = RichTable(title=table.title, title_justify="left")
        for position, name in enumerate(table.header):
            shown.add_column(name, justify="right" if position else "left")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown, markup=False)
    for note in result.notes:
        console.print(f"{note}\n", highlight=False, markup=False)


def save(result: Result, on: Mapping[str, Json], folder: Path = RESULTS) -> None:
    """Write `<name>.json` and `<name>.md`."""
    folder.mkdir(exist_ok=True)
    (folder / f"{result.name}.json").write_text(as_json(result, on), "utf-8")
    (folder / f"{result.name}.md").write_text(as_markdown(result, on), "utf-8")


def _conditions(result: Result, on: Mapping[str, Json]) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in result.settings.items())
    return (
        f"{on['cores']} cores, {on['system']}, {on['python']}, load {on['load']} at the start;"
        f" {settings}."
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
