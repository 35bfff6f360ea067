"""Pictures of plans and regimes, as SVG or PNG; needs the extra `plot`, imported when drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from licet import DecisionKind, InvalidInput
from licet.regimes import Regime
from licet_bindings.gate.planning import PlanNode
from licet_bindings.gate.regimes import RegimeDiagram
from licet_bindings.gate.rounding import rounded
from licet_bindings.gate.tables import count_nodes, depth_that_fits
from licet_bindings.outputs import OutputFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN_NODES: Final = 80
"""Nodes of a tree that a picture shows, at most; what lies below is folded."""

# Colours that stay apart for the colour-blind (Okabe and Ito); a word says the same everywhere.
_COLOURS: Final = {
    DecisionKind.PROCEED: ("#d3efe4", "#00724f"),
    DecisionKind.VERIFY: ("#d6e8f5", "#0072B2"),
    DecisionKind.ABSTAIN: ("#fbe3d0", "#b04a00"),
}
_BANDS: Final = {
    Regime.PROCEED: (_COLOURS[DecisionKind.PROCEED], "proceed"),
    Regime.VERIFY: (_COLOURS[DecisionKind.VERIFY], "verify first"),
    Regime.ABSTAIN: (_COLOURS[DecisionKind.ABSTAIN], "abstain at once"),
}
_INK: Final = "#222222"
_COLUMN, _ROW, _BOX = 3.1, 0.62, 1.75
"""Inches from one decision to the next, from one leaf to the next, and a box's width."""


def check_picture(path: Path) -> None:
    """Refuse a path that cannot become a picture, before anything is computed.

    Raises:
        InvalidInput: its name ends in neither .svg nor .png, or matplotlib is not installed.
    """
    if path.suffix.lower() not in (".svg", ".png"):
        raise InvalidInput("--picture", f"expected a name that ends in .svg or .png, found {path}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InvalidInput(
            "--picture", "needs matplotlib: install licet with the extra plot"
        ) from None


def draw_plan(root: PlanNode, title: str, path: Path) -> None:
    """Draw a plan as a decision tree, from left to right.

    Raises:
        InvalidInput: the path cannot become a picture, or cannot be written.
    """
    save_picture(path, lambda: _plan_figure(root, title))


def draw_regimes(diagram: RegimeDiagram, path: Path) -> None:
    """Draw Proposition 1: consequence on one axis, what is optimal as bands, both value curves.

    Raises:
        InvalidInput: the path cannot become a picture, or cannot be written.
    """
    save_picture(path, lambda: _regimes_figure(diagram))


def save_picture(path: Path, draw: Callable[[], Figure]) -> None:
    """Draw a figure to a file as its name asks for; the same content gives the same bytes.

    Raises:
        InvalidInput: the path cannot become a picture, or cannot be written.
    """
    check_picture(path)
    import matplotlib

    undated = {"Date": None, "Creator": None} if path.suffix.lower() == ".svg" else None
    with matplotlib.rc_context({"svg.hashsalt": "licet", "font.size": 10}):
        drawn, kind = BytesIO(), path.suffix.lower().removeprefix(".")
        draw().savefig(drawn, format=kind, dpi=130, metadata=undated, facecolor="white")
    OutputFile(path, "--picture").write(drawn.getvalue())


@dataclass(frozen=True, slots=True)
class _Placed:
    """A node with its place: the column it is in, the row of its middle, what is folded below."""

    node: PlanNode
    column: int
    row: float
    folded: int
    children: tuple[tuple[str, _Placed], ...]

    def everywhere(self) -> Iterator[_Placed]:
        yield self
        for _, child in self.children:
            yield from child.everywhere()


def _place(node: PlanNode, column: int, depth: int, rows: Iterator[int]) -> _Placed:
    below = [
        (answer, child)
        for answer, child in (("supports", node.support), ("refutes", node.refute))
        if child is not None
    ]
    if not below or depth == 0:
        folded = count_nodes(node) - 1
        return _Placed(node, column, float(next(rows)), folded, ())
    children = tuple(
        (answer, _place(child, column + 1, depth - 1, rows)) for answer, child in below
    )
    middle = sum(child.row for _, child in children) / len(children)
    return _Placed(node, column, middle, 0, children)


def _plan_figure(root: PlanNode, title: str) -> Figure:
    from matplotlib.figure import Figure

    depth = depth_that_fits(root, DRAWN_NODES)
    placed = _place(root, 0, depth, count())
    nodes = list(placed.everywhere())
    columns = 1 + max(node.column for node in nodes)
    rows = 1 + max(node.row for node in nodes)
    width = max((columns - 1) * _COLUMN + _BOX + 0.6, 6.0)
    height = rows * _ROW + 0.75
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(-0.3, width - 0.3)
    axes.set_ylim(height - 0.75, -0.75)
    axes.set_axis_off()
    axes.text(
        0,
        -0.5,
        _short(title, int(width * 11)),
        fontweight="bold",
        fontsize=11,
        color=_INK,
        va="center",
    )
    for node in nodes:
        _draw_edges(axes, node)
    for node in nodes:
        _draw_node(axes, node)
    return figure


def _corner(placed: _Placed) -> tuple[float, float]:
    return placed.column * _COLUMN, placed.row * _ROW + 0.15


def _draw_edges(axes: Axes, placed: _Placed) -> None:
    x, y = _corner(placed)
    for answer, child in placed.children:
        to_x, to_y = _corner(child)
        bend = x + _BOX + 0.22
        axes.plot(
            [x + _BOX, bend, bend, to_x], [y, y, to_y, to_y], color="#888888", linewidth=1, zorder=1
        )
        chance = child.node.probability / placed.node.probability
        axes.text(
            bend + 0.06,
            to_y - 0.04,
            f"{answer} {_brief(chance)}",
            fontsize=8,
            color="#444444",
            va="bottom",
        )


def _draw_node(axes: Axes, placed: _Placed) -> None:
    from matplotlib.patches import FancyBboxPatch

    node = placed.node
    fill, ink = _COLOURS[node.decision]
    x, y = _corner(placed)
    axes.add_patch(
        FancyBboxPatch(
            (x, y - 0.22),
            _BOX,
            0.44,
            boxstyle="round,pad=0,rounding_size=0.07",
            facecolor=fill,
            edgecolor=ink,
            linewidth=1.2,
            zorder=2,
        )
    )
    first, second = _words(placed)
    axes.text(
        x + 0.1, y - 0.08, first, fontsize=9, fontweight="bold", color=ink, va="center", zorder=3
    )
    axes.text(x + 0.1, y + 0.1, second, fontsize=8, color=_INK, va="center", zorder=3)


def _words(placed: _Placed) -> tuple[str, str]:
    node = placed.node
    if node.decision is DecisionKind.VERIFY:
        below = f" (+{placed.folded})" if placed.folded else ""
        return _short(str(node.verifier)), f"verify, objective {_brief(node.value)}{below}"
    if node.decision is DecisionKind.PROCEED:
        return "proceed", f"loss {_brief(node.value)}, harm {_brief(node.harm_probability)}"
    return "abstain", f"loss {_brief(node.value)}"


def _brief(value: Fraction) -> str:
    return f"{float(value):.3g}"


def _short(text: str, longest: int = 22) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _regimes_figure(diagram: RegimeDiagram) -> Figure:
    import numpy
    from matplotlib.figure import Figure

    low, high = _extent(diagram)
    figure = Figure(figsize=(8.4, 4.8), layout="constrained")
    axes = figure.subplots()
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    top = float(diagram.abstain + diagram.cost) * 1.3
    axes.set_ylim(0, top)
    _draw_bands(axes, diagram, low, high, top)
    losses = [Fraction(float(x)) for x in numpy.geomspace(low, high, 400)]
    for name, value, style in (
        (r"stop at once: $\min(\theta p,\ \kappa)$", diagram.value_of_stopping, "-"),
        ("verify once, then stop", diagram.value_of_verifying, "--"),
    ):
        axes.plot(
            [float(loss) for loss in losses],
            [float(value(loss)) for loss in losses],
            style,
            color=_INK if style == "-" else "#0072B2",
            linewidth=2,
            label=name,
        )
    _draw_thresholds(axes, diagram)
    _dress(axes, diagram)
    return figure


def _extent(diagram: RegimeDiagram) -> tuple[float, float]:
    """Return the consequences between which the diagram is drawn."""
    middle, interval = float(diagram.indifference), diagram.interval
    if interval is None:
        return middle / 10, middle * 10
    low = float(interval.low)
    if interval.high is None:
        return low / 4, middle * 20
    # A narrow band gets a third of the width, so that its name has room.
    high = float(interval.high)
    margin = min(max(high / low, 1.5), 4)
    return low / margin, high * margin


def _draw_bands(axes: Axes, diagram: RegimeDiagram, low: float, high: float, top: float) -> None:
    interval = diagram.interval
    edges = [low, float(diagram.indifference), high]
    if interval is not None:
        edges = [low, float(interval.low), high]
        if interval.high is not None:
            edges.insert(2, float(interval.high))
    for begin, end in pairwise(edges):
        middle = (begin * end) ** 0.5
        (fill, ink), name = _BANDS[diagram.regime(Fraction(middle))]
        axes.axvspan(begin, end, color=fill, linewidth=0, zorder=0)
        axes.text(middle, top * 0.955, name, color=ink, fontweight="bold", ha="center", va="center")


def _draw_thresholds(axes: Axes, diagram: RegimeDiagram) -> None:
    interval = diagram.interval
    marks = [(r"\kappa/p", diagram.indifference)]
    if interval is not None:
        marks = [(r"\theta_1", interval.low), *marks]
        if interval.high is not None:
            marks = [*marks, (r"\theta_2", interval.high)]
    for name, value in marks:
        inner = name == r"\kappa/p"
        before = name == r"\theta_1"
        axes.axvline(
            float(value), color="#666666", linewidth=1, linestyle=":" if inner else "-.", zorder=1
        )
        axes.annotate(
            f"${name}$ = {rounded(value)}",
            (float(value), 0.795 if inner else 0.86),
            xycoords=("data", "axes fraction"),
            xytext=(-5 if before else 5, 0),
            textcoords="offset points",
            color="#444444",
            fontsize=9,
            ha="right" if before else "left",
            va="center",
        )


def _dress(axes: Axes, diagram: RegimeDiagram) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_title(
        f"One memory (error {rounded(diagram.error)}), one verifier (reliability"
        f" {rounded(diagram.reliability)}, cost {rounded(diagram.cost)})",
        loc="left",
        fontweight="bold",
        fontsize=11,
    )
    begin, end = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if end < 300 * begin else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(
        r"consequence $\theta$: the loss when the action is executed and the memory is wrong"
    )
    axes.set_ylabel("expected loss")
    axes.legend(loc="lower right", framealpha=0.9, edgecolor="none")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
