"""What an audit found: of a ledger as a whole, and of each episode, for people and for reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from licet import Answer, Check, Commitment, Entry, Failed, GateEvent, Outcome, Read, Resolved
from licet_bindings.durable.entries import Head, LedgerEntry


class Finding(NamedTuple):
    """Something that does not hold, or, as a note, that is worth knowing.

    Attributes:
        sequence: the entry that it is about; None for the file or the ledger as a whole.
        problem: what is there, and what was expected.
        episode: the sequence of the opening of its episode; None where it is in none.
    """

    sequence: int | None
    problem: str
    episode: int | None = None

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return "the ledger" if self.sequence is None else f"entry {self.sequence}"


class Stage(Enum):
    """How far an episode has come."""

    OPEN = "open"
    UNCONCLUDED = "ended, but its outcome was not written"
    ENDED = "ended"
    FAILED = "not known, for its replay fails"


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """One entry of a review, replayed.

    Attributes:
        written: the entry of the ledger.
        recorded: the event and the answer that it holds.
        answer: the answer that follows, with the reason as this version words it.
        check: where a check was running, that check; of candidates it names the one that was read.
        result: what the check came to, None where none was running.
        over: whether the review was over before.
        spent: calls charged so far, this entry included.
    """

    written: LedgerEntry
    recorded: Entry
    answer: Answer
    check: Check | None
    result: Resolved | Read | Failed | None
    over: bool
    spent: Fraction


class GateStep(NamedTuple):
    """One event of a gate, replayed; the entry of the ledger that holds it."""

    written: LedgerEntry
    event: GateEvent


@dataclass(slots=True)
class AuditedEpisode:
    """An episode: its entries, what was found of them, and how far it came.

    Attributes:
        opening: its first entry.
        last: its last entry.
        entries: how many it has.
        stage: how far it has come.
        resumptions: the entries that say who went on with it.
        findings: what does not hold in it.
        notes: what is worth knowing of it.
    """

    opening: LedgerEntry
    last: LedgerEntry
    entries: int
    stage: Stage = Stage.FAILED
    resumptions: tuple[LedgerEntry, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name that its caller gave it."""
        return self.opening.name


@dataclass(slots=True)
class AuditedReview(AuditedEpisode):
    """A review; what could not be read is None.

    Attributes:
        record: the name of what was reviewed, for people; empty where none was given.
        commitment: the program, made of the text that the ledger has.
        budget: calls that the review has.
        steps: its entries up to the first that does not follow.
        outcome: the replayed outcome of a review that is over.
        certified: whether the outcome entry has a certificate that the independent checker accepts.
    """

    record: str = ""
    commitment: Commitment | None = None
    budget: Fraction = Fraction(0)
    steps: tuple[ReviewStep, ...] = ()
    outcome: Outcome | None = None
    certified: bool = False


@dataclass(slots=True)
class AuditedGate(AuditedEpisode):
    """A gate.

    Attributes:
        action: what the candidate does, as it was opened.
        policy: the name of its policy.
        budget: the verification cost that may be spent.
        remaining: what is left of it.
        steps: its events up to the first that does not follow.
    """

    action: str = ""
    policy: str = ""
    budget: Fraction = Fraction(0)
    remaining: Fraction = Fraction(0)
    steps: tuple[GateStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """The audit of a ledger.

    Attributes:
        ledger: its name, for people.
        head: where its chain ends.
        entries: how many entries it has.
        reviews: how many reviews it has.
        gates: how many gates it has.
        replayed: how many of its episodes were replayed: all, or the one that was asked for.
        findings: what does not hold, by entry; the first is the first that fails.
        left_out: findings that were counted and not kept.
        notes: what is worth knowing.
    """

    ledger: str
    head: Head
    entries: int
    reviews: int
    gates: int
    replayed: int
    findings: tuple[Finding, ...]
    left_out: int = 0
    notes: tuple[Finding, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings
