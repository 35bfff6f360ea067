"""What a ledger keeps of a review's outcome: what was concluded, and the certificate of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple, cast

from licet import Ending, Entry, InvalidInput, Literal, Outcome
from licet.outcome import Failure
from licet_bindings.certificates import ReviewCertificate, certificate_line, certificate_of
from licet_bindings.durable.codecs import (
    FRACTION,
    TEXT,
    TRUTH,
    Codec,
    body_of,
    choice,
    optional,
    record,
    sequence,
    value_of,
)
from licet_bindings.errors import shown
from licet_bindings.records.values import Json
from licet_bindings.strict import Misplaced


class Holding(NamedTuple):
    """A conclusion that is authorized, and the literals of the first listed route that holds."""

    conclusion: str
    route: tuple[str, ...]


class Lacking(NamedTuple):
    """A conclusion that is not, and of its nearest route what is open, barred, or to be repaired.

    What could be repaired is barred too; `cost` is that of the open literals, in calls.
    """

    conclusion: str
    missing: tuple[str, ...]
    blocked: tuple[str, ...]
    repairable: tuple[str, ...]
    cost: Fraction


class Summary(NamedTuple):
    """An outcome, without the objects that it was decided on.

    Attributes:
        conclusions: what is reported.
        holding: what is authorized.
        lacking: the other conclusions.
        failures: the calls that gave no usable answer.
        spent: the calls that were charged.
        budget: the calls that the review had.
        ended: how it ended.
        suspended: whether what is recorded contradicts the constraints.
    """

    conclusions: tuple[str, ...]
    holding: tuple[Holding, ...]
    lacking: tuple[Lacking, ...]
    failures: tuple[Failure, ...]
    spent: Fraction
    budget: Fraction
    ended: Ending
    suspended: bool


class ReviewEnd(NamedTuple):
    """What is written at the end of a review.

    Attributes:
        outcome: its outcome.
        certificate: the certificate of it, None where there is none.
        uncertified: why there is none, else None.
    """

    outcome: Summary
    certificate: ReviewCertificate | None
    uncertified: str | None


def _read_certificate(content: Json) -> ReviewCertificate:
    # What it says is for the checker of certificates to judge.
    if not isinstance(content, dict):
        raise Misplaced(f"expected a certificate, found {shown(content)}")
    return cast(ReviewCertificate, content)


_NAMES: Final = sequence(TEXT)
_CERTIFICATE: Final[Codec[ReviewCertificate]] = Codec(
    lambda certificate: cast(Json, dict(certificate)), _read_certificate
)
_END: Final = record(
    ReviewEnd,
    outcome=record(
        Summary,
        conclusions=_NAMES,
        holding=sequence(record(Holding, conclusion=TEXT, route=_NAMES)),
        lacking=sequence(
            record(
                Lacking,
                conclusion=TEXT,
                missing=_NAMES,
                blocked=_NAMES,
                repairable=_NAMES,
                cost=FRACTION,
            )
        ),
        failures=sequence(record(Failure, check=TEXT, reason=TEXT)),
        spent=FRACTION,
        budget=FRACTION,
        ended=choice(Ending),
        suspended=TRUTH,
    ),
    certificate=optional(_CERTIFICATE),
    uncertified=optional(TEXT),
)


def review_end_bytes(end: ReviewEnd) -> bytes:
    """Return the end of a review as canonical JSON."""
    return body_of(_END, end, "outcome")


def review_end_of(body: bytes, place: str = "outcome") -> ReviewEnd:
    """Return the end of a review that was written as these bytes.

    Raises:
        Damaged: they are not what `review_end_bytes` writes; `place` is named.
    """
    return value_of(_END, body, place)


def review_end(
    outcome: Outcome,
    completion: bool,
    history: Iterable[Entry],
    record_name: str = "",
    verified: bool = False,
) -> ReviewEnd:
    """Return what is written at the end of a review; the arguments are those of `certificate_of`.

    The reason is given where no certificate can hold the review.
    """
    certificate, uncertified = None, None
    try:
        certificate = certificate_of(outcome, completion, history, record_name, verified)
        certificate_line(certificate)
    except InvalidInput as fault:
        certificate, uncertified = None, str(fault)
    return ReviewEnd(summary_of(outcome), certificate, uncertified)


def summary_of(outcome: Outcome) -> Summary:
    """Return what a ledger says of an outcome itself."""
    return Summary(
        outcome.conclusions,
        tuple(
            Holding(support.conclusion, _literals(support.route.literals))
            for support in outcome.supports
        ),
        tuple(
            Lacking(
                lacking.conclusion,
                _literals(lacking.missing),
                _literals(lacking.blocked),
                _literals(lacking.repairable),
                lacking.cost,
            )
            for lacking in outcome.unresolved
        ),
        outcome.failures,
        outcome.spent,
        outcome.budget,
        outcome.ending,
        outcome.suspension is not None,
    )


def _literals(literals: Iterable[Literal]) -> tuple[str, ...]:
    return tuple(str(literal) for literal in literals)
