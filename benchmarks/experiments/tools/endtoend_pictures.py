"""The picture of the tool environment: policies by cost, and the two-step policy by variant."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..pictures import BLUE, COLOURS, GREY, ORANGE, RED, canvas
from . import paper

if TYPE_CHECKING:
    from .endtoend import Found

_MARKERS = "os^Dv<>PXh"


def draw(found: "Found", path: Path) -> None:
    """Draw the three."""
    with canvas(path, 15, 4.6, columns=3) as (figure, (recall, harm, variants)):
        for number, (name, row) in enumerate(found.policies.items()):
            marker, colour = _MARKERS[number], COLOURS[number % len(COLOURS)]
            for axes, height in ((recall, row.recall), (harm, row.harmful)):
                axes.plot(row.cost, 100 * height, marker, color=colour, markersize=8, label=name)
        for axes, height in ((recall, 100 * paper.MAIN.recall), (harm, 100 * paper.MAIN.harmful)):
            label = "paper's ToolSandbox, two-step"
            axes.plot(paper.MAIN.cost, height, "*", color=RED, markersize=13, label=label)
            axes.set_xlabel("mean verification cost")
        recall.set_title("Safe-proceed recall, %", loc="left", fontweight="bold")
        harm.set_title("Harmful, %", loc="left", fontweight="bold")
        places = range(len(found.variants))
        gated = [100 * of["two-step"].recall for of in found.variants.values()]
        harms = [100 * of["two-step"].harmful for of in found.variants.values()]
        ungated = [100 * of["always-proceed"].harmful for of in found.variants.values()]
        variants.bar([x - 0.27 for x in places], gated, 0.26, color=BLUE, label="recall, two-step")
        variants.bar(places, harms, 0.26, color=ORANGE, label="harmful, two-step")
        variants.bar(
            [x + 0.27 for x in places], ungated, 0.26, color=GREY, label="harmful, ungated"
        )
        variants.set_xticks(list(places), list(found.variants))
        variants.set_ylim(0, 125)
        variants.legend(frameon=False, ncols=3, loc="upper center", fontsize=8)
        variants.set_title("By perturbation family, %", loc="left", fontweight="bold")
        handles, labels = recall.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)
