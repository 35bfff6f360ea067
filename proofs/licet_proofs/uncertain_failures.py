"""What fails on uncertain evidence authorizes nothing, and what Theorem 4.3 does not promise of it.

A second judge, a text read and the read of a candidate can raise or answer nonsense; a search under
the constraints can reach its limit. Theorem 4.3 is about a chain, without constraints, with exact
checks of known places: outside of that there are reviews that end below what is supported.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Answer as Reply,
)
from licet import (
    AnswerKind,
    Atom,
    AttestRequest,
    Check,
    CheckKind,
    Conclusion,
    Ledger,
    Literal,
    Observation,
    Program,
    Review,
    Specification,
    Unavailable,
    own_checks,
)
from licet.compiled import bits
from licet.decisions import authorized as authorized_mask
from licet.ledger import settle

from .adversaries import Script
from .adversaries_uncertain import TEXTS, VERBATIM, UncertainScripted, UncertainSession
from .expect import SAMPLED, expect
from .generators import Case, case_from, case_of
from .generators_uncertain import uncertain_cases
from .independent import (
    Assignment,
    Evidence,
    authorized,
    decisive_atoms,
    strongest_supported,
    sufficient_budget,
    supported,
)
from .independent_uncertain import closed
from .misbehaviours import Answer, Text, Unspeakable, misbehaviours

TEXT: Final = Check("text", ("t",), kind=CheckKind.TEXT)
LOCATED: Final = Check("a", ("a",), candidates=("x", "y"), exhausted=True)

NO_JUDGEMENTS: Final[tuple[Answer, ...]] = (
    *(None, 1, 0, "true", "", b"\1", [True], {}, 1.0, float("nan"), object, Unavailable(), bool),
    *(ValueError("no"), TimeoutError(), StopIteration(), RecursionError(), MemoryError()),
    *(AssertionError(), Unspeakable()),
)
"""What a second judge may do instead of judging."""


def _judged() -> Case:
    return case_from({"ready": [["t"]]}, ["t"], (TEXT,))


def _attest(review: Review, value: bool = True) -> Reply:
    return review.request(AttestRequest("t", value, VERBATIM[0]))


def a_judge_that_fails_admits_nothing() -> None:
    """A second judge who raises or gives no truth value admits nothing; the call is charged.

    It is not cached: asked again he may judge, and then that counts. One who disagrees rejects it,
    and that is cached. He is told the condition and the text, and nothing else.

    Source: PRIME, appendix E.4, "Verification"; decision 0006, on calls that fail.
    """
    case = _judged()
    for answer in NO_JUDGEMENTS:
        script: Script = {"text": (TEXTS[0],)}
        resolver = UncertainScripted(case, script, (answer, answer, False, True))
        review = Review(case.commitment, resolver, budget=9, judge=resolver.judge)
        review.check("text")
        for spent in (2, 3):
            said = _attest(review)
            expect(said.kind is AnswerKind.FAILED and said.charged == 1, answer, "got", said)
            expect(review.spent == spent and not review.authorized, answer, "cost", review.spent)
        expect(_attest(review).kind is AnswerKind.REJECTED, "disagreement did not reject")
        expect(_attest(review).kind is AnswerKind.CACHED, "the rejection is not cached")
        expect(not review.authorized and review.spent == 4, review.authorized, "at", review.spent)
        expect(resolver.heard == [("a condition", TEXTS[0])] * 3, resolver.heard)
        told = [failure.check for failure in review.close().failures]
        expect(told == ["text", "text"], told, "are shown")


def a_text_that_fails_is_judged_by_nobody() -> None:
    """On a text that was not read nothing is attested: its read raised, gave none, or never ran.

    Source: PRIME, appendix E.4: only text read in the episode is quoted.
    """
    case = _judged()
    wrong = [each for each in misbehaviours(["t"]) if type(each) not in (Unavailable, str)]
    for answer in (*wrong, {"t": True}, Text(TEXTS[0])):
        resolver = UncertainScripted(case, {"text": (answer, TEXTS[0])}, ())
        review = Review(case.commitment, resolver, budget=9)
        expect(_attest(review).kind is AnswerKind.REJECTED, "attested before any read")
        said = review.check("text")
        expect(said.kind is AnswerKind.FAILED and said.charged == 1, answer, "got", said)
        expect(_attest(review).kind is AnswerKind.CACHED, answer, "counts as a read")
        expect(not review.authorized, answer, "authorized", review.authorized)
        expect(review.check("text").kind is AnswerKind.RECORDED, "the next read did not run")
        expect(_attest(review).kind is AnswerKind.RECORDED, "the text was read")
        expect(review.authorized == ("ready",), review.authorized)
    resolver = UncertainScripted(case, {"text": (Unavailable("gone"),)}, ())
    review = Review(case.commitment, resolver, budget=9)
    review.check("text")
    expect(_attest(review).kind is AnswerKind.REJECTED, "attested on a text that is not there")
    (lacking,) = review.close().unresolved
    expect(not lacking.missing and bool(lacking.blocked), lacking)


def a_candidate_that_fails_is_not_an_empty_one() -> None:
    """A read of a candidate that raises establishes nothing, and not that nothing is there.

    So what holds when all candidates are empty does not hold then; completion goes on with the next
    candidate and reads each once.

    Source: PRIME, appendix C, locator-uncertain checks; decision 0006, on calls that fail.
    """
    case = case_from({"ready": [["a"]]}, ["a"], (LOCATED,))
    empty = {"a": Unavailable("nothing there")}
    for answer in misbehaviours(["a"]):
        resolver = UncertainScripted(case, {"a": (answer, empty)}, ())
        review = Review(case.commitment, resolver, budget=2)
        outcome = review.close(complete=True)
        expect(resolver.runs == [("a", "x"), ("a", "y")], resolver.runs)
        expect(not outcome.conclusions and outcome.spent == 2, answer, "gave", outcome)
    resolver = UncertainScripted(case, {"a": (empty,)}, ())
    outcome = Review(case.commitment, resolver, budget=2).close(complete=True)
    expect(outcome.conclusions == ("ready",), "all are empty:", outcome)


@st.composite
def _cut_short(draw: st.DrawFn) -> tuple[Case, tuple[Evidence, ...], int]:
    """Draw a case, what checks said of some atoms, and a limit on the search."""
    case = draw(uncertain_cases())
    said = {atom: draw(st.sampled_from([None, True, False])) for atom in case.atoms}
    ledger = [Evidence(atom, value, "") for atom, value in said.items() if value is not None]
    return case, tuple(ledger), draw(st.integers(0, 3))


@SAMPLED
@given(_cut_short())
def a_search_that_is_cut_short_authorizes_nothing_more(
    drawn: tuple[Case, tuple[Evidence, ...], int],
) -> None:
    """Whatever the limit on the search, nothing is authorized that the closure does not authorize.

    What is not decided is suspended, and then nothing is authorized at all.

    Source: PRIME, definition D1; a search that reaches its limit decides nothing.
    """
    case, ledger, limit = drawn
    program = case.commitment.compiled
    records = tuple(Observation(e.atom, bool(e.value), e.check) for e in ledger)
    with patch("licet.constraints.SEARCH_LIMIT", limit):
        settled = settle(program, Ledger(records))
    seen = frozenset(program.conclusions[c] for c in bits(authorized_mask(program, settled)))
    allowed = authorized(case.paper, closed(case.paper, ledger))
    expect(seen <= allowed, seen, "of", allowed, "with a limit of", limit)
    expect(seen == (frozenset() if settled.suspended else allowed), seen, "not", allowed)


def a_review_whose_search_is_cut_short_is_suspended() -> None:
    """With a limit that the search reaches, a review authorizes nothing and says so.

    Source: PRIME, definition D1; a search that reaches its limit decides nothing.
    """
    atoms = [f"a{number}" for number in range(5)]
    clauses = [
        tuple(Literal(atom, bool(signs >> i & 1)) for i, atom in enumerate(atoms[:3]))
        for signs in range(7)
    ]
    plain = case_from({"ready": [["a3"]]}, atoms)
    listed = Specification(
        plain.specification.conclusions,
        plain.specification.atoms,
        plain.specification.checks,
        constraints=tuple(clauses),
    )
    case = case_of(listed, plain.program)
    script: Script = {atom: ({atom: True},) for atom in atoms}
    review = Review(case.commitment, UncertainScripted(case, script, ()), budget=9)
    with patch("licet.constraints.SEARCH_LIMIT", 0):
        review.check("a3")
        authorized_then = review.authorized
        outcome = review.close()
    expect(authorized_then == () and outcome.conclusions == (), authorized_then)
    expect(outcome.suspension is not None, "it is not said")
    expect(outcome.suspension is None or not outcome.suspension.contradicted, outcome.suspension)
    again = Review(case.commitment, UncertainScripted(case, script, ()), budget=9)
    again.check("a3")
    expect(again.authorized == ("ready",), "within the limit:", again.authorized)


def _completed(case: Case, script: Mapping[str, tuple[Answer, ...]], left: Fraction) -> Review:
    """Return the review in which the agent asks nothing and the caller has completion run."""
    session = UncertainSession(case, script, (), left, True, (), True)
    review, _ = session.open()
    session.close(review)
    return review


def _enough(case: Case, truth: Assignment) -> Fraction:
    """Return N(z) at the beginning."""
    best = strongest_supported(case.paper, truth)
    return sufficient_budget(case.paper, (), decisive_atoms(case.paper, best))


def completion_reaches_less_outside_its_premises() -> None:
    """N(z) calls reach what is supported on a chain of plain checks; outside of that, less.

    With an atom that is judged on a text completion runs nothing, for no agent judges; with
    candidates the place of the evidence may cost more than N(z); of conclusions that are not
    comparable it stops at the one of greatest utility; under constraints that the record does not
    satisfy nothing is authorized.

    Source: PRIME, Theorem 4.3, its premises; appendix A, "Partial orders".
    """
    plain = case_from({"described": [["a"]], "ready": [["a", "b"]]}, ["a", "b"])
    truth = {"a": True, "b": True}
    script: Script = {"a": ({"a": True},), "b": ({"b": True},)}
    reached = _completed(plain, script, _enough(plain, truth)).outcome.conclusions
    expect(reached == ("ready",), "within the premises:", reached)

    judged = _completed(_judged(), {"text": (TEXTS[0],)}, Fraction(20))
    expect(judged.outcome.conclusions == () and judged.spent == 0, "judged:", judged.spent)

    located = case_from({"ready": [["a"]]}, ["a"], (LOCATED,))
    second: Script = {"a": ({"a": Unavailable("not here")}, {"a": True})}
    needed = _enough(located, {"a": True})
    for left, expected in ((needed, ()), (needed + 1, ("ready",))):
        outcome = _completed(located, second, left).outcome
        expect(outcome.conclusions == expected, "with", left, "left:", outcome.conclusions)

    wide = _two_conclusions(order=())
    outcome = _completed(wide, script, Fraction(20)).outcome
    expect(outcome.conclusions == ("large",) and outcome.spent == 1, "wide:", outcome.conclusions)
    expect(supported(wide.paper, truth) == {"small", "large"}, "both are supported")

    excluded = (Literal("a", False), Literal("b", False))
    untrue = _two_conclusions(None, excluded)
    ends = _completed(untrue, script, Fraction(20))
    expect(ends.outcome.conclusions == ("large",), "one is enough:", ends.outcome.conclusions)
    review = Review(untrue.commitment, UncertainScripted(untrue, script, ()), budget=20)
    for name in ("a", "b"):
        review.check(name)
    suspended = review.close(complete=True)
    expect(suspended.conclusions == () and suspended.suspension is not None, suspended)


def _two_conclusions(
    order: tuple[tuple[str, str], ...] | None, *constraints: tuple[Literal, ...]
) -> Case:
    """Return conclusions on one atom each, comparable or not."""
    atoms = (Atom("a", "a condition"), Atom("b", "a condition"))
    conclusions = (Conclusion("small", "One.", 1), Conclusion("large", "Two.", 2))
    routes = {"small": [["a"]], "large": [["b"]]}
    if order is None:
        routes = {"small": [["a"], ["b"]], "large": [["b"]]}
    specification = Specification(
        conclusions, atoms, own_checks(atoms), order, constraints=constraints
    )
    return case_of(specification, Program.of(routes))


PROPERTIES: Final = (
    a_judge_that_fails_admits_nothing,
    a_text_that_fails_is_judged_by_nobody,
    a_candidate_that_fails_is_not_an_empty_one,
    a_search_that_is_cut_short_authorizes_nothing_more,
    a_review_whose_search_is_cut_short_is_suspended,
    completion_reaches_less_outside_its_premises,
)
