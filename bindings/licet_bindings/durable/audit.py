"""The audit of a ledger: everything in it is checked again, and the first that fails is named.

What is not believed: that the file is as it was written. Every link of the chain is computed
anew, every program's hash, every answer and decision from what was asked, every outcome, and every
certificate by the checker that shares no code with licet. What cannot be told from a ledger: that
what checks and people said was true, and that nothing was cut off its end or written anew as a
whole, unless its head was noted elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from licet_bindings.durable.audited import Audit, AuditedEpisode, Finding
from licet_bindings.durable.audited_episodes import audited_episode
from licet_bindings.durable.chain import Chain, Opened
from licet_bindings.durable.codecs import value_of
from licet_bindings.durable.entries import Head, Kind, LedgerEntry
from licet_bindings.durable.episodes import RESUMPTION
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.gates import gate_opening_of
from licet_bindings.durable.outcome_audit import independent_checker
from licet_bindings.durable.program_texts import ProgramTexts
from licet_bindings.durable.reviews import review_opening_of
from licet_bindings.durable.stores import Store
from licet_bindings.errors import printable

MOST: Final = 100
"""Findings that are kept, at most, and notes; the others are counted."""

BEFORE_ALL: Final = 1 - 2**63
"""A number before that of any entry, were it one that no ledger gives."""


class Progress(NamedTuple):
    """What is told how far an audit has come.

    Attributes:
        read: called after each entry that was read.
        replayed: called after each episode that was replayed, with how many there are in all.
    """

    read: Callable[[], None]
    replayed: Callable[[int], None]


SILENT: Final = Progress(lambda: None, lambda total: None)
"""Tells nobody."""


class _Kept:
    """Findings in the order of their entries, the first of them; the others are counted."""

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}
        self.left_out = 0

    def add(self, *findings: Finding) -> None:
        self._found |= dict.fromkeys(findings)
        if len(self._found) > 2 * MOST:
            self._cut()

    def all(self) -> tuple[Finding, ...]:
        self._cut()
        return tuple(self._found)

    def _cut(self) -> None:
        ordered = sorted(self._found, key=_order)
        self.left_out += max(len(ordered) - MOST, 0)
        self._found = dict.fromkeys(ordered[:MOST])


class Auditor:
    """Audits one ledger.

    >>> from licet_bindings.durable.memory_store import MemoryStore
    >>> Auditor(MemoryStore(), "empty").audit().holds
    True
    """

    def __init__(
        self,
        store: Store,
        name: str,
        *,
        pinned: Head | None = None,
        examine: Callable[[frozenset[int]], tuple[Finding, ...]] = lambda writers: (),
    ) -> None:
        """Prepare an audit, which changes nothing.

        Args:
            store: the ledger.
            name: what it is called, for people.
            pinned: a head that was noted elsewhere, through which the chain has to pass.
            examine: finds what is wrong with the bytes of its file; it is given the versions of
                SQLite that the entries name as their writers.
        """
        self._store, self._name = store, name
        self._pinned, self._chain, self._entries = pinned, Chain(pinned), 0
        self._examine, self._writers = examine, set[int]()
        self._programs, self._checker = ProgramTexts(), independent_checker()
        self._findings, self._notes = _Kept(), _Kept()
        self._by_number: dict[int, LedgerEntry] | None = None
        self._of_episode: dict[int, list[Finding]] = {}

    def audit(
        self,
        episode: str | None = None,
        told: Callable[[AuditedEpisode], None] = lambda episode: None,
        progress: Progress = SILENT,
    ) -> Audit:
        """Audit the chain as a whole, and replay every episode or the one of this name.

        Args:
            episode: the name of the one that is replayed; None for all.
            told: is given each that was replayed, in the order in which they were opened.
            progress: is told how far the audit has come.

        Raises:
            LedgerError: there is no episode of this name, or the ledger cannot be read for
                another reason than that it is damaged.
        """
        self._follow(progress)
        opened = [
            each for each in self._chain.episodes.values() if episode in (None, each.opening.name)
        ]
        if episode is not None and not opened:
            raise LedgerError(self._name, f"there is no review or gate {printable(episode)!r}")
        for each in opened:
            told(self._replayed(each))
            progress.replayed(len(opened))
        self._findings.add(*self._examine(frozenset(self._writers)))
        kinds = [each.opening.kind for each in self._chain.episodes.values()]
        findings = self._findings.all()
        return Audit(
            self._name,
            self._chain.head,
            self._entries,
            kinds.count(Kind.REVIEW),
            kinds.count(Kind.GATE),
            len(opened),
            findings,
            self._findings.left_out,
            self._notes.all(),
        )

    def _follow(self, progress: Progress) -> None:
        """Follow the chain through all entries."""
        try:
            for entry in self._store.entries(BEFORE_ALL):
                self._take(entry)
                progress.read()
        except Damaged as fault:
            problem = f"it cannot be read, nor what stands behind it: {fault.problem}"
            self._findings.add(Finding(self._chain.head.sequence + 1, problem))
        else:
            self._findings.add(*self._chain.ended())
        if self._pinned and self._chain.passes:
            problem = "it is the head that was given, and the chain passes through it"
            self._notes.add(Finding(self._pinned.sequence, problem))

    def _take(self, entry: LedgerEntry) -> None:
        self._entries += 1
        for finding in self._chain.take(entry):
            self._findings.add(finding)
            if finding.episode is not None:
                self._of_episode.setdefault(finding.episode, []).append(finding)
        if self._chain.turned_back(entry):
            problem = f"its time, {printable(entry.time)}, lies before that of an earlier entry"
            self._notes.add(Finding(entry.sequence, problem))
        self._writers |= _sqlite_named(entry)
        if entry.kind is Kind.PROGRAM:
            problem = self._programs.take(entry)
            if problem:
                self._findings.add(Finding(entry.sequence, problem))

    def _replayed(self, opened: Opened) -> AuditedEpisode:
        number = opened.opening.sequence
        episode = audited_episode(self._entries_of(opened), self._programs, self._checker)
        self._findings.add(*episode.findings)
        self._notes.add(*episode.notes)
        # What the chain showed of it is counted already.
        episode.findings += self._of_episode.get(number, [])
        episode.findings.sort(key=_order)
        return episode

    def _entries_of(self, opened: Opened) -> Sequence[LedgerEntry]:
        """Return the entries of an episode through which the chain went, at least its opening."""
        try:
            stored = self._store.episode(opened.opening.sequence)
        except Damaged:  # A store may refuse a ledger as a whole for one entry.
            stored = ()
        # Others may have appended meanwhile.
        kept = [entry for entry in stored if entry.sequence <= opened.sequences[-1]]
        if [entry.sequence for entry in kept] == opened.sequences:
            return kept
        if self._by_number is None:
            self._by_number = {entry.sequence: entry for entry in self._readable()}
        found = map(self._by_number.get, opened.sequences)
        return [entry for entry in found if entry is not None] or [opened.opening]

    def _readable(self) -> Iterator[LedgerEntry]:
        """Yield the entries up to the first that cannot be read."""
        with suppress(Damaged):
            yield from self._store.entries(BEFORE_ALL)


def _order(finding: Finding) -> tuple[bool, int]:
    """Return what sorts findings by entry; those of the ledger as a whole come last."""
    return finding.sequence is None, finding.sequence or 0


def _sqlite_named(entry: LedgerEntry) -> set[int]:
    """Return the version of SQLite that an entry names, if it names one: 3040001 is 3.40.1."""
    try:
        match entry.kind:
            case Kind.REVIEW:
                named = review_opening_of(entry).sqlite
            case Kind.GATE:
                named = gate_opening_of(entry).sqlite
            case Kind.RESUMED:
                named = value_of(RESUMPTION, entry.body, "").sqlite
            case _:
                return set()
        major, minor, patch = map(int, named.split("."))
    except (LedgerError, ValueError):  # It is no such entry: its replay says so.
        return set()
    return {major * 1_000_000 + minor * 1_000 + patch}
