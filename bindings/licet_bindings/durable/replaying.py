"""Replays a review from what a ledger has of it: each answer has to be the one that follows."""

from __future__ import annotations

from licet import (
    Answer,
    Check,
    Entry,
    Event,
    Failed,
    InvalidInput,
    Judged,
    Outcome,
    Read,
    Resolved,
)
from licet.compiled import calls_of
from licet.episode import outcome_of, request, resolve
from licet.messages import usable_answer
from licet.state import Episode, Transition, pending_check
from licet_bindings.durable.audited import ReviewStep
from licet_bindings.durable.entries import LedgerEntry
from licet_bindings.errors import shown


class DoesNotFollow(Exception):
    """What was written is not what follows from what was written before; says why."""


class ReviewReplay:
    """A review that is replayed entry by entry.

    Attributes:
        steps: the entries so far.
    """

    def __init__(self, episode: Episode) -> None:
        """Begin with the review's first state."""
        self._episode = episode
        self._was_running = False
        self.steps: list[ReviewStep] = []

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that follows; None while the review is open."""
        return outcome_of(self._episode) if self._episode.over else None

    @property
    def history(self) -> tuple[Entry, ...]:
        """The history so far."""
        return tuple(step.recorded for step in self.steps)

    @property
    def is_waiting(self) -> bool:
        """Whether a call is running."""
        return self._episode.waiting

    def resume(self) -> None:
        """Take it that somebody goes on here; a call that was running then is a failed one."""
        self._was_running = self._episode.waiting

    def take(self, written: LedgerEntry, recorded: Entry) -> None:
        """Take an event, with the answer that was written.

        Raises:
            DoesNotFollow: the event cannot come here, or another answer follows.
        """
        before, event = self._episode, recorded.event
        if self._was_running and not isinstance(event, Failed):
            raise DoesNotFollow("the call that was cut off has failed, and this says otherwise")
        self._was_running = False
        taken = _taken(before, event)
        # But for the reason, which is for people.
        if taken.answer._replace(reason="") != recorded.answer._replace(reason=""):
            raise DoesNotFollow(_difference(recorded.answer, taken.answer))
        check = None if before.pending is None else pending_check(before)
        self.steps.append(
            ReviewStep(
                written,
                recorded,
                taken.answer,
                check,
                _result(check, recorded),
                before.over,
                calls_of(taken.episode.commitment.compiled, taken.episode.spent),
            )
        )
        self._episode = taken.episode


def _taken(episode: Episode, event: Event) -> Transition:
    try:
        if isinstance(event, Resolved | Read | Judged | Failed):
            if not episode.waiting:
                raise DoesNotFollow("expected a request, found a resolver's answer")
            return resolve(episode, event)
        if episode.waiting:
            raise DoesNotFollow("expected a resolver's answer, found a request")
        return request(episode, event)
    except InvalidInput as fault:
        raise DoesNotFollow(str(fault)) from None


def _result(check: Check | None, recorded: Entry) -> Resolved | Read | Failed | None:
    event = recorded.event
    if check is None or not isinstance(event, Resolved | Read | Judged | Failed):
        return None
    return usable_answer(check, event)


def _difference(written: Answer, follows: Answer) -> str:
    """Return in which field an answer is not the one that follows, and both."""
    for name in ("kind", "subject", "charged", "values", "text"):
        found, expected = getattr(written, name), getattr(follows, name)
        if found != expected:
            return f"the answer's {name} is {_plain(expected)}, and {_plain(found)} was written"
    return "another answer follows"


def _plain(value: object) -> str:
    return shown(getattr(value, "value", str(value)))
