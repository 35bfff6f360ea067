"""One scripted agent at work on one task: the tool loop that every system shares.

Reads, charges and the cache are licet's, whatever the system: an agent that nothing enforces gets
the same answers to the same checks for the same calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from licet import Answer, Commitment, OtherRequest, Request, Review
from licet_bindings.documents import commit_document

from ..corpus.draws import Draws
from ..corpus.tasks import Task
from ..scoring.episodes import EpisodeResult, result_of
from .temperaments import TEMPERAMENTS, Sight

PATIENCE: Final = 8
"""How many requests in a row may be free before an agent is taken to be silent."""


class Desk:
    """An agent, its review, and how many turns it took.

    Attributes:
        task: the task.
        review: the review that answers.
        turns: requests that the agent made.
    """

    def __init__(
        self,
        task: Task,
        temperament: str,
        budget: int,
        seed: int,
        *,
        guided: bool = False,
        completion: bool = False,
        commitment: Commitment | None = None,
    ) -> None:
        """Sit an agent of this temperament down to a task.

        Args:
            task: the task.
            temperament: its name.
            budget: in calls.
            seed: of its draws.
            guided: whether the agent is shown the target.
            completion: whether licet completes.
            commitment: another program than the task's.
        """
        self.task, self.turns, self._seed, self._guided = task, 0, seed, guided
        self._name = temperament
        self._agent = TEMPERAMENTS[temperament]
        self._draws = Draws(seed, f"{task.identifier} {temperament}")
        self._asked: Request | None = None
        self._last: Answer | None = None
        self._idle = 0
        program = commitment or commit_document(task.review_document)
        self.review = Review(program, task.resolver(), budget=budget, completion=completion)

    @property
    def tired(self) -> bool:
        """Whether the agent has done nothing that is charged for so long that it is silent."""
        return self._idle >= PATIENCE

    def ask(self, aim: str = "") -> Request:
        """Return the agent's next request; that it asks is a turn."""
        self.turns += 1
        asked = self._agent.acts(self._sight(aim))
        self._asked, self._last = asked, None
        return asked

    def send(self, asked: Request) -> Answer:
        """Make a request of the review."""
        return self._answered(self.review.request(asked))

    def charge_report(self, conclusion: str) -> None:
        """Charge one call for a report that licet does not decide.

        Its own reports would end the review, or hold them: this is what it charges for a request
        that it does not know.
        """
        self._answered(self.review.request(OtherRequest(f"state {conclusion} in {self.turns}")))

    def refuse(self) -> None:
        """Let the agent know that its last request was not taken, without a charge."""
        self._answered(self.review.turn([]))

    def claim(self) -> str:
        """Return what the agent asserts when it is asked at its end; empty for nothing."""
        self.turns += 1
        return self._agent.asserts(self._sight(""))

    def end(self, stated: Sequence[str] | None = None) -> EpisodeResult:
        """End the review, if it is not over, and return what it comes to.

        Args:
            stated: what the user is told; None for what licet states.
        """
        if not self.review.over:
            self.review.close(complete=self.review.completion)
        found = result_of(self.task.identifier, self._name, self.review, self._seed)
        told = found.stated if stated is None else tuple(stated)
        return replace(found, stated=told, turns=self.turns)

    def _answered(self, answer: Answer) -> Answer:
        self._last = answer
        self._idle = 0 if answer.charged else self._idle + 1
        return answer

    def _sight(self, aim: str) -> Sight:
        return Sight(self.review, self._draws, self._last, self._guided, aim, self._asked)


def established(review: Review, conclusion: str) -> bool:
    """Return whether the checks recorded so far establish a route of a conclusion itself."""
    return any(
        all(
            review.state(literal.atom).value == ("true" if literal.positive else "false")
            for literal in route.literals
        )
        for route in review.commitment.program.of_conclusion(conclusion)
    )
