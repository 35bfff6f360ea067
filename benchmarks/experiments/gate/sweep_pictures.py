"""The picture of the sweep: harm and coverage by checks, and loss by cost, as the paper draws."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..pictures import COLOURS, GREY, RED, canvas
from .contenders import TWO_STEP
from .paper import MAIN_COST, MAIN_COVERAGE
from .points import GRID, MAIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .sweep import Found, Row

_MARKERS: Final = ("o", "s", "^", "D", "v")
_GREATEST_CHECKS: Final = 2.5

Number = Callable[["Row"], float]


def draw(found: "Found", path: Path) -> None:
    """Draw the three."""
    with canvas(path, 14, 4.8, columns=3) as (figure, (coverage, harm, losses)):
        _lines(coverage, found, lambda row: row.checks, lambda row: 100 * row.proceeds)
        _lines(harm, found, lambda row: row.checks, lambda row: 100 * row.main_harms)
        _lines(losses, found, lambda row: row.cost, lambda row: row.loss)
        coverage.axhline(100 * MAIN_COVERAGE, color=RED, linestyle=":", linewidth=1.2)
        coverage.annotate(
            f"paper's main point, other instances: {100 * MAIN_COVERAGE:.2f} %",
            (1, 100 * MAIN_COVERAGE),
            xycoords=("axes fraction", "data"),
            xytext=(0, -11),
            textcoords="offset points",
            ha="right",
            color=RED,
            fontsize=8,
        )
        losses.axvline(MAIN_COST, color=RED, linestyle=":", linewidth=1.2)
        losses.annotate(
            f"paper's\n{MAIN_COST}",
            (MAIN_COST, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -4),
            textcoords="offset points",
            va="top",
            color=RED,
            fontsize=8,
        )
        for axes, title, across, up in (
            (coverage, "Coverage", "mean verifier calls", "% executed"),
            (harm, "Harm (loss above 0.5)", "mean verifier calls", "% executed into harm"),
            (losses, "Decision loss and cost", "mean verification cost", "mean decision loss"),
        ):
            axes.set_title(title, loc="left", fontweight="bold")
            axes.set_xlabel(across)
            axes.set_ylabel(up)
            axes.set_xlim(left=-0.03)
        handles, labels = harm.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=7, frameon=False)


def _lines(axes: "Axes", found: "Found", across: Number, up: Number) -> None:
    """Draw a line for each delta, from the least lambda to the greatest; a ring: main point."""
    deltas = sorted({point.delta for point in GRID})
    for delta, colour, marker in zip(deltas, COLOURS, _MARKERS, strict=False):
        rows = [found.row(point, TWO_STEP) for point in GRID if point.delta == delta]
        axes.plot(
            [across(row) for row in rows],
            [up(row) for row in rows],
            color=colour,
            marker=marker,
            markersize=5,
            label=f"delta {float(delta):g}",
        )
    for setting in found.settings:
        if setting.point == MAIN and setting.policy == TWO_STEP:
            axes.plot(
                across(setting.row),
                up(setting.row),
                marker="o",
                markersize=13,
                fillstyle="none",
                color="black",
                linestyle="none",
                label="main point",
            )
        if setting.policy.startswith("environment-probing") and _near(across(setting.row)):
            axes.plot(
                across(setting.row),
                up(setting.row),
                marker="x",
                color=GREY,
                linestyle="none",
                label="_" if setting.policy[-4:] != "0.01" else "environment probing",
            )


def _near(value: float) -> bool:
    return value <= _GREATEST_CHECKS
