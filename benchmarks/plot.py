"""The picture of the decision's latency by the number of routes."""

import json
from pathlib import Path
from typing import Final

import matplotlib

matplotlib.use("Agg")  # no display is needed

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from .decision.run import ALL, BAR_MICROSECONDS, OFF, ON, ONE
from .report import Result

# Colours that stay apart for the colour-blind (Okabe and Ito) and, by their markers, in grey.
_STYLES: Final = {
    OFF: ("licet, contracts off", "#0072B2", "o"),
    ON: ("licet, contracts on", "#56B4E9", "s"),
    ONE: ("Cedar, one conclusion", "#D55E00", "^"),
    ALL: ("Cedar, all three", "#E69F00", "D"),
}


def plot_decision(result: Result, path: Path) -> None:
    """Draw the medians of a `decision` result by the number of routes, as SVG or PNG."""
    # As they are read from a saved result.
    figures = json.loads(json.dumps(result.figures["half_known_by_number_of_routes"]))
    points: dict[int, dict[str, dict[str, float]]] = {int(n): of for n, of in figures.items()}
    # The same figures give the same file.
    with matplotlib.rc_context({"svg.hashsalt": "licet", "font.size": 11}):
        canvas, axes = pyplot.subplots(figsize=(8.4, 4.8), layout="constrained")
        for name, (label, colour, marker) in _STYLES.items():
            medians = [series[name]["median"] for series in points.values()]
            axes.plot(list(points), medians, color=colour, marker=marker, linewidth=2)
            axes.annotate(
                label,
                (max(points), medians[-1]),
                xytext=(9, 0),
                textcoords="offset points",
                color=colour,
                va="center",
                fontweight="bold",
            )
        _dress(axes, sorted(points))
        undated = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
        canvas.savefig(path, dpi=110, metadata=undated)
        pyplot.close(canvas)


def _dress(axes: Axes, routes: list[int]) -> None:
    plain = FuncFormatter(lambda value, position: f"{value:g}")
    axes.set_title(
        "One decision: what may be reported, and (licet only) what to check next",
        loc="left",
        fontweight="bold",
        fontsize=12,
    )
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(routes))
    axes.xaxis.set_major_formatter(plain)
    axes.set_xlim(routes[0] * 0.9, routes[-1] * 3.4)  # room for the names of the lines
    axes.set_xlabel("routes in the program (3 conclusions, 40 atoms, half of them known)")
    axes.set_yscale("log")
    axes.set_ylim(1, 3000)
    axes.yaxis.set_major_locator(FixedLocator([1, 10, 100, 1000]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(plain)
    axes.set_ylabel("microseconds, median (lower is faster)")
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.axhline(BAR_MICROSECONDS, color="#444444", linestyle="--", linewidth=1.2)
    axes.annotate(
        f"licet's bar at 20 routes: {BAR_MICROSECONDS}",
        (1, BAR_MICROSECONDS),
        xycoords=("axes fraction", "data"),
        xytext=(0, 4),
        textcoords="offset points",
        ha="right",
        color="#444444",
        fontsize=9,
    )
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
