"""What the door to a review answers and shows: in full, and after interrupts at awkward places."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count

import pytest

from licet import (
    Answer,
    AnswerKind,
    Check,
    CheckRequest,
    CloseRequest,
    Entry,
    Failed,
    Guidance,
    Literal,
    OtherRequest,
    Program,
    ReportRequest,
    Resolved,
    Review,
    Route,
    StopRequest,
    Unavailable,
    Value,
    commit,
    replay,
)
from licet.messages import Event
from licet.state import Transition
from tests.core.programs import chain_of_three, specification
from tests.mutants.interrupts import interrupt_at
from tests.mutants.refusals import refusal

TRUE: Mapping[str, Value] = {"a": True, "b": True, "d": False}
BOTH = Check("both", ("a", "b"), Fraction(3, 2))
BUSY = Answer(AnswerKind.BUSY, reason="another request is being taken")


def honest(check: Check) -> dict[str, Value]:
    return {atom: TRUE[atom] for atom in check.settles}


def opened(*checks: Check, budget: int = 9, completion: bool = True) -> Review:
    return Review(chain_of_three(*checks), honest, budget=budget, completion=completion)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Review(None, honest, budget=1),  # type: ignore[arg-type]
            "commitment: expected a commitment, found None",
        ),
        (
            lambda: Review(chain_of_three(), 3, budget=1),  # type: ignore[arg-type]
            "resolver: expected a function of a check, found 3",
        ),
        (lambda: opened(budget=-1), "budget: expected a number of at least 0, found -1"),
        (
            lambda: opened().close(complete="no"),  # type: ignore[arg-type]
            "complete: expected a truth value, found 'no'",
        ),
        (lambda: opened().turn(3), "requests: expected a sequence, found 3"),  # type: ignore[arg-type]
        (
            lambda: opened().outcome,
            "review: expected a review that has ended; emit, stop or close",
        ),
        (lambda: opened().state("zzz"), "atom: no atom is named 'zzz'"),
        (
            lambda: replay(chain_of_three(), 9, True, [StopRequest()]),
            "history: expected events that end the review",
        ),
        (
            lambda: replay(chain_of_three(), 9, True, [StopRequest(), Failed("")]),
            "history.1: expected a request, found a resolver's answer",
        ),
        (
            lambda: replay(chain_of_three(), 9, True, [CheckRequest("a"), StopRequest()]),
            "history.1: expected a resolver's answer, found a request",
        ),
    ],
)
def test_a_refusal_names_the_place_and_the_problem(
    make: Callable[[], object], message: str
) -> None:
    assert refusal(make) == message


def test_a_review_step_by_step() -> None:
    review = opened(BOTH)
    sha = review.commitment.sha256[:12]
    assert repr(review) == f"<Review of {sha}: 0 of 9, open>"
    assert review.guidance == Guidance(
        "c3",
        Route.of("a", "b", "!d"),
        (Literal("a"), Literal("b"), Literal("d", False)),
        ("both", "d"),
        Fraction(5, 2),
        True,
        True,
    )
    assert review.turn([]) == Answer(AnswerKind.IGNORED, reason="the turn has no request")
    assert review.turn([CheckRequest("both"), StopRequest()]) == Answer(
        AnswerKind.RECORDED, "both", Fraction(3, 2), (("a", True), ("b", True))
    )
    assert (review.spent, review.remaining, review.budget) == (
        Fraction(3, 2),
        Fraction(15, 2),
        Fraction(9),
    )
    assert (review.authorized, review.over) == (("c1", "c2"), False)
    assert [review.state(atom).value for atom in "abd"] == ["true", "true", "unknown"]
    assert review.guidance == Guidance(
        "c3",
        Route.of("a", "b", "!d"),
        (Literal("d", False),),
        ("d",),
        Fraction(1),
        True,
        True,
    )
    assert review.stop().kind is AnswerKind.REMINDED
    assert review.check("d").charged == 1
    assert review.guidance is not None
    assert (review.guidance.residual, review.guidance.hold) == ((), False)
    assert review.emit("c3") == Answer(AnswerKind.ACCEPTED, "c3", Fraction(1))
    assert repr(review) == f"<Review of {sha}: 7/2 of 9, over>"
    assert review.history == (
        Entry(
            CheckRequest("both"),
            Answer(AnswerKind.RUN, "both", Fraction(3, 2)),
        ),
        Entry(
            Resolved((("a", True), ("b", True))),
            Answer(AnswerKind.RECORDED, "both", values=(("a", True), ("b", True))),
        ),
        Entry(StopRequest(), review.history[2].answer),
        Entry(CheckRequest("d"), Answer(AnswerKind.RUN, "d", Fraction(1))),
        Entry(Resolved((("d", False),)), Answer(AnswerKind.RECORDED, "d", values=(("d", False),))),
        Entry(ReportRequest("c3"), Answer(AnswerKind.ACCEPTED, "c3", Fraction(1))),
    )
    events = [entry.event for entry in review.history]
    for recorded in (review.history, events):
        assert replay(review.commitment, 9, True, recorded) == review.outcome


def test_settings_are_those_that_it_was_opened_with() -> None:
    for completion in (True, False):
        review = opened(completion=completion)
        assert review.completion is completion
        for _ in range(4):
            review.stop()
        outcome = review.outcome
        assert outcome.conclusions == (("c3",) if completion else ())
        assert replay(review.commitment, 9, completion, review.history) == outcome


def test_an_atom_stands_for_the_first_check_that_settles_it() -> None:
    # One check has the name of another atom than it settles: a check's own name comes first.
    review = opened(BOTH, Check("b", ("d",)))
    for asked, check in (("a", "both"), ("b", "b"), ("d", "b"), ("zzz", "zzz")):
        review.check(asked)
        assert CheckRequest(check) in [entry.event for entry in review.history[-2:]]
    assert review.check(3).kind is AnswerKind.UNRECOGNIZED  # type: ignore[arg-type]
    assert review.history[-1].event == OtherRequest("CheckRequest(check=3, candidate='')")


def test_closing_is_recorded_with_its_setting() -> None:
    review = opened()
    review.close()
    assert review.history[0] == Entry(
        CloseRequest(False), Answer(AnswerKind.ENDED, reason="checking ended: closed")
    )
    review = opened(budget=2)
    assert review.close(complete=True).conclusions == ("c2",)
    assert review.history[0].event == CloseRequest(True)
    assert review.history[0].answer == Answer(AnswerKind.RUN, "a", Fraction(1))


def test_a_request_that_starts_completion_is_answered_by_its_end() -> None:
    review = opened()
    answers = [review.stop() for _ in range(4)]
    assert answers[-1] == Answer(AnswerKind.ENDED, reason="checking ended: stopped")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([("a", True)], "expected a mapping of atoms, found list"),
        ({"b": True}, "expected one value for each of ['a']"),
        (OSError("down"), "the resolver raised OSError('down')"),
    ],
)
def test_a_failed_call_says_why(answer: object, reason: str) -> None:
    def resolver(check: Check) -> dict[str, Value]:
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    review = Review(chain_of_three(), resolver, budget=9)
    assert review.check("a") == Answer(AnswerKind.FAILED, "a", Fraction(1), reason=reason)
    assert review.history[-1].event == Failed(reason)


def test_a_request_within_a_request_is_not_recorded() -> None:
    answers: list[Answer] = []

    def nosy(check: Check) -> dict[str, Value]:
        answers.append(review.emit("c1"))
        return honest(check)

    review = Review(chain_of_three(), nosy, budget=9)
    review.check("a")
    review.check("b")
    assert answers == [BUSY, BUSY]
    assert len(review.history) == 4


class Interrupted(Review):
    """A review that is interrupted right after each of these events was taken."""

    at: tuple[type, ...] = ()

    def _take(self, event: Event, transition: Transition) -> Answer:
        answer = super()._take(event, transition)
        if type(event) in self.at:
            raise KeyboardInterrupt
        return answer


def interrupted() -> tuple[Interrupted, list[str]]:
    """Return a review and the checks that its resolver was asked for."""
    asked: list[str] = []

    def resolver(check: Check) -> dict[str, Value]:
        asked.append(check.identifier)
        return honest(check)

    return Interrupted(chain_of_three(), resolver, budget=9), asked


def test_a_call_that_was_not_begun_runs_with_the_next_request() -> None:
    review, asked = interrupted()
    for check in ("b", "a"):
        review.at = (CheckRequest,)
        with pytest.raises(KeyboardInterrupt):
            review.check(check)
        review.at = ()
        assert check not in asked
        assert review.emit("c9").kind is AnswerKind.UNRECOGNIZED
    assert (asked, review.authorized) == (["b", "a"], ("c1", "c2"))
    assert review.spent == 3
    assert review.close().failures == ()
    assert replay(review.commitment, 9, True, review.history) == review.outcome


def test_an_answer_that_was_taken_stays() -> None:
    review, asked = interrupted()
    review.at = (Resolved,)
    with pytest.raises(KeyboardInterrupt):
        review.check("a")
    review.at = ()
    assert review.check("a").kind is AnswerKind.CACHED
    assert (asked, review.authorized) == (["a"], ("c1",))
    assert review.spent == 1
    assert review.close().failures == ()


def test_a_call_that_was_begun_has_failed_and_the_rest_of_completion_follows() -> None:
    asked: list[str] = []

    def once(check: Check) -> dict[str, Value]:
        asked.append(check.identifier)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return {check.identifier: True}

    two_ways = {"c1": [["a"], ["b"]], "c2": [["a", "d"], ["b", "d"]], "c3": [["b", "d", "a"]]}
    review = Review(commit(specification("a b d"), Program.of(two_ways)), once, budget=9)
    with pytest.raises(KeyboardInterrupt):
        review.close(complete=True)
    assert review.stop().kind is AnswerKind.ENDED
    (failure,) = review.outcome.failures
    assert (failure.check, failure.reason) == ("b", "the call was interrupted")
    assert (asked, review.outcome.conclusions) == (["b", "a", "d"], ("c2",))
    assert replay(review.commitment, 9, True, review.history) == review.outcome


def completed_with_an_interrupt(at: int) -> tuple[Review, list[str], int | None]:
    """Return a review whose completion was interrupted before the `at`-th line of its loop.

    With it, the checks that its resolver was asked for, and the number of that line if it came.
    """
    asked: list[str] = []

    def resolver(check: Check) -> dict[str, Value]:
        asked.append(check.identifier)
        return honest(check)

    review = Review(chain_of_three(), resolver, budget=9)
    with interrupt_at("_drive", at) as lines:
        try:
            review.close(complete=True)
        except KeyboardInterrupt:
            return review, asked, lines[-1]
    return review, asked, None


def test_wherever_completion_is_interrupted_no_call_is_made_twice() -> None:
    never_begun: set[int] = set()
    for at in count(1):
        review, asked, line = completed_with_an_interrupt(at)
        outcome = review.close()
        assert len(asked) == len(set(asked))
        assert outcome.spent == len({*asked, *(failure.check for failure in outcome.failures)})
        assert replay(review.commitment, 9, True, review.history) == outcome
        if line is None:
            break
        never_begun |= {line for failure in outcome.failures if failure.check not in asked}
    assert at > 20
    assert outcome.conclusions == ("c3",)
    # A call counts as begun from one line on: the one that makes it.
    assert len(never_begun) == 1


def test_an_entry_without_its_state_is_no_history() -> None:
    """An interrupt may come after an entry was noted and before the episode moved on."""
    review = opened()
    review.check("a")
    stray = Entry(CheckRequest("b"), Answer(AnswerKind.RUN))
    review._entries.append(stray)
    assert len(review.history) == 2
    review.check("d")
    assert stray not in review.history
    assert len(review.history) == 4
    outcome = review.close()
    assert replay(review.commitment, 9, True, review.history) == outcome


def test_free_checks_run_though_there_is_no_budget() -> None:
    review = opened(Check("free", ("a",), 0), budget=0)
    assert [type(entry.event) for entry in review.history] == [Resolved]
    assert review.outcome.conclusions == ("c1",)


def test_nothing_is_pointed_to_where_nothing_is_in_reach() -> None:
    review = Review(chain_of_three(), lambda check: {"a": Unavailable("gone")}, budget=9)
    review.check("a")
    assert review.guidance is None
