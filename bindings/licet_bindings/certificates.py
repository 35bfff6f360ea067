"""Certificates: what a review observed and concluded, for a checker that shares no code with licet.

A certificate holds the program's stored text and its hash, all that was charged with what each
check gave, and the conclusions that follow. `licet_proofs/checker.py` judges it from the text and
the observations alone; docs/certificates.md says what it shows and what it cannot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Final, TypedDict

from licet import (
    Entry,
    Failed,
    InvalidInput,
    Judged,
    Outcome,
    Read,
    Resolved,
    Review,
    Unavailable,
    canonical_text,
)
from licet.compiled import bits, calls_of
from licet.decisions import authorized, maximal, residual
from licet.episode import begin, outcome_of, request, resolve
from licet.ledger import settle
from licet.messages import AnswerKind, Resolution, usable_answer
from licet.state import Episode
from licet_bindings.outputs import OutputFile

VERSION: Final = 1
"""Version of the form; a checker refuses a version that it does not know."""

SIZE: Final = 32_000_000
"""Bytes of a certificate, at most."""

MOST: Final = {"conclusions": 50, "routes": 500, "atoms": 1_000, "checks": 1_000}
"""The largest program that a certificate is about: what a document may hold."""

DIGITS: Final = 40
"""Digits of an amount's numerator and of its denominator, at most."""

_NOT_HELD: Final = "a certificate cannot hold texts, candidate fields and constraints yet"
_REPORTS: Final = frozenset({AnswerKind.ACCEPTED, AnswerKind.HELD, AnswerKind.UNAUTHORIZED})


class CertifiedEvent(TypedDict):
    """Something that had a price: a check, a request to report, or one that nobody knows.

    Attributes:
        subject: the check or the conclusion; empty for an unrecognized request.
        answer: `recorded` or `failed` for a check, `accepted`, `held` or `unauthorized` for a
            report, else `unrecognized`.
        charged: its price in calls.
        values: the truth value of each atom that a recorded check established.
        unavailable: the other atoms of a recorded check, and why it established nothing of them.
    """

    subject: str
    answer: str
    charged: str
    values: dict[str, bool]
    unavailable: dict[str, str]


class ReviewCertificate(TypedDict):
    """A certificate of one review; amounts are rationals as text, such as `3` or `5/2`.

    Attributes:
        licet_certificate: the version of this form.
        record: the name of what was reviewed, for people.
        program: the canonical text of the program, which is what was hashed.
        program_sha256: its hash.
        budget: calls that the review had.
        events: what was charged, in order.
        spent: the sum of the charges.
        ended: how the review ended.
        conclusions: what is reported.
        maximal: whether these are all the strongest conclusions that are authorized.
        holding: for each authorized conclusion the first listed route of it that holds.
        unresolved: for every other conclusion the literals that each of its routes lacks.
    """

    licet_certificate: int
    record: str
    program: str
    program_sha256: str
    budget: str
    events: list[CertifiedEvent]
    spent: str
    ended: str
    conclusions: list[str]
    maximal: bool
    holding: dict[str, list[str]]
    unresolved: dict[str, list[list[str]]]


def certificate_of_review(review: Review, record: str = "") -> ReviewCertificate:
    """Return the certificate of a review that has ended; see `certificate_of`."""
    return certificate_of(review.outcome, review.completion, review.history, record)


def certificate_of(
    outcome: Outcome, completion: bool, history: Iterable[Entry], record: str = ""
) -> ReviewCertificate:
    """Return the certificate of an outcome.

    Args:
        outcome: the outcome of a review.
        completion: the review's completion setting.
        history: its whole history.
        record: the name of what was reviewed; no part of what is certified.

    Raises:
        InvalidInput: the history is not the outcome's, or a certificate cannot hold it.

    >>> from licet import Atom, Conclusion, Program, Specification, commit, own_checks
    >>> atoms = (Atom("details", "a description exists"),)
    >>> described = Conclusion("described", "It has a description.", 100)
    >>> specification = Specification((described,), atoms, own_checks(atoms))
    >>> commitment = commit(specification, Program.of({"described": [["details"]]}))
    >>> review = Review(commitment, lambda check: {"details": True}, budget=5)
    >>> _ = review.check("details"), review.emit("described")
    >>> certificate = certificate_of_review(review)
    >>> certificate["conclusions"], certificate["holding"], certificate["spent"]
    (['described'], {'described': ['details']}, '2')
    """
    commitment = outcome.commitment
    _require_size(outcome)
    program = commitment.compiled
    auth = authorized(program, settle(program, outcome.ledger))
    strongest = [program.conclusions[index] for index in bits(maximal(program, auth))]
    return {
        "licet_certificate": VERSION,
        "record": _text(record),
        "program": canonical_text(commitment.specification, commitment.program),
        "program_sha256": commitment.sha256,
        "budget": _amount(outcome.budget, "budget"),
        "events": list(_events(outcome, completion, history)),
        "spent": _amount(outcome.spent, "spent"),
        "ended": outcome.ending.value,
        "conclusions": list(outcome.conclusions),
        "maximal": list(outcome.conclusions) == strongest,
        "holding": {
            support.conclusion: [str(literal) for literal in support.route.literals]
            for support in outcome.supports
        },
        "unresolved": _lacking(outcome),
    }


def certificate_line(certificate: ReviewCertificate) -> str:
    """Return a certificate as one line of JSON, which is what the checker reads.

    Raises:
        InvalidInput: it is longer than a certificate may be.
    """
    line = json.dumps(certificate, ensure_ascii=True) + "\n"
    if len(line) > SIZE:
        raise InvalidInput("certificate", f"expected at most {SIZE:,} bytes, found {len(line):,}")
    return line


@contextmanager
def certificates_file(
    path: Path | None, inputs: Iterable[Path] = ()
) -> Iterator[Callable[..., None]]:
    """Give what writes the certificate of `certificate_of`'s arguments as the next line of a file.

    What the file held before is replaced at the end; it stays where nothing was certified, or what
    is done in between fails. A pipe gets each line at once. Without a path nothing is certified.

    Args:
        path: the file.
        inputs: what is read, and must not be written.

    Raises:
        InvalidInput: the file cannot be written, or is one of the inputs or in one.
    """
    if path is None:
        yield lambda *given: None
        return
    output = OutputFile(path, "--certificates")
    output.require_apart(inputs)
    with output.writing() as write:

        def certify(
            outcome: Outcome, completion: bool, history: Iterable[Entry], record: str = ""
        ) -> None:
            certificate = certificate_of(outcome, completion, history, record)
            write(certificate_line(certificate).encode("ascii"))

        yield certify


def _lacking(outcome: Outcome) -> dict[str, list[list[str]]]:
    """Return, for each conclusion that is not authorized, the residual of each of its routes."""
    program = outcome.commitment.compiled
    settled = settle(program, outcome.ledger)
    return {
        name: [
            [
                str(literal)
                for literal in route.literals
                if residual(masks, settled) >> program.atoms.index(literal.atom) & 1
            ]
            for masks, route in zip(
                compiled, outcome.commitment.program.of_conclusion(name), strict=True
            )
        ]
        for name, compiled in zip(program.conclusions, program.routes, strict=True)
        if name not in outcome.authorized
    }


def _events(
    outcome: Outcome, completion: bool, history: Iterable[Entry]
) -> Iterator[CertifiedEvent]:
    """Yield what was charged; the history is replayed, and must lead to the outcome."""
    episode = begin(outcome.commitment, outcome.budget, completion)
    for position, entry in enumerate(history):
        place, asked = f"history.{position}", entry.event
        if isinstance(asked, Read | Judged):
            raise InvalidInput(place, _NOT_HELD)
        if isinstance(asked, Resolved | Failed):
            if episode.pending is None:
                raise InvalidInput(place, "expected a request, found a resolver's answer")
            yield _call(episode, episode.pending, asked)
            episode = resolve(episode, asked).episode
            _amount(calls_of(episode.commitment.compiled, episode.spent), place)
            continue
        if episode.pending is not None:
            raise InvalidInput(place, "expected a resolver's answer, found a request")
        episode, answer = request(episode, asked)
        if answer.kind in _REPORTS:
            yield _event(answer.subject, answer.kind.value, answer.charged)
        elif answer.kind is AnswerKind.UNRECOGNIZED and answer.charged:
            yield _event("", answer.kind.value, answer.charged)
    if not episode.over or outcome_of(episode) != outcome:
        raise InvalidInput("history", "expected the whole history of this outcome")


def _call(episode: Episode, index: int, answered: Resolution) -> CertifiedEvent:
    program = episode.commitment.compiled
    check, cost = program.registered[index], calls_of(program, program.calls[index].cost)
    usable = usable_answer(check, answered)
    if isinstance(usable, Read):
        raise InvalidInput(f"checks.{check.identifier}", _NOT_HELD)
    if isinstance(usable, Failed):
        return _event(check.identifier, AnswerKind.FAILED.value, cost)
    event = _event(check.identifier, AnswerKind.RECORDED.value, cost)
    for atom, value in usable.values:
        if isinstance(value, Unavailable):
            event["unavailable"][atom] = _text(value.reason)
        else:
            event["values"][atom] = value
    return event


def _event(subject: str, answer: str, charged: Fraction) -> CertifiedEvent:
    return {
        "subject": subject,
        "answer": answer,
        "charged": str(charged),
        "values": {},
        "unavailable": {},
    }


def _text(text: str) -> str:
    """Return a text with its lone surrogates written out; JSON has no one reading of them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _amount(value: Fraction, place: str) -> str:
    if max(value.numerator, value.denominator) >= 10**DIGITS:
        raise InvalidInput(place, f"expected at most {DIGITS} digits in an exact fraction's parts")
    return str(value)


def _require_size(outcome: Outcome) -> None:
    program = outcome.commitment.compiled
    if program.texts or program.clauses or any(c.candidates for c in program.registered):
        raise InvalidInput("program", _NOT_HELD)
    sizes = {
        "conclusions": len(program.conclusions),
        "routes": sum(map(len, program.routes)),
        "atoms": len(program.atoms),
        "checks": len(program.checks),
    }
    for part, size in sizes.items():
        if size > MOST[part]:
            raise InvalidInput(
                f"program.{part}", f"a certificate holds at most {MOST[part]:,}, found {size:,}"
            )
