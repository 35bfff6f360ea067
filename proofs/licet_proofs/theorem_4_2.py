"""Theorem 4.2 of the PRIME paper: end-to-end error comes from the program or from a resolver.

Statement. Pr(E_user) <= Pr(E_prog) + Pr(E_res), Equation (5): in every episode in which a user is
told something that the standard does not support, the program authorizes it at a truthful ledger,
or a resolver recorded what is not so. The events of the mask and of the renderer never take place.

Premises. T3 and T4, for any distribution of episodes: each is judged by itself here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import denote, render

from .adversaries import Session, evidence, scripts, sessions, truthful
from .expect import SAMPLED, expect
from .generators import assignments, case_from, cases, truths
from .independent import Assignment, Conjunction, Paper, authorized, full_ledger, supported
from .theorem_4_1_rendering import marked


@dataclass(frozen=True, slots=True)
class Episode:
    """A session on a record, judged by a standard that its program may not meet.

    Attributes:
        session: the review.
        truth: omega, the true value of every atom.
        standard: f*, as routes: it supports c when a route of something at or above c is true.
    """

    session: Session
    truth: Assignment
    standard: Paper


@dataclass(frozen=True, slots=True)
class Events:
    """Which of the paper's events took place in an episode (D5)."""

    user: bool
    program: bool
    resolver: bool
    mask: bool
    rendering: bool


@dataclass(slots=True)
class Tally:
    """How many user errors came from where; all of them are counted once."""

    episodes: int = 0
    program_alone: int = 0
    resolver_alone: int = 0
    both: int = 0

    def count(self, seen: Events) -> None:
        """Count an episode."""
        self.episodes += 1
        self.program_alone += seen.user and seen.program and not seen.resolver
        self.resolver_alone += seen.user and seen.resolver and not seen.program
        self.both += seen.user and seen.program and seen.resolver


@st.composite
def standards(draw: st.DrawFn, paper: Paper, truth: Assignment) -> Paper:
    """Draw a standard: the program itself, or one that asks less, something else, or too much.

    It respects the strength order, as the paper assumes of every standard.
    """
    atoms = sorted(frozenset[str]().union(*paper.settles.values()))
    routes: dict[str, tuple[Conjunction, ...]] = {}
    differs = draw(st.booleans())
    for conclusion, listed in paper.routes.items():
        changed = []
        for route in listed:
            atom = draw(st.sampled_from(atoms))
            kept = frozenset(literal for literal in route if literal[0] != atom)
            options = [kept | {(atom, not truth[atom])}, kept | {(atom, truth[atom])}, kept, route]
            changed.append(draw(st.sampled_from(options)) if differs else route)
        routes[conclusion] = tuple(changed)
    return replace(paper, routes=routes)


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    """Draw an episode; in half of them resolvers tell the truth, in half nobody asks anything."""
    case = draw(cases())
    told = draw(truths(case))
    if draw(st.booleans()):
        truth, script = told, truthful(case, told)
    else:
        truth, script = draw(assignments(case.atoms)), draw(scripts(case, told))
    session = replace(draw(sessions(st.just(case))), script=script, complete=True)
    if draw(st.booleans()):
        session = replace(session, budget=20, asked=())
    return Episode(session, truth, draw(standards(case.paper, truth)))


def events(episode: Episode) -> Events:
    """Play the episode and say which events took place.

    The program errs when it authorizes, at some truthful ledger, what the standard does not
    support; Auth only grows with a truthful ledger, so the one that settles every atom tells.
    """
    paper, truth = episode.session.case.paper, episode.truth
    review, _ = episode.session.play()
    ledger, outcome = evidence(review), review.outcome
    seen = denote(render(outcome))
    true = supported(episode.standard, truth)
    return Events(
        user=bool(seen - true),
        program=bool(authorized(paper, full_ledger(truth)) - true),
        resolver=any(e.value is not None and e.value != truth[e.atom] for e in ledger),
        mask=bool(marked(outcome) - authorized(paper, ledger)),
        rendering=bool(seen - marked(outcome)),
    )


def user_error_comes_from_the_program_or_a_resolver() -> Tally:
    """A user sees an unsupported conclusion only where the program or a resolver erred.

    The kernel's own two events, of the mask and of the renderer, never take place. Returned is how
    many user errors there were of which origin.

    Source: PRIME, Theorem 4.2, Equation (5), definition D5.
    """
    tally = Tally()

    @SAMPLED
    @given(episodes())
    def each(episode: Episode) -> None:
        seen = events(episode)
        expect(not seen.mask, "the outcome marks what its ledger does not authorize")
        expect(not seen.rendering, "the report asserts what its outcome does not mark")
        expect(not seen.user or seen.program or seen.resolver, "an error came from nowhere")
        tally.count(seen)

    each()
    users = tally.program_alone + tally.resolver_alone + tally.both
    expect(users > 0 or tally.episodes < 100, "no user saw an error: too little was sampled")
    return tally


def each_origin_of_error_occurs_alone() -> None:
    """A wrong program with true checks misleads the user, and so does a right one with a false one.

    So the two terms that Theorem 4.2 leaves are both needed.

    Source: PRIME, Theorem 4.2, "Why it matters".
    """
    case = case_from({"ready": [["a"]]}, ["a", "b"])
    stricter: Mapping[str, tuple[Conjunction, ...]] = {"ready": (frozenset({("b", True)}),)}
    told = Session(case, {"a": ({"a": True},), "b": ({"b": False},)}, 2, True, (), True)
    wrong_program = Episode(told, {"a": True, "b": False}, replace(case.paper, routes=stricter))
    lied = Episode(told, {"a": False, "b": False}, case.paper)
    expect(events(wrong_program) == Events(True, True, False, False, False), "the program")
    expect(events(lied) == Events(True, False, True, False, False), "the resolver")


PROPERTIES: Final = (
    user_error_comes_from_the_program_or_a_resolver,
    each_origin_of_error_occurs_alone,
)
