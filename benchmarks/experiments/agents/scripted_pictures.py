"""The picture of the scripted policies: utility by budget, places known and uncertain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..corpus.tasks import Split
from ..pictures import COLOURS, canvas
from .paper import LOCATOR, SCRIPTED
from .scripted_tables import BUDGETS

if TYPE_CHECKING:
    from .scripted import Found

_SHOWN = {
    Split.BALANCED: ("exact", "ceiling", "guided", "random", "in-order", "HESP"),
    Split.LOCATOR: ("locator", "right first in 71%", "completion alone", "blind", "HESP"),
}
_TITLES = {Split.BALANCED: "Places known", Split.LOCATOR: "Three places for each condition"}


def draw(found: Found, path: Path) -> None:
    """Draw both splits side by side, the paper's points as diamonds of the same colour."""
    with canvas(path, 12, 4.6, columns=2) as (_, panels):
        for axes, (split, names) in zip(panels, _SHOWN.items(), strict=True):
            paper = SCRIPTED if split is Split.BALANCED else LOCATOR
            for colour, name in zip(COLOURS, names, strict=False):
                line = [found.cell(split, name, each).summary.utility for each in BUDGETS]
                axes.plot(range(len(BUDGETS)), line, color=colour, marker="o", label=name)
                reported = [(i, y) for i, y in enumerate(paper.get(name, ())) if y is not None]
                if reported:
                    x, y = zip(*reported, strict=True)
                    axes.plot(x, y, color=colour, marker="D", markersize=4, linestyle=":")
            axes.set_xticks(range(len(BUDGETS)), BUDGETS)
            axes.set_ylim(-2, 70)
            axes.set_title(_TITLES[split], loc="left", fontweight="bold")
            axes.legend(frameon=False, fontsize=9, loc="lower right")
        panels[0].set_ylabel("supported utility; dotted: the paper's")
