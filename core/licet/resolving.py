"""How resolvers and the second judge are asked: whatever they do, what comes back is an event."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from .attestations import text_check
from .messages import (
    NO_DIGEST,
    AttestRequest,
    Failed,
    Judged,
    Read,
    Resolution,
    Resolved,
    Unavailable,
    Value,
    described,
    is_digest,
    usable_answer,
)
from .objects import Check, CheckKind
from .state import Episode, pending_check, text_read

Given: TypeAlias = Mapping[str, Value] | str | Unavailable
"""What a check establishes: values, or of a text read the text or why there is none."""


class Sourced(NamedTuple):
    """A resolver's answer that names what it read, so that it can expire.

    Attributes:
        answer: what the check establishes.
        digest: that of all that the check may read, of every candidate too: as it changes, what
            the check gave expires.
    """

    answer: Given
    digest: str


Resolver: TypeAlias = Callable[[Check], Given | Sourced]
"""Runs a registered check: a truth value or `Unavailable` for each atom that it settles.

A check with candidates is handed over with the one candidate that is to be read; `Unavailable` says
that this one establishes nothing. A text read is answered by the text, or by one `Unavailable`.
"""

Judge: TypeAlias = Callable[[str, str], bool]
"""The second judge: sees a condition and a text; says whether the text establishes it."""


def resolution_of(episode: Episode, resolver: Resolver, judge: Judge | None) -> Resolution:
    """Return what the resolver, or the second judge, that an episode waits for answers.

    Whatever it raises, or answers that is not usable, is a failed call.
    """
    try:
        if episode.judging is not None:
            return _second_judgement(episode, episode.judging, judge)
        return _answer(pending_check(episode), resolver)
    except Exception as error:
        who = "resolver" if episode.judging is None else "judge"
        return Failed(f"the {who} raised {described(error)}")


def _second_judgement(episode: Episode, asked: AttestRequest, judge: Judge | None) -> Resolution:
    check = text_check(episode, asked.atom)
    text = text_read(episode, check.identifier) if check else None
    if judge is None or text is None:
        return Failed("there is nobody to ask")
    atoms = episode.commitment.specification.atoms
    condition = next(a.sentence for a in atoms if a.identifier == asked.atom)
    value = judge(condition, text)
    return Judged(value) if type(value) is bool else Failed("expected a truth value")


def _answer(check: Check, resolver: Resolver) -> Resolution:
    given, digest = resolver(check), ""
    if type(given) is Sourced:
        given, digest = given
        if not is_digest(digest):
            return Failed(NO_DIGEST)
    if check.kind is CheckKind.TEXT:
        if type(given) is Unavailable:
            return usable_answer(check, Resolved(tuple((a, given) for a in check.settles), digest))
        return usable_answer(check, Read(given, digest))  # type: ignore[arg-type]
    if not isinstance(given, Mapping):
        return Failed(f"expected a mapping of atoms, found {type(given).__name__}")
    values = tuple((atom, value) for atom, value in given.items())
    return usable_answer(check, Resolved(values, digest))
