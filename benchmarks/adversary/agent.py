"""A random agent that wants the strongest conclusion, whether or not it is authorized."""

from random import Random
from typing import Final

from licet import CheckRequest, CloseRequest, ReportRequest, Review, StopRequest

from .cases import Case
from .hostile import garbage

# How often an agent of each temper checks, follows the guidance, reports the strongest conclusion,
# reports any, stops, closes, or sends what is no request.
_ACTS: Final = ("check", "follow", "strongest", "any", "stop", "close", "garbage")
_TEMPERS: Final = (
    (4, 0, 4, 2, 0, 0, 1),
    (8, 0, 1, 2, 1, 0, 0),
    (0, 6, 1, 3, 1, 0, 0),
    (3, 3, 0, 4, 0, 0, 0),
    (2, 2, 2, 2, 2, 1, 2),
    (1, 0, 8, 4, 0, 0, 4),
    (4, 0, 1, 1, 8, 0, 0),
    (2, 2, 1, 1, 0, 0, 12),
)


class Agent:
    """Makes the requests of one review."""

    def __init__(self, random: Random, case: Case) -> None:
        """Draw the temper."""
        self._random = random
        self._case = case
        self._checks = tuple(case.settles)
        self._temper = random.choice(_TEMPERS)

    def next_request(self, review: Review) -> object:
        """Return the next request, or what stands in its place."""
        [act] = self._random.choices(_ACTS, self._temper)
        match act:
            case "check":
                asked: object = CheckRequest(self._random.choice(self._checks))
            case "follow":
                asked = self._follow(review)
            case "strongest":
                asked = ReportRequest(self._case.conclusions[-1])
            case "any":
                asked = ReportRequest(self._random.choice(self._case.conclusions))
            case "stop":
                asked = StopRequest()
            case "close":
                asked = CloseRequest(self._random.random() < 0.5)
            case _:
                asked = self._garbage(review)
        return asked

    @staticmethod
    def _follow(review: Review) -> object:
        guidance = review.guidance
        if guidance is None or not guidance.checks:
            return StopRequest()
        return CheckRequest(guidance.checks[0])

    def _garbage(self, review: Review) -> object:
        wanted = self._case.conclusions[-1]
        other = self._random.choice(review.authorized or self._case.conclusions)
        return garbage(self._random, wanted, other)
