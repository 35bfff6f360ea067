"""`Gate` and `decide`: Proceed only when admissible, the budget, replanning, contradictions.

Statement. The gate proceeds only where Pr(L > delta) <= epsilon and R(b) is within the cap, where
proceeding costs no more than declining, Equation (2), where no answer contradicted the model, and
where no required premise reached rho after an observation. The budget is the episode's.

Premises. None on the policy: it may choose any check at any time. The decision on a belief is
confirmed over the reals in `admissibility`, and the whole gate for every case of a small space in
`enumerated_gate`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st

from licet import (
    Candidate,
    Claim,
    Decision,
    DecisionKind,
    FailureMode,
    Gate,
    GateEntry,
    Loss,
    Observed,
)
from licet.memories import CLIP
from licet.policies import (
    Policy,
    always_verify_policy,
    exact_policy,
    greedy_policy,
    static_policy,
    stop_policy,
    two_step_policy,
)

from . import independent_gate as paper
from .equation_3 import COMPLEMENTS, SAFE, TWO, WAVERING
from .expect import SAMPLED, expect
from .gate_generators import budgets, candidates

policies: Final[st.SearchStrategy[Policy]] = st.sampled_from(
    (
        two_step_policy,
        exact_policy,
        greedy_policy,
        static_policy,
        stop_policy,
        always_verify_policy,
    )
)
Report = tuple[int, bool | None]
reports: Final = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from((False, True, False, True, None))), max_size=6
)
"""Which verifier (modulo how many there are), and its answer; None when it failed."""


@dataclass(slots=True)
class Account:
    """What a second bookkeeper knows of a gate: its answers, its uses, what is left.

    `answers` were charged; `heard` are these and the refused ones that speak against proceeding.
    `rejected` is the first required premise that either has ever invalidated.
    """

    candidate: Candidate
    uses: dict[str, int]
    budget: Fraction
    answers: list[tuple[str, bool]] = field(default_factory=list)
    heard: list[tuple[str, bool]] = field(default_factory=list)
    contradicted: bool = False
    rejected: str | None = None

    @classmethod
    def of(cls, candidate: Candidate, budget: Fraction) -> "Account":
        """Open the books for a candidate, errors clipped as the paper does."""
        low, high = CLIP
        errors = {
            claim.identifier: min(max(paper.number(claim.error), low), high)
            for claim in candidate.claims
        }
        clipped = paper.with_errors(candidate, errors)
        return cls(clipped, dict(paper.opening(clipped, budget).uses), budget)

    def belief(self) -> paper.Distribution:
        """Return the posterior given all answers that were charged and possible."""
        return paper.condition(self.candidate, paper.prior(self.candidate), self.answers)

    def proceeds(self) -> bool:
        """Whether Equation (2) proceeds, on what was charged and on what was heard."""
        heard = paper.condition(self.candidate, paper.prior(self.candidate), self.heard)
        return all(paper.proceeds(self.candidate, belief) for belief in (self.belief(), heard))

    def take(self, name: str, refutes: bool | None) -> Observed:
        """Book one report and return what becomes of it."""
        observed = self._charge(name, refutes)
        if refutes is not None:
            told = [*self.heard, (name, refutes)]
            self._hear((name, refutes), observed)
            for answers in ((told,) if not self.contradicted else ()) + (self.answers,):
                self.rejected = self.rejected or next(iter(self._invalidated(answers)), None)
        return observed

    def _hear(self, answer: tuple[str, bool], observed: Observed) -> None:
        before = paper.condition(self.candidate, paper.prior(self.candidate), self.heard)
        if self.contradicted or not paper.joint_with(self.candidate, before, [answer]):
            self.contradicted = True
            return
        after = paper.condition(self.candidate, paper.prior(self.candidate), [*self.heard, answer])
        no_worse = all(
            judged(self.candidate, after) <= judged(self.candidate, before)
            for judged in (paper.risk, paper.harm)
        )
        if not (observed is Observed.REFUSED and no_worse):
            self.heard.append(answer)

    def _charge(self, name: str, refutes: bool | None) -> Observed:
        verifier = next(q for q in self.candidate.verifiers if q.identifier == name)
        cost = paper.number(verifier.cost)
        if not self.uses[name] or cost > self.budget:
            return Observed.REFUSED
        self.uses[name] -= 1
        self.budget -= cost
        if refutes is None:
            return Observed.FAILED
        if not paper.joint_with(self.candidate, self.belief(), [(name, refutes)]):
            return Observed.CONTRADICTION
        self.answers.append((name, refutes))
        return Observed.RECORDED

    def _invalidated(self, answers: Sequence[tuple[str, bool]]) -> list[str]:
        rho = self.candidate.loss.invalidation
        if rho is None or not answers:
            return []
        belief = paper.condition(self.candidate, paper.prior(self.candidate), answers)
        return [
            premise.identifier
            for premise in self.candidate.premises
            if premise.required
            and sum(p for z, p in belief.items() if paper.is_violated(premise, z))
            >= paper.number(rho)
        ]


def _report(gate: Gate, account: Account, given: Sequence[Report]) -> None:
    for number, refutes in given if account.candidate.verifiers else ():
        name = account.candidate.verifiers[number % len(account.candidate.verifiers)].identifier
        expected = account.take(name, refutes)
        found = gate.fail(name) if refutes is None else gate.observe(name, refutes)
        expect(found is expected, name, refutes, "became", found, "not", expected)
        expect(gate.remaining == account.budget, "left", gate.remaining, "not", account.budget)


def _opened(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], policy: Policy
) -> tuple[Gate, Account, Decision]:
    gate, account = Gate(candidate, budget=budget, policy=policy), Account.of(candidate, budget)
    _report(gate, account, given)
    return gate, account, gate.decide()


@SAMPLED
@example(SAFE, Fraction(0), [(0, True)], stop_policy)
@given(candidates(), budgets, reports, policies)
def the_gate_proceeds_only_where_the_screens_admit_it(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], policy: Policy
) -> None:
    """Proceed: within the screens, no dearer than abstaining, nothing contradicted or invalidated.

    Source: AMV, section 3.3 (stopping and replanning), Equation (2), appendix A.1.
    """
    _, account, decision = _opened(candidate, budget, given, policy)
    if decision.kind is DecisionKind.PROCEED:
        expect(not account.contradicted, "it proceeds after a contradiction")
        expect(account.rejected is None, "it proceeds though", account.rejected, "is invalidated")
        belief = account.belief()
        expect(paper.is_admissible(account.candidate, belief), "it proceeds inadmissibly", belief)
        expect(account.proceeds(), "it proceeds at a loss, or against what it heard", belief)


TIE: Final = replace(
    COMPLEMENTS,
    claims=(Claim("address", 0.1), Claim("stock", 0.1)),
    failure_modes=(FailureMode(("deliverable",), 10, "g"),),
    loss=Loss(abstain=1, price=0.1),
)
"""Proceeding costs 1 in expectation, and so does abstaining."""


@SAMPLED
@example(TIE, TWO, [])
@given(candidates(), budgets, reports)
def the_gate_stops_as_equation_2_says(
    candidate: Candidate, budget: Fraction, given: Sequence[Report]
) -> None:
    """Where no check is asked for it proceeds exactly when Equation (2) does; a tie proceeds.

    Source: AMV, Equation (2), section 3.3; DESIGN, section 3 (a tie goes to Proceed).
    """
    _, account, decision = _opened(candidate, budget, given, stop_policy)
    if account.contradicted:
        expected = DecisionKind.ABSTAIN
    elif account.rejected is not None:
        expected = DecisionKind.REPLAN
    elif account.proceeds():
        expected = DecisionKind.PROCEED
    else:
        expected = DecisionKind.ABSTAIN
    expect(decision.kind is expected, "it decides", decision.kind, "not", expected)


@SAMPLED
@example(WAVERING, Fraction(3), [(0, True), (0, True), (0, False)], stop_policy)
@given(candidates(), budgets, reports, policies)
def a_new_plan_is_asked_for_exactly_when_an_observation_invalidates_a_required_premise(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], policy: Policy
) -> None:
    """ReplanRequired names the first required premise whose violation reaches rho, never a prior.

    It stays, whatever is answered after: the candidate is rejected.

    Source: AMV, section 3.3 and appendix B (invalidation and replanning).
    """
    _, account, decision = _opened(candidate, budget, given, policy)
    named = None if account.contradicted else account.rejected
    expect(decision.premise == named, "it names", decision.premise, "not", named)
    expect((decision.kind is DecisionKind.REPLAN) == (named is not None), decision)


@SAMPLED
@example(COMPLEMENTS, TWO, [], COMPLEMENTS)
@given(candidates(), budgets, reports, candidates())
def a_decision_explains_itself(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], other: Candidate
) -> None:
    """Loss, harm, stopping value and worth are the paper's, also for a second candidate.

    Source: AMV, Equations (2), (4) and (5), section 3.3.
    """
    gate, account, decision = _opened(candidate, budget, given, two_step_policy)
    _explains(account, decision)
    gate.replan(_of_other_claims(other))
    _explains(Account.of(_of_other_claims(other), account.budget), gate.decide())


def _explains(account: Account, decision: Decision) -> None:
    candidate, belief = account.candidate, account.belief()
    standing = paper.Standing(belief, account.uses, account.budget)
    worth = {
        q.identifier: paper.value_of_information(candidate, standing, q, 0)
        for q in paper.choices(candidate, standing)
    }
    told = (decision.expected_loss, decision.harm_probability)
    expected = (paper.risk(candidate, belief), paper.harm(candidate, belief))
    expect(told == expected, "it tells", told, "not", expected)
    expect(decision.worth == worth, "it tells the worth", decision.worth, "not", worth)
    barred = account.contradicted or (
        paper.proceeds(candidate, belief) and not account.proceeds() and not decision.admissible
    )
    admitted = paper.is_admissible(candidate, belief) and not barred
    value = paper.number(candidate.loss.abstain) if barred else paper.stop(candidate, belief)
    expect(decision.admissible == admitted, decision)
    expect(decision.stopping_value == value, "it tells", decision.stopping_value, "not", value)
    if not account.contradicted and account.rejected is None:
        asked = paper.bounded_choice(candidate, standing, True)
        name = asked.identifier if asked else None
        expect(decision.verifier == name, "it asks", decision.verifier, "not", name)


@SAMPLED
@example(COMPLEMENTS, TWO, [(0, False)], [(0, False), (1, False)], COMPLEMENTS)
@given(candidates(), budgets, reports, reports, candidates())
def the_budget_is_the_episodes(
    candidate: Candidate,
    budget: Fraction,
    given: Sequence[Report],
    further: Sequence[Report],
    other: Candidate,
) -> None:
    """Every call is charged once, failed ones too; what is left carries across replans.

    Source: AMV, section 5.1 (cost accumulates across all gate entries) and appendix E.
    """
    gate, account, _ = _opened(candidate, budget, given, two_step_policy)
    gate.replan(_of_other_claims(other))
    expect(gate.remaining == account.budget, "left", gate.remaining, "not", account.budget)
    account = Account.of(_of_other_claims(other), account.budget)
    _report(gate, account, further)
    expect(gate.remaining >= 0, "it is overdrawn")
    expect(gate.decide().budget == account.budget, "it decides on another budget")


def _of_other_claims(candidate: Candidate) -> Candidate:
    """Return the candidate with claims of other names, of which nothing was answered before."""
    return replace(
        candidate,
        claims=tuple(replace(c, identifier=f"other_{c.identifier}") for c in candidate.claims),
        premises=tuple(replace(p, claim=f"other_{p.claim}") for p in candidate.premises),
        verifiers=tuple(
            replace(q, covers=tuple(f"other_{claim}" for claim in q.covers))
            for q in candidate.verifiers
        ),
    )


def _moved(claim: Claim) -> Claim:
    return replace(claim, error=0.38 if claim.error == 0.37 else 0.37)


@SAMPLED
@example(COMPLEMENTS, TWO, [(0, True), (1, False)])
@given(candidates(), budgets, reports)
def a_new_plan_on_the_same_memory_forgets_nothing(
    candidate: Candidate, budget: Fraction, given: Sequence[Report]
) -> None:
    """The same candidate again is decided as before; one without its verifiers believes the same.

    Another error probability is another memory: of that nothing was answered.

    Source: AMV, section 3.3 (a new plan enters with the updated memory) and DESIGN, section 5.
    """
    gate, account, decision = _opened(candidate, budget, given, two_step_policy)
    gate.replan(candidate)
    expect(gate.decide() == decision, "a new plan decides", gate.decide(), "not", decision)
    gate.replan(replace(candidate, verifiers=()))
    told = gate.decide()
    for name in ("expected_loss", "harm_probability"):
        expect(getattr(told, name) == getattr(decision, name), name, "is forgotten")
    expect(told.kind is not DecisionKind.PROCEED or account.proceeds(), "it proceeds", account)
    moved = replace(candidate, claims=tuple(map(_moved, candidate.claims)))
    gate.replan(moved)
    _explains(Account.of(moved, account.budget), gate.decide())


@SAMPLED
@given(candidates(), budgets, reports, policies)
def a_history_replays_to_the_same_decision(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], policy: Policy
) -> None:
    """Reports of a history, made again to a new gate, lead to the same decision and history.

    Source: DESIGN, section 5 (what was recorded is readable and verifies).
    """
    gate, _, decision = _opened(candidate, budget, given, policy)
    again = Gate(candidate, budget=budget, policy=policy)
    for entry in gate.history:
        _make(again, entry)
    expect(again.history == gate.history, again.history, "is not", gate.history)
    expect(again.decide() == decision, again.decide(), "is not", decision)


def _make(gate: Gate, entry: GateEntry) -> None:
    if entry.refutes is None:
        gate.fail(entry.verifier)
    else:
        gate.observe(entry.verifier, entry.refutes)


@SAMPLED
@given(candidates(), budgets, reports, policies)
def what_contradicts_the_model_is_never_acted_on(
    candidate: Candidate, budget: Fraction, given: Sequence[Report], policy: Policy
) -> None:
    """After an answer that the belief excludes the gate abstains, until there is a new candidate.

    Source: DESIGN, section 5 (fail closed).
    """
    verifiers = tuple(
        replace(q, sensitivity=1, specificity=1, cost=0, uses=2) for q in candidate.verifiers
    )
    certain = replace(candidate, verifiers=verifiers)
    _, account, decision = _opened(certain, budget, given, policy)
    if account.contradicted:
        expect(decision.kind is DecisionKind.ABSTAIN, "it decides", decision.kind)


PROPERTIES: Final[tuple[Callable[[], None], ...]] = (
    the_gate_proceeds_only_where_the_screens_admit_it,
    the_gate_stops_as_equation_2_says,
    a_new_plan_is_asked_for_exactly_when_an_observation_invalidates_a_required_premise,
    a_decision_explains_itself,
    the_budget_is_the_episodes,
    a_new_plan_on_the_same_memory_forgets_nothing,
    a_history_replays_to_the_same_decision,
    what_contradicts_the_model_is_never_acted_on,
)
