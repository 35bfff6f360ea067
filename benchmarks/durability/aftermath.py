"""What has to hold of a ledger whose writers were killed, and of its episodes in the end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from licet import Failed, Judged, Read, Resolved
from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.entries import OPENINGS, Kind, LedgerEntry
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.event_json import EntryReader
from licet_bindings.durable.file_audit import file_findings
from licet_bindings.durable.file_pictures import take_picture
from licet_bindings.durable.pages import Check, picture_faults
from licet_bindings.durable.sqlite_store import SqliteStore

from .marks import Heard
from .scripted_gates import GateScript
from .scripted_reviews import ReviewScript
from .trials import is_chained
from .writer import script_named
from .written import WRITERS


class Violation(NamedTuple):
    """Something that must not be."""

    kind: str
    example: str


@dataclass(slots=True)
class Found:
    """What was found of a ledger.

    Attributes:
        violations: what must not be.
        counts: what there is.
        first: the number of the episode that was opened last; 0 where there is none.
    """

    violations: list[Violation] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    first: int = 0


class Episode(NamedTuple):
    """An episode as a ledger has it.

    Attributes:
        events: its events.
        ends: its outcomes.
        cuts: the positions of the events that are the results of calls which were cut off.
        called: those of the results of other calls.
        owners: how many processes had it.
    """

    events: tuple[bytes, ...]
    ends: tuple[bytes, ...]
    cuts: frozenset[int]
    called: frozenset[int]
    owners: int


def after_kill(path: Path, heard: Heard) -> Found:
    """Return what is found of a ledger as a kill has left it: nothing has opened it since.

    Every acknowledged entry and event is looked for, of all writers so far, and the ledger is
    audited, of its episodes the last. A log whose end is torn is counted, not objected to: nothing
    in it was acknowledged, or it would be missed.
    """
    found = Found()
    if path.exists() and path.stat().st_size > 0:
        _look_at_bytes(path, found)
    entries = _entries(path, found, bool(heard.entries))
    _compare(entries, heard, found)
    openings = [entry.name for entry in entries if entry.kind in OPENINGS]
    if openings:
        found.first = int(openings[-1].rpartition("-")[2])
        _audit(path, openings[-1], found)
    return found


def in_the_end(path: Path, seed: int, names: Sequence[str], heard: Heard) -> Found:
    """Return what is found of a ledger whose episodes, of these names, are all over."""
    found = Found()
    entries = _entries(path, found, True)
    _compare(entries, heard, found)
    _audit(path, None, found)
    by_episode: dict[int, list[LedgerEntry]] = {}
    for entry in entries:
        by_episode.setdefault(entry.episode, []).append(entry)
    episodes = {e[0].name: e for e in by_episode.values() if e[0].kind in OPENINGS}
    if sorted(episodes) != sorted(names):
        problem = f"expected {len(names)} of them, found {len(episodes)}, or others"
        found.violations.append(Violation("episodes", problem))
    for name, episode in episodes.items():
        _compare_episode(read_back(episode), script_named(seed, name), heard, found)
    found.counts["entries"] += len(entries)
    return found


def _look_at_bytes(path: Path, found: Found) -> None:
    faults = picture_faults(take_picture(path), WRITERS)
    found.counts["logs with a torn end"] += any(fault.may_be_torn for fault in faults)
    if any(fault.check is Check.JOURNAL for fault in faults):
        # Killed while the ledger was begun: the next one to open it takes that back.
        found.counts["kills while a ledger was begun"] += 1
        return
    found.violations += [
        Violation("bytes", fault.problem) for fault in faults if not fault.may_be_torn
    ]


def _audit(path: Path, episode: str | None, found: Found) -> None:
    """Audit a ledger as `licet audit` does; its bytes only where nothing was cut off."""
    examine = partial(file_findings, path) if episode is None else lambda writers: ()
    try:
        with SqliteStore.read(path) as store:
            audit = Auditor(store, path.name, examine=examine).audit(episode)
    except LedgerError as error:
        found.violations.append(Violation("audit", str(error)))
        return
    found.violations += [Violation("audit", f"{f.place}: {f.problem}") for f in audit.findings]
    found.counts["audits"] += 1
    found.counts["episodes replayed by audits"] += audit.replayed


def read_back(entries: Sequence[LedgerEntry]) -> Episode:
    """Return an episode; what was cut off is told by who wrote its results, not by what they say.

    A call was cut off where its result is the first thing that another process wrote.
    """
    is_review, reader = entries[0].kind is Kind.REVIEW, EntryReader()
    events: list[bytes] = []
    cuts, called = set[int](), set[int]()
    was_asked = was_resumed = False
    for entry in entries[1:]:
        if entry.kind is Kind.EVENT:
            is_result = _is_result(reader, entry.body) if is_review else was_asked
            if is_result:
                (cuts if was_resumed else called).add(len(events))
            events.append(entry.body)
        was_asked = entry.kind is Kind.ASKED or (was_asked and entry.kind is Kind.RESUMED)
        was_resumed = entry.kind is Kind.RESUMED
    return Episode(
        tuple(events),
        tuple(entry.body for entry in entries if entry.kind is Kind.OUTCOME),
        frozenset(cuts),
        frozenset(called),
        1 + sum(entry.kind is Kind.RESUMED for entry in entries),
    )


def _is_result(reader: EntryReader, body: bytes) -> bool:
    return isinstance(reader.read(body).event, Resolved | Read | Judged | Failed)


def _entries(path: Path, found: Found, must_be: bool) -> list[LedgerEntry]:
    """Return the entries of a ledger, and object where they do not form a chain."""
    try:
        with SqliteStore.read(path) as store:
            entries = list(store.entries())
    except LedgerError as error:
        if must_be:
            found.violations.append(Violation("reading", str(error)))
        found.counts["kills before there was a ledger"] += not must_be
        return []
    if not is_chained(entries):
        found.violations.append(Violation("chain", "an entry's digest or link is wrong"))
    return entries


def _compare(entries: Sequence[LedgerEntry], heard: Heard, found: Found) -> None:
    """Object to what was acknowledged and is not there as it was."""
    digests = {entry.sequence: entry.digest.hex() for entry in entries}
    for sequence, digest in heard.entries.items():
        if digests.get(sequence) != digest:
            found.violations.append(Violation("acknowledged entry", f"entry {sequence}"))
    events = dict(_events(entries))
    for (name, position), digest in heard.answers.items():
        if events.get((name, position)) != digest:
            found.violations.append(Violation("acknowledged answer", f"{name}: event {position}"))


def _events(entries: Iterable[LedgerEntry]) -> Iterator[tuple[tuple[str, int], str]]:
    names: dict[int, str] = {}
    lengths: Counter[int] = Counter()
    for entry in entries:
        if entry.kind in OPENINGS:
            names[entry.sequence] = entry.name
        elif entry.kind is Kind.EVENT:
            place = (names[entry.episode], lengths[entry.episode])
            yield place, sha256(entry.body).hexdigest()
            lengths[entry.episode] += 1


def _compare_episode(
    episode: Episode, script: ReviewScript | GateScript, heard: Heard, found: Found
) -> None:
    """Object to an episode that does not end where an uninterrupted one does."""
    name = script.name
    expected = script.uninterrupted(episode.cuts)
    ends = () if expected.end is None else (expected.end,)
    if episode.events != expected.events:
        pairs = zip(episode.events, expected.events, strict=False)
        at = next((n for n, (one, other) in enumerate(pairs) if one != other), "the last")
        found.violations.append(Violation("another course", f"{name}: event {at}"))
    elif episode.ends != ends:
        found.violations.append(Violation("another end", f"{name}: {len(episode.ends)} outcomes"))
    for position in episode.called:
        if heard.ran[name, position] != 1:
            problem = f"{name}: event {position} after {heard.ran[name, position]} runs"
            found.violations.append(Violation("runs of a call", problem))
    for position in episode.cuts:
        if heard.ran[name, position] > 1:
            found.violations.append(Violation("runs of a call", f"{name}: event {position}"))
    _count(episode, script, heard, found.counts)


def _count(
    episode: Episode, script: ReviewScript | GateScript, heard: Heard, counts: Counter[str]
) -> None:
    kind = "reviews" if isinstance(script, ReviewScript) else "gates"
    counts[kind] += 1
    counts["calls that were cut off"] += len(episode.cuts)
    running = sum(heard.ran[script.name, position] for position in episode.cuts)
    counts["calls that were cut off while they ran"] += running
    if episode.owners > 1:
        counts[f"{kind} cut off"] += 1
        counts[f"{kind} cut off more than once"] += episode.owners > 2
        counts[f"{kind} cut off, but no call of theirs"] += not episode.cuts
