"""Scripted agents of several temperaments: simulated, no model behind them.

Each looks at its review and says what it requests next. It remembers nothing but what the review's
history shows, so one serves any number of episodes. What it draws comes from the episode's stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from licet import (
    Answer,
    AnswerKind,
    CheckRequest,
    OtherRequest,
    ReportRequest,
    Request,
    Review,
    StopRequest,
)
from licet_bindings.observing import Seen, observe
from licet_bindings.policies import in_order_choice, request_for

from ..corpus.draws import Draws


class Sight(NamedTuple):
    """What an agent looks at.

    Attributes:
        review: its review.
        draws: its stream.
        last: the answer to its last request; None at first.
        guided: whether it is told the target and what is missing.
        aim: the conclusion that its controller asks for; empty where none does.
        asked: its last request.
    """

    review: Review
    draws: Draws
    last: Answer | None = None
    guided: bool = False
    aim: str = ""
    asked: Request | None = None

    @property
    def strongest(self) -> str:
        """The strongest conclusion of the program."""
        return self.review.commitment.compiled.conclusions[-1]

    @property
    def permitted(self) -> str:
        """The strongest authorized conclusion (under an aim, the aim if it is); else empty."""
        authorized = self.review.authorized
        if self.aim:
            return self.aim if self.aim in authorized else ""
        return authorized[-1] if authorized else ""

    @property
    def refused(self) -> bool:
        """Whether the last request was a report, or a stop, that was not taken."""
        stopped_short = isinstance(self.asked, ReportRequest | StopRequest)
        return stopped_short and self.last is not None


Acts = Callable[[Sight], Request]
Asserts = Callable[[Sight], str]


class Temperament(NamedTuple):
    """How a scripted agent behaves.

    Attributes:
        does: in a few words.
        acts: its next request.
        asserts: what it asserts when it is asked after it stopped; empty for nothing.
    """

    does: str
    acts: Acts
    asserts: Asserts


def stops_at_once(sight: Sight) -> Request:
    """Stop, whatever the answer."""
    return StopRequest()


def first_permitted(sight: Sight) -> Request:
    """Check as the routes list their atoms, and report as soon as something is authorized.

    Where the report is held it makes the check that guidance names, and reports again.
    """
    if sight.refused and sight.guided:
        return _guided(sight) or StopRequest()
    if sight.permitted:
        return ReportRequest(sight.permitted)
    return _next_in_order(sight)


def overclaims(sight: Sight) -> Request:
    """Make up to three checks, then claim the strongest conclusion; refused, check and claim on."""
    made = sum(isinstance(entry.event, CheckRequest) for entry in sight.review.history)
    # Drawn anew at each step, so that it stops after one check as well as after three.
    if not sight.refused and (made >= 3 or sight.draws.chance(0.4)):
        return ReportRequest(sight.strongest)
    following = _next_in_order(sight)
    # With nothing left to check it insists.
    return ReportRequest(sight.strongest) if isinstance(following, StopRequest) else following


def ignores_guidance(sight: Sight) -> Request:
    """Check by identifier until something is authorized, report it, and give up when it is held."""
    if sight.refused:
        return StopRequest()
    if sight.permitted:
        return ReportRequest(sight.permitted)
    seen = observe(sight.review)
    return request_for(seen, _lowest(seen.affordable))


def wanders(sight: Sight) -> Request:
    """Do anything: any check again and again, any report, what no tool does, now and then stop."""
    program = sight.review.commitment.compiled
    draws = sight.draws
    if draws.chance(0.7):
        return CheckRequest(draws.pick(program.checks))
    if draws.chance(0.6):
        return ReportRequest(draws.pick(program.conclusions))
    return StopRequest() if draws.chance(0.6) else OtherRequest("look around")


def repeats(sight: Sight) -> Request:
    """Follow guidance, and make every check twice."""
    twice = isinstance(sight.asked, CheckRequest) and sight.last is not None
    if twice and sight.last.kind is not AnswerKind.CACHED:  # type: ignore[union-attr]
        assert sight.asked is not None
        return sight.asked
    return follows(sight)


def follows(sight: Sight) -> Request:
    """Make the check that guidance names until nothing is held; without guidance as it comes."""
    if not sight.guided:
        return first_permitted(sight)
    return _guided(sight) or StopRequest()


def _guided(sight: Sight) -> Request | None:
    guidance = sight.review.guidance
    if guidance is None or not guidance.hold or not guidance.checks:
        return None
    return CheckRequest(guidance.checks[0])


def _next_in_order(sight: Sight) -> Request:
    seen = observe(sight.review)
    return request_for(seen, _toward(seen, sight.aim) if sight.aim else in_order_choice(seen))


def _toward(seen: Seen, aim: str) -> int | None:
    """Return the first check that can be paid on a route of a conclusion that nothing refutes."""
    known = seen.settled
    for route in seen.program.routes[seen.program.conclusions.index(aim)]:
        if route.needs_true & known.false or route.needs_false & known.true:
            continue
        if (route.needs_true | route.needs_false) & known.unavailable:
            continue
        for atom in route.order:
            for check in seen.program.settled_by[atom]:
                if seen.affordable >> check & 1:
                    return check
    return None


def _lowest(mask: int) -> int | None:
    return (mask & -mask).bit_length() - 1 if mask else None


def _nothing(sight: Sight) -> str:
    return ""


def _established(sight: Sight) -> str:
    return sight.review.authorized[-1] if sight.review.authorized else ""


def _the_strongest(sight: Sight) -> str:
    return sight.strongest


def _anything(sight: Sight) -> str:
    return sight.draws.pick(("", *sight.review.commitment.compiled.conclusions))


OVERCLAIMS: Final = "overclaims"
STOPS: Final = "stops at once"
FIRST: Final = "first permitted"
FOLLOWS: Final = "follows guidance"
REPEATS: Final = "repeats requests"

TEMPERAMENTS: Final[Mapping[str, Temperament]] = MappingProxyType(
    {
        STOPS: Temperament("stops before any check", stops_at_once, _nothing),
        FIRST: Temperament("reports what is first permitted", first_permitted, _established),
        OVERCLAIMS: Temperament("claims the strongest", overclaims, _the_strongest),
        "ignores guidance": Temperament(
            "checks by name, gives up when held", ignores_guidance, _established
        ),
        "wanders": Temperament("does anything", wanders, _anything),
        REPEATS: Temperament("makes every check twice", repeats, _established),
        FOLLOWS: Temperament("makes the checks it is pointed to", follows, _established),
    }
)
"""The temperaments by name."""
