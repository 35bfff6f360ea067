"""One review as a pure transition function (PRIME, Algorithm 1).

`begin` gives the first state, `request` takes what an agent asks, `resolve` what a resolver
answered. A state whose `pending` is a check waits for `resolve`; any other waits for `request` or
has ended. Nothing here calls a resolver, reads a clock or keeps anything between calls, so the same
requests and answers always give the same outcome.
"""

from dataclasses import replace
from typing import Final

from icontract import ensure, require

from ._seal import SEAL
from .attestations import judge, request_attestation, request_retraction
from .commitment import Commitment
from .compiled import calls_of
from .completion import after_attempt, after_charge, complete, end_checking
from .decisions import authorized
from .errors import InvalidInput, InvariantViolation
from .freshness import request_refresh
from .ledger import Certificate, Inconclusive, Observation, Record, TextRead, settle
from .messages import (
    Answer,
    AnswerKind,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    Failed,
    Read,
    RefreshRequest,
    ReportRequest,
    Request,
    Resolution,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
    Value,
    described,
    is_attestation,
    is_digest,
    usable_answer,
)
from .objects import Attester, Check
from .outcome import Ended, Ending, Failure, Outcome, build_outcome
from .rationals import Number, non_negative
from .state import (
    Episode,
    Reading,
    Transition,
    authorized_now,
    charge,
    hold_now,
    text_read,
    with_records,
)

REMINDERS: Final = 3
# A report request and an unrecognized request cost one call each.
REQUEST_COST: Final = 1
NO_ROUTE: Final = "no route to it is established by the recorded checks"
SUSPENDED: Final = "what is recorded contradicts the constraints, or may do so"
EXHAUSTED: Final = "none of the candidates establishes it"


@ensure(lambda result: result.spent == 0 and not result.ledger.records)
def begin(
    commitment: Commitment, budget: Number, completion: bool = True, verified: bool = False
) -> Episode:
    """Return the first state: an empty ledger, the whole budget.

    A budget of 0 ends checking at once, as in line 3 of Algorithm 1.

    Raises:
        InvalidInput: the budget is no finite number of at least 0, or `completion` or `verified` no
            truth value.
    """
    for place, setting in (("completion", completion), ("verified", verified)):
        if not isinstance(setting, bool):
            raise InvalidInput(place, f"expected a truth value, found {setting!r}")
    given = non_negative(budget, "budget")
    episode = with_records(Episode(commitment, given, completion, SEAL, verified))
    return after_charge(episode, Answer(AnswerKind.RECORDED)).episode


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
@ensure(
    lambda episode, asked, result: (
        result.episode.ledger is episode.ledger
        or isinstance(asked, AttestRequest | RetractRequest | RefreshRequest)
    )
)
def request(episode: Episode, asked: Request) -> Transition:
    """Take one request (lines 4 to 14 of Algorithm 1); an agent's goes through `plain` first.

    The answer RUN means that the resolver of `episode.pending` is to be run, JUDGE that the second
    judge of `episode.judging` is to be asked, and its answer handed to `resolve`; no other request
    is taken until then.
    """
    if episode.over:
        return Transition(episode, Answer(AnswerKind.ENDED, reason="the review is over"))
    if episode.waiting:
        return Transition(episode, Answer(AnswerKind.BUSY, reason="a check is running"))
    return _recognized(episode, asked) or _refuse_unrecognized(episode, asked)


def _recognized(episode: Episode, asked: Request) -> Transition | None:
    program = episode.commitment.compiled
    match asked:
        case CheckRequest(check, candidate) if check in program.checks:
            return _request_check(episode, program.checks.index(check), candidate)
        case AttestRequest(atom) if is_attestation(asked) and atom in program.atoms:
            return request_attestation(episode, asked)
        case RetractRequest(atom, attester) if type(atom) is str and type(attester) is Attester:
            return request_retraction(episode, asked)
        case RefreshRequest(check, digest) if check in program.checks and is_digest(digest):
            return request_refresh(episode, program.checks.index(check), digest)
        case ReportRequest(name) if name in program.conclusions:
            return _request_report(episode, program.conclusions.index(name))
        case StopRequest() | CloseRequest():
            return _request_end(episode, asked)
    return None


@require(lambda episode: episode.waiting)
@ensure(
    lambda episode, result: (
        result.episode.ledger.records[: len(episode.ledger.records)] == episode.ledger.records
    )
)
@ensure(lambda result: result.episode.left >= 0)
def resolve(episode: Episode, resolution: Resolution) -> Transition:
    """Take what a resolver or the second judge answered (line 9), and go on completing.

    An answer that does not hold exactly one truth value or `Unavailable` for each atom of the
    check, or of a text read the text, is a failed call: charged, not cached, and it establishes
    nothing.
    """
    if episode.judging is not None:
        return judge(episode, resolution)
    if episode.pending is None:
        raise InvariantViolation("no check is running")
    index = episode.pending
    check = episode.commitment.compiled.registered[index]
    usable = usable_answer(check, resolution)
    settled = after_attempt(episode) if episode.completing else episode
    settled = replace(settled, pending=None, seal=SEAL)
    match usable:
        case Failed(reason):
            failures = (*episode.failures, Failure(check.identifier, reason))
            settled = replace(settled, failures=failures, seal=SEAL)
            answer = Answer(AnswerKind.FAILED, check.identifier, reason=reason)
        case Read(text, digest):
            settled = _admit(settled, index, TextRead(check.identifier, text, digest))
            answer = Answer(AnswerKind.RECORDED, check.identifier, text=text)
        case Resolved():
            settled, answer = _take_values(settled, index, usable)
    return complete(settled) if episode.completing else after_charge(settled, answer)


def _admit(episode: Episode, index: int, *records: Record) -> Episode:
    answered = episode.answered | 1 << index
    return replace(with_records(episode, *records), answered=answered, seal=SEAL)


def _take_values(episode: Episode, index: int, given: Resolved) -> Transition:
    check = episode.commitment.compiled.registered[index]
    answer = Answer(AnswerKind.RECORDED, check.identifier, values=given.values)
    if check.candidates:
        return _take_candidate(episode, index, answer, given.digest)
    records = (_record(check, atom, value, given.digest) for atom, value in given.values)
    return Transition(_admit(episode, index, *records), answer)


def _record(check: Check, atom: str, value: Value, digest: str) -> Observation | Certificate:
    if isinstance(value, Unavailable):
        return Certificate(atom, check.identifier, value.reason, digest)
    return Observation(atom, value, check.identifier, digest=digest)


def _take_candidate(episode: Episode, index: int, answer: Answer, digest: str) -> Transition:
    """Admit the value that a candidate established; after the last that did not, `exhausted`."""
    check = episode.commitment.compiled.registered[index]
    name = check.candidates[episode.candidate]
    ((atom, value),) = answer.values
    if not isinstance(value, Unavailable):
        record = Observation(atom, value, check.identifier, name, digest)
        return Transition(_admit(episode, index, record), answer)
    read = episode.read | {Reading(index, episode.candidate)}
    marked = replace(episode, read=read, seal=SEAL)
    inconclusive = Inconclusive(atom, check.identifier, name, value.reason, digest)
    if first_unread(marked, index) is not None:
        answer = answer._replace(kind=AnswerKind.INCONCLUSIVE, reason=value.reason)
        return Transition(with_records(marked, inconclusive), answer)
    last: Value = Unavailable(EXHAUSTED) if check.exhausted is None else check.exhausted
    return Transition(
        _admit(marked, index, inconclusive, _record(check, atom, last, digest)),
        answer._replace(values=((atom, last),)),
    )


def first_unread(episode: Episode, index: int) -> int | None:
    """Return the first candidate of a check whose read has not established nothing, or None."""
    candidates = episode.commitment.compiled.registered[index].candidates
    return next((i for i in range(len(candidates)) if Reading(index, i) not in episode.read), None)


def _request_check(episode: Episode, index: int, candidate: str) -> Transition | None:
    program = episode.commitment.compiled
    check = program.registered[index]
    if candidate and candidate not in check.candidates:
        return None
    place = check.candidates.index(candidate) if candidate else first_unread(episode, index) or 0
    if episode.answered >> index & 1 or Reading(index, place) in episode.read:
        return Transition(episode, _cached(episode, index, place))
    cost = program.calls[index].cost
    if cost > episode.left:
        return end_checking(episode, Ending.UNAFFORDABLE)
    running = replace(charge(episode, cost), pending=index, candidate=place, seal=SEAL)
    return Transition(running, Answer(AnswerKind.RUN, check.identifier, calls_of(program, cost)))


def _cached(episode: Episode, index: int, place: int) -> Answer:
    """Return what a check established, or what a candidate of one that is open did not."""
    check = episode.commitment.compiled.registered[index]
    name = check.identifier
    if episode.answered >> index & 1:
        values: list[tuple[str, Value]] = []
        for record in episode.ledger.standing:
            if isinstance(record, Observation) and record.check == name:
                values.append((record.atom, record.value))
            elif isinstance(record, Certificate) and record.check == name:
                values.append((record.atom, Unavailable(record.reason)))
        text = text_read(episode, name) or ""
        return Answer(AnswerKind.CACHED, name, values=tuple(values), text=text)
    reason = next(
        record.reason
        for record in episode.ledger.standing
        if isinstance(record, Inconclusive)
        and (record.check, record.candidate) == (name, check.candidates[place])
    )
    values = [(check.settles[0], Unavailable(reason))]
    return Answer(AnswerKind.CACHED, name, values=tuple(values), reason=reason)


def _request_report(episode: Episode, index: int) -> Transition:
    program = episode.commitment.compiled
    conclusion = program.conclusions[index]
    units = REQUEST_COST * program.unit
    if units > episode.left:
        return end_checking(episode, Ending.UNAFFORDABLE)
    charged = charge(episode, units)
    calls = calls_of(program, units)
    # An outcome is decided on its ledger alone, without what was found on the way to it.
    on_ledger = authorized(program, settle(program, charged.ledger))
    if not (authorized_now(charged) & on_ledger) >> index & 1:
        reason = SUSPENDED if charged.settled.suspended else NO_ROUTE
        return after_charge(
            charged, Answer(AnswerKind.UNAUTHORIZED, conclusion, calls, reason=reason)
        )
    if hold_now(charged):
        reason = "a stronger conclusion is still reachable within the budget"
        return after_charge(charged, Answer(AnswerKind.HELD, conclusion, calls, reason=reason))
    accepted = replace(charged, accepted=conclusion, ending=Ending.ACCEPTED, seal=SEAL)
    return Transition(accepted, Answer(AnswerKind.ACCEPTED, conclusion, calls))


def _request_end(episode: Episode, asked: StopRequest | CloseRequest) -> Transition:
    if isinstance(asked, CloseRequest):
        closed = replace(episode, completion=asked.complete, seal=SEAL)
        return end_checking(closed, Ending.CLOSED)
    if episode.reminders < REMINDERS and hold_now(episode):
        reminded = replace(episode, reminders=episode.reminders + 1, seal=SEAL)
        reason = "a stronger conclusion is still reachable within the budget"
        return Transition(reminded, Answer(AnswerKind.REMINDED, reason=reason))
    return end_checking(episode, Ending.STOPPED)


def _refuse_unrecognized(episode: Episode, asked: Request) -> Transition:
    program = episode.commitment.compiled
    key = described(asked)
    reason = _why_unrecognized(episode, asked)
    if key in episode.refused:
        return Transition(episode, Answer(AnswerKind.UNRECOGNIZED, reason=reason))
    units = REQUEST_COST * program.unit
    if units > episode.left:
        return end_checking(episode, Ending.UNAFFORDABLE)
    refused = replace(charge(episode, units), refused=episode.refused | {key}, seal=SEAL)
    return after_charge(
        refused, Answer(AnswerKind.UNRECOGNIZED, "", calls_of(program, units), reason=reason)
    )


def _why_unrecognized(episode: Episode, asked: Request) -> str:
    match asked:
        case CheckRequest(check) if check in episode.commitment.compiled.checks:
            return "the check has no candidate of this name"
        case AttestRequest():
            return "expected an atom's name, a truth value and a quote of admitted length"
        case RetractRequest():
            return "this attester has nothing on record of it"
    return "no registered check and no known conclusion or request has this name"
