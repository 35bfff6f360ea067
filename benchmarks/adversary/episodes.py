"""Chunks of adversarial reviews: each a pure function of the seed and its number."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

from licet import (
    Answer,
    CheckRequest,
    CloseRequest,
    ReportRequest,
    Review,
    StopRequest,
    denote,
    render,
)

from .agent import Agent
from .cases import Case, random_case
from .resolver import Interruption, Resolver
from .witness import Violation, Witness

EPISODES_OF_A_PROGRAM: Final = 10
REQUESTS_OF_AN_EPISODE: Final = 24
EXAMPLES_KEPT: Final = 20


@dataclass(slots=True)
class Figures:
    """What a number of adversarial reviews came to.

    Attributes:
        counts: requests, programs, episodes, conclusions reported and so on, by name.
        answers: requests by the kind of the answer.
        resolvers: calls of resolvers by what they did.
        violations: by kind; there must be none.
        examples: the first of them in words.
    """

    counts: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    resolvers: Counter[str] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, other: "Figures") -> None:
        """Add the figures of other reviews."""
        self.counts.update(other.counts)
        self.answers.update(other.answers)
        self.resolvers.update(other.resolvers)
        self.violations.update(other.violations)
        self.examples = [*self.examples, *other.examples][:EXAMPLES_KEPT]

    def add_violations(self, found: list[Violation], place: str) -> None:
        """Count violations, and keep the first as examples."""
        self.violations.update(violation.kind for violation in found)
        more = [f"{place}: {violation.kind}: {violation.detail}" for violation in found]
        self.examples = [*self.examples, *more][:EXAMPLES_KEPT]


def run_chunk(seed: int, number: int, requests: int) -> Figures:
    """Make exactly `requests` requests; the same seed and number make the same ones.

    Args:
        seed: of the whole run.
        number: of this chunk.
        requests: how many to make, those that are garbage or come after the end included. What
            resolvers ask on the side is not counted.
    """
    random = Random(f"{seed}/{number}")
    figures = Figures()
    while figures.counts["requests"] < requests:
        case = random_case(random)
        figures.counts["programs"] += 1
        for _ in range(EPISODES_OF_A_PROGRAM):
            left = requests - figures.counts["requests"]
            if left > 0:
                _run_episode(random, case, left, figures, f"chunk {number}")
    return figures


def _run_episode(random: Random, case: Case, most: int, figures: Figures, place: str) -> None:
    """Run one review to its end, in at most `most` requests."""
    budget = _random_budget(random, case)
    witness = Witness(case, budget)
    figures.counts["episodes"] += 1
    place = f"{place}, episode {figures.counts['episodes']}"
    try:
        resolver = Resolver(random, case, witness)
        review = _open(case, resolver, budget, random.random() < 0.7)
        if review is not None:
            _converse(random, case, review, witness, figures, most)
            _read_outcome(review, witness, figures)
        figures.resolvers.update(resolver.ways)
        figures.counts["atoms in conflict"] += witness.conflicts
    except Exception as error:
        # Whatever was asked, the kernel answers; it raises only what a resolver interrupts with.
        witness.objects("raised", f"{type(error).__name__}: {error}")
    figures.add_violations(witness.violations, place)


def _random_budget(random: Random, case: Case) -> Fraction:
    """Return a budget from nothing to several times what all checks cost."""
    everything = sum(case.cost.values(), Fraction(2))
    share = Fraction(random.randint(0, 400), 100)
    return random.choice((Fraction(0), Fraction(1), everything, *[share * everything] * 9))


def _open(case: Case, resolver: Resolver, budget: Fraction, completion: bool) -> Review | None:
    try:
        review = Review(case.commitment, resolver, budget=budget, completion=completion)
    except Interruption:
        # With no budget, completion runs the free checks at once, and one of them interrupted.
        return None
    resolver.review = review
    return review


def _converse(
    random: Random, case: Case, review: Review, witness: Witness, figures: Figures, most: int
) -> None:
    agent = Agent(random, case)
    most = min(most, REQUESTS_OF_AN_EPISODE)
    after_the_end = random.choice((0, 0, 1, 3))
    for position in range(most):
        if review.over:
            after_the_end -= 1
            if after_the_end < 0:
                return
        last = position == most - 1
        asked = CloseRequest(random.random() < 0.5) if last else agent.next_request(review)
        figures.counts["requests"] += 1
        before = len(review.history)
        try:
            answer = _ask(random, review, asked)
        except Interruption:
            figures.answers["interrupted"] += 1
            witness.sees_interruption(review, review.history[before:])
            continue
        figures.answers[answer.kind.value] += 1
        witness.sees_answer(review, answer)


def _ask(random: Random, review: Review, asked: object) -> Answer:
    """Ask by one of the doors: as a request, as the first of a turn, or by its method."""
    request: Callable[[object], Answer] = review.request  # type: ignore[assignment]
    turn: Callable[[list[object]], Answer] = review.turn  # type: ignore[assignment]
    door = random.random()
    if door < 0.02:
        return turn([])
    if door < 0.1:
        return turn([asked, asked])
    match asked:
        case CheckRequest(check) if door < 0.3:
            return review.check(check)
        case ReportRequest(conclusion) if door < 0.3:
            return review.emit(conclusion)
        case StopRequest() if door < 0.3:
            return review.stop()
    return request(asked)


def _read_outcome(review: Review, witness: Witness, figures: Figures) -> None:
    while not review.over:
        try:
            review.close()
        except Interruption:
            continue
    outcome = review.outcome
    witness.sees_outcome(outcome)
    text = render(outcome)
    witness.sees_text(text, denote(text), frozenset(outcome.conclusions))
    figures.counts.update(witness.refused)
    figures.counts["conclusions reported"] += len(outcome.conclusions)
    figures.counts["abstentions"] += not outcome.conclusions
    figures.counts["texts withheld"] += text.count("(text withheld")
    figures.counts[f"ended: {outcome.ending.value}"] += 1
