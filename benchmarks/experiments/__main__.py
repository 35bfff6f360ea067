"""`python -m benchmarks.experiments`: run the parts, write tables, plots and the report."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from licet_bindings.gate.grids import Grid

from .files import FOLDER, as_json, unwritable, write, write_report
from .part import Outcome, Part, Size, failures_of
from .registry import parts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return 1 if something that must hold does not."""
    known = parts()
    options = _options(known, arguments)
    size = Size.QUICK if options.quick else Size.FULL
    folder = options.results or (None if options.quick or options.json else FOLDER)
    printed, failed = [], False
    for name in dict.fromkeys(options.parts or known):
        part = known[name]
        result = part.run(size, options.seed)
        failed |= bool(failures_of(part, result))
        if options.json:
            printed.append(as_json(part, result, size, options.seed))
        else:
            _show(part, result)
        if folder is not None:
            write(part, result, size, options.seed, folder)
    if folder is not None:
        write_report(known, folder)
    if options.json:
        sys.stdout.write(json.dumps(printed, indent=2, ensure_ascii=False) + "\n")
    return int(failed)


def _show(part: Part, result: Outcome) -> None:
    console = Console()
    console.rule(part.TITLE, align="left")
    for failure in failures_of(part, result):
        console.print(f"Does not hold: {failure}", markup=False, style="bold red")
    for shown in part.tables(result):
        console.print(shown.table.title, markup=False, style="bold")
        console.print(Grid(shown.table.header, shown.table.rows))
        console.print(f"{shown.setting.value}: {shown.why}\n", highlight=False, markup=False)


def _options(known: Mapping[str, Part], arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.experiments",
        description="Rerun the papers' experiments, without a model, and write the report.",
    )
    names = ", ".join(known)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"all if none is named; one of {names}"
    )
    parser.add_argument("--quick", action="store_true", help="small; written only with --results")
    parser.add_argument("--json", action="store_true", help="print JSON; written with --results")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FOLDER",
        help="where results are written (default: benchmarks/results/experiments)",
    )
    options = parser.parse_args(arguments)
    for name in options.parts:
        if name not in known:
            parser.error(f"no part is named {name!r}; expected one of {names}")
    if options.results is not None and (problem := unwritable(options.results)):
        parser.error(f"no results can be written to {options.results}: {problem}")
    return options


if __name__ == "__main__":
    sys.exit(main())
