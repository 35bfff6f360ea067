"""Texts that simulated judges of known error attest, with and without a second judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Final

from ..corpus.generate import QUICK, generate
from ..corpus.tasks import Split, Task
from ..gate.measuring import measured
from ..part import Shown, Size
from ..scoring.scores import Score, Summary, score, summarize
from . import judges_tables
from .judging import AGENTS, Setup, expected_unsupported, judged_episode

NAME: Final = "agents-judges"
TITLE: Final = "Simulated judges of known error"

ERRORS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
SHARED: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
SHARED_AT: Final = 0.1
"""The error at which the two judges' errors are made to be more and more the same."""

REPEATS: Final = {Size.QUICK: 1, Size.FULL: 50}

OVERCLAIMS, GUIDED, THOROUGH = AGENTS

SIGMAS: Final = 5.0
"""Standard errors that a simulated rate may be off its exact expectation."""

SETUPS: Final = (
    *(Setup(error, verified) for error in ERRORS for verified in (False, True)),
    *(Setup(SHARED_AT, True, shared) for shared in SHARED[1:]),
)

_SAME: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent with judges of one setup.

    Attributes:
        agent: its name.
        setup: the judges.
        summary: its figures over all tasks and repetitions.
        expected: for the agent that judges everything the exact probability of false
            authorization, in percent, as a mean over the tasks; else None.
        error: the standard error of a simulated rate about it, in percent; else None.
    """

    agent: str
    setup: Setup
    summary: Summary
    expected: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """What the part found.

    Attributes:
        tasks: how many.
        repeats: episodes of each agent on each task.
        cells: every agent with every setup.
    """

    tasks: int
    repeats: int
    cells: tuple[Cell, ...]

    def cell(self, agent: str, setup: Setup) -> Cell:
        """Return one cell."""
        return next(c for c in self.cells if (c.agent, c.setup) == (agent, setup))


def run(size: Size, seed: int) -> Found:
    """Run every agent with every setup on every text."""
    tasks, repeats = _tasks(size), REPEATS[size]
    ones = measured(partial(measure, size), seed, len(tasks) * repeats, TITLE)
    cells = []
    for agent in AGENTS:
        for setup in SETUPS:
            scored = [one[agent, setup] for one in ones]
            chances = [expected_unsupported(task, setup) for task in tasks]
            cells.append(_cell(agent, setup, scored, chances, repeats))
    return Found(len(tasks), repeats, tuple(cells))


def measure(size: Size, seed: int, number: int) -> Mapping[tuple[str, Setup], Score]:
    """Run every agent with every setup on one text once; the texts take turns."""
    tasks = _tasks(size)
    repeat, place = divmod(number, len(tasks))
    task = tasks[place]
    return {
        (agent, setup): score(task, judged_episode(task, agent, setup, seed * 1_000 + repeat))
        for agent in AGENTS
        for setup in SETUPS
    }


@lru_cache
def _tasks(size: Size) -> tuple[Task, ...]:
    # The text split has a task for each record that can be used, whatever the scale and seed.
    tasks = generate(7, QUICK).of(Split.TEXT)
    return tasks if size is Size.FULL else tasks[::3]


def _cell(
    agent: str, setup: Setup, scored: Sequence[Score], chances: Sequence[float], repeats: int
) -> Cell:
    if agent != THOROUGH:
        return Cell(agent, setup, summarize(scored), None, None)
    variance = fmean(p * (1 - p) for p in chances) / (len(chances) * repeats)
    return Cell(agent, setup, summarize(scored), 100 * fmean(chances), 100 * sqrt(variance))


def failures(result: Found) -> Iterator[str]:
    """Yield where false authorization is not what the judges' errors make it."""
    for cell in result.cells:
        yield from _of_cell(cell)
    for verified in (False, True):
        rates = [result.cell(THOROUGH, Setup(e, verified)).expected or 0.0 for e in ERRORS]
        if any(after <= before + _SAME for before, after in pairwise(rates)):
            yield f"verified {verified}: false authorization does not rise with the error: {rates}"
    for error in ERRORS[1:]:
        for agent in (GUIDED, THOROUGH):
            alone, checked = (
                result.cell(agent, Setup(error, verified)).summary.unsupported
                for verified in (False, True)
            )
            # In few episodes both may be the same; what is expected may not.
            if checked > alone:
                yield f"{agent}, error {error}: a second judge does not lower {alone:.2f}%"
        before, after = (
            result.cell(THOROUGH, Setup(error, verified)).expected or 0.0
            for verified in (False, True)
        )
        if not after < before:
            yield f"error {error}: a second judge is expected not to lower {before:.2f}%"


def _of_cell(cell: Cell) -> Iterator[str]:
    who, found = f"{cell.agent}, {cell.setup}", cell.summary
    if cell.agent == OVERCLAIMS:
        if not found.unsupported:
            yield f"{who}: no false authorization, though nothing enforces"
        return
    if found.premature:
        yield f"{who}: premature conclusions in {found.premature:.2f}% of episodes"
    if not cell.setup.error and (found.unsupported or found.wrong):
        yield f"{who}: false authorization by judges that are never wrong"
    if cell.expected is None or cell.error is None:
        return
    if abs(found.unsupported - cell.expected) > SIGMAS * cell.error + _SAME:
        yield f"{who}: {found.unsupported:.2f}% unsupported, {cell.expected:.2f}% expected"


def tables(result: Found) -> Sequence[Shown]:
    """Return its tables."""
    return judges_tables.tables(result)


def pictures(result: Found, folder: Path) -> Sequence[str]:
    """Draw false authorization against the judges' error."""
    from .judges_pictures import draw  # drawing is slow to import and is not needed to measure

    draw(result, folder / f"{NAME}.svg")
    return [f"{NAME}.svg"]
