"""The reliability diagram, as SVG or PNG; needs the extra `plot`, imported when drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from licet_bindings.calibration.evaluating import Evaluation
from licet_bindings.calibration.measures import Bin
from licet_bindings.gate.pictures import save_picture
from licet_bindings.gate.rounding import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that stay apart for the colour-blind (Okabe and Ito).
_COLOURS: Final = {"raw": "#E69F00", "calibrated": "#0072B2"}
_NAMES: Final = {"raw": "raw confidence", "calibrated": "calibrated"}
_GREY: Final = "#777777"


def draw_reliability(evaluation: Evaluation, path: Path) -> None:
    """Draw how often claims are wrong against how often that was predicted, and how many.

    Raises:
        InvalidInput: the path cannot become a picture, or cannot be written.
    """
    save_picture(path, lambda: _figure(evaluation))


def _figure(evaluation: Evaluation) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.2, 6.4), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    _reliability(upper, evaluation)
    _shares(lower, evaluation.reliability)
    for axes in (upper, lower):
        axes.set_xlim(0, 1)
        axes.grid(color="#dddddd", linewidth=0.8)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    return figure


def _reliability(axes: Axes, evaluation: Evaluation) -> None:
    axes.plot((0, 1), (0, 1), color=_GREY, linestyle=":", label="right on average")
    for kind, found in evaluation.reliability.items():
        measured = getattr(evaluation.compared, kind)
        axes.plot(
            [each.predicted for each in found],
            [each.observed for each in found],
            color=_COLOURS[kind],
            marker="o",
            label=f"{_NAMES[kind]}, ECE {measured.calibration_error:.3f}",
        )
    axes.set_ylim(0, 1)
    axes.set_ylabel("share wrong")
    axes.set_title(
        f"{counted(evaluation.claims, 'claim')} of {len(evaluation.families)} held-out families",
        loc="left",
        fontweight="bold",
        fontsize=11,
    )
    axes.legend(loc="upper left", framealpha=0.9, edgecolor="none")


def _shares(axes: Axes, reliability: Mapping[str, Sequence[Bin]]) -> None:
    for shift, (kind, found) in zip((-0.012, 0.012), reliability.items(), strict=True):
        axes.bar(
            [each.predicted + shift for each in found],
            [each.share for each in found],
            width=0.022,
            color=_COLOURS[kind],
        )
    axes.set_xlabel("mean probability of being wrong, in ten bins")
    axes.set_ylabel("share of claims")
