"""Scripted agents of every temperament under every system, on the balanced split."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Final, NamedTuple

from ..corpus.generate import PAPER, QUICK, generate
from ..corpus.tasks import Split, Task
from ..gate.measuring import measured
from ..part import Shown, Size
from ..scoring.inference import (
    Contrast,
    contrast,
    unsupported,
    utility,
)
from ..scoring.scores import Score, Summary, score, summarize
from . import ladder_tables
from .promises import promised
from .systems import COMPLETED, GATE_ALONE, GATED, LADDER, OTHERS, PRIME, UNENFORCED
from .temperaments import FIRST, FOLLOWS, OVERCLAIMS, REPEATS, STOPS, TEMPERAMENTS

NAME: Final = "agents"
TITLE: Final = "Agents of every temperament under the gate, and without it"

BUDGETS: Final = ("b_min", "b_min + 1", "2 b_min", "20")

SCALES: Final = {Size.QUICK: QUICK, Size.FULL: PAPER}

REACHING: Final = (STOPS, FOLLOWS, REPEATS)
"""Temperaments whose charged requests all check what Theorem 4.3 counts."""


class Key(NamedTuple):
    """Which agent at which budget."""

    system: str
    temperament: str
    budget: str


class Reached(NamedTuple):
    """Whether completion reached the ceiling of a task with N(z0) calls, and with one less."""

    temperament: str
    sufficient: bool
    one_less: bool


class One(NamedTuple):
    """One task: its scores, and what completion reached if it meets Theorem 4.3's premises.

    `kept` says for each temperament of each promise whether it was.
    """

    scores: Mapping[Key, Score]
    reached: tuple[Reached, ...]
    kept: Mapping[str, tuple[bool, ...]] = MappingProxyType({})


class Promise(NamedTuple):
    """Episodes in which Theorem 4.3 promises the ceiling, and those in which it was reached."""

    promised: int
    kept: int


class Sufficiency(NamedTuple):
    """Tasks on which completion reaches the ceiling with N(z0) calls, and with one less."""

    tasks: int
    reached: int
    one_less: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent at one budget.

    Attributes:
        summary: its figures on all tasks.
        gap: the mean utility that it misses to full information on the tasks that meet Theorem
            4.3's premises.
    """

    system: str
    temperament: str
    budget: str
    summary: Summary
    gap: float


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        tasks: how many.
        families: how many.
        cells: every agent.
        sufficiency: for the temperaments that Theorem 4.3 is about.
        promises: for each temperament, over all budgets.
        pooled: for each system the figures of all temperaments together at 20 calls.
        gains: contrasts of utility.
        removed: contrasts of false authorization.
    """

    tasks: int
    families: int
    cells: tuple[Cell, ...]
    sufficiency: Mapping[str, Sufficiency]
    promises: Mapping[str, Promise]
    pooled: Mapping[str, Summary]
    gains: Mapping[str, Contrast]
    removed: Mapping[str, Contrast]

    def cell(self, system: str, temperament: str, budget: str = BUDGETS[-1]) -> Cell:
        """Return one cell."""
        wanted = (system, temperament, budget)
        return next(c for c in self.cells if (c.system, c.temperament, c.budget) == wanted)


def run(size: Size, seed: int) -> Found:
    """Run every agent on every task of the balanced split."""
    tasks = _tasks(size, seed)
    ones = measured(partial(measure, size), seed, len(tasks), TITLE)
    return gathered(ones, {task.identifier for task in tasks if task.sufficient is not None}, seed)


def gathered(ones: Sequence[One], met: set[str], seed: int) -> Found:
    """Return what the results of single tasks come to.

    Args:
        ones: the results.
        met: the tasks that meet Theorem 4.3's premises.
        seed: of the resampling.
    """
    first = next(iter(ones[0].scores))
    scored = {key: [one.scores[key] for one in ones] for key in ones[0].scores}
    return Found(
        len(ones),
        len({one.scores[first].family for one in ones}),
        tuple(_cell(key, each, met) for key, each in scored.items()),
        sufficiencies([one.reached for one in ones]),
        promises([one.kept for one in ones]),
        {system: summarize(_at_full(scored, system)) for system in (*LADDER, *OTHERS)},
        dict(_gains(scored, seed)),
        {
            name: contrast(
                scored[Key(GATE_ALONE, name, BUDGETS[-1])],
                scored[Key(UNENFORCED, name, BUDGETS[-1])],
                unsupported,
                seed,
            )
            for name in TEMPERAMENTS
        },
    )


def measure(size: Size, seed: int, number: int) -> One:
    """Run every agent on one task."""
    task = _tasks(size, seed)[number]
    found = {}
    for name in TEMPERAMENTS:
        for budget, calls in zip(BUDGETS, task.budgets, strict=True):
            for system, runs in LADDER.items():
                episode = runs(task, name, calls, seed)
                found[Key(system, name, budget)] = score(task, episode)
        for system, runs in OTHERS.items():
            episode = runs(task, name, task.budgets.full, seed)
            found[Key(system, name, BUDGETS[-1])] = score(task, episode)
    kept = {
        name: tuple(kept_promises(task, name, _completed(found, name), seed))
        for name in TEMPERAMENTS
    }
    return One(found, tuple(reached(task, seed)), kept)


def _completed(found: Mapping[Key, Score], name: str) -> Mapping[str, Score]:
    return {budget: found[Key(COMPLETED, name, budget)] for budget in BUDGETS}


def _tasks(size: Size, seed: int) -> tuple[Task, ...]:
    tasks = generate(seed, SCALES[size]).of(Split.BALANCED)
    return tasks if size is Size.FULL else tasks[::2]


def kept_promises(
    task: Task, name: str, completed: Mapping[str, Score], seed: int
) -> Iterator[bool]:
    """Yield whether each ceiling that Theorem 4.3 promises this agent was reached.

    Args:
        task: any task; nothing is promised where it does not meet the theorem's premises.
        name: the agent's temperament.
        completed: what it scored with completion at each budget.
        seed: of its draws.
    """
    if task.sufficient is None:
        return
    for budget, calls in zip(BUDGETS, task.budgets, strict=True):
        if promised(task, name, calls, seed):
            found = completed[budget]
            yield found.utility == found.ceiling


def reached(task: Task, seed: int) -> Iterator[Reached]:
    """Yield what completion reaches with N(z0) calls, and with one less, where that is enough."""
    if task.sufficient is None:
        return
    for name in REACHING:
        found = [
            score(task, LADDER[COMPLETED](task, name, calls, seed))
            for calls in (task.sufficient, task.sufficient - 1)
        ]
        yield Reached(name, *(each.utility == each.ceiling for each in found))


def _cell(key: Key, scored: Sequence[Score], met: set[str]) -> Cell:
    gaps = [each.ceiling - each.utility for each in scored if each.task in met]
    return Cell(*key, summarize(scored), fmean(gaps) if gaps else 0.0)


def sufficiencies(found: Sequence[Sequence[Reached]]) -> Mapping[str, Sufficiency]:
    """Count over tasks what was reached, for each temperament that the theorem is about."""
    counted = {}
    for name in REACHING:
        own = [each for of_task in found for each in of_task if each.temperament == name]
        enough = sum(each.sufficient for each in own)
        counted[name] = Sufficiency(len(own), enough, sum(each.one_less for each in own))
    return counted


def promises(found: Sequence[Mapping[str, Sequence[bool]]]) -> Mapping[str, Promise]:
    """Count over tasks what was promised and kept, for each temperament."""
    counted = {}
    for name in TEMPERAMENTS:
        kept = [each for of_task in found for each in of_task.get(name, ())]
        counted[name] = Promise(len(kept), sum(kept))
    return counted


def _at_full(scored: Mapping[Key, list[Score]], system: str) -> list[Score]:
    return [s for name in TEMPERAMENTS for s in scored[Key(system, name, BUDGETS[-1])]]


def _gains(scored: Mapping[Key, list[Score]], seed: int) -> Iterator[tuple[str, Contrast]]:
    for what, first, second, name in (
        ("guidance", PRIME, GATE_ALONE, FIRST),
        ("completion", COMPLETED, PRIME, STOPS),
    ):
        for budget in BUDGETS:
            ours, theirs = scored[Key(first, name, budget)], scored[Key(second, name, budget)]
            title = f"{what}, {name}, {budget}"
            yield title, contrast(ours, theirs, utility, seed)


def failures(result: Found) -> Iterator[str]:
    """Yield where something is stated that no check established, or the ceiling is missed."""
    for cell in result.cells:
        who = f"{cell.system}, {cell.temperament}, {cell.budget}"
        if cell.system in GATED and cell.summary.unsupported:
            yield f"{who}: false authorization in {cell.summary.unsupported:.2f}% of episodes"
        if cell.system in GATED and cell.summary.premature:
            yield f"{who}: premature conclusions in {cell.summary.premature:.2f}% of episodes"
        overclaims = (cell.system, cell.temperament) == (UNENFORCED, OVERCLAIMS)
        if overclaims and not cell.summary.unsupported:
            yield f"{who}: no false authorization, though nothing enforces"
        if overclaims and not cell.summary.premature:
            yield f"{who}: no premature conclusions, though nothing enforces"
    yield from broken(result.sufficiency, result.promises)


def broken(
    sufficiency: Mapping[str, Sufficiency], promised_to: Mapping[str, Promise]
) -> Iterator[str]:
    """Yield where the ceiling is missed that Theorem 4.3 promises, or is promised to nobody."""
    for name, found in sufficiency.items():
        if found.reached != found.tasks or not found.tasks:
            yield (
                f"{COMPLETED}, {name}: the ceiling on {found.reached} of {found.tasks} tasks"
                " with N(z0) calls"
            )
    for name, promise in promised_to.items():
        if promise.kept != promise.promised or not promise.promised:
            yield f"{COMPLETED}, {name}: {promise.kept} of {promise.promised} promises kept"


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return ladder_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw utility by budget."""
    from .ladder_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
