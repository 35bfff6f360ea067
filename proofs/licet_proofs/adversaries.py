"""Resolvers that lie, disagree and fail, and agents that ask for anything, for the properties.

Domain of `scripts`: for each check one to three answers, given in turn and over again: the truth,
any values, `Unavailable`, or one of the misbehaviours listed here (exceptions, no mapping, missing
or further atoms, values that are none).

Domain of `requests`: registered and unregistered checks, reports of known and unknown conclusions,
stops, closes, and objects that are no request at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from hypothesis import strategies as st

from licet import (
    Certificate,
    Check,
    CheckRequest,
    CloseRequest,
    Number,
    Observation,
    OtherRequest,
    Outcome,
    ReportRequest,
    Request,
    Review,
    StopRequest,
    Unavailable,
    Value,
)

from .algorithm import Established, Reply, established_by
from .expect import PropertyFalls, text_of
from .generators import Case, Shown, budgets, listed_anyhow, plain_texts, truths
from .independent import Evidence
from .misbehaviours import Answer, Nameless, Speechless, Text, misbehaviours

Script: TypeAlias = Mapping[str, tuple[Answer, ...]]
"""For each check the answers that its resolver gives in turn."""

CALLS_AT_MOST: Final = 500
"""Far more calls of resolvers than any review here can pay for."""


class Runaway(BaseException):
    """Resolvers were called without end; no exception handler of a resolver's caller stops it."""


@st.composite
def answers(draw: st.DrawFn, atoms: Sequence[str], truth: Mapping[str, bool]) -> Answer:
    """Draw one answer of a check: in half of all cases the truth."""
    kind = draw(st.sampled_from(["true", "true", "true", "values", "values", "failing"]))
    if kind == "true":
        return {atom: truth[atom] for atom in atoms}
    if kind == "failing":
        return draw(st.sampled_from(misbehaviours(atoms)))
    values: st.SearchStrategy[Value] = st.booleans() | plain_texts.map(Unavailable)
    return {atom: draw(values) for atom in atoms}


def scripts(case: Case, truth: Mapping[str, bool]) -> st.SearchStrategy[Script]:
    """Draw a script for every check of a case."""
    return st.fixed_dictionaries(
        {
            check: st.lists(answers(sorted(atoms), truth), min_size=1, max_size=3).map(tuple)
            for check, atoms in case.paper.settles.items()
        }
    )


def truthful(case: Case, truth: Mapping[str, bool]) -> Script:
    """Return the script that tells the truth."""
    settles = case.paper.settles.items()
    return {check: ({atom: truth[atom] for atom in atoms},) for check, atoms in settles}


class Scripted:
    """A resolver that follows a script.

    Attributes:
        calls: the checks that it was asked to run, in order.
        ledger: what its answers established, as the paper's rule for admission reads them.
        failed: the checks whose answers established nothing at all, in order.
    """

    def __init__(self, case: Case, script: Script) -> None:
        """Start at the first answer of every check."""
        self.settles = case.paper.settles
        self.script = script
        self.calls: list[str] = []
        self.ledger: list[Evidence] = []
        self.failed: list[str] = []

    def __call__(self, check: Check) -> Mapping[str, Value]:
        """Answer the kernel, which must take whatever comes."""
        answer = self._next(check.identifier)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    def establishes(self, check: str) -> Established | None:
        """Answer the interpreter: what the same answer establishes, None when the call fails."""
        return established_by(self._next(check), self.settles[check])

    def _next(self, check: str) -> Answer:
        if len(self.calls) >= CALLS_AT_MOST:
            raise Runaway(check)
        turns = self.script[check]
        answer = turns[self.calls.count(check) % len(turns)]
        self.calls.append(check)
        said = established_by(answer, self.settles[check])
        if said is None:
            self.failed.append(check)
        else:
            self.ledger += [Evidence(atom, value, check) for atom, value in said.items()]
        return answer


UNKNOWN_REQUESTS: Final[tuple[object, ...]] = (
    *(None, 3, "ready", (), ["k1"], {"check": "k1"}, frozenset({"k1"}), Ellipsis, CheckRequest),
    *(CheckRequest(""), CheckRequest("nothing"), CheckRequest("!a"), ReportRequest("nothing")),
    *(OtherRequest("ready"), OtherRequest("emit(ready)"), OtherRequest("")),
    *(Speechless(), CheckRequest(Speechless())),  # type: ignore[arg-type]
    *(CheckRequest(Text("k1")), ReportRequest(Text("ready"))),
    *(CheckRequest(Nameless("k1")), ReportRequest(Nameless("ready"))),
    # No names at all, some of which cannot be hashed.
    *(CheckRequest(value) for value in (None, ["k1"], ("k1",), {"k1": 1}, 0, True)),  # type: ignore[arg-type]
    *(ReportRequest(value) for value in (None, ["ready"], b"ready", float("nan"))),  # type: ignore[arg-type]
)
"""Requests that no program knows, and objects that are no request."""


class Move(Enum):
    """What an agent decides by looking at the review, rather than beforehand."""

    FOLLOW = "run the first check that the guidance names"
    CLAIM = "report the authorized conclusion that is listed last"
    UNDERSTATE = "report the authorized conclusion that is listed first"
    REPEAT = "ask the same as before"


def requests(case: Case) -> st.SearchStrategy[object]:
    """Draw one thing that an agent asks; registered checks and known conclusions come up most."""
    checks: list[object] = [CheckRequest(name) for name in sorted(case.paper.settles)]
    reports: list[object] = [ReportRequest(name) for name in case.paper.conclusions]
    # A conclusion's name as a check, and a check's as a conclusion.
    mistaken: list[object] = [
        *(CheckRequest(name) for name in case.paper.conclusions),
        *(ReportRequest(name) for name in case.paper.settles),
    ]
    # To close is the caller's, not the agent's.
    rare = st.sampled_from([*UNKNOWN_REQUESTS, *mistaken, CloseRequest(), CloseRequest(True)])
    often = st.sampled_from([*checks, Move.FOLLOW, Move.FOLLOW])
    others = st.sampled_from([*reports, Move.CLAIM, Move.UNDERSTATE, Move.REPEAT, StopRequest()])
    return st.one_of(often, often, often, often, others, others, rare)


def as_request(asked: object) -> Request:
    """Return it, or its text as an `OtherRequest`: what it is if it is no request of an agent."""
    match asked:
        case CheckRequest() | ReportRequest() | StopRequest() | OtherRequest():
            return asked
    return OtherRequest(text_of(asked))


@dataclass(frozen=True, slots=True, repr=False)
class Session(Shown):
    """One adversarial review, from its program to its end.

    Attributes:
        case: the program.
        script: what the resolvers answer.
        budget: calls.
        completion: gamma.
        asked: what the agent asks, in order.
        complete: whether the caller asks for completion when it closes the review at last.
    """

    case: Case
    script: Script
    budget: Number
    completion: bool
    asked: tuple[object, ...]
    complete: bool

    def __repr__(self) -> str:
        """Show the parts, also where one of them refuses to be shown."""
        shown = ", ".join(map(text_of, self.asked))
        return (
            f"Session({self.case!r}, script={text_of(self.script)}, budget={self.budget},"
            f" completion={self.completion}, asked=({shown}), complete={self.complete})"
        )

    def open(self) -> tuple[Review, Scripted]:
        """Return a review that has not been asked anything yet, and its resolver."""
        resolver = Scripted(self.case, self.script)
        completion = self.completion
        commitment = self.case.commitment
        with bounded():
            review = Review(commitment, resolver, budget=self.budget, completion=completion)
        return review, resolver

    def requests(self, review: Review) -> Iterator[object]:
        """Yield what the agent asks, one by one; the review is watched in between."""
        before: object = StopRequest()
        for asked in self.asked:
            before = decided(asked, review, before)
            yield before

    def play(self) -> tuple[Review, Scripted]:
        """Return the review after everything was asked, closed, and its resolver."""
        review, resolver = self.open()
        for asked in self.requests(review):
            ask(review, asked)
        self.close(review)
        return review, resolver

    def close(self, review: Review) -> Outcome:
        """Close the review for the caller, and return its outcome."""
        with bounded():
            return review.close(complete=self.complete)


def decided(asked: object, review: Review, before: object) -> object:
    """Return the request that a move comes to, by what the review shows; else what is asked."""
    match asked:
        case Move.FOLLOW:
            guidance = review.guidance
            named = guidance.checks if guidance else ()
            return CheckRequest((named or review.commitment.compiled.checks)[0])
        case Move.CLAIM:
            return ReportRequest((review.authorized or review.commitment.compiled.conclusions)[-1])
        case Move.UNDERSTATE:
            return ReportRequest((review.authorized or review.commitment.compiled.conclusions)[0])
        case Move.REPEAT:
            return before
    return asked


@contextmanager
def bounded() -> Iterator[None]:
    """Turn a runaway into a property that falls."""
    try:
        yield
    except Runaway as runaway:
        raise PropertyFalls(f"resolvers run without end: {runaway}") from None


def ask(review: Review, asked: object) -> Reply:
    """Hand a review anything at all; return its answer as the interpreter gives it."""
    with bounded():
        answer = review.request(asked)  # type: ignore[arg-type]
    return Reply(answer.kind.value, answer.subject, answer.charged)


@st.composite
def sessions(draw: st.DrawFn, drawn_cases: st.SearchStrategy[Case]) -> Session:
    """Draw a session of at most 16 requests over a drawn case."""
    case = draw(drawn_cases)
    length = draw(st.integers(0, 16))
    return Session(
        case=case,
        script=draw(scripts(case, draw(truths(case)))),
        budget=draw(budgets),
        completion=draw(st.booleans()),
        asked=tuple(draw(requests(case)) for _ in range(length)),
        complete=draw(st.booleans()),
    )


@st.composite
def disagreeing_sessions(
    draw: st.DrawFn, drawn_cases: st.SearchStrategy[Case], silent: bool = False
) -> Session:
    """Draw a session in which every check runs and answers, and where classes overlap they differ.

    Of each atom a check says the truth in two of three cases, else the contrary, or if `silent`
    that nothing can be established.
    """
    case = draw(drawn_cases)
    truth = draw(truths(case))
    script: Script = {
        check: ({atom: _said(draw, truth[atom], silent) for atom in sorted(atoms)},)
        for check, atoms in case.paper.settles.items()
    }
    checks = draw(listed_anyhow(sorted(case.paper.settles)))
    return Session(case, script, 30, False, tuple(map(CheckRequest, checks)), False)


def _said(draw: st.DrawFn, truth: bool, silent: bool) -> Value:
    if draw(st.integers(0, 2)) < 2:
        return truth
    return Unavailable() if silent else not truth


def evidence(review: Review) -> tuple[Evidence, ...]:
    """Return the ledger of a review that is over, as the paper's definitions read it."""
    return tuple(
        Evidence(r.atom, r.value if isinstance(r, Observation) else None, r.check)
        for r in review.outcome.ledger.records
        if isinstance(r, Observation | Certificate)
    )
