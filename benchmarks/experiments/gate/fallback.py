"""The two-step fallback: instances on which one check, two or three together admit Proceed.

Each is decided at the paper's main point. One step ahead sees the value of a single check alone,
two steps that of a pair; the exact plan sees all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from licet.beliefs import compile_candidate

from ...report import Table
from ..part import Setting, Shown, Size
from .contenders import CONTENDERS, EXACT, GREEDY, STATIC, TWO_STEP
from .instances import SPENDABLE, complementary
from .measuring import measured
from .ordering import violations
from .paper import FALLBACK
from .rolling import worth
from .statistics import Mean, difference, mean
from .words import interval, number, percent

NAME: Final = "gate-fallback"
TITLE: Final = "The gate: the two-step fallback"

INSTANCES: Final = {Size.QUICK: 12, Size.FULL: 500}
NEEDED: Final = (1, 2, 3)
POLICIES: Final = (GREEDY, TWO_STEP, EXACT, STATIC)


class Row(NamedTuple):
    """One policy on one instance."""

    objective: float
    cost: float
    proceeds: float
    harms: float
    completes: float
    safe: float


class One(NamedTuple):
    """One instance: a row for each policy, and what does not hold on it."""

    rows: Mapping[str, Row]
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rates:
    """What one policy does on the instances that need so many checks.

    Attributes:
        recall: safe-proceed recall, the share of safe actions that are executed.
        coverage: the share that is executed.
        harm: the share that is executed with a loss above delta.
        cost: mean verification cost.
        objective: mean loss plus lambda times cost.
    """

    recall: float
    coverage: float
    harm: float
    cost: float
    objective: Mean


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found, by how many checks an instance needs.

    Attributes:
        instances: how many of each.
        rates: by needed checks, then by policy.
        gain: the objective of two-step less greedy, by needed checks.
        declined: on how many greedy declines at once.
        gained: on how many of those the two-step policy has the lower objective.
        violations: what had to hold and does not.
    """

    instances: int
    rates: Mapping[int, Mapping[str, Rates]]
    gain: Mapping[int, Mean]
    declined: Mapping[int, int]
    gained: Mapping[int, int]
    violations: tuple[str, ...]


def run(size: Size, seed: int) -> Found:
    """Measure the policies on instances of every kind."""
    drawn = measured(measure, seed, INSTANCES[size], TITLE)
    kinds = {needed: [each[needed] for each in drawn] for needed in NEEDED}
    gain = {
        needed: difference(_objectives(ones, TWO_STEP), _objectives(ones, GREEDY), seed)
        for needed, ones in kinds.items()
    }
    declined = {needed: [o for o in ones if _declines(o)] for needed, ones in kinds.items()}
    return Found(
        len(drawn),
        {
            needed: {name: _rates([one.rows[name] for one in ones], seed) for name in POLICIES}
            for needed, ones in kinds.items()
        },
        gain,
        {needed: len(ones) for needed, ones in declined.items()},
        {needed: sum(map(_gains, ones)) for needed, ones in declined.items()},
        tuple(wrong for ones in kinds.values() for one in ones for wrong in one.violations),
    )


def measure(seed: int, number: int) -> Mapping[int, One]:
    """Measure one instance of each kind."""
    return {needed: _measure(needed, seed, number) for needed in NEEDED}


def _measure(needed: int, seed: int, number: int) -> One:
    candidate = complementary(seed, number, needed)
    model = compile_candidate(candidate)
    found = {}
    for name in POLICIES:
        tree = CONTENDERS[name].tree_of(model, SPENDABLE)
        found[name] = (tree, worth(tree, candidate))
    wrong = violations(f"{needed} needed, {candidate.action}", candidate, found)
    rows = {
        name: Row(*(float(getattr(counted, field)) for field in Row._fields))
        for name, (_, counted) in found.items()
    }
    return One(rows, tuple(wrong))


def failures(result: Found) -> Sequence[str]:
    """Return what does not hold: on an instance, or that the fallback gains where greedy declines.

    With two checks needed greedy declines everywhere, and the fallback gains on every instance.
    """
    said = list(result.violations)
    if result.declined[2] < result.instances:
        said.append(f"greedy declines on {result.declined[2]} of {result.instances} pairs alone")
    if result.gained[2] < result.declined[2]:
        said.append(f"the fallback gains on {result.gained[2]} of {result.declined[2]} pairs alone")
    return said


def _declines(one: One) -> bool:
    return one.rows[GREEDY].cost == 0 and one.rows[GREEDY].proceeds == 0


def _gains(one: One) -> bool:
    return one.rows[TWO_STEP].objective < one.rows[GREEDY].objective


def _objectives(ones: Sequence[One], name: str) -> list[float]:
    return [one.rows[name].objective for one in ones]


def _rates(rows: Sequence[Row], seed: int) -> Rates:
    count = len(rows)
    return Rates(
        sum(row.completes for row in rows) / sum(row.safe for row in rows),
        sum(row.proceeds for row in rows) / count,
        sum(row.harms for row in rows) / count,
        sum(row.cost for row in rows) / count,
        mean([row.objective for row in rows], seed),
    )


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return (
        Shown(
            _rates_table(result),
            Setting.LIKE,
            "kappa 1, lambda 0.1, delta 0.5, epsilon 0.05 and budget 4 are the paper's; rho is off,"
            " where the paper has 0.95. The paper's rows are ToolSandbox development data, a"
            " mixture; here every instance needs the stated number of perfect checks at cost 1.",
        ),
        Shown(
            _gain_table(result),
            Setting.LIKE,
            "greedy declines where it asks nothing and does not proceed. Where three answers are"
            " needed, the two-step fallback sees no value either, and only the exact plan and the"
            " best fixed set ask.",
        ),
    )


def _rates_table(result: Found) -> Table:
    header = (
        "checks needed, policy",
        "safe-proceed recall",
        "coverage",
        "harmful",
        "cost",
        "objective",
    )
    rows = [
        (
            f"{needed}, {name}",
            *map(percent, (rates.recall, rates.coverage, rates.harm)),
            number(rates.cost),
            interval(rates.objective),
        )
        for needed, by_policy in result.rates.items()
        for name, rates in by_policy.items()
    ]
    for name, of in FALLBACK.items():
        shares = (percent(of[what]) for what in ("recall", "coverage", "harm"))
        rows.append((f"paper's ToolSandbox, {name}", *shares, f"{of['cost']}", "-"))
    return Table(f"{result.instances:,} instances of each kind", header, tuple(rows))


def _gain_table(result: Found) -> Table:
    header = (
        "checks needed",
        "greedy declines",
        "two-step is better there",
        "two-step less greedy",
    )
    rows = (
        (f"{n}", f"{result.declined[n]:,}", f"{result.gained[n]:,}", interval(result.gain[n]))
        for n in result.rates
    )
    return Table("Where greedy declines", header, tuple(rows))


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw recall and cost by policy."""
    from .fallback_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
