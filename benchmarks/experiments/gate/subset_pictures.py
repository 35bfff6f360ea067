"""The picture of the controlled adaptive subset: regret by policy, beside the paper's."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..pictures import BLUE, RED, SKY, canvas
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


def draw(found: "Found", path: Path) -> None:
    """Draw regret with its interval, and how often the action is executed, safely and into harm."""
    names = list(found.policies)[::-1]
    with canvas(path, 12, 4.8, columns=2) as (_, (regret, rates)):
        _draw_regret(regret, found, names)
        _draw_rates(rates, found, names)
        regret.set_yticks(range(len(names)), names)
        rates.set_yticks(range(len(names)), [""] * len(names))


def _draw_regret(axes: "Axes", found: "Found", names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        value, low, high = found.policies[name].regret
        axes.barh(place, value, color=BLUE, height=0.6)
        axes.plot([low, high], [place, place], color="black", linewidth=1.5)
        if name in _PAPER:
            axes.plot(_PAPER[name], place, marker="D", color=RED, markersize=7, linestyle="none")
    axes.plot([], [], marker="D", color=RED, linestyle="none", label="paper, on its own instances")
    axes.legend(frameon=False, loc="lower right", fontsize=9)
    axes.set_xlabel("regret to the exact plan, in units of loss, with 95 % interval")
    axes.set_title("Expected objective above the exact plan's", loc="left", fontweight="bold")


def _draw_rates(axes: "Axes", found: "Found", names: Sequence[str]) -> None:
    completes = [100 * found.policies[name].completes.value for name in names]
    harms = [100 * found.policies[name].harms.value for name in names]
    places = range(len(names))
    axes.barh(places, completes, color=SKY, height=0.6, label="without harm")
    axes.barh(places, harms, left=completes, color=RED, height=0.6, label="into harm")
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of instances executed")
    axes.set_title("Executed, safely and into harm", loc="left", fontweight="bold")
    axes.legend(frameon=False, loc="lower right", fontsize=9)
