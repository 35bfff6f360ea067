"""The goals for planning, and how far this run reached them: ratios of times of one run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..report import Json, Table
from . import latency, reviewing, scaling
from .contenders import COPY, LICET, NAIVE, STORM
from .models import GateCase
from .units import bytes_of, ratio, seconds_of
from .worker import Timed

MET, MISSED, NOT_MEASURED = "met", "missed", "not measured"


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal.

    Attributes:
        what: what is compared.
        reached: the figure, None where something that it needs was not measured.
        bound: what it is to reach.
        least: whether it is to be at least the bound; else at most.
        unit: of both: `x` (a ratio), `s` or `bytes`.
        why: why it was not measured.
    """

    what: str
    reached: float | None
    bound: float
    least: bool
    unit: str = "x"
    why: str = ""

    @property
    def verdict(self) -> str:
        """Whether it is met, missed, or not measured and why."""
        if self.reached is None:
            return f"{NOT_MEASURED}: {self.why}" if self.why else NOT_MEASURED
        met = self.reached >= self.bound if self.least else self.reached <= self.bound
        return MET if met else MISSED

    @property
    def share(self) -> float | None:
        """How many times better than the bound; above 1 is met."""
        if self.reached is None or self.reached <= 0:
            return None
        return self.reached / self.bound if self.least else self.bound / self.reached

    def shown(self, figure: float | None) -> str:
        """Return a figure in the goal's unit."""
        if figure is None:
            return ""
        units = {"x": ratio, "s": seconds_of, "bytes": bytes_of}
        return units[self.unit](figure)


Gates = Mapping[str, Sequence[scaling.Measured]]


def goals(
    gates: Gates,
    reviews: Sequence[reviewing.Measured],
    values: Sequence[latency.Answered],
) -> tuple[Goal, ...]:
    """Return every goal with what was reached."""
    # A case may be in several suites; the first has the peers.
    at: dict[GateCase, scaling.Measured] = {}
    for measured in (one for cases in gates.values() for one in cases):
        at.setdefault(measured.case, measured)
    answered = {one.question.name: one for one in values}
    full, few = at.get(GateCase(10)), at.get(GateCase(10, 4))
    twelve, sixteen = at.get(GateCase(12)), at.get(GateCase(16))
    live, large = at.get(GateCase(30, 4)), at.get(GateCase(18))
    ten = next((r for r in reviews if (r.case.atoms, r.case.budget) == (10, None)), None)
    return (
        _slower("against the naive memoized planner, m = 10, full budget", full, NAIVE, 300),
        _slower("the same at budget 4", few, NAIVE, 100),
        _slower("against stormpy, m = 12, building and solving", twelve, STORM, 100),
        _slower("against stormpy, m = 12, its fastest solve alone", twelve, STORM, 15, "solve"),
        *_against_the_copy(sixteen),
        Goal(
            "exact at m = 18, peak memory of the process",
            _of(large, lambda timed: float(timed.peak)),
            3.5e9,
            least=False,
            unit="bytes",
            why=_why(large, LICET),
        ),
        Goal(
            "30 verifiers at budget 4, compiled",
            _of(live, lambda timed: timed.seconds),
            0.05,
            least=False,
            unit="s",
            why=_why(live, LICET),
        ),
        *(
            Goal(
                f"{name}, against numpy on BLAS",
                one.ratio(latency.NUMPY) if one else None,
                8,
                least=True,
            )
            for name in (latency.TWO_STEP, latency.TWO_STEP_SCREENED)
            for one in [answered.get(name)]
        ),
        Goal(
            "review planner against its naive one, m = 10",
            ten.ratio(NAIVE) if ten else None,
            1000,
            least=True,
        ),
    )


def _slower(
    what: str,
    one: scaling.Measured | None,
    contender: str,
    bound: float,
    part: str | None = None,
) -> Goal:
    reached = None if one is None else one.ratio(contender, part)
    return Goal(what, reached, bound, least=True, why=_why(one, contender))


def _against_the_copy(one: scaling.Measured | None) -> tuple[Goal, Goal]:
    slower = None if one is None else one.ratio(COPY)
    reached = None if slower is None else 1 / slower
    what = "exact at m = 16, against one float64 copy of its array"
    why = _why(one, COPY)
    return (
        Goal(what, reached, 12, least=False, why=why),
        Goal(f"{what}, stretch", reached, 5, least=False, why=why),
    )


def _of(one: scaling.Measured | None, figure: Callable[[Timed], float]) -> float | None:
    """Return a figure of licet's time on a case, if it was measured."""
    if one is None or one.timed[LICET].missing:
        return None
    return figure(one.timed[LICET])


def _why(one: scaling.Measured | None, contender: str) -> str:
    timed: Timed | None = None if one is None else one.timed.get(contender)
    return "" if timed is None or not timed.missing else f"{contender} {timed.missing}"


def table(found: Sequence[Goal]) -> Table:
    """Return goal, reached, and whether it is met."""
    return Table(
        "Goals",
        ("what", "goal", "reached", "verdict"),
        tuple(
            (
                goal.what,
                f"{'at least' if goal.least else 'at most'} {goal.shown(goal.bound)}",
                goal.shown(goal.reached),
                goal.verdict,
            )
            for goal in found
        ),
    )


def figures(found: Sequence[Goal]) -> list[Json]:
    """Return the same for programs."""
    return [
        {
            "what": goal.what,
            "goal": goal.bound,
            "at_least": goal.least,
            "unit": goal.unit,
            "reached": goal.reached,
            "verdict": goal.verdict,
        }
        for goal in found
    ]
