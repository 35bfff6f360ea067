"""The controlled adaptive subset: every policy on the same instances, in exact expectation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from licet import ObservationModel
from licet.beliefs import compile_candidate

from ..part import Shown, Size
from . import subset_tables
from .contenders import (
    CONTENDERS,
    EXACT,
    FIRST_SCORES,
    GREEDY,
    SHARED_GREEDY,
    SHARED_TWO_STEP,
    STATIC,
    STOP,
    TWO_STEP,
)
from .instances import SPENDABLE, subset
from .measuring import measured
from .ordering import violations
from .rolling import worth
from .statistics import Mean, difference, mean

NAME: Final = "gate-subset"
TITLE: Final = "The gate: controlled adaptive subset"

INSTANCES: Final = {Size.QUICK: 16, Size.FULL: 2_000}

ORDERED: Final = (EXACT, TWO_STEP, GREEDY, STATIC, FIRST_SCORES, STOP)
"""Policies that end by Equation (2) in the exact model; the first four are the issue's."""

BESIDE: Final = (
    "environment-probing",
    "cost-aware",
    "always-verify",
    "always-proceed",
    SHARED_TWO_STEP,
    SHARED_GREEDY,
)

PAIRS: Final = (
    (GREEDY, FIRST_SCORES),
    (GREEDY, STATIC),
    (TWO_STEP, GREEDY),
    (TWO_STEP, STATIC),
    (EXACT, TWO_STEP),
    (SHARED_TWO_STEP, TWO_STEP),
    (SHARED_GREEDY, GREEDY),
)
"""Of each pair the first less the second is reported."""


class Row(NamedTuple):
    """One policy on one instance, as numbers that are averaged."""

    objective: float
    loss: float
    cost: float
    checks: float
    verifies: float
    several: float
    proceeds: float
    harms: float
    completes: float
    believed: float


class One(NamedTuple):
    """One instance: a row for each policy, and what does not hold on it."""

    rows: Mapping[str, Row]
    violations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policies:
    """What one policy does, as means over the instances.

    Attributes:
        objective: loss plus lambda times cost, in the exact model.
        regret: objective less that of the exact plan.
        believed: the objective that it expects itself; another one only for the shared observation.
        cost: of verification.
        checks: how many.
        verifies: share with a check at all.
        several: share with more than one.
        proceeds: share executed.
        harms: share executed with a loss above delta.
        completes: share executed without.
    """

    objective: Mean
    regret: Mean
    believed: Mean
    cost: Mean
    checks: Mean
    verifies: Mean
    several: Mean
    proceeds: Mean
    harms: Mean
    completes: Mean


@dataclass(frozen=True, slots=True)
class Difference:
    """One policy less another, paired by instance."""

    objective: Mean
    completes: Mean
    cost: Mean
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        instances: how many.
        policies: by name.
        differences: by "one less other".
        kinds: how many instances the exact plan decides at once, with one check at most, or more.
        violations: what had to hold and does not.
    """

    instances: int
    policies: Mapping[str, Policies]
    differences: Mapping[str, Difference]
    kinds: Mapping[str, int]
    violations: tuple[str, ...]


def run(size: Size, seed: int) -> Found:
    """Measure every policy on every instance."""
    ones = measured(measure, seed, INSTANCES[size], TITLE)
    rows = {name: [one.rows[name] for one in ones] for name in (*ORDERED, *BESIDE)}
    return Found(
        len(ones),
        {name: _policy(rows[name], rows[EXACT], seed) for name in rows},
        {f"{a} less {b}": _difference(rows[a], rows[b], seed) for a, b in PAIRS},
        _kinds(rows[EXACT]),
        tuple(violation for one in ones for violation in one.violations),
    )


def measure(seed: int, number: int) -> One:
    """Measure one instance."""
    candidate = subset(seed, number)
    models = {kind: compile_candidate(candidate, kind) for kind in ObservationModel}
    found = {}
    for name in (*ORDERED, *BESIDE):
        contender = CONTENDERS[name]
        tree = contender.tree_of(models[contender.observation], SPENDABLE)
        found[name] = (tree, worth(tree, candidate))
    ordered = {name: found[name] for name in ORDERED}
    wrong = tuple(violations(candidate.action, candidate, ordered))
    rows = {}
    for name, (tree, counted) in found.items():
        numbers = [float(getattr(counted, field)) for field in Row._fields[:-1]]
        rows[name] = Row._make((*numbers, float(tree.value)))
    return One(rows, wrong)


def failures(result: Found) -> Sequence[str]:
    """Return what does not hold on some instance."""
    return result.violations


def _policy(rows: Sequence[Row], best: Sequence[Row], seed: int) -> Policies:
    means = {field: mean(_column(rows, field), seed) for field in _AVERAGED}
    regret = difference(_column(rows, "objective"), _column(best, "objective"), seed)
    return Policies(regret=regret, **means)


_AVERAGED: Final = tuple(field for field in Row._fields if field != "loss")


def _column(rows: Sequence[Row], field: str) -> list[float]:
    return [getattr(row, field) for row in rows]


def _difference(ones: Sequence[Row], others: Sequence[Row], seed: int) -> Difference:
    objective, completes, cost = (
        difference(_column(ones, field), _column(others, field), seed)
        for field in ("objective", "completes", "cost")
    )
    pairs = list(zip(ones, others, strict=True))
    better = sum(a.objective < b.objective for a, b in pairs)
    worse = sum(a.objective > b.objective for a, b in pairs)
    return Difference(objective, completes, cost, better, worse)


def _kinds(rows: Sequence[Row]) -> Mapping[str, int]:
    return {
        "proceed at once": sum(row.verifies == 0 and row.proceeds > 0 for row in rows),
        "decline at once": sum(row.verifies == 0 and row.proceeds == 0 for row in rows),
        "one check": sum(row.verifies > 0 and row.several == 0 for row in rows),
        "several checks": sum(row.several > 0 for row in rows),
    }


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return subset_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw regrets and differences."""
    from .subset_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
