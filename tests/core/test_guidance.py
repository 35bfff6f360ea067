"""Where a review points to: with texts unread and read, what is judged, and under constraints."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import (
    AttestRequest,
    Check,
    CheckKind,
    Failed,
    Guidance,
    InvariantViolation,
    Judged,
    Literal,
    Program,
    Read,
    Resolved,
    Review,
    Route,
    Unavailable,
    commit,
    covers,
)
from licet._seal import SEAL
from licet.attestations import judge
from licet.episode import begin, request, resolve
from licet.messages import CheckRequest, Resolution
from licet.resolving import resolution_of
from licet.state import Episode
from tests.core.judged import MODEL, NOTES, QUOTE, Source, judged, opened
from tests.core.programs import specification

TOP = Route.of("a", "named", "!severe")
A, NAMED, NOT_SEVERE = TOP.literals
JUDGED = AttestRequest("named", True, QUOTE, MODEL)


def test_a_text_is_read_once_and_each_atom_judged() -> None:
    review = opened()
    # a costs 1, the text 2 for both atoms, and 1 for each judgement of it.
    assert review.guidance == Guidance(
        "c3",
        TOP,
        (A, NAMED, NOT_SEVERE),
        ("a", "notes"),
        Fraction(5),
        True,
        True,
        ("named", "severe"),
    )
    review.check("notes")
    assert review.guidance == Guidance(
        "c3", TOP, (A, NAMED, NOT_SEVERE), ("a",), Fraction(3), True, True, ("named", "severe")
    )
    review.request(JUDGED)
    assert review.guidance == Guidance(
        "c3", TOP, (A, NOT_SEVERE), ("a",), Fraction(2), True, True, ("severe",)
    )
    review.check("a")
    review.request(AttestRequest("severe", False, QUOTE))
    assert review.guidance == Guidance("c3", TOP, (), (), Fraction(0), True, False, ())


def test_what_the_budget_does_not_pay_is_not_pointed_to() -> None:
    assert opened(budget=5).guidance is not None
    assert opened(budget=5).guidance.conclusion == "c3"  # type: ignore[union-attr]
    assert opened(budget=4.5).guidance.conclusion == "c2"  # type: ignore[union-attr]
    # A text that was read is not paid again.
    review = opened(budget=5)
    review.check("notes")
    assert review.guidance.conclusion == "c3"  # type: ignore[union-attr]
    assert opened(budget=1).guidance.conclusion == "c1"  # type: ignore[union-attr]
    assert (
        opened(judged(routes={n: [["named", "a"]] for n in ("c1", "c2", "c3")}), budget=3).guidance
        is None
    )


def test_a_retracted_judgement_is_pointed_to_again() -> None:
    review = opened()
    review.check("notes")
    review.request(JUDGED)
    review.retract("named")
    guidance = review.guidance
    assert guidance is not None
    assert (guidance.attest, guidance.cost) == (("named", "severe"), 3)


def test_another_text_is_told_apart() -> None:
    more = Check("more", ("e",), 1, CheckKind.TEXT)
    routes = {"c1": [["a"]], "c2": [["a", "e"]], "c3": [["a", "e", "named"]]}
    review = opened(judged(shared=(more,), atoms="a named severe e", routes=routes))
    review.check("notes")
    assert review.guidance == Guidance(
        "c3",
        Route.of("a", "e", "named"),
        (Literal("a"), Literal("e"), Literal("named")),
        ("a", "more"),
        Fraction(4),
        True,
        True,
        ("e", "named"),
    )


def test_a_cover_that_may_not_be_the_least_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "COVER_CHOICES", 1)
    checks = (Check("p", ("a", "b"), 6), Check("q", ("a", "b"), 6), Check("r", ("b",), 1))
    made = specification("a b d", *checks)
    routes = {"c1": [["a", "b"]], "c2": [["a", "b", "d"]], "c3": [["a", "b", "d"]]}
    review = Review(commit(made, Program.of(routes)), Source(), budget=20)
    assert review.guidance is not None
    assert not review.guidance.least


def test_the_cost_of_what_an_outcome_misses_counts_a_read_text_once() -> None:
    review = opened()
    review.check("a")
    unread = {u.conclusion: u.cost for u in review.close().unresolved}
    review = opened()
    review.check("a")
    review.check("notes")
    read = {u.conclusion: u.cost for u in review.close().unresolved}
    assert unread == {"c2": 3, "c3": 4}
    assert read == {"c2": 1, "c3": 2}


def nearest(budget: float, *, read: bool) -> tuple[Route, Fraction]:
    """Of a route judged on a text of 5 calls, and one whose field costs 3: which is shown."""
    text = Check("notes", ("named", "severe"), 5, CheckKind.TEXT)
    routes = {"c1": [["named"], ["a"]], "c2": [["named", "severe"]], "c3": [["named", "severe"]]}
    commitment = judged(text=text, shared=(Check("a", ("a",), 3),), routes=routes)
    review = opened(commitment, budget=budget, completion=False)
    if read:
        review.check("notes")
    first, *_ = review.close().unresolved
    return first.route, first.cost


def test_the_route_that_is_shown_depends_on_what_was_read() -> None:
    named, field = Route.of("named"), Route.of("a")
    # Within the budget, and beyond it.
    for spare in (9, 0):
        assert nearest(spare, read=False) == (field, 3)
        assert nearest(5 + spare, read=True) == (named, 1)


def waiting(judging: bool = False) -> Episode:
    """A state that waits for the text's resolver, or for the second judge."""
    state = request(begin(judged(), 20, verified=True), CheckRequest("notes")).episode
    if not judging:
        return state
    return request(resolve(state, Read(NOTES)).episode, JUDGED).episode


@pytest.mark.parametrize(
    ("answer", "resolution"),
    [
        (NOTES, Read(NOTES)),
        ("", Read("")),
        (
            Unavailable("gone"),
            Resolved((("named", Unavailable("gone")), ("severe", Unavailable("gone")))),
        ),
        ({"named": True}, Failed("expected a text, found dict")),
        (None, Failed("expected a text, found NoneType")),
        (OSError("down"), Failed("the resolver raised OSError('down')")),
    ],
)
def test_what_a_text_s_resolver_answers(answer: object, resolution: Resolution) -> None:
    assert resolution_of(waiting(), Source({"notes": answer}), None) == resolution


@pytest.mark.parametrize(
    ("answer", "resolution"),
    [
        ({"a": False}, Resolved((("a", False),))),
        ({"a": Unavailable("gone")}, Resolved((("a", Unavailable("gone")),))),
        ("yes", Failed("expected a mapping of atoms, found str")),
        (Unavailable("gone"), Failed("expected a mapping of atoms, found Unavailable")),
        ({"b": True}, Failed("expected one value for each of ['a']")),
    ],
)
def test_what_a_field_s_resolver_answers(answer: object, resolution: Resolution) -> None:
    state = request(begin(judged(), 9), CheckRequest("a")).episode
    assert resolution_of(state, lambda check: answer, None) == resolution  # type: ignore[arg-type,return-value]


def test_what_the_second_judge_answers() -> None:
    state = waiting(judging=True)
    assert resolution_of(state, Source(), lambda *_: False) == Judged(False)
    assert resolution_of(state, Source(), lambda *_: True) == Judged(True)
    unusable = resolution_of(state, Source(), lambda *_: 1)  # type: ignore[arg-type,return-value]
    assert unusable == Failed("expected a truth value")
    assert resolution_of(state, Source(), None) == Failed("there is nobody to ask")
    seen: list[tuple[str, str]] = []

    def second(condition: str, text: str) -> bool:
        seen.append((condition, text))
        raise OSError("down")

    assert resolution_of(state, Source(), second) == Failed("the judge raised OSError('down')")
    assert seen == [("named holds", NOTES)]


def test_no_judge_is_asked_about_an_atom_without_a_text() -> None:
    """The kernel comes to no such state; if it did, nothing would be admitted."""
    asked = AttestRequest("a", True, QUOTE, MODEL)
    state = replace(waiting(judging=True), judging=asked, seal=SEAL)
    assert resolution_of(state, Source(), lambda *_: True) == Failed("there is nobody to ask")
    with pytest.raises(InvariantViolation, match="no attestation waits for the second judge"):
        judge(state, Judged(True))
