"""Tables that keep names whole: where a line has no room for a row, the row becomes a block."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

GAP: Final = 2
"""Blanks between columns."""

_LEAST_SHORTENED: Final = 12
"""The least width to which a column that may be shortened is, before it is left out."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under headings; what fits in no line is written out below the row's first cell.

    Attributes:
        headings: one for each column.
        rows: the cells; a row may be shorter.
        shortened: whether the last column may be cut to the room that is left, or left out.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    shortened: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a table, or blocks."""
        widths = self._widths()
        room = options.max_width - sum(widths) - GAP * (len(widths) - 1)
        if room >= 0:
            yield self._table(widths)
        elif self.shortened and room + widths[-1] >= _LEAST_SHORTENED:
            yield self._table([*widths[:-1], room + widths[-1]])
        elif self.shortened:
            fewer = [row[: len(widths) - 1] for row in self.rows]
            yield Grid(self.headings[:-1], fewer)
        else:
            yield from (self._block(row, options.max_width) for row in self.rows)

    def _widths(self) -> list[int]:
        widths = [max(map(cell_len, heading.split("\n"))) for heading in self.headings]
        for row in self.rows:
            # The last cell of a short row reaches over the columns that it leaves empty.
            for column, cell in enumerate(row if len(row) == len(widths) else row[:-1]):
                widths[column] = max(widths[column], cell_len(cell))
        return widths

    def _table(self, widths: Sequence[int]) -> Text:
        lines = [*_lines(self.headings, widths)]
        head = len(lines)
        for row in self.rows:
            lines += _lines(row, widths)
        text = _whole(lines)
        text.stylize("bold", 0, len("\n".join(lines[:head])))
        return text

    def _block(self, row: Sequence[str], width: int) -> Text:
        names = [heading.replace("\n", " ") for heading in self.headings]
        said = [f"{name} {cell}" for name, cell in zip(names[1:], row[1:], strict=False) if cell]
        return _whole([row[0], *_wrapped(", ".join(said), width, "    ")])


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names, and beside each what is said of it, over as many lines as it takes."""

    rows: Sequence[tuple[str, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        wide = max((cell_len(name) for name, _ in self.rows), default=0) + GAP
        for name, said in self.rows:
            first, *more = _wrapped(said, options.max_width, " " * wide) or [""]
            yield _whole([f"{name:{wide}}{first[wide:]}", *more])


@dataclass(frozen=True, slots=True)
class Prose:
    """A text, broken at blanks alone."""

    text: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        yield _whole(_wrapped(self.text, options.max_width, ""))


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """Return a text in lines that are broken at blanks alone, each indented."""
    return textwrap.wrap(
        text,
        max(width, len(indent) + 1),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _whole(lines: Iterable[str]) -> Text:
    return Text("\n".join(lines), no_wrap=True, overflow="ignore")


def _lines(cells: Iterable[str], widths: Sequence[int]) -> list[str]:
    """Return the lines of a row, each cell as wide as its column; one that is too long is cut."""
    split = [cell.split("\n") for cell in cells]
    height = max(map(len, split))
    lines = []
    for line in range(height):
        parts = []
        for column, cell in enumerate(split):
            text = Text(cell[line] if line < len(cell) else "")
            if column < len(split) - 1 or len(split) == len(widths):
                text.truncate(widths[column], overflow="ellipsis", pad=True)
            parts.append(text.plain)
        lines.append((" " * GAP).join(parts).rstrip())
    return lines
