"""Theorem 4.3 of the PRIME paper: completion reaches the strongest supported conclusion.

The premises: a chain, a correct program (the standard is the truth of its routes), exact checks of
known fields, completion on, and b >= N(z) when checking ends without an accepted report. N(z) is
what all call classes cost that hold an atom of E-dagger still unknown at z.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from licet import CheckRequest, ReportRequest, Request, Review, StopRequest

from .adversaries import UNKNOWN_REQUESTS, Scripted, as_request, ask, truthful
from .algorithm import Interpreter
from .expect import SAMPLED, expect
from .generators import ANY_COSTS, UNIT_COST, Case, Shape, assignments_of, cases
from .independent import (
    Assignment,
    decisive_atoms,
    hold,
    strongest_supported,
    sufficient_budget,
    target,
)

MARGINS: Final = (Fraction(0), Fraction(1), Fraction(3))
PLENTY: Final = Fraction(10_000)

PAPER: Final = Shape(partial_orders=False, costs=UNIT_COST)
"""The paper's own setting, every check costing one call, with overlapping classes besides."""

PRICED: Final = Shape(partial_orders=False, costs=ANY_COSTS)
"""Checks of any cost, none among them, so that some request cannot be paid."""


@dataclass(slots=True)
class Tally:
    """What was covered.

    Attributes:
        programs: hashes of the programs.
        assignments: truth assignments, over all programs.
        episodes: reviews that had to reach c-dagger, and did.
        held: how many of them had a report held just before checking ended.
        unaffordable: how many of them ended checking by a request that could not be paid.
        one_call_short: reviews with one call less than N(z).
        missed: how many of those ended below c-dagger.
    """

    programs: set[str] = field(default_factory=set)
    assignments: int = 0
    episodes: int = 0
    held: int = 0
    unaffordable: int = 0
    one_call_short: int = 0
    missed: int = 0

    def __str__(self) -> str:
        """Return the counts in words."""
        return (
            f"{len(self.programs)} programs, {self.assignments} assignments,"
            f" {self.episodes} reviews that reached the strongest supported conclusion"
            f" ({self.held} after a held report, {self.unaffordable} after a request that could"
            f" not be paid); one call short, {self.missed} of {self.one_call_short} missed it"
        )


@dataclass(frozen=True, slots=True)
class Prefix:
    """What an agent did on one record before its checking ended, and what N(z) is then.

    Attributes:
        made: its requests; none of them ends checking, whatever the budget.
        reached: the paper's state after them, with plenty of budget.
        needed: N(z).
        best: c-dagger.
    """

    made: tuple[Request, ...]
    reached: Interpreter
    needed: Fraction
    best: str | None

    def left_after(self, left: Fraction) -> bool:
        """Return mu at z with `left` calls left, and something authorized to report."""
        paper, reached = self.reached.paper, self.reached
        aim = target(paper, reached.ledger, left, set(paper.settles) - reached.answered)
        return bool(reached.authorized) and hold(paper, aim, reached.authorized)


def prefixes(case: Case) -> st.SearchStrategy[tuple[object, ...]]:
    """Draw what an agent tries: checks, repeats, reports, and requests that nobody knows."""
    checks: list[object] = [CheckRequest(name) for name in sorted(case.paper.settles)]
    others = [*map(ReportRequest, case.paper.conclusions), *UNKNOWN_REQUESTS[-6:]]
    one = st.one_of(st.sampled_from(checks), st.sampled_from(checks), st.sampled_from(others))
    sizes = st.integers(0, 8)
    return sizes.flatmap(lambda size: st.lists(one, min_size=size, max_size=size)).map(tuple)


def rehearse(case: Case, truth: Assignment, tried: tuple[object, ...]) -> Prefix:
    """Return what an agent does that reports only what is refused, whatever its budget."""
    said = Scripted(case, truthful(case, truth))
    state = Interpreter(case.paper, PLENTY, True, said.establishes)
    made = []
    for asked in map(as_request, tried):
        if isinstance(asked, ReportRequest) and asked.conclusion in list(state.authorized):
            continue
        state.ask(asked)
        made.append(asked)
    best = strongest_supported(case.paper, truth)
    needed = sufficient_budget(case.paper, state.ledger, decisive_atoms(case.paper, best))
    return Prefix(tuple(made), state, needed, best)


def finish(case: Case, truth: Assignment, prefix: Prefix, left: Fraction, report: bool) -> Review:
    """Return the review in which `left` calls were left when the agent wanted no more.

    Its last report, if it makes one, is held; it then asks for what it cannot pay, where there is
    such a check, and else stops until it is heard.
    """
    budget = prefix.reached.spent + left + report
    review = Review(case.commitment, Scripted(case, truthful(case, truth)), budget=budget)
    for asked in prefix.made:
        ask(review, asked)
    if report:
        lowest = min(prefix.reached.authorized, key=case.paper.conclusions.index)
        kind = ask(review, ReportRequest(lowest)).kind
        expect(kind == "held", f"the report of {lowest} was {kind}")
    unanswered = sorted(set(case.paper.settles) - prefix.reached.answered)
    dear = [CheckRequest(check) for check in unanswered if case.paper.cost[check] > left]
    last: list[Request] = [*dear[:1], *[StopRequest()] * 4]
    for request in last:
        ask(review, request)
    expect(review.over, "four stops did not end the review")
    return review


def _reach(case: Case, tried: tuple[object, ...], tally: Tally) -> None:
    """Try every assignment at N(z), N(z)+1 and N(z)+3, and count what N(z)-1 does."""
    tally.programs.add(case.commitment.sha256)
    for truth in assignments_of(case.atoms):
        tally.assignments += 1
        prefix = rehearse(case, truth, tried)
        expected = () if prefix.best is None else (prefix.best,)
        for margin in MARGINS:
            left = prefix.needed + margin
            report = prefix.left_after(left)
            outcome = finish(case, truth, prefix, left, report).outcome
            seen = outcome.conclusions
            expect(seen == expected, seen, "not", expected, "with", left, "left for", truth)
            tally.episodes += 1
            tally.held += report
            tally.unaffordable += outcome.ending.value == "unaffordable"
        if prefix.needed >= 1:
            outcome = finish(case, truth, prefix, prefix.needed - 1, False).outcome
            tally.one_call_short += 1
            tally.missed += outcome.conclusions != expected


def completion_reaches_the_strongest_supported_conclusion(programs: int | None = None) -> Tally:
    """With N(z) calls left, and with 1 and 3 more, completion ends at c-dagger.

    Each generated program is tried on every truth assignment of its atoms, up to six, after any
    prefix of checks, repeats, refused and held reports and unknown requests; a check costs one
    call, and call classes are shared, disjoint and overlapping. Reviews with one call less are
    counted, and some of them must miss c-dagger, or the bound would say nothing.

    Args:
        programs: how many examples to draw; the profile's number if left out.

    Source: PRIME, Theorem 4.3 and appendix B, "Machine check".
    """
    return _sampled(PAPER, programs)


def completion_reaches_it_at_any_cost(programs: int | None = None) -> Tally:
    """With N(z) left it does so too where checks cost any amount, or where one cannot be paid.

    Source: PRIME, Theorem 4.3 and Algorithm 1, line 6.
    """
    return _sampled(PRICED, programs)


def _sampled(shape: Shape, programs: int | None) -> Tally:
    tally = Tally()

    @(SAMPLED if programs is None else settings(SAMPLED, max_examples=programs))
    @given(st.data())
    def each(data: st.DataObject) -> None:
        case = data.draw(cases(shape))
        _reach(case, data.draw(prefixes(case)), tally)

    each()
    expect(tally.missed > 0, f"the bound is never tight: {tally}")
    return tally


PROPERTIES: Final = (
    completion_reaches_the_strongest_supported_conclusion,
    completion_reaches_it_at_any_cost,
)
