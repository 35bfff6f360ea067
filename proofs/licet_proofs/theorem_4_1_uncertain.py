"""Theorems 4.1 (ii) and 4.2 of the PRIME paper in the full interaction model.

Statement. With constraints, attestations, retractions, conflicts, candidates and partially ordered
conclusions, each conclusion of an outcome is in Auth at the final ledger, and a user is told what
the standard does not support only where the program authorizes it at a truthful ledger, or where a
resolver or an attester recorded what is not so.

Premises. T1, T2 (the constraints are frozen with the program; for 4.2 the record satisfies them)
and T4. There is no premise on agents, attesters or the second judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Atom,
    Attestation,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Conclusion,
    Ending,
    Expiration,
    Literal,
    Outcome,
    Program,
    Retraction,
    RetractRequest,
    Specification,
    Unavailable,
    denote,
    own_checks,
    render,
    still_authorized,
)

from . import written_freshness
from .adversaries import Script
from .adversaries_uncertain import (
    AGENT,
    OTHERS,
    TEXTS,
    VERBATIM,
    ByCaller,
    Dispute,
    UncertainSession,
    ask_anybody,
    entries,
)
from .expect import SAMPLED, expect
from .generators import assignments, case_from, case_of
from .generators_uncertain import allowed_truths, uncertain_cases
from .independent import (
    Assignment,
    Evidence,
    Evidences,
    Paper,
    Requirement,
    authorized,
    full_ledger,
    is_open,
    maximal,
    residual,
    supported,
    values,
)
from .independent_uncertain import (
    Expired,
    Said,
    closed,
    implied,
    recorded,
    remaining,
    worlds,
)
from .sessions_uncertain import refreshed_sessions, uncertain_scripts, uncertain_sessions
from .theorem_4_1_rendering import marked
from .theorem_4_2 import Events, Tally, standards
from .written_uncertain import written


@written
@SAMPLED
@given(uncertain_sessions())
def nothing_unauthorized_is_reported_on_uncertain_evidence(session: UncertainSession) -> None:
    """Whatever is judged, disputed, withdrawn or implied, the outcome reports what Auth(z) has.

    It lists exactly Auth(z); without an accepted report it states exactly the maximal conclusions,
    of which none is at or below another; each is shown with the first of its routes that holds.

    Source: PRIME, Theorem 4.1 (ii), definitions D1, D2 and D4; appendix A, "Partial orders".
    """
    _reports_what_auth_has(session)


@written_freshness.written
@SAMPLED
@given(refreshed_sessions())
def nothing_that_rests_on_what_expired_is_reported(session: UncertainSession) -> None:
    """Where sources change, the outcome reports what Auth has of the records that are left.

    Source: PRIME, Theorem 4.1 (ii), on the ledger without what has expired; docs/evidence.md.
    """
    _reports_what_auth_has(session)


@written_freshness.written
@SAMPLED
@given(refreshed_sessions())
def an_old_outcome_is_judged_again_without_what_changed(session: UncertainSession) -> None:
    """Of what an outcome authorized, what its ledger has without what changed since is left.

    Source: PRIME, Theorem 4.1 (ii), on the ledger without what has expired; docs/evidence.md.
    """
    outcome, checks = session.play().outcome, sorted(session.case.paper.settles)
    for digest in ("v0", "elsewhere"):
        for changed in (checks, *([check] for check in checks)):
            _judged_again(session.case.paper, outcome, dict.fromkeys(changed, digest))


def _judged_again(paper: Paper, outcome: Outcome, told: Mapping[str, str]) -> None:
    ledger = list(entries(outcome))
    for check, digest in told.items():
        read: set[str] = set()
        for record in outcome.ledger.records:
            if isinstance(record, Attestation | Retraction) or record.check != check:
                continue
            read = set() if isinstance(record, Expiration) else read | {record.digest}
        if read - {"", digest}:
            judged = paper.settles[check] if check in paper.texts else frozenset[str]()
            ledger.append(Expired(check, digest, tuple(judged)))
    left = authorized(paper, closed(paper, ledger)) & set(outcome.authorized)
    said = still_authorized(outcome, told)
    expected = tuple(name for name in outcome.authorized if name in left)
    expect(said == expected, said, "not", expected, "after", told)


def _reports_what_auth_has(session: UncertainSession) -> None:
    outcome = session.play().outcome
    paper, case = session.case.paper, session.case
    plain = closed(paper, entries(outcome))
    allowed = authorized(paper, plain)
    expect(set(outcome.authorized) == allowed, outcome.authorized, "not", allowed)
    stated = frozenset(outcome.conclusions)
    if outcome.ending is Ending.ACCEPTED:
        expect(len(stated) == 1 and stated <= allowed, stated, "of", allowed)
    else:
        expect(stated == maximal(paper, allowed), stated, "not maximal in", allowed)
    below = ((c, d) for c in stated for d in stated if c != d and c in paper.at_or_below[d])
    expect(not any(below), stated, "is no antichain")
    shown = {support.conclusion: support.route for support in outcome.supports}
    expect(shown.keys() == allowed, shown, "are shown")
    for conclusion, route in shown.items():
        listed = case.program.of_conclusion(conclusion)
        holding = [p for p in listed if not residual(_literals(p.literals), plain)]
        expect(holding[:1] == [route], conclusion, "is shown with", route)
    utility = max((paper.utility[c] for c in stated), default=0)
    expect(outcome.utility == utility, outcome.utility, "is the utility of", stated)


def _literals(literals: tuple[Literal, ...]) -> frozenset[tuple[str, bool]]:
    return frozenset((literal.atom, literal.positive) for literal in literals)


@written
@SAMPLED
@given(uncertain_sessions())
def an_unresolved_conclusion_shows_what_can_be_done_about_it(session: UncertainSession) -> None:
    """Of its route what is not established is open, or blocked, and of that some can be repaired.

    Repairable is what is in conflict, and what is opposed only as long as attestations count. While
    statuses are suspended nothing is said of any literal.

    Source: PRIME, appendix A, "Residual status and conflicts"; Equation (3).
    """
    outcome = session.play().outcome
    paper, ledger = session.case.paper, entries(outcome)
    plain = closed(paper, ledger)
    firm = closed(paper, [e for e in ledger if isinstance(e, Evidence)])
    suspended = implied(paper, ledger) is None
    expect((outcome.suspension is not None) == suspended, outcome.suspension, "is told")
    for shown in outcome.unresolved:
        lacking = residual(_literals(shown.route.literals), plain)
        missing, blocked = _literals(shown.missing), _literals(shown.blocked)
        if suspended:
            expect(not missing | blocked and not shown.cost, shown, "while suspended")
            continue
        expect(missing == {p for p in lacking if is_open(p[0], plain)}, shown.missing, "miss")
        expect(blocked == lacking - missing, shown.blocked, "block")
        waiting = {p for p in blocked if _can_be_repaired(p, plain, firm)}
        expect(_literals(shown.repairable) == waiting, shown.repairable, "wait for a repair")


def _can_be_repaired(literal: Requirement, plain: Evidences, firm: Evidences) -> bool:
    atom, value = literal
    seen = values(plain, atom)
    return len(seen) == 2 or (seen == {not value} and values(firm, atom) != {not value})


@written
@SAMPLED
@given(uncertain_sessions())
def a_contradiction_names_the_attestations_that_make_it(session: UncertainSession) -> None:
    """What is told of a contradiction is a smallest set of attested atoms that makes it, no more.

    With what the checks settle they contradict the constraints, and without any one they do not.

    Source: PRIME, appendix A, "Residual status and conflicts": the contradicting attestations are
    exposed for review.
    """
    outcome = session.play().outcome
    ledger, paper = entries(outcome), session.case.paper
    if outcome.suspension is None:
        expect(implied(paper, ledger) is not None, "a contradiction is not told")
        return
    expect(outcome.suspension.contradicted, "it is said to be undecided")
    said = outcome.suspension.attestations
    left = [e for e in remaining(ledger) if isinstance(e, Said)]
    expect(all(Said(*one) in left for one in said), said, "are not all admitted")
    named = {one.atom for one in said}
    expect(len(said) == sum(e.atom in named for e in left), said, "are not all of those atoms")
    settled = recorded(paper, ledger)
    checked = recorded(paper, [e for e in ledger if isinstance(e, Evidence)])
    firm = {p for p in settled if p[0] in {atom for atom, _ in checked}}

    def contradict(atoms: set[str]) -> bool:
        return not worlds(paper, frozenset(firm | {p for p in settled if p[0] in atoms}))

    expect(contradict(named), named, "do not contradict")
    expect(not any(contradict(named - {atom}) for atom in named), named, "are too many")


@written
@SAMPLED
@given(uncertain_sessions())
def without_its_judgements_a_review_rests_on_its_checks(session: UncertainSession) -> None:
    """When all that was attested is retracted, Auth is that of the checks' records alone.

    Source: PRIME, definition D1, premise T4: a retraction takes back the record that it names.
    """
    kept = (CheckRequest, AttestRequest, ByCaller, Dispute)
    asked = tuple(each for each in session.asked if isinstance(each, kept))
    review, _ = replace(session, asked=asked, budget=60).open()
    for each in replace(session, asked=asked).requests(review):
        ask_anybody(review, each)
    expect(not review.over, "the review is over")
    paper = session.case.paper
    judged = {atom for text in paper.texts for atom in paper.settles[text]}
    for atom in session.case.atoms:
        for attester in (AGENT, *OTHERS):
            kind = ask_anybody(review, ByCaller(RetractRequest(atom, attester))).kind
            expect(kind != "retracted" or atom in judged, "of", atom, "a check is retracted")
    allowed = frozenset(review.authorized)
    ledger = entries(review.close())
    expect(not any(isinstance(e, Said) for e in remaining(ledger)), "not all is retracted")
    checked = [e for e in ledger if isinstance(e, Evidence)]
    expected = authorized(paper, closed(paper, checked))
    expect(allowed == expected, allowed, "not", expected)


@dataclass(frozen=True, slots=True)
class UncertainEpisode:
    """A session on a record that satisfies the constraints, judged by a standard."""

    session: UncertainSession
    truth: Assignment
    standard: Paper


@st.composite
def uncertain_episodes(draw: st.DrawFn) -> UncertainEpisode:
    """Draw an episode; in half of them resolvers tell the truth."""
    case = draw(uncertain_cases())
    truth, told = draw(allowed_truths(case)), draw(assignments(case.atoms))
    session = draw(uncertain_sessions(st.just(case)))
    script = draw(uncertain_scripts(case, truth if draw(st.booleans()) else told))
    changed = replace(session, script=script, complete=True)
    if draw(st.booleans()):
        changed = replace(changed, budget=20, asked=())
    return UncertainEpisode(changed, truth, draw(standards(case.paper, truth)))


def events(episode: UncertainEpisode) -> Events:
    """Play the episode and say which events took place; an attester's error is a resolver's."""
    paper, truth = episode.session.case.paper, episode.truth
    outcome = episode.session.play().outcome
    ledger, seen = entries(outcome), denote(render(outcome))
    true = supported(episode.standard, truth)
    return Events(
        user=bool(seen - true),
        program=bool(authorized(paper, full_ledger(truth)) - true),
        resolver=any(e.value is not None and e.value != truth[e.atom] for e in remaining(ledger)),
        mask=bool(marked(outcome) - authorized(paper, closed(paper, ledger))),
        rendering=bool(seen - marked(outcome)),
    )


def user_error_on_uncertain_evidence_comes_from_the_program_or_who_told() -> Tally:
    """A user sees what is not supported only where the program, a resolver or an attester erred.

    The record satisfies the constraints. The kernel's own two events never take place.

    Source: PRIME, Theorem 4.2, Equation (5), definition D5, premise T4: the errors of attesters
    count as those of resolvers.
    """
    tally = Tally()

    @SAMPLED
    @given(uncertain_episodes())
    def each(episode: UncertainEpisode) -> None:
        seen = events(episode)
        expect(not seen.mask, "the outcome marks what its ledger does not authorize")
        expect(not seen.rendering, "the report asserts what its outcome does not mark")
        expect(not seen.user or seen.program or seen.resolver, "an error came from nowhere")
        tally.count(seen)

    each()
    return tally


def an_attester_alone_can_mislead() -> None:
    """A false attestation alone misleads the user, until it is retracted.

    So does a constraint that the record does not satisfy, and what is said to hold when a check
    finds nothing in any of its candidates: each is a premise, and not checked by the kernel.

    Source: PRIME, Theorem 4.2; appendix A, premises T2 and T4.
    """
    text = Check("text", ("t",), kind=CheckKind.TEXT)
    case = case_from({"ready": [["t"]]}, ["t"], (text,))
    asked: tuple[object, ...] = (CheckRequest("text"), AttestRequest("t", True, VERBATIM[0]))
    lied = UncertainSession(case, {"text": (TEXTS[1],)}, (), 3, False, asked, False)
    told = UncertainEpisode(lied, {"t": False}, case.paper)
    expect(events(told) == Events(True, False, True, False, False), "the attester")
    repaired = replace(lied, asked=(*asked, Dispute.WITHDRAW))
    repaired = replace(repaired, budget=9)
    corrected = events(replace(told, session=repaired))
    expect(corrected == Events(False, False, False, False, False), "retracted", corrected)
    located = Check("a", ("a",), candidates=("x",), exhausted=True)
    empty = case_from({"ready": [["a"]]}, ["a"], (located,))
    script: Script = {"a": ({"a": Unavailable("nothing")},)}
    nowhere = UncertainSession(empty, script, (), 3, False, (CheckRequest("a"),), False)
    exhausted = UncertainEpisode(nowhere, {"a": False}, empty.paper)
    expect(events(exhausted) == Events(True, False, True, False, False), "the exhausted value")
    implies = (Literal("a", False), Literal("b"))
    claimed = case_of(*_implying(implies))
    asked = (CheckRequest("a"),)
    wrong = UncertainSession(claimed, {"a": ({"a": True},), "b": ()}, (), 1, False, asked, False)
    untrue = UncertainEpisode(wrong, {"a": True, "b": False}, claimed.paper)
    expect(events(untrue) == Events(True, False, False, False, False), "an untrue constraint")


def _implying(clause: tuple[Literal, ...]) -> tuple[Specification, Program]:
    """Return what concludes on b, and a constraint."""
    atoms = (Atom("a", "a condition"), Atom("b", "a condition"))
    ready = (Conclusion("ready", "A conclusion.", 1),)
    specification = Specification(ready, atoms, own_checks(atoms), constraints=(clause,))
    return specification, Program.of({"ready": [["b"]]})


PROPERTIES: Final = (
    nothing_unauthorized_is_reported_on_uncertain_evidence,
    nothing_that_rests_on_what_expired_is_reported,
    an_old_outcome_is_judged_again_without_what_changed,
    an_unresolved_conclusion_shows_what_can_be_done_about_it,
    a_contradiction_names_the_attestations_that_make_it,
    without_its_judgements_a_review_rests_on_its_checks,
    user_error_on_uncertain_evidence_comes_from_the_program_or_who_told,
    an_attester_alone_can_mislead,
)
