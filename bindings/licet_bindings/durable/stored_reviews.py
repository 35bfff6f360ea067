"""Reviews as a ledger has them, read back without writing to it."""

from __future__ import annotations

from typing import NamedTuple

from licet import InvalidInput, Outcome, replay
from licet_bindings.durable.entries import Kind, LedgerEntry
from licet_bindings.durable.episodes import entry_named, intact, read_episode, read_opening
from licet_bindings.durable.errors import Damaged
from licet_bindings.durable.outcomes import summary_of
from licet_bindings.durable.reviews import WrittenReview, review_opening_of, written_review
from licet_bindings.durable.stores import Store
from licet_bindings.errors import shown


class StoredReview(NamedTuple):
    """A review in a ledger: its entries, in order, and what they say."""

    entries: tuple[LedgerEntry, ...]
    written: WrittenReview


def stored_review(store: Store, name: str) -> StoredReview:
    """Return the review of this name; whether it replays is not asked.

    Raises:
        InvalidInput: there is none.
        Damaged: what is written is no review.
        LedgerError: the ledger cannot be read.
    """
    first = read_opening(store, name, Kind.REVIEW)
    opening = review_opening_of(first)
    entries = read_episode(store, first.sequence)
    program = store.program(opening.program_sha256)
    return StoredReview(entries, written_review(opening, program and intact(program), entries))


def stored_outcome(store: Store, name: str) -> Outcome:
    """Return the outcome that follows from a review that has ended, as `DurableLedger.outcome`."""
    entries, written = stored_review(store, name)
    opening, place = written.opening, entry_named(entries[0])
    settings = (written.commitment, opening.budget, opening.completion)
    try:
        outcome = replay(*settings, written.history, opening.verified)
    except InvalidInput as fault:
        if fault.place == "history":
            problem = f"review {shown(name)} has not ended; resume it"
            raise InvalidInput("name", problem) from None
        raise Damaged(f"{place}: {fault.place}", fault.problem) from None
    if written.end is not None and written.end.outcome != summary_of(outcome):
        raise Damaged(place, "another outcome is written than the one that follows")
    return outcome
