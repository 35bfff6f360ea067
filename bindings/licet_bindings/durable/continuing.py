"""Reviews that are opened in a ledger, or gone on with where they are there already."""

from __future__ import annotations

from licet import Commitment, InvalidInput, Judge, Number, Resolver, Review
from licet.rationals import non_negative
from licet_bindings.durable.errors import Taken
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.errors import shown


def open_or_resume(
    ledger: DurableLedger,
    commitment: Commitment,
    resolver: Resolver,
    *,
    name: str,
    budget: Number,
    completion: bool = True,
    judge: Judge | None = None,
) -> Review:
    """Open a review of this name; where there is one, go on with it, or see how it ended.

    Args:
        ledger: where it is kept.
        commitment: the committed program.
        resolver: runs a check.
        name: what the review and its record are called.
        budget: calls that it has.
        completion: its completion setting.
        judge: the second judge of the verified mode.

    Raises:
        InvalidInput: the one that is there has another program, budget or completion setting.
        LedgerError: the ledger cannot be read or written.
    """
    try:
        return ledger.review(
            commitment,
            resolver,
            name=name,
            budget=budget,
            completion=completion,
            judge=judge,
            record=name,
        )
    except Taken:
        opening = ledger.opening(name)
    # Before it is gone on with: that refuses whoever has it, and may run checks at once.
    for what, found, asked in (
        ("program", opening.program_sha256, commitment.sha256),
        ("budget", opening.budget, non_negative(budget, "budget")),
        ("completion", opening.completion, completion),
    ):
        if found != asked:
            problem = f"is in the ledger with {what} {found}, and {asked} is asked for"
            raise InvalidInput("ledger", f"review {shown(name)} {problem}")
    return ledger.resume(name, resolver, judge=judge)
