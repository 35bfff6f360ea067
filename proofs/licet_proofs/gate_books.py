"""A `Gate` and a second bookkeeper of its episode agree after every step.

Statement. What a gate answers to a report, what is left of the budget, what it decides and what it
says of that are what follows, by the rules of docs/gate.md and decision 0010, from all that was
reported: over any sequence of reports and failed calls, of refused ones, of new plans that keep and
change what they like, of interrupts inside a report, a new plan or a decision, and of policies that
ask their own gate.

Premises. One thread; the exact observation model.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from licet import Candidate

from .bookkeeper import POLICIES
from .expect import SAMPLED
from .gate_changes import CHANGES
from .gate_generators import budgets, candidates
from .gate_scripts import SCRIPTS
from .gate_sessions import IN_A_DECISION, IN_A_REPLAN, IN_A_REPORT, Session

STEPS: Final = 20
"""Steps of one generated sequence, at most."""

answers: Final = st.sampled_from((True, False, True, False, None))
numbers: Final = st.integers(0, 11)


class GateMachine(RuleBasedStateMachine):
    """Any steps, on any candidate."""

    @initialize(
        candidate=candidates(),
        budget=budgets,
        times=st.sampled_from((3, 1, 4)),
        policy=st.sampled_from(POLICIES),
    )
    def open(self, candidate: Candidate, budget: Fraction, times: int, policy: str) -> None:
        """Open the gate and its books; often with more to spend than a generated candidate has."""
        verifiers = tuple(replace(q, uses=q.uses * times) for q in candidate.verifiers)
        self.session = Session(replace(candidate, verifiers=verifiers), budget * times, policy)

    def name(self, number: int) -> str:
        """Return a verifier of the present candidate, or one that it may not have."""
        present = [q.identifier for q in self.session.books.candidate.verifiers]
        names = [*present, *present, *present, "q0", "nobody"]
        return names[number % len(names)]

    @rule(number=numbers, refutes=answers)
    def report(self, number: int, refutes: bool | None) -> None:
        """Report an answer or a failed call, charged or not."""
        self.session.report(self.name(number), refutes)

    @rule(number=numbers, refutes=answers)
    def report_another(self, number: int, refutes: bool | None) -> None:
        """Report as above, or what was cut off; so there are more reports than other steps."""
        cut_off = self.session.books.cut_off
        answer = cut_off[number % len(cut_off)] if cut_off else (self.name(number), refutes)
        self.session.report(*answer)

    @precondition(lambda self: len(self.session.books.cut_off) < 2)
    @rule(number=numbers, refutes=answers, where=st.sampled_from(IN_A_REPORT))
    def cut_off(self, number: int, refutes: bool | None, where: str) -> None:
        """Report something that an interrupt may cut off."""
        self.session.report(self.name(number), refutes, where)

    @rule(number=numbers)
    def garble(self, number: int) -> None:
        """Report what is no truth value."""
        self.session.garble(self.name(number))

    def changed(self, number: int, changes: list[tuple[int, int]]) -> Candidate:
        """Return the present candidate or an earlier one, changed."""
        earlier = self.session.books.candidates[::-1]
        candidate = earlier[number % 2 % len(earlier)]
        for change, with_number in changes:
            candidate = CHANGES[change](candidate, with_number)
        return candidate

    @rule(
        number=numbers,
        changes=st.lists(st.tuples(st.integers(0, len(CHANGES) - 1), numbers), max_size=3),
        interrupted=st.sampled_from(("", "", "", *IN_A_REPLAN)),
    )
    def replan(self, number: int, changes: list[tuple[int, int]], interrupted: str) -> None:
        """Take a candidate that keeps some things and changes others."""
        self.session.replan(self.changed(number, changes), interrupted)

    @rule(where=st.sampled_from(IN_A_DECISION))
    def interrupt_a_decision(self, where: str) -> None:
        """Let an interrupt hit a decision."""
        self.session.interrupt_a_decision(where)

    @rule(lets_out=st.booleans())
    def meddle(self, lets_out: bool) -> None:
        """Let the policy ask its own gate."""
        self.session.meddle(lets_out)


def every_step_of_a_gate_is_that_of_its_books() -> None:
    """After each step the gate says what a second bookkeeper derives from all that was reported.

    Compared are what became of each report, the budget, candidates and history, and the whole
    decision: what is asked next, invalidated or barred, loss, harm, screens, worth and evidence.
    Scripts come first, one for each rule; then sequences that are generated.

    Source: AMV, section 3.3 and appendix E; docs/gate.md, decision 0010.
    """
    for script in SCRIPTS:
        script()
    run_machine(GateMachine, settings=settings(SAMPLED, stateful_step_count=STEPS))


PROPERTIES: Final = (every_step_of_a_gate_is_that_of_its_books,)
