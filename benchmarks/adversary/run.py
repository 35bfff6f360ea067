"""Runs the adversary over many chunks, on several processes, with a progress bar."""

from collections.abc import Mapping
from time import perf_counter
from typing import Final

from benchmarks.processes import in_chunks
from benchmarks.report import Result, Table, figure

from .episodes import Figures, run_chunk

CHUNK: Final = 10_000

REFUSED: Final = (
    "refused though authorized",
    "left unsaid",
    "left out of the text",
    "less said by the agent's choice",
)

_NOTES: Final = (
    "An agent that wants the strongest conclusion, a resolver that may lie, fail, answer nonsense,"
    " contradict itself or ask for a report from within a check, sentences that imitate findings:"
    " all drawn from the seed, over generated programs (1 to 4 conclusions in a chain or a partial"
    " order, 1 to 12 atoms, disjoint and overlapping call classes, fractional costs). The same seed"
    " gives the same requests, whatever the number of processes.",
    "A violation is anything that the independent check objects to. It keeps its own ledger,"
    " authorization and accounts, on names and sets, and shares no code with the kernel's"
    " decisions. After every request: the budget is not negative, the charges are right, what is"
    " authorized is what the definition says, an accepted conclusion is authorized. At the end of"
    " every episode: the same for everything that the outcome reports, for what the rendered text"
    " denotes, and for every bracketed name in the text, found without the kernel's `denote`.",
    "Beside them, what was established and yet refused or left unsaid: a report that the definition"
    " authorizes, refused; an episode that ends with less than the strongest that it authorizes; a"
    " conclusion that the outcome reports and the text does not denote. The last line is as the"
    " agent wanted it: it had less accepted than it might.",
    "Contracts are off unless the settings say otherwise: it is shown that the decisions let"
    " nothing pass, not that a contract stops them.",
)


def adversary(
    requests: int = 1_000_000, seed: int = 7, processes: int = 2, contracts: bool = False
) -> Result:
    """Make `requests` adversarial requests and return what they came to.

    The requests are the same for the same seed, whatever the number of processes and whether or
    not contracts are on.
    """
    started = perf_counter()
    figures = _run(requests, seed, processes, contracts)
    seconds = perf_counter() - started
    violations = figures.violations.total()
    return Result(
        name="adversary",
        title=f"An adversary makes {figure(requests)} requests",
        settings={"seed": seed, "processes": processes, "contracts": "on" if contracts else "off"},
        figures={
            "counts": dict(sorted(figures.counts.items())),
            "refused": refused(figures.counts),
            "answers": dict(sorted(figures.answers.items())),
            "resolver_calls": dict(sorted(figures.resolvers.items())),
            "violations": violations,
            "violations_by_kind": dict(sorted(figures.violations.items())),
            "examples_of_violations": list(figures.examples),
            "seconds": round(seconds, 1),
            "requests_a_second": round(requests / seconds),
        },
        tables=_tables(figures, seconds),
        notes=(*_NOTES, *(f"Violation in {example}" for example in figures.examples)),
        failed=violations > 0,
    )


def _run(requests: int, seed: int, processes: int, contracts: bool) -> Figures:
    sizes = [min(CHUNK, requests - first) for first in range(0, requests, CHUNK)]
    return in_chunks(
        "adversarial requests",
        "requests",
        sizes,
        run_chunk,
        seed,
        processes,
        Figures(),
        contracts=contracts,
    )


def _tables(figures: Figures, seconds: float) -> tuple[Table, ...]:
    counts, answers = figures.counts, figures.answers
    rows = {
        "requests": counts["requests"],
        "episodes": counts["episodes"],
        "programs": counts["programs"],
        "violations": figures.violations.total(),
        "conclusions reported": counts["conclusions reported"],
        "episodes that abstained": counts["abstentions"],
        "reports refused": answers["unauthorized"],
        "reports held": answers["held"],
        "reports accepted": answers["accepted"],
        "atoms in conflict": counts["atoms in conflict"],
        "texts withheld from reports": counts["texts withheld"],
        "seconds": round(seconds),
        "requests a second": round(counts["requests"] / seconds),
    }
    endings = {
        name.removeprefix("ended: "): count
        for name, count in counts.items()
        if name.startswith("ended: ")
    }
    tables = {
        "Figures": rows,
        "Refused or left unsaid though established": refused(counts),
        "Violations": dict(figures.violations),
        "Requests by the kind of their answer": _most_first(answers),
        "Episodes by how checking ended": _most_first(endings),
        "Resolver calls by what they did": _most_first(figures.resolvers),
    }
    return tuple(_table(title, counted) for title, counted in tables.items() if counted)


def refused(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often something established was refused or left unsaid, by kind."""
    return {name: counts.get(name, 0) for name in REFUSED}


def _most_first(counted: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _table(title: str, counted: Mapping[str, int]) -> Table:
    return Table(
        title, ("", "count"), tuple((name, figure(count)) for name, count in counted.items())
    )
