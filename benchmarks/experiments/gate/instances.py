"""Generated instances of the gate's experiments; the same seed gives the same instances.

The paper says of its controlled adaptive subset that it adds premises, unequal verifier costs and
reliabilities, overlapping coverage and cases that need more than one observation. It gives no
distributions, so these are this project's own. They were settled on sixty instances of another
seed, so that proceeding at once, one check, several checks and declining all occur.

Subset: 3 to 5 premises, each on a claim of its own. One to three claims are doubtful, with an error
of 0.05 to 0.40, the others fresh, with an error of 0.01 to 0.03. Each premise is a failure mode in
one of three loss groups. Its impact is minor with one chance in two for a doubtful claim and two
in three for a fresh one, 0.1 to 0.5, which is no harm at the main point, else major, 0.6 to 3.
With one chance in three two premises together are one more mode, with an impact of 1 to 4. There
are 4 to 7 verifiers: the first cover one doubtful claim each, of the others about half cover two or
three claims and the rest one. Costs are 0.25 to 2 in quarters, sensitivity and specificity 0.80 to
0.99, in hundredths; one verifier in four may be asked twice. At least two verifiers overlap, and
neither all costs nor all reliabilities are equal.

Complementary: two or three premises (`needed`) on doubtful claims, error 0.06 to 0.35, impact 1,
all in one loss group or each in its own, and for each a verifier of cost 1 that never errs. No
single answer admits Proceed at the main point, all of them together do.
"""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier

from ...interventions.profiles import BUDGET, MAIN_POINT

SPENDABLE: Final = Fraction(BUDGET)

OPERATING_POINT: Final = replace(MAIN_POINT, invalidation=None)
"""The paper's main point with rho off, so that policies can be ordered."""

_GROUPS: Final = ("task_failure", "wrong_recipient", "policy_violation")


def subset(seed: int, number: int, loss: Loss = OPERATING_POINT) -> Candidate:
    """Return one instance of the controlled adaptive subset; each number is drawn on its own."""
    random = Random(f"subset/{seed}/{number}")
    claims = _claims(random, random.randint(3, 5))
    return Candidate(
        f"commit{number}",
        claims,
        tuple(Premise(_premise(claim), claim.identifier) for claim in claims),
        _failure_modes(random, claims),
        _verifiers(random, claims),
        loss,
    )


def _claims(random: Random, count: int) -> tuple[Claim, ...]:
    doubtful = random.sample(range(count), random.randint(1, 3))
    return tuple(
        Claim(f"claim{i}", _hundredths(random, *((5, 40) if i in doubtful else (1, 3))))
        for i in range(count)
    )


def _failure_modes(random: Random, claims: tuple[Claim, ...]) -> tuple[FailureMode, ...]:
    modes = [
        FailureMode((_premise(claim),), _impact(random, claim), random.choice(_GROUPS))
        for claim in claims
    ]
    if random.random() < 1 / 3:
        pair = sorted(map(_premise, random.sample(claims, 2)))
        modes.append(FailureMode(tuple(pair), Fraction(random.randint(10, 40), 10), "joint"))
    return tuple(modes)


def _impact(random: Random, claim: Claim) -> Fraction:
    minor = random.random() < (1 / 2 if _is_doubtful(claim) else 2 / 3)
    return Fraction(random.randint(*((1, 5) if minor else (6, 30))), 10)


def _is_doubtful(claim: Claim) -> bool:
    return claim.error >= Fraction(5, 100)


def _premise(claim: Claim) -> str:
    return f"{claim.identifier}_holds"


def _verifiers(random: Random, claims: tuple[Claim, ...]) -> tuple[Verifier, ...]:
    doubtful = [claim.identifier for claim in claims if _is_doubtful(claim)]
    names = [claim.identifier for claim in claims]
    while True:
        count = random.randint(4, 7)
        covered: list[tuple[str, ...]] = [(name,) for name in doubtful[:count]]
        while len(covered) < count:
            wide = random.random() < 1 / 2
            width = random.choice((2, 3)) if wide else 1
            covered.append(tuple(sorted(random.sample(names, width))))
        drawn = tuple(_verifier(random, index, covers) for index, covers in enumerate(covered))
        if _heterogeneous(drawn):
            return drawn


def _verifier(random: Random, index: int, covers: tuple[str, ...]) -> Verifier:
    cost = Fraction(random.randint(1, 8), 4)
    sensitivity, specificity = (_hundredths(random, 80, 99) for _ in range(2))
    uses = 2 if random.random() < 1 / 4 else 1
    return Verifier(f"verifier{index}", cost, covers, sensitivity, specificity, uses)


def _heterogeneous(verifiers: tuple[Verifier, ...]) -> bool:
    """Return whether costs and reliabilities differ, and two verifiers overlap."""
    overlapping = any(
        set(one.covers) & set(other.covers)
        for index, one in enumerate(verifiers)
        for other in verifiers[:index]
    )
    costs = {verifier.cost for verifier in verifiers}
    reliabilities = {(verifier.sensitivity, verifier.specificity) for verifier in verifiers}
    return overlapping and len(costs) > 1 and len(reliabilities) > 1


def complementary(seed: int, number: int, needed: int = 2) -> Candidate:
    """Return one instance where no single check admits Proceed, and `needed` together do."""
    random = Random(f"complementary/{needed}/{seed}/{number}")
    claims = tuple(Claim(f"claim{i}", _hundredths(random, 6, 35)) for i in range(needed))
    together = random.random() < 1 / 2
    return Candidate(
        f"commit{number}",
        claims,
        tuple(Premise(_premise(claim), claim.identifier) for claim in claims),
        tuple(
            FailureMode((_premise(c),), 1, "failure" if together else c.identifier) for c in claims
        ),
        tuple(Verifier.symmetric(f"check_{c.identifier}", 1, (c.identifier,), 1) for c in claims),
        OPERATING_POINT,
    )


def _hundredths(random: Random, least: int, most: int) -> Fraction:
    return Fraction(random.randint(least, most), 100)
