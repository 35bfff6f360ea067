"""Compares the checker of certificates with the core: `python -m licet_proofs.checked --cases N`.

Reviews of generated programs are run by the kernel. The certificate of each must be accepted; one
that is tampered with must be accepted exactly if the core says that licet could have issued it; one
whose form is broken must be refused; and nothing but `Refused` may be raised. Some tampering leaves
a certificate true, of another review or program: those are the accepted ones in the table.

All is drawn from the seed; a case that they disagree on is printed, and the exit code is then 1.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import blake2b
from random import Random
from types import ModuleType
from typing import Final, NamedTuple

from . import checker, malformed, tampering, tampering_evidence
from .certified import random_review
from .certified_by_core import could_be_issued
from .certified_programs import random_commitment

CHUNK: Final = 5_000
"""Cases that one seed gives."""

REVIEWS: Final = 4
"""Reviews of one program."""

TAMPERS: Final = (*tampering.KINDS, *tampering_evidence.KINDS)
"""Ways to tamper with a certificate."""

TAMPERED, BROKEN = 20, 2
"""Certificates that are made of one, by tampering and by breaking the form."""


class Case(NamedTuple):
    """A certificate as text, how it was made, and whether it must be accepted."""

    kind: str
    text: str
    holds: bool


class Disagreement(NamedTuple):
    """A case that the checker judges otherwise than it must, and what it said."""

    case: Case
    said: str


class Tally(NamedTuple):
    """What was compared.

    Attributes:
        accepted: certificates of each kind that were accepted, as they must be.
        refused: those that were refused, as they must be.
        disagreements: the others.
        distinct: short hashes of the certificates, to count the different ones.
        programs: hashes of the programs that were committed to.
    """

    accepted: Counter[str]
    refused: Counter[str]
    disagreements: list[Disagreement]
    distinct: set[bytes]
    programs: set[str]

    @property
    def cases(self) -> int:
        """How many certificates were judged."""
        return self.accepted.total() + self.refused.total() + len(self.disagreements)


def cases(random: Random, programs: set[str]) -> Iterator[Case]:
    """Yield cases without end; the hashes of their programs are added to `programs`."""
    while True:
        commitment = random_commitment(random)
        programs.add(commitment.sha256)
        for _ in range(REVIEWS):
            certificate = random_review(commitment, random).certificate
            text = json.dumps(certificate)
            yield Case("genuine", text, True)
            for _ in range(TAMPERED):
                tamper = random.choice(TAMPERS)
                stated = tampering.tampered(text, tamper, random)
                changed = json.dumps(stated)
                if changed != text:
                    yield Case(tamper.__name__, changed, could_be_issued(stated))
            for _ in range(BROKEN):
                breaks = random.choice(malformed.KINDS)
                broken = breaks(text, random)
                if broken != text:
                    yield Case(breaks.__name__, broken, False)


def compare(seed: str, count: int, judge: ModuleType = checker) -> Tally:
    """Return how the checker judges the first `count` cases of a seed.

    Args:
        seed: what all is drawn from.
        count: how many cases.
        judge: the checker, or one with a bug planted in it.
    """
    programs: set[str] = set()
    accepted, refused = Counter[str](), Counter[str]()
    disagreements: list[Disagreement] = []
    distinct: set[bytes] = set()
    for case, _ in zip(cases(Random(seed), programs), range(count), strict=False):
        distinct.add(blake2b(case.text.encode(), digest_size=8).digest())
        holds, said = verdict(case.text, judge)
        if holds is not case.holds:
            disagreements.append(Disagreement(case, said))
        else:
            (accepted if holds else refused)[case.kind] += 1
    return Tally(accepted, refused, disagreements, distinct, programs)


def verdict(text: str, judge: ModuleType, pins: Set[str] = frozenset()) -> tuple[bool | None, str]:
    """Return whether a certificate is accepted, None where the checker fails, and what is said."""
    try:
        return True, judge.judged(text, pins)
    except judge.Refused as refused:
        return False, str(refused)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of what was compared in separate chunks."""
    accepted, refused = Counter[str](), Counter[str]()
    disagreements: list[Disagreement] = []
    distinct, programs = set[bytes](), set[str]()
    for tally in tallies:
        accepted += tally.accepted
        refused += tally.refused
        disagreements += tally.disagreements
        distinct |= tally.distinct
        programs |= tally.programs
    return Tally(accepted, refused, disagreements, distinct, programs)


def table(tally: Tally) -> str:
    """Return for each kind of certificate how many were accepted and refused."""
    lines = [f"{'certificate':20}{'cases':>10}{'refused':>10}{'accepted':>10}"]
    wrong = Counter(found.case.kind for found in tally.disagreements)
    kinds = ["genuine", *(kind.__name__ for kind in (*TAMPERS, *malformed.KINDS))]
    for kind in kinds:
        yes, no = tally.accepted[kind], tally.refused[kind]
        bad = f"  {wrong[kind]} judged otherwise by the core" if wrong[kind] else ""
        lines.append(f"{kind:20}{yes + no + wrong[kind]:>10,}{no:>10,}{yes:>10,}{bad}")
    return "\n".join(lines)


def chunks(seed: int, count: int, workers: int) -> Iterator[Tally]:
    """Yield what each chunk of `count` cases comes to, from that many processes."""
    sizes = [min(CHUNK, count - start) for start in range(0, count, CHUNK)]
    with ProcessPoolExecutor(workers) as pool:
        waiting = {pool.submit(compare, f"{seed}:{i}", size) for i, size in enumerate(sizes)}
        for done in as_completed(waiting):
            yield done.result()


def _show_progress(done: int, count: int, start: float) -> None:
    """Draw a bar on a terminal; elsewhere write nothing."""
    if sys.stderr.isatty():
        part = done / count
        bar = "#" * round(30 * part)
        spent = time.perf_counter() - start
        left = f", {spent / part - spent:4.0f} s left" if part else ""
        print(f"\r[{bar:30}] {done:,} of {count:,}{left}   ", end="", file=sys.stderr, flush=True)
        if done == count:
            print(file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as many cases as are asked for and print the table; 1 if there is a disagreement."""
    parser = argparse.ArgumentParser(
        prog="python -m licet_proofs.checked", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--cases", type=int, default=1_000_000, help="how many; a million")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from; 0")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args(arguments)
    if options.cases < 1 or options.workers < 1:
        parser.error("expected at least one case and one process")
    start, done, tallies = time.perf_counter(), 0, []
    _show_progress(0, options.cases, start)
    for tally in chunks(options.seed, options.cases, options.workers):
        tallies.append(tally)
        done += tally.cases
        _show_progress(done, options.cases, start)
    found = total(tallies)
    print(table(found))
    print(
        f"{found.cases:,} certificates, {len(found.distinct):,} of them different,"
        f" of {len(found.programs):,} programs: {len(found.disagreements)} disagreements;"
        f" {time.perf_counter() - start:.0f} s with {options.workers} processes"
    )
    for case, said in found.disagreements[:3]:
        expected = "accepted" if case.holds else "refused"
        print(f"\n{case.kind}: to be {expected}; the checker: {said}\n{case.text[:5_000]}")
    return 1 if found.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
