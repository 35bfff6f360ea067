"""Charging, Theorem 4.1 (ii) and every step of Algorithm 1: every short review of small programs.

Each review is walked through on the kernel's own transitions, `licet.episode`, with every request
and every answer at every step, beside the interpreter of Algorithm 1 that is written from the
paper. Nothing is sampled: what is asked is each check, each report, something unrecognized, a stop,
and the caller's end with and without completion; what a check answers is each truth value of each
of its atoms, that nothing can be established, or a failure.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from licet import (
    AnswerKind,
    Check,
    CheckRequest,
    CloseRequest,
    Failed,
    ReportRequest,
    Request,
    Resolved,
    StopRequest,
    Unavailable,
)
from licet.compiled import bits
from licet.episode import begin, outcome_of, request, resolve
from licet.messages import Resolution
from licet.state import Episode, authorized_now, hold_now
from licet.state import target_now as target_of_state

from .algorithm import Established, Interpreter, Reply
from .enumerated import Disagreement
from .generators import Case, case_from
from .independent import authorized

REQUESTS: Final = 4
"""Requests in one review; a stop that is heeded adds what completion runs."""

ROUTES: Final = {"weak": [["a"], ["!b"]], "strong": [["a", "b"], ["!b", "!a"]]}

Answers: TypeAlias = tuple[Established | None, ...]
"""What the checks that ran established, in order; None for one that failed."""


class Walked(NamedTuple):
    """A request taken to its end: the kernel's reply, its next state, and the answers it got."""

    kind: str
    charged: Fraction
    state: Episode
    answers: Answers


def _requests(case: Case) -> list[Request]:
    checks: list[Request] = [CheckRequest(check) for check in case.commitment.compiled.checks]
    reports: list[Request] = [ReportRequest(name) for name in ROUTES]
    ends: list[Request] = [StopRequest(), CloseRequest(False), CloseRequest(True)]
    return [*checks, *reports, CheckRequest("nothing"), *ends]


def _resolutions(check: Check) -> Iterator[tuple[Resolution, Established | None]]:
    """Yield every answer of a check, and what it establishes."""
    yield Failed("down"), None
    for values in product((True, False, None), repeat=len(check.settles)):
        established = dict(zip(check.settles, values, strict=True))
        pairs = tuple((a, Unavailable("") if v is None else v) for a, v in established.items())
        yield Resolved(pairs), established


def _walks(state: Episode, asked: Request) -> Iterator[Walked]:
    """Yield every way in which a request can come out, completion included."""
    after, answer = request(state, asked)
    ran = answer.kind is AnswerKind.RUN
    own = ran and not after.completing
    kind = "ended" if ran else answer.kind.value
    # What completion runs is charged to the review, not to the one who asked.
    charged = Fraction(0) if ran and not own else answer.charged
    for final, kinds, answers in _settled(after):
        yield Walked(kinds[0] if own else kind, charged, final, answers)


def _settled(state: Episode) -> Iterator[tuple[Episode, tuple[str, ...], Answers]]:
    """Yield every state in which nothing is pending any more, and the answers that led there."""
    if state.pending is None:
        yield state, (), ()
        return
    check = state.commitment.compiled.registered[state.pending]
    for resolution, established in _resolutions(check):
        after, answer = resolve(state, resolution)
        for final, kinds, answers in _settled(after):
            yield final, (answer.kind.value, *kinds), (established, *answers)


def _forked(state: Interpreter, answers: Sequence[Established | None]) -> Interpreter:
    """Return an interpreter in the same state, whose checks get these answers from now on."""
    other = copy(state)
    other.ledger, other.run, other.failed = list(state.ledger), list(state.run), list(state.failed)
    other.answered, other.refused = set(state.answered), set(state.refused)
    other.resolve = _saying(answers)
    return other


def _saying(answers: Sequence[Established | None]) -> Callable[[str], Established | None]:
    """Return what answers whichever check runs with the next of some answers."""
    left = iter(answers)

    def say(check: str) -> Established | None:
        for answer in left:
            return answer
        raise Disagreement(f"{check} runs in Algorithm 1, and not in the kernel")

    return say


def _compare(walked: Walked, read: Interpreter, reply: Reply, path: tuple[Request, ...]) -> None:
    """Compare reply, charges, ledger, Auth, target, hold and the end with the paper's.

    Raises:
        Disagreement: something differs.
    """
    state, program = walked.state, walked.state.commitment.compiled
    auth = frozenset(program.conclusions[c] for c in bits(authorized_now(state)))
    aim = target_of_state(state)
    found: tuple[object, ...] = (
        walked.kind,
        walked.charged,
        Fraction(state.spent, program.unit),
        state.left >= 0,
        state.over,
        auth,
        None if aim is None else (program.conclusions[aim.conclusion], aim.route),
        hold_now(state),
        len(state.ledger.records),
        len(state.failures),
    )
    expected_aim = read.aim
    expected = (
        reply.kind,
        reply.charged,
        read.spent,
        True,
        read.ending is not None,
        read.authorized,
        expected_aim and (expected_aim.conclusion, expected_aim.route),
        read.hold,
        len(read.ledger),
        len(read.failed),
    )
    if found != expected:
        raise Disagreement(f"{path} with {walked.answers}: {found}, not {expected}")
    if state.over:
        outcome = outcome_of(state)
        stated = frozenset(outcome.conclusions)
        if stated != read.reported or not stated <= authorized(read.paper, read.ledger):
            raise Disagreement(f"{path} with {walked.answers}: states {sorted(stated)}")
        if outcome.ending.value != read.ending or outcome.spent != read.spent:
            raise Disagreement(f"{path} with {walked.answers}: ends {outcome.ending}")


def _explored(
    state: Episode, read: Interpreter, asked: Sequence[Request], path: tuple[Request, ...]
) -> int:
    """Compare every continuation of a review; return how many steps were compared."""
    if len(path) == REQUESTS:
        return 0
    steps = 0
    for each in asked:
        here = (*path, each)
        for walked in _walks(state, each):
            other = _forked(read, walked.answers)
            if isinstance(each, CloseRequest):
                other.close(each.complete)
                reply = Reply("ended")
            else:
                reply = other.ask(each)
            _compare(walked, other, reply, here)
            steps += 1
            if not walked.state.over:
                steps += _explored(walked.state, other, asked, here)
    return steps


def _every_review(shared: tuple[Check, ...], budgets: Sequence[int]) -> int:
    case = case_from(ROUTES, ("a", "b"), shared)
    steps = 0
    for budget, completion in product(budgets, (True, False)):
        for state, _, answers in _settled(begin(case.commitment, budget, completion)):
            read = Interpreter(case.paper, Fraction(budget), completion, _saying(answers))
            steps += 1
            if not state.over:
                steps += _explored(state, read, _requests(case), ())
    return steps


def every_short_review_is_charged_as_the_algorithm_says() -> int:
    """Checks of cost 1 and 2, budgets 0 to 5: every reply, charge, state and outcome."""
    return _every_review((Check("ka", ("a",), 1), Check("kb", ("b",), 2)), range(6))


def every_short_review_with_a_shared_check_is_too() -> int:
    """A free check of one atom and one of cost 2 that settles both, budgets 0 to 4."""
    return _every_review((Check("ka", ("a",), 0), Check("kab", ("a", "b"), 2)), range(5))
