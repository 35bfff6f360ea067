"""The tables of the operating-point sweep, beside the paper's figures."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ...report import Table
from ..part import Setting, Shown
from .contenders import EXACT, GREEDY, STOP, TWO_STEP
from .paper import MAIN_COST, MAIN_COVERAGE, SAFE_CALLS, SAFE_COVERAGE
from .points import ALONG, GRID, MAIN
from .words import number, percent

if TYPE_CHECKING:
    from .sweep import Found, Row

_INSTANCES = (
    "the operating points are the paper's, the instances those of the controlled adaptive subset,"
    " where the paper runs ToolSandbox episodes with replanning."
)


def tables(found: "Found") -> Sequence[Shown]:
    """Return the tables of the part."""
    return (
        Shown(
            _safe_range(found),
            Setting.LIKE,
            f"{_INSTANCES} The paper's harm is what it measured; its screen bounds the modelled"
            " probability by 0.05, and here the expected share of harm is counted, which is within"
            " that bound and not 0.",
        ),
        Shown(_grid(found), Setting.LIKE, f"{_INSTANCES} *regret* is to the exact plan there."),
        *(
            Shown(
                _along(found, name),
                Setting.NOT_COMPARABLE,
                "one setting moved, the others at the main point; the paper gives no figures for"
                " it.",
            )
            for name in ALONG
        ),
        Shown(
            _beside(found),
            Setting.LIKE,
            "the paper's fixed baselines and five thresholds of environment probing; the adapted"
            " score here lies between 0 and 1, so thresholds are not the paper's.",
        ),
    )


def _safe_range(found: "Found") -> Table:
    rows = [found.row(point, TWO_STEP) for point in GRID if point.delta <= Fraction("0.5")]
    main = found.row(MAIN, TWO_STEP)
    written = (
        ("coverage, least", percent(min(r.proceeds for r in rows)), percent(SAFE_COVERAGE[0])),
        ("coverage, greatest", percent(max(r.proceeds for r in rows)), percent(SAFE_COVERAGE[1])),
        ("checks, least", f"{min(r.checks for r in rows):.3f}", f"{SAFE_CALLS[0]:g}"),
        ("checks, greatest", f"{max(r.checks for r in rows):.3f}", f"{SAFE_CALLS[1]:g}"),
        ("harmful, greatest", percent(max(r.main_harms for r in rows)), percent(0)),
        ("coverage, main point", percent(main.proceeds), percent(MAIN_COVERAGE)),
        ("cost, main point", f"{main.cost:.3f}", f"{MAIN_COST}"),
    )
    title = f"Points with delta at most 0.5, two-step, {found.instances:,} instances"
    return Table(title, ("what", "here", "paper"), written)


_MEASURES = (
    "objective",
    "decision loss",
    "cost",
    "checks",
    "coverage",
    "safe-proceed recall",
    "harmful, own delta",
    "harmful, delta 0.5",
)


def _measures(row: "Row") -> tuple[str, ...]:
    return (
        *map(number, (row.objective, row.loss, row.cost)),
        f"{row.checks:.3f}",
        *map(percent, (row.proceeds, row.recall, row.harms, row.main_harms)),
    )


def _grid(found: "Found") -> Table:
    rows = []
    for point in GRID:
        row = found.row(point, TWO_STEP)
        regret = row.objective - found.row(point, EXACT).objective
        name = f"delta {float(point.delta):g}, lambda {float(point.price):g}"
        rows.append((name, *_measures(row), number(regret)))
    header = ("point", *_MEASURES, "regret")
    return Table("The paper's 30 settings, two-step", header, tuple(rows))


def _along(found: "Found", name: str) -> Table:
    rows = tuple(
        (f"{name} {float(getattr(point, name)):g}, {policy}", *_measures(found.row(point, policy)))
        for point in ALONG[name]
        for policy in (STOP, GREEDY, TWO_STEP, EXACT)
    )
    return Table(f"Along {name}", (f"{name}, policy", *_MEASURES), rows)


def _beside(found: "Found") -> Table:
    rows = tuple(
        (setting.policy, *_measures(setting.row))
        for setting in found.settings
        if setting.point == MAIN
    )
    return Table("At the main point", ("policy", *_MEASURES), rows)
