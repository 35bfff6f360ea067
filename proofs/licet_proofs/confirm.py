"""Confirm the symbolic conditions: `python -m licet_proofs.confirm`, `make prove`.

Each condition is a function with contracts in one of the modules named below. CrossHair must follow
every path within the condition's bounds and confirm it; nothing else counts: no message, a path
that timed out, a precondition that could not be met, or contracts that are switched off all fail.
`required.json` beside this file lists what must be confirmed; the list only grows. One more clause
is confirmed by enumerating every case: that what runs equals the definitions.

In the bounds, m/n/r stands for m atoms, a chain of n conclusions, and at most r routes of each.
"""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from inspect import isfunction, unwrap
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from licet import definitions

MODULES = ("licet_proofs.symbolic_authorization", "licet_proofs.symbolic_target")
REQUIRED = Path(__file__).with_name("required.json")
WORKERS = 2
# Processor seconds that a condition may take; a loaded machine overshoots them by half.
LIMIT = 240.0
ENUMERATED = "the_decisions_are_those_of_the_definitions"


class Verdict(NamedTuple):
    """What came of one condition.

    Attributes:
        name: the condition.
        method: symbolic execution, or enumeration.
        bounds: its shape, as `required.json` states it.
        confirmed: whether every path, or every case, was covered and satisfied it.
        covered: the paths that the executor followed, or the cases that were enumerated.
        seconds: processor seconds.
        detail: why it is not confirmed; empty where it is.
    """

    name: str
    method: str
    bounds: str
    confirmed: bool
    covered: int
    seconds: float
    detail: str


def conditions(modules: Iterable[str] = MODULES) -> dict[str, Callable[..., object]]:
    """Return the conditions by name: the functions of the modules that carry a postcondition."""
    found: dict[str, Callable[..., object]] = {}
    for name in modules:
        module = importlib.import_module(name)
        for label, thing in vars(module).items():
            own = isfunction(thing) and thing.__module__ == name
            if own and hasattr(thing, "__postconditions__"):
                found[label] = thing
    return found


def required(path: Path = REQUIRED) -> dict[str, str]:
    """Return what must be confirmed: names and their bounds."""
    listed: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return listed


@contextmanager
def bare(module: ModuleType) -> Iterator[None]:
    """Take a module's own contracts away for a while.

    The executor drops a path on which a called function breaks its own postcondition: it leaves
    that to whoever examines that function. A condition would be confirmed because the code that it
    calls is wrong.
    """
    wrapped = {
        name: thing
        for name, thing in vars(module).items()
        if isfunction(thing) and hasattr(thing, "__postconditions__")
    }
    for name, thing in wrapped.items():
        setattr(module, name, unwrap(thing))
    try:
        yield
    finally:
        for name, thing in wrapped.items():
            setattr(module, name, thing)


def examine(module: str, name: str, bounds: str, limit: float = LIMIT) -> Verdict:
    """Let the symbolic executor examine one condition."""
    from collections import Counter

    from crosshair.core_and_libs import analyze_function, run_checkables
    from crosshair.options import AnalysisOptionSet
    from crosshair.statespace import MessageType

    statistics: Counter[str] = Counter()
    options = AnalysisOptionSet(
        report_all=True,
        max_uninteresting_iterations=0,
        per_path_timeout=limit,
        per_condition_timeout=limit,
        stats=statistics,
    )
    started = time.process_time()
    function = getattr(importlib.import_module(module), name)
    with bare(definitions):
        messages = list(run_checkables(analyze_function(function, options)))
    wrong = [m for m in messages if m.state is not MessageType.CONFIRMED]
    detail = "; ".join(f"{m.state.name}: {m.message}" for m in wrong)
    return Verdict(
        name,
        "symbolic execution",
        bounds,
        bool(messages) and not wrong,
        statistics["num_paths"],
        time.process_time() - started,
        detail if messages else "the executor said nothing: no contract was seen",
    )


def enumerate_cases() -> Verdict:
    """Compare what runs with the definitions on every small case."""
    from licet_proofs.enumerated import Disagreement, the_decisions_are_those_of_the_definitions

    started = time.process_time()
    try:
        cases, detail = the_decisions_are_those_of_the_definitions(), ""
    except Disagreement as difference:
        cases, detail = 0, str(difference)
    return Verdict(
        ENUMERATED,
        "enumeration",
        "every program of 2/2/2, every ledger",
        cases > 0,
        cases,
        time.process_time() - started,
        detail,
    )


def disagreements(found: Iterable[str], listed: Iterable[str]) -> Iterator[str]:
    """Yield what is listed but not there, and what is there but not listed."""
    found, listed = set(found), set(listed)
    for name in sorted(listed - found):
        yield f"{name}: required, but no such condition is there"
    for name in sorted(found - listed):
        yield f"{name}: a condition that {REQUIRED.name} does not list; add it with its bounds"


def run(only: str | None, report: Callable[[Verdict], None]) -> list[Verdict]:
    """Examine all required conditions, or one, and report each as it ends."""
    listed = required()
    found = conditions()
    chosen = [name for name in listed if only in (None, name) and name in found]
    with ProcessPoolExecutor(WORKERS) as pool:
        pending = [
            pool.submit(examine, found[name].__module__, name, listed[name]) for name in chosen
        ]
        if only in (None, ENUMERATED):
            pending.append(pool.submit(enumerate_cases))
        verdicts = []
        for task in pending:
            verdicts.append(task.result())
            report(verdicts[-1])
    return verdicts


def line(verdict: Verdict) -> str:
    """Return one verdict as a line of the table."""
    word = "confirmed" if verdict.confirmed else "NOT CONFIRMED"
    return (
        f"{word:<14}{verdict.seconds:>6.1f} s  {verdict.method:<19}{verdict.covered:>6}"
        f" {'paths' if verdict.method.startswith('s') else 'cases'}  {verdict.bounds:<40}"
        f" {verdict.name.replace('_', ' ')}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the suite; return 0 if everything required is confirmed, else 1."""
    parser = argparse.ArgumentParser(prog="licet_proofs.confirm", description="Confirm conditions.")
    parser.add_argument("--only", help="one condition, by name")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    options = parser.parse_args(arguments)
    if not __debug__:
        print("contracts are off under -O: nothing can be confirmed", file=sys.stderr)
        return 1
    faults = list(disagreements(conditions(), required()))
    if options.only not in (None, ENUMERATED, *required()):
        faults.append(f"{options.only}: no such condition")

    def report(verdict: Verdict) -> None:
        print(line(verdict), file=sys.stderr if options.json else sys.stdout, flush=True)

    verdicts = run(options.only, report)
    failed = [verdict for verdict in verdicts if not verdict.confirmed]
    faults += [f"{verdict.name}: {verdict.detail}" for verdict in failed]
    if options.json:
        print(json.dumps([verdict._asdict() for verdict in verdicts]))
    for fault in faults:
        print(f"licet_proofs.confirm: {fault}", file=sys.stderr)
    print(
        f"{len(verdicts) - len(failed)} of {len(verdicts)} clauses confirmed, each over all paths"
        " or all cases within its bounds",
        file=sys.stderr if options.json else sys.stdout,
    )
    return 1 if faults or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
