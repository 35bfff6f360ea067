"""The operating-point sweep: delta by lambda as in the paper, then kappa, epsilon and the budget.

The instances are those of the controlled adaptive subset. Harm is measured in two ways: by the
setting's own delta, which its screen bounds, and by the main point's delta, so that settings can be
held against each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from licet import Candidate
from licet.beliefs import GateModel, compile_candidate
from licet.policies import Node
from licet_bindings.gate.policies import environment_probing, gate_policy

from ..part import Shown, Size
from . import sweep_tables
from .contenders import CONTENDERS, EXACT, GREEDY, STOP, TWO_STEP, Contender
from .instances import subset
from .measuring import measured
from .ordering import rounding, violations
from .points import MAIN, POINTS, Point, disordered
from .rolling import Worth, worth

NAME: Final = "gate-sweep"
TITLE: Final = "The gate: operating points"

INSTANCES: Final = {Size.QUICK: 2, Size.FULL: 100}

SWEPT: Final = (TWO_STEP, GREEDY, EXACT, STOP)
"""Measured at every operating point."""

FIXED: Final = ("always-verify", "always-proceed")
"""Measured at the main point."""

THRESHOLDS: Final = ("0.01", "0.02", "0.05", "0.1", "0.2")
"""Of the adapted environment probing, whose score lies between 0 and 1."""


class Row(NamedTuple):
    """What one policy does on one instance at one point, or the mean over the instances.

    Attributes:
        objective: loss plus lambda times cost.
        loss: of proceeding or abstaining alone.
        cost: of verification.
        checks: how many.
        proceeds: share executed (coverage).
        harms: share executed with a loss above the setting's own delta.
        main_harms: share executed with a loss above the main point's delta.
        completes: share executed with no loss above the main point's delta.
        safe: share that could be executed so, whatever is decided.
    """

    objective: float
    loss: float
    cost: float
    checks: float
    proceeds: float
    harms: float
    main_harms: float
    completes: float
    safe: float

    @property
    def recall(self) -> float:
        """Safe-proceed recall by the main point's delta."""
        return self.completes / self.safe


Setting = tuple[Point, str]
"""An operating point and the name of a policy."""


class One(NamedTuple):
    """One instance: a row for each setting, and what does not hold on it."""

    rows: Mapping[Setting, Row]
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """The mean over the instances of one policy at one operating point."""

    point: Point
    policy: str
    row: Row


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found: a mean for each setting, and what had to hold and does not."""

    instances: int
    settings: tuple[Measured, ...]
    violations: tuple[str, ...]

    def row(self, point: Point, policy: str) -> Row:
        """Return the mean of one setting."""
        return next(s.row for s in self.settings if (s.point, s.policy) == (point, policy))


def run(size: Size, seed: int) -> Found:
    """Measure every setting on every instance."""
    ones = measured(measure, seed, INSTANCES[size], TITLE)
    settings = tuple(
        Measured(point, policy, _mean([one.rows[point, policy] for one in ones]))
        for point, policy in ones[0].rows
    )
    return Found(len(ones), settings, tuple(wrong for one in ones for wrong in one.violations))


def _mean(rows: Sequence[Row]) -> Row:
    return Row(*(sum(numbers) / len(rows) for numbers in zip(*rows, strict=True)))


def measure(seed: int, number: int) -> One:
    """Measure one instance at every operating point."""
    rows: dict[Setting, Row] = {}
    wrong: list[str] = []
    plans: dict[Point, Fraction] = {}
    # The greatest kappa: what the compiled planner's choices may lose anywhere.
    slack = max(rounding(subset(seed, number, point.loss)) for point in POINTS)
    for point in POINTS:
        candidate = subset(seed, number, point.loss)
        model = compile_candidate(candidate)
        found = {name: _decided(CONTENDERS[name], model, candidate, point.budget) for name in SWEPT}
        name = f"{candidate.action} at {point.name}"
        wrong += violations(name, candidate, found)
        plans[point] = found[EXACT][1].objective
        if point == MAIN:
            for beside, contender in _beside().items():
                found[beside] = _decided(contender, model, candidate, point.budget)
        for policy, (tree, counted) in found.items():
            same = point.delta == MAIN.delta
            main = counted if same else worth(tree, candidate, MAIN.delta)
            rows[point, policy] = _row(counted, main)
    wrong += (f"instance {number}: {said}" for said in disordered(plans, slack))
    return One(rows, tuple(wrong))


def _beside() -> Mapping[str, Contender]:
    probing = gate_policy("environment-probing")
    main = CONTENDERS[EXACT]
    return {name: CONTENDERS[name] for name in FIXED} | {
        f"environment-probing from {least}": main._replace(
            named=probing._replace(policy=environment_probing(Fraction(least)))
        )
        for least in THRESHOLDS
    }


def _decided(
    contender: Contender, model: GateModel, candidate: Candidate, budget: Fraction
) -> tuple[Node, Worth]:
    tree = contender.tree_of(model, budget)
    return tree, worth(tree, candidate)


def _row(own: Worth, main: Worth) -> Row:
    return Row(
        *map(float, (own.objective, own.loss, own.cost, own.checks, own.proceeds, own.harms)),
        *map(float, (main.harms, main.completes, main.safe)),
    )


def failures(result: Found) -> Sequence[str]:
    """Return what does not hold on some instance at some point."""
    return result.violations


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return sweep_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw harm and coverage by checks, and loss by cost."""
    from .sweep_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
