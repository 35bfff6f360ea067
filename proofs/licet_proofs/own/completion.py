"""Theorem 4.3 on a user's own program: an agent that stops at once, on every truth assignment."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from time import monotonic
from typing import Final

from licet import Check, Commitment, Review, Value
from licet.compiled import CompiledProgram

from ..independent import strongest_supported
from .findings import Finding, Word, named, number
from .ledgers import SECONDS, Ledgers

ASSIGNMENT_LIMIT: Final = 512
"""More truth assignments than this are sampled: as many of them are tried, or fewer of a program
with many atoms and literals."""

WORK: Final = 2_000_000
"""What all reviews of a sample may cost together: atoms times literals each."""

STOPS: Final = 4
"""Three reminders at most come before a stop is heeded."""

TOO_LARGE: Final = (
    "call classes overlap, and finding the cheapest checks of so many routes takes too long"
)


class _TimeIsOver(BaseException):
    """Ends a review from within: an `Exception` of a resolver would be a failed read."""


def is_chain(program: CompiledProgram) -> bool:
    """Return whether every two conclusions are comparable."""
    below = sorted(mask.bit_count() for mask in program.at_or_below)
    return below == list(range(1, len(below) + 1))


def completes(commitment: Commitment, ledgers: Ledgers, needed: Fraction) -> Finding:
    """Theorem 4.3 on this program: stop at once with N(z0), on every truth assignment."""
    title = "theorem 4.3"
    if not is_chain(ledgers.program):
        return Finding(title, Word.ADVICE, "does not apply: the conclusions are no chain")
    if not ledgers.aims:
        return Finding(title, Word.ADVICE, f"not checked: {TOO_LARGE}")
    names = [ledgers.program.atoms[atom] for atom in ledgers.atoms]
    others = [name for name in ledgers.program.atoms if name not in names]
    total, tried = 2 ** len(names), 0
    most = min(ASSIGNMENT_LIMIT, 4 + WORK // (len(names) * ledgers.literals))
    end = monotonic() + SECONDS
    for values in _assignments(len(names), most):
        truth = dict(zip(names, values, strict=True)) | dict.fromkeys(others, False)
        expected = strongest_supported(ledgers.paper, truth)
        try:
            reported = _stopped_at_once(commitment, needed, truth, end)
        except _TimeIsOver:
            break
        tried += 1
        if reported != (() if expected is None else (expected,)):
            so = ", ".join(f"{'' if truth[a] else '!'}{a}" for a in names)
            return Finding(
                title,
                Word.FAULT,
                f"with {number(needed)} and {so} an agent that stops at once gets"
                f" {named(reported)}, not {expected}",
            )
    if not tried:
        return Finding(
            title, Word.ADVICE, f"not checked: a single review takes more than {SECONDS:g} s"
        )
    covered = _covered(tried, min(total, most), len(names))
    return Finding(title, Word.HOLDS, f"holds at {number(needed)}", covered)


def _covered(tried: int, planned: int, atoms: int) -> str:
    stopped = f", stopped after {SECONDS:g} s" if tried < planned else ""
    if planned < 2**atoms:
        return f"sampled: {tried:,} of 2^{atoms} truth assignments{stopped}"
    if stopped:
        return f"the first {tried:,} of 2^{atoms} truth assignments{stopped}"
    return f"every truth assignment enumerated: {tried:,}"


def _assignments(atoms: int, most: int) -> Iterator[tuple[bool, ...]]:
    if 2**atoms <= most:
        yield from product((False, True), repeat=atoms)
        return
    draw = Random(0)
    for _ in range(most):
        yield tuple(draw.random() < 0.7 for _ in range(atoms))


def _stopped_at_once(
    commitment: Commitment, budget: Fraction, truth: Mapping[str, bool], end: float
) -> tuple[str, ...]:
    """Return what an agent that stops at once gets.

    Raises:
        _TimeIsOver: it takes longer than to the time `end`.
    """

    def resolver(check: Check) -> Mapping[str, Value]:
        if monotonic() > end:
            raise _TimeIsOver
        return {atom: truth[atom] for atom in check.settles}

    review = Review(commitment, resolver, budget=budget)
    for _ in range(STOPS):
        review.stop()
    return review.outcome.conclusions
