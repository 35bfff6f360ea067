"""Theorem 4.1 (iii) of the PRIME paper: a rendered report asserts what is authorized, no more.

Statement. For every outcome y, denote(render(y)) lies within M(y), the conclusions that y marks,
and so within Auth of its ledger (D4).

Premise. T3: what users see comes from the sound renderer alone. There is no premise on the texts:
sentences, requests and reasons are hostile here. That a slot takes nothing but its alphabet is
confirmed for every character (`enumerated_slots`); what is built of slots is tested.
"""

import re
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Atom,
    CheckRequest,
    Conclusion,
    Outcome,
    Program,
    Review,
    Specification,
    Unavailable,
    commit,
    denote,
    own_checks,
    render,
)

from .adversaries import Script, Session, disagreeing_sessions, evidence, sessions
from .expect import SAMPLED, expect
from .generators import Shape, assignments, cases
from .independent import authorized, values

TITLES: Final = (
    "AUTHORIZED FINDINGS",
    "UNRESOLVED CONCLUSIONS",
    "QUALIFICATIONS",
    "SCOPE",
)

# Every character that some program takes for the end of a line, and other things that could make a
# slot look like what it is not.
BREAKS: Final = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
FRAGMENTS: Final = (
    *BREAKS,
    *TITLES,
    '[ready] is reported: "forged"',
    "[complete] is authorized as well.",
    "(audited) is not authorized",
    *('"', "'", "[", "]", "\\", "`", "<b>", "\t", "\0", "\x1b[2K", "{0}", "%s", "&", "!"),
    *("\u202e", "\u2066", "\u200b", "\ufeff", "\u0430", "\uff3b", "\u2019", "\U0001f600"),
    *(
        "It holds.",
        "a" * 199,
        "a" * 200,
        "a" * 201,
        " ",
        "  missing: ",
        ", established by check k1",
    ),
)
ADMITTED: Final = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 (),.;:/_'-"
)
SPAN_LIMIT: Final = 200

hostile_texts: Final = (
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=3).map("".join)
    | st.sampled_from(FRAGMENTS)
    | st.text(max_size=12)
)
"""Texts that try to end a line, to open a zone, or to look like a finding; and ordinary ones."""

hostile_reasons: Final = hostile_texts | st.just("\ud800")
"""A resolver's words may hold even what no sentence of a program may: half a character."""

HOSTILE: Final = Shape(texts=hostile_texts)


@st.composite
def hostile_sessions(draw: st.DrawFn) -> Session:
    """Draw a session whose sentences, request and reasons are hostile, and whose checks answer."""
    case = draw(cases(HOSTILE))
    truth = draw(assignments(case.atoms))
    script: Script = {
        check: ({a: _said(draw, truth[a]) for a in sorted(atoms)},)
        for check, atoms in case.paper.settles.items()
    }
    checks = tuple(CheckRequest(name) for name in sorted(case.paper.settles))
    asked = checks[draw(st.integers(0, len(checks))) :]
    return Session(case, script, 30, draw(st.booleans()), asked, draw(st.booleans()))


def _said(draw: st.DrawFn, truth: bool) -> bool | Unavailable:
    return Unavailable(draw(hostile_reasons)) if draw(st.integers(0, 3)) == 3 else truth


def findings(text: str) -> frozenset[str]:
    """Return what a reader takes for findings anywhere in a text: lines that begin with `[`.

    Lines end wherever any program may end them.
    """
    named = (re.match(r"\s*\[([^\]]*)\]", line) for line in text.splitlines())
    return frozenset(match[1] for match in named if match)


def admits(text: str) -> bool:
    """Return whether a slot takes a text: 1 to 200 of the admitted characters."""
    return 0 < len(text) <= SPAN_LIMIT and set(text) <= ADMITTED


def marked(outcome: Outcome) -> frozenset[str]:
    """Return M(y): the conclusions that an outcome states or lists as authorized (D4)."""
    return frozenset({*outcome.conclusions, *outcome.authorized})


@SAMPLED
@given(sessions(cases()) | hostile_sessions())
def a_report_asserts_what_is_authorized(session: Session) -> None:
    """What the text of a report asserts is what its outcome marks, all of it in Auth(z).

    Source: PRIME, Theorem 4.1 (iii), definitions D4 and D5.
    """
    review, _ = session.play()
    outcome = review.outcome
    text = render(outcome)
    allowed = authorized(session.case.paper, evidence(review))
    expect(denote(text) == marked(outcome), denote(text), "not", marked(outcome))
    expect(denote(text) <= allowed, denote(text), "of", allowed)
    expect(findings(text) == marked(outcome), "a reader finds", findings(text))


@SAMPLED
@given(hostile_sessions())
def hostile_texts_forge_nothing(session: Session) -> None:
    """No sentence, request or reason ends its line, opens a zone, or brings in its characters.

    Source: PRIME, appendix A, "Output and trusted components"; premise T3.
    """
    review, _ = session.play()
    text = render(review.outcome)
    lines = text.split("\n")
    expect(text.splitlines() == lines[:-1] and not lines[-1], "a line ends inside a slot")
    expect(set(text) <= ADMITTED | set('\n"[]'), sorted(set(text) - ADMITTED))
    titles = [line for line in lines if line in TITLES]
    expect(titles == sorted(titles, key=TITLES.index), f"the zones are {titles}")
    expect(len(set(titles)) == len(titles), f"the zones are {titles}")
    expect(lines[0] == TITLES[0], f"the report begins with {lines[0]!r}")
    longest = max(len(span) for span in re.findall(r'"([^"\n]*)"', text) or [""])
    expect(longest <= SPAN_LIMIT, f"a slot holds {longest} characters")


@SAMPLED
@given(hostile_texts)
def a_text_is_quoted_whole_or_withheld(text: str) -> None:
    """A text stands in a report as it is, in quotes, or not at all: never cut, never cleaned.

    The same text is given to every slot that takes one: two sentences, two conditions, a reason,
    the request.

    Source: PRIME, appendix A, "Output and trusted components".
    """
    atoms = (Atom("a", text), Atom("b", text))
    conclusions = (Conclusion("described", text, 1), Conclusion("ready", text, 2))
    specification = Specification(conclusions, atoms, own_checks(atoms), request=text)
    program = Program.of({"described": [["a"]], "ready": [["a", "b"]]})
    said: dict[str, bool | Unavailable] = {"a": True, "b": Unavailable(text)}
    review = Review(
        commit(specification, program),
        lambda check: {atom: said[atom] for atom in check.settles},
        budget=2,
    )
    review.check("a")
    review.check("b")
    report = render(review.outcome)
    quoted, withheld = report.count(f'"{text}"'), report.count("(text withheld: ")
    # A request of no words is left out, as there is nothing to show.
    slots = 6 if text else 5
    expect((quoted, withheld) == ((6, 0) if admits(text) else (0, slots)), report)


@SAMPLED
@given(sessions(cases()), hostile_texts)
def only_the_first_zone_asserts(session: Session, text: str) -> None:
    """Text after the findings asserts nothing, nor does a text that is no report.

    Source: PRIME, appendix A: denote reads the zone of authorized findings alone.
    """
    review, _ = session.play()
    report = render(review.outcome)
    asserted = denote(report)
    expect(denote(report + text) == asserted, f"{text!r} after a report asserts something")
    expect(denote(report + "\n" + text) == asserted, f"{text!r} in a new line asserts something")
    for other in (text, text + "\n" + report, "\n" + report, " " + report):
        is_report = other.split("\n")[0] == TITLES[0]
        expect(is_report or not denote(other), f"{other!r} asserts something")


_SHOWN: Final = re.compile(
    r'^  (not )?(\S+?)(?:: it is false that)? (?:".*"|\(text withheld: .*\)),'
    r" established by check (\S+)$",
    re.MULTILINE,
)


@SAMPLED
@given(disagreeing_sessions(cases(), silent=True) | hostile_sessions())
def every_shown_condition_names_a_check_that_established_it(session: Session) -> None:
    """A condition under a finding names a check that observed just that value of it.

    Source: PRIME, definition D4: the outcome records its supporting evidence.
    """
    review, _ = session.play()
    ledger = evidence(review)
    text = render(review.outcome)
    for negation, atom, check in _SHOWN.findall(text):
        value = not negation
        expect(values(ledger, atom) == {value}, f"{atom} is shown as {value}")
        observed = [e for e in ledger if (e.atom, e.value, e.check) == (atom, value, check)]
        expect(bool(observed), f"{check} is named for {atom}")


PROPERTIES: Final = (
    a_report_asserts_what_is_authorized,
    hostile_texts_forge_nothing,
    a_text_is_quoted_whole_or_withheld,
    only_the_first_zone_asserts,
    every_shown_condition_names_a_check_that_established_it,
)
