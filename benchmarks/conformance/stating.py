"""What an outcome says, as the statements that its report must make: no text is read for it.

Written from the templates and from what each part of an outcome means; the renderer is not asked.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from licet import (
    Attestation,
    Certificate,
    CheckKind,
    Expiration,
    Literal,
    Observation,
    Outcome,
    Retraction,
)

from .reader import Statement, said

WITHHELD: Final = "(text withheld: it has characters that a report does not admit)"
_ADMITTED: Final = re.compile(r"[A-Za-z0-9 (),.;:/_'\-]*")


def stated(outcome: Outcome) -> tuple[Statement, ...]:
    """Return the statements that a report of the outcome must make, in order."""
    return (*_findings(outcome), *_unresolved(outcome), *_qualifications(outcome), *_scope(outcome))


def slot(text: str) -> str:
    """Return what a slot holds for a text."""
    fits = 0 < len(text) < 201 and _ADMITTED.fullmatch(text)
    return '"' + text + '"' if fits else WITHHELD


def decimal(value: Fraction) -> str:
    """Return a number as decimals where it has a finite number of them, else as a fraction."""
    shifted, places = value, 0
    while shifted.denominator != 1 and places < 12:
        shifted, places = shifted * 10, places + 1
    if shifted.denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(shifted.numerator).rjust(places + 1, "0")
    return digits if not places else f"{digits[:-places]}.{digits[-places:]}"


def _findings(outcome: Outcome) -> Iterator[Statement]:
    if not outcome.authorized:
        yield said("abstention")
    routes = {support.conclusion: support.route for support in outcome.supports}
    for name in outcome.authorized:
        if name in outcome.conclusions:
            yield said("reported", conclusion=name, sentence=slot(_sentence(outcome, name)))
            for literal in routes[name].literals:
                yield _established(outcome, literal)
    for name in outcome.authorized:
        if name not in outcome.conclusions:
            yield said("authorized as well", conclusion=name)


def _established(outcome: Outcome, literal: Literal) -> Statement:
    """State by what a condition of a finding is established: the first admitted record of it."""
    records = [record for record in standing(outcome) if record.atom == literal.atom]
    match records:
        case []:
            return _of(outcome, "implied", literal)
        case [Attestation() as judged, *_]:
            return _of(outcome, "judged", literal, **_judgement(judged))
        case [Observation(check=check), *_]:
            return _of(outcome, "established", literal, check=check)
    raise AssertionError(records)


def _judgement(judged: Attestation) -> dict[str, str]:
    return {
        "truth": str(judged.value).lower(),
        "kind": judged.attester.kind.name.lower(),
        "attester": judged.attester.name,
        "quote": slot(judged.quote),
    }


def standing(outcome: Outcome) -> list[Observation | Attestation]:
    """Return the admitted values that no later retraction withdraws, and whose source is as it was.

    Those of a text rest on it: they go with what its check read.
    """
    texts = (c for c in outcome.commitment.specification.checks if c.kind is CheckKind.TEXT)
    source = {atom: check.identifier for check in texts for atom in check.settles}
    records = list(enumerate(outcome.ledger.records))
    expired = {r.check: place for place, r in records if isinstance(r, Expiration)}
    withdrawn = [(place, r.atom, r.attester) for place, r in records if isinstance(r, Retraction)]
    return [
        r
        for place, r in records
        if (isinstance(r, Observation) and place > expired.get(r.check, -1))
        or (
            isinstance(r, Attestation)
            and place > expired.get(source[r.atom], -1)
            and not any(
                (r.atom, r.attester) == (atom, who) and later > place
                for later, atom, who in withdrawn
            )
        )
    ]


def _unresolved(outcome: Outcome) -> Iterator[Statement]:
    for one in outcome.unresolved:
        sentence = slot(_sentence(outcome, one.conclusion))
        yield said("not authorized", conclusion=one.conclusion, sentence=sentence)
        routes = dict(outcome.commitment.program.routes)[one.conclusion]
        if len(routes) != 1 and (one.missing or one.blocked):
            yield said("nearest route", count=str(len(routes)))
        for literal in one.missing:
            yield _of(outcome, "missing", literal)
        left = outcome.budget - outcome.spent
        if left < one.cost:
            yield said("cost", cost=decimal(one.cost), left=decimal(left))
        for literal in one.blocked:
            yield _of(outcome, _block(outcome, literal, literal in one.repairable), literal)


def _block(outcome: Outcome, literal: Literal, repairable: bool) -> str:
    """Return by which template it is stated what stands in the way of a condition."""
    values = {record.value for record in standing(outcome) if record.atom == literal.atom}
    records = list(enumerate(outcome.ledger.records))
    expired = {r.check: place for place, r in records if isinstance(r, Expiration)}
    certified = [
        r.atom
        for place, r in records
        if isinstance(r, Certificate) and place > expired.get(r.check, -1)
    ]
    if len(values) == 2:
        return "conflicting"
    if repairable:
        return "opposed"
    if values:
        return "opposite"
    return "unavailable" if literal.atom in certified else "opposite implied"


def _qualifications(outcome: Outcome) -> Iterator[Statement]:
    if outcome.suspension is not None:
        yield said("contradiction" if outcome.suspension.contradicted else "undecided")
        for judged in outcome.suspension.attestations:
            yield said("to review", atom=judged.atom, **_judgement(judged))
    for record in outcome.ledger.records:
        match record:
            case Certificate(atom, check, reason):
                yield said("certificate", atom=atom, check=check, reason=slot(reason))
            case Retraction(atom, who):
                yield said("retracted", atom=atom, kind=who.kind.name.lower(), attester=who.name)
            case Expiration(check):
                yield said("expired", check=check)
    for name in sorted(atom.identifier for atom in outcome.commitment.specification.atoms):
        if {r.value for r in standing(outcome) if r.atom == name} == {True, False}:
            yield said("conflict", atom=name)
    failed = [failure.check for failure in outcome.failures]
    for name in dict.fromkeys(failed):
        yield said("failed", check=name, count=str(failed.count(name)))


def _scope(outcome: Outcome) -> Iterator[Statement]:
    request = outcome.commitment.specification.request
    if request:
        yield said("request", request=slot(request))
    yield said("program", sha256=outcome.commitment.sha256)
    yield said(
        "spent",
        spent=decimal(outcome.spent),
        budget=decimal(outcome.budget),
        ending=outcome.ending.value,
    )


def _of(outcome: Outcome, template: str, literal: Literal, **slots: str) -> Statement:
    """Return a statement about a condition, or about its negation."""
    atoms = {atom.identifier: atom.sentence for atom in outcome.commitment.specification.atoms}
    name = template if literal.positive else f"{template}, negated"
    return said(name, atom=literal.atom, says=slot(atoms[literal.atom]), **slots)


def _sentence(outcome: Outcome, conclusion: str) -> str:
    named = {c.identifier: c.sentence for c in outcome.commitment.specification.conclusions}
    return named[conclusion]
