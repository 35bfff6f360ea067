"""How resolvers and the second judge are asked: whatever they do, what comes back is an event."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from .attestations import text_check
from .messages import (
    AttestRequest,
    Failed,
    Judged,
    Read,
    Resolution,
    Resolved,
    Unavailable,
    Value,
    described,
    usable_answer,
)
from .objects import Check, CheckKind
from .state import Episode, pending_check, text_read

Resolver: TypeAlias = Callable[[Check], Mapping[str, Value] | str | Unavailable]
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
    given = resolver(check)
    if check.kind is CheckKind.TEXT:
        if type(given) is Unavailable:
            return usable_answer(check, Resolved(tuple((a, given) for a in check.settles)))
        return usable_answer(check, Read(given))  # type: ignore[arg-type]
    if not isinstance(given, Mapping):
        return Failed(f"expected a mapping of atoms, found {type(given).__name__}")
    return usable_answer(check, Resolved(tuple((atom, value) for atom, value in given.items())))
