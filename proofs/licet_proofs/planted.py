"""Plants bugs in a copy of the kernel, one at a time, and asks which property falls.

A property that no bug breaks is worthless. Each bug is one exact change, made in a copy of the
kernel, or of the compiled kernels, in a temporary folder; the property named for it runs there in a
process of its own, from the same examples every time. It runs under `python -O`, which takes the
kernel's contracts away, so that it is the property that catches the bug; compiled kernels are left
to the interpreter, which runs the same code and needs no time to compile it. An unchanged copy must
have every property.

As a program: `python -m licet_proofs.planted` plants every bug and prints what caught it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

import licet
import licet_kernels

from . import (
    planted_books,
    planted_constraints,
    planted_decisions,
    planted_evidence,
    planted_freshness,
    planted_gate,
    planted_kernels,
    planted_reviews,
    planted_uncertain,
)
from .planted_bug import Bug

BUGS: Final = (
    *planted_decisions.BUGS,
    *planted_constraints.BUGS,
    *planted_reviews.BUGS,
    *planted_evidence.BUGS,
    *planted_freshness.BUGS,
    *planted_uncertain.BUGS,
    *planted_gate.BUGS,
    *planted_books.BUGS,
    *planted_kernels.BUGS,
)
COPIED: Final = (Path(licet.__file__).parent, Path(licet_kernels.__file__).parent)
"""The packages that bugs are planted in."""

EXAMPLES: Final = 300
"""Examples at most for one property; a bug is caught by far fewer."""

CONTROL_EXAMPLES: Final = 20
SECONDS: Final = 300.0
"""After this time a property is taken for one that never ends."""


class Verdict(Enum):
    """How a property came out on a copy of the kernel."""

    HOLDS = "holds"
    FALLS = "falls"
    BREAKS = "breaks"  # something but the property itself raised
    HANGS = "hangs"


class Finding(NamedTuple):
    """One property on one copy: the verdict, what was seen, and the seconds it took."""

    property: str
    verdict: Verdict
    seen: str
    seconds: float


class NotPlanted(ValueError):
    """The passage that a bug replaces does not stand in its file exactly once."""


@contextmanager
def kernel_copy(bug: Bug | None) -> Iterator[Path]:
    """Give a folder to import from: copies of the kernels, with the bug planted if any.

    Raises:
        NotPlanted: the bug's passage is not there exactly once.
    """
    with tempfile.TemporaryDirectory() as folder:
        for original in COPIED:
            copy = Path(folder) / original.name
            shutil.copytree(original, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if bug is not None:
            file = Path(folder) / bug.package / bug.file
            source = file.read_text(encoding="utf-8")
            if source.count(bug.original) != 1:
                raise NotPlanted(
                    f"{bug.name}: expected its passage once in {bug.file},"
                    f" found it {source.count(bug.original)} times"
                )
            file.write_text(source.replace(bug.original, bug.planted), encoding="utf-8")
        yield Path(folder)


def examine(bug: Bug | None, properties: Sequence[str], examples: int) -> list[Finding]:
    """Return how the properties come out on a copy of the kernel, without its contracts."""
    with kernel_copy(bug) as folder:
        paths = [str(folder), str(Path(__file__).parents[1])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "1",
        }
        command = [sys.executable, "-O", "-m", "licet_proofs.planted", "--examine", str(folder)]
        try:
            done = subprocess.run(
                [*command, "--examples", str(examples), *properties],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=True,
            )
        except subprocess.TimeoutExpired:
            return [Finding(name, Verdict.HANGS, "", SECONDS) for name in properties]
    found: list[tuple[str, str, str, float]] = json.loads(done.stdout)
    return [Finding(name, Verdict(verdict), seen, s) for name, verdict, seen, s in found]


def catch(bug: Bug) -> Finding:
    """Return how the bug's property comes out when the bug is planted; it must fall."""
    (finding,) = examine(bug, [bug.falls], EXAMPLES)
    return finding


def control() -> list[Finding]:
    """Return how every property named by a bug comes out on an unchanged copy; all must hold."""
    return examine(None, list(dict.fromkeys(bug.falls for bug in BUGS)), CONTROL_EXAMPLES)


def _serve(folder: str, examples: int, names: Sequence[str]) -> None:
    """In the process of its own: try properties on the kernel in `folder`, print the findings."""
    from hypothesis import Phase, settings

    for package in COPIED:
        if package.parent.resolve() != Path(folder).resolve():
            raise ImportError(f"what is in {folder} was to be imported, found {package}")
    settings.register_profile(
        "planted",
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        report_multiple_bugs=False,
        print_blob=False,
    )
    settings.load_profile("planted")
    # Only now: the properties take the profile that is in force when they are imported.
    from .catalogue import catalogue
    from .expect import PropertyFalls

    found = []
    for name in names:
        start = time.perf_counter()
        verdict, seen = Verdict.HOLDS, ""
        try:
            catalogue()[name].check()
        except PropertyFalls as fell:
            verdict, seen = Verdict.FALLS, str(fell)
        except Exception as error:
            verdict, seen = Verdict.BREAKS, f"{type(error).__name__}: {error}"
        found.append((name, verdict.value, seen[:300], round(time.perf_counter() - start, 2)))
    json.dump(found, sys.stdout)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant every bug and print what caught it; 1 if one was not caught."""
    parser = argparse.ArgumentParser(prog="python -m licet_proofs.planted", description=__doc__)
    parser.add_argument("--examine", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--examples", type=int, default=EXAMPLES, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.examine:
        _serve(options.examine, options.examples, options.names)
        return 0
    failed = 0
    for finding in control():
        failed += finding.verdict is not Verdict.HOLDS
        print(f"{finding.verdict.value:7} {finding.seconds:6.1f} s  {finding.property}, unchanged")
    for bug in BUGS:
        finding = catch(bug)
        failed += finding.verdict is not Verdict.FALLS
        print(f"{finding.verdict.value:7} {finding.seconds:6.1f} s  {bug.falls}: {bug.name}")
        if finding.verdict is Verdict.BREAKS:
            print(f"        {finding.seen}")
    print(f"{len(BUGS)} bugs were planted; {failed} findings are not as they must be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
