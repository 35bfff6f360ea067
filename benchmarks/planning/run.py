"""Measures exact planning and decisions beside their peers, and says what was found."""

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from ..report import Json, Result, Table
from . import compiling, goals, latency, reviewing, scaling
from .worker import SECONDS, Timed, compiled_code

PICTURES: Final = ("planning.svg", "planning_goals.svg")
_PACKAGES: Final = ("numba", "numpy", "stormpy", "pyagrum")

_NOTES: Final = (
    "A gate model has 8 premises, each on a claim of its own with an error of up to 0.35, kappa 2,"
    " lambda 0.03, and m verifiers of cost 1, of which 20 to 60 percent cover two or three claims."
    " A review program has 3 conclusions and 24 routes over m atoms, each with a prior and a check"
    " of its own. All are drawn from a seed, as ordinary `licet` objects.",
    "Every contender runs in a process of its own, without contracts (`python -O`), and solves the"
    " same model; they take turns, round by round, and a time is the median over at least 3 rounds;"
    " in a round, whoever is done sooner than in 50 ms runs again, and its median counts."
    " It goes from a model on indices to the value: licet's time includes making its arrays,"
    " stormpy's making the decision process. Imports and compiling are apart, in the table of first"
    " calls. A ratio in brackets says how many times licet's time that is. *Memory* is what the"
    " rounds added to the peak of the process; *peak* has the interpreter and all libraries in it.",
    "Values are compared with licet's in every round: they may be apart by"
    f" {scaling.TOLERANCE:g} of greatest loss + kappa + lambda times the budget (of a"
    " review: of the greatest utility), or the run fails.",
    "*naive memoized*: the recurrence as it is written, with a dictionary and, for the gate, numpy"
    " beliefs; *tuned dictionary*: the same made faster, with no goal of its own. *stormpy*: the"
    " same lattice as a Markov decision process, built from whole arrays; of value iteration,"
    " topological, optimistic and sound value iteration the fastest is kept (policy iteration does"
    " not end on some of these models). *pyAgrum*: an influence diagram solved as a LIMID. *licet"
    " core*: the readable reference in exact rationals. *not run*: the case is too large for it, or"
    " says nothing more.",
)


def planning(*, quick: bool = False, seconds: float | None = None) -> Result:
    """Measure everything and return the figures.

    Args:
        quick: a short run on fewer and smaller cases.
        seconds: how long one case is timed at most, beyond its first three rounds.
    """
    limit = seconds if seconds is not None else 1.0 if quick else SECONDS
    suites = scaling.QUICK if quick else scaling.FULL
    with compiled_code():
        imported = compiling.importing()
        first = compiling.first_calls()
        gates = scaling.measure(suites, limit)
        values = latency.ask(latency.QUICK if quick else latency.VALUES, limit / 2)
        decisions = latency.ask(latency.DECISIONS[:1] if quick else latency.DECISIONS, limit / 2)
        reviews = reviewing.measure(reviewing.QUICK if quick else reviewing.FULL, limit)
        many = reviewing.throughput(limit / 2, 20_000 if quick else reviewing.LEDGERS)
    reached = goals.goals(gates, reviews, values)
    wrong = [
        *scaling.disagreements(gates),
        *latency.disagreements(values),
        *reviewing.disagreements(reviews),
        *reviewing.throughput_disagreements(many),
    ]
    return Result(
        name="planning",
        title="Exact planning: how it scales, and what a decision costs",
        settings={
            "run": "quick" if quick else "full",
            **{package: _version(package) for package in _PACKAGES},
        },
        figures={
            "goals": goals.figures(reached),
            "gate": scaling.figures(gates),
            "values": latency.figures(values),
            "decisions": latency.figures(decisions),
            "review": reviewing.figures(reviews),
            "throughput": _throughput(many),
            "compiling": compiling.figures(first, imported),
            "disagreements": wrong,
        },
        tables=_tables(
            goals.table(reached),
            scaling.tables(suites, gates),
            latency.table("Values of information, on arrays that are ready", values),
            latency.table("Opening a gate and its first decision, budget 4", decisions),
            reviewing.table(reviews),
            reviewing.throughput_table(many),
            compiling.table(first, imported),
        ),
        notes=(summary(reached, wrong), *_NOTES),
        picture=PICTURES[0],
        more_pictures=PICTURES[1:],
        failed=bool(wrong),
    )


def _tables(*parts: Table | Sequence[Table]) -> tuple[Table, ...]:
    return tuple(
        table for part in parts for table in ((part,) if isinstance(part, Table) else part)
    )


def summary(reached: Sequence[goals.Goal], wrong: Sequence[str]) -> str:
    """Return how many goals are met, which are missed, and whether values disagree."""
    met = [goal for goal in reached if goal.verdict == goals.MET]
    missed = [goal.what for goal in reached if goal.verdict == goals.MISSED]
    unknown = len(reached) - len(met) - len(missed)
    words = [f"{len(met)} of {len(reached)} goals are met."]
    if missed:
        words.append(f"Missed: {'; '.join(missed)}.")
    if unknown:
        words.append(f"{unknown} were not measured in this run.")
    if wrong:
        words.append(f"Values disagree: {'; '.join(wrong)}.")
    else:
        words.append("All values that were compared agree.")
    return " ".join(words)


def _throughput(found: Mapping[str, Mapping[str, Timed]]) -> dict[str, Json]:
    return {
        what: {name: t.missing or 1 / t.seconds for name, t in timed.items()}
        for what, timed in found.items()
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
