"""One review as a pure transition function (PRIME, Algorithm 1).

`begin` gives the first state, `request` takes what an agent asks, `resolve` what a resolver
answered. A state whose `pending` is a check waits for `resolve`; any other waits for `request` or
has ended. Nothing here calls a resolver, reads a clock or keeps anything between calls, so the same
requests and answers always give the same outcome.
"""

from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from typing import Final, NamedTuple

from icontract import ensure, require

from ._seal import SEAL, Sealed
from .commitment import Commitment
from .compiled import calls_of
from .decisions import Settled, Target, authorized, checks_in_order, hold, target
from .errors import InvalidInput, InvariantViolation
from .ledger import Certificate, Ledger, Observation, settle
from .messages import (
    Answer,
    AnswerKind,
    CheckRequest,
    CloseRequest,
    Failed,
    ReportRequest,
    Request,
    Resolution,
    Resolved,
    StopRequest,
    Unavailable,
    Value,
    described,
    usable_answer,
)
from .objects import Check
from .outcome import Ended, Ending, Failure, Outcome, build_outcome
from .rationals import Number, non_negative

REMINDERS: Final = 3
# A report request and an unrecognized request cost one call each.
REQUEST_COST: Final = 1


@dataclass(frozen=True, slots=True)
class Episode(Sealed):
    """The state (z, b, n, ...) of one review.

    Attributes:
        commitment: P_0.
        budget: calls that the review has.
        completion: the completion setting gamma.
        ledger: z.
        settled: z as masks.
        answered: checks whose answers are recorded: a repeat is free, and they are exhausted.
        spent: charged units.
        reminders: n, the reminders that were given.
        refused: unrecognized requests that were charged: a repeat is free.
        pending: the check whose resolver runs, else None.
        completing: whether the pending check is run by completion.
        tried: checks that completion has run, whether or not they answered.
        ending: set when checking has ended; the review is over when nothing is pending then.
        accepted: the conclusion whose report was accepted.
        failures: the calls that gave no usable answer.
    """

    commitment: Commitment
    budget: Fraction
    completion: bool
    seal: InitVar[object] = None
    ledger: Ledger = field(default_factory=Ledger)
    settled: Settled = field(default_factory=Settled)
    answered: int = 0
    spent: int = 0
    reminders: int = 0
    refused: frozenset[str] = frozenset()
    pending: int | None = None
    completing: bool = False
    tried: int = 0
    ending: Ending | None = None
    accepted: str | None = None
    failures: tuple[Failure, ...] = ()

    def __post_init__(self, seal: object) -> None:
        """Refuse to be built by anybody but the kernel."""
        self._require_seal(seal)

    @property
    def left(self) -> int:
        """What is left of the budget, in whole units of the program: b, rounded down."""
        return int(self.budget * self.commitment.compiled.unit) - self.spent

    @property
    def over(self) -> bool:
        """Whether the review is over: checking ended and completion has nothing running."""
        return self.ending is not None and self.pending is None


class Transition(NamedTuple):
    """The next state, and the answer to the one who asked."""

    episode: Episode
    answer: Answer


@ensure(lambda result: result.spent == 0 and not result.ledger.records)
def begin(commitment: Commitment, budget: Number, completion: bool = True) -> Episode:
    """Return the first state: an empty ledger, the whole budget.

    A budget of 0 ends checking at once, as in line 3 of Algorithm 1.

    Raises:
        InvalidInput: the budget is no finite number of at least 0, or `completion` no truth value.
    """
    if not isinstance(completion, bool):
        raise InvalidInput("completion", f"expected a truth value, found {completion!r}")
    episode = Episode(commitment, non_negative(budget, "budget"), completion, SEAL)
    return _after_charge(episode, Answer(AnswerKind.RECORDED)).episode


@ensure(lambda episode, result: authorized(episode.commitment.compiled, episode.settled) == result)
def authorized_now(episode: Episode) -> int:
    """Return Auth(z) of the state, as a conclusion mask."""
    return authorized(episode.commitment.compiled, episode.settled)


def target_now(episode: Episode) -> Target | None:
    """Return (c*, p*) of the state, Equation (4), over the checks that have not answered."""
    program = episode.commitment.compiled
    return target(program, episode.settled, episode.left, _runnable(episode))


def hold_now(episode: Episode) -> bool:
    """Return the hold indicator mu of the state."""
    return hold(episode.commitment.compiled, target_now(episode), authorized_now(episode))


@require(lambda episode: episode.over)
@ensure(lambda episode, result: result.ledger is episode.ledger)
def outcome_of(episode: Episode) -> Outcome:
    """Return the structured outcome of a review that is over."""
    if not episode.over or episode.ending is None:
        raise InvariantViolation("the review is not over")
    return build_outcome(
        episode.commitment,
        episode.ledger,
        episode.answered,
        Ended(episode.spent, episode.budget, episode.ending, episode.accepted, episode.failures),
        SEAL,
    )


@ensure(lambda episode, result: episode.spent <= result.episode.spent)
@ensure(lambda result: result.episode.left >= 0)
@ensure(lambda episode, result: result.episode.ledger is episode.ledger)
def request(episode: Episode, asked: Request) -> Transition:
    """Take one request (lines 4 to 14 of Algorithm 1); an agent's goes through `plain` first.

    The answer RUN means that the resolver of `episode.pending` is to be run and its answer handed
    to `resolve`; no other request is taken until then.
    """
    if episode.over:
        return Transition(episode, Answer(AnswerKind.ENDED, reason="the review is over"))
    if episode.pending is not None:
        return Transition(episode, Answer(AnswerKind.BUSY, reason="a check is running"))
    program = episode.commitment.compiled
    match asked:
        case CheckRequest(check) if check in program.checks:
            return _request_check(episode, program.checks.index(check))
        case ReportRequest(name) if name in program.conclusions:
            return _request_report(episode, program.conclusions.index(name))
        case StopRequest():
            return _request_stop(episode)
        case CloseRequest(complete):
            return _end_checking(replace(episode, completion=complete, seal=SEAL), Ending.CLOSED)
    return _refuse_unrecognized(episode, asked)


@require(lambda episode: episode.pending is not None)
@ensure(
    lambda episode, result: (
        result.episode.ledger.records[: len(episode.ledger.records)] == episode.ledger.records
    )
)
@ensure(lambda result: result.episode.left >= 0)
def resolve(episode: Episode, resolution: Resolution) -> Transition:
    """Take what the resolver of the pending check answered (line 9), and go on completing.

    An answer that does not hold exactly one truth value or `Unavailable` for each atom of the check
    is a failed call: charged, not cached, and it establishes nothing.
    """
    if episode.pending is None:
        raise InvariantViolation("no check is running")
    index = episode.pending
    check = episode.commitment.compiled.registered[index]
    usable = usable_answer(check, resolution)
    tried = episode.tried | (1 << index if episode.completing else 0)
    settled = replace(episode, pending=None, tried=tried, seal=SEAL)
    if isinstance(usable, Failed):
        failures = (*episode.failures, Failure(check.identifier, usable.reason))
        settled = replace(settled, failures=failures, seal=SEAL)
        answer = Answer(AnswerKind.FAILED, check.identifier, reason=usable.reason)
    else:
        settled = _admit(settled, index, check, usable)
        answer = Answer(AnswerKind.RECORDED, check.identifier, values=usable.values)
    return _complete(settled) if episode.completing else _after_charge(settled, answer)


def _runnable(episode: Episode) -> int:
    return episode.commitment.compiled.all_checks & ~episode.answered


def _charge(episode: Episode, units: int) -> Episode:
    return replace(episode, spent=episode.spent + units, seal=SEAL)


def _request_check(episode: Episode, index: int) -> Transition:
    program = episode.commitment.compiled
    name = program.checks[index]
    if episode.answered >> index & 1:
        return Transition(
            episode, Answer(AnswerKind.CACHED, name, values=_recorded(episode.ledger, name))
        )
    cost = program.calls[index].cost
    if cost > episode.left:
        return _end_checking(episode, Ending.UNAFFORDABLE)
    running = replace(_charge(episode, cost), pending=index, seal=SEAL)
    return Transition(running, Answer(AnswerKind.RUN, name, calls_of(program, cost)))


def _recorded(ledger: Ledger, check: str) -> tuple[tuple[str, Value], ...]:
    return tuple(
        (
            record.atom,
            record.value if isinstance(record, Observation) else Unavailable(record.reason),
        )
        for record in ledger.records
        if record.check == check
    )


def _request_report(episode: Episode, index: int) -> Transition:
    program = episode.commitment.compiled
    conclusion = program.conclusions[index]
    units = REQUEST_COST * program.unit
    if units > episode.left:
        return _end_checking(episode, Ending.UNAFFORDABLE)
    charged = _charge(episode, units)
    calls = calls_of(program, units)
    if not authorized_now(charged) >> index & 1:
        reason = "no route to it is established by the recorded checks"
        return _after_charge(
            charged, Answer(AnswerKind.UNAUTHORIZED, conclusion, calls, reason=reason)
        )
    if hold_now(charged):
        reason = "a stronger conclusion is still reachable within the budget"
        return _after_charge(charged, Answer(AnswerKind.HELD, conclusion, calls, reason=reason))
    accepted = replace(charged, accepted=conclusion, ending=Ending.ACCEPTED, seal=SEAL)
    return Transition(accepted, Answer(AnswerKind.ACCEPTED, conclusion, calls))


def _request_stop(episode: Episode) -> Transition:
    if episode.reminders < REMINDERS and hold_now(episode):
        reminded = replace(episode, reminders=episode.reminders + 1, seal=SEAL)
        reason = "a stronger conclusion is still reachable within the budget"
        return Transition(reminded, Answer(AnswerKind.REMINDED, reason=reason))
    return _end_checking(episode, Ending.STOPPED)


def _refuse_unrecognized(episode: Episode, asked: Request) -> Transition:
    program = episode.commitment.compiled
    key = described(asked)
    reason = "no registered check and no known conclusion or request has this name"
    if key in episode.refused:
        return Transition(episode, Answer(AnswerKind.UNRECOGNIZED, reason=reason))
    units = REQUEST_COST * program.unit
    if units > episode.left:
        return _end_checking(episode, Ending.UNAFFORDABLE)
    refused = replace(_charge(episode, units), refused=episode.refused | {key}, seal=SEAL)
    return _after_charge(
        refused, Answer(AnswerKind.UNRECOGNIZED, "", calls_of(program, units), reason=reason)
    )


def _admit(episode: Episode, index: int, check: Check, resolution: Resolved) -> Episode:
    ledger = episode.ledger.with_records(
        tuple(
            Certificate(atom, check.identifier, value.reason)
            if isinstance(value, Unavailable)
            else Observation(atom, value, check.identifier)
            for atom, value in resolution.values
        )
    )
    return replace(
        episode,
        ledger=ledger,
        settled=settle(episode.commitment.compiled, ledger),
        answered=episode.answered | 1 << index,
        seal=SEAL,
    )


def _after_charge(episode: Episode, answer: Answer) -> Transition:
    """End checking when the budget is spent (line 3); the answer stands either way."""
    if episode.budget * episode.commitment.compiled.unit > episode.spent:
        return Transition(episode, answer)
    return Transition(_end_checking(episode, Ending.BUDGET).episode, answer)


def _end_checking(episode: Episode, ending: Ending) -> Transition:
    return _complete(replace(episode, ending=ending, seal=SEAL))


def _complete(episode: Episode) -> Transition:
    """Run the next check of completion, or end the review (line 13).

    The target is computed over the checks that completion can still run: each at most once, and
    none that has answered. It fits the budget, so its first check can be paid; with the budget
    spent, only a target that costs nothing is left.
    """
    program = episode.commitment.compiled
    runnable = _runnable(episode) & ~episode.tried
    aim = target(program, episode.settled, episode.left, runnable)
    auth = authorized_now(episode)
    if not episode.completion or aim is None or not hold(program, aim, auth):
        return Transition(
            replace(episode, completing=False, seal=SEAL),
            Answer(AnswerKind.ENDED, reason=f"checking ended: {_ending(episode).value}"),
        )
    index = checks_in_order(program, aim, episode.settled)[0]
    cost = program.calls[index].cost
    running = replace(_charge(episode, cost), pending=index, completing=True, seal=SEAL)
    return Transition(
        running, Answer(AnswerKind.RUN, program.checks[index], calls_of(program, cost))
    )


def _ending(episode: Episode) -> Ending:
    if episode.ending is None:
        raise InvariantViolation("completion before checking ended")
    return episode.ending
