"""How pictures of the experiments look, and how they are saved: same figures, same bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import matplotlib

matplotlib.use("Agg")  # no display is needed

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Colours that stay apart for the colour-blind (Okabe and Ito).
BLUE, SKY, GREEN, ORANGE, RED, PINK, GREY = (
    "#0072B2 #56B4E9 #009E73 #E69F00 #D55E00 #CC79A7 #777777".split()
)
COLOURS: Final = (BLUE, ORANGE, GREEN, RED, SKY, PINK, GREY)


@contextmanager
def canvas(
    path: Path, width: float, height: float, columns: int = 1
) -> Iterator[tuple[Figure, tuple[Axes, ...]]]:
    """Give a figure and its axes in a row, and save it when everything is drawn."""
    with matplotlib.rc_context({"svg.hashsalt": "licet", "font.size": 10}):
        figure, grid = pyplot.subplots(
            1, columns, figsize=(width, height), layout="constrained", squeeze=False
        )
        axes = tuple(grid[0])
        for each in axes:
            for side in ("top", "right"):
                each.spines[side].set_visible(False)
            each.grid(color="#dddddd", linewidth=0.8)
            each.set_axisbelow(True)
        try:
            yield figure, axes
            undated = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
            figure.savefig(path, dpi=110, metadata=undated)
        finally:
            pyplot.close(figure)
