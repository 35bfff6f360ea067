"""What happened in a review, in order: from it the review replays, and goes on where it was cut."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from icontract import ensure

from .commitment import Commitment
from .episode import begin, outcome_of, request, resolve
from .errors import InvalidInput
from .messages import Answer, Event, Failed, Judged, Read, Resolved, described
from .outcome import Outcome
from .rationals import Number
from .state import Episode, Transition


class Entry(NamedTuple):
    """One line of a review's history: an event, and the kernel's answer to it."""

    event: Event
    answer: Answer


class Journal(Protocol):
    """Where a review is written down while it runs, before it answers.

    What either call raises goes through to whoever asked the review.
    """

    def record(self, position: int, entry: Entry) -> None:
        """Write the entry of this position, 0 the first; return when it cannot be lost."""

    def conclude(self, outcome: Outcome, history: Sequence[Entry]) -> None:
        """Write the outcome; called after the last entry, and again for a review that was over."""


@ensure(lambda episode, result: result.commitment is episode.commitment)
def resumed(episode: Episode, entries: Iterable[Entry]) -> Episode:
    """Return the state that a history leads to.

    Args:
        episode: the first state.
        entries: what a journal wrote, from the first.

    Raises:
        InvalidInput: the entries do not fit each other, or an answer is not the one that follows.
    """
    for position, entry in enumerate(entries):
        if type(entry) is not Entry:
            problem = f"expected an entry, found {described(entry)}"
            raise InvalidInput(f"history.{position}", problem)
        taken = _taken(episode, entry.event, position)
        # But for the reason, which is for people.
        if taken.answer._replace(reason="") != entry.answer._replace(reason=""):
            raise InvalidInput(f"history.{position}", "another answer follows from what was before")
        episode = taken.episode
    return episode


@ensure(lambda commitment, result: result.commitment is commitment)
def replay(
    commitment: Commitment,
    budget: Number,
    completion: bool,
    events: Iterable[Event | Entry],
    verified: bool = False,
) -> Outcome:
    """Return the outcome that a review's recorded events lead to, without any resolver.

    Args:
        commitment: the committed program.
        budget: the budget that the review had.
        completion: its completion setting.
        events: its history, or the events of it, in order.
        verified: whether it had a second judge.

    Raises:
        InvalidInput: the events do not fit each other, or do not end the review.
    """
    episode = begin(commitment, budget, completion, verified)
    for position, recorded in enumerate(events):
        event = recorded.event if isinstance(recorded, Entry) else recorded
        episode = _taken(episode, event, position).episode
    if not episode.over:
        raise InvalidInput("history", "expected events that end the review")
    return outcome_of(episode)


def _taken(episode: Episode, event: Event, position: int) -> Transition:
    place = f"history.{position}"
    if isinstance(event, Resolved | Read | Judged | Failed):
        if not episode.waiting:
            raise InvalidInput(place, "expected a request, found a resolver's answer")
        return resolve(episode, event)
    if episode.waiting:
        raise InvalidInput(place, "expected a resolver's answer, found a request")
    return request(episode, event)
