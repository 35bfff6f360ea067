"""The profiles of the two interventions, drawn from a seed.

The paper gives neither the distribution of the error probabilities nor the impacts of its
consequence intervention, so these are this project's own, and its rates are not the paper's.

Action conditioning: one memory of four claims, contact, cellular, Wi-Fi and low battery. Each of
two actions rests on two of them. A coin decides which action's claims have the error 0.30; the
other's have 0.01. The claims are listed in a shuffled order. Impacts are 1, verifiers perfect and
of cost one.

Consequence: one or two claims (three perfect checks that pay only together are more than the
two-step fallback sees). With two chances in three a claim is fresh and its error drawn
evenly from 0.01 to 0.05, else it is stale and its error drawn from 0.06 to 0.60, in hundredths.
Each has a premise, all in one loss group or each in its own, with equal odds. Each has a verifier
of cost one but, with one chance in ten, the last; with two claims and one chance in three
a further verifier of cost one covers the first two. Each premise's impact is 1, times the level.
What is really wrong is drawn from the errors, and what a verifier answers from its reliability. At
the high level one claim at the least error, unchecked, already costs more than abstaining.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Final

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier

MAIN_POINT: Final = Loss(
    abstain=1, price=0.1, harm_loss=0.5, max_harm_probability=0.05, invalidation=0.95
)
"""The paper's main point: kappa 1, lambda 0.1, delta 0.5, epsilon 0.05, rho 0.95."""

BUDGET: Final = 4
HIGH_ERROR, LOW_ERROR = Fraction(30, 100), Fraction(1, 100)
LEVELS: Final = {"low": Fraction(1, 4), "medium": Fraction(1), "high": Fraction(200)}
"""What each level multiplies every impact by."""

ACTIONS: Final = {
    "send_message_with_phone_number": ("contact", "cellular"),
    "set_wifi_status": ("wifi", "low_battery"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One memory and two actions: one rests on what is often wrong, one on what seldom is."""

    high_risk: Candidate
    low_risk: Candidate


@dataclass(frozen=True, slots=True)
class Profile:
    """One memory, one action, and what is really wrong; the loss is still to be scaled."""

    candidate: Candidate
    wrong: frozenset[str]


def pair(random: Random) -> Pair:
    """Draw one memory for both actions."""
    risky, safe = random.sample(tuple(ACTIONS), 2)
    claims = [
        Claim(name, error)
        for action, error in ((risky, HIGH_ERROR), (safe, LOW_ERROR))
        for name in ACTIONS[action]
    ]
    random.shuffle(claims)
    return Pair(_resting_on(risky, claims), _resting_on(safe, claims))


def _resting_on(action: str, claims: Sequence[Claim]) -> Candidate:
    """Return the action over the whole memory; it rests on its own claims alone."""
    return Candidate(
        action,
        tuple(claims),
        tuple(Premise(f"{name}_holds", name) for name in ACTIONS[action]),
        tuple(FailureMode((f"{name}_holds",), 1, f"{name}_fails") for name in ACTIONS[action]),
        tuple(
            Verifier.symmetric(f"check_{claim.identifier}", 1, (claim.identifier,), 1)
            for claim in claims
        ),
        MAIN_POINT,
    )


def profile(random: Random) -> Profile:
    """Draw one profile of the consequence intervention, with perfect verifiers."""
    names = [f"claim_{number}" for number in range(random.randint(1, 2))]
    claims = tuple(Claim(name, _error(random)) for name in names)
    together = random.random() < 1 / 2
    modes = tuple(
        FailureMode((f"{name}_holds",), 1, "failure" if together else f"{name}_fails")
        for name in names
    )
    verifiable = names[:-1] if random.random() < 1 / 10 else names
    verifiers = [Verifier.symmetric(f"check_{name}", 1, (name,), 1) for name in verifiable]
    if len(names) > 1 and random.random() < 1 / 3:
        verifiers.append(Verifier.symmetric("check_two", 1, names[:2], 1))
    wrong = frozenset(c.identifier for c in claims if random.random() < Fraction(c.error))
    premises = tuple(Premise(f"{name}_holds", name) for name in names)
    candidate = Candidate("commit", claims, premises, modes, tuple(verifiers), MAIN_POINT)
    return Profile(candidate, wrong)


def _error(random: Random) -> Fraction:
    low, high = (1, 5) if random.random() < 2 / 3 else (6, 60)
    return Fraction(random.randint(low, high), 100)


def scaled(candidate: Candidate, level: Fraction) -> Candidate:
    """Return the candidate with every impact multiplied by the level."""
    modes = (replace(m, impact=Fraction(m.impact) * level) for m in candidate.failure_modes)
    return replace(candidate, failure_modes=tuple(modes))


def with_reliability(candidate: Candidate, reliability: Fraction) -> Candidate:
    """Return the candidate with verifiers of this sensitivity and specificity."""
    verifiers = (
        replace(q, sensitivity=reliability, specificity=reliability) for q in candidate.verifiers
    )
    return replace(candidate, verifiers=tuple(verifiers))
