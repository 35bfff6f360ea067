"""Certificates: what a review observed and concluded, for a checker that shares no code with licet.

A certificate holds the program's stored text and its hash, all that was charged with what each
check gave and each attester said, and the conclusions that follow; with constraints, derivations of
what they imply. `licet_proofs/checker.py` judges it from the text and the observations alone;
docs/certificates.md says what it shows and what it cannot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from licet import Entry, InvalidInput, Ledger, Outcome, Review, canonical_text
from licet.compiled import CompiledProgram, bits
from licet.decisions import authorized, maximal, residual
from licet.ledger import recorded, settle
from licet_bindings.certified_events import (
    ATTESTED,
    REPORTED,
    CertifiedEvent,
    amount_text,
    charged_events,
    plain_text,
)
from licet_bindings.derivations import Derivations, NoCertificate
from licet_bindings.outputs import OutputFile

VERSIONS: Final = (1, 2, 3)
"""Versions of the form: the second for reviews with constraints, candidates, texts, attestations;
the third for those in which something names a digest.

A checker refuses a version that it does not know.
"""

SIZE: Final = 32_000_000
"""Bytes of a certificate, at most."""

MOST: Final = {
    "conclusions": 50,
    "routes": 500,
    "atoms": 1_000,
    "checks": 1_000,
    "constraints": 1_000,
}
"""The largest program that a certificate is about: what a document may hold."""


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
        verified: whether a second judge confirmed what was admitted; this and what follows is not
            in the first version.
        models: assignments that satisfy the constraints, each as the atoms that are true in it.
        closures: for each report at which more or less was known than before, and for the end, the
            literals that the constraints imply and routes need, each with its derivation.
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
    verified: NotRequired[bool]
    models: NotRequired[list[list[str]]]
    closures: NotRequired[list[dict[str, list[str]]]]


def certificate_of_review(review: Review, record: str = "") -> ReviewCertificate:
    """Return the certificate of a review that has ended; see `certificate_of`."""
    return certificate_of(
        review.outcome, review.completion, review.history, record, review.verified
    )


def certificate_of(
    outcome: Outcome,
    completion: bool,
    history: Iterable[Entry],
    record: str = "",
    verified: bool = False,
) -> ReviewCertificate:
    """Return the certificate of an outcome.

    Args:
        outcome: the outcome of a review.
        completion: the review's completion setting.
        history: its whole history.
        record: the name of what was reviewed; no part of what is certified.
        verified: whether a second judge confirmed what was admitted.

    Raises:
        InvalidInput: the history is not the outcome's, a certificate cannot hold it, or no
            derivation of what the constraints imply was found within the limits.

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
    charged = list(charged_events(outcome, completion, history, verified))
    made: ReviewCertificate = {
        "licet_certificate": _version(program, [event for event, _ in charged]),
        "record": plain_text(record),
        "program": canonical_text(commitment.specification, commitment.program),
        "program_sha256": commitment.sha256,
        "budget": amount_text(outcome.budget, "budget"),
        "events": [event for event, _ in charged],
        "spent": amount_text(outcome.spent, "spent"),
        "ended": outcome.ending.value,
        "conclusions": list(outcome.conclusions),
        "maximal": list(outcome.conclusions) == strongest,
        "holding": {
            support.conclusion: [str(literal) for literal in support.route.literals]
            for support in outcome.supports
        },
        "unresolved": _lacking(outcome),
    }
    if made["licet_certificate"] > VERSIONS[0]:
        made["verified"] = verified
        made["models"], made["closures"] = _derivations(outcome, charged)
    return made


def _version(program: CompiledProgram, events: list[CertifiedEvent]) -> int:
    """Return the first version that has everything that there is."""
    if any("digest" in event for event in events):
        return VERSIONS[2]
    attested = any(event["answer"] in ATTESTED for event in events)
    uncertain = any(check.candidates for check in program.registered)
    return VERSIONS[bool(program.clauses or program.texts) or uncertain or attested]


def _derivations(
    outcome: Outcome, charged: list[tuple[CertifiedEvent, Ledger]]
) -> tuple[list[list[str]], list[dict[str, list[str]]]]:
    """Return assignments, and the closure of what was known at each report and at the end."""
    program = outcome.commitment.compiled
    if not program.clauses:
        return [], []
    asked = [ledger for event, ledger in charged if event["answer"] in REPORTED]
    derivations, closures, known = Derivations(program), [], None
    for ledger in (*asked, outcome.ledger):
        now = {(value.atom, value.value) for value in ledger.admitted}
        if now != known:
            known = now
            closures.append(derivations.of(recorded(program, ledger)))
    return derivations.models, closures


def certificate_line(certificate: ReviewCertificate) -> str:
    """Return a certificate as one line of JSON, which is what the checker reads.

    Raises:
        InvalidInput: it is longer than a certificate may be.
    """
    line = json.dumps(certificate, ensure_ascii=True) + "\n"
    if len(line) > SIZE:
        raise NoCertificate("certificate", f"expected at most {SIZE:,} bytes, found {len(line):,}")
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
            outcome: Outcome,
            completion: bool,
            history: Iterable[Entry],
            record: str = "",
            verified: bool = False,
        ) -> None:
            certificate = certificate_of(outcome, completion, history, record, verified)
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


def _require_size(outcome: Outcome) -> None:
    program = outcome.commitment.compiled
    sizes = {
        "conclusions": len(program.conclusions),
        "routes": sum(map(len, program.routes)),
        "atoms": len(program.atoms),
        "checks": len(program.checks),
        "constraints": len(set(program.clauses)),
    }
    for part, size in sizes.items():
        if size > MOST[part]:
            raise InvalidInput(
                f"program.{part}", f"a certificate holds at most {MOST[part]:,}, found {size:,}"
            )
