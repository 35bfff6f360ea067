"""Theorem 4.1 (iii) of the PRIME paper for what is judged, implied, retracted and suspended.

Statement. For every outcome y, denote(render(y)) lies within M(y). Hostile here are sentences and
reasons, and besides the texts that are read, the quotes of them, and the names of candidates. The
name of an attester is an identifier, and no more than that.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Attester,
    AttesterKind,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Literal,
    Outcome,
    Unavailable,
    denote,
    render,
)

from .adversaries import Script
from .adversaries_uncertain import AGENT, ByCaller, Dispute, UncertainSession, entries
from .expect import SAMPLED, expect
from .generators import Case, assignments, case_from, case_of
from .generators_uncertain import allowed_truths, uncertain_cases
from .independent import Evidence, authorized
from .independent_uncertain import Entries, Said, closed, implied, remaining, values_of
from .misbehaviours import Answer
from .sessions_uncertain import uncertain_sessions
from .theorem_4_1_rendering import (
    ADMITTED,
    HOSTILE,
    TITLES,
    admits,
    findings,
    hostile_reasons,
    hostile_texts,
    marked,
)
from .written_uncertain import written

ATTESTERS: Final = (
    AGENT,
    Attester("ready"),
    Attester("AUTHORIZED", AttesterKind.PERSON),
    Attester("described/is.reported:", AttesterKind.PERSON),
)


@st.composite
def hostile_uncertain_sessions(draw: st.DrawFn) -> UncertainSession:
    """Draw a session in which all that may be any text is hostile."""
    places = st.lists(hostile_texts.filter(bool), min_size=3, max_size=3, unique=True)
    case = draw(uncertain_cases(HOSTILE, draw(places)))
    truth = draw(allowed_truths(case) if draw(st.booleans()) else assignments(case.atoms))
    script: dict[str, tuple[Answer, ...]] = {}
    asked: list[object] = []
    for check, settled in sorted(case.paper.settles.items()):
        asked += [CheckRequest(check)] * max(1, len(case.paper.candidates[check]))
        script[check] = (_said(draw, sorted(settled), truth),)
        if check in case.paper.texts:
            text = draw(hostile_texts) + " is what it says"
            script[check] = (text,)
            asked += [_judged(draw, atom, truth[atom], text) for atom in sorted(settled)]
    asked += draw(st.lists(st.sampled_from(Dispute), max_size=2))
    return UncertainSession(case, script, (), 60, False, tuple(asked), False)


def _said(draw: st.DrawFn, atoms: Sequence[str], truth: dict[str, bool]) -> Answer:
    failing = draw(st.integers(0, 3)) == 3
    return {a: Unavailable(draw(hostile_reasons)) if failing else truth[a] for a in atoms}


def _judged(draw: st.DrawFn, atom: str, value: bool, text: str) -> ByCaller:
    start = draw(st.integers(0, max(0, len(text) - 16)))
    quote = draw(st.sampled_from([text, text[start:], text[start : start + 16]]))
    true = value if draw(st.integers(0, 3)) else not value
    return ByCaller(AttestRequest(atom, true, quote, draw(st.sampled_from(ATTESTERS))))


@SAMPLED
@given(hostile_uncertain_sessions())
def a_report_of_uncertain_evidence_asserts_what_is_authorized(session: UncertainSession) -> None:
    """The text asserts what its outcome marks, all of it in Auth(z); no quote, name or reason adds.

    No text ends its line, opens a zone, or brings in characters of its own.

    Source: PRIME, Theorem 4.1 (iii), definitions D4 and D5; premise T3.
    """
    outcome = session.play().outcome
    paper = session.case.paper
    text = render(outcome)
    allowed = authorized(paper, closed(paper, entries(outcome)))
    expect(denote(text) == marked(outcome), denote(text), "not", marked(outcome))
    expect(denote(text) <= allowed, denote(text), "of", allowed)
    expect(findings(text) == marked(outcome), "a reader finds", findings(text))
    lines = text.split("\n")
    expect(text.splitlines() == lines[:-1] and not lines[-1], "a line ends inside a slot")
    expect(set(text) <= ADMITTED | set('\n"[]'), sorted(set(text) - ADMITTED))
    titles = [line for line in lines if line in TITLES]
    expect(titles == sorted(set(titles), key=TITLES.index), f"the zones are {titles}")


_SPAN: Final = r'(?:"[^"\n]*"|\(text withheld: [^)\n]*\))'
_CONDITION: Final = re.compile(
    rf"^  (?P<negation>not )?(?P<atom>[^\s:]\S*?)(?:: it is false that)? {_SPAN}, (?:"
    r"established by check (?P<check>\S+)|"
    rf"judged (?P<word>true|false) by (?P<kind>\S+) (?P<name>\S+): (?P<quote>{_SPAN})|"
    r"(?P<implied>implied by what is recorded))$"
)


@written
@SAMPLED
@given(uncertain_sessions() | hostile_uncertain_sessions())
def every_shown_condition_names_what_established_it(session: UncertainSession) -> None:
    """Under a finding each literal of its route is shown with the record that established it.

    A check that observed that value, an attester who judged it so, with the quote; or it is said to
    be implied, where nothing is recorded of the atom and the closure has the literal.

    Source: PRIME, definition D4: the outcome records its supporting evidence.
    """
    outcome = session.play().outcome
    ledger = entries(outcome)
    shown = [_CONDITION.match(line) for line in render(outcome).split("\n\n")[0].split("\n")]
    conditions = [match for match in shown if match]
    stated = [s.route for s in outcome.supports if s.conclusion in outcome.conclusions]
    literals = [(p.atom, p.positive) for route in stated for p in route.literals]
    seen = [(match["atom"], not match["negation"]) for match in conditions]
    expect(seen == literals, seen, "are shown, not", literals)
    for match in conditions:
        _is_so(session.case, ledger, match)


def _is_so(case: Case, ledger: Entries, match: re.Match[str]) -> None:
    atom, value = match["atom"], not match["negation"]
    left = [entry for entry in remaining(ledger) if (entry.atom, entry.value) == (atom, value)]
    if match["implied"]:
        known = implied(case.paper, ledger) or frozenset()
        expect((atom, value) in known, atom, "is not implied")
        expect(not values_of(ledger, atom), atom, "is recorded")
    elif match["check"]:
        checks = [entry.check for entry in left if isinstance(entry, Evidence)]
        expect(match["check"] in checks, match["check"], "is named for", atom)
    else:
        expect((match["word"] == "true") is value, atom, "is judged", match["word"])
        expect(
            any(isinstance(entry, Said) and _is_shown(entry, match) for entry in left),
            match[0],
            "is nobody's judgement",
        )


def _is_shown(said: Said, match: re.Match[str]) -> bool:
    quote = f'"{said.quote}"' if admits(said.quote) else None
    by = (said.attester.kind.value, said.attester.name)
    shown = match["quote"] == quote if quote else match["quote"].startswith("(text withheld")
    return by == (match["kind"], match["name"]) and shown


def _suspended(constraint: str) -> Outcome:
    """Return the outcome of a review whose attestation contradicts what a check established."""
    text = Check("text", ("t",), kind=CheckKind.TEXT)
    plain = case_from({"described": [["a"]]}, ["a", "t", "secret"], (text,))
    clauses = (Literal("a", False), Literal("t", False)), (Literal.parse(constraint),)
    case = case_of(replace(plain.specification, constraints=clauses), plain.program)
    script: Script = {"text": ("what it says",), "a": ({"a": True},), "secret": ()}
    said = AttestRequest("t", True, "what it says")
    asked = (CheckRequest("a"), CheckRequest("text"), said)
    return UncertainSession(case, script, (), 9, False, asked, False).play().outcome


def a_suspension_shows_attestations_and_never_the_formula() -> None:
    """A contradiction is told with the attestations that it needs, and no constraint with it.

    Source: PRIME, appendix A, "Residual status and conflicts".
    """
    reports = []
    for constraint in ("secret", "!secret"):
        outcome = _suspended(constraint)
        text = render(outcome)
        expect(not denote(text) and not outcome.authorized, text)
        expect("nothing is authorized: what is recorded contradicts the constraints" in text, text)
        expect('to review: t, judged true by model agent: "what it says"' in text, text)
        expect("secret" not in text, text)
        reports.append(text.replace(outcome.commitment.sha256, ""))
    expect(reports[0] == reports[1], reports)


PROPERTIES: Final = (
    a_report_of_uncertain_evidence_asserts_what_is_authorized,
    every_shown_condition_names_what_established_it,
    a_suspension_shows_attestations_and_never_the_formula,
)
