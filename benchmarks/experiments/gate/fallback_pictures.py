"""The picture of the fallback: safe-proceed recall by policy and kind, beside the paper's."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..pictures import BLUE, GREEN, GREY, ORANGE, canvas
from .contenders import EXACT, GREEDY, STATIC, TWO_STEP
from .paper import FALLBACK

if TYPE_CHECKING:
    from .fallback import Found

_COLOURS: Final = {GREEDY: ORANGE, TWO_STEP: BLUE, EXACT: GREEN, STATIC: GREY}


def draw(found: "Found", path: Path) -> None:
    """Draw recall, and cost, in groups of bars."""
    groups: dict[str, Mapping[str, tuple[float, float]]] = {
        f"{needed} check{'s' if needed > 1 else ''}\nneeded": {
            name: (rates.recall, rates.cost) for name, rates in of.items()
        }
        for needed, of in found.rates.items()
    }
    groups["paper,\nToolSandbox"] = {n: (of["recall"], of["cost"]) for n, of in FALLBACK.items()}
    with canvas(path, 11, 4.2, columns=2) as (_, (recalls, costs)):
        for axes, which, scale in ((recalls, 0, 100), (costs, 1, 1)):
            for place, of in enumerate(groups.values()):
                for bar, (name, colour) in enumerate(_COLOURS.items()):
                    if name in of:
                        height = scale * of[name][which]
                        axes.bar(place + 0.2 * (bar - 1.5), height, 0.18, color=colour)
            axes.set_xticks(range(len(groups)), list(groups))
        for name, colour in _COLOURS.items():
            recalls.bar([0], [0], color=colour, label=name)
        recalls.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.0))
        recalls.set_ylim(0, 125)
        recalls.set_ylabel("% of safe actions")
        recalls.set_title("Safe-proceed recall", loc="left", fontweight="bold")
        costs.set_title("Mean verification cost", loc="left", fontweight="bold")
