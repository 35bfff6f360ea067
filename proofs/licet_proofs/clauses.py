"""What is to be shown of the kernel, clause by clause, and what shows it.

A clause is one claim of the papers, in their terms. It is shown by parts, each of one method, and
each part by checks: conditions for the symbolic executor, enumerations, goals for a solver,
generated examples, worked examples. What a part of a confirming method shows is *confirmed* within
its bounds; what the other two show is *tested*. A part is never both.

What must be confirmed, and within which bounds, stands in `required.json` and nowhere else.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from .confirm import ENUMERATED, SOLVER, SYMBOLIC


class Method(Enum):
    """How something is shown; the last two only test it."""

    SYMBOLIC = SYMBOLIC
    SOLVER = SOLVER
    ENUMERATION = ENUMERATED
    GENERATED = "generated examples"
    WORKED = "worked examples"

    @property
    def confirms(self) -> bool:
        """Whether it covers everything within its bounds."""
        return self not in (Method.GENERATED, Method.WORKED)


class Word(Enum):
    """The verdict on a check, a part or a run, the worst last.

    CONFIRMED: all paths, cases or numbers within the bounds. TESTED: every example that was tried
    satisfies it. NOT_CONFIRMED: it must be confirmed and was not, and nothing refutes it: the time
    was up, or the bounds are not those required. BREAKS: the check itself failed to run. FALLS:
    there is a counterexample.
    """

    CONFIRMED = "confirmed"
    TESTED = "tested"
    NOT_CONFIRMED = "not confirmed"
    BREAKS = "breaks"
    FALLS = "falls"

    @property
    def is_good(self) -> bool:
        """Whether it is what it must be."""
        return self in (Word.CONFIRMED, Word.TESTED)


SEVERITY: Final = tuple(Word)


def worst(words: Iterable[Word]) -> Word:
    """Return the worst of some verdicts, of which there must be one."""
    return max(words, key=SEVERITY.index)


@dataclass(frozen=True, slots=True)
class Part:
    """What shows a clause by one method.

    Attributes:
        method: how.
        checks: the names of what is run.
        bounds: the domain in words; of a confirming method, `required.json` has it and this is "".
    """

    method: Method
    checks: tuple[str, ...]
    bounds: str = ""

    def bounds_in(self, required: Mapping[str, str]) -> str:
        """Return the bounds in words, those of several checks one after the other."""
        if not self.method.confirms:
            return self.bounds
        return "; ".join(dict.fromkeys(required.get(name, "not listed") for name in self.checks))

    @property
    def promised(self) -> Word:
        """The verdict that it must get."""
        return Word.CONFIRMED if self.method.confirms else Word.TESTED


@dataclass(frozen=True, slots=True)
class Clause:
    """One claim.

    Attributes:
        name: short, for `--only`.
        says: the claim, in the terms of the papers.
        source: the theorem, equation, definition or rule.
        parts: what shows it, the strongest method first.
    """

    name: str
    says: str
    source: str
    parts: tuple[Part, ...]

    @property
    def is_confirmed(self) -> bool:
        """Whether it must be confirmed, and not only tested."""
        return any(part.method.confirms for part in self.parts)


def symbolic(*checks: str) -> Part:
    """Return a part of conditions that the symbolic executor confirms."""
    return Part(Method.SYMBOLIC, checks)


def enumerated(*checks: str) -> Part:
    """Return a part of enumerations of finite spaces."""
    return Part(Method.ENUMERATION, checks)


def solved(*checks: str) -> Part:
    """Return a part of goals that a solver proves over the reals."""
    return Part(Method.SOLVER, checks)


def generated(bounds: str, *checks: str) -> Part:
    """Return a part of properties that generated examples test."""
    return Part(Method.GENERATED, checks, bounds)


def worked(bounds: str, *checks: str) -> Part:
    """Return a part of properties that examples written out test."""
    return Part(Method.WORKED, checks, bounds)


def clauses() -> dict[str, Clause]:
    """Return every clause by its name: of review, constraints, gate and kernels."""
    from . import (
        clauses_constraints,
        clauses_gate,
        clauses_kernels,
        clauses_review,
        clauses_uncertain,
    )

    listed = (
        *clauses_review.CLAUSES,
        *clauses_uncertain.CLAUSES,
        *clauses_constraints.CLAUSES,
        *clauses_gate.CLAUSES,
        *clauses_kernels.CLAUSES,
    )
    return {clause.name: clause for clause in listed}


def chosen(only: Iterable[str], among: Mapping[str, Clause]) -> tuple[Clause, ...]:
    """Return what `only` names: clauses, or checks, each with the clauses that it shows; else all.

    Raises:
        LookupError: a name is of neither; it is the argument.
    """
    names = frozenset(only)
    checks = {name for clause in among.values() for part in clause.parts for name in part.checks}
    for name in sorted(names - among.keys() - checks):
        raise LookupError(name)
    if not names:
        return tuple(among.values())
    kept = (c if c.name in names else _with_checks(c, names) for c in among.values())
    return tuple(clause for clause in kept if clause.parts)


def _with_checks(clause: Clause, names: Container[str]) -> Clause:
    """Return the clause with the named checks alone."""
    parts = (
        replace(part, checks=tuple(name for name in part.checks if name in names))
        for part in clause.parts
    )
    return replace(clause, parts=tuple(part for part in parts if part.checks))
