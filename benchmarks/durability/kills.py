"""Kills writers of a ledger, a thousand times, and looks whether anything was lost."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, Self

from ..processes import in_chunks
from ..report import Result, Table, figure
from .aftermath import Found, Violation, after_kill, in_the_end
from .killing import Aim, Speeds, drawn_aim, finished, in_fork, killed
from .marks import Heard, Stage, What
from .writer import name_of

CHUNK: Final = 25
"""Kills of one ledger's writers."""

EXAMPLES: Final = 20

_NOTES: Final = (
    "Writers take one episode after another to its end, on one ledger: two reviews (programs with"
    " constraints, texts, candidates, second judges, resolvers that fail at times) for each gate"
    " (with replans). Each writer is a process of its own, and each is killed by SIGKILL; the next"
    " goes on with the episode that was cut off, and may be killed at that too. The last one is"
    " left alone until every episode that was opened is over. What is asked and answered depends"
    " on the seed and on what the ledger has of the episode, on nothing else. When each is killed"
    " is drawn from the seed too, but the clock has the last word: another run of the same seed"
    " kills at other moments.",
    "*Where the kills fell* is the last thing that a writer told on its pipe. One kill in three is"
    " at any moment of its first 0.6 seconds. The others are aimed at one of the places in the"
    " table, each as often: half of them come as the writer does, which waits there for its end;"
    " the other half later, by as long as writers stay there on average times a number from 0 to"
    " 1.5, and what comes too late falls into the next place. *Commit*: the log is written and"
    " synchronized, and now and then taken into the file.",
    "After each kill: the bytes, as the kill has left them, are those that the entries give, but"
    " for the end of the log, which may be torn; each entry and each answer that any writer"
    " acknowledged is there, the same; an audit follows the chain, and replays the last episode."
    " In the end an audit of everything, the bytes included, finds nothing; and each episode has"
    " exactly the events of an uninterrupted one without a ledger, byte for byte, and a review also"
    " its outcome and its certificate, where *uninterrupted* has the calls fail that were cut off,"
    " each at its place, and no others. A call was cut off where its result is the first that"
    " another process wrote. No call was run twice; each that was not cut off was run once. An"
    " episode of which no call was cut off is the same as if nobody had been killed.",
    "What a killed process gave to the system, the system still has: this shows that nothing is"
    " lost with a process, not that nothing is lost with the power. For that the ledger relies on"
    " SQLite, on `synchronous = FULL` (each writer reads it back, and that the log is written"
    " ahead), and on a disk that does what it is told.",
)


@dataclass(slots=True)
class Figures:
    """What kills came to.

    Attributes:
        counts: `kills`, and what there was.
        fell: where the kills fell: what the writer was at, and how far an entry had come.
        violations: by kind.
        examples: the first of them.
    """

    counts: Counter[str] = field(default_factory=Counter)
    fell: Counter[tuple[str, str]] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Add another's figures to these."""
        self.counts += other.counts
        self.fell += other.fell
        self.violations += other.violations
        self.examples = (self.examples + other.examples)[:EXAMPLES]

    def take(self, found: Found) -> None:
        """Add what was found of a ledger."""
        self.counts += found.counts
        for kind, example in found.violations:
            self.violations[kind] += 1
            self.examples = [*self.examples, f"{kind}: {example}"][:EXAMPLES]


def kills(
    count: int = 1_000, seed: int = 7, processes: int = 2, folder: Path | None = None
) -> Result:
    """Kill so many writers, and return what it came to.

    Args:
        count: how many.
        seed: of the episodes and of the moments.
        processes: how many ledgers are written at once.
        folder: where the ledgers are for that time; None for the system's temporary folder.
    """
    started = perf_counter()
    with TemporaryDirectory(dir=folder) as made:
        figures = in_chunks(
            "kills",
            "kills",
            [min(CHUNK, count - first) for first in range(0, count, CHUNK)],
            partial(run_chunk, Path(made)),
            seed,
            processes,
            Figures(),
            contracts=False,
        )
    violations = figures.violations.total()
    seconds = round(perf_counter() - started, 1)
    return Result(
        name="kills",
        title=f"{figure(count)} writers of a ledger are killed",
        settings={"seed": seed, "processes": processes},
        figures={
            "counts": dict(sorted(figures.counts.items())),
            "violations": violations,
            "violations_by_kind": dict(sorted(figures.violations.items())),
            "examples_of_violations": list(figures.examples),
            "fell": {
                what: {stage: n for (w, stage), n in sorted(figures.fell.items()) if w == what}
                for what in What
            },
            "seconds": seconds,
        },
        tables=_tables(figures, violations),
        notes=(*_NOTES, *(f"Violation: {example}" for example in figures.examples)),
        failed=violations > 0 or figures.counts["kills"] != count,
    )


def run_chunk(
    folder: Path,
    seed: int,
    number: int,
    size: int,
    draw: Callable[[Random], Aim] = drawn_aim,
) -> Figures:
    """Kill so many writers of one ledger, one after another, and let the last one finish.

    Args:
        folder: where the ledger is.
        seed: of the whole run.
        number: of the chunk.
        size: how many.
        draw: draws when each is killed.
    """
    path, own_seed = folder / f"{number}.licet", seed * 1_000_003 + number
    random = Random(f"kills {own_seed}")
    figures, heard, speeds, first = Figures(), Heard(), Speeds(), 0
    for _ in range(size):
        if not killed(path, own_seed, first, draw(random), speeds, heard):
            figures.take(_stuck(first))
            return figures
        figures.counts["kills"] += 1
        figures.fell[heard.place] += 1
        found = in_fork(after_kill, path, heard)
        figures.take(found)
        if found.violations:
            return figures
        first = found.first
    if not finished(path, own_seed, first, first, heard):
        figures.take(_stuck(first))
        return figures
    figures.counts["acknowledged entries"] += len(heard.entries)
    figures.counts["acknowledged answers"] += len(heard.answers)
    names = [name_of(episode) for episode in range(first + 1)]
    figures.take(in_fork(in_the_end, path, own_seed, names, heard))
    return figures


def _stuck(first: int) -> Found:
    problem = f"a writer failed at or after episode {first}"
    return Found(violations=[Violation("going on", problem)])


def _tables(figures: Figures, violations: int) -> tuple[Table, ...]:
    counts = {"violations": violations, **dict(sorted(figures.counts.items()))}
    rows = tuple((name, figure(count)) for name, count in counts.items())
    return (
        Table("Figures", ("", "count"), rows),
        _fell(figures.fell),
        *([_violations(figures.violations)] if violations else []),
    )


def _fell(fell: Mapping[tuple[str, str], int]) -> Table:
    header = ("where", *(stage or "(no entry)" for stage in Stage), "kills")
    rows = []
    for what in What:
        found = [fell.get((what, stage), 0) for stage in Stage]
        cells = (figure(n) if n else "" for n in found)
        rows.append((str(what), *cells, figure(sum(found))))
    return Table("Where the kills fell", header, tuple(rows))


def _violations(violations: Mapping[str, int]) -> Table:
    rows = tuple((kind, figure(count)) for kind, count in sorted(violations.items()))
    return Table("Violations", ("", "count"), rows)
