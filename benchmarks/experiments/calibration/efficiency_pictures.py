"""The picture of calibration: each measure by share of the data, and the reliability."""

from pathlib import Path
from typing import TYPE_CHECKING

from licet_bindings.calibration.measures import Measures

from ..pictures import BLUE, GREY, ORANGE, RED, SKY, canvas
from . import paper

if TYPE_CHECKING:
    from .efficiency import Found


def draw(found: "Found", path: Path) -> None:
    """Draw the four."""
    shares = list(found.curve)
    names = dict(zip(Measures._fields, ("ECE", "Brier score", "NLL, nats"), strict=True))
    with canvas(path, 15, 4.2, columns=4) as (figure, (*three, last)):
        for axes, (field, name) in zip(three, names.items(), strict=True):
            for kind, colour in (("calibrated", BLUE), ("base alone", SKY)):
                heights = [getattr(found.curve[share][kind], field) for share in shares]
                axes.plot(shares, heights, color=colour, marker="o", label=kind)
            raw = getattr(found.fixed["raw confidence, clipped"], field)
            axes.axhline(raw, color=ORANGE, label="raw confidence")
            true = getattr(found.fixed["true chance"], field)
            axes.axhline(true, color=GREY, linestyle=":", label="true chance")
            known = [getattr(each, field) for each in paper.CALIBRATED.values()]
            axes.plot(list(paper.CALIBRATED), known, color=RED, marker="x", linestyle="--",
                      label="paper, other claims")  # fmt: skip
            axes.set_ylim(bottom=0)
            axes.set_title(name, loc="left", fontweight="bold")
            axes.set_xlabel("share of the data")
        for kind, colour in (("raw", ORANGE), ("calibrated", BLUE)):
            points = found.reliability[kind]
            last.plot(
                [predicted for _, predicted, _ in points],
                [observed for _, _, observed in points],
                color=colour,
                marker="o",
            )
        last.plot((0, 1), (0, 1), color=GREY, linestyle=":")
        last.set_title("Reliability, all data", loc="left", fontweight="bold")
        last.set_xlabel("mean probability of being wrong")
        last.set_ylabel("share wrong")
        handles, labels = three[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
