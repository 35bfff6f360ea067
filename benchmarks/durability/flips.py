"""Flips one byte of a ledger at a time, anywhere, and counts what finds it."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple, Self

from licet_bindings.durable.file_pictures import Picture
from licet_bindings.durable.sqlite_schema import PAGE_SIZE
from licet_bindings.durable.write_ahead import read_log

from ..processes import in_chunks
from ..report import Result, Table, figure
from .regions import Region, regions
from .trials import flipped, found_by
from .written import WRITERS, closed_and_open

CHUNK: Final = 250
EXAMPLES: Final = 20

ANYWHERE: Final = "anywhere in the file"
_REGIONS: Final = {
    Region.FILE_HEADER: "the file's header",
    Region.SCHEMA: "the schema's row",
    Region.PAGE_STRUCTURE: "headers and pointers of pages",
    Region.RECORD_HEADER: "headers of rows",
    Region.UNUSED: "unused bytes",
}
LOG: Final = "open: the log"
BENEATH: Final = "open: pages that the log has too"
BESIDE: Final = "open: other pages of the file"
SHARES: Final = {
    ANYWHERE: 10,
    **dict.fromkeys(_REGIONS.values(), 1),
    LOG: 2,
    BENEATH: 2,
    BESIDE: 1,
}
"""How many of twenty flips fall where."""

_NOTES: Final = (
    "One byte is changed to another, both drawn from the seed: half of the places from all bytes of"
    " the file of a ledger that was closed, a twentieth each from what is rare in it; and a quarter"
    " from a ledger that is being written, with a write-ahead log beside it that holds pages which"
    " the file does not have yet. *Bytes*: the entries are written again into an empty database,"
    " and the pages compared. *Reading*: SQLite cannot read the entries, or they are none. *Chain*:"
    " the digest of an entry, or its link, is not right; it is looked at last, so it has found what"
    " nothing else did. *Log*: a checksum of the log; such a finding says that a writer may have"
    " been cut off, or that it is damage.",
    "A flip counts as found when anything is; what an audit checks besides (outcomes, certificates)"
    " is not run. The entries hold random bytes, of lengths as entries have them, one of them"
    " longer than a page. Before the flips the same checks find nothing in either ledger.",
)


class Flip(NamedTuple):
    """A byte that is changed.

    Attributes:
        where: what the byte is for.
        is_open: whether it is one of the ledger that is being written.
        place: which one, the log's bytes behind the file's.
        mask: the bits that are changed.
    """

    where: str
    is_open: bool
    place: int
    mask: int


@dataclass(slots=True)
class Figures:
    """What flips came to.

    Attributes:
        counts: `flips`.
        found: how many, by where the byte was and what found it.
        missed: the first that nothing found.
    """

    counts: Counter[str] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Add another's figures to these."""
        self.counts += other.counts
        self.found += other.found
        self.missed = (self.missed + other.missed)[:EXAMPLES]


def flips(places: int = 10_000, episodes: int = 1_000, seed: int = 7, processes: int = 2) -> Result:
    """Flip so many bytes of a ledger of so many episodes, and count what found them."""
    started = perf_counter()
    with TemporaryDirectory() as folder:
        closed, opened = closed_and_open(Path(folder) / "ledger", episodes, seed)
    sound = [found_by(picture, WRITERS) for picture in (closed, opened)]
    drawn = tuple(draw(closed, opened, places, Random(seed)))
    figures = in_chunks(
        "flips",
        "flips",
        [min(CHUNK, len(drawn) - first) for first in range(0, len(drawn), CHUNK)],
        partial(run_chunk, closed, opened, drawn),
        seed,
        processes,
        Figures(),
        contracts=False,
    )
    by_place = _by_place(figures)
    return Result(
        name="flips",
        title="A flipped byte anywhere in a ledger",
        settings={
            "places": places,
            "episodes": episodes,
            "seed": seed,
            "processes": processes,
        },
        figures={
            "flips": figures.counts["flips"],
            "found": figures.found.total(),
            "missed": figures.missed,
            "found_in_the_sound_ledgers": sound,
            "by_place": {where: dict(found) for where, found in by_place.items()},
            "file_bytes": len(closed.file),
            "log_bytes": len(opened.log),
            "seconds": round(perf_counter() - started, 1),
        },
        tables=(_table(by_place),),
        notes=(*_NOTES, *(f"Nothing found {missed}" for missed in figures.missed)),
        failed=bool(figures.missed) or any(sound),
    )


def draw(closed: Picture, opened: Picture, count: int, random: Random) -> Iterator[Flip]:
    """Yield so many flips, as many of each kind as `SHARES` says.

    Args:
        closed: the bytes of a ledger without a log.
        opened: those of one with a log.
        count: how many.
        random: what they are drawn from.
    """
    places: Mapping[str, Sequence[int]] = {**_places(closed), **_places_when_open(opened)}
    wheres = [where for where, share in SHARES.items() for _ in range(share)]
    for number in range(count):
        where = wheres[number % len(wheres)]
        is_open = where in (LOG, BENEATH, BESIDE)
        yield Flip(where, is_open, random.choice(places[where]), random.randrange(1, 256))


def run_chunk(
    closed: Picture, opened: Picture, drawn: Sequence[Flip], seed: int, number: int, size: int
) -> Figures:
    """Make the flips of one chunk; everything was drawn already."""
    figures = Figures()
    for flip in drawn[number * CHUNK : number * CHUNK + size]:
        picture = flipped(opened if flip.is_open else closed, flip.place, flip.mask)
        check = found_by(picture, WRITERS)
        figures.counts["flips"] += 1
        if check is None:
            figures.missed.append(f"of seed {seed}: {flip}")
        else:
            figures.found[flip.where, str(check)] += 1
    return figures


def _places(closed: Picture) -> dict[str, Sequence[int]]:
    rare = {region: array("Q") for region in _REGIONS}
    for place, region in enumerate(regions(closed.file)):
        if region != Region.COLUMNS:
            rare[Region(region)].append(place)
    found = {name: rare[region] for region, name in _REGIONS.items()}
    return {ANYWHERE: range(len(closed.file)), **found}


def _places_when_open(opened: Picture) -> dict[str, Sequence[int]]:
    in_file = len(opened.file)
    latest = read_log(opened.log, PAGE_SIZE).latest
    beneath, beside = array("Q"), array("Q")
    for start in range(0, in_file, PAGE_SIZE):
        has_both = start // PAGE_SIZE + 1 in latest
        (beneath if has_both else beside).extend(range(start, start + PAGE_SIZE))
    return {LOG: range(in_file, in_file + len(opened.log)), BENEATH: beneath, BESIDE: beside}


def _by_place(figures: Figures) -> dict[str, Counter[str]]:
    by_place: dict[str, Counter[str]] = {where: Counter() for where in SHARES}
    for (where, check), count in figures.found.items():
        by_place[where][check] += count
    return by_place


def _table(by_place: Mapping[str, Counter[str]]) -> Table:
    checks = sorted({check for found in by_place.values() for check in found})
    rows = [
        (where, *(figure(found[check]) for check in checks), figure(found.total()))
        for where, found in by_place.items()
    ]
    return Table(
        "Flips by where they fell and what found them", ("where", *checks, "found"), tuple(rows)
    )
