"""Episodes by the thousand, and one by the book: what an independent bookkeeper objects to."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

from licet import InvariantViolation, Outcome, Review

from .agents import REQUESTS, Agent, Answering
from .books import Books
from .problems import Problem, random_problem
from .witness import Witness

EPISODES_OF_A_PROGRAM: Final = 8
EXAMPLES_KEPT: Final = 20


@dataclass(slots=True)
class Figures:
    """What a number of episodes came to.

    Attributes:
        counts: episodes, requests, conflicts, retractions and so on, by name.
        answers: requests by the kind of the answer.
        objections: by kind; there must be none.
        examples: the first of them in words.
    """

    counts: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    objections: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, other: "Figures") -> None:
        """Add another's figures to these."""
        self.counts.update(other.counts)
        self.answers.update(other.answers)
        self.objections.update(other.objections)
        self.examples = (self.examples + other.examples)[:EXAMPLES_KEPT]

    def objected(self, where: str, witness: Witness) -> None:
        """Count what a witness objected to."""
        self.objections.update(kind for kind, _ in witness.objections)
        self.examples += [f"{where}: {kind}: {what}" for kind, what in witness.objections]
        del self.examples[EXAMPLES_KEPT:]


def run_chunk(seed: int, number: int, episodes: int) -> Figures:
    """Run so many generated episodes; the same seed and number give the same ones."""
    random = Random(f"{seed} {number}")
    figures = Figures()
    while figures.counts["episodes"] < episodes:
        problem = random_problem(random)
        figures.counts["programs"] += 1
        figures.counts["programs with constraints"] += bool(problem.commitment.compiled.clauses)
        figures.counts["partial orders"] += problem.commitment.specification.order is not None
        for _ in range(min(EPISODES_OF_A_PROGRAM, episodes - figures.counts["episodes"])):
            _episode(random, problem, figures, f"{seed} {number}.{figures.counts['episodes']}")
    return figures


def _episode(random: Random, problem: Problem, figures: Figures, where: str) -> None:
    """Run one episode: after every request the books are compared, and at its end the outcome."""
    budget = random.choice((*range(1, 24), 30, 40, 60, Fraction(9, 2), Fraction(17, 3), 0))
    verified = random.random() < 0.3
    witness = Witness(Books(problem, Fraction(budget), verified))
    answering = Answering(random, problem, witness.books)
    review = Review(
        problem.commitment,
        answering,
        budget=budget,
        completion=random.random() < 0.5,
        judge=answering.judge if verified else None,
    )
    agent = Agent(random, problem, answering.truth)
    for _ in range(random.randint(1, REQUESTS)):
        if review.over:
            break
        agent.act(review, witness)
        witness.sees_state(review)
        _count_state(figures, witness.books)
    with suppress(InvariantViolation):  # the outcome is asked for below, and would say so again
        review.close(complete=random.random() < 0.5)
    witness.sees_state(review)
    _count(figures, review, witness.books, witness.sees_outcome(review))
    figures.objected(where, witness)


def _count_state(figures: Figures, books: Books) -> None:
    figures.counts["requests"] += 1
    figures.counts["requests while an atom conflicts"] += bool(books.conflicting())
    figures.counts["requests while the constraints are contradicted"] += books.closure() is None
    figures.counts["requests while held"] += books.holds()
    figures.counts["requests while a conflict would authorize more"] += bool(
        books.fails_open() - books.authorized()
    )


def _count(figures: Figures, review: Review, books: Books, outcome: Outcome | None) -> None:
    counts = figures.counts
    counts["episodes"] += 1
    counts["verified episodes"] += books.verified
    counts["episodes with a conflict"] += _has_conflicted(books)
    counts["episodes with a retraction"] += bool(books.withdrawn)
    counts["attestations admitted"] += sum(not isinstance(one.source, str) for one in books.ever)
    known = {atom for atom, _ in books.closure() or ()}
    counts["atoms implied at the end"] += len(known - {one.atom for one in books.said})
    counts["candidates that established nothing"] += len(books.visited)
    figures.answers.update(entry.answer.kind.value for entry in review.history)
    if outcome is None:
        return
    counts["conclusions reported"] += len(outcome.conclusions)
    counts["episodes that abstained"] += not outcome.conclusions
    counts["several findings"] += len(outcome.conclusions) > 1
    counts[f"ended: {outcome.ending.value}"] += 1


def _has_conflicted(books: Books) -> bool:
    values = {(one.atom, one.value) for one in books.ever}
    return any((atom, not value) in values for atom, value in values)
