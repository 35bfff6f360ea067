"""A reader of reports that shares nothing with the renderer but the templates on the page.

Every line of a report must be one of these templates, with nothing in its slots that no slot may
hold; the zones must come in their order. What is read are statements: a template and its slots.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

FINDINGS: Final = "AUTHORIZED FINDINGS"
UNRESOLVED: Final = "UNRESOLVED CONCLUSIONS"
QUALIFICATIONS: Final = "QUALIFICATIONS"
SCOPE: Final = "SCOPE"
ZONES: Final = (FINDINGS, UNRESOLVED, QUALIFICATIONS, SCOPE)

_IDENTIFIER: Final = "[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}"
_NUMBER: Final = "[0-9]+(?:[./][0-9]+)?"
_WITHHELD: Final = "(text withheld: it has characters that a report does not admit)"
_SPAN: Final = rf"\"[A-Za-z0-9 (),.;:/_'-]{{1,200}}\"|{re.escape(_WITHHELD)}"
_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("conclusion", "atom", "check", "attester"), _IDENTIFIER),
    **dict.fromkeys(("count", "cost", "left", "spent", "budget"), _NUMBER),
    **dict.fromkeys(("sentence", "says", "reason", "request", "quote"), _SPAN),
    "truth": "true|false",
    "kind": "model|person",
    "sha256": "[0-9a-f]{64}",
    "ending": "accepted|stopped|budget|unaffordable|closed",
}
"""For each slot what it may hold."""

_JUDGED: Final = "judged {truth} by {kind} {attester}: {quote}"
_HOLDS: Final = "{atom} {says}"
_FAILS: Final = "not {atom}: it is false that {says}"


@dataclass(frozen=True, slots=True)
class Template:
    """One line of a report: its zone, and its text with slots."""

    zone: str
    text: str

    @property
    def pattern(self) -> str:
        """The regular expression of the lines that it makes."""
        parts = re.split(r"\{(\w+)\}", self.text)
        return "".join(
            f"(?P<{part}>{_KINDS[part]})" if odd else re.escape(part)
            for odd, part in zip((i % 2 for i in range(len(parts))), parts, strict=True)
        )


def _both(name: str, zone: str, text: str) -> dict[str, Template]:
    """Return a template for a condition that holds, and one for a condition that does not."""
    return {
        name: Template(zone, text.replace("{condition}", _HOLDS)),
        f"{name}, negated": Template(zone, text.replace("{condition}", _FAILS)),
    }


TEMPLATES: Final[Mapping[str, Template]] = {
    "reported": Template(FINDINGS, "[{conclusion}] is reported: {sentence}"),
    "authorized as well": Template(FINDINGS, "[{conclusion}] is authorized as well."),
    "abstention": Template(FINDINGS, "No conclusion is authorized by the recorded checks."),
    **_both("established", FINDINGS, "  {condition}, established by check {check}"),
    **_both("judged", FINDINGS, f"  {{condition}}, {_JUDGED}"),
    **_both("implied", FINDINGS, "  {condition}, implied by what is recorded"),
    "not authorized": Template(UNRESOLVED, "({conclusion}) is not authorized: {sentence}"),
    "nearest route": Template(UNRESOLVED, "  nearest of its {count} routes:"),
    **_both("missing", UNRESOLVED, "  missing: {condition}"),
    "cost": Template(UNRESOLVED, "  what is missing costs {cost}, {left} are left"),
    **_both(
        "opposite",
        UNRESOLVED,
        "  blocked: {condition}, the recorded checks established the opposite",
    ),
    **_both("conflicting", UNRESOLVED, "  blocked: {condition}, the recorded evidence disagrees"),
    **_both(
        "opposed",
        UNRESOLVED,
        "  blocked: {condition}, attestations oppose it, and may be retracted",
    ),
    **_both("unavailable", UNRESOLVED, "  blocked: {condition}, its evidence is unavailable"),
    **_both(
        "opposite implied",
        UNRESOLVED,
        "  blocked: {condition}, what is recorded implies the opposite",
    ),
    "contradiction": Template(
        QUALIFICATIONS, "  nothing is authorized: what is recorded contradicts the constraints"
    ),
    "undecided": Template(
        QUALIFICATIONS,
        "  nothing is authorized: whether what is recorded agrees with the constraints could not be"
        " decided",
    ),
    "to review": Template(QUALIFICATIONS, f"  to review: {{atom}}, {_JUDGED}"),
    "certificate": Template(
        QUALIFICATIONS, "  {atom}: check {check} established nothing: {reason}"
    ),
    "retracted": Template(QUALIFICATIONS, "  {atom}: {kind} {attester} retracted what it attested"),
    "expired": Template(
        QUALIFICATIONS,
        "  check {check}: its source changed; all that rested on it before has expired",
    ),
    "conflict": Template(QUALIFICATIONS, "  {atom}: the recorded evidence disagrees"),
    "failed": Template(QUALIFICATIONS, "  check {check} failed, calls: {count}"),
    "request": Template(SCOPE, "  request: {request}"),
    "program": Template(SCOPE, "  program: sha256 {sha256}"),
    "spent": Template(SCOPE, "  spent: {spent} of {budget} calls; ended: {ending}"),
}


class Statement(NamedTuple):
    """What one line says: its template by name, and the slots as they stand in the text."""

    template: str
    slots: tuple[tuple[str, str], ...] = ()

    def slot(self, name: str) -> str:
        """Return what a slot holds."""
        return dict(self.slots)[name]


class NoReport(ValueError):
    """The text is no report: a line that is no template, or a zone out of its place."""


def said(template: str, **slots: str) -> Statement:
    """Return a statement."""
    return Statement(template, tuple(sorted(slots.items())))


def read(text: str) -> tuple[Statement, ...]:
    """Return what a report states, line by line.

    Raises:
        NoReport: it is no report.
    """
    if not text.endswith("\n") or text.splitlines() != text[:-1].split("\n"):
        raise NoReport("lines end otherwise than by line feeds")
    zones = [zone.split("\n") for zone in text[:-1].split("\n\n")]
    titles = [zone[0] for zone in zones]
    if titles[:1] != [FINDINGS] or titles != [title for title in ZONES if title in titles]:
        raise NoReport(f"the zones are {titles}")
    return tuple(s for title, *lines in zones for line in lines for s in [_statement(title, line)])


def _statement(zone: str, line: str) -> Statement:
    for name, template in TEMPLATES.items():
        match = re.fullmatch(template.pattern, line) if template.zone == zone else None
        if match:
            return said(name, **match.groupdict())
    raise NoReport(f"under {zone}: {line!r}")


def found(statements: tuple[Statement, ...]) -> Iterator[str]:
    """Yield the conclusions that statements assert."""
    for statement in statements:
        if statement.template in ("reported", "authorized as well"):
            yield statement.slot("conclusion")
