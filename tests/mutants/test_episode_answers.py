"""The whole answer to each kind of request: kind, subject, charge, values and reason."""

from fractions import Fraction

import icontract
import pytest

from licet import (
    Answer,
    AnswerKind,
    Atom,
    Check,
    CheckRequest,
    CloseRequest,
    Commitment,
    Conclusion,
    Ending,
    Failed,
    InvalidInput,
    InvariantViolation,
    OtherRequest,
    Program,
    ReportRequest,
    Resolved,
    Specification,
    StopRequest,
    Unavailable,
    commit,
)
from licet.completion import _ending
from licet.episode import REMINDERS, begin, outcome_of, request, resolve
from licet.state import Episode, hold_now, target_now
from tests.core.programs import chain_of_three

STRONGER = "a stronger conclusion is still reachable within the budget"
ONE = Fraction(1)


def halves() -> Commitment:
    """Two atoms; the check of the second costs half a call."""
    return commit(
        Specification(
            (Conclusion("c1", "", 1), Conclusion("c2", "", 2)),
            (Atom("a", ""), Atom("b", "")),
            (Check("a", ("a",), 1), Check("b", ("b",), Fraction(1, 2))),
        ),
        Program.of({"c1": [["a"]], "c2": [["a", "b"]]}),
    )


def answered(state: Episode, check: str, value: bool | Unavailable) -> Episode:
    running = request(state, CheckRequest(check)).episode
    return resolve(running, Resolved(((check, value),))).episode


def test_a_check_runs_and_its_repeat_shows_what_is_recorded() -> None:
    state = begin(halves(), 9)
    running, answer = request(state, CheckRequest("b"))
    assert answer == Answer(AnswerKind.RUN, "b", Fraction(1, 2))
    assert (running.pending, running.spent, running.completing) == (1, 1, False)
    same, answer = request(running, StopRequest())
    assert answer == Answer(AnswerKind.BUSY, reason="a check is running")
    assert same is running
    done, answer = resolve(running, Resolved((("b", True),)))
    assert answer == Answer(AnswerKind.RECORDED, "b", values=(("b", True),))
    assert (done.pending, done.answered, done.tried) == (None, 2, 0)
    done = answered(done, "a", Unavailable("gone"))
    assert request(done, CheckRequest("a")).answer == Answer(
        AnswerKind.CACHED, "a", values=(("a", Unavailable("gone")),)
    )
    assert request(done, CheckRequest("b")).answer.values == (("b", True),)


def test_a_failed_call_is_charged_and_said() -> None:
    running = request(begin(halves(), 9), CheckRequest("a")).episode
    state, answer = resolve(running, Failed("down"))
    assert answer == Answer(AnswerKind.FAILED, "a", reason="down")
    assert (state.spent, state.answered, len(state.failures)) == (2, 0, 1)
    assert (state.failures[0].check, state.failures[0].reason) == ("a", "down")
    again = resolve(request(state, CheckRequest("a")).episode, Failed("late")).episode
    assert [failure.reason for failure in again.failures] == ["down", "late"]


def test_reports() -> None:
    state, answer = request(begin(halves(), 9), ReportRequest("c1"))
    assert answer == Answer(
        AnswerKind.UNAUTHORIZED,
        "c1",
        ONE,
        reason="no route to it is established by the recorded checks",
    )
    held = answered(state, "a", True)
    state, answer = request(held, ReportRequest("c1"))
    assert answer == Answer(AnswerKind.HELD, "c1", ONE, reason=STRONGER)
    assert (state.spent, state.accepted, state.ending) == (6, None, None)
    state, answer = request(answered(state, "b", True), ReportRequest("c1"))
    assert answer == Answer(AnswerKind.ACCEPTED, "c1", ONE)
    assert (state.accepted, state.ending, state.over) == ("c1", Ending.ACCEPTED, True)
    assert request(state, StopRequest()).answer == Answer(
        AnswerKind.ENDED, reason="the review is over"
    )


def test_what_has_no_name_is_charged_once() -> None:
    reason = "no registered check and no known conclusion or request has this name"
    state, answer = request(begin(halves(), 9), OtherRequest("x"))
    assert answer == Answer(AnswerKind.UNRECOGNIZED, "", ONE, reason=reason)
    state, answer = request(state, OtherRequest("x"))
    assert answer == Answer(AnswerKind.UNRECOGNIZED, reason=reason)
    state, answer = request(state, OtherRequest("y"))
    assert answer.charged == 1
    assert len(state.refused) == 2
    assert request(state, CheckRequest("c1")).answer.kind is AnswerKind.UNRECOGNIZED
    assert request(state, ReportRequest("a")).answer.kind is AnswerKind.UNRECOGNIZED


def test_a_stop_is_reminded_three_times() -> None:
    state = begin(chain_of_three(), 9, completion=False)
    for count in range(REMINDERS):
        assert state.reminders == count
        state, answer = request(state, StopRequest())
        assert answer == Answer(AnswerKind.REMINDED, reason=STRONGER)
    assert REMINDERS == 3
    state, answer = request(state, StopRequest())
    assert answer == Answer(AnswerKind.ENDED, reason="checking ended: stopped")
    assert (state.ending, state.over, state.spent) == (Ending.STOPPED, True, 0)


@pytest.mark.parametrize(
    ("asked", "budget"),
    [(CheckRequest("a"), 0.5), (ReportRequest("c1"), 0.5), (OtherRequest("x"), 0.5)],
)
def test_what_cannot_be_paid_ends_checking(asked: CheckRequest, budget: float) -> None:
    state, answer = request(begin(halves(), budget), asked)
    assert answer == Answer(AnswerKind.ENDED, reason="checking ended: unaffordable")
    assert (state.ending, state.spent, state.over) == (Ending.UNAFFORDABLE, 0, True)


@pytest.mark.parametrize("asked", [CheckRequest("a"), ReportRequest("c1"), OtherRequest("x")])
def test_what_costs_all_that_is_left_is_paid(asked: CheckRequest) -> None:
    state = request(begin(halves(), 1, completion=False), asked).episode
    assert state.spent == 2
    assert state.ending is (None if asked == CheckRequest("a") else Ending.BUDGET)


def test_completion_runs_each_check_once() -> None:
    state, answer = request(begin(halves(), 9), CloseRequest(complete=True))
    assert answer == Answer(AnswerKind.RUN, "a", ONE)
    assert (state.completing, state.completion, state.ending) == (True, True, Ending.CLOSED)
    assert (state.over, state.spent, state.pending) == (False, 2, 0)
    state, answer = resolve(state, Resolved((("a", True),)))
    assert answer == Answer(AnswerKind.RUN, "b", Fraction(1, 2))
    assert (state.tried, state.answered, state.spent) == (1, 1, 3)
    state, answer = resolve(state, Failed("down"))
    assert answer == Answer(AnswerKind.ENDED, reason="checking ended: closed")
    assert (state.tried, state.completing, state.over) == (3, False, True)
    assert state.failures[0].check == "b"


def test_closing_without_completion_runs_nothing() -> None:
    state, answer = request(begin(halves(), 9), CloseRequest(complete=False))
    assert answer == Answer(AnswerKind.ENDED, reason="checking ended: closed")
    assert (state.completion, state.over) == (False, True)


def test_no_budget_ends_checking_at_once() -> None:
    state = begin(halves(), 0)
    assert (state.ending, state.over, state.completion) == (Ending.BUDGET, True, True)
    assert begin(halves(), 1).ending is None
    assert begin(halves(), Fraction(1, 4)).left == 0


def test_target_and_hold_of_a_state() -> None:
    state = answered(begin(halves(), Fraction(7, 4)), "a", True)
    aim = target_now(state)
    assert aim is not None
    assert (aim.conclusion, aim.cover.checks, aim.cover.cost) == (1, 2, 1)
    assert hold_now(state)
    assert not hold_now(answered(state, "b", True))


def test_what_a_state_does_not_take() -> None:
    with pytest.raises(InvalidInput) as refusal:
        begin(halves(), 1, completion=1)  # type: ignore[arg-type]
    assert str(refusal.value) == "completion: expected a truth value, found 1"
    with pytest.raises(InvalidInput, match=r"^budget: "):
        begin(halves(), -1)
    state = begin(halves(), 1)
    for refused, text in (
        (lambda: outcome_of(state), "the review is not over"),
        (lambda: resolve(state, Failed("")), "no check is running"),
    ):
        # With contracts it is the contract that objects.
        with pytest.raises((InvariantViolation, icontract.ViolationError)) as violation:
            refused()
        assert isinstance(violation.value, icontract.ViolationError) or str(violation.value) == text


def test_the_outcome_is_that_of_the_state() -> None:
    state = request(answered(begin(halves(), 3), "a", True), OtherRequest("x")).episode
    state = request(state, CloseRequest(complete=False)).episode
    outcome = outcome_of(state)
    assert (outcome.spent, outcome.budget, outcome.ending) == (2, 3, Ending.CLOSED)
    assert outcome.ledger is state.ledger


def test_a_report_of_the_second_conclusion_is_accepted_and_in_the_outcome() -> None:
    state = answered(answered(begin(halves(), 9), "a", True), "b", True)
    state, answer = request(state, ReportRequest("c2"))
    assert answer == Answer(AnswerKind.ACCEPTED, "c2", ONE)
    outcome = outcome_of(state)
    assert (outcome.ending, outcome.spent) == (Ending.ACCEPTED, Fraction(5, 2))
    assert outcome.conclusions == ("c2",)


def test_the_accepted_conclusion_is_reported_though_another_is_above_it() -> None:
    # Both hold; a report of c1 is accepted where c2 is authorized too.
    state = answered(answered(begin(halves(), 9), "a", True), "b", True)
    outcome = outcome_of(request(state, ReportRequest("c1")).episode)
    assert outcome.conclusions == ("c1",)


def test_there_is_no_outcome_while_completion_runs() -> None:
    state = request(begin(halves(), 9), CloseRequest(complete=True)).episode
    with pytest.raises((InvariantViolation, icontract.ViolationError)):
        outcome_of(state)


def test_completion_before_the_end_of_checking_is_no_state() -> None:
    with pytest.raises(InvariantViolation) as violation:
        _ending(begin(halves(), 1))
    assert str(violation.value) == "completion before checking ended"
