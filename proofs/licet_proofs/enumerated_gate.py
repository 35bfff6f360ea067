"""The gate on every candidate of a small finite space: what it decides, and what it is worth.

Two claims, independent or of one draw; a loss group of two failure modes, one of them a
conjunction, or two groups; a verifier of one claim and one of both, once each; every combination of
screens. Each is asked at every budget after every sequence of up to two reports, failed ones too,
under every policy that is bounded. Held against the independent reading; nothing is sampled.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Final

from licet import (
    Candidate,
    Claim,
    DecisionKind,
    FailureMode,
    Gate,
    Loss,
    Premise,
    Verifier,
)
from licet.planner import ExactPlanner
from licet.policies import (
    Policy,
    always_verify_policy,
    exact_policy,
    greedy_policy,
    policy_tree,
    static_policy,
    stop_policy,
    two_step_policy,
)

from . import independent_gate as paper
from .enumerated import Disagreement
from .gate_decisions import Account
from .gate_views import model_of

BUDGETS: Final = (Fraction(0), Fraction(1), Fraction(2))
POLICIES: Final = (stop_policy, greedy_policy, two_step_policy, always_verify_policy)
NAMES: Final = ("look", "audit")
REPORTS: Final = 2
"""Reports before the decision, at most."""

AUDIT: Final = Verifier("audit", Fraction(1, 2), ("a", "b"), 1, Fraction(4, 5))
KINDS: Final[tuple[tuple[str | None, Fraction], ...]] = (
    (None, Fraction(9, 10)),
    ("d", Fraction(9, 10)),
    (None, Fraction(1)),
)
"""The draw of both claims, and how reliable `look` is; where it never errs, it can be contradicted
by `audit`, which refutes whenever a claim is wrong."""

IMPACT: Final = Fraction(3, 2)
"""A loss that is exactly delta, which is no harm, and of which the core keeps a multiple."""

PREMISES: Final = (Premise("p", "a"), Premise("q", "b", required=False, contradicts=False))


def losses() -> Iterator[Loss]:
    """Yield every combination of screens: epsilon, cap, delta and rho on and off."""
    for harm, cap, delta, rho in product(
        (None, Fraction(0), Fraction(1, 10)),
        (None, Fraction(1, 2)),
        (Fraction(0), IMPACT),
        (None, Fraction(9, 10)),
    ):
        yield Loss(1, Fraction(1, 10), delta, harm, cap, rho)


def all_candidates() -> Iterator[Candidate]:
    """Yield every candidate of the space; the errors are 1/10 and 1/2."""
    errors = list(product((Fraction(1, 10), Fraction(1, 2)), repeat=2))
    for kind, error, group, loss in product(KINDS, errors, ("g", "h"), losses()):
        draw, reliability = kind
        yield Candidate(
            "act",
            (Claim("a", error[0], draw), Claim("b", error[1], draw)),
            PREMISES,
            (FailureMode(("p",), IMPACT, "g"), FailureMode(("p", "q"), 6, group)),
            (Verifier.symmetric("look", 1, ("a",), reliability), AUDIT),
            loss,
        )


def all_reports() -> Iterator[tuple[tuple[str, bool | None], ...]]:
    """Yield every sequence of reports: support, refute, or a failure, of either verifier."""
    one = list(product(NAMES, (False, True, None)))
    for length in range(REPORTS + 1):
        yield from product(one, repeat=length)


def _expected(account: Account) -> DecisionKind:
    """Return what the paper decides where no check is asked for."""
    if account.contradicted:
        return DecisionKind.ABSTAIN
    if account.rejected is not None:
        return DecisionKind.REPLAN
    return DecisionKind.PROCEED if account.proceeds() else DecisionKind.ABSTAIN


def _decisions(candidate: Candidate, budget: Fraction) -> int:
    """Compare every decision on one candidate; return how many there were."""
    compared = 0
    for reports in all_reports():
        account = Account.of(candidate, budget)
        for name, refutes in reports:
            account.take(name, refutes)
        expected = _expected(account)
        admitted = paper.is_admissible(account.candidate, account.belief())
        for policy in POLICIES:
            decision = _decided(candidate, budget, reports, policy)
            kind, verifier, premise = decision
            asks = kind is DecisionKind.VERIFY and verifier in account.uses
            ended = account.contradicted or expected is DecisionKind.REPLAN
            sound = kind is expected or (asks and not ended)
            if not sound or (kind is DecisionKind.PROCEED and not admitted):
                raise Disagreement(
                    f"{candidate} with {budget} after {reports}: {decision}, not {expected}"
                )
            if policy is stop_policy and kind is not expected:
                raise Disagreement(f"{candidate} after {reports}: {decision}, not {expected}")
            if kind is DecisionKind.REPLAN and premise != account.rejected:
                raise Disagreement(f"{candidate} after {reports}: {decision}")
            compared += 1
    return compared


def _decided(
    candidate: Candidate,
    budget: Fraction,
    reports: Sequence[tuple[str, bool | None]],
    policy: Policy,
) -> tuple[DecisionKind, str | None, str | None]:
    gate = Gate(candidate, budget=budget, policy=policy)
    for name, refutes in reports:
        if refutes is None:
            gate.fail(name)
        else:
            gate.observe(name, refutes)
    decision = gate.decide()
    return decision.kind, decision.verifier, decision.premise


def every_small_gate_proceeds_only_where_it_is_admissible() -> int:
    """Every candidate, budget, sequence of reports and policy: the decision is the paper's.

    Proceed only within the screens, at no more than declining costs, with nothing contradicted or
    invalidated; Replan exactly where the paper asks for it; a policy may only ask for more checks.
    """
    budgets = BUDGETS[1:]
    return sum(_decisions(c, budget) for c in all_candidates() for budget in budgets)


def every_small_plan_is_that_of_brute_force() -> int:
    """Every candidate and budget: V* is plain recursion over beliefs, and no policy beats it.

    exact <= two-step <= greedy <= stopping, exact <= static <= stopping, and V* falls or stays as
    the budget grows. Replanning is left out, as Equation (3) does.
    """
    compared = 0
    for candidate in all_candidates():
        if candidate.loss.invalidation is not None:
            continue
        before: Fraction | None = None
        for budget in BUDGETS:
            model = model_of(candidate)
            found = ExactPlanner(model, budget).value()
            expected = paper.expectimax(candidate, paper.opening(candidate, budget))
            policies = (exact_policy, two_step_policy, greedy_policy, stop_policy)
            values = [policy_tree(model, policy, budget).value for policy in policies]
            static = policy_tree(model, static_policy, budget).value
            ordered = all(a <= b for a, b in pairwise(values))
            if (found, values[0]) != (expected, expected) or not ordered:
                raise Disagreement(f"{candidate} with {budget}: {found}, {values}, not {expected}")
            if not found <= static <= values[-1] or (before is not None and found > before):
                raise Disagreement(f"{candidate} with {budget}: {found}, {static}, {before}")
            before = found
            compared += 1
    return compared
