"""Simulated judges of texts with a known error, and agents that attest what they say.

A judge is wrong about an atom of a task with a fixed probability, by one draw for each: a judge
with a greater error is wrong wherever one with a smaller error is. In verified mode a second judge,
of the same error, is asked about the condition and the text alone; it shares the first one's draw
with a given probability and else draws for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, NamedTuple

from licet import AttestRequest, CheckKind, CheckRequest, Review
from licet_bindings.documents import commit_document

from ..corpus.draws import Draws
from ..corpus.tasks import Task
from ..scoring.episodes import EpisodeResult, result_of
from ..scoring.scores import score

BUDGET: Final = 20


class Setup(NamedTuple):
    """How texts are judged.

    Attributes:
        error: how likely a judgement is wrong.
        verified: whether a second judge must agree before a judgement is admitted.
        shared: how likely the second judge errs just as the first, by the same draw.
    """

    error: float
    verified: bool = False
    shared: float = 0.0


@dataclass(frozen=True, slots=True)
class Bench:
    """The two judges of one task.

    Attributes:
        task: the task.
        setup: how they judge.
        seed: of the draws.
    """

    task: Task
    setup: Setup
    seed: int

    def first(self, atom: str) -> bool:
        """Return what the agent takes to be true of the text."""
        return self._truth(atom) is not self._wrong("first", atom)

    def second(self, condition: str, text: str) -> bool:
        """Return what the second judge takes to be true of the condition."""
        atom = next(
            each.identifier
            for each in self.task.review_document.specification.atoms
            if each.sentence == condition
        )
        same = Draws(self.seed, f"shared {self._place(atom)}").chance(self.setup.shared)
        return self._truth(atom) is not self._wrong("first" if same else "second", atom)

    def _truth(self, atom: str) -> bool:
        value = self.task.reference.values[atom]
        assert value is not None
        return value

    def _wrong(self, judge: str, atom: str) -> bool:
        return Draws(self.seed, f"{judge} {self._place(atom)}").chance(self.setup.error)

    def _place(self, atom: str) -> str:
        return f"{self.task.identifier} {atom}"


Agent = Callable[[Review, Bench], "tuple[str, ...] | None"]
"""Works on an open review; returns what it states, or None for what licet states."""


def thorough(review: Review, bench: Bench) -> None:
    """Read all there is and judge every text atom."""
    for check in bench.task.review_document.specification.checks:
        review.request(CheckRequest(check.identifier))
        if check.kind is CheckKind.TEXT:
            for atom in check.settles:
                _attest(review, bench, atom)


def guided(review: Review, bench: Bench) -> None:
    """Do what guidance points to, each judgement once, until nothing is held."""
    judged: set[str] = set()
    while not review.over:
        guidance = review.guidance
        if guidance is None or not guidance.hold:
            return
        open_atoms = [atom for atom in guidance.attest if atom not in judged]
        if guidance.checks:
            review.request(CheckRequest(guidance.checks[0]))
        elif open_atoms:
            judged.add(open_atoms[0])
            _attest(review, bench, open_atoms[0])
        else:
            return


def overclaiming(review: Review, bench: Bench) -> tuple[str, ...]:
    """Judge as guidance points to, and state the strongest conclusion whatever was found."""
    guided(review, bench)
    return (bench.task.conclusions[-1],)


def _attest(review: Review, bench: Bench, atom: str) -> None:
    review.request(AttestRequest(atom, bench.first(atom), bench.task.quote(atom)))


AGENTS: Final[Mapping[str, Agent]] = {
    "unenforced, overclaims": overclaiming,
    "judges what guidance asks": guided,
    "judges everything": thorough,
}


def judged_episode(task: Task, agent: str, setup: Setup, seed: int) -> EpisodeResult:
    """Run an agent on a task with a text."""
    bench = Bench(task, setup, seed)
    review = Review(
        commit_document(task.review_document),
        task.resolver(),
        budget=BUDGET,
        completion=False,
        judge=bench.second if setup.verified else None,
    )
    stated = AGENTS[agent](review, bench)
    if not review.over:
        review.close()
    found = result_of(task.identifier, agent, review, seed)
    return found if stated is None else replace(found, stated=stated)


def expected_unsupported(task: Task, setup: Setup) -> float:
    """Return how likely false authorization is for the agent that judges everything; exactly.

    Every way in which its judgements can turn out is gone through, without licet: admitted and
    right, admitted and wrong, not admitted.
    """
    right, wrong = _admitted(setup)
    chances = {"right": right, "wrong": wrong, "open": 1 - right - wrong}
    return sum(prod(chances[how] for how in turned_out) for turned_out in _unsupported_ways(task))


@lru_cache(maxsize=512)
def _unsupported_ways(task: Task) -> tuple[tuple[str, ...], ...]:
    """Return the ways for a task's judgements to turn out that authorize what is unsupported."""
    known = {a: v for a, v in task.reference.values.items() if a not in task.quotes}
    found = []
    for turned_out in product(("right", "wrong", "open"), repeat=len(task.quotes)):
        recorded = {atom: value for atom, value in known.items() if value is not None}
        for atom, how in zip(task.quotes, turned_out, strict=True):
            if how != "open":
                recorded[atom] = (task.reference.values[atom] is True) is (how == "right")
        if _strongest_is_unsupported(task, recorded):
            found.append(turned_out)
    return tuple(found)


def _admitted(setup: Setup) -> tuple[float, float]:
    """Return how likely a judgement is admitted and right, and admitted and wrong."""
    right, wrong = 1 - setup.error, setup.error
    if not setup.verified:
        return right, wrong
    shared = setup.shared
    return right * (shared + (1 - shared) * right), wrong * (shared + (1 - shared) * wrong)


def _strongest_is_unsupported(task: Task, recorded: Mapping[str, bool]) -> bool:
    for conclusion in reversed(task.conclusions):
        stated = EpisodeResult(
            task.identifier, "", Fraction(0), (conclusion,), recorded, Fraction(0), 0, 0
        )
        found = score(task, stated)
        if not found.premature:
            return found.unsupported
    return False
