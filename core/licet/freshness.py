"""Freshness: what a check read expires when its source has changed.

A resolver may name the digest of what it read. Whoever watches the sources says which digest one
has now; what the check gave of another expires, with the attestations of its text, and what rested
on that alone is no longer authorized. Records without a digest never expire. As with retractions,
less evidence may resolve a conflict, and so authorize more.
"""

from collections.abc import Mapping
from dataclasses import replace

from icontract import ensure

from ._seal import SEAL
from .compiled import CompiledProgram, bits
from .decisions import authorized
from .errors import InvalidInput
from .ledger import Attestation, Expiration, Ledger, expires, settle
from .messages import NO_DIGEST, Answer, AnswerKind, described, is_digest
from .objects import CheckKind
from .outcome import Outcome
from .state import Episode, Transition, with_records


def require_source(program: CompiledProgram, check: object, digest: object) -> None:
    """Return if these are a check of the program and a digest.

    Raises:
        InvalidInput: they are not.
    """
    if type(check) is not str or check not in program.checks:
        raise InvalidInput("check", f"no check is named {described(check)}")
    if not is_digest(digest):
        raise InvalidInput("digest", f"{NO_DIGEST}; found {described(digest)}")


@ensure(lambda ledger, result: result is None or any(expires(result, r) for r in ledger.standing))
def expiration(
    program: CompiledProgram, ledger: Ledger, index: int, digest: str
) -> Expiration | None:
    """Return what goes on the ledger when a check's source has this digest, None for nothing.

    What a check gave rests on all that it read: one read of another digest expires it as a whole.
    """
    check = program.registered[index]
    reads = (r for r in ledger.standing if not isinstance(r, Attestation))
    changed = any(r.check == check.identifier and r.digest not in ("", digest) for r in reads)
    judged = check.settles if check.kind is CheckKind.TEXT else ()
    return Expiration(check.identifier, digest, judged) if changed else None


@ensure(lambda episode, result: result.episode.spent == episode.spent)
def request_refresh(episode: Episode, index: int, digest: str) -> Transition:
    """Expire what a check gave if its source has another digest now, and let it run again; free.

    Completion has run nothing yet where a request is taken, so what it tried stays as it is: it
    still runs each check at most once.
    """
    program = episode.commitment.compiled
    name = program.checks[index]
    found = expiration(program, episode.ledger, index, digest)
    if found is None:
        reason = "nothing on record was read of another digest"
        return Transition(episode, Answer(AnswerKind.UNCHANGED, name, reason=reason))
    expired = replace(
        with_records(episode, found), answered=episode.answered & ~(1 << index), seal=SEAL
    )
    read = frozenset(reading for reading in episode.read if reading.check != index)
    kept = tuple(j for j in episode.judgements if j.request.atom not in found.judged)
    expired = replace(expired, read=read, judgements=kept, seal=SEAL)
    return Transition(expired, Answer(AnswerKind.EXPIRED, name))


@ensure(lambda outcome, result: set(result) <= set(outcome.authorized))
def still_authorized(outcome: Outcome, digests: Mapping[str, str]) -> tuple[str, ...]:
    """Return what an outcome authorized and still does, now that sources may have changed.

    Args:
        outcome: the outcome of a review that has ended, however long ago.
        digests: of checks the digest that their source has now; the others count as unchanged.

    Returns:
        Those of `outcome.authorized` that the ledger authorizes without what has expired, as
        listed. Where not even the report is among them, review again.

    Raises:
        InvalidInput: the program has no such check, or a digest is none.
    """
    program, ledger = outcome.commitment.compiled, outcome.ledger
    for check, digest in digests.items():
        require_source(program, check, digest)
        found = expiration(program, ledger, program.checks.index(check), digest)
        ledger = ledger if found is None else ledger.with_records((found,))
    now = {program.conclusions[i] for i in bits(authorized(program, settle(program, ledger)))}
    return tuple(name for name in outcome.authorized if name in now)
