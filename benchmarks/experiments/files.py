"""Results of parts as JSON and Markdown, and the report that holds them all."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from ..report import RESULTS, Json
from .part import Outcome, Part, Shown, Size, failures_of

FOLDER: Final = RESULTS / "experiments"
REPORT: Final = "README.md"

_OPENING: Final = (
    "# The papers' experiments, rerun without a model\n\n"
    "Written by `make experiments`. No language model runs here: agents, judges and verifiers are"
    " simulated, and what they do is drawn from a seed. Under each table stands how its setting"
    " stands to the papers': *same setting*, *like setting* (the same question on instances of this"
    " project's own) or *not comparable*.\n"
)


def plain(value: Outcome) -> Json:
    """Return plain data as JSON has it: rationals as numbers, enums by their value.

    Raises:
        TypeError: something in it is no plain data.
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Fraction):
        return float(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"expected plain data, found {type(value).__name__}")


def _key(key: object) -> str:
    return str(plain(key))


def as_json(part: Part, result: Outcome, size: Size, seed: int) -> dict[str, Json]:
    """Return a result with what it was run with."""
    return {
        "part": part.NAME,
        "size": size.value,
        "seed": seed,
        "failures": failures_of(part, result),
        "result": plain(result),
    }


def unwritable(folder: Path) -> str:
    """Make the folder, and return why nothing can be written there; empty if something can.

    Asked before anything is run, which takes minutes.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def write(part: Part, result: Outcome, size: Size, seed: int, folder: Path) -> None:
    """Write a part's `<name>.json`, `<name>.md` and pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps(as_json(part, result, size, seed), indent=2, ensure_ascii=False) + "\n"
    (folder / f"{part.NAME}.json").write_text(content, "utf-8")
    pictures = part.pictures(result, folder)
    text = as_markdown(part, result, size, seed, pictures)
    (folder / f"{part.NAME}.md").write_text(text, "utf-8")


def write_report(names: Iterable[str], folder: Path) -> None:
    """Write the report of all the parts whose Markdown is in the folder, in their order."""
    written = [path for name in names if (path := folder / f"{name}.md").exists()]
    texts = (path.read_text("utf-8") for path in written)
    (folder / REPORT).write_text("\n".join((_OPENING, *texts)), "utf-8")


def as_markdown(part: Part, result: Outcome, size: Size, seed: int, pictures: Iterable[str]) -> str:
    """Return a part's title, pictures and tables as Markdown."""
    lines = [f"## {part.TITLE}", "", f"`{part.NAME}`, {size.value} size, seed {seed}."]
    lines += [f"\n**Does not hold:** {failure}." for failure in failures_of(part, result)]
    lines += [f"\n![{part.TITLE}]({picture})" for picture in pictures]
    for shown in part.tables(result):
        lines += ["", *_table(shown)]
    return "\n".join(lines) + "\n"


def _table(shown: Shown) -> list[str]:
    header, rows = shown.table.header, shown.table.rows
    return [
        f"### {shown.table.title}",
        "",
        _row(header),
        _row(("---", *["---:"] * (len(header) - 1))),
        *map(_row, rows),
        "",
        f"*{shown.setting.value}*: {shown.why}",
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
