"""`python -m benchmarks`: runs every benchmark and writes `results/`; a name runs one alone."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .adversary.run import adversary
from .conformance.run import conformance
from .durability.flips import flips
from .durability.kills import kills
from .durability.writers import writers
from .imports import imports
from .interventions.run import interventions
from .planning.run import PICTURES, planning
from .report import RESULTS, Json, Result, as_json, machine, save, show
from .target_rule.run import target_rule


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return 1 if something was found that must not be."""
    options = _parser().parse_args(arguments)
    if options.benchmark is None:
        return _run_all(options.results)
    on = machine()
    result = _run_one(options)
    if options.json:
        sys.stdout.write(as_json(result, on))
    else:
        show(result, on)
    if options.write:
        _write(result, on, options.results)
    return int(result.failed)


def _run_one(options: argparse.Namespace) -> Result:
    benchmarks: dict[str, Callable[[], Result]] = {
        "adversary": lambda: adversary(
            options.requests, options.seed, options.processes, contracts=options.contracts
        ),
        "closure": lambda: _closure(options.rounds),
        "conformance": lambda: conformance(
            options.episodes, options.seed, options.processes, contracts=options.contracts
        ),
        "decision": lambda: _decision(options.rounds),
        "flips": lambda: flips(options.places, options.episodes, options.seed, options.processes),
        "imports": lambda: imports(options.rounds),
        "interventions": lambda: interventions(options.seed, options.profiles),
        "kills": lambda: kills(options.kills, options.seed, options.processes, options.folder),
        "planning": lambda: planning(quick=options.quick),
        "premises": lambda: _premises(options.actions, options.seed),
        "server": lambda: _server(options.sessions, options.seed, options.rounds, options.folder),
        "target-rule": lambda: target_rule(options.programs),
        "writers": lambda: writers(
            options.processes, options.reviews, options.rounds, options.seed, options.folder
        ),
    }
    return benchmarks[options.benchmark]()


def _closure(rounds: int = 9) -> Result:
    # Its peers are looked for when it runs.
    from .closure.run import closure

    return closure(rounds)


def _premises(actions: int = 10, seed: int = 7) -> Result:
    # It needs scipy, of the extra `experiments`.
    from .premises.run import premises

    return premises(actions, seed)


def _server(
    sessions: int = 10_000, seed: int = 7, rounds: int = 300, folder: Path | None = None
) -> Result:
    # The only one that needs the extra `server`.
    from .server.run import server

    return server(sessions, seed, rounds, folder)


def _decision(rounds: int = 15) -> Result:
    # The only one that needs the extra `bench`, for Cedar.
    from .decision.run import decision

    return decision(rounds)


def _run_all(folder: Path) -> int:
    """Run all, the short timings first, and write results and the plot."""
    failed = False
    for benchmark in (
        imports,
        _decision,
        _closure,
        planning,
        interventions,
        _premises,
        target_rule,
        conformance,
        writers,
        kills,
        flips,
        adversary,
        _server,
    ):
        on = machine()
        result = benchmark()
        show(result, on)
        _write(result, on, folder)
        failed |= result.failed
    return int(failed)


def _write(result: Result, on: Mapping[str, Json], folder: Path) -> None:
    """Write a result and its plots."""
    save(result, on, folder)
    # Drawing is slow to import and is not needed to measure.
    if result.name == "decision" and result.picture:
        from .plot import plot_decision

        plot_decision(result, folder / result.picture)
    if result.name == "planning":
        from .planning.pictures import plot_goals, plot_scaling

        plot_scaling(result, folder / PICTURES[0])
        plot_goals(result, folder / PICTURES[1])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure licet. Without a name: all benchmarks, written to the results folder.",
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help="where results are written (default: benchmarks/results)",
    )
    names = parser.add_subparsers(dest="benchmark", title="one benchmark alone")
    hostile = names.add_parser("adversary", help="adversarial requests, checked independently")
    _add_numbers(hostile, requests=1_000_000, seed=7, processes=2)
    hostile.add_argument("--contracts", action="store_true", help="leave the contracts on")
    conforming = names.add_parser("conformance", help="PRIME's Table 7: tests of the premises")
    _add_numbers(conforming, episodes=20_000, seed=7, processes=2)
    conforming.add_argument("--contracts", action="store_true", help="leave the contracts on")
    decided = names.add_parser("decision", help="microseconds a decision, beside Cedar")
    _add_numbers(decided, rounds=15)
    closed = names.add_parser("closure", help="microseconds a closure, beside SAT solvers")
    _add_numbers(closed, rounds=9)
    damaged = names.add_parser("flips", help="a flipped byte anywhere in a ledger is found")
    _add_numbers(damaged, places=10_000, episodes=1_000, seed=7, processes=2)
    imported = names.add_parser("imports", help="milliseconds that `import licet` takes")
    _add_numbers(imported, rounds=40)
    gated = names.add_parser("interventions", help="what the gate does as errors and losses move")
    _add_numbers(gated, seed=7, profiles=500)
    killed = names.add_parser("kills", help="writers of a ledger are killed, and nothing is lost")
    _add_numbers(killed, kills=1_000, seed=7, processes=2)
    planned = names.add_parser("planning", help="exact planning, beside its peers")
    planned.add_argument("--quick", action="store_true", help="fewer and smaller cases")
    resting = names.add_parser("premises", help="premises of actions on generated tools")
    _add_numbers(resting, actions=10, seed=7)
    served = names.add_parser("server", help="adversarial agents against the MCP server")
    _add_numbers(served, sessions=10_000, seed=7, rounds=300)
    served.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="where results are kept as they come, so that a run that was cut off goes on",
    )
    ruled = names.add_parser("target-rule", help="the target rule against the optimum")
    _add_numbers(ruled, programs=100)
    writing = names.add_parser("writers", help="several processes write one ledger at once")
    _add_numbers(writing, processes=8, reviews=240, rounds=3, seed=7)
    for on_disk in (killed, writing):
        on_disk.add_argument(
            "--folder",
            type=Path,
            metavar="FOLDER",
            help="where ledgers are while it runs, on the disk to be tried (default: the system's"
            " folder for temporary files)",
        )
    for parser_of_one in (
        hostile,
        conforming,
        decided,
        closed,
        damaged,
        imported,
        gated,
        killed,
        planned,
        resting,
        served,
        ruled,
        writing,
    ):
        parser_of_one.add_argument("--json", action="store_true", help="print JSON")
        parser_of_one.add_argument(
            "--write", action="store_true", help="write to the results folder too"
        )
    return parser


def _add_numbers(parser: argparse.ArgumentParser, **defaults: int) -> None:
    """Add an option for each number; a seed may be any, the others are counts."""
    for name, default in defaults.items():
        kind: Callable[[str], int] = int if name == "seed" else _count
        parser.add_argument(f"--{name}", type=kind, default=default, metavar="N")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
