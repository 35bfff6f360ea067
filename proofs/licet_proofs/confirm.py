"""Confirm what must be confirmed: `python -m licet_proofs.confirm`; `licet prove` runs it too.

Each condition is a function with contracts in one of the modules named below. CrossHair must follow
every path within the condition's bounds and confirm it; nothing else counts: no message, a path
that timed out, a precondition that could not be met, or contracts that are switched off all fail.
`required.json` beside this file lists what must be confirmed and within which bounds; the list only
grows. That what runs equals the definitions is confirmed by enumerating every case; what holds for
all real numbers, by a solver that shows the negation of every goal unsatisfiable.

In the bounds, m/n/r stands for m atoms, a chain of n conclusions, and at most r routes of each. The
bounds are read off the code again, so that a condition does not shrink under its listing.
"""

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from inspect import isfunction, signature, unwrap
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, get_args, get_type_hints

from licet import definitions

MODULES = (
    "licet_proofs.symbolic_authorization",
    "licet_proofs.symbolic_target",
    "licet_proofs.symbolic_costs",
    "licet_proofs.symbolic_completion",
    "licet_proofs.symbolic_episode",
    "licet_proofs.symbolic_contracts",
)
# The enumerations, each a function that returns how many cases it went through.
ENUMERATIONS = {
    "the_decisions_are_those_of_the_definitions": "licet_proofs.enumerated",
    "routes_decide_as_defined": "licet_proofs.enumerated_decisions",
    "auth_is_as_defined": "licet_proofs.enumerated_decisions",
    "auth_is_as_defined_in_longer_chains": "licet_proofs.enumerated_decisions",
    "target_and_hold_are_as_defined": "licet_proofs.enumerated_decisions",
    "target_is_as_defined_at_any_cost": "licet_proofs.enumerated_decisions",
    "a_ledger_settles_what_its_values_say": "licet_proofs.enumerated_ledgers",
    "every_literal_has_its_one_status": "licet_proofs.enumerated_ledgers",
    "every_small_closure_is_as_defined": "licet_proofs.enumerated_closures",
    "every_small_contradiction_is_named_and_no_more": "licet_proofs.enumerated_closures",
    "every_short_review_is_charged_as_the_algorithm_says": "licet_proofs.enumerated_episodes",
    "every_short_review_with_a_shared_check_is_too": "licet_proofs.enumerated_episodes",
    "auth_is_as_defined_under_every_constraint": "licet_proofs.enumerated_uncertain",
    "every_short_dispute_is_as_defined": "licet_proofs.enumerated_uncertain",
    "every_short_ledger_that_expires_is_as_defined": "licet_proofs.enumerated_freshness",
    "an_attestation_is_admitted_exactly_by_the_rule": "licet_proofs.enumerated_uncertain",
    "every_short_review_of_uncertain_evidence_is_that_of_the_algorithm": (
        "licet_proofs.enumerated_uncertain_episodes"
    ),
    "every_small_gate_proceeds_only_where_it_is_admissible": "licet_proofs.enumerated_gate",
    "every_small_plan_is_that_of_brute_force": "licet_proofs.enumerated_gate",
    "every_small_program_is_judged_as_the_paper_does": "licet_proofs.enumerated_programs",
    "a_slot_admits_the_listed_characters_alone": "licet_proofs.enumerated_slots",
}
# What a solver proves over the reals, each a function that yields its goals.
SOLVED = {
    "an_answer_moves_the_error_probability_to_its_side": "licet_proofs.proposition_1",
    "verifying_is_strictly_better_exactly_inside_the_interval": "licet_proofs.proposition_1",
    "the_interval_is_bracketed_and_holds_the_indifference_point": "licet_proofs.proposition_1",
    "the_interval_is_empty_exactly_at_the_stated_cost": "licet_proofs.proposition_1",
    "only_a_perfect_verifier_is_worth_asking_at_any_loss": "licet_proofs.proposition_1",
    "below_proceed_above_abstain": "licet_proofs.proposition_1",
    "a_fixed_action_gains_nothing_by_either_answer": "licet_proofs.remark_1",
    "it_proceeds_exactly_where_the_screens_and_equation_2_admit_it": "licet_proofs.admissibility",
    "the_stopping_value_is_that_of_equation_2": "licet_proofs.admissibility",
}
SYMBOLIC = "symbolic execution"
ENUMERATED = "enumeration"
SOLVER = "solver over the reals"
UNITS = {SYMBOLIC: "paths", ENUMERATED: "cases", SOLVER: "goals"}
# The modules whose contracts are taken away while cases are enumerated.
UNGUARDED = (
    "licet.definitions",
    "licet.decisions",
    "licet.covers",
    "licet.constraints",
    "licet.ledger",
    "licet.state",
    "licet.completion",
    "licet.attestations",
    "licet.episode",
    "licet.beliefs",
    "licet.information",
    "licet.planner",
    "licet.policies",
    "licet.gate",
    "licet_proofs.enumerated_slots",
)
REQUIRED = Path(__file__).with_name("required.json")
WORKERS = 2
# Processor seconds that a condition may take; a loaded machine overshoots them by half.
LIMIT = 240.0


class Verdict(NamedTuple):
    """What came of one condition.

    Attributes:
        name: the condition.
        method: symbolic execution, enumeration, or a solver over the reals.
        bounds: its shape, as `required.json` states it.
        confirmed: whether every path, or every case, was covered and satisfied it.
        covered: the paths that the executor followed, the cases that were enumerated, or the goals
            that were proved.
        seconds: processor seconds.
        detail: why it is not confirmed; empty where it is.
        refuted: whether a counterexample was found; what only timed out is not refuted.
    """

    name: str
    method: str
    bounds: str
    confirmed: bool
    covered: int
    seconds: float
    detail: str
    refuted: bool = False


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


def examine(module: str, name: str, bounds: str, limit: float | None = None) -> Verdict:
    """Let the symbolic executor examine one condition, for `LIMIT` seconds or as many as given."""
    from collections import Counter

    from crosshair.core_and_libs import analyze_function, run_checkables
    from crosshair.options import AnalysisOptionSet
    from crosshair.statespace import MessageType

    statistics: Counter[str] = Counter()
    seconds = LIMIT if limit is None else limit
    options = AnalysisOptionSet(
        report_all=True,
        max_uninteresting_iterations=0,
        per_path_timeout=seconds,
        per_condition_timeout=seconds,
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
        SYMBOLIC,
        bounds,
        bool(messages) and not wrong,
        statistics["num_paths"],
        time.process_time() - started,
        detail if messages else "the executor said nothing: no contract was seen",
        any(m.state in (MessageType.POST_FAIL, MessageType.POST_ERR) for m in wrong),
    )


def enumerate_cases(name: str, bounds: str) -> Verdict:
    """Compare what runs with the definitions on every case of one enumeration."""
    enumeration: Callable[[], int] = getattr(importlib.import_module(ENUMERATIONS[name]), name)

    def count() -> int:
        # The bodies decide; their contracts restate them and would take most of the time.
        with ExitStack() as stack:
            for module in UNGUARDED:
                stack.enter_context(bare(importlib.import_module(module)))
            return enumeration()

    return _counted(name, ENUMERATED, bounds, count)


def solve(name: str, bounds: str) -> Verdict:
    """Let a solver prove every goal of one clause over the reals."""
    from .proposition_1 import confirm

    clause = getattr(importlib.import_module(SOLVED[name]), name)
    return _counted(name, SOLVER, bounds, lambda: confirm(clause))


def _counted(name: str, method: str, bounds: str, count: Callable[[], int]) -> Verdict:
    """Run what counts its cases; they must be as many as the bounds state."""
    started = time.process_time()
    cases, detail, refuted = 0, "", False
    try:
        cases = count()
        if not cases:
            detail = "nothing was gone through"
        elif f"{cases:,} {UNITS[method]}" not in bounds:
            detail = f"{cases:,} {UNITS[method]}, where {REQUIRED.name} says: {bounds}"
    except TimeoutError as undecided:
        detail = str(undecided) or "the time was up"
    except AssertionError as difference:
        detail, refuted = str(difference) or "a difference", True
    except Exception as error:  # what breaks confirms nothing
        detail = f"{type(error).__name__}: {error}"
    confirmed = cases > 0 and not detail
    seconds = time.process_time() - started
    return Verdict(name, method, bounds, confirmed, cases, seconds, detail, refuted)


def confirm_one(name: str, bounds: str, module: str = "") -> Verdict:
    """Confirm one clause by its method; `module` is where a condition stands."""
    if name in ENUMERATIONS:
        return enumerate_cases(name, bounds)
    return solve(name, bounds) if name in SOLVED else examine(module, name, bounds)


def shape(condition: Callable[..., object]) -> str:
    """Return the bounds that a condition's parameters have: m/n/r of its program, or atoms."""
    hints = get_type_hints(unwrap(condition))
    named = {name: get_args(hints[name]) for name in signature(condition).parameters}
    if "program" in named:
        routes = get_args(named["program"][0])
        return f"{len(get_args(routes[0]))}/{len(named['program'])}/{len(routes)}"
    return f"of {len(named['route'])}" if "route" in named else ""


def disagreements(
    found: Mapping[str, Callable[..., object]], listed: Mapping[str, str]
) -> Iterator[str]:
    """Yield what is listed but not there, what is there but not listed, and other bounds."""
    known = found.keys() | ENUMERATIONS.keys() | SOLVED.keys()
    for name in sorted(listed.keys() - known):
        yield f"{name}: required, but no such condition is there"
    for name in sorted(known - listed.keys()):
        yield f"{name}: a condition that {REQUIRED.name} does not list; add it with its bounds"
    for name in sorted(found.keys() & listed.keys()):
        if shape(found[name]) not in listed[name]:
            yield f"{name}: bounds {shape(found[name])}, where {REQUIRED.name} says: {listed[name]}"


def run(only: Collection[str], report: Callable[[Verdict], None]) -> list[Verdict]:
    """Examine what `only` names, or all that is required, and report each as it ends.

    Enumerations go first: the longest is one of them.
    """
    listed = required()
    found = conditions()
    chosen = [name for name in listed if not only or name in only]
    with ProcessPoolExecutor(WORKERS) as pool:
        pending = [
            pool.submit(
                confirm_one, name, listed[name], found[name].__module__ if name in found else ""
            )
            for name in sorted(chosen, key=lambda name: name in found)
            if name in found.keys() | ENUMERATIONS.keys() | SOLVED.keys()
        ]
        verdicts = []
        for task in as_completed(pending):
            verdicts.append(task.result())
            report(verdicts[-1])
    return verdicts


def line(verdict: Verdict) -> str:
    """Return one verdict as a line of the table."""
    word = "confirmed" if verdict.confirmed else "NOT CONFIRMED"
    return (
        f"{word:<14}{verdict.seconds:>6.1f} s  {verdict.method:<22}{verdict.covered:>9,}"
        f" {UNITS[verdict.method]}  {verdict.bounds:<50}"
        f" {verdict.name.replace('_', ' ')}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the suite; return 0 if everything required is confirmed, else 1."""
    parser = argparse.ArgumentParser(prog="licet_proofs.confirm", description="Confirm conditions.")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these conditions")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    options = parser.parse_args(arguments)
    if not __debug__:
        print("contracts are off under -O: nothing can be confirmed", file=sys.stderr)
        return 1
    faults = list(disagreements(conditions(), required()))
    faults += [f"{name}: no such condition" for name in options.only if name not in required()]

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
        f"{len(verdicts) - len(failed)} of {len(verdicts)} clauses confirmed, each over all paths,"
        " all cases or all numbers within its bounds",
        file=sys.stderr if options.json else sys.stdout,
    )
    return 1 if faults or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
