"""`python -m benchmarks`: runs every benchmark and writes `results/`; a name runs one alone."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .adversary.run import adversary
from .imports import imports
from .interventions.run import interventions
from .report import RESULTS, Result, as_json, machine, save, show


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
    return int(result.failed)


def _run_one(options: argparse.Namespace) -> Result:
    match options.benchmark:
        case "adversary":
            return adversary(
                options.requests, options.seed, options.processes, contracts=options.contracts
            )
        case "decision":
            return _decision(options.rounds)
        case "interventions":
            return interventions(options.seed, options.profiles)
        case _:
            return imports(options.rounds)


def _decision(rounds: int = 15) -> Result:
    # The only one that needs the extra `bench`, for Cedar.
    from .decision.run import decision

    return decision(rounds)


def _run_all(folder: Path) -> int:
    """Run all, the short timings first, and write results and the plot."""
    failed = False
    for benchmark in (imports, _decision, interventions, adversary):
        on = machine()
        result = benchmark()
        show(result, on)
        save(result, on, folder)
        if result.picture:
            # Drawing is slow to import and is not needed to measure.
            from .plot import plot_decision

            plot_decision(result, folder / result.picture)
        failed |= result.failed
    return int(failed)


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
        help="where a run of all benchmarks writes (default: benchmarks/results)",
    )
    names = parser.add_subparsers(dest="benchmark", title="one benchmark alone")
    hostile = names.add_parser("adversary", help="adversarial requests, checked independently")
    hostile.add_argument("--requests", type=_count, default=1_000_000, metavar="N")
    hostile.add_argument("--seed", type=int, default=7, metavar="N")
    hostile.add_argument("--processes", type=_count, default=2, metavar="N")
    hostile.add_argument("--contracts", action="store_true", help="leave the contracts on")
    decided = names.add_parser("decision", help="microseconds a decision, beside Cedar")
    decided.add_argument("--rounds", type=_count, default=15, metavar="N")
    imported = names.add_parser("imports", help="milliseconds that `import licet` takes")
    imported.add_argument("--rounds", type=_count, default=40, metavar="N")
    gated = names.add_parser("interventions", help="what the gate does as errors and losses move")
    gated.add_argument("--seed", type=int, default=7, metavar="N")
    gated.add_argument("--profiles", type=_count, default=500, metavar="N")
    for parser_of_one in (hostile, decided, imported, gated):
        parser_of_one.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
