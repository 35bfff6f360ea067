"""What a new plan keeps: which answers are about memories that are still there."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from .beliefs import GateModel, compile_verifier, rational
from .candidate import Candidate, Verifier
from .errors import InvalidInput

# The paper clips calibrated probabilities before the gate reads them (appendix B.2).
CLIP: Final = (Fraction(1, 100), Fraction(99, 100))


def still_meant(candidate: Candidate, then: Candidate, verifier: Verifier, answered: bool) -> bool:
    """Return whether a report about an earlier candidate is about this one too.

    Raises:
        InvalidInput: an answer is about some claims that are kept and others that are not.
    """
    about = {mate for claim in verifier.covers for mate in _mates(then, claim)}
    kept = {name for name in about if _memory(candidate, name) == _memory(then, name)}
    if not answered or not kept:
        return kept >= set(verifier.covers)
    drawn = all(_mates(then, name) <= _mates(candidate, name) for name in kept)
    if kept != about or not drawn:
        raise InvalidInput(
            f"claims.{min(kept)}",
            f"{verifier.identifier} answered about it together with {', '.join(sorted(about))};"
            " keep all of them, with their draw, or state the error probability anew",
        )
    return True


def _memory(candidate: Candidate, name: str) -> object:
    """Return what makes a claim the same memory: its sentence and its error probability."""
    low, high = CLIP
    for claim in candidate.claims:
        if claim.identifier == name:
            return claim.sentence, min(max(rational(claim.error), low), high)
    return None


def _mates(candidate: Candidate, name: str) -> set[str]:
    """Return the claims that share a draw with one of the candidate's, itself among them."""
    draw = next(c.draw for c in candidate.claims if c.identifier == name)
    return {name} | {c.identifier for c in candidate.claims if draw is not None and c.draw == draw}


def with_verifier(model: GateModel, verifier: Verifier) -> tuple[GateModel, int]:
    """Return the model and its index of a verifier; one that it lacks is added, without a use."""
    added = replace(compile_verifier(model.candidate, verifier), uses=0)
    for index, q in enumerate(model.verifiers):
        if replace(q, uses=0, cost=added.cost) == added:
            return model, index
    return replace(model, verifiers=(*model.verifiers, added)), len(model.verifiers)
