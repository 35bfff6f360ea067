"""Reviews under constraints: what is implied, what contradicts, what cannot be decided."""

from __future__ import annotations

import pytest

from licet import (
    AnswerKind,
    Attestation,
    AttestRequest,
    Check,
    CheckKind,
    Commitment,
    Literal,
    Program,
    Review,
    Unavailable,
    commit,
    constraints,
    render,
    replay,
)
from licet.constraints import satisfies
from licet.decisions import LiteralStatus, Settled, literal_status
from licet.episode import begin
from licet.ledger import Certificate, Ledger, Observation, Record, close, recorded, settle
from licet.outcome import Suspension
from licet.state import with_records
from tests.core.judged import MODEL, OTHER_QUOTE, PERSON, QUOTE, constrained, judged, opened
from tests.core.programs import CONCLUSIONS, specification

ROUTES = {"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}
NAMED = AttestRequest("named", True, QUOTE, MODEL)
SEVERE = AttestRequest("severe", True, OTHER_QUOTE, MODEL)


def chain(*clauses: str, atoms: str = "a b d", shared: tuple[Check, ...] = ()) -> Commitment:
    """c1 by a, c2 by a and b, c3 by a, b and not d, under clauses."""
    return commit(constrained(specification(atoms, *shared), *clauses), Program.of(ROUTES))


def test_what_is_implied_authorizes() -> None:
    review = opened(chain("!a b", "!b !d"), a=True)
    review.check("a")
    assert review.authorized == ("c1", "c2", "c3")
    # The states are those of the records; b and d were not checked.
    assert [review.state(atom).value for atom in "abd"] == ["true", "unknown", "unknown"]
    assert review.guidance is not None
    assert (review.guidance.residual, review.guidance.cost, review.guidance.hold) == ((), 0, False)
    assert review.emit("c3").kind is AnswerKind.ACCEPTED
    assert "implied by what is recorded" in render(review.outcome)


def test_what_holds_in_every_record_needs_no_check() -> None:
    review = opened(chain("a", "!d"))
    assert review.authorized == ("c1",)
    assert review.guidance is not None
    assert [str(p) for p in review.guidance.residual] == ["b"]
    assert opened(chain("a"), budget=0).outcome.conclusions == ("c1",)


def test_completion_runs_no_check_of_what_is_implied() -> None:
    review = opened(chain("!a b", "!b !d"))
    outcome = review.close(complete=True)
    assert (outcome.conclusions, outcome.spent) == (("c3",), 1)


def test_a_check_that_contradicts_the_constraints_suspends_everything() -> None:
    review = opened(chain("!a b"), a=True, b=False)
    review.check("a")
    assert review.authorized == ("c1", "c2")
    review.check("b")
    assert (review.authorized, review.guidance) == ((), None)
    outcome = review.close(complete=True)
    assert (outcome.conclusions, outcome.authorized, outcome.supports) == ((), (), ())
    assert outcome.spent == 2
    # Checks alone contradict: there is no attestation to review.
    assert outcome.suspension == Suspension(True, ())
    for unresolved in outcome.unresolved:
        assert (unresolved.missing, unresolved.blocked, unresolved.cost) == ((), (), 0)
        (route,) = review.commitment.program.of_conclusion(unresolved.conclusion)
        assert unresolved.route == route
    assert [u.conclusion for u in outcome.unresolved] == ["c1", "c2", "c3"]


def contradicted() -> Review:
    """Of the judgements, named and severe exclude each other; that of odd has no part in it."""
    text = Check("notes", ("named", "severe", "odd"), 2, CheckKind.TEXT)
    commitment = judged("!named !severe !a", text=text, atoms="a named severe odd")
    review = opened(commitment, a=True)
    for check in ("a", "notes"):
        review.check(check)
    review.request(NAMED)
    review.attest("odd", True, QUOTE, PERSON)
    review.attest("named", True, OTHER_QUOTE, PERSON)
    assert review.authorized == ("c1", "c2", "c3")
    review.request(SEVERE)
    return review


def test_exactly_the_attestations_that_contradict_are_exposed_and_never_the_formula() -> None:
    review = contradicted()
    assert review.authorized == ()
    outcome = review.close()
    assert outcome.suspension == Suspension(
        True,
        (
            Attestation("named", True, QUOTE, MODEL),
            Attestation("named", True, OTHER_QUOTE, PERSON),
            Attestation("severe", True, OTHER_QUOTE, MODEL),
        ),
    )
    report = render(outcome)
    assert "odd" not in report
    assert report.count("to review:") == 3
    assert "  nothing is authorized: what is recorded contradicts the constraints\n" in report
    assert replay(review.commitment, 20, True, review.history) == outcome


def test_where_the_checks_contradict_by_themselves_no_attestation_is_named() -> None:
    commitment = judged(
        "!a !b",
        "!a !named",
        atoms="a b named severe",
        routes={"c1": [["severe"]], "c2": [["severe", "b"]], "c3": [["severe", "b", "named"]]},
    )
    review = opened(commitment)
    for check in ("a", "notes"):
        review.check(check)
    review.request(NAMED)
    assert len(suspended_by(review)) == 1
    review = opened(commitment)
    for check in ("a", "b", "notes"):
        review.check(check)
    review.request(NAMED)
    assert suspended_by(review) == ()


def suspended_by(review: Review) -> tuple[Attestation, ...]:
    suspension = review.close().suspension
    assert suspension is not None
    return suspension.attestations


def test_while_suspended_a_report_is_refused_and_a_judgement_is_taken() -> None:
    review = contradicted()
    assert review.emit("c1").kind is AnswerKind.UNAUTHORIZED
    assert review.check("a").kind is AnswerKind.CACHED
    # Disagreement takes severe out of what is settled: the rest agrees again.
    assert review.attest("severe", False, QUOTE, PERSON).kind is AnswerKind.RECORDED
    assert review.authorized == ("c1", "c2")
    assert review.retract("severe", PERSON).kind is AnswerKind.RETRACTED
    assert review.authorized == ()


def test_a_retraction_restores_what_the_rest_supports() -> None:
    review = contradicted()
    review.request(AttestRequest("severe", True, QUOTE))
    review.retract("severe")
    # What is left implies that it is not severe.
    assert review.authorized == ("c1", "c2", "c3")
    outcome = review.close()
    assert (outcome.suspension, outcome.conclusions) == (None, ("c3",))
    assert replay(review.commitment, 20, True, review.history) == outcome
    review = contradicted()
    review.retract("named")
    assert review.authorized == ()
    review.retract("named", PERSON)
    assert review.authorized == ("c1",)


def test_a_second_contradiction_is_exposed_when_the_first_is_repaired() -> None:
    text = Check("notes", ("named", "severe", "odd"), 2, CheckKind.TEXT)
    commitment = judged("!named !odd", "!severe !odd", text=text, atoms="a named severe odd")
    review = opened(commitment)
    review.check("notes")
    for asked in (NAMED, SEVERE):
        review.request(asked)
    review.request(AttestRequest("odd", True, QUOTE))
    assert review.guidance is None
    review.retract("named")
    assert review.guidance is None
    outcome = review.close()
    assert outcome.suspension is not None
    assert {value.atom for value in outcome.suspension.attestations} == {"severe", "odd"}


def test_what_cannot_be_decided_within_the_limit_suspends(monkeypatch: pytest.MonkeyPatch) -> None:
    # x and y in all four combinations are excluded where b holds: that takes a search to see.
    clauses = ("!b x y", "!b x !y", "!b !x y", "b a x")
    commitment = chain(*clauses, atoms="a b d x y")
    review = opened(commitment, a=True, b=True)
    review.check("a")
    assert review.authorized == ("c1",)
    monkeypatch.setattr(constraints, "SEARCH_LIMIT", 0)
    review.check("d")
    assert (review.authorized, review.guidance) == ((), None)
    outcome = review.close()
    assert (outcome.conclusions, outcome.suspension) == ((), Suspension(False, ()))
    assert "could not be decided" in render(outcome)
    monkeypatch.undo()
    # What is decided again is authorized again: nothing but the ledger counts.
    assert settle(commitment.compiled, outcome.ledger).true == 0b00101
    assert not settle(commitment.compiled, outcome.ledger).suspended


def test_a_report_is_accepted_only_where_the_ledger_alone_authorizes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the way to a ledger assignments are found that save searching; its outcome has none."""
    clauses = ("!b !e f", "b d e", "!e !f g", "!a g h", "!b !d !h")
    made = specification("a b d e f g h", conclusions=CONCLUSIONS[:1])
    commitment = commit(constrained(made, *clauses), Program.of({"c1": [["a", "b"]]}))
    suspended, accepted = [], []
    for limit in range(9):
        monkeypatch.setattr(constraints, "SEARCH_LIMIT", limit)
        review = opened(commitment, a=True, b=True)
        review.check("a")
        review.check("b")
        kind = review.emit("c1").kind
        outcome = review.close()
        suspended.append((not review.authorized, outcome.suspension is not None))
        accepted.append(kind is AnswerKind.ACCEPTED)
        assert outcome.conclusions == (("c1",) if accepted[-1] else ())
    # With a limit of 3 the search ends in time on the way to the ledger, and not from nothing.
    assert suspended == [(True, True)] * 3 + [(False, True)] + [(False, False)] * 5
    assert accepted == [False] * 4 + [True] * 5


def test_assignments_that_were_found_are_kept_for_the_next_ledger() -> None:
    commitment = chain("!a b", "!b !d")
    state = begin(commitment, 9)
    for records, implied in (((), 0), ((Observation("a", True, "a"),), 0b011)):
        state = with_records(state, *records)
        assert state.models
        assert all(satisfies(commitment.compiled.clauses, model) for model in state.models)
        assert state.settled.true == implied
    assert begin(chain(), 9).models == ()


def test_a_conflicting_atom_is_neither_settled_nor_implied() -> None:
    shared = (Check("b", ("b",)), Check("k", ("b",)))
    review = opened(chain("!a b", shared=shared), a=True, b=True, k=False)
    for check in ("a", "b"):
        review.check(check)
    assert review.authorized == ("c1", "c2")
    review.check("k")
    # That a implies b does not count where the evidence of b disagrees; nothing contradicts.
    assert review.authorized == ("c1",)
    (first, _) = review.close().unresolved
    assert [str(p) for p in first.repairable] == ["b"]


def test_what_is_unavailable_may_be_implied_all_the_same() -> None:
    review = opened(chain("!e b", "!a e", atoms="a b d e"), b=Unavailable("gone"))
    review.check("b")
    assert review.guidance is not None
    assert review.guidance.conclusion == "c1"
    review.check("a")
    assert review.authorized == ("c1", "c2")
    (last,) = review.close().unresolved
    assert [str(p) for p in last.missing] == ["!d"]


def settled(commitment: Commitment, *records: Record) -> Settled:
    return settle(commitment.compiled, Ledger(records))


def test_the_closure_of_a_ledger() -> None:
    commitment = chain("!a b", "!b !d")
    a = Observation("a", True, "a")
    assert settled(commitment) == Settled()
    assert settled(commitment, a) == Settled(true=0b011, false=0b100)
    gone = Certificate("b", "b", "gone")
    assert settled(commitment, a, gone) == Settled(0b011, 0b100, 0, 0b010)
    bottom = Settled(0, 0, 0, 0b111, suspended=True)
    assert settled(commitment, a, Observation("b", False, "b")) == bottom
    torn = (Observation("d", True, "d"), Observation("d", False, "k"))
    assert settled(commitment, a, *torn) == Settled(0b011, 0, 0b100, 0)
    assert settled(commitment, a, Observation("b", False, "b"), *torn) == (
        bottom._replace(conflict=0b100)
    )
    assert recorded(commitment.compiled, Ledger((a, *torn))) == Settled(0b001, 0, 0b100, 0)


def test_without_constraints_the_closure_is_what_is_recorded() -> None:
    program = chain().compiled
    said = Settled(1, 2, 4, 3)
    assert close(program, said, (5,)) == (said, ())
    assert chain().compiled.clauses == ()
    assert chain("!a b").compiled.clauses == ((0b010, 0b001),)


def test_a_literal_that_attestations_alone_oppose_is_repairable() -> None:
    """Named implies severe; a check would make it impossible, an attestation can be retracted."""
    routes = {"c1": [["a"]], "c2": [["a", "named"]], "c3": [["a", "named", "severe"]]}
    commitment = judged("!named severe", routes=routes)
    program = commitment.compiled
    named, severe = 1, 2
    attested = (Attestation("named", True, QUOTE, MODEL),)
    now, firm = settled(commitment, *attested), Settled()
    assert now == Settled(true=0b110)
    for atom, positive, status in (
        (named, True, LiteralStatus.SATISFIED),
        (named, False, LiteralStatus.REPAIRABLE),
        (severe, True, LiteralStatus.SATISFIED),
        (severe, False, LiteralStatus.REPAIRABLE),
        (0, True, LiteralStatus.OPEN),
    ):
        assert literal_status(program, now, 0, atom, positive, firm) is status
    # Without knowing what is firm, all that opposes is.
    assert literal_status(program, now, 0, severe, False) is LiteralStatus.IMPOSSIBLE
    # What a check opposes too is impossible, and what is certified unavailable.
    assert literal_status(program, now, 0, severe, False, now) is LiteralStatus.IMPOSSIBLE
    gone = Settled(unavailable=0b100)
    assert literal_status(program, gone, 0, severe, False, firm) is LiteralStatus.IMPOSSIBLE
    conflict = Settled(conflict=0b100, unavailable=0b100)
    assert literal_status(program, conflict, 0, severe, True) is LiteralStatus.REPAIRABLE


def test_an_outcome_says_what_may_be_repaired() -> None:

    text = Check("notes", ("named", "severe", "odd"), 2, CheckKind.TEXT)
    commitment = judged("!odd severe", "!a !odd severe", text=text, atoms="a named severe odd")
    review = opened(commitment, a=True)
    for check in ("a", "notes"):
        review.check(check)
    review.request(NAMED)
    review.request(AttestRequest("odd", True, QUOTE))
    outcome = review.close()
    (top,) = outcome.unresolved
    assert (top.conclusion, outcome.conclusions) == ("c3", ("c2",))
    not_severe = (Literal("severe", False),)
    assert (top.missing, top.blocked, top.repairable) == ((), not_severe, not_severe)
    assert "attestations oppose it, and may be retracted" in render(outcome)


def test_while_suspended_each_known_assignment_is_kept_once() -> None:
    program = chain("!a b").compiled
    found = close(program, Settled(true=0b001, false=0b010), (0b011, 0, 0b011, 0))
    assert found.settled.suspended
    assert found.models == (0b011, 0)


def test_a_review_says_what_suspends_it_while_it_can_still_be_repaired() -> None:
    text = Check("read", ("a", "b"), kind=CheckKind.TEXT)
    made = constrained(specification("a b d", text), "!a !b")
    review = Review(
        commit(made, Program.of({"c1": [["a"]], "c2": [["a", "d"]], "c3": [["a", "d", "!b"]]})),
        lambda check: "both are said here",
        budget=9,
    )
    review.check("read")
    assert review.attest("a", True, "both are said").kind is AnswerKind.RECORDED
    assert review.suspension is None
    review.attest("b", True, "are said here")
    assert review.suspension is not None
    assert [value.atom for value in review.suspension.attestations] == ["a", "b"]
    assert review.emit("c1").reason == "what is recorded contradicts the constraints, or may do so"
    review.retract("b")
    assert (review.suspension, review.authorized) == (None, ("c1",))
