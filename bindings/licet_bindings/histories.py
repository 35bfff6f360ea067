"""What a review's history says of the calls in it, those that completion made included.

The answer to a call that completion made is not in the history by itself, only what its resolver
gave, so the history is replayed to see which check each answer is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from licet import Commitment, Entry, Failed, Number, Outcome, Resolved
from licet.episode import begin, request, resolve
from licet.messages import usable_answer

History: TypeAlias = tuple[Entry, ...]


class Call(NamedTuple):
    """A check that was run, and what came of it: its atoms' values, or why it failed."""

    check: str
    result: Resolved | Failed


def calls(
    commitment: Commitment, budget: Number, completion: bool, history: Iterable[Entry]
) -> Iterator[Call]:
    """Yield the calls of a review, in order.

    Args:
        commitment: the committed program.
        budget: the budget that the review had.
        completion: its completion setting.
        history: its history from the start.

    Raises:
        InvalidInput: the budget is none.
        InvariantViolation: the history is not one of such a review.
    """
    episode = begin(commitment, budget, completion)
    for entry in history:
        if isinstance(entry.event, Resolved | Failed):
            if episode.pending is not None:
                check = commitment.compiled.registered[episode.pending]
                yield Call(check.identifier, usable_answer(check, entry.event))
            episode = resolve(episode, entry.event).episode
        else:
            episode = request(episode, entry.event).episode


def failed_calls(outcome: Outcome, completion: bool, history: History) -> tuple[Call, ...]:
    """Return the calls that failed in a review that is over, in order.

    Args:
        outcome: the review's outcome.
        completion: its completion setting.
        history: its whole history.
    """
    answered = {record.check for record in outcome.ledger.records}
    made = sum(isinstance(entry.event, Resolved | Failed) for entry in history)
    if made == len(answered):
        # Every check answers at most once; then none failed, and nothing needs to be replayed.
        return ()
    found = calls(outcome.commitment, outcome.budget, completion, history)
    return tuple(call for call in found if isinstance(call.result, Failed))
