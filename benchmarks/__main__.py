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
    hostile.add_argument("--requests", type=_count, default=1_000_000, metavar="N")
    hostile.add_argument("--seed", type=int, default=7, metavar="N")
    hostile.add_argument("--processes", type=_count, default=2, metavar="N")
    hostile.add_argument("--contracts", action="store_true", help="leave the contracts on")
    conforming = names.add_parser("conformance", help="PRIME's Table 7: tests of the premises")
    conforming.add_argument("--episodes", type=_count, default=20_000, metavar="N")
    conforming.add_argument("--seed", type=int, default=7, metavar="N")
    conforming.add_argument("--processes", type=_count, default=2, metavar="N")
    conforming.add_argument("--contracts", action="store_true", help="leave the contracts on")
    decided = names.add_parser("decision", help="microseconds a decision, beside Cedar")
    decided.add_argument("--rounds", type=_count, default=15, metavar="N")
    closed = names.add_parser("closure", help="microseconds a closure, beside SAT solvers")
    closed.add_argument("--rounds", type=_count, default=9, metavar="N")
    damaged = names.add_parser("flips", help="a flipped byte anywhere in a ledger is found")
    damaged.add_argument("--places", type=_count, default=10_000, metavar="N")
    damaged.add_argument("--episodes", type=_count, default=1_000, metavar="N")
    damaged.add_argument("--seed", type=int, default=7, metavar="N")
    damaged.add_argument("--processes", type=_count, default=2, metavar="N")
    imported = names.add_parser("imports", help="milliseconds that `import licet` takes")
    imported.add_argument("--rounds", type=_count, default=40, metavar="N")
    gated = names.add_parser("interventions", help="what the gate does as errors and losses move")
    gated.add_argument("--seed", type=int, default=7, metavar="N")
    gated.add_argument("--profiles", type=_count, default=500, metavar="N")
    killed = names.add_parser("kills", help="writers of a ledger are killed, and nothing is lost")
    killed.add_argument("--kills", type=_count, default=1_000, metavar="N")
    killed.add_argument("--seed", type=int, default=7, metavar="N")
    killed.add_argument("--processes", type=_count, default=2, metavar="N")
    planned = names.add_parser("planning", help="exact planning, beside its peers")
    planned.add_argument("--quick", action="store_true", help="fewer and smaller cases")
    served = names.add_parser("server", help="adversarial agents against the MCP server")
    served.add_argument("--sessions", type=_count, default=10_000, metavar="N")
    served.add_argument("--seed", type=int, default=7, metavar="N")
    served.add_argument("--rounds", type=_count, default=300, metavar="N")
    served.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="where results are kept as they come, so that a run that was cut off goes on",
    )
    ruled = names.add_parser("target-rule", help="the target rule against the optimum")
    ruled.add_argument("--programs", type=_count, default=100, metavar="N")
    writing = names.add_parser("writers", help="several processes write one ledger at once")
    writing.add_argument("--processes", type=_count, default=8, metavar="N")
    writing.add_argument("--reviews", type=_count, default=240, metavar="N")
    writing.add_argument("--rounds", type=_count, default=3, metavar="N")
    writing.add_argument("--seed", type=int, default=7, metavar="N")
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
        served,
        ruled,
        writing,
    ):
        parser_of_one.add_argument("--json", action="store_true", help="print JSON")
        parser_of_one.add_argument(
            "--write", action="store_true", help="write to the results folder too"
        )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
