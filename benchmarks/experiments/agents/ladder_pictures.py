"""The picture of the agents: utility by budget for each system and temperament."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..pictures import COLOURS, canvas
from .paper import BY_BUDGET
from .systems import LADDER
from .temperaments import TEMPERAMENTS

if TYPE_CHECKING:
    from .ladder import Found


def draw(found: "Found", path: Path) -> None:
    """Draw a panel for each system, a line for each temperament, the paper's points in black."""
    budgets = tuple(dict.fromkeys(cell.budget for cell in found.cells if cell.system in LADDER))
    ceiling = next(iter(found.pooled.values())).ceiling
    with canvas(path, 15, 4.2, columns=len(LADDER)) as (figure, panels):
        for axes, system in zip(panels, LADDER, strict=True):
            for colour, name in zip(COLOURS, TEMPERAMENTS, strict=True):
                line = [found.cell(system, name, each).summary.utility for each in budgets]
                axes.plot(range(len(budgets)), line, color=colour, marker="o", label=name)
            axes.axhline(ceiling, color="black", linewidth=0.8, linestyle=":")
            points = [(i, each) for i, each in enumerate(BY_BUDGET[system]) if each is not None]
            axes.plot(*zip(*points, strict=True), "kD", markersize=5, label="paper, its own tasks")
            axes.set_xticks(range(len(budgets)), budgets)
            axes.set_ylim(-2, 70)
            axes.set_title(system, loc="left", fontweight="bold")
        panels[0].set_ylabel("supported utility; dotted: full information")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
