"""Resolvers, judges and agents of reviews with texts and candidates: truthful, lying and failing.

`sessions_uncertain` says from which domain they are drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from licet import (
    Attester,
    AttesterKind,
    AttestRequest,
    Certificate,
    Check,
    Expiration,
    Inconclusive,
    Number,
    Observation,
    Outcome,
    RefreshRequest,
    Request,
    Retraction,
    RetractRequest,
    Review,
    Sourced,
    StopRequest,
    TextRead,
    Value,
)
from licet.ledger import Attestation

from .adversaries import (
    CALLS_AT_MOST,
    Move,
    Runaway,
    Script,
    as_request,
    ask,
    bounded,
    decided,
)
from .algorithm import Reply
from .algorithm_uncertain import Told, told_by
from .expect import text_of
from .generators import Case, Shown
from .independent import Evidence
from .independent_uncertain import Blank, Entry, Expired, Said, TextOf, Withdrawn
from .misbehaviours import Answer

AGENT: Final = Attester("agent")
OTHERS: Final = (
    Attester("ann", AttesterKind.PERSON),
    Attester("agent", AttesterKind.PERSON),
    Attester("second"),
)
"""Who else attests; one has the agent's name, but is a person."""

TEXTS: Final = ("A long name makes it crash, in libfoo 1.2.", "A long name is taken; no crash.")
VERBATIM: Final = ("A long name", "A long n", TEXTS[0], "makes it crash, ")
SPURIOUS: Final = ("ong nam", " crash, ", " taken; ", "A LONG NAME", "a long name is harmless", "")
"""Too short, too short without the blanks, in other letters, not in the text, and nothing."""


class Dispute(Enum):
    """What somebody does about the attestation that was asked for last."""

    OPPOSE = "attest the opposite, in another name"
    WITHDRAW = "retract it"
    REPEAT = "attest the same again"
    PRETEND = "the agent attests the opposite, as if it were another"
    USURP = "the agent retracts it, whoever attested it"


@dataclass(frozen=True, slots=True)
class ByCaller:
    """What the caller itself puts on record, takes back, in the name of somebody, or refreshes."""

    request: AttestRequest | RetractRequest | RefreshRequest


class UncertainScripted:
    """A resolver and a second judge that follow a script.

    Attributes:
        runs: the checks that were run, each with the candidate that was to be read.
        heard: what the second judge was asked.
    """

    def __init__(
        self,
        case: Case,
        script: Script,
        judgements: Sequence[Answer],
        named: frozenset[str] = frozenset(),
    ) -> None:
        """Start at the first answers; of the checks that are named each read has a digest."""
        self.named = named
        self.paper = case.paper
        self.script = script
        self.judgements = judgements
        self.runs: list[tuple[str, str]] = []
        self.heard: list[tuple[str, str]] = []

    def __call__(self, check: Check) -> Mapping[str, Value] | Sourced:
        """Answer the kernel, which must take whatever comes."""
        place = " and ".join(check.candidates)  # one alone, or none
        answer = _raised(self._next(check.identifier, place))
        digest = self.digest(check.identifier)
        return Sourced(answer, digest) if digest else answer  # type: ignore[return-value, arg-type]

    def digest(self, check: str) -> str:
        """Return the digest of what a check read last: there are two, in turn."""
        read = sum(check == name for name, _ in self.runs)
        return f"v{read % 2}" if check in self.named else ""

    def judge(self, condition: str, text: str) -> bool:
        """Judge for the kernel."""
        return _raised(self._next_judgement(condition, text))  # type: ignore[return-value]

    def tell(self, check: str, place: str) -> Told:
        """Answer the interpreter."""
        answer = self._next(check, place)
        return told_by(answer, self.paper.settles[check], check in self.paper.texts)

    def confirm(self, condition: str, text: str) -> bool | None:
        """Judge for the interpreter; None is no judgement."""
        answer = self._next_judgement(condition, text)
        return answer if isinstance(answer, bool) else None

    def _next(self, check: str, place: str) -> Answer:
        if len(self.runs) >= CALLS_AT_MOST:
            raise Runaway(check)
        turns = self.script[check]
        made = sum(check == name for name, _ in self.runs)
        self.runs.append((check, place))
        return turns[made % len(turns)]

    def _next_judgement(self, condition: str, text: str) -> Answer:
        self.heard.append((condition, text))
        return self.judgements[(len(self.heard) - 1) % len(self.judgements)]


def _raised(answer: Answer) -> Answer:
    if isinstance(answer, Exception):
        raise answer
    return answer


@dataclass(frozen=True, slots=True, repr=False)
class UncertainSession(Shown):
    """One adversarial review of uncertain evidence.

    Attributes:
        case: the program.
        script: what the resolvers answer.
        judgements: what the second judge answers, in turn; none where nobody is asked.
        budget: calls.
        completion: gamma.
        asked: what is asked, in order.
        complete: whether the caller asks for completion when it closes the review at last.
        named: the checks whose reads name a digest.
    """

    case: Case
    script: Script
    judgements: tuple[Answer, ...]
    budget: Number
    completion: bool
    asked: tuple[object, ...]
    complete: bool
    named: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Show the parts, also where one of them refuses to be shown."""
        checks = [*map(text_of, self.case.specification.checks)]
        shown = ", ".join(map(text_of, self.asked))
        return (
            f"Session({self.case!r}, {checks}, constraints={text_of(self.case.paper.clauses)},"
            f" script={text_of(self.script)}, judgements={text_of(self.judgements)},"
            f" budget={self.budget}, completion={self.completion}, asked=({shown}),"
            f" named={text_of(self.named)})"
        )

    def scripted(self) -> UncertainScripted:
        """Return resolvers and a judge at the beginning of the script."""
        return UncertainScripted(self.case, self.script, self.judgements, self.named)

    def open(self) -> tuple[Review, UncertainScripted]:
        """Return a review that has not been asked anything yet, and its resolver."""
        resolver = self.scripted()
        with bounded():
            review = Review(
                self.case.commitment,
                resolver,
                budget=self.budget,
                completion=self.completion,
                judge=resolver.judge if self.judgements else None,
            )
        return review, resolver

    def requests(self, review: Review) -> Iterator[object]:
        """Yield what is asked, one by one; the review is watched in between."""
        before: object = StopRequest()
        last = AttestRequest("nothing", True, VERBATIM[0], AGENT)
        for asked in self.asked:
            each = _disputed(asked, last) if isinstance(asked, Dispute) else asked
            before = _moved(each, review, before)
            request = as_anybody(before)
            last = request if isinstance(request, AttestRequest) else last
            yield before

    def play(self) -> Review:
        """Return the review after everything was asked, closed."""
        review, _ = self.open()
        for asked in self.requests(review):
            ask_anybody(review, asked)
        self.close(review)
        return review

    def close(self, review: Review) -> Outcome:
        """Close the review for the caller, and return its outcome."""
        with bounded():
            return review.close(complete=self.complete)


def _disputed(dispute: Dispute, last: AttestRequest) -> object:
    """Return the request that a dispute about the last attestation comes to."""
    match dispute:
        case Dispute.WITHDRAW:
            return ByCaller(RetractRequest(last.atom, last.attester))
        case Dispute.OPPOSE:
            other = OTHERS[0] if last.attester == AGENT else AGENT
            return ByCaller(AttestRequest(last.atom, not last.value, last.quote, other))
        case Dispute.REPEAT:
            return ByCaller(last)
        case Dispute.PRETEND:
            return AttestRequest(last.atom, not last.value, last.quote, OTHERS[0])
        case Dispute.USURP:
            return RetractRequest(last.atom, last.attester)


def _moved(asked: object, review: Review, before: object) -> object:
    """Return the request that a move comes to: of guidance a check, else what it says to attest."""
    guidance = review.guidance
    if asked is Move.FOLLOW and guidance is not None and not guidance.checks and guidance.attest:
        atom = guidance.attest[0]
        value = next(literal.positive for literal in guidance.residual if literal.atom == atom)
        return AttestRequest(atom, value, VERBATIM[0])
    return decided(asked, review, before)


def ask_anybody(review: Review, asked: object) -> Reply:
    """Hand a review what an agent or its caller asks; return its answer."""
    if not isinstance(asked, ByCaller):
        return ask(review, asked)
    request = asked.request
    with bounded():
        if isinstance(request, AttestRequest):
            answer = review.attest(request.atom, request.value, request.quote, request.attester)
        elif isinstance(request, RefreshRequest):
            answer = review.refresh(request.check, request.digest)
        else:
            answer = review.retract(request.atom, request.attester)
    return Reply(answer.kind.value, answer.subject, answer.charged)


def as_anybody(asked: object) -> Request:
    """Return what is asked as the interpreter takes it: an agent speaks in its own name alone."""
    if isinstance(asked, ByCaller):
        return asked.request
    match asked:
        case AttestRequest(atom, value, quote) if type(value) is bool:
            if type(atom) is str and type(quote) is str:
                return AttestRequest(atom, value, quote, AGENT)
        case RetractRequest(atom) if type(atom) is str:
            return RetractRequest(atom, AGENT)
    return as_request(asked)


def entries(outcome: Outcome) -> tuple[Entry, ...]:
    """Return the ledger of an outcome, as the definitions read it."""
    return tuple(_entries(outcome))


def _entries(outcome: Outcome) -> Iterator[Entry]:
    for record in outcome.ledger.records:
        match record:
            case Observation(atom, value, check, candidate):
                yield Evidence(atom, value, check, candidate)
            case Certificate(atom, check):
                yield Evidence(atom, None, check)
            case Attestation(atom, value, quote, attester):
                yield Said(atom, value, quote, attester)
            case Retraction(atom, attester):
                yield Withdrawn(atom, attester)
            case TextRead(check, text):
                yield TextOf(check, text)
            case Inconclusive(atom, check, candidate):
                yield Blank(atom, check, candidate)
            case Expiration(check, digest, judged):
                yield Expired(check, digest, tuple(sorted(judged)))
