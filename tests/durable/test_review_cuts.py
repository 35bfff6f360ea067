"""A review that is cut off anywhere and resumed ends as one whose resolver failed there."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest

from licet import Entry, Failed, Outcome, Review
from licet.episode import begin
from licet_bindings.durable.entries import Kind
from licet_bindings.durable.episodes import read_episode, read_opening
from licet_bindings.durable.event_json import EntryReader
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.outcomes import review_end
from licet_bindings.durable.reviews import WrittenReview, review_opening_of, written_review
from tests.durable.scripts import NAME, NOON, ReviewScript, ask, first_entries, is_answer

RUNNING = ("run", "judge")


def opened(store: MemoryStore) -> DurableLedger:
    return DurableLedger(store, clock=lambda: NOON)


def whole_review(script: ReviewScript, store: MemoryStore, ran: list[str]) -> Review:
    review = opened(store).review(
        script.commitment,
        script.resolver(ran),
        name=NAME,
        budget=script.budget,  # type: ignore[arg-type]
        completion=script.completion,
        judge=script.judge(ran),
        record="a record",
    )
    for request in script.requests:
        ask(review, request)
    return review


def reference(script: ReviewScript, failing: int) -> tuple[Review, list[str]]:
    """Return a review without a ledger, of whose calls one fails; -1 for none."""
    ran: list[str] = []
    review = Review(
        script.commitment,
        script.resolver(ran, failing),
        budget=script.budget,  # type: ignore[arg-type]
        completion=script.completion,
        judge=script.judge(ran, failing),
    )
    for request in script.requests:
        ask(review, request)
    return review, ran


def read(store: MemoryStore) -> WrittenReview:
    first = read_opening(store, NAME, Kind.REVIEW)
    opening = review_opening_of(first)
    entries = read_episode(store, first.sequence)
    return written_review(opening, store.program(opening.program_sha256), entries)


def without_reasons(history: Sequence[Entry]) -> list[tuple[object, object]]:
    return [
        (
            "failed" if isinstance(entry.event, Failed) else entry.event,
            entry.answer._replace(reason=""),
        )
        for entry in history
    ]


def decided(outcome: Outcome) -> tuple[object, ...]:
    return (
        outcome.ledger,
        outcome.conclusions,
        outcome.authorized,
        outcome.supports,
        outcome.unresolved,
        [failure.check for failure in outcome.failures],
        outcome.spent,
        outcome.budget,
        outcome.ending,
        outcome.suspension,
    )


def check_whole(script: ReviewScript, store: MemoryStore, review: Review) -> None:
    """What is written is the review: every entry, and the outcome once, right where it ended."""
    written = read(store)
    assert written.history == review.history
    opening, outcome = written.opening, review.outcome
    assert written.end == review_end(
        outcome, opening.completion, review.history, "a record", opening.verified
    )
    kinds = [entry.kind for entry in read_episode(store, 2)]
    assert kinds.count(Kind.OUTCOME) == 1


class Cut(NamedTuple):
    """A review that went on from a cut.

    Attributes:
        review: the review.
        store: where it is written.
        answered: how many calls were answered before the cut.
        was_running: whether one more may have been running then.
        ran: the calls that were made after it.
    """

    review: Review
    store: MemoryStore
    answered: int
    was_running: bool
    ran: list[str]


def cut_and_resumed(script: ReviewScript, store: MemoryStore, count: int) -> Cut:
    """Return the review that goes on from so many entries of a ledger."""
    cut = first_entries(store, count)
    reader = EntryReader()
    history = [reader.read(entry.body) for entry in cut.episode(2) if entry.kind is Kind.EVENT]
    answered = sum(is_answer(entry.event) for entry in history)
    asked = len(history) - answered
    if history:
        was_running = history[-1].answer.kind.value in RUNNING
    else:
        first = begin(script.commitment, script.budget, script.completion)  # type: ignore[arg-type]
        was_running = first.waiting
    ran: list[str] = []
    review = opened(cut).resume(NAME, script.resolver(ran), judge=script.judge(ran))
    for request in script.requests[asked:]:
        ask(review, request)
    return Cut(review, cut, answered, was_running, ran)


QUICK = (*range(10, 22), 32)
"""Judges, retractions, candidates, completion and what is held are among them."""

SEEDS = [
    seed if seed in QUICK else pytest.param(seed, marks=pytest.mark.slow) for seed in range(60)
]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_review_goes_on_from_every_entry(seed: int) -> None:
    script = ReviewScript.random(Random(seed))
    store, ran = MemoryStore(), list[str]()
    review = whole_review(script, store, ran)
    plain, plainly_ran = reference(script, -1)
    assert (review.history, ran) == (plain.history, plainly_ran)
    assert review.outcome == plain.outcome
    check_whole(script, store, review)
    for count in range(2, store.head().sequence + 1):
        cut = cut_and_resumed(script, store, count)
        expected, expected_ran = reference(script, cut.answered if cut.was_running else -1)
        assert without_reasons(cut.review.history) == without_reasons(expected.history)
        assert decided(cut.review.outcome) == decided(expected.outcome)
        assert cut.review.remaining == expected.remaining
        # The call that was cut off is the one that is not made again.
        assert cut.ran == expected_ran[cut.answered + cut.was_running :]
        check_whole(script, cut.store, cut.review)


@pytest.mark.parametrize("seed", range(100, 110))
def test_a_review_goes_on_however_often_it_is_cut(seed: int) -> None:
    random = Random(seed)
    script = ReviewScript.random(random)
    store = MemoryStore()
    whole_review(script, store, [])
    running = 0
    for _ in range(5):
        count = random.randint(2, store.head().sequence)
        review, store, _answered, was_running, _ran = cut_and_resumed(script, store, count)
        running += was_running
        check_whole(script, store, review)
    interrupted = Failed("the call was interrupted")
    assert sum(entry.event == interrupted for entry in review.history) <= running


def test_the_scripts_have_what_a_review_can_have() -> None:
    """Else the tests above would show less than they say."""
    kinds: set[str] = set()
    with_candidates = verified = constrained = completed = 0
    for seed in range(60):
        script = ReviewScript.random(Random(seed))
        review, _ = reference(script, -1)
        kinds |= {entry.answer.kind.value for entry in review.history}
        program = script.commitment.compiled
        with_candidates += any(check.candidates for check in program.registered)
        constrained += bool(program.clauses)
        verified += any(entry.answer.kind.value == "judge" for entry in review.history)
        completed += any(
            is_answer(entry.event) and entry.answer.kind.value == "run" for entry in review.history
        )
    assert kinds >= {
        *("run", "judge", "recorded", "inconclusive", "rejected", "retracted", "cached"),
        *("failed", "unrecognized", "unauthorized", "held", "accepted", "reminded", "ended"),
    }
    assert min(with_candidates, verified, constrained, completed) >= 3
