"""Several processes write one ledger at once: nothing is lost or doubled, and what it costs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from licet_bindings.durable.entries import LedgerEntry
from licet_bindings.durable.sqlite_store import SqliteStore

from ..processes import interpreters
from ..progress import followed
from ..report import Result, Table, figure
from .aftermath import Found, Violation, in_the_end
from .at_once import Share, Span, contend, insert_rows, review_alone, review_durably
from .marks import Heard

CONTESTED: Final = 3
"""Reviews that every process goes on with at once, until they are over."""

EXAMPLES: Final = 20

_NOTES: Final = (
    "Each process has the file open by itself, and takes reviews of its own to their end, one"
    " after another: programs with constraints, texts, candidates and second judges; agents,"
    " resolvers and judges answer at once. *Without*: the same reviews without a ledger. *Plain"
    " inserts*: the rows that the ledger got in this round, as many for each process and in the"
    " same order, into the same table of another file in the same folder, with the same settings,"
    " each in a `BEGIN IMMEDIATE` transaction of its own; nothing is hashed, looked up or"
    " compared. The *price* is the time with the ledger over the time of the plain inserts. All"
    " three are measured in turn; the figures are medians over the rounds, with the range of the"
    " price.",
    "Nothing lost, nothing doubled: after each round every entry that a process was given is in"
    " the ledger once, and nothing else is; an audit of everything finds nothing; every review is"
    " there once, with exactly the events, outcome and certificate of one without a ledger. Then"
    " all processes go on with the same few reviews at the same moment, again and again, until"
    " those are over: each of their calls ran at most once, and they end as if the calls that"
    " another process cut off had failed.",
    "Several processes do not make a ledger faster than one: one writes at a time, and waits for"
    " the disk.",
)


class Round(NamedTuple):
    """Seconds that one round took."""

    without: float
    durable: float
    plain: float
    entries: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What so many processes came to.

    Attributes:
        processes: how many.
        reviews: how many reviews in a round.
        rounds: the rounds.
    """

    processes: int
    reviews: int
    rounds: tuple[Round, ...]

    @property
    def prices(self) -> tuple[float, ...]:
        """The time with the ledger over that of the plain inserts."""
        return tuple(each.durable / each.plain for each in self.rounds)

    def figures(self) -> dict[str, int | float]:
        """Return medians over the rounds."""
        rounds = self.rounds
        return {
            "reviews_a_second_without": _median(self.reviews / each.without for each in rounds),
            "reviews_a_second": _median(self.reviews / each.durable for each in rounds),
            "entries_a_second": _median(each.entries / each.durable for each in rounds),
            "plain_inserts_a_second": _median(each.entries / each.plain for each in rounds),
            "price": round(median(self.prices), 2),
            "least_price": round(min(self.prices), 2),
            "greatest_price": round(max(self.prices), 2),
            "entries": rounds[0].entries,
        }


def writers(
    processes: int = 8,
    reviews: int = 240,
    rounds: int = 3,
    seed: int = 7,
    folder: Path | None = None,
) -> Result:
    """Let one process, and then so many at once, write a ledger, and measure it.

    Args:
        processes: how many at once.
        reviews: how many reviews in a round, all processes together.
        rounds: how many rounds.
        seed: of the reviews.
        folder: where the files are for that time; None for the system's temporary folder.
    """
    started = perf_counter()
    measured: list[Measured] = []
    found = Found()
    for count in dict.fromkeys((1, processes)):
        share = max(reviews // count, 1)
        with TemporaryDirectory(dir=folder) as made:
            each = _measure(Path(made), count, share, rounds, seed, found)
        measured.append(Measured(count, share * count, each))
    figures = {str(each.processes): each.figures() for each in measured}
    violations = len(found.violations)
    examples = [f"{kind}: {example}" for kind, example in found.violations[:EXAMPLES]]
    return Result(
        name="writers",
        title=f"{processes} processes write one ledger at once",
        settings={"reviews": reviews, "rounds": rounds, "seed": seed},
        figures={
            "by_processes": figures,
            "counts": dict(sorted(found.counts.items())),
            "violations": violations,
            "examples_of_violations": examples,
            "seconds": round(perf_counter() - started, 1),
        },
        tables=(_table(figures), _counts(found)),
        notes=(*_NOTES, *(f"Violation: {example}" for example in examples)),
        failed=violations > 0,
    )


def _measure(
    folder: Path, count: int, share: int, rounds: int, seed: int, found: Found
) -> tuple[Round, ...]:
    with interpreters(count, contracts=False) as pool:
        return tuple(
            _round(pool, folder / f"{number}.licet", count, share, seed + number, found)
            for number in followed(range(rounds), f"rounds of {count}", rounds)
        )


def _round(
    pool: ProcessPoolExecutor, path: Path, count: int, share: int, seed: int, found: Found
) -> Round:
    """Measure all three once, look at the ledger, and let the processes contend for it."""
    own = [range(n * share, (n + 1) * share) for n in range(count)]
    contested = range(share * count, share * count + CONTESTED)

    def shares(name: str, numbers: Sequence[range], file: Path = path) -> list[Share]:
        name = f"{file.stem}-{name}"
        return [Share(file, seed, each, name, n, count) for n, each in enumerate(numbers)]

    alone = list(pool.map(review_alone, shares("alone", own)))
    durable = list(pool.map(review_durably, shares("durable", own)))
    look(path, seed, range(contested.start), durable, found)
    rows = {row.sequence: row for row in _rows(path)}
    given = [[rows[sequence] for sequence, _ in each.entries] for each in durable]
    plain = list(pool.map(insert_rows, shares("plain", own, path.with_suffix(".plain")), given))
    contended = list(pool.map(contend, shares("contend", [contested] * count)))
    found.counts["times that a review was taken away"] += sum(each.refused for each in contended)
    look(path, seed, range(contested.stop), [*durable, *contended], found)
    return Round(_seconds(alone), _seconds(durable), _seconds(plain), len(rows))


def _seconds(spans: Sequence[Span]) -> float:
    return max(span.ended for span in spans) - min(span.started for span in spans)


def _rows(path: Path) -> list[LedgerEntry]:
    with SqliteStore.read(path) as store:
        return list(store.entries())


def look(
    path: Path, seed: int, numbers: Sequence[int], spans: Sequence[Span], found: Found
) -> None:
    """Compare a ledger with what the processes were given, and with reviews without a ledger."""
    given = [entry for span in spans for entry in span.entries]
    heard = Heard(
        ran=Counter(call for span in spans for call in span.ran),
        entries={sequence: digest.hex() for sequence, digest in given},
    )
    found.violations += [Violation("refused", span.problem) for span in spans if span.problem]
    seen = in_the_end(path, seed, [f"review-{number}" for number in numbers], heard)
    if not len(given) == len(heard.entries) == seen.counts["entries"]:
        problem = (
            f"{len(given)} entries were acknowledged, {len(heard.entries)} of them different, and"
            f" {seen.counts['entries']} are there"
        )
        seen.violations.append(Violation("lost or doubled", problem))
    found.violations += seen.violations
    found.counts += seen.counts


def _table(figures: Mapping[str, Mapping[str, int | float]]) -> Table:
    header = (
        "processes",
        "reviews a second without",
        "reviews a second",
        "entries a second",
        "plain inserts a second",
        "price",
    )
    rows = [
        (
            name,
            f"{each['reviews_a_second_without']:,.0f}",
            f"{each['reviews_a_second']:,.1f}",
            f"{each['entries_a_second']:,.0f}",
            f"{each['plain_inserts_a_second']:,.0f}",
            f"{each['price']:.2f} ({each['least_price']:.2f} to {each['greatest_price']:.2f})",
        )
        for name, each in figures.items()
    ]
    return Table("What durability costs", header, tuple(rows))


def _counts(found: Found) -> Table:
    counts = {"violations": len(found.violations), **dict(sorted(found.counts.items()))}
    rows = tuple((name, figure(count)) for name, count in counts.items())
    return Table("Ledgers of all rounds, before and after the contest", ("", "count"), rows)


def _median(values: Iterable[float]) -> float:
    return round(median(values), 1)
