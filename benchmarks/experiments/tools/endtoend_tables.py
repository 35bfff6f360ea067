"""The tables of the tool environment, beside the paper's figures."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ...report import Table
from ..calibration.paper import CALIBRATED
from ..gate.statistics import Mean
from ..gate.words import percent, points
from ..part import Setting, Shown
from . import paper
from .variants import Variant

if TYPE_CHECKING:
    from .endtoend import Found, Row

_SIMULATED: Final = (
    "The environment does what ToolSandbox's messaging and settings tools do, on data of this"
    " project's own; the agent is scripted and makes no error of action or intent, verifiers are"
    " simulated."
)
_MEASURES: Final = (
    "safe-proceed recall",
    "harmful",
    "unsafe pass",
    "coverage",
    "resolved",
    "replanned",
    "cost",
    "checks",
)


def tables(found: "Found") -> Sequence[Shown]:
    """Return the tables of the part."""
    return (
        Shown(
            _policies(found),
            Setting.LIKE,
            f"the paper's protocol, measures and main point. {_SIMULATED} Which share of actions"
            " is safe, and what verifiers can do, differ from the paper's: its gate reaches all"
            " safe actions, where here a premise without a verifier (V5) leaves none that can be"
            " passed, and noisy verifiers (V6) are too few or too dear.",
        ),
        Shown(
            _contrasts(found),
            Setting.LIKE,
            "base scenarios are the unit of the intervals, for variants of one are no independent"
            " draws; the static policy here is the best fixed set of checks, and how the paper's"
            " chooses is not in its text.",
        ),
        Shown(
            _variants(found),
            Setting.NOT_COMPARABLE,
            "the paper gives no figures by perturbation family. Without a gate, an action is"
            " harmful as often as the last column says.",
        ),
        Shown(
            _beliefs(found),
            Setting.LIKE,
            "the paper's figures are of the initial gate without new plans, and so are recall,"
            " coverage and harm here but for cost, which is of all gate entries. Calibrators are"
            " fitted on other base scenarios. The claims and their features are simulated, and"
            " before the first check they say little of the change, as in the paper.",
        ),
    )


def _cells(row: "Row") -> tuple[str, ...]:
    # A share of the safe, or of the harmful, where there are none is no share.
    recall = percent(row.recall) if row.safe else "-"
    unsafe_pass = percent(row.unsafe_pass) if row.safe < 1 else "-"
    shares = map(percent, (row.executed, row.resolved, row.replanned))
    numbers = (f"{row.cost:.3f}", f"{row.checks:.3f}")
    return (recall, percent(row.harmful), unsafe_pass, *shares, *numbers)


def _policies(found: "Found") -> Table:
    rows = [(name, *_cells(row)) for name, row in found.policies.items()]
    known = paper.MAIN
    rows.append(
        (
            "paper's ToolSandbox, two-step",
            *map(percent, (known.recall, known.harmful, 0, known.coverage)),
            *map(percent, (paper.RESOLVED, paper.REPLANNED)),
            f"{known.cost}",
            "-",
        )
    )
    safe = next(iter(found.policies.values())).safe
    title = (
        f"{found.instances:,} instances, {percent(safe)} safe; seeds of what verifiers answer:"
        f" {found.observations}"
    )
    return Table(title, ("policy", *_MEASURES), tuple(rows))


def _contrasts(found: "Found") -> Table:
    rows = []
    for name, known in (("static", paper.COST_LESS_STATIC), ("always-verify", paper.COST_LESS_ALL)):
        change = found.policies["two-step"].cost / found.policies[name].cost - 1
        gained = _shares(found.coverage[name])
        beside = points(paper.COVERAGE_LESS_STATIC) if name == "static" else "-"
        cost = found.cost[name]
        interval = f"{cost.value:.3f} [{cost.low:.3f}, {cost.high:.3f}]"
        rows.append((name, interval, points(change), points(known), gained, beside))
    header = (
        "two-step less",
        "cost",
        "cost, %",
        "paper's, %",
        "coverage, points",
        "paper's, points",
    )
    return Table("What adaptivity saves", header, tuple(rows))


def _shares(found: Mean) -> str:
    return f"{points(found.value)} [{points(found.low)}, {points(found.high)}]"


def _variants(found: "Found") -> Table:
    rows = tuple(
        (
            f"{variant.name}, {variant.value}",
            *_cells(found.variants[variant.name]["two-step"]),
            percent(found.variants[variant.name]["always-proceed"].harmful),
        )
        for variant in Variant
    )
    header = ("perturbation family", *_MEASURES, "harmful ungated")
    return Table("By perturbation family, two-step", header, rows)


def _beliefs(found: "Found") -> Table:
    rows = [
        (
            name,
            *(f"{value:.3f}" for value in found.quality[name]),
            *map(percent, (row.recall, row.unsafe, row.initially)),
            f"{row.cost:.3f}",
        )
        for name, row in found.beliefs.items()
    ]
    known = paper.CALIBRATED
    shares = map(percent, (known.recall, known.harmful, known.coverage))
    quality = (f"{value:.3f}" for value in CALIBRATED[1.0])
    rows.append(("paper, 100% of the data", *quality, *shares, f"{known.cost}"))
    header = (
        "beliefs",
        "ECE",
        "Brier",
        "NLL",
        "safe-proceed recall",
        "harmful, initial",
        "coverage, initial",
        "cost",
    )
    return Table("Two-step by what it believes", header, tuple(rows))
