"""How often conditions hold, counted on the development split: what planners may assume."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..corpus.tasks import Task

Routes = Mapping[str, "Iterable[Iterable[str]]"]


@dataclass(frozen=True, slots=True)
class BaseRates:
    """Rates by hypothesis and stage, each with one success and one failure added.

    A hypothesis is how many conclusions the record supports, 0 to 3. A literal's stage is the
    weakest conclusion whose routes name it, 0 to 2: families share nothing finer.

    Attributes:
        hypotheses: the share of each.
        within: for each hypothesis and stage how often a literal is established.
        overall: for each stage how often a literal is.
    """

    hypotheses: tuple[Fraction, ...]
    within: tuple[tuple[Fraction, ...], ...]
    overall: tuple[Fraction, ...]


def stages(routes: Routes) -> dict[str, int]:
    """Return the stage of each literal on the routes."""
    found: dict[str, int] = {}
    for stage, listed in enumerate(routes.values()):
        for route in listed:
            for literal in route:
                found.setdefault(literal, stage)
    return found


def count_rates(tasks: Iterable[Task]) -> BaseRates:
    """Return the rates that tasks show, of their references alone."""
    labels: Counter[int] = Counter()
    seen: Counter[tuple[int, int]] = Counter()
    held: Counter[tuple[int, int]] = Counter()
    for task in tasks:
        label = len(task.reference.supported)
        labels[label] += 1
        for literal, stage in stages(routes_of(task)).items():
            seen[label, stage] += 1
            held[label, stage] += establishes(literal, task.reference.values[literal.lstrip("!")])
    total = sum(labels.values())
    hypotheses, depth = range(4), range(3)
    return BaseRates(
        tuple(Fraction(labels[h] + 1, total + len(hypotheses)) for h in hypotheses),
        tuple(tuple(_rate(held[h, s], seen[h, s]) for s in depth) for h in hypotheses),
        tuple(
            _rate(sum(held[h, s] for h in hypotheses), sum(seen[h, s] for h in hypotheses))
            for s in depth
        ),
    )


def priors(task: Task, rates: BaseRates) -> dict[str, Fraction]:
    """Return for each atom on a task's routes how likely it is to be true."""
    found = {}
    for literal, stage in stages(routes_of(task)).items():
        rate = rates.overall[stage]
        found[literal.lstrip("!")] = 1 - rate if literal.startswith("!") else rate
    return found


def routes_of(task: Task) -> Mapping[str, list[list[str]]]:
    """Return the routes of a task's document."""
    routes = task.document["routes"]
    assert isinstance(routes, dict)
    return routes  # type: ignore[return-value]


def establishes(literal: str, value: bool | None) -> bool:
    """Return whether a value establishes a literal; None, for no evidence, never does."""
    return value is not None and value is not literal.startswith("!")


def _rate(held: int, seen: int) -> Fraction:
    return Fraction(held + 1, seen + 2)
