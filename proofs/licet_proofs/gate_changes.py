"""Changes of a gate candidate: what a new plan may state otherwise, one thing at a time.

Every change gives a valid candidate for any number; where it has nothing to change, the same one.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from licet import Candidate, Claim, FailureMode, Premise, Verifier

from .gate_generators import COSTS, ERRORS, IMPACTS, RELIABILITIES

Change: TypeAlias = Callable[[Candidate, int], Candidate]
DRAWS: Final = (None, "d", "e")
MOST_CLAIMS, MOST_VERIFIERS = 5, 5


def same(candidate: Candidate, _: int) -> Candidate:
    """Return the candidate."""
    return candidate


def _with_claim(candidate: Candidate, number: int, claim: Callable[[Claim], Claim]) -> Candidate:
    at = number % len(candidate.claims)
    claims = candidate.claims
    return replace(candidate, claims=(*claims[:at], claim(claims[at]), *claims[at + 1 :]))


def other_error(candidate: Candidate, number: int) -> Candidate:
    """Estimate one claim's error probability anew."""
    error = ERRORS[number % len(ERRORS)]
    return _with_claim(candidate, number, lambda claim: replace(claim, error=error))


def other_sentence(candidate: Candidate, number: int) -> Candidate:
    """Let one claim say something else."""
    sentence = f"it is {number % 3}"
    return _with_claim(candidate, number, lambda claim: replace(claim, sentence=sentence))


def other_draw(candidate: Candidate, number: int) -> Candidate:
    """Let one claim share another draw, or none."""
    draw = DRAWS[number % len(DRAWS)]
    return _with_claim(candidate, number // 2, lambda claim: replace(claim, draw=draw))


def one_claim_less(candidate: Candidate, number: int) -> Candidate:
    """Leave one claim out, with its premises, and whatever rests on nothing then."""
    gone = candidate.claims[number % len(candidate.claims)].identifier
    premises = tuple(p for p in candidate.premises if p.claim != gone)
    left = {premise.identifier for premise in premises}
    modes = tuple(m for m in candidate.failure_modes if left.issuperset(m.premises))
    if not modes:
        return candidate
    covered = (
        replace(q, covers=tuple(c for c in q.covers if c != gone))
        for q in candidate.verifiers
        if q.covers != (gone,)
    )
    claims = tuple(claim for claim in candidate.claims if claim.identifier != gone)
    return replace(
        candidate,
        claims=claims,
        premises=premises,
        failure_modes=modes,
        verifiers=tuple(covered),
    )


def one_claim_more(candidate: Candidate, number: int) -> Candidate:
    """Rest on one more claim, listed first, which one verifier more covers too."""
    name, names = f"new{number % 2}", {claim.identifier for claim in candidate.claims}
    if name in names or len(names) >= MOST_CLAIMS:
        return candidate
    claim = Claim(name, ERRORS[number % len(ERRORS)], DRAWS[number % len(DRAWS)])
    at = number % max(len(candidate.verifiers), 1)
    return replace(
        candidate,
        claims=(claim, *candidate.claims),
        premises=(*candidate.premises, Premise(f"of_{name}", name, bool(number % 3))),
        failure_modes=(
            *candidate.failure_modes,
            FailureMode((f"of_{name}",), IMPACTS[number % len(IMPACTS)], f"g_{name}"),
        ),
        verifiers=tuple(
            replace(q, covers=(*q.covers, name)) if i == at else q
            for i, q in enumerate(candidate.verifiers)
        ),
    )


def other_order(candidate: Candidate, _: int) -> Candidate:
    """List claims and verifiers the other way round."""
    return replace(candidate, claims=candidate.claims[::-1], verifiers=candidate.verifiers[::-1])


def _with_verifier(
    candidate: Candidate, number: int, verifier: Callable[[Verifier], tuple[Verifier, ...]]
) -> Candidate:
    if not candidate.verifiers:
        return candidate
    at, listed = number % len(candidate.verifiers), candidate.verifiers
    return replace(candidate, verifiers=(*listed[:at], *verifier(listed[at]), *listed[at + 1 :]))


def other_rates(candidate: Candidate, number: int) -> Candidate:
    """Let one verifier err more or less often."""
    rate = RELIABILITIES[number % len(RELIABILITIES)]
    return _with_verifier(candidate, number, lambda q: (replace(q, sensitivity=rate),))


def other_coverage(candidate: Candidate, number: int) -> Candidate:
    """Let one verifier report on other claims."""
    names = [claim.identifier for claim in candidate.claims]
    covers = tuple(names[number % len(names) :])
    return _with_verifier(candidate, number // 2, lambda q: (replace(q, covers=covers),))


def other_uses(candidate: Candidate, number: int) -> Candidate:
    """Let one verifier be asked more or less often."""
    return _with_verifier(candidate, number // 2, lambda q: (replace(q, uses=number % 4),))


def other_cost(candidate: Candidate, number: int) -> Candidate:
    """Let one verifier cost more or less."""
    cost = COSTS[number % len(COSTS)]
    return _with_verifier(candidate, number // 2, lambda q: (replace(q, cost=cost),))


def other_availability(candidate: Candidate, number: int) -> Candidate:
    """Let one verifier be there no more, or again."""
    return _with_verifier(candidate, number, lambda q: (replace(q, available=not q.available),))


def one_verifier_less(candidate: Candidate, number: int) -> Candidate:
    """Leave one verifier out."""
    return _with_verifier(candidate, number, lambda q: ())


def one_verifier_more(candidate: Candidate, number: int) -> Candidate:
    """Name one verifier more, that answers as another does."""
    name = f"more{number % 2}"
    known = {q.identifier for q in candidate.verifiers}
    if name in known or len(known) >= MOST_VERIFIERS:
        return candidate
    return _with_verifier(
        candidate, number, lambda q: (replace(q, identifier=name, uses=1, available=True), q)
    )


def other_losses(candidate: Candidate, number: int) -> Candidate:
    """Set the screens and rho otherwise."""
    return replace(
        candidate,
        loss=replace(
            candidate.loss,
            abstain=(1, 2)[number % 2],
            max_harm_probability=(None, 0.1, 0.3)[number % 3],
            invalidation=(None, 0.95, 0.5, 0.3)[number % 4],
        ),
    )


def other_polarity(candidate: Candidate, number: int) -> Candidate:
    """Let one premise be violated when its claim is right, or no longer; and be required or not."""
    at, listed = number % len(candidate.premises), candidate.premises
    turned = replace(
        listed[at],
        contradicts=listed[at].contradicts != bool(number % 2),
        required=not listed[at].required,
    )
    return replace(candidate, premises=(*listed[:at], turned, *listed[at + 1 :]))


CHANGES: Final[tuple[Change, ...]] = (
    same,
    other_error,
    other_sentence,
    other_draw,
    one_claim_less,
    one_claim_more,
    other_order,
    other_rates,
    other_coverage,
    other_uses,
    other_cost,
    other_availability,
    one_verifier_less,
    one_verifier_more,
    other_losses,
    other_polarity,
)
