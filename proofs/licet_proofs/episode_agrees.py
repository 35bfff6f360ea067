"""Every step of a review is the step of Algorithm 1 of the PRIME paper and of the charging rule."""

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from licet import CheckRequest, ReportRequest, StopRequest

from .adversaries import (
    UNKNOWN_REQUESTS,
    Move,
    Scripted,
    Session,
    as_request,
    ask,
    decided,
    evidence,
    sessions,
)
from .algorithm import Interpreter
from .expect import SAMPLED, expect, text_of
from .generators import cases
from .independent import Evidence, rational, values

STEPS: Final = ("spent", "over", "authorized", "resolvers run", "states", "target", "hold")


class ReviewMachine(RuleBasedStateMachine):
    """A review and the interpreter of Algorithm 1, asked the same, step by step."""

    @initialize(session=sessions(cases()))
    def open(self, session: Session) -> None:
        """Open both with the same program, budget and completion, and the same answers to come."""
        self.session = session
        self.review, self.resolver = session.open()
        self.said = Scripted(session.case, session.script)
        self.state = Interpreter(
            session.case.paper, rational(session.budget), session.completion, self.said.establishes
        )
        self.before: object = StopRequest()

    def both(self, asked: object) -> None:
        """Ask both; what was done, to what, and at which charge must be the same."""
        request = decided(asked, self.review, self.before)
        self.before = request
        seen, expected = ask(self.review, request), self.state.ask(as_request(request))
        expect(seen == expected, request, "got", seen, "not", expected)

    @rule(number=st.integers(0, 7))
    def check(self, number: int) -> None:
        """Run a registered check, perhaps again."""
        checks = sorted(self.session.case.paper.settles)
        self.both(CheckRequest(checks[number % len(checks)]))

    @rule(number=st.integers(0, 3))
    def report(self, number: int) -> None:
        """Report a known conclusion."""
        conclusions = self.session.case.paper.conclusions
        self.both(ReportRequest(conclusions[number % len(conclusions)]))

    @rule(move=st.sampled_from(Move))
    def look_first(self, move: Move) -> None:
        """Do what the review itself points to, or the same as before."""
        self.both(move)

    @rule()
    def stop(self) -> None:
        """Ask to stop."""
        self.both(StopRequest())

    @rule(number=st.integers(0, len(UNKNOWN_REQUESTS) - 1))
    def ask_for_the_unknown(self, number: int) -> None:
        """Ask for what nobody knows."""
        self.both(UNKNOWN_REQUESTS[number])

    @invariant()
    def agree(self) -> None:
        """Compare what both say of themselves."""
        for what, seen, expected in zip(STEPS, self.seen(), self.expected(), strict=True):
            expect(seen == expected, what, "is", seen, "not", expected)

    def seen(self) -> tuple[object, ...]:
        """What the review says."""
        guidance = self.review.guidance
        aim = guidance and (guidance.conclusion, guidance.cost, frozenset(guidance.checks))
        states = {atom: self.review.state(atom).value for atom in self.session.case.atoms}
        allowed = frozenset(self.review.authorized)
        hold = bool(guidance and guidance.hold)
        spent, over = self.review.spent, self.review.over
        return (spent, over, allowed, tuple(self.resolver.calls), states, aim, hold)

    def expected(self) -> tuple[object, ...]:
        """What the paper says."""
        state = self.state
        aim = state.aim and (state.aim.conclusion, state.aim.cost, frozenset(state.aim.checks))
        states = {atom: _state(state.ledger, atom) for atom in self.session.case.atoms}
        over = state.ending is not None
        return (state.spent, over, state.authorized, tuple(state.run), states, aim, state.hold)

    def teardown(self) -> None:
        """Close both, and compare how they ended."""
        if hasattr(self, "review"):
            outcome = self.session.close(self.review)
            self.state.close(self.session.complete)
            self.agree()
            seen = (frozenset(outcome.conclusions), outcome.ending.value, outcome.spent)
            expected = (self.state.reported, self.state.ending, self.state.spent)
            expect(seen == expected, f"ended with {seen}, not {expected}")
            recorded = sorted(map(text_of, evidence(self.review)))
            said = sorted(map(text_of, self.state.ledger))
            expect(recorded == said, "recorded", recorded, "not", said)
            failed = [failure.check for failure in outcome.failures]
            expect(failed == self.state.failed, "failed", failed, "not", self.state.failed)


def _state(ledger: list[Evidence], atom: str) -> str:
    seen = values(ledger, atom)
    return "conflict" if len(seen) == 2 else str(next(iter(seen), "unknown")).lower()


def every_step_is_that_of_the_algorithm() -> None:
    """Each request gets the answer, the charge and the next state that Algorithm 1 gives it.

    Compared at every step are the calls spent, the ledger, Auth(z), the target and its cost, the
    hold indicator, and which resolvers ran in which order, completion's among them.

    Source: PRIME, Algorithm 1; appendix C, "Budgets, stopping, and resolvers".
    """
    run_machine(ReviewMachine, settings=SAMPLED)


PROPERTIES: Final = (every_step_is_that_of_the_algorithm,)
