"""The outcome that a ledger has of a review, compared with the one that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from licet import InvalidInput
from licet_bindings.certificates import ReviewCertificate, certificate_line
from licet_bindings.durable.outcomes import ReviewEnd
from licet_bindings.errors import shown

Checker = Callable[[str, str], str]
"""Takes a certificate's line and its program's hash; returns why it is refused, "" where not."""

_DERIVED = frozenset({"models", "closures"})
"""What another version may derive in another way; the checker judges whether it holds."""


def independent_checker() -> Checker:
    """Return the checker of certificates that shares no code with licet.

    It is `licet_proofs/checker.py`, and is loaded here, not before.
    """
    from licet_proofs.checker import Refused, judged

    def fault(line: str, sha256: str) -> str:
        try:
            judged(line, {sha256})
        except Refused as refused:
            return str(refused.args[1])
        return ""

    return fault


def outcome_faults(
    written: ReviewEnd, follows: ReviewEnd, sha256: str, checker: Checker
) -> Iterator[str]:
    """Yield where what was written at a review's end is not what follows.

    Args:
        written: what the ledger has.
        follows: what the replayed review comes to.
        sha256: the hash of its program.
        checker: judges the certificate that the ledger has.
    """
    for name in follows.outcome._fields:
        found, expected = getattr(written.outcome, name), getattr(follows.outcome, name)
        if found != expected:
            yield f"of the outcome, {name} is {_plain(expected)}, and {_plain(found)} was written"
    if written.certificate is None:
        if follows.certificate is not None:
            yield "it has no certificate, and there is one of this review"
        if written.uncertified is None:
            yield "it has no certificate, and does not say why"
        return
    if written.uncertified is not None:
        yield "it has a certificate, and says why there is none"
    yield from _certificate_faults(written.certificate, follows.certificate, sha256, checker)


def _certificate_faults(
    written: ReviewCertificate, follows: ReviewCertificate | None, sha256: str, checker: Checker
) -> Iterator[str]:
    try:
        refused = checker(certificate_line(written).strip(), sha256)
    except (InvalidInput, ValueError, TypeError, RecursionError) as fault:
        refused = f"it is none: {fault}"
    if refused:
        yield f"the independent checker refuses its certificate: {refused}"
    if follows is None:
        yield "it has a certificate, and none can hold this review"
        return
    for key in sorted(written.keys() | follows.keys()):
        if key not in _DERIVED and written.get(key) != follows.get(key):
            yield f"of the certificate, {key} is not what follows"


def _plain(value: object) -> str:
    return shown(str(getattr(value, "value", value)))
