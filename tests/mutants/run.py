"""Runs mutmut on the core, a group of modules at a time, and writes docs/mutants.md.

`python -m tests.mutants.run` runs everything; with names of modules, those alone; with
`--document` nothing, and the document is written from what was found before. What was found
is kept in results.json beside this file, so that the document always speaks of the last run of each
module. It ends with 1 when a mutant survives that `equivalent.toml` does not explain.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from tests.mutants.workspace import CORE, ROOT, prepare

WORKSPACE: Final = ROOT / "build" / "mutants"
RESULTS: Final = Path(__file__).with_name("results.json")
EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
DOCUMENT: Final = ROOT / "docs" / "mutants.md"
MUTMUT: Final = Path(sys.executable).with_name("mutmut")
KILLED: Final = frozenset({"killed", "timeout", "segfault"})

PROPERTIES: Final = "tests/proofs/test_properties.py"
# What a review needs, its planner, and what a gate needs: each with the tests that reach it.
GROUPS: Final = (
    (
        "definitions constraints covers decisions ledger state completion attestations freshness"
        " episode history guidance resolving compiled outcome review renderer validation objects"
        " messages commitment rationals _seal errors".split(),
        ("tests/core", "tests/mutants"),
    ),
    (
        ["review_planner"],
        ("tests/kernels_review/test_reference.py", "tests/core", "tests/mutants"),
    ),
    (
        "verdicts gate gate_history memories beliefs sums information planner policies candidate "
        "regimes".split(),
        ("tests/gate", "tests/mutants"),
    ),
)

# Tests that are as near to a module as those that bear its name, and are run with them.
NEAREST: Final = {
    "attestations": ("tests/core/test_guidance.py",),
    "completion": ("tests/core/test_candidates.py", "tests/mutants/test_episode_answers.py"),
    "state": (
        "tests/core/test_candidates.py",
        "tests/core/test_constrained_reviews.py",
        "tests/core/test_guidance.py",
        "tests/mutants/test_episode_answers.py",
    ),
    "episode": ("tests/core/test_candidates.py", "tests/core/test_partial_orders.py"),
    "guidance": ("tests/core/test_partial_orders.py", "tests/mutants/test_review.py"),
    "resolving": ("tests/core/test_guidance.py", "tests/core/test_attestations_verified.py"),
    "ledger": ("tests/core/test_constrained_reviews.py", "tests/core/test_attestations.py"),
    "outcome": ("tests/core/test_constrained_reviews.py", "tests/core/test_guidance.py"),
    "validation": ("tests/core/test_constrained_programs.py",),
    "commitment": ("tests/core/test_constrained_programs.py",),
}


class Survivor(TypedDict):
    """A mutant that no test noticed."""

    function: str
    was: str
    becomes: str
    status: str


class Result(TypedDict):
    """What came of a module: its source's hash, how many mutants, and those that survived.

    `timeouts` says how many were killed because no test ended in time; early runs did not count it.
    """

    source: str
    mutants: int
    timeouts: NotRequired[int]
    survivors: list[Survivor]


class Explained(TypedDict):
    """A mutant that behaves as the original does, and why."""

    function: str
    was: str
    becomes: str
    reason: str


def run(module: str, tests: Sequence[str], workers: int) -> Result:
    """Run mutmut on a module of the core: on what its own tests leave, on more and more tests."""
    found: dict[str, str] = {}
    for stage in stages(module, tests):
        left = [name for name, status in found.items() if status not in KILLED]
        if left or not found:
            found |= statuses([module], stage, left, workers)
    return {
        "source": source_of(module),
        "mutants": len(found),
        "timeouts": sum(status == "timeout" for status in found.values()),
        "survivors": [
            survivor(name, status) for name, status in found.items() if status not in KILLED
        ],
    }


def stages(module: str, tests: Sequence[str]) -> list[Sequence[str]]:
    """Return which tests are run, one after another: those of the module first, for speed."""
    name = module.removeprefix("_")
    folders = (ROOT / "tests" / "core", RESULTS.parent)
    patterns = (f"test_{name}.py", f"test_{name}_*.py")
    own = sorted({each for folder in folders for p in patterns for each in folder.glob(p)})
    named = [str(file.relative_to(ROOT)) for file in own] + list(NEAREST.get(module, ()))
    return [*([named] if named else []), tests, [*tests, PROPERTIES]]


def statuses(
    modules: Sequence[str], tests: Sequence[str], names: Sequence[str], workers: int
) -> dict[str, str]:
    """Return what came of each named mutant, or of all of them, in a workspace made anew."""
    prepare(WORKSPACE, modules, tests)
    # It must be there before Python starts, or Python remembers that it is not.
    (WORKSPACE / "mutants").mkdir()
    paths = [WORKSPACE / "mutants", *(ROOT / name for name in ("kernels", "proofs", "bindings"))]
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join(map(str, [*paths, ROOT])),
    }
    command = [str(MUTMUT), "run", "--max-children", str(workers), *names]
    quietly(command, environment)
    listed = (line.strip().rpartition(": ") for line in ask("results", "--all", "true"))
    found = {name: status for name, _, status in listed if not names or name in names}
    if unchecked := [name for name, status in found.items() if status == "not checked"]:
        raise RuntimeError(f"not checked: {', '.join(unchecked)}")
    return found


def quietly(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run mutmut; without a terminal for its spinner, what it says is shown only if it fails."""
    output = None if sys.stdout.isatty() else subprocess.PIPE
    done = subprocess.run(
        command,
        cwd=WORKSPACE,
        env=environment,
        stdout=output,
        stderr=output,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout or "", done.stderr or "", sep="", file=sys.stderr)
        done.check_returncode()


def ask(*arguments: str) -> list[str]:
    """Return the lines that mutmut prints."""
    done = subprocess.run(
        [MUTMUT, *arguments], cwd=WORKSPACE, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def survivor(name: str, status: str) -> Survivor:
    """Return a mutant as it is listed: where it is, and what it changes."""
    difference = [line for line in ask("show", name) if line[:3] not in {"---", "+++"}]
    return {
        "function": function_of(name),
        "was": lines_after("-", difference),
        "becomes": lines_after("+", difference),
        "status": status,
    }


def function_of(name: str) -> str:
    """Return the function of a mutant: `ledger.settle` of `licet.ledger.x_settle__mutmut_1`."""
    module, _, mangled = name.rpartition("__mutmut_")[0].rpartition(".")
    function = mangled.removeprefix("xǁ" if "ǁ" in mangled else "x_").replace("ǁ", ".")
    return f"{module.removeprefix('licet.')}.{function}"


def lines_after(sign: str, difference: Iterable[str]) -> str:
    """Return the lines of a difference that begin with a sign, in one line."""
    return " ".join(line[1:].strip() for line in difference if line.startswith(sign))


def source_of(module: str) -> str:
    """Return the beginning of the hash of a module's source."""
    return hashlib.sha256((CORE / f"{module}.py").read_bytes()).hexdigest()[:12]


def explanations() -> dict[tuple[str, str, str], str]:
    """Return why each listed mutant behaves as the original does."""
    listed: list[Explained] = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("mutant", [])
    return {(each["function"], each["was"], each["becomes"]): each["reason"] for each in listed}


def document(results: dict[str, Result], explained: dict[tuple[str, str, str], str]) -> str:
    """Return docs/mutants.md."""
    rows, equivalent, open_ones = [], [], []
    totals = [0, 0, 0, 0]
    for module, result in results.items():
        listed = equals = 0
        for one in result["survivors"]:
            reason = explained.get((one["function"], one["was"], one["becomes"]))
            change = f"`{one['function']}` | {code(one['was'])} | {code(one['becomes'])}"
            if reason is None:
                listed += 1
                open_ones.append(f"| {change} | {one['status']} |")
            else:
                equals += 1
                equivalent.append(f"| {change} | {reason} |")
        counts = (result["mutants"], result["mutants"] - listed - equals, equals, listed)
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        rows.append(row(module, result["source"], counts, str(result.get("timeouts", ""))))
    rows.append(row("all of these", "", totals, ""))
    missing = sorted({name for names, _ in GROUPS for name in names} - results.keys())
    return "\n".join(
        [
            INTRODUCTION,
            "| module | source | mutants | killed | by time-out | equivalent | survive | score |",
            "|---|---|---:|---:|---:|---:|---:|---:|",
            *rows,
            "",
            f"Not run yet: {', '.join(f'`{name}`' for name in missing)}." if missing else "",
            "\n## Survivors\n",
            *table("| function | was | becomes | status |", open_ones),
            "\n## Equivalent\n",
            *table("| function | was | becomes | why nothing can tell them apart |", equivalent),
            "",
        ]
    )


INTRODUCTION: Final = """\
# Mutants of the core

`make mutants` changes the core in one place at a time, with [mutmut](https://mutmut.readthedocs.io),
and runs the tests that reach the changed function. A mutant is *killed* when a test fails or never
ends; it *survives* when none does. This page is written from what was found last.

The contracts are taken away first: mutmut leaves decorated functions alone, and without contracts
it is the tests that must notice. Changed are the bodies of functions and methods, properties too,
and texts of messages; not class bodies, module constants, or `len` and `isinstance`. First run are
the tests nearest to the module, in `tests/core` and `tests/mutants`; on what survives those, the
tests of the core or the gate and all of `tests/mutants`; on what survives those, also the
properties that `make quick` runs, with 20 generated examples each, the same for every mutant. The
slow enumerations, the symbolic conditions and the solver's goals are not run against mutants.

The score is the killed among those that are not equivalent. *Source* is the beginning of the
module's SHA-256 when it was run; *by time-out* counts the killed on which no test failed, but the
run did not end in time (early runs did not count them).
"""


def row(module: str, source: str, counts: Sequence[int], timeouts: str) -> str:
    """Return one line of the table of modules."""
    mutants, killed, equivalent, survive = counts
    score = 100 * killed / (mutants - equivalent) if mutants > equivalent else 100.0
    cells = (module, source, mutants, killed, timeouts, equivalent, survive, f"{score:.1f}")
    return f"| {' | '.join(map(str, cells))} |"


def table(head: str, rows: Sequence[str]) -> list[str]:
    """Return a table, or that there is nothing in it."""
    return [head, "|---" * (head.count("|") - 1) + "|", *rows] if rows else ["None."]


def code(text: str) -> str:
    """Return a line of code as Markdown in a table."""
    escaped = text.replace("|", "\\|")
    return f"`` {escaped} ``" if escaped else "nothing"


def main(arguments: Sequence[str]) -> int:
    """Run, write what was found, and return the exit status."""
    known = [name for names, _ in GROUPS for name in names]
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation testing.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="modules of core/licet")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--document", action="store_true", help="only write the document anew")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.modules) - set(known):
        parser.error(f"no such module: {', '.join(sorted(unknown))}")
    results: dict[str, Result] = json.loads(RESULTS.read_text("utf-8"))
    before = DOCUMENT.read_text("utf-8") if DOCUMENT.exists() else None
    wanted = [] if chosen.document else chosen.modules or known
    for names, tests in GROUPS:
        # One after another, so that what was found of one is kept whatever becomes of the next.
        for module in (name for name in names if name in wanted):
            results[module] = run(module, tests, chosen.workers)
            write({name: results[name] for name in known if name in results})
    write({name: results[name] for name in known if name in results})
    page = "unchanged" if DOCUMENT.read_text("utf-8") == before else "written"
    explained = explanations()
    print(closing({name: results[name] for name in known if name in wanted}, explained, page))
    return int(
        any(
            (one["function"], one["was"], one["becomes"]) not in explained
            for result in results.values()
            for one in result["survivors"]
        )
    )


def closing(
    results: Mapping[str, Result], explained: Mapping[tuple[str, str, str], str], page: str
) -> str:
    """Return what is said at the end, in one line; `page` is what became of the document."""
    made = sum(result["mutants"] for result in results.values())
    left = [one for result in results.values() for one in result["survivors"]]
    equal = sum((one["function"], one["was"], one["becomes"]) in explained for one in left)
    counts = (
        f"{', '.join(results)}: {made} mutants, {made - len(left)} killed, {equal} equivalent,"
        f" {len(left) - equal} survive; "
        if results
        else ""
    )
    return f"{counts}docs/mutants.md {page}"


def write(results: dict[str, Result]) -> None:
    """Keep the results, and write the document."""
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    DOCUMENT.write_text(document(results, explanations()), "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
