"""Charging and Theorem 4.1 (ii) on uncertain evidence: every short review of a small program.

Each review is walked through on the kernel's own transitions, with every request and every answer
at every step, beside the interpreter of Algorithm 1 in the full model. Nothing is sampled. Asked is
a check of two candidates, each of them by name, a text read, attestations of either value by two
attesters, one of them with a quote that is not there, retractions by both, each report, a stop, and
the caller's end. A check answers each truth value, that nothing is there, or fails; a text is read,
is not there, or fails; the second judge says either, or fails.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from licet import (
    AnswerKind,
    Attester,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    CloseRequest,
    Failed,
    Literal,
    ReportRequest,
    Request,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
)
from licet.compiled import bits
from licet.episode import begin, outcome_of, request, resolve
from licet.messages import Judged, Read, Resolution
from licet.state import Episode, authorized_now, hold_now, target_now

from .algorithm import Reply
from .algorithm_uncertain import Told, UncertainInterpreter
from .enumerated import Disagreement
from .generators import Case, case_from, case_of

REQUESTS: Final = 3
"""Requests in one review, after the text was read."""

TEXT: Final = "it is so, they say"
CHECKS: Final = (
    Check("a", ("a",), 1, CheckKind.FIELD, ("x", "y"), False),
    Check("text", ("t",), 1, CheckKind.TEXT),
)
ROUTES: Final = {"weak": [["t"], ["!a"]], "strong": [["t", "a"], ["!a", "!t"]]}
ANN: Final = Attester("ann")

ASKED: Final[tuple[Request, ...]] = (
    CheckRequest("a"),
    CheckRequest("a", "y"),
    CheckRequest("text"),
    AttestRequest("t", True, TEXT),
    AttestRequest("t", False, TEXT[:8]),
    AttestRequest("t", False, TEXT, ANN),
    AttestRequest("t", True, "it is not so"),
    RetractRequest("t"),
    RetractRequest("t", ANN),
    ReportRequest("weak"),
    ReportRequest("strong"),
    StopRequest(),
    CloseRequest(True),
)

Answered: TypeAlias = tuple[Told | bool, ...]
"""What resolvers and the judge told, in order; None where the call failed."""


class Walked(NamedTuple):
    """A request taken to its end: the kernel's reply, its next state, and the answers it got."""

    kind: str
    charged: Fraction
    state: Episode
    answers: Answered


def _answers(state: Episode) -> Iterator[tuple[Resolution, Told | bool]]:
    """Yield every answer that a state may get, and what it tells."""
    yield Failed("down"), None
    if state.judging is not None:
        yield Judged(True), True
        yield Judged(False), False
    elif state.pending == state.commitment.compiled.checks.index("text"):
        yield Read(TEXT), TEXT
        yield Resolved((("t", Unavailable("gone")),)), {"t": None}
    else:
        for value in (True, False, None):
            said = Unavailable("") if value is None else value
            yield Resolved((("a", said),)), {"a": value}


def _settled(state: Episode) -> Iterator[tuple[Episode, tuple[str, ...], Answered]]:
    """Yield every state in which nothing is awaited any more, and the answers that led there."""
    if not state.waiting:
        yield state, (), ()
        return
    for resolution, told in _answers(state):
        after, answer = resolve(state, resolution)
        for final, kinds, answers in _settled(after):
            yield final, (answer.kind.value, *kinds), (told, *answers)


def _walks(state: Episode, asked: Request) -> Iterator[Walked]:
    """Yield every way in which a request can come out, completion included."""
    after, answer = request(state, asked)
    awaited = answer.kind in (AnswerKind.RUN, AnswerKind.JUDGE)
    own = awaited and not after.completing
    kind = "ended" if awaited else answer.kind.value
    charged = Fraction(0) if awaited and not own else answer.charged
    for final, kinds, answers in _settled(after):
        yield Walked(kinds[0] if own else kind, charged, final, answers)


class Retold:
    """What is asked of resolvers and the judge, answered by a list."""

    def __init__(self, answers: Answered) -> None:
        """Start at the first."""
        self.left = list(answers)

    def tell(self, check: str, place: str) -> Told:
        """Return the next answer of a check."""
        return self._next(check)  # type: ignore[return-value]

    def judge(self, condition: str, text: str) -> bool | None:
        """Return the next judgement."""
        if text != TEXT:
            raise Disagreement(f"the judge is shown {text!r}")
        return self._next(condition)  # type: ignore[return-value]

    def _next(self, asked: str) -> Told | bool:
        if not self.left:
            raise Disagreement(f"{asked} is asked by Algorithm 1, and not by the kernel")
        return self.left.pop(0)


def _forked(state: UncertainInterpreter, answers: Answered) -> UncertainInterpreter:
    """Return an interpreter in the same state that gets these answers from now on."""
    other, told = copy(state), Retold(answers)
    other.entries, other.runs, other.failed = [*state.entries], [*state.runs], [*state.failed]
    other.answered, other.refused = {*state.answered}, {*state.refused}
    other.blank, other.attempted = {*state.blank}, {*state.attempted}
    other.decided = {**state.decided}
    other.tell = told.tell
    other.judge = told.judge if state.judge else None
    return other


def _compare(
    walked: Walked, read: UncertainInterpreter, reply: Reply, path: tuple[Request, ...]
) -> None:
    """Compare reply, charge, ledger, Auth, target, hold and the end with the paper's.

    Raises:
        Disagreement: something differs.
    """
    state, program = walked.state, walked.state.commitment.compiled
    aim, wanted = target_now(state), read.aim
    found: tuple[object, ...] = (
        walked.kind,
        walked.charged,
        Fraction(state.spent, program.unit),
        state.over,
        frozenset(program.conclusions[c] for c in bits(authorized_now(state))),
        None if aim is None else (program.conclusions[aim.conclusion], aim.route, aim.cover.cost),
        hold_now(state),
        len(state.ledger.records),
        len(state.failures),
    )
    expected = (
        reply.kind,
        reply.charged,
        read.spent,
        read.ending is not None,
        read.authorized,
        wanted and (wanted.conclusion, wanted.route, wanted.cost * program.unit),
        read.hold,
        len(read.entries),
        len(read.failed),
    )
    if found != expected or state.left < 0:
        raise Disagreement(f"{path} with {walked.answers}: {found}, not {expected}")
    if state.over:
        outcome = outcome_of(state)
        stated = frozenset(outcome.conclusions)
        if stated != read.reported or not stated <= read.authorized:
            raise Disagreement(f"{path} with {walked.answers}: states {sorted(stated)}")


def _explored(state: Episode, read: UncertainInterpreter, path: tuple[Request, ...]) -> int:
    """Compare every continuation of a review; return how many steps were compared."""
    if len(path) == REQUESTS:
        return 0
    steps = 0
    for each in ASKED:
        for walked in _walks(state, each):
            other = _forked(read, walked.answers)
            if isinstance(each, CloseRequest):
                other.close(each.complete)
                reply = Reply("ended")
            else:
                reply = other.ask(each)
            _compare(walked, other, reply, (*path, each))
            steps += 1
            if not walked.state.over:
                steps += _explored(walked.state, other, (*path, each))
    return steps


def _every_review(case: Case, budgets: Sequence[int], verified: bool) -> int:
    steps = 0
    for budget in budgets:
        start = begin(case.commitment, budget, True, verified)
        first = request(start, CheckRequest("text")).episode
        for state, answers in ((start, ()), (resolve(first, Read(TEXT)).episode, (TEXT,))):
            told: Answered = answers
            retold = Retold(told)
            judge = retold.judge if verified else None
            read = UncertainInterpreter(case.paper, Fraction(budget), True, retold.tell, judge)
            if told:
                read.ask(CheckRequest("text"))
            steps += _explored(state, read, ())
    return steps


def _case(*constraints: tuple[Literal, ...]) -> Case:
    plain = case_from(ROUTES, ("a", "t"), CHECKS)
    return case_of(replace(plain.specification, constraints=constraints), plain.program)


def every_short_review_of_uncertain_evidence_is_that_of_the_algorithm() -> int:
    """Up to 3 requests, alone and after the text was read; with a judge, and with a constraint."""
    constrained = _case((Literal("a", False), Literal("t")))
    return _every_review(constrained, (6,), True) + _every_review(_case(), (3, 5), False)
