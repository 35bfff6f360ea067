"""Times the decision, contracts off, contracts on and Cedar's in turn, and says what it means."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Final

from benchmarks.processes import interpreters
from benchmarks.report import Json, Result, Table
from benchmarks.timing import Reading, Spread, spread

from .measure import Setup, compare_verdicts, time_both, time_licet
from .programs import KINDS

BAR_MICROSECONDS: Final = 50
PICTURE: Final = "decision.svg"
SERIES: Final = ("contracts off", "contracts on", "Cedar, one conclusion", "Cedar, all three")
OFF, ON, ONE, ALL = SERIES
ROUTES: Final = (5, 10, 20, 40, 80, 160)
SHARED: Final = Setup()
OVERLAPPING: Final = Setup(overlapping=5)

_NOTES: Final = (
    "A decision is `authorized` and `target` together: what may be reported now, and which"
    " conclusion by which route, at what cost, is the strongest still reachable. 5 generated"
    " programs of 3 conclusions, 20 routes and 40 atoms; on each the empty ledger, 6 ledgers"
    " with half of the atoms known and 6 with 36 or more. Shared: every call settles 1 to 4"
    " atoms, no atom is in two. Overlapping: 5 calls more, of 2 to 4 atoms each, so that the"
    " estimated cost is a set cover.",
    "Each reading is the mean over a batch of about 2 milliseconds without garbage collection."
    " In every round all ledgers are timed once in each interpreter, contracts off, then"
    " contracts on, and Cedar beside licet on the same ledger. A ledger's time is the median"
    " over the rounds; *median* and *worst ledger* are over these, *least* and *greatest* over"
    " all batches.",
    "Cedar has the same routes as `permit` policies over attributes of the context, an atom"
    " that is not established being an attribute that is not there, and gets what it takes in"
    " the fastest of its public forms: policies and entities parsed beforehand, the request as"
    " structured names, the context as ready JSON. Its verdict was compared with licet's on"
    " every ledger before anything was timed: the same. *One conclusion* is the least question"
    " that it can be asked; *all three* is one batch with the answer that licet's decision"
    " gives.",
    "What the two do differs. Cedar's decision leaves out the target: which stronger conclusion"
    " is still reachable within the budget, by which checks and at what cost; it has no budget,"
    " no call classes and no state for conflicting or unavailable evidence. It is a general"
    " policy language, and its time includes reading the context, crossing from Python to Rust"
    " and writing its reasons; licet reads a ledger that the review keeps as bit masks.",
)


def decision(rounds: int = 15, setup: Setup = SHARED, routes: tuple[int, ...] = ROUTES) -> Result:
    """Time decisions and return the figures.

    Args:
        rounds: how often every ledger is timed.
        setup: how many programs and ledgers; their number of routes is 20 and, by `routes`, others.
        routes: the numbers of routes of the scaling part.
    """
    setups = {
        "shared": setup,
        "overlapping": replace(setup, overlapping=OVERLAPPING.overlapping),
        **{f"{count} routes": replace(setup, routes=count) for count in routes},
    }
    verdicts, readings = _measure(setups, rounds)
    spreads = {name: _spreads(found) for name, found in readings.items()}
    by_routes = {count: spreads[f"{count} routes"]["half known"] for count in routes}
    worst = max(spread[OFF].worst_ledger for spread in spreads["shared"].values())
    return Result(
        name="decision",
        picture=PICTURE,
        title="One authorization plus target decision",
        settings={"rounds": rounds, "programs": setup.programs, "cedarpy": version("cedarpy")},
        figures={
            "bar": {
                "microseconds": BAR_MICROSECONDS,
                "worst_ledger_contracts_off": worst,
                "met": worst <= BAR_MICROSECONDS,
            },
            "verdicts_compared_with_cedar": verdicts,
            "licet_is_faster_by": _ratios(spreads["shared"]),
            "shared": _plain(spreads["shared"]),
            "overlapping": _plain(spreads["overlapping"]),
            "half_known_by_number_of_routes": _plain(
                {str(count): spread for count, spread in by_routes.items()}
            ),
        },
        tables=(
            _main_table("Shared call classes, microseconds", spreads["shared"]),
            _main_table("Overlapping call classes, microseconds", spreads["overlapping"]),
            _spread_table(spreads["shared"]),
            _routes_table(by_routes),
        ),
        notes=(_verdict(worst, spreads["shared"]), *_NOTES),
    )


def _measure(
    setups: Mapping[str, Setup], rounds: int
) -> tuple[dict[str, int], dict[str, list[Reading]]]:
    readings: dict[str, list[Reading]] = {name: [] for name in setups}
    with (
        interpreters(1, contracts=False) as off,
        interpreters(1, contracts=True) as on,
    ):
        compared = [off.submit(compare_verdicts, setup).result() for setup in setups.values()]
        for _ in range(rounds):
            for name, setup in setups.items():
                readings[name] += off.submit(time_both, setup).result()
                readings[name] += on.submit(time_licet, setup).result()
    verdicts = {
        name: sum(counts[name] for counts in compared)
        for name in sorted({name for counts in compared for name in counts})
    }
    return verdicts, readings


def _spreads(readings: Iterable[Reading]) -> dict[str, dict[str, Spread]]:
    """Return, for each kind of ledger and each series, the spread of its readings."""
    readings = list(readings)
    return {
        kind: {
            series: spread([r for r in readings if (r.kind, r.series) == (kind, series)])
            for series in SERIES
        }
        for kind in KINDS
    }


def _ratios(spreads: Mapping[str, Mapping[str, Spread]]) -> dict[str, Json]:
    """Return by what factor Cedar's median exceeds licet's, for each kind of ledger."""
    return {
        kind: {
            f"{theirs}, {ours}": round(series[theirs].median / series[ours].median, 1)
            for theirs in (ONE, ALL)
            for ours in (OFF, ON)
        }
        for kind, series in spreads.items()
    }


def _plain(spreads: Mapping[str, Mapping[str, Spread]]) -> dict[str, Json]:
    return {
        name: {series: asdict(spread) for series, spread in by_series.items()}
        for name, by_series in spreads.items()
    }


def _verdict(worst: float, spreads: Mapping[str, Mapping[str, Spread]]) -> str:
    factors = {
        ours: [series[ONE].median / series[ours].median for series in spreads.values()]
        for ours in (OFF, ON)
    }
    (off, most_off), (on, most_on) = [(min(found), max(found)) for found in factors.values()]
    return (
        f"With contracts off the worst ledger takes {worst:.1f} microseconds; the bar is"
        f" {BAR_MICROSECONDS}: {'met' if worst <= BAR_MICROSECONDS else 'not met'}. Cedar's answer"
        f" about one conclusion takes {off:.1f} to {most_off:.1f} times as long as licet's whole"
        f" decision with contracts off, {on:.1f} to {most_on:.1f} times with contracts on (medians,"
        " by kind of ledger)."
    )


def _main_table(title: str, spreads: Mapping[str, Mapping[str, Spread]]) -> Table:
    header = ("ledger", *(f"licet, {s}" if s in (OFF, ON) else s for s in SERIES))
    rows = [
        (f"{kind}, {label}", *(f"{getattr(series[name], attribute):.1f}" for name in SERIES))
        for kind, series in spreads.items()
        for label, attribute in (("median", "median"), ("worst ledger", "worst_ledger"))
    ]
    return Table(title, header, tuple(rows))


def _spread_table(spreads: Mapping[str, Mapping[str, Spread]]) -> Table:
    return Table(
        "Spread with shared call classes, microseconds",
        ("ledger and series", "least", "median", "worst ledger", "greatest"),
        tuple(
            (
                f"{kind}: {name}",
                f"{spread.least:.1f}",
                f"{spread.median:.1f}",
                f"{spread.worst_ledger:.1f}",
                f"{spread.greatest:.1f}",
            )
            for kind, series in spreads.items()
            for name, spread in series.items()
        ),
    )


def _routes_table(by_routes: Mapping[int, Mapping[str, Spread]]) -> Table:
    return Table(
        "By the number of routes, half of the atoms known: median microseconds",
        ("routes", *SERIES),
        tuple(
            (str(count), *(f"{series[name].median:.1f}" for name in SERIES))
            for count, series in by_routes.items()
        ),
    )
