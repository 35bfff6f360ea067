"""What follows from Theorem 4.3 of the PRIME paper for agents, and how tight its bound is."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import CheckRequest, Review, StopRequest

from .adversaries import Scripted, Session, as_request, ask, sessions, truthful
from .algorithm import Interpreter
from .expect import SAMPLED, expect
from .generators import Case, Shape, assignments_of, case_from, cases, truths
from .independent import (
    Assignment,
    decisive_atoms,
    rational,
    strongest_supported,
    sufficient_budget,
    values,
)

CHAINS: Final = Shape(partial_orders=False)


@dataclass(slots=True)
class Reached:
    """How many reviews ended with what they needed."""

    with_enough: int = 0


def any_review_that_ends_with_enough_reaches_it() -> Reached:
    """Whatever was asked, if checking ends with N(z) calls left the outcome is c-dagger.

    The agent may stop, be reminded or held, repeat itself and ask for anything; the resolvers tell
    the truth. Where checking ends is read in the interpreter of Algorithm 1, which is asked the
    same. Returned is how often the premise held; it must have.

    Source: PRIME, Theorem 4.3.
    """
    reached = Reached()

    @SAMPLED
    @given(_truthful_sessions())
    def each(drawn: tuple[Session, Assignment]) -> None:
        session, truth = drawn
        case = session.case
        review, _ = session.open()
        said = Scripted(case, session.script)
        state = Interpreter(
            case.paper, rational(session.budget), session.completion, said.establishes
        )
        for asked in session.requests(review):
            ask(review, asked)
            state.ask(as_request(asked))
        session.close(review)
        state.close(session.complete)
        ledger, left = state.before_completion
        best = strongest_supported(case.paper, truth)
        needed = sufficient_budget(case.paper, ledger, decisive_atoms(case.paper, best))
        is_enough = state.completion and state.accepted is None and left >= needed
        expected = () if best is None else (best,)
        reported = review.outcome.conclusions
        expect(not is_enough or reported == expected, f"{reported}, not {expected}")
        reached.with_enough += is_enough

    each()
    expect(reached.with_enough > 0, "no review ended with enough")
    return reached


@st.composite
def _truthful_sessions(draw: st.DrawFn) -> tuple[Session, Assignment]:
    case = draw(cases(CHAINS))
    truth = draw(truths(case))
    session = draw(sessions(st.just(case)))
    return replace(session, script=truthful(case, truth), completion=True, complete=True), truth


@SAMPLED
@given(st.data())
def an_agent_that_checks_only_what_matters_loses_nothing(data: st.DataObject) -> None:
    """With N(z0) calls, checks of unknown atoms of E-dagger and then a stop end at c-dagger.

    One that stops at once is among these agents. Every assignment is tried.

    Source: PRIME, Theorem 4.3, "In particular", and appendix B, the corollary.
    """
    case = data.draw(cases(CHAINS))
    wishes = data.draw(st.lists(st.integers(0, 7), max_size=6))
    for truth in assignments_of(case.atoms):
        best = strongest_supported(case.paper, truth)
        decisive = decisive_atoms(case.paper, best)
        resolver = Scripted(case, truthful(case, truth))
        budget = sufficient_budget(case.paper, (), decisive)
        review = Review(case.commitment, resolver, budget=budget)
        for wish in wishes:
            unknown = {atom for atom in decisive if not values(resolver.ledger, atom)}
            useful = sorted(c for c, atoms in case.paper.settles.items() if atoms & unknown)
            # With nothing left to learn it repeats a check, which is free.
            choice = useful or resolver.calls
            ask(review, CheckRequest(choice[wish % len(choice)]))
        for _ in range(4):
            ask(review, StopRequest())
        expected = () if best is None else (best,)
        reported = review.outcome.conclusions
        expect(reported == expected, f"{reported}, not {expected}, with {budget} for {truth}")


TIGHT: Final = {
    "c1": [["e1"], ["e3"]],
    "c2": [["e1", "e2"], ["e3", "e4"]],
    "c3": [["e1", "e5", "e2"]],
}
TIGHT_ATOMS: Final = ("e1", "e2", "e3", "e4", "e5")


def the_bound_is_tight_in_the_papers_example() -> None:
    """With 3 and with 4 calls the example ends at c1, with N(z0) = 5 calls at c2.

    The cheapest route of the strongest conclusion costs 3, so its cost is no sufficient budget.

    Source: PRIME, section 4, "The bound is tight, and b_min is not enough".
    """
    case = case_from(TIGHT, TIGHT_ATOMS)
    truth = {atom: atom != "e2" for atom in TIGHT_ATOMS}
    best = strongest_supported(case.paper, truth)
    needed = sufficient_budget(case.paper, (), decisive_atoms(case.paper, best))
    expect(best == "c2" and needed == 5, "c-dagger is", best, "and N(z0)", needed)
    expect(min(map(len, case.paper.routes["c3"])) == 3, "b_min is not 3")
    ended = {budget: _stop_at_once(case, truth, budget) for budget in (3, 4, 5)}
    expect(ended == {3: ("c1",), 4: ("c1",), 5: ("c2",)}, ended)


def _stop_at_once(case: Case, truth: Assignment, budget: int) -> tuple[str, ...]:
    review = Review(case.commitment, Scripted(case, truthful(case, truth)), budget=Fraction(budget))
    for _ in range(4):
        ask(review, StopRequest())
    return review.outcome.conclusions


PROPERTIES: Final = (
    any_review_that_ends_with_enough_reaches_it,
    an_agent_that_checks_only_what_matters_loses_nothing,
    the_bound_is_tight_in_the_papers_example,
)
