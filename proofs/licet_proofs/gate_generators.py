"""Gate candidates, budgets and answers, for the sampled properties.

Domain of `candidates`: 1 to 4 claims with errors from 0 to 1, alone or in one of two shared draws;
1 to 4 premises, contradicting ones among them; 1 to 4 failure modes of 1 to 3 premises in up to 3
loss groups; up to 4 verifiers with overlapping coverage, unequal sensitivity and specificity
(useless, perfect and inverted ones among them), costs from 0, up to 2 uses each and 4 in all, some
unavailable, some exact duplicates of an earlier one; every screen on and off; thresholds that equal
losses and probabilities that occur. Numbers come from small sets, so that ties occur.
Domain of `budgets`: 0 to 4. Nothing is generated and then thrown away.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from hypothesis import strategies as st

from licet import Candidate, Claim, FailureMode, Loss, Number, Premise, Verifier

NAMES: Final = ("b", "a", "Z.9", "c/d")
ERRORS: Final[tuple[Number, ...]] = (
    0.3,
    0.1,
    0.2,
    Fraction(1, 3),
    0.4,
    0.5,
    0.01,
    0.75,
    0.99,
    0,
    1,
)
RELIABILITIES: Final[tuple[Number, ...]] = (0.9, 1, 0.95, 0.8, 0.9, 1, Fraction(2, 3), 0.5, 0.2, 0)
IMPACTS: Final[tuple[Number, ...]] = (10, 1, 5, 2, Fraction(10, 3), 0.5, 10, 0)
COSTS: Final[tuple[Number, ...]] = (1, 0.5, Fraction(1, 3), 1, 0, 2)
USES_IN_ALL: Final = 4

budgets: Final = st.sampled_from(
    (Fraction(2), Fraction(4), Fraction(3), Fraction(1), Fraction(3, 2), Fraction(0))
)


@st.composite
def _claims(draw: st.DrawFn) -> tuple[Claim, ...]:
    names = NAMES[: draw(st.integers(1, 4))]
    return tuple(
        Claim(
            name,
            draw(st.sampled_from(ERRORS)),
            draw(st.sampled_from((None, None, "d", "e"))),
        )
        for name in names
    )


def _some(names: list[str], most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), min_size=1, max_size=most, unique=True).map(tuple)


@st.composite
def _verifiers(draw: st.DrawFn, claims: list[str]) -> tuple[Verifier, ...]:
    verifiers: list[Verifier] = []
    left = USES_IN_ALL
    for index in range(draw(st.sampled_from((2, 3, 4, 1, 0)))):
        uses = min(left, draw(st.sampled_from((1, 1, 1, 2, 2, 0))))
        name = f"q{index}"
        if verifiers and draw(st.sampled_from((False, False, True))):
            verifier = replace(verifiers[-1], identifier=name, uses=uses)
        else:
            verifier = Verifier(
                name,
                draw(st.sampled_from(COSTS)),
                draw(_some(claims, 3)),
                draw(st.sampled_from(RELIABILITIES)),
                draw(st.sampled_from(RELIABILITIES)),
                uses,
                draw(st.sampled_from((True, True, True, True, True, False))),
            )
        verifiers.append(verifier)
        left -= uses if verifier.available else 0
    return tuple(verifiers)


losses: Final = st.builds(
    Loss,
    abstain=st.sampled_from((1, 2, 3, 0.5)),
    price=st.sampled_from((0.1, 0.03, 0.01, 0.1, 0, 0.5)),
    harm_loss=st.sampled_from((0.5, 0, 1, 2, 10)),
    max_harm_probability=st.sampled_from((None, 0.1, None, 0.3, 0.05, 0.2, 0)),
    max_expected_loss=st.sampled_from((None, None, None, 1, 0.3, 0)),
    invalidation=st.sampled_from((None, 0.95, 0.5, 0.3, 1)),
)
"""Every screen on and off."""


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    """Return a candidate of the domain above."""
    claims = draw(_claims())
    names = [claim.identifier for claim in claims]
    premises = tuple(
        Premise(
            f"p{index}",
            draw(st.sampled_from(names)),
            draw(st.booleans()),
            draw(st.sampled_from((False, False, True))),
        )
        for index in range(draw(st.integers(1, 4)))
    )
    modes = st.builds(
        FailureMode,
        _some([premise.identifier for premise in premises], 3),
        st.sampled_from(IMPACTS),
        st.sampled_from(("g", "h", "i")),
    )
    return Candidate(
        "act",
        claims,
        premises,
        draw(st.lists(modes, min_size=1, max_size=4).map(tuple)),
        draw(_verifiers(names)),
        draw(losses),
    )


answers: Final = st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=6)
"""Which verifier (modulo how many there are) answered, and whether it refuted."""
