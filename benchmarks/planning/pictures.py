"""Pictures of a `planning` result: how time grows with the verifiers, and the goals."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import matplotlib

matplotlib.use("Agg")  # no display is needed

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ..report import Result
from .contenders import AGRUM, COPY, LICET, NAIVE, REFERENCE, STORM
from .units import bytes_of, ratio, seconds_of

# Colours that stay apart for the colour-blind (Okabe and Ito) and, by their markers, in grey.
_STYLES: Final = {
    LICET: ("licet", "#0072B2", "o"),
    f"{LICET}, budget 4": ("licet, budget of 4 checks", "#56B4E9", "s"),
    STORM: ("stormpy", "#D55E00", "^"),
    NAIVE: ("naive memoized", "#E69F00", "D"),
    REFERENCE: ("exact rationals (licet core)", "#CC79A7", "v"),
    AGRUM: ("pyAgrum, budgets 2 and 3", "#009E73", "P"),
    COPY: ("copying the array once", "#777777", "x"),
}
_VERIFIERS: Final = (4, 6, 8, 10, 12, 16, 18, 30, 64)
_SECONDS: Final = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100)
_STATES: Final = (1e4, 1e5, 1e6, 1e7, 1e8, 1e9)

Series = dict[str, list[tuple[int, Mapping[str, Any]]]]


def plot_scaling(result: Result, path: Path) -> None:
    """Draw time, and states a second, by the number of verifiers, as SVG or PNG."""
    series = _series(result)
    with _style():
        canvas, (times, rates) = pyplot.subplots(
            1, 2, figsize=(11.5, 4.8), layout="constrained", width_ratios=(3, 2)
        )
        for name, (label, colour, marker) in _STYLES.items():
            points = series.get(name, [])
            if not points:
                continue
            verifiers = [m for m, _ in points]
            look = {"color": colour, "marker": marker, "linewidth": 2, "label": label}
            if name == COPY:
                look |= {"linestyle": ":", "linewidth": 1.2}
            times.plot(verifiers, [one["seconds"] for _, one in points], **look)
            if name not in (COPY, AGRUM):
                rates.plot(verifiers, [one["states"] / one["seconds"] for _, one in points], **look)
        _dress(times, "Time to the exact plan (lower is faster)", _SECONDS, seconds_of)
        _dress(rates, "States solved a second (higher is faster)", _STATES, _millions)
        times.set_ylim(_SECONDS[0], 5 * _SECONDS[-1])
        times.legend(frameon=False, fontsize=9, loc="upper left")
        _save(canvas, path)


def plot_goals(result: Result, path: Path) -> None:
    """Draw how many times better than each goal the run was, as SVG or PNG."""
    found = json.loads(json.dumps(result.figures["goals"]))[::-1]
    with _style():
        canvas, axes = pyplot.subplots(figsize=(11.5, 0.5 * len(found) + 1.3), layout="constrained")
        for row, goal in enumerate(found):
            share = _share(goal)
            if share is None:
                axes.annotate("not measured", (1, row), xytext=(6, 0), **_BESIDE)
                continue
            met = goal["verdict"] == "met"
            axes.barh(row, share - 1, left=1, height=0.6, color="#0072B2" if met else "#D55E00")
            axes.annotate(
                f"{_shown(goal, goal['reached'])}, {goal['verdict']}",
                (max(share, 1), row),
                xytext=(6, 0),
                **_BESIDE,
            )
        axes.set_yticks(range(len(found)), [_named(goal) for goal in found], fontsize=9)
        axes.set_xscale("log")
        shares = [share for goal in found if (share := _share(goal)) is not None]
        axes.set_xlim(min([0.5, *shares]) / 1.3, max([2.0, *shares]) * 6)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.axvline(1, color="#444444", linewidth=1.2)
        axes.set_xlabel("times better than the goal (left of 1: missed)")
        axes.set_title("Goals for planning", loc="left", fontweight="bold", fontsize=12)
        _bare(axes)
        _save(canvas, path)


_BESIDE: Final[dict[str, Any]] = {
    "textcoords": "offset points",
    "va": "center",
    "fontsize": 9,
    "color": "#444444",
}


def _series(result: Result) -> Series:
    """Return for each line its points, by the number of verifiers."""
    # As they are read from a saved result.
    gate = json.loads(json.dumps(result.figures["gate"]))
    series: Series = {}
    for one in gate.get("full_budget", []):
        for name, timed in one["contenders"].items():
            _add(series, name, one, timed)
    for one in gate.get("small_budget", []):
        if one["budget"] == 4:
            _add(series, f"{LICET}, budget 4", one, one["contenders"][LICET])
        elif AGRUM in one["contenders"]:
            _add(series, AGRUM, one, one["contenders"][AGRUM])
    return series


def _add(series: Series, name: str, one: Mapping[str, Any], timed: Mapping[str, Any]) -> None:
    if "missing" not in timed:
        series.setdefault(name, []).append((one["verifiers"], timed))


def _share(goal: Mapping[str, Any]) -> float | None:
    if not goal["reached"]:
        return None
    share = goal["reached"] / goal["goal"]
    return float(share if goal["at_least"] else 1 / share)


def _shown(goal: Mapping[str, Any], figure: float) -> str:
    return {"x": ratio, "s": seconds_of, "bytes": bytes_of}[goal["unit"]](figure)


def _named(goal: Mapping[str, Any]) -> str:
    bound = "at least" if goal["at_least"] else "at most"
    return f"{goal['what']}\n{bound} {_shown(goal, goal['goal'])}"


def _millions(number: float) -> str:
    return f"{number / 1e6:g} million" if number >= 1e6 else f"{number:,.0f}"


def _dress(axes: Axes, title: str, ticks: Sequence[float], shown: Callable[[float], str]) -> None:
    axes.set_title(title, loc="left", fontweight="bold", fontsize=12)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(_VERIFIERS))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:g}"))
    axes.set_xlabel("verifiers")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, place: shown(value)))
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    _bare(axes)


def _bare(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _style() -> AbstractContextManager[None]:
    # The same figures give the same file.
    return matplotlib.rc_context({"svg.hashsalt": "licet", "font.size": 10})


def _save(canvas: Figure, path: Path) -> None:
    undated = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
    canvas.savefig(path, dpi=110, metadata=undated)
    pyplot.close(canvas)
