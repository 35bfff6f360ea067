"""How planning a gate grows with verifiers, budget, uses and premises, beside the peers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..report import Json, Table
from .contenders import AGRUM, COPY, GATE, LICET, NAIVE, REFERENCE, STORM, TUNED
from .models import ABSTAIN, PRICE, GateCase
from .units import bytes_of, each, rate, seconds_of
from .units import ratio as times_of
from .worker import SECONDS, Timed, differences, time_in_turn

TOLERANCE: Final = 1e-12
"""How far values may be apart, in units of greatest loss + kappa + lambda times the budget."""


@dataclass(frozen=True, slots=True)
class Run:
    """A case, and who is timed on it: licet first."""

    case: GateCase
    contenders: tuple[str, ...] = (LICET,)


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases that make one table."""

    name: str
    title: str
    runs: tuple[Run, ...]


_ALL = (LICET, NAIVE, REFERENCE, STORM)
DENSE: Final = Suite(
    "full_budget",
    "Every verifier affordable: 3^m states",
    (
        Run(GateCase(4), _ALL),
        Run(GateCase(6), _ALL),
        Run(GateCase(8), (LICET, NAIVE, TUNED, STORM, COPY)),
        Run(GateCase(10), (LICET, NAIVE, TUNED, STORM, COPY)),
        Run(GateCase(12), (LICET, STORM, COPY)),
        Run(GateCase(14), (LICET, COPY)),
        Run(GateCase(16), (LICET, COPY)),
        Run(GateCase(18)),
    ),
)
REACHABLE: Final = Suite(
    "small_budget",
    "A budget of few checks: only the states that it reaches",
    (
        Run(GateCase(4, 2), (LICET, NAIVE, REFERENCE, STORM, AGRUM)),
        Run(GateCase(4, 3), (LICET, NAIVE, REFERENCE, STORM, AGRUM)),
        Run(GateCase(10, 4), (LICET, NAIVE, TUNED, STORM)),
        Run(GateCase(16, 4), (LICET, NAIVE, TUNED, STORM)),
        Run(GateCase(30, 4), (LICET, STORM)),
        Run(GateCase(30, 6)),
        Run(GateCase(64, 4)),
    ),
)
BUDGETS: Final = Suite(
    "budgets",
    "Growth with the budget, 14 verifiers",
    tuple(Run(GateCase(14, budget)) for budget in (1, 2, 4, 6, 8, 10, 14)),
)
USES: Final = Suite(
    "uses",
    "Growth with the uses of each of 6 verifiers, all affordable",
    tuple(Run(GateCase(6, uses=uses)) for uses in (1, 2, 3, 4)),
)
PREMISES: Final = Suite(
    "premises",
    "Growth with premises, 12 verifiers, all affordable: 2 to the number of premises hidden states",
    tuple(Run(GateCase(12, premises=premises)) for premises in (2, 4, 6, 8, 10, 12)),
)
FULL: Final = (DENSE, REACHABLE, BUDGETS, USES, PREMISES)
QUICK: Final = (
    Suite(DENSE.name, DENSE.title, DENSE.runs[1:4]),
    Suite(REACHABLE.name, REACHABLE.title, (*REACHABLE.runs[:1], *REACHABLE.runs[2:3])),
    Suite(BUDGETS.name, "Growth with the budget, 10 verifiers", (Run(GateCase(10, 2)),)),
    Suite(USES.name, USES.title, USES.runs[:2]),
    Suite(PREMISES.name, PREMISES.title, (Run(GateCase(12, premises=4)),)),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One case, everybody on it, and how far their values are from licet's."""

    case: GateCase
    timed: Mapping[str, Timed]
    apart: Mapping[str, float]

    @property
    def licet(self) -> Timed:
        """The kernel."""
        return self.timed[LICET]

    def ratio(self, contender: str, part: str | None = None) -> float | None:
        """Return by what factor a contender, or one part of its time, is slower than licet."""
        other = self.timed.get(contender)
        if other is None or other.missing or self.licet.missing:
            return None
        seconds = other.seconds if part is None else other.part(part)
        return seconds / self.licet.seconds


def measure(suites: Sequence[Suite], seconds: float = SECONDS) -> dict[str, tuple[Measured, ...]]:
    """Time every case of every suite, each contender in a process of its own."""
    return {suite.name: tuple(_measure(run, seconds) for run in suite.runs) for suite in suites}


def _measure(run: Run, seconds: float) -> Measured:
    timed = time_in_turn(run.case, {name: GATE[name] for name in run.contenders}, seconds=seconds)
    return Measured(run.case, timed, differences(timed, value_scale(run.case)))


def value_scale(case: GateCase) -> float:
    """Return greatest loss + kappa + lambda B, in which the tolerance is stated."""
    model = case.model()
    greatest = max(model.losses.values()) / model.unit
    return float(greatest + ABSTAIN + PRICE * case.spendable)


def disagreements(measured: Mapping[str, Sequence[Measured]]) -> list[str]:
    """Return every contender whose value is not licet's within the tolerance, in words."""
    return [
        f"{one.case.name}: {name} is {gap:.1e} apart"
        for cases in measured.values()
        for one in cases
        for name, gap in one.apart.items()
        if not gap <= TOLERANCE
    ]


def tables(suites: Sequence[Suite], measured: Mapping[str, Sequence[Measured]]) -> list[Table]:
    """Return one table a suite."""
    return [_table(suite, measured[suite.name]) for suite in suites]


def _table(suite: Suite, cases: Sequence[Measured]) -> Table:
    peers = [
        name
        for name in (NAIVE, TUNED, STORM, AGRUM, REFERENCE, COPY)
        if any(name in c.timed for c in cases)
    ]
    header = ["model", "states", LICET, "states a second", "ns a state", "memory", "peak"]
    for name in peers:
        header += (
            [f"{STORM}, build + solve", f"{STORM}, fastest solve"] if name == STORM else [name]
        )
    return Table(
        suite.title,
        tuple(header),
        tuple((one.case.name, *_licet_cells(one.licet), *_peer_cells(one, peers)) for one in cases),
    )


def _licet_cells(timed: Timed) -> tuple[str, ...]:
    if timed.missing:
        return ("", timed.missing, "", "", "", "")
    states = timed.first.states
    return (
        f"{states:,} {timed.first.method}",
        seconds_of(timed.seconds),
        rate(states / timed.seconds),
        each(timed.seconds / states),
        bytes_of(timed.plan_bytes),
        bytes_of(timed.peak),
    )


def _peer_cells(one: Measured, peers: Sequence[str]) -> list[str]:
    cells = []
    for name in peers:
        timed = one.timed.get(name)
        parts = (None, "solve") if name == STORM else (None,)
        for part in parts:
            if timed is None:
                cells.append("not run")
            elif timed.missing:
                cells.append(timed.missing)
            else:
                ratio = one.ratio(name, part)
                seconds = timed.seconds if part is None else timed.part(part)
                cells.append(seconds_of(seconds) + _beside(name, ratio))
    return cells


def _beside(name: str, ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f" (licet {times_of(1 / ratio)})" if name == COPY else f" ({times_of(ratio)})"


def figures(measured: Mapping[str, Sequence[Measured]]) -> dict[str, Json]:
    """Return everything for programs."""
    return {
        name: [
            {
                "verifiers": one.case.verifiers,
                "budget": one.case.budget,
                "premises": one.case.premises,
                "uses": one.case.uses,
                "contenders": {
                    contender: _figures(timed) for contender, timed in one.timed.items()
                },
                "apart": dict(one.apart),
            }
            for one in cases
        ]
        for name, cases in measured.items()
    }


def _figures(timed: Timed) -> dict[str, Json]:
    if timed.missing:
        return {"missing": timed.missing}
    return {
        "states": timed.first.states,
        "seconds": timed.seconds,
        "least": min(reading.whole for reading in timed.readings),
        "greatest": max(reading.whole for reading in timed.readings),
        "parts": {part: timed.part(part) for part in timed.first.seconds},
        "rounds": len(timed.readings),
        "method": timed.first.method,
        "peak_bytes": timed.peak,
        "plan_bytes": timed.plan_bytes,
    }
