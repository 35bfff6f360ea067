"""Why a gate decides what it decides: one reason, true for the policy that chooses the checks."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from licet import Candidate, Decision, DecisionKind, GateEntry, Observed
from licet.rationals import exact
from licet_bindings.gate.policies import Ending, NamedPolicy
from licet_bindings.gate.rounding import rounded

_UNWORTHY: Final = {
    "two-step": "no check is worth its price, alone or with a second after it",
    "greedy": "no check alone is worth its price",
    "exact": "no way of checking is worth its price",
}
"""Why these policies ask for nothing; the others say no more than that they do not."""

_CHOOSE_BY_WORTH: Final = frozenset({"two-step", "greedy"})
"""The policies that choose by Equations (4) and (5)."""

WORDS: Final = {False: "support", True: "refute", None: "fail"}
"""What a verifier answered, in the words of `--observe`."""


class Ended(NamedTuple):
    """What is decided under a policy's own ending, and why."""

    kind: DecisionKind
    reason: str


def ended(
    policy: NamedPolicy,
    candidate: Candidate,
    kernel: Decision,
    history: Iterable[GateEntry],
    violated: Fraction | None,
) -> Ended:
    """Return the decision and its reason.

    Args:
        policy: the policy.
        candidate: the candidate.
        kernel: the kernel's decision.
        history: what was reported.
        violated: where a new plan is asked for, the violation probability of its premise.
    """
    if policy.ending is not Ending.EQUATION_2:
        kind = DecisionKind.PROCEED if policy.ending is Ending.PROCEED else DecisionKind.ABSTAIN
        reason = (
            f"{policy.name} is a baseline for evaluation and {policy.says};"
            f" {screens(candidate, kernel)}, and without a check the gate itself would decide:"
            f" {kernel.kind.value}"
        )
        return Ended(kind, reason)
    contradiction = contradicting(history)
    if contradiction is not None:
        return Ended(kernel.kind, _contradicted(contradiction))
    return Ended(kernel.kind, _reason(policy, candidate, kernel, violated))


def contradicting(history: Iterable[GateEntry]) -> GateEntry | None:
    """Return the answer that the belief excluded, if there was one."""
    return next((entry for entry in history if entry.observed is Observed.CONTRADICTION), None)


def screened(candidate: Candidate) -> bool:
    """Return whether a candidate sets a screen on Proceed."""
    loss = candidate.loss
    return loss.max_harm_probability is not None or loss.max_expected_loss is not None


def screens(candidate: Candidate, kernel: Decision) -> str:
    """Return what the screens say of proceeding."""
    if not screened(candidate):
        return "no screen is set"
    return f"the screens {'admit' if kernel.admissible else 'do not admit'} proceeding"


def _contradicted(entry: GateEntry) -> str:
    return (
        f"{entry.verifier} answered {WORDS[entry.refutes]}, which was impossible after the answers"
        " before it: the candidate's error rates are wrong"
    )


def _reason(
    policy: NamedPolicy, candidate: Candidate, kernel: Decision, violated: Fraction | None
) -> str:
    match kernel.kind:
        case DecisionKind.VERIFY:
            return _verify(policy, kernel)
        case DecisionKind.PROCEED:
            it = "it" if screened(candidate) else "proceeding"
            return f"{screens(candidate, kernel)}, and {it} costs no more than abstaining"
        case DecisionKind.REPLAN if violated is not None:
            threshold = exact(candidate.loss.invalidation or 0, "loss.invalidation")
            reached = "" if violated >= threshold else ", which an earlier answer had reached"
            return (
                f"the required premise {kernel.premise} is violated with a probability of"
                f" {rounded(violated)}; a new plan is asked for from {rounded(threshold)}{reached}"
            )
    blocked = (
        "proceeding costs more than abstaining"
        if kernel.admissible
        else "the screens do not admit proceeding"
    )
    if not kernel.worth:
        return f"{blocked}, and no check can be asked and paid"
    unworthy = _UNWORTHY.get(policy.name, "the policy asks for no check")
    return f"{blocked}, and {unworthy}"


def _verify(policy: NamedPolicy, kernel: Decision) -> str:
    name = kernel.verifier or ""
    if policy.name in _CHOOSE_BY_WORTH:
        if kernel.worth[name] > 0:
            return f"one answer saves {rounded(kernel.worth[name])} more than it costs"
        return (
            "no check is worth its price alone, but this one with a second after it saves"
            f" {rounded(kernel.two_step[name])} more than they cost"
        )
    return f"the policy {policy.name} asks for it: {policy.says}"
