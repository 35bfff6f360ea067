"""Reviews in a ledger: what opens one, what writes it down, and what is read of it again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from licet import (
    Attester,
    Check,
    Commitment,
    Entry,
    InvalidInput,
    Judge,
    Number,
    Outcome,
    Resolver,
    Review,
    Value,
)
from licet.messages import described
from licet_bindings.durable.codecs import FRACTION, TEXT, TRUTH, body_of, optional, record, value_of
from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.durable.episodes import RESUMPTION, EpisodeWriter, entry_named
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.event_json import ATTESTER, EntryReader, entry_bytes
from licet_bindings.durable.outcomes import (
    ReviewEnd,
    review_end,
    review_end_bytes,
    review_end_of,
    summary_of,
)
from licet_bindings.durable.programs import commitment_of_bytes


class ReviewOpening(NamedTuple):
    """What a review is opened with.

    Attributes:
        name: the caller's name for it.
        program_sha256: the hash of its program.
        budget: calls that it has.
        completion: its completion setting.
        verified: whether a second judge confirms attestations.
        attester: in whose name the agent's attestations are recorded.
        record: the name of what is reviewed, None where none is given.
        sqlite: the version of the SQLite library where it was opened.
    """

    name: str
    program_sha256: str
    budget: Fraction
    completion: bool
    verified: bool
    attester: Attester
    record: str | None
    sqlite: str = sqlite3.sqlite_version


class WrittenReview(NamedTuple):
    """A review as a ledger has it.

    Attributes:
        opening: what it was opened with.
        commitment: its program.
        history: every event and answer, in order.
        end: its end; None where none is written yet.
    """

    opening: ReviewOpening
    commitment: Commitment
    history: tuple[Entry, ...]
    end: ReviewEnd | None


_OPENING: Final = record(
    ReviewOpening,
    name=TEXT,
    program_sha256=TEXT,
    budget=FRACTION,
    completion=TRUTH,
    verified=TRUTH,
    attester=ATTESTER,
    record=optional(TEXT),
    sqlite=TEXT,
)


def review_opening_bytes(opening: ReviewOpening) -> bytes:
    """Return what opens a review as canonical JSON.

    Raises:
        InvalidInput: it holds what could not be given back exactly.
    """
    return body_of(_OPENING, opening, "review")


def review_opening_of(entry: LedgerEntry) -> ReviewOpening:
    """Return what a review was opened with.

    Raises:
        Damaged: the entry is not what `review_opening_bytes` writes, under the review's name.
    """
    opening = value_of(_OPENING, entry.body, entry_named(entry))
    if opening.name != entry.name:
        raise Damaged(entry_named(entry), "expected the name that its body has")
    return opening


def written_review(
    opening: ReviewOpening, program: LedgerEntry | None, entries: Sequence[LedgerEntry]
) -> WrittenReview:
    """Return a review as the entries of its episode say; whether it replays is not asked.

    Args:
        opening: what the first of them says.
        program: the entry of its program.
        entries: all of them, in order.

    Raises:
        Damaged: they are not those of a review under this program.
    """
    place = entry_named(entries[0])
    if program is None or program.name != opening.program_sha256:
        raise Damaged(place, f"expected the program {opening.program_sha256} in the ledger")
    commitment = commitment_of_bytes(program.body, entry_named(program))
    if commitment.sha256 != opening.program_sha256:
        raise Damaged(entry_named(program), "expected the program of its name")
    history, reader = list[Entry](), EntryReader()
    end: ReviewEnd | None = None
    for entry in entries[1:]:
        place = entry_named(entry)
        if entry.kind is Kind.EVENT:
            history.append(reader.read(entry.body, place))
        elif entry.kind is Kind.RESUMED:
            value_of(RESUMPTION, entry.body, place)
        elif entry.kind is Kind.OUTCOME and end is None:
            end = review_end_of(entry.body, place)
        else:
            raise Damaged(place, f"expected an event of a review, found a {entry.kind}")
    return WrittenReview(opening, commitment, tuple(history), end)


def check_review(
    commitment: Commitment,
    resolver: Resolver,
    budget: Number,
    completion: bool,
    attester: Attester,
    judge: Judge | None,
) -> None:
    """Return if a review can be opened so; nothing is written for one that cannot."""
    if not callable(resolver):
        raise InvalidInput("resolver", f"expected a function, found {described(resolver)}")
    Review(
        commitment, _unasked, budget=budget, completion=completion, attester=attester, judge=judge
    )


def _unasked(check: Check) -> dict[str, Value]:
    """Stand in for a resolver where a review is opened on trial: what is free may be asked."""
    raise ValueError(check.identifier)


class ReviewJournal:
    """Writes a review to a ledger, entry by entry, and its end once."""

    def __init__(
        self, writer: EpisodeWriter, opening: ReviewOpening, written: WrittenReview | None = None
    ) -> None:
        """Begin behind the opening, or behind what is written."""
        self._writer, self._opening = writer, opening
        self._recorded = len(written.history) if written else 0
        self._end = written.end if written else None

    def record(self, position: int, entry: Entry) -> None:
        """Write an entry of the review's history.

        Raises:
            Taken: the review was resumed elsewhere.
            LedgerError: the entry was not written, or may not have been.
        """
        if position != self._recorded:
            problem = f"expected event {self._recorded} of the review, found {position}"
            raise LedgerError(self._opening.name, problem)
        self._writer.append(Kind.EVENT, entry_bytes(entry))
        self._recorded += 1

    def conclude(self, outcome: Outcome, history: Sequence[Entry]) -> None:
        """Write the outcome with its certificate, or why there is none; once.

        Raises:
            Taken: the review was resumed elsewhere.
            Damaged: another outcome is written.
            LedgerError: it was not written, or may not have been.
        """
        if self._end is not None:
            if self._end.outcome != summary_of(outcome):
                problem = "another outcome is written than the one that follows"
                raise Damaged(self._opening.name, problem)
            return
        opening = self._opening
        end = review_end(
            outcome, opening.completion, history, opening.record or "", opening.verified
        )
        self._writer.append(Kind.OUTCOME, review_end_bytes(end))
        self._end = end
