"""Times the closure under constraints and the decision on it, beside SAT solvers."""

from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Final

from benchmarks.processes import interpreters
from benchmarks.report import Json, Result, Table
from benchmarks.timing import Reading, Spread, spread

from .measure import (
    CARRIED,
    CHOICE,
    DECISION,
    SCRATCH,
    Setup,
    compare_closures,
    time_both,
    time_licet,
)
from .peers import PEERS, installed
from .programs import ATOMS, CLAUSES, KINDS, SHAPES

OFF, ON = "contracts off", "contracts on"
BAR_MICROSECONDS: Final = 1000
MISSING: Final = "not installed"

_LICET: Final = (
    f"{SCRATCH}, {OFF}",
    f"{CARRIED}, {OFF}",
    f"{CARRIED}, {ON}",
    f"{CHOICE}, {OFF}",
    f"{DECISION}, {OFF}",
    f"{DECISION}, {ON}",
)
_ROWS: Final = (*_LICET, *PEERS)

_NOTES: Final = (
    f"Each of 5 generated programs has 3 conclusions, 20 routes, {ATOMS} atoms and {CLAUSES}"
    " clauses that an assignment drawn beforehand satisfies; a literal of a clause is positive or"
    " negative as often. On each the empty ledger, and 6 ledgers of each other kind: checks of 1 to"
    " 4 atoms answer in random order, as it is in one of the assignments that satisfy all clauses,"
    " until so many atoms are known.",
    "*From the ledger alone* nothing is known but clauses and ledger. *In a review* commitment and"
    " the closure before the last check left assignments that satisfy the clauses; those that agree"
    " with the ledger save searching. *Closure, Auth and target* is what a step of a review"
    " decides: what may be reported now, and which stronger conclusion is still reachable, by"
    " which route.",
    "The solvers compute the same closure; on every ledger it was compared with licet's before"
    " anything was timed: the same. pycryptosat is asked for an assignment and then, literal by"
    " literal, for one without a literal that all assignments so far share; z3 lists the"
    " consequences of its assumptions itself. Both hold the clauses from the start and keep what"
    " they learn, also from the same question asked before within a batch; licet begins anew"
    " each time. python-sat is not among them: it has had development releases only (1.9.dev24).",
    "Solvers are made for formulas many times larger and harder. There they decide what licet's"
    " search does not: it reaches its limit, and nothing is authorized (decision 0013).",
    "Each reading is the mean over a batch of about 2 milliseconds without garbage collection, in"
    " processor time of all threads, which other work on the machine changes least. A ledger's time"
    " is the median over the rounds; *median* and *worst ledger* are over these.",
)


def closure(rounds: int = 9, programs: int = 5, ledgers: int = 6) -> Result:
    """Time closures and decisions and return the figures.

    Args:
        rounds: how often every ledger is timed.
        programs: how many of each shape of clauses.
        ledgers: how many of each kind for each program; of the empty one, one.
    """
    setups = {shape: Setup(shape, programs, ledgers) for shape in SHAPES}
    counts, readings = _measure(setups, rounds)
    spreads = {shape: _spreads(found) for shape, found in readings.items()}
    worst = {
        kind: max(spreads[shape][kind][f"{DECISION}, {OFF}"].worst_ledger for shape in SHAPES)
        for kind in KINDS
    }
    return Result(
        name="closure",
        title=f"Closure, Auth and target on {ATOMS} atoms with {CLAUSES} clauses",
        settings={
            "rounds": rounds,
            "programs": programs,
            **{peer: version(peer) if peer in installed() else MISSING for peer in PEERS},
        },
        figures={
            "bar": {
                "microseconds": BAR_MICROSECONDS,
                "worst_ledger_contracts_off": worst,
                "met": {kind: most <= BAR_MICROSECONDS for kind, most in worst.items()},
            },
            "ledgers_compared_with_the_solvers": counts,
            "solver_over_licet": {shape: _ratios(spreads[shape]) for shape in SHAPES},
            "microseconds": {shape: _plain(spreads[shape]) for shape in SHAPES},
        },
        tables=tuple(
            table
            for shape in SHAPES
            for table in (_times(shape, spreads[shape]), _compared(shape, spreads[shape]))
        ),
        notes=(_verdict(worst), *_NOTES),
    )


def _measure(
    setups: Mapping[str, Setup], rounds: int
) -> tuple[dict[str, dict[str, int]], dict[str, list[Reading]]]:
    readings: dict[str, list[Reading]] = {shape: [] for shape in setups}
    with interpreters(1, contracts=False) as off, interpreters(1, contracts=True) as on:
        counts = {
            shape: dict(off.submit(compare_closures, setup).result())
            for shape, setup in setups.items()
        }
        for _ in range(rounds):
            for shape, setup in setups.items():
                readings[shape] += off.submit(time_both, setup).result()
                readings[shape] += on.submit(time_licet, setup).result()
    return counts, readings


def _spreads(readings: list[Reading]) -> dict[str, dict[str, Spread]]:
    """Return, for each kind of ledger and each series that was timed, its spread."""
    timed = [name for name in _ROWS if any(reading.series == name for reading in readings)]
    return {
        kind: {
            name: spread(r for r in readings if (r.kind, r.series) == (kind, name))
            for name in timed
        }
        for kind in KINDS
    }


def _ratios(spreads: Mapping[str, Mapping[str, Spread]]) -> dict[str, Json]:
    """Return by what factor a solver's median exceeds licet's; below 1 the solver is faster."""
    return {
        kind: {
            f"{peer} / {ours}": round(series[peer].median / series[ours].median, 2)
            for peer in installed()
            for ours in _LICET[:3]
        }
        for kind, series in spreads.items()
    }


def _plain(spreads: Mapping[str, Mapping[str, Spread]]) -> dict[str, Json]:
    return {
        kind: {name: asdict(each) for name, each in series.items()}
        for kind, series in spreads.items()
    }


def _times(shape: str, spreads: Mapping[str, Mapping[str, Spread]]) -> Table:
    return Table(
        f"Clauses of {shape}: microseconds, median and worst ledger",
        ("what", *KINDS),
        tuple((name, *(_cell(series.get(name)) for series in spreads.values())) for name in _ROWS),
    )


def _cell(found: Spread | None) -> str:
    return f"{found.median:.0f}, {found.worst_ledger:.0f}" if found else MISSING


def _compared(shape: str, spreads: Mapping[str, Mapping[str, Spread]]) -> Table:
    ratios = [(f"{peer} / {ours}", peer, ours) for peer in installed() for ours in _LICET[:3]]
    return Table(
        f"Clauses of {shape}: how many times licet's median a solver's is",
        ("solver / licet", *KINDS),
        tuple(
            (
                name,
                *(f"{each[peer].median / each[ours].median:.2f}" for each in spreads.values()),
            )
            for name, peer, ours in ratios
        ),
    )


def _verdict(worst: Mapping[str, float]) -> str:
    said = "; ".join(
        f"{kind}: {most:.0f}, {'met' if most <= BAR_MICROSECONDS else 'not met'}"
        for kind, most in worst.items()
    )
    return (
        f"Closure, Auth and target together are to take less than {BAR_MICROSECONDS} microseconds"
        f" in a review, contracts off. The worst ledger of each kind takes, {said}."
    )
