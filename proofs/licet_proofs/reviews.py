"""What every review keeps: its budget, its ledger, its history; alone and among threads."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from threading import Barrier, Thread
from time import sleep
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Answer,
    AnswerKind,
    Check,
    CheckRequest,
    Failed,
    InvalidInput,
    ReportRequest,
    Request,
    Resolved,
    Review,
    StopRequest,
    Unavailable,
    Value,
    replay,
)
from licet.episode import begin, request, resolve
from licet.state import Episode

from .adversaries import (
    Scripted,
    Session,
    as_request,
    ask,
    sessions,
    truthful,
)
from .expect import SAMPLED, PropertyFalls, expect
from .generators import case_from, cases, truths
from .independent import cheapest_route, hold, target
from .theorem_4_3 import PLENTY, prefixes, rehearse


@SAMPLED
@given(sessions(cases()))
def the_budget_is_never_exceeded(session: Session) -> None:
    """What is spent only grows, is never more than the budget, and is the sum of all charges.

    Source: PRIME, appendix A, Equation (7): b_t+1 = b_t - kappa.
    """
    review, _ = session.open()
    spent = review.spent
    for asked in session.requests(review):
        ask(review, asked)
        expect(spent <= review.spent <= review.budget, f"{review.spent} of {review.budget}")
        expect(review.remaining == review.budget - review.spent, f"{review.remaining} left")
        spent = review.spent
    session.close(review)
    expect(spent <= review.spent <= review.budget, review.spent, "of", review.budget)
    charges = sum((entry.answer.charged for entry in review.history), Fraction(0))
    # A budget spent from the start runs free checks only, before anything is in the history.
    expect(charges == review.spent, charges, "were charged,", review.spent, "are spent")


@SAMPLED
@given(sessions(cases()))
def a_step_only_adds_to_the_ledger(session: Session) -> None:
    """Step by step, a request leaves the ledger as it is, and an answer adds to its end.

    What is spent never falls, and what is left is never less than nothing.

    Source: PRIME, definitions D1 and D3, premise T4.
    """
    resolver = Scripted(session.case, session.script)
    state = begin(session.case.commitment, session.budget, session.completion)
    for after in _steps(state, session.asked, resolver):
        records = after.ledger.records[: len(state.ledger.records)]
        expect(records == state.ledger.records, after.ledger, "after", state.ledger)
        is_answer = state.pending is not None
        expect(is_answer or after.ledger == state.ledger, "a request changed", after.ledger)
        expect(after.spent >= state.spent and after.left >= 0, after.left, "is left")
        state = after


def _steps(state: Episode, asked: Sequence[object], resolver: Scripted) -> Iterator[Episode]:
    """Yield the states that follow: after each request, and each answer that is waited for."""
    for each in [None, *asked]:
        if each is not None:
            state = request(state, as_request(each)).episode
            yield state
        while state.pending is not None:
            check = state.commitment.compiled.registered[state.pending]
            said = resolver.establishes(check.identifier)
            values = [(a, Unavailable() if v is None else v) for a, v in (said or {}).items()]
            state = resolve(state, Failed("") if said is None else Resolved(tuple(values))).episode
            yield state


@SAMPLED
@given(sessions(cases()))
def a_history_replays_to_the_same_outcome(session: Session) -> None:
    """The recorded events lead to an equal outcome, without any resolver.

    Source: decision 0005: a stored review is stored as its history and replayed.
    """
    review, _ = session.play()
    events = [entry.event for entry in review.history]
    try:
        again = replay(session.case.commitment, session.budget, session.completion, events)
    except InvalidInput as refusal:
        raise PropertyFalls(f"the history is refused: {refusal}") from refusal
    expect(again == review.outcome, again, "is not", review.outcome)


@SAMPLED
@given(sessions(cases()))
def a_repeat_is_free(session: Session) -> None:
    """A check that answered, and a request that was refused, cost nothing the second time.

    The repeat runs no resolver, gives the recorded values, and changes nothing.

    Source: PRIME, appendix C, "Budgets, stopping, and resolvers"; definition D3.
    """
    review, resolver = session.open()
    for asked in session.requests(review):
        first = review.request(asked)  # type: ignore[arg-type]
        if first.kind in _REPEATABLE and not review.over:
            before = (review.spent, list(resolver.calls), review.authorized)
            again = review.request(asked)  # type: ignore[arg-type]
            expect(again.kind is _REPEATABLE[first.kind], asked, "again got", again)
            expect(again.charged == 0, asked, "again got", again)
            expect(again.values == first.values, asked, "again got", again)
            after = (review.spent, list(resolver.calls), review.authorized)
            expect(after == before, asked, "again:", after, "not", before)


_REPEATABLE: Final[Mapping[AnswerKind, AnswerKind]] = {
    AnswerKind.RECORDED: AnswerKind.CACHED,
    AnswerKind.CACHED: AnswerKind.CACHED,
    AnswerKind.UNRECOGNIZED: AnswerKind.UNRECOGNIZED,
}


@SAMPLED
@given(sessions(cases()))
def a_report_is_always_charged(session: Session) -> None:
    """A report of a known conclusion costs one call, whether accepted, held or refused.

    Source: PRIME, Algorithm 1, lines 7 and 8; appendix C: reporting requests are never cached.
    """
    review, _ = session.open()
    judged = {AnswerKind.ACCEPTED, AnswerKind.HELD, AnswerKind.UNAUTHORIZED}
    for asked in session.requests(review):
        spent = review.spent
        answer = review.request(asked)  # type: ignore[arg-type]
        if answer.kind in judged:
            expect(answer.charged == 1, asked, "got", answer)
            # The charge may spend the budget, and completion then runs checks that are free.
            expect(review.spent == spent + 1, asked, "left", review.spent, "after", spent)


@SAMPLED
@given(st.data())
def a_report_is_judged_by_what_its_charge_leaves(data: st.DataObject) -> None:
    """A report is held while a stronger conclusion is in reach of what is left after its charge.

    Tried where that decides: with just what some stronger conclusion costs, a little more or less.

    Source: PRIME, Algorithm 1, lines 7, 8, 10 and 11.
    """
    case = data.draw(cases())
    truth = data.draw(truths(case))
    done = rehearse(case, truth, data.draw(prefixes(case)))
    state, paper = done.reached, case.paper
    runnable = set(paper.settles) - state.answered
    aims = [cheapest_route(paper, state.ledger, PLENTY, runnable, c) for c in paper.conclusions]
    for reported in sorted(state.authorized):
        for cost in {aim.cost for aim in aims if aim is not None}:
            for left in (cost, cost + Fraction(1, 2), cost + 1):
                aim = target(paper, state.ledger, left, runnable)
                expected = "held" if hold(paper, aim, state.authorized) else "accepted"
                resolver = Scripted(case, truthful(case, truth))
                review = Review(case.commitment, resolver, budget=state.spent + 1 + left)
                for asked in done.made:
                    ask(review, asked)
                kind = ask(review, ReportRequest(reported)).kind
                expect(kind == expected, reported, "was", kind, "with", left, "left")


@SAMPLED
@given(sessions(cases()))
def four_stops_end_every_review(session: Session) -> None:
    """At most three reminders come, free of charge; the next stop ends the review.

    Source: PRIME, Algorithm 1, lines 12 and 13.
    """
    review, _ = session.open()
    kinds = []
    for _ in range(4):
        spent = review.spent
        kind = ask(review, StopRequest()).kind
        expect(kind != "reminded" or review.spent == spent, "a reminder was charged")
        kinds.append(kind)
    expect(review.over, f"{kinds} did not end the review")


@SAMPLED
@given(sessions(cases()))
def only_the_first_request_of_a_turn_runs(session: Session) -> None:
    """A turn answers its first request, as if it were alone; one without requests is free.

    Source: PRIME, appendix C, "Budgets, stopping, and resolvers".
    """
    alone, _ = session.open()
    in_turns, _ = session.open()
    for asked in session.requests(alone):
        turn: list[Request] = [asked, *session.asked[-2:]]  # type: ignore[list-item]
        expect(in_turns.turn([]).charged == 0, "an empty turn was charged")
        seen, expected = in_turns.turn(turn), alone.request(turn[0])
        expect(seen == expected, seen, "not", expected)
    expect(session.close(in_turns) == session.close(alone), "the outcomes differ")


class Slow:
    """A resolver that gives other threads time to come in, and counts its calls."""

    def __init__(self) -> None:
        """Start at no calls."""
        self.calls = 0

    def __call__(self, check: Check) -> Mapping[str, Value]:
        """Answer true."""
        self.calls += 1
        sleep(0.01)
        return dict.fromkeys(check.settles, True)


THREADS: Final = 8


def _all_at_once(review: Review, asked: Request) -> list[Answer]:
    """Make one request from several threads at the same time."""
    answers: list[Answer] = []
    start = Barrier(THREADS)

    def one() -> None:
        start.wait()
        answers.append(review.request(asked))

    threads = [Thread(target=one) for _ in range(THREADS)]
    with _hasty_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return answers


@contextmanager
def _hasty_switches() -> Iterator[None]:
    """Let threads take turns as often as they can, so that races come up."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def one_request_from_many_threads_runs_once() -> None:
    """Threads that ask for the same check get one call, one charge, one record, and its values.

    Source: PRIME, definition D3: one action at a time, decided on one ledger.
    """
    case = case_from({"described": [["a"]], "ready": [["a", "b"]]}, ["a", "b"])
    for budget in (1, 2, 20):
        resolver = Slow()
        review = Review(case.commitment, resolver, budget=budget, completion=False)
        answers = _all_at_once(review, CheckRequest("a"))
        kinds = [answer.kind for answer in answers]
        # With a budget of one call the review is over after it.
        later = AnswerKind.ENDED if budget == 1 else AnswerKind.CACHED
        expect(kinds.count(AnswerKind.RECORDED) == 1, kinds)
        expect(kinds.count(later) == THREADS - 1, kinds)
        expect(resolver.calls == 1 and review.spent == 1, resolver.calls, "calls ran")
        expect(sum(answer.charged for answer in answers) == 1, answers)
        outcome = review.close()
        expect(len(outcome.ledger.records) == 1, outcome.ledger)


def threads_never_overdraw_the_budget() -> None:
    """Threads that all report, or all ask for the unknown, are charged one after another.

    Source: PRIME, definition D3: one action at a time, decided on one ledger.
    """
    case = case_from({"described": [["a"]], "ready": [["a", "b"]]}, ["a", "b"])
    for budget in (0, 1, 3, 20) * 5:
        review = Review(case.commitment, Slow(), budget=budget, completion=False)
        answers = _all_at_once(review, ReportRequest("ready"))
        charged = sum(answer.charged for answer in answers)
        expect(review.spent == charged == min(budget, THREADS), f"{charged} of {budget}")
        refused = Review(case.commitment, Slow(), budget=budget, completion=False)
        unknown = _all_at_once(refused, CheckRequest("nothing"))
        once = min(budget, 1)
        expect(refused.spent == sum(a.charged for a in unknown) == once, f"{refused.spent}")


PROPERTIES: Final = (
    the_budget_is_never_exceeded,
    a_step_only_adds_to_the_ledger,
    a_history_replays_to_the_same_outcome,
    a_repeat_is_free,
    a_report_is_always_charged,
    a_report_is_judged_by_what_its_charge_leaves,
    four_stops_end_every_review,
    only_the_first_request_of_a_turn_runs,
    one_request_from_many_threads_runs_once,
    threads_never_overdraw_the_budget,
)
