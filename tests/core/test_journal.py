"""A review writes to its journal before it answers, and goes on from what the journal wrote."""

import copy
from collections.abc import Iterator, Mapping, Sequence

import pytest

from licet import (
    Answer,
    AnswerKind,
    Atom,
    Check,
    CheckRequest,
    Conclusion,
    Entry,
    Failed,
    InvalidInput,
    Outcome,
    Program,
    ReportRequest,
    Request,
    Resolved,
    Review,
    Specification,
    StopRequest,
    Unwritten,
    Value,
    commit,
    replay,
)
from tests.core.programs import chain_of_three

TRUE = {"a": True, "b": True, "d": False}
ASKED: tuple[Request, ...] = (
    CheckRequest("a"),
    CheckRequest("nothing"),
    ReportRequest("c3"),
    CheckRequest("a"),
    StopRequest(),
    StopRequest(),
    StopRequest(),
    StopRequest(),
)


class Kept:
    """A journal in memory that may fail at one position, before or after it has written."""

    def __init__(self, failing: int = -1, error: type[BaseException] = OSError) -> None:
        self.entries: list[Entry] = []
        self.outcomes: list[Outcome] = []
        self.failing, self.error, self.written = failing, error, False

    def record(self, position: int, entry: Entry) -> None:
        assert position == len(self.entries)
        if position == self.failing and not self.written:
            raise self.error("no space")
        self.entries.append(entry)
        if position == self.failing:
            raise self.error("no space")

    def conclude(self, outcome: Outcome, history: Sequence[Entry]) -> None:
        assert list(history) == self.entries
        if self.failing == len(history):
            raise self.error("no space")
        self.outcomes.append(outcome)


def resolver(check: Check) -> Mapping[str, Value]:
    return {check.identifier: TRUE[check.identifier]}


def asked_of(review: Review) -> Iterator[Answer]:
    for request in ASKED:
        yield review.request(request)


def test_the_journal_holds_the_history_and_the_outcome() -> None:
    kept = Kept()
    review = Review(chain_of_three(), resolver, budget=9, journal=kept)
    answers = list(asked_of(review))
    assert answers[-1].kind is AnswerKind.ENDED
    assert tuple(kept.entries) == review.history
    assert kept.outcomes == [review.outcome]


def test_a_call_is_written_before_its_resolver_runs() -> None:
    kept, seen = Kept(), []

    def looks(check: Check) -> Mapping[str, Value]:
        seen.append(kept.entries[-1].answer.kind)
        return resolver(check)

    review = Review(chain_of_three(), looks, budget=9, journal=kept)
    review.check("a")
    assert seen == [AnswerKind.RUN]


LENGTH = 11


def test_the_length_of_the_whole_history() -> None:
    review = Review(chain_of_three(), resolver, budget=9)
    assert list(asked_of(review))
    assert len(review.history) == LENGTH


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("failing", range(LENGTH + 1))
def test_nothing_is_taken_once_an_entry_may_be_lost(
    failing: int, error: type[BaseException], written: bool
) -> None:
    kept = Kept(failing, error)
    kept.written = written
    review = Review(chain_of_three(), resolver, budget=9, journal=kept)
    with pytest.raises(error):
        list(asked_of(review))
    assert tuple(kept.entries)[: len(review.history)] == review.history
    with pytest.raises(Unwritten):
        review.request(ReportRequest("c1"))
    with pytest.raises(Unwritten):
        review.close()
    with pytest.raises((Unwritten, InvalidInput)):
        _ = review.outcome
    assert len(kept.entries) in (failing, failing + 1)


@pytest.mark.parametrize("cut", range(LENGTH + 1))
def test_a_review_goes_on_from_every_entry(cut: int) -> None:
    whole = Review(chain_of_three(), resolver, budget=9)
    list(asked_of(whole))
    kept = Kept()
    kept.entries += whole.history[:cut]
    again = Review(chain_of_three(), resolver, budget=9, journal=kept, history=whole.history[:cut])
    was_running = cut > 0 and whole.history[cut - 1].answer.kind is AnswerKind.RUN
    added = again.history[cut:]
    assert bool(added) == was_running
    if added:
        assert added[0].event == Failed("the call was interrupted")
    for request in ASKED:
        again.request(request)
    assert again.over
    assert tuple(kept.entries) == again.history
    assert kept.outcomes == [again.outcome]
    assert replay(chain_of_three(), 9, True, kept.entries) == again.outcome
    if not was_running:
        assert again.outcome.conclusions == whole.outcome.conclusions


def test_a_call_that_was_running_is_charged_once() -> None:
    kept = Kept()
    review = Review(chain_of_three(), resolver, budget=9, journal=kept)
    review.check("a")
    begun = kept.entries[:1]
    again = Review(chain_of_three(), resolver, budget=9, history=begun)
    assert again.spent == 1
    assert again.authorized == ()
    assert again.check("a").kind is AnswerKind.RECORDED
    assert again.spent == 2


def test_what_was_answered_is_not_asked_again() -> None:
    review = Review(chain_of_three(), resolver, budget=9)
    review.check("a")

    def never(check: Check) -> Mapping[str, Value]:
        raise AssertionError(check)

    again = Review(chain_of_three(), never, budget=9, history=review.history)
    assert again.check("a").kind is AnswerKind.CACHED
    assert again.guidance == review.guidance
    assert again.remaining == review.remaining


def test_reminders_are_counted_on() -> None:
    review = Review(chain_of_three(), resolver, budget=9)
    assert [review.stop().kind for _ in range(2)] == [AnswerKind.REMINDED] * 2
    again = Review(chain_of_three(), resolver, budget=9, history=review.history)
    assert [again.stop().kind for _ in range(2)] == [AnswerKind.REMINDED, AnswerKind.ENDED]


class TestAHistoryThatIsNotTheReviews:
    """Refused when the review is opened."""

    @pytest.fixture
    def history(self) -> tuple[Entry, ...]:
        review = Review(chain_of_three(), resolver, budget=9)
        list(asked_of(review))
        return review.history

    def opened(self, history: Sequence[Entry], budget: int = 9) -> Review:
        return Review(chain_of_three(), resolver, budget=budget, history=history)

    def test_another_value(self, history: tuple[Entry, ...]) -> None:
        changed = Entry(Resolved((("a", False),)), history[1].answer)
        with pytest.raises(InvalidInput, match=r"history\.1: another answer"):
            self.opened((history[0], changed, *history[2:]))

    def test_an_answer_that_authorizes_more(self, history: tuple[Entry, ...]) -> None:
        place = next(i for i, e in enumerate(history) if e.event == ReportRequest("c3"))
        accepted = history[place].answer._replace(kind=AnswerKind.ACCEPTED)
        changed = Entry(history[place].event, accepted)
        with pytest.raises(InvalidInput, match="another answer"):
            self.opened((*history[:place], changed))

    def test_an_entry_left_out(self, history: tuple[Entry, ...]) -> None:
        with pytest.raises(InvalidInput, match=r"history\.0: expected a request"):
            self.opened(history[1:])

    def test_another_budget(self, history: tuple[Entry, ...]) -> None:
        with pytest.raises(InvalidInput, match="history"):
            self.opened(history, 1)

    def test_what_is_no_entry(self, history: tuple[Entry, ...]) -> None:
        with pytest.raises(InvalidInput, match="expected an entry"):
            self.opened((history[0], history[1].event))  # type: ignore[arg-type]

    def test_another_reason_is_the_same_answer(self, history: tuple[Entry, ...]) -> None:
        reworded = [Entry(e.event, e.answer._replace(reason="in other words")) for e in history]
        assert self.opened(reworded).over


def test_a_review_that_is_over_at_once_is_concluded() -> None:
    kept = Kept()
    review = Review(chain_of_three(), resolver, budget=0, journal=kept)
    assert kept.outcomes == [review.outcome]


def test_a_call_that_may_have_begun_on_opening_is_not_made_again() -> None:
    """With a check that costs nothing, completion runs it before there is any entry."""
    atoms = (Atom("a", "it holds"),)
    free = (Check("a", ("a",), 0),)
    specification = Specification((Conclusion("c", "It is so.", 1),), atoms, free)
    commitment = commit(specification, Program.of({"c": [["a"]]}))
    ran: list[str] = []

    def counts(check: Check) -> Mapping[str, Value]:
        ran.append(check.identifier)
        return {"a": True}

    assert Review(commitment, counts, budget=0).outcome.conclusions == ("c",)
    again = Review(commitment, counts, budget=0, history=())
    assert again.outcome.conclusions == ()
    assert [entry.event for entry in again.history] == [Failed("the call was interrupted")]
    assert ran == ["a"]


def test_a_review_cannot_be_copied() -> None:
    review = Review(chain_of_three(), resolver, budget=9)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(review)
