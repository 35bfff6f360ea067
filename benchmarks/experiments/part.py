"""What a part of the experiments is, and what its tables say of themselves.

A part is a module with `NAME`, `TITLE`, `run(size, seed)`, `tables(result)` and
`pictures(result, folder)`; where something must hold, also `failures(result)`. The package that it
lies in lists its module's name in `PARTS`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from ..report import Table

Outcome: TypeAlias = Any
"""What a part found: plain data, whose kind the part alone knows."""


class Size(Enum):
    """How much is run: FULL is what the report shows, QUICK what tests run."""

    QUICK = "quick"
    FULL = "full"


class Setting(Enum):
    """How a table's setting stands to the papers'.

    SAME: the papers' own setting, so numbers can be compared. LIKE: the same question on instances
    of this project's own; directions can be compared, numbers only with care. NOT_COMPARABLE: the
    papers have nothing that it could be held against.
    """

    SAME = "same setting"
    LIKE = "like setting"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True, slots=True)
class Shown:
    """A table of the report.

    Attributes:
        table: title, header and rows.
        setting: how its setting stands to the papers'.
        why: why, in a sentence or two; what is simulated is said to be.
    """

    table: Table
    setting: Setting
    why: str


class Part(Protocol):
    """A module of the experiments.

    Attributes:
        NAME: what names it on the command line and its files: small letters and dashes.
        TITLE: its heading in the report.
    """

    NAME: str
    TITLE: str

    def run(self, size: Size, seed: int) -> Outcome:
        """Run it; the same size and seed give an equal result, of plain data.

        Plain data: dataclasses, named tuples, mappings, sequences, enums, numbers, text.
        """

    def tables(self, result: Outcome) -> Sequence[Shown]:
        """Return the tables of a result."""

    def pictures(self, result: Outcome, folder: Path) -> Sequence[str]:
        """Draw into a folder and return the names of the files; same result, same bytes."""


def failures_of(part: Part, result: Outcome) -> tuple[str, ...]:
    """Return in words what had to hold and did not; a part without such claims has none."""
    check = getattr(part, "failures", None)
    return () if check is None else tuple(check(result))
