"""Every step of a review of uncertain evidence is that of Algorithm 1 in the full model."""

from typing import Final

from hypothesis import given

from licet import Review

from . import written_freshness
from .adversaries_uncertain import (
    UncertainScripted,
    UncertainSession,
    as_anybody,
    ask_anybody,
    entries,
)
from .algorithm_uncertain import UncertainInterpreter
from .expect import SAMPLED, expect, text_of
from .independent import rational
from .independent_uncertain import values_of
from .sessions_uncertain import refreshed_sessions, uncertain_sessions
from .written_uncertain import written

SHOWN: Final = ("spent", "over", "authorized", "run", "heard", "states", "target", "hold")


def _seen(session: UncertainSession, review: Review, told: UncertainScripted) -> tuple[object, ...]:
    """What the review says of itself."""
    guidance = review.guidance
    aim = guidance and (
        guidance.conclusion,
        guidance.cost,
        frozenset(guidance.checks),
        frozenset(guidance.attest),
    )
    states = {atom: review.state(atom).value for atom in session.case.atoms}
    allowed, hold = frozenset(review.authorized), bool(guidance and guidance.hold)
    return (review.spent, review.over, allowed, told.runs, told.heard, states, aim, hold)


def _expected(
    session: UncertainSession, state: UncertainInterpreter, told: UncertainScripted
) -> tuple[object, ...]:
    """What the paper says."""
    paper, aim = session.case.paper, state.aim
    shown = None
    if aim is not None:
        judged = {a for check in set(aim.checks) & paper.texts for a in paper.settles[check]}
        lacking = {atom for atom, _ in paper.routes[aim.conclusion][aim.route]}
        known = {e.atom for e in state.evidence if e.value is not None}
        unread = frozenset(aim.checks) - state.read.keys()
        shown = (aim.conclusion, aim.cost, unread, frozenset(judged & lacking - known))
    states = {atom: _state(state, atom) for atom in session.case.atoms}
    over = state.ending is not None
    return (state.spent, over, state.authorized, state.runs, told.heard, states, shown, state.hold)


def _state(state: UncertainInterpreter, atom: str) -> str:
    seen = values_of(state.entries, atom)
    return "conflict" if len(seen) == 2 else str(next(iter(seen), "unknown")).lower()


@written
@SAMPLED
@given(uncertain_sessions())
def every_step_on_uncertain_evidence_is_that_of_the_algorithm(session: UncertainSession) -> None:
    """Each request gets the answer, charge and next state of Algorithm 1 in the full model.

    Attestations, rejected ones too, retractions, texts, candidates, the second judge and what he is
    told, conflicts, constraints; compared are the ledger, the states, Auth(z), the target with its
    cost, the hold indicator, and which calls were made in which order, completion's among them.

    Source: PRIME, Algorithm 1; appendix A, "Full interaction model"; appendices C and E.4.
    """
    _compared(session)


@written_freshness.written
@SAMPLED
@given(refreshed_sessions())
def every_step_on_evidence_that_expires_is_that_of_the_algorithm(
    session: UncertainSession,
) -> None:
    """So it is where sources change, and the caller says so: what was read of them is forgotten.

    A refresh is free; it expires what a check gave, and what was judged on it, exactly if some of
    it was read of another digest, and the check runs anew. An agent's is an unrecognized request.

    Source: PRIME, Algorithm 1, on the ledger without what has expired; docs/evidence.md.
    """
    _compared(session)


def _compared(session: UncertainSession) -> None:
    review, resolver = session.open()
    said = session.scripted()
    judge = said.confirm if session.judgements else None
    budget, paper = rational(session.budget), session.case.paper
    state = UncertainInterpreter(paper, budget, session.completion, said.tell, judge, said.digest)

    def agree(asked: object) -> None:
        found, expected = _seen(session, review, resolver), _expected(session, state, said)
        for what, seen, wanted in zip(SHOWN, found, expected, strict=True):
            expect(seen == wanted, "after", asked, what, "is", seen, "not", wanted)

    agree("the beginning")
    for asked in session.requests(review):
        seen, expected = ask_anybody(review, asked), state.ask(as_anybody(asked))
        expect(seen == expected, asked, "got", seen, "not", expected)
        agree(asked)
    outcome = session.close(review)
    state.close(session.complete)
    agree("the end")
    ended = (frozenset(outcome.conclusions), outcome.ending.value, outcome.spent)
    expect(ended == (state.reported, state.ending, state.spent), ended, "not", state.reported)
    # In no order: a check's atoms are recorded in any. As text, in which 1 is not True.
    recorded, said_of = (sorted(map(text_of, each)) for each in (entries(outcome), state.entries))
    expect(recorded == said_of, "recorded", recorded, "not", said_of)
    failed = [failure.check for failure in outcome.failures]
    expect(failed == state.failed, "failed", failed, "not", state.failed)


PROPERTIES: Final = (
    every_step_on_uncertain_evidence_is_that_of_the_algorithm,
    every_step_on_evidence_that_expires_is_that_of_the_algorithm,
)
