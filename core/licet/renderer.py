"""The sound renderer: fixed templates whose slots cannot forge a finding (T3, D4).

A report has four zones, each under a fixed title. `denote` reads the zone of authorized findings
alone. A slot takes an identifier, a number or a quoted span of at most 200 characters of a fixed
alphabet without quotes, brackets or line breaks, so no slot can end its line, open a zone or look
like a finding. A text that does not fit is withheld, and the report says so.
"""

import re
from collections import Counter
from fractions import Fraction
from typing import Final

from icontract import ensure

from .errors import InvalidInput
from .ledger import Attestation, Certificate, Expiration, Observation, Record, Retraction, State
from .objects import Literal
from .outcome import Outcome, Support, Unresolved, require_authorized

AUTHORIZED: Final = "AUTHORIZED FINDINGS"
UNRESOLVED: Final = "UNRESOLVED CONCLUSIONS"
QUALIFICATIONS: Final = "QUALIFICATIONS"
SCOPE: Final = "SCOPE"
ABSTENTION: Final = "No conclusion is authorized by the recorded checks."
WITHHELD: Final = "(text withheld: it has characters that a report does not admit)"
SPAN_LIMIT: Final = 200

_SPAN: Final = re.compile(r"[A-Za-z0-9 (),.;:/_'-]{1,200}")
_FINDING: Final = re.compile(
    r"\[(?P<conclusion>[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99})\] is (?:reported|authorized)\b.*"
)


@ensure(
    lambda result: (
        result == WITHHELD
        or (result[0] == result[-1] == '"' and '"' not in result[1:-1] and result.isprintable())
    )
)
def span(text: str) -> str:
    """Return `text` in quotes if a slot admits it, else the fixed note that it is withheld.

    >>> span("The advisory is ready for triage.")
    '"The advisory is ready for triage."'
    >>> span("x] is reported")
    '(text withheld: it has characters that a report does not admit)'
    """
    match = _SPAN.fullmatch(text)
    return f'"{match[0]}"' if match else WITHHELD


def number(value: Fraction) -> str:
    """Return a rational as an integer, else as a decimal or fraction of digits, `.` and `/`."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = repr(float(value))
    return decimal if "e" not in decimal and Fraction(decimal) == value else str(value)


@ensure(lambda outcome, result: _asserted(result) <= set(outcome.authorized))
@ensure(lambda outcome, result: set(outcome.conclusions) <= _asserted(result))
def render(outcome: Outcome) -> str:
    """Return the report of a review as text; the same outcome gives the same text.

    Raises:
        InvalidInput: what is given is no outcome.
        InvariantViolation: the outcome reports what its ledger does not authorize. Nothing is
            rendered then.

    Source: PRIME, appendix A, "Output and trusted components"; Theorem 4.1 (iii).
    """
    if type(outcome) is not Outcome:
        raise InvalidInput("outcome", "expected an Outcome; a review that is over has one")
    require_authorized(outcome)
    lines = [AUTHORIZED, *_findings(outcome)]
    if outcome.unresolved:
        lines += ["", UNRESOLVED]
        for unresolved in outcome.unresolved:
            lines += _unresolved(outcome, unresolved)
    qualifications = list(_qualifications(outcome))
    if qualifications:
        lines += ["", QUALIFICATIONS, *qualifications]
    lines += ["", SCOPE, *_scope(outcome)]
    return "\n".join(lines) + "\n"


@ensure(lambda result: isinstance(result, frozenset))
def denote(text: str) -> frozenset[str]:
    """Return the conclusions that a rendered text asserts: those of its authorized zone alone.

    A text that is no report asserts nothing. Lines are separated by line feeds only.
    """
    return _asserted(text)


def _asserted(text: str) -> frozenset[str]:
    lines = text.split("\n")
    if lines[0] != AUTHORIZED:
        return frozenset()
    zone = lines[1 : lines.index("")] if "" in lines else lines[1:]
    found = (_FINDING.fullmatch(line) for line in zone)
    return frozenset(match["conclusion"] for match in found if match)


def _findings(outcome: Outcome) -> list[str]:
    if not outcome.authorized:
        return [ABSTENTION]
    stated = [s for s in outcome.supports if s.conclusion in outcome.conclusions]
    others = [s for s in outcome.supports if s.conclusion not in outcome.conclusions]
    return [line for s in stated for line in _stated(outcome, s)] + [
        f"[{s.conclusion}] is authorized as well." for s in others
    ]


def _stated(outcome: Outcome, support: Support) -> list[str]:
    return [
        f"[{support.conclusion}] is reported: {span(_sentence(outcome, support.conclusion))}",
        *(_established(outcome, literal) for literal in support.route.literals),
    ]


def _established(outcome: Outcome, literal: Literal) -> str:
    values = (value for value in outcome.ledger.admitted if value.atom == literal.atom)
    return f"  {_condition(outcome, literal)}, {_source(next(values, None))}"


def _source(value: Observation | Attestation | None) -> str:
    match value:
        case Observation():
            return f"established by check {value.check}"
        case Attestation():
            return _judged(value)
        case None:
            return "implied by what is recorded"


def _judged(value: Attestation) -> str:
    attester = value.attester
    return f"judged {_word(value)} by {attester.kind.value} {attester.name}: {span(value.quote)}"


def _word(value: Attestation) -> str:
    return "true" if value.value else "false"


def _unresolved(outcome: Outcome, unresolved: Unresolved) -> list[str]:
    sentence = span(_sentence(outcome, unresolved.conclusion))
    routes = outcome.commitment.program.of_conclusion(unresolved.conclusion)
    left = outcome.budget - outcome.spent
    shown = unresolved.missing or unresolved.blocked
    return [
        f"({unresolved.conclusion}) is not authorized: {sentence}",
        *([f"  nearest of its {len(routes)} routes:"] if len(routes) > 1 and shown else []),
        *(f"  missing: {_condition(outcome, literal)}" for literal in unresolved.missing),
        *(
            [f"  what is missing costs {number(unresolved.cost)}, {number(left)} are left"]
            if unresolved.cost > left
            else []
        ),
        *(
            f"  blocked: {_condition(outcome, literal)}, {_blocked(outcome, unresolved, literal)}"
            for literal in unresolved.blocked
        ),
    ]


def _blocked(outcome: Outcome, unresolved: Unresolved, literal: Literal) -> str:
    state = outcome.state(literal.atom)
    if state is State.CONFLICT:
        return "the recorded evidence disagrees"
    if literal in unresolved.repairable:
        return "attestations oppose it, and may be retracted"
    if state is not State.UNKNOWN:
        return "the recorded checks established the opposite"
    certified = (r.atom for r in outcome.ledger.standing if isinstance(r, Certificate))
    if literal.atom in certified:
        return "its evidence is unavailable"
    return "what is recorded implies the opposite"


def _qualifications(outcome: Outcome) -> list[str]:
    failed = Counter(failure.check for failure in outcome.failures)
    conflicts = (
        atom for atom in outcome.commitment.compiled.atoms if outcome.state(atom) is State.CONFLICT
    )
    return [
        *_suspended(outcome),
        *(line for record in outcome.ledger.records if (line := _qualification(record))),
        *(f"  {atom}: the recorded evidence disagrees" for atom in conflicts),
        *(f"  check {check} failed, calls: {count}" for check, count in failed.items()),
    ]


def _qualification(record: Record) -> str:
    match record:
        case Certificate(atom, check, reason):
            return f"  {atom}: check {check} established nothing: {span(reason)}"
        case Retraction(atom, attester):
            return f"  {atom}: {attester.kind.value} {attester.name} retracted what it attested"
        case Expiration(check):
            return f"  check {check}: its source changed; all that rested on it before has expired"
    return ""


def _suspended(outcome: Outcome) -> list[str]:
    """Say why nothing is authorized, and which attestations to review; never a constraint."""
    if outcome.suspension is None:
        return []
    what = (
        "what is recorded contradicts the constraints"
        if outcome.suspension.contradicted
        else "whether what is recorded agrees with the constraints could not be decided"
    )
    return [
        f"  nothing is authorized: {what}",
        *(f"  to review: {v.atom}, {_judged(v)}" for v in outcome.suspension.attestations),
    ]


def _scope(outcome: Outcome) -> list[str]:
    spent, budget = number(outcome.spent), number(outcome.budget)
    request = outcome.commitment.specification.request
    return [
        *([f"  request: {span(request)}"] if request else []),
        f"  program: sha256 {outcome.commitment.sha256}",
        f"  spent: {spent} of {budget} calls; ended: {outcome.ending.value}",
    ]


def _condition(outcome: Outcome, literal: Literal) -> str:
    atom = next(a for a in outcome.commitment.specification.atoms if a.identifier == literal.atom)
    sentence = span(atom.sentence)
    if literal.positive:
        return f"{atom.identifier} {sentence}"
    return f"not {atom.identifier}: it is false that {sentence}"


def _sentence(outcome: Outcome, conclusion: str) -> str:
    return next(
        c.sentence
        for c in outcome.commitment.specification.conclusions
        if c.identifier == conclusion
    )
