"""The picture of the controlled adaptive subset: regret by policy, beside the paper's."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..pictures import BLUE, GREY, RED, canvas
from .contenders import FIRST_SCORES, GREEDY, STATIC
from .paper import TABLE_2

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .subset import Found

_PAPER: Final = {
    STATIC: TABLE_2["regret, static"],
    FIRST_SCORES: TABLE_2["regret, static"],
    GREEDY: TABLE_2["regret, greedy"],
}
_LEFT_OUT: Final = ("always-proceed", "exact")


def draw(found: "Found", path: Path) -> None:
    """Draw regret with its interval, and safe completion against harm."""
    with canvas(path, 11, 4.6, columns=2) as (_, (regret, rates)):
        _draw_regret(regret, found)
        _draw_rates(rates, found)


def _draw_regret(axes: "Axes", found: "Found") -> None:
    shown = [name for name in found.policies if name not in _LEFT_OUT][::-1]
    for place, name in enumerate(shown):
        value, low, high = found.policies[name].regret
        axes.barh(place, value, color=BLUE, height=0.6)
        axes.plot([low, high], [place, place], color="black", linewidth=1.5)
        if name in _PAPER:
            axes.plot(_PAPER[name], place, marker="D", color=RED, markersize=7, linestyle="none")
    axes.plot([], [], marker="D", color=RED, linestyle="none", label="paper's own instances")
    axes.legend(frameon=False, loc="lower right")
    axes.set_yticks(range(len(shown)), shown)
    axes.set_xlabel("regret to the exact plan, in units of loss")
    axes.set_title("Expected objective above the exact plan's", loc="left", fontweight="bold")


def _draw_rates(axes: "Axes", found: "Found") -> None:
    for place, (name, each) in enumerate(found.policies.items()):
        axes.plot(
            100 * each.completes.value,
            100 * each.harms.value,
            marker="o",
            color=GREY if name == "always-proceed" else BLUE,
            linestyle="none",
        )
        axes.annotate(
            name,
            (100 * each.completes.value, 100 * each.harms.value),
            xytext=(6, 4 if place % 2 else -10),
            textcoords="offset points",
            fontsize=8,
        )
    axes.set_yscale("symlog", linthresh=1)
    axes.set_xlabel("safe completion, % of instances")
    axes.set_ylabel("harmful executions, % of instances")
    axes.set_title("Safe completion and harm", loc="left", fontweight="bold")
