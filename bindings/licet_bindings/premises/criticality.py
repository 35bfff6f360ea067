"""Memories told apart: relevant, action-supporting, critical.

Source: AMV-Guard, section 2.2. The three nest: critical within action-supporting within relevant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from licet import Candidate, InvalidInput, Number
from licet.beliefs import compile_candidate, loss
from licet.rationals import exact, non_negative
from licet_bindings.premises.finding import FoundPremises
from licet_bindings.premises.memories import Memories

MAX_BESIDE: Final = 16
"""Other claims that decide with one what a loss group is charged, at most."""


class Notions(NamedTuple):
    """What memories are to one action.

    Attributes:
        relevant: those that were retrieved for it.
        action_supporting: those that support one of its premises.
        critical: those an error in which changes the loss of executing it.
    """

    relevant: tuple[str, ...]
    action_supporting: tuple[str, ...]
    critical: tuple[str, ...]


def notions_of(found: FoundPremises, memories: Memories, candidate: Candidate) -> Notions:
    """Return what memories are to an action.

    Args:
        found: what the action rests on.
        memories: what was retrieved.
        candidate: what was made of both, with the losses.

    Raises:
        InvalidInput: the candidate is too large for its losses to be compared.
    """
    supporting = {name for premise in found.premises for name in premise.support.agreeing}
    critical = set(critical_claims(candidate))
    return Notions(
        tuple(memories.entries),
        tuple(name for name in memories.entries if name in supporting),
        tuple(name for name in memories.entries if name in critical),
    )


def critical_claims(
    candidate: Candidate, *, material: Number = 0, wrong: Collection[str] | None = None
) -> tuple[str, ...]:
    """Return the claims an error in which changes the loss of executing the action.

    Args:
        candidate: the action with its losses.
        material: by more than how much the loss has to change.
        wrong: the claims that are wrong in a state z that is known; None: in some state.

    Raises:
        InvalidInput: a claim decides with more than `MAX_BESIDE` others; or `wrong` names none.

    Source: AMV-Guard, section 2.2.

    >>> from licet import Claim, FailureMode, Loss, Premise
    >>> names = ("number", "wifi", "cellular")
    >>> candidate = Candidate(
    ...     "send",
    ...     [Claim(name, 0.2) for name in names],
    ...     [Premise(name, name) for name in names],
    ...     [FailureMode(["number"], 5), FailureMode(["wifi", "cellular"], 1)],
    ...     [],
    ...     Loss(abstain=1, price=0),
    ... )
    >>> critical_claims(candidate)
    ('number', 'wifi', 'cellular')
    >>> critical_claims(candidate, wrong={"wifi"})
    ('number', 'cellular')
    >>> critical_claims(candidate, material=1)
    ('number',)
    """
    bound = non_negative(material, "material")
    names = [claim.identifier for claim in candidate.claims]
    unknown = [] if wrong is None else [name for name in wrong if name not in names]
    if unknown:
        raise InvalidInput("wrong", f"no claim is named {unknown[0]!r}")
    model = compile_candidate(candidate)
    known = None if wrong is None else sum(1 << names.index(name) for name in set(wrong))
    found = []
    for index, name in enumerate(names):
        bit = 1 << index
        states = _states(candidate, names, name) if known is None else iter((known & ~bit,))
        if any(abs(loss(model, z | bit) - loss(model, z)) > bound for z in states):
            found.append(name)
    return tuple(found)


def _states(candidate: Candidate, names: list[str], claim: str) -> Iterator[int]:
    """Yield which other claims are wrong: all ways that can matter beside one claim."""
    of_premise = {premise.identifier: premise.claim for premise in candidate.premises}
    groups: dict[str, set[str]] = {}
    for mode in candidate.failure_modes:
        if exact(mode.impact, "impact") > Fraction(0):
            groups.setdefault(mode.group, set()).update(of_premise[p] for p in mode.premises)
    beside = {other for group in groups.values() if claim in group for other in group} - {claim}
    if len(beside) > MAX_BESIDE:
        problem = f"{claim} decides with {len(beside)} others, more than {MAX_BESIDE}"
        raise InvalidInput("claims", problem)
    bits = [1 << names.index(other) for other in sorted(beside)]
    for number in range(1 << len(bits)):
        yield sum(bit for position, bit in enumerate(bits) if number >> position & 1)
