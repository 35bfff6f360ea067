"""The same agents on records as they are, and where each condition may stand in three fields.

The paper analyses neither under a gate: its natural-prevalence split is left out there, and its
locator-uncertain copy is read by one model. What it proves of every agent must hold here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ...report import Table
from ..corpus.generate import generate
from ..corpus.tasks import Split, Task
from ..gate.measuring import measured
from ..part import Setting, Shown, Size
from ..scoring.scores import Score, Summary, score, summarize
from .ladder import (
    BUDGETS,
    SCALES,
    Promise,
    Reached,
    Sufficiency,
    broken,
    kept_promises,
    promises,
    reached,
    sufficiencies,
)
from .systems import COMPLETED, GATED, LADDER, OTHERS, UNENFORCED
from .temperaments import OVERCLAIMS, STOPS, TEMPERAMENTS

NAME: Final = "agents-splits"
TITLE: Final = "The same agents on natural records and uncertain places"

SPLITS: Final = (Split.NATURAL, Split.LOCATOR)
TAKEN: Final = {
    Size.QUICK: {Split.NATURAL: 2, Split.LOCATOR: 8},
    Size.FULL: dict.fromkeys(SPLITS, 1),
}
"""Every how many tasks one is taken."""


class Key(NamedTuple):
    """Which agent on which split at which budget."""

    split: Split
    system: str
    temperament: str
    budget: str


class Cell(NamedTuple):
    """One agent on one split at one budget."""

    key: Key
    summary: Summary


class One(NamedTuple):
    """One task: its scores, and what Theorem 4.3 promises on it, as on the balanced split."""

    scores: Mapping[Key, Score]
    reached: tuple[Reached, ...]
    kept: Mapping[str, tuple[bool, ...]]


class Found(NamedTuple):
    """What the part found.

    Attributes:
        cells: every agent.
        sufficiency: tasks that meet Theorem 4.3's premises, and the ceiling with N(z0) calls.
        promises: for each temperament, over all budgets.
    """

    cells: tuple[Cell, ...]
    sufficiency: Mapping[str, Sufficiency]
    promises: Mapping[str, Promise]

    def summary(self, split: Split, system: str, temperament: str, budget: str) -> Summary:
        """Return one agent's figures."""
        wanted = Key(split, system, temperament, budget)
        return next(cell.summary for cell in self.cells if cell.key == wanted)


def run(size: Size, seed: int) -> Found:
    """Run every agent on every task of both splits."""
    ones = measured(partial(measure, size), seed, len(_tasks(size, seed)), TITLE)
    scored: dict[Key, list[Score]] = {}
    for one in ones:
        for key, found in one.scores.items():
            scored.setdefault(key, []).append(found)
    return Found(
        tuple(Cell(key, summarize(each)) for key, each in scored.items()),
        sufficiencies([one.reached for one in ones]),
        promises([one.kept for one in ones]),
    )


def measure(size: Size, seed: int, number: int) -> One:
    """Run every agent on one task: the ladder at every budget, the others at 20 calls."""
    task = _tasks(size, seed)[number]
    found = {}
    for name in TEMPERAMENTS:
        for budget, calls in zip(BUDGETS, task.budgets, strict=True):
            systems = {**LADDER, **OTHERS} if budget == BUDGETS[-1] else LADDER
            for system, runs in systems.items():
                key = Key(task.split, system, name, budget)
                found[key] = score(task, runs(task, name, calls, seed))
    kept = {}
    for name in TEMPERAMENTS:
        completed = {each: found[Key(task.split, COMPLETED, name, each)] for each in BUDGETS}
        kept[name] = tuple(kept_promises(task, name, completed, seed))
    return One(found, tuple(reached(task, seed)), kept)


def _tasks(size: Size, seed: int) -> tuple[Task, ...]:
    corpus = generate(seed, SCALES[size])
    return tuple(task for split in SPLITS for task in corpus.of(split)[:: TAKEN[size][split]])


def failures(result: Found) -> Iterator[str]:
    """Yield where something is stated that no check established, or a ceiling is missed."""
    # An agent that nothing is promised here is held to its promises on the balanced split.
    given = {name: promise for name, promise in result.promises.items() if promise.promised}
    yield from broken(result.sufficiency, given)
    for (split, system, temperament, budget), summary in result.cells:
        who = f"{split.value}: {system}, {temperament}, {budget}"
        if system in GATED and (summary.unsupported or summary.premature):
            yield (
                f"{who}: false authorization in {summary.unsupported:.2f}%, premature conclusions"
                f" in {summary.premature:.2f}% of episodes"
            )
    for split in SPLITS:
        free = result.summary(split, UNENFORCED, OVERCLAIMS, BUDGETS[-1])
        for found, what in (
            (free.unsupported, "false authorization"),
            (free.premature, "premature conclusions"),
        ):
            if not found:
                yield f"{split.value}: no {what} of {OVERCLAIMS}, though nothing enforces"
        if not result.summary(split, COMPLETED, STOPS, BUDGETS[-1]).utility:
            yield f"{split.value}: completion earns nothing for an agent that {STOPS}"


def tables(result: Found) -> Sequence[Shown]:
    """Return a table of errors and one of utility for each split."""
    why = (
        "Agents are simulated: scripted temperaments. The paper reports no agent on its natural"
        " split, and one model on its locator-uncertain copy; that nothing is stated under the"
        " gate which no check established, it proves of every agent."
    )
    made: list[Table] = []
    for split in SPLITS:
        made += (_errors(result, split), _utilities(result, split))
    shown = [Shown(table, Setting.NOT_COMPARABLE, why) for table in made]
    return [*shown, Shown(_promised(result), Setting.NOT_COMPARABLE, _PROMISED)]


_PROMISED: Final = (
    "Where Theorem 4.3 promises the ceiling. Its premises are met on natural records whose"
    " conditions can all be settled, and never where places are uncertain. The first column counts"
    " tasks, for agents that spend calls on nothing else; the second, for every agent, episodes at"
    " the four budgets that end without an accepted report and with N(z) calls or more. The paper"
    " proves it and has no such table."
)


def _errors(result: Found, split: Split) -> Table:
    systems = (*LADDER, *OTHERS)
    rows = []
    for name in TEMPERAMENTS:
        each = [result.summary(split, system, name, BUDGETS[-1]) for system in systems]
        rows.append((name, *(f"{s.unsupported:.1f}, {s.premature:.1f}" for s in each)))
    title = f"{split.value}: false authorization and premature conclusions at 20 calls, in %"
    return Table(title, ("temperament", *systems), tuple(rows))


def _utilities(result: Found, split: Split) -> Table:
    rows = []
    for system in LADDER:
        for name in TEMPERAMENTS:
            each = [result.summary(split, system, name, budget) for budget in BUDGETS]
            figures = [*(s.utility for s in each), each[-1].ceiling]
            rows.append((f"{system}: {name}", *(f"{figure:.1f}" for figure in figures)))
    header = ("agent", *BUDGETS, "full information")
    return Table(f"{split.value}: utility", header, tuple(rows))


def _promised(result: Found) -> Table:
    rows = []
    for name, promise in result.promises.items():
        each = result.sufficiency.get(name)
        enough = "" if each is None else f"{each.reached} of {each.tasks}"
        rows.append((name, enough, f"{promise.kept} of {promise.promised}"))
    header = ("temperament", "ceiling with N(z0) calls", "as promised")
    return Table(f"natural: what {COMPLETED} reaches", header, tuple(rows))


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw nothing: the tables say it."""
    return ()
