"""The verified mode: a second judge confirms every attestation, or nothing is admitted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from threading import Barrier, Thread

import icontract
import pytest

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttestRequest,
    CheckRequest,
    Ending,
    Failed,
    InvalidInput,
    InvariantViolation,
    Judged,
    Read,
    Resolved,
    Review,
    StopRequest,
    replay,
)
from licet.attestations import (
    UNCONFIRMED,
)
from licet.attestations import (
    judge as take,
)
from licet.episode import begin, request, resolve
from licet.outcome import Failure
from tests.core.judged import MODEL, NOTES, OTHER_QUOTE, PERSON, QUOTE, Source, judged, opened

ONE = Fraction(1)
NAMED = AttestRequest("named", True, QUOTE, MODEL)


def agrees(condition: str, text: str) -> bool:
    return True


def read(judge: Callable[[str, str], bool]) -> Review:
    """A review in which the notes were read."""
    review = opened(judge=judge)
    review.check("notes")
    return review


def test_a_second_judge_sees_the_condition_and_the_text_alone() -> None:
    seen: list[tuple[str, ...]] = []

    def second(*given: str) -> bool:
        seen.append(given)
        return True

    review = read(judge=second)
    assert review.verified
    answer = review.request(NAMED)
    assert answer == Answer(AnswerKind.RECORDED, "named", ONE, (("named", True),))
    assert (seen, review.spent) == ([("named holds", NOTES)], 3)
    assert review.request(NAMED).kind is AnswerKind.CACHED
    assert len(seen) == 1
    assert not opened().verified


@pytest.mark.parametrize(
    ("value", "said", "kind"),
    [
        (True, True, "recorded"),
        (False, False, "recorded"),
        (True, False, "rejected"),
        (False, True, "rejected"),
    ],
)
def test_a_judgement_is_admitted_where_the_second_judge_says_the_same(
    value: bool, said: bool, kind: str
) -> None:
    review = read(judge=lambda condition, text: said)
    asked = AttestRequest("named", value, QUOTE)
    answer = review.request(asked)
    assert (answer.kind.value, answer.charged) == (kind, 1)
    assert len(review.close().ledger.admitted) == (kind == "recorded")
    assert UNCONFIRMED == "an independent check did not confirm it"
    assert answer.reason == ("" if kind == "recorded" else UNCONFIRMED)


def test_what_was_not_confirmed_is_not_asked_again() -> None:
    said: list[bool] = [False, True]
    review = read(judge=lambda condition, text: said.pop(0))
    review.request(NAMED)
    assert review.request(NAMED) == Answer(AnswerKind.CACHED, "named", reason=UNCONFIRMED)
    assert (said, review.spent, review.state("named").value) == ([True], 3, "unknown")
    # Another quote is another judgement.
    assert review.request(AttestRequest("named", True, OTHER_QUOTE)).kind is AnswerKind.RECORDED


@pytest.mark.parametrize("said", [None, 1, "true", [], Judged(True)])
def test_a_second_judge_that_says_no_truth_value_admits_nothing(said: object) -> None:
    answers = iter([said, True])
    review = read(judge=lambda condition, text: next(answers))
    reason = "the second judge of named: expected a truth value"
    assert review.request(NAMED) == Answer(AnswerKind.FAILED, "named", ONE, reason=reason)
    assert (review.spent, review.state("named").value) == (3, "unknown")
    # It is charged, and asked again where it is attested again.
    assert review.request(NAMED).kind is AnswerKind.RECORDED
    assert review.spent == 4
    assert review.close().failures == (Failure("notes", reason),)


def test_a_second_judge_that_raises_admits_nothing() -> None:
    def down(condition: str, text: str) -> bool:
        raise OSError("down")

    review = read(judge=down)
    reason = "the second judge of named: the judge raised OSError('down')"
    assert review.request(NAMED) == Answer(AnswerKind.FAILED, "named", ONE, reason=reason)
    assert review.request(NAMED).kind is AnswerKind.FAILED
    outcome = review.close()
    assert outcome.failures == (Failure("notes", reason), Failure("notes", reason))
    assert (outcome.spent, outcome.ledger.admitted) == (4, ())


def test_the_second_judge_is_not_asked_about_what_is_rejected_anyway() -> None:
    asked: list[str] = []

    def second(condition: str, text: str) -> bool:
        asked.append(condition)
        return True

    review = opened(judge=second)
    review.request(NAMED)
    review.check("notes")
    review.request(AttestRequest("named", True, "no such quote"))
    review.request(AttestRequest("a", True, QUOTE))
    assert (asked, review.spent) == ([], 5)


def test_the_caller_s_judgement_is_confirmed_too() -> None:
    review = read(judge=lambda condition, text: False)
    assert review.attest("named", True, QUOTE, PERSON).reason == UNCONFIRMED


def test_a_judge_that_asks_its_own_review_is_told_to_wait() -> None:
    kinds: list[AnswerKind] = []

    def nosy(condition: str, text: str) -> bool:
        kinds.extend(
            [
                review.attest("severe", True, QUOTE).kind,
                review.retract("named").kind,
                review.request(StopRequest()).kind,
            ]
        )
        return True

    review = read(judge=nosy)
    review.request(NAMED)
    assert (kinds, review.spent) == ([AnswerKind.BUSY] * 3, 3)


def test_an_interrupt_during_the_judge_is_a_failed_call() -> None:
    said: list[object] = [KeyboardInterrupt(), True]

    def second(condition: str, text: str) -> bool:
        answer = said.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return bool(answer)

    review = read(judge=second)
    with pytest.raises(KeyboardInterrupt):
        review.request(NAMED)
    assert (review.spent, review.state("named").value) == (3, "unknown")
    assert review.request(NAMED).kind is AnswerKind.RECORDED
    outcome = review.close()
    assert outcome.failures == (
        Failure("notes", "the second judge of named: the call was interrupted"),
    )
    assert replay(review.commitment, 20, True, review.history, True) == outcome


def test_verified_history_replays_and_only_as_verified() -> None:
    said = iter([True, False, None, True])
    review = read(judge=lambda condition, text: next(said))  # type: ignore[arg-type,return-value]
    for quote in (QUOTE, OTHER_QUOTE, "reported by", "could repeat"):
        review.request(AttestRequest("named", True, quote))
    review.retract("named")
    review.check("a")
    outcome = review.close(complete=True)
    events = [entry.event for entry in review.history]
    assert [e for e in events if isinstance(e, Judged | Failed)] == [
        Judged(True),
        Judged(False),
        Failed("expected a truth value"),
        Judged(True),
    ]
    assert replay(review.commitment, 20, True, events, True) == outcome
    assert replay(review.commitment, 20, True, review.history, verified=True) == outcome
    with pytest.raises(InvalidInput, match=r"history\.3: expected a request, found a resolver's"):
        replay(review.commitment, 20, True, events)


def test_the_state_waits_for_the_second_judge() -> None:
    running = request(begin(judged(), 9, verified=True), CheckRequest("notes")).episode
    state = resolve(running, Read(NOTES)).episode
    waiting, answer = request(state, NAMED)
    assert answer == Answer(AnswerKind.JUDGE, "named", ONE)
    assert (waiting.judging, waiting.waiting, waiting.over, waiting.spent) == (
        NAMED,
        True,
        False,
        3,
    )
    same, answer = request(waiting, StopRequest())
    assert (same, answer.kind) == (waiting, AnswerKind.BUSY)
    done, answer = resolve(waiting, Judged(True))
    assert answer == Answer(AnswerKind.RECORDED, "named", values=(("named", True),))
    assert (done.judging, done.waiting) == (None, False)
    for odd in (Resolved((("named", True),)), Read("yes"), Judged(1), Judged(None)):  # type: ignore[arg-type]
        failed, answer = resolve(waiting, odd)
        assert answer.kind is AnswerKind.FAILED
        assert answer.reason == "the second judge of named: expected a truth value"
        assert (failed.ledger, failed.judgements) == (state.ledger, ())


def test_the_second_judge_s_answer_may_end_the_budget() -> None:
    for resolution in (Judged(True), Judged(False), Failed("down")):
        state = begin(judged(), 3, completion=False, verified=True)
        state = resolve(request(state, CheckRequest("notes")).episode, Read(NOTES)).episode
        waiting = request(state, NAMED).episode
        assert not waiting.over
        assert waiting.ending is None
        assert resolve(waiting, resolution).episode.ending is Ending.BUDGET


def test_a_judgement_without_a_question_is_refused() -> None:
    state = begin(judged(), 9, verified=True)
    for refused in (lambda: take(state, Judged(True)), lambda: resolve(state, Judged(True))):
        with pytest.raises((InvariantViolation, icontract.ViolationError)) as found:
            refused()
        if isinstance(found.value, InvariantViolation):
            assert str(found.value) in (
                "no attestation waits for the second judge",
                "no check is running",
            )


def test_begin_takes_the_verified_mode_as_a_truth_value() -> None:
    assert begin(judged(), 9).verified is False
    assert begin(judged(), 9, verified=True).verified is True
    with pytest.raises(InvalidInput, match="verified: expected a truth value, found 1"):
        begin(judged(), 9, verified=1)  # type: ignore[arg-type]


def test_many_threads_attest_and_retract_one_after_another() -> None:
    names = [Attester(f"judge-{number}") for number in range(6)]
    start = Barrier(len(names))
    review = Review(judged(), Source(), budget=100, judge=agrees)
    review.check("notes")

    def work(attester: Attester) -> None:
        start.wait()
        for value in (True, False):
            review.attest("named", value, QUOTE, attester)
            review.attest("named", value, QUOTE, attester)
        review.retract("named", attester)
        review.attest("severe", True, QUOTE, attester)

    threads = [Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcome = review.close()
    # The judge says true: of each attester one judgement is admitted and withdrawn, and one stays.
    assert outcome.spent == 2 + 3 * len(names)
    assert sorted(v.attester.name for v in outcome.ledger.admitted) == [n.name for n in names]  # type: ignore[union-attr]
    assert {v.atom for v in outcome.ledger.admitted} == {"severe"}
    assert replay(review.commitment, 100, True, review.history, True) == outcome
