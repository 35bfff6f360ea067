"""Theorem 4.1 (i) and (ii) of the PRIME paper: authorization holds for every agent.

Statement. (i) The committed program is a function of the specification and the seed alone: records
that agree on both get the same program and the same hash, whatever the generator asks before. (ii)
For every agent, every sequence of requests and answers, every budget and every stopping point, each
conclusion of the outcome is in Auth of the committed program at the final ledger.

Premises. T1: the conclusions are finitely many and their order is checked mechanically. T4: the
ledger is changed only by recording faithfully what resolvers answered. There is no premise on the
agent, and none on the truth of the answers.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import Ending, InvariantViolation, Program, Review, Specification, StopRequest, commit
from licet.commitment import Ask

from .adversaries import (
    Scripted,
    Session,
    ask,
    disagreeing_sessions,
    evidence,
    sessions,
    truthful,
)
from .expect import SAMPLED, expect, text_of
from .generators import assignments, case_of, cases, rival_programs
from .generators_uncertain import constraints_for
from .independent import (
    Aim,
    authorized,
    cheapest_cover,
    cheapest_route,
    established,
    is_open,
    maximal,
    residual,
)


class Curious:
    """A generator that asks resolvers, adapts to what it is told, and keeps the way to ask."""

    def __init__(self, programs: Sequence[Program], rounds: int) -> None:
        """Choose among `programs` after `rounds` questions."""
        self.programs = programs
        self.rounds = rounds
        self.told: list[object] = []
        self.ask: Ask | None = None

    def __call__(self, specification: Specification, seed: int, ask: Ask) -> Program:
        """Return a program that hangs on every answer."""
        self.ask = ask
        checks = [check.identifier for check in specification.checks]
        for turn in range(self.rounds):
            self.told.append(self.question(checks[(seed + turn + self.learned) % len(checks)]))
        return self.programs[(seed + self.learned) % len(self.programs)]

    @property
    def learned(self) -> int:
        """How many questions were answered by anything."""
        return sum(answer is not None for answer in self.told)

    def question(self, check: str) -> object:
        """Ask, now or long after the commitment; whatever comes back is the answer."""
        ask: object = self.ask
        return ask(check) if callable(ask) else None


@SAMPLED
@given(st.data())
def one_specification_and_seed_commit_one_program(data: st.DataObject) -> None:
    """Two records with one specification and one seed get one program, whatever is asked first.

    The generator asks for checks before it answers, and again once the reviews run: it is told
    nothing, and no resolver runs for it. The specification may have constraints.

    Source: PRIME, Theorem 4.1 (i).
    """
    specification, programs = data.draw(rival_programs())
    atoms = [atom.identifier for atom in specification.atoms]
    constraints = data.draw(constraints_for(atoms, programs))
    specification = replace(specification, constraints=constraints)
    seed, rounds = data.draw(st.integers(0, 7)), data.draw(st.integers(0, 6))
    committed = []
    for _ in range(2):
        generator = Curious(programs, rounds)
        commitment = commit(specification, generator, seed)
        case = case_of(specification, commitment.program)
        record = data.draw(assignments(case.atoms))
        resolver = Scripted(case, truthful(case, record))
        expect(generator.told == [None] * rounds, f"the generator was told {generator.told}")
        review = Review(commitment, resolver, budget=20)
        review.request(StopRequest())
        ran = list(resolver.calls)
        for check in case.paper.settles:
            expect(generator.question(check) is None, f"{check} was answered after the hash")
        expect(resolver.calls == ran, "a resolver ran for the generator")
        committed.append((commitment.program, commitment.sha256))
    expect(committed[0] == committed[1], committed)


@SAMPLED
@given(sessions(cases()) | disagreeing_sessions(cases()))
def nothing_unauthorized_is_reported(session: Session) -> None:
    """Whatever is asked and answered, every reported conclusion is in Auth of the final ledger.

    At every step the review calls exactly Auth(z) authorized; at the end the outcome lists exactly
    that, and reports the accepted conclusion or the maximal ones.

    Source: PRIME, Theorem 4.1 (ii), Equation (1), definitions D2 and D4.
    """
    review, resolver = session.open()
    paper = session.case.paper
    for asked in session.requests(review):
        ask(review, asked)
        allowed = authorized(paper, resolver.ledger)
        expect(set(review.authorized) == allowed, f"{review.authorized}, not {sorted(allowed)}")
    with suppress(InvariantViolation):  # the outcome is asked for below, and would say so again
        session.close(review)
    allowed = authorized(paper, resolver.ledger)
    expect(set(review.authorized) == allowed, review.authorized, "not", allowed)
    outcome = review.outcome
    allowed = authorized(paper, evidence(review))
    expect(set(outcome.conclusions) <= allowed, f"{outcome.conclusions} of {sorted(allowed)}")
    expect(set(outcome.authorized) == allowed, f"{outcome.authorized}, not {sorted(allowed)}")
    if outcome.ending is Ending.ACCEPTED:
        expect(len(outcome.conclusions) == 1, outcome.conclusions)
    else:
        best = maximal(paper, allowed)
        expect(set(outcome.conclusions) == best, f"{outcome.conclusions}, not {sorted(best)}")


@SAMPLED
@given(sessions(cases()))
def the_ledger_records_what_resolvers_established(session: Session) -> None:
    """The ledger holds every value of every usable answer, and nothing else.

    Source: PRIME, appendix A, premise T4; decision 0006, on calls that fail.
    """
    review, resolver = session.play()
    # As text, in which 1 is not True, and in no order: a check's atoms are recorded in any.
    recorded = sorted(map(text_of, evidence(review)))
    said = sorted(map(text_of, resolver.ledger))
    expect(recorded == said, "recorded", recorded, "established", said)


@SAMPLED
@given(sessions(cases()))
def every_failed_call_is_shown(session: Session) -> None:
    """The outcome lists every call that gave no usable answer, in order, and why.

    Source: decision 0006, on calls that fail.
    """
    review, resolver = session.play()
    failures = review.outcome.failures
    expect([failure.check for failure in failures] == resolver.failed, failures)
    expect(all(failure.reason for failure in failures), failures)


@SAMPLED
@given(sessions(cases()))
def every_authorized_conclusion_shows_a_route_that_holds(session: Session) -> None:
    """Each authorized conclusion is shown with the first listed route of its own that holds.

    Source: PRIME, appendix A, "Output and trusted components"; order-coherence.
    """
    review, _ = session.play()
    known = established(evidence(review))
    shown = {support.conclusion: support.route for support in review.outcome.supports}
    expect(tuple(shown) == review.outcome.authorized, f"{list(shown)} are shown")
    for conclusion, route in shown.items():
        listed = session.case.program.of_conclusion(conclusion)
        holding = [
            other
            for other in listed
            if {(literal.atom, literal.positive) for literal in other.literals} <= known
        ]
        expect(holding[:1] == [route], f"{conclusion} is shown with {route}")


@SAMPLED
@given(sessions(cases()))
def an_unresolved_conclusion_shows_what_its_target_route_lacks(session: Session) -> None:
    """Each other conclusion is shown with its target route, and its open and blocked literals.

    Source: PRIME, section 3.3 and appendix A, Equations (3) and (4).
    """
    review, resolver = session.play()
    outcome, paper = review.outcome, session.case.paper
    ledger = evidence(review)
    runnable = set(paper.settles) - {record.check for record in resolver.ledger}
    named = {unresolved.conclusion for unresolved in outcome.unresolved}
    expect(named == set(paper.conclusions) - set(outcome.authorized), named)
    for shown in outcome.unresolved:
        aim = cheapest_route(paper, ledger, review.remaining, runnable, shown.conclusion)
        listed = session.case.program.of_conclusion(shown.conclusion)
        expect(shown.route in _routes_to_show(listed, aim), f"{shown}, aim {aim}")
        lacking = residual(frozenset((p.atom, p.positive) for p in shown.route.literals), ledger)
        missing = {(literal.atom, literal.positive) for literal in shown.missing}
        blocked = {(literal.atom, literal.positive) for literal in shown.blocked}
        expect(missing | blocked == lacking, f"{shown} lacks {sorted(lacking)}")
        expect(all(is_open(atom, ledger) for atom, _ in missing), f"{shown.missing} are missing")
        expect(not any(is_open(atom, ledger) for atom, _ in blocked), f"{shown.blocked}: blocked")
        cover = cheapest_cover(paper, {atom for atom, _ in missing}, runnable)
        expect(cover is not None and cover[0] == shown.cost, shown.cost, "is not", cover)


def _routes_to_show(listed: Sequence[object], aim: Aim | None) -> Sequence[object]:
    return listed if aim is None else listed[aim.route : aim.route + 1]


PROPERTIES: Final = (
    one_specification_and_seed_commit_one_program,
    nothing_unauthorized_is_reported,
    the_ledger_records_what_resolvers_established,
    every_failed_call_is_shown,
    every_authorized_conclusion_shows_a_route_that_holds,
    an_unresolved_conclusion_shows_what_its_target_route_lacks,
)
