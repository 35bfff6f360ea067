"""Conclusions that are no chain: each maximal one is a finding of its own, with its route."""

from __future__ import annotations

import pytest

from licet import (
    AnswerKind,
    AttestRequest,
    Check,
    CheckKind,
    Commitment,
    Conclusion,
    Program,
    Review,
    Route,
    Support,
    commit,
    denote,
    render,
    replay,
)
from tests.core.judged import MODEL, QUOTE, Source, constrained, judged, opened
from tests.core.programs import specification

CONCLUSIONS = (
    Conclusion("base", "It is read.", 1),
    Conclusion("left", "The left holds.", 5),
    Conclusion("right", "The right holds.", 7),
    Conclusion("apart", "It stands apart.", 3),
)


def branches(*clauses: str) -> Commitment:
    """Left and right are above base, by a; apart is compared with none of them."""
    made = specification(
        "a b d e",
        conclusions=CONCLUSIONS,
        order=(("base", "left"), ("base", "right")),
    )
    routes = {
        "base": [["a"]],
        "left": [["a", "b"], ["a", "!e"]],
        "right": [["a", "d"]],
        "apart": [["e"]],
    }
    return commit(constrained(made, *clauses), Program.of(routes))


def reviewed(**values: bool) -> Review:
    return Review(branches(), Source(values), budget=20)


def test_every_maximal_conclusion_is_reported_with_its_own_route() -> None:
    review = reviewed()
    for atom in "abde":
        review.check(atom)
    outcome = review.close()
    assert outcome.conclusions == ("left", "right", "apart")
    assert outcome.authorized == ("base", "left", "right", "apart")
    assert outcome.supports == (
        Support("base", Route.of("a")),
        Support("left", Route.of("a", "b")),
        Support("right", Route.of("a", "d")),
        Support("apart", Route.of("e")),
    )
    assert outcome.utility == 7
    report = render(outcome)
    assert denote(report) == {"base", "left", "right", "apart"}
    findings = [line for line in report.splitlines() if line.startswith("[")]
    assert [line.split()[0] + line.split()[2] for line in findings] == [
        "[left]reported:",
        "[right]reported:",
        "[apart]reported:",
        "[base]authorized",
    ]
    assert replay(review.commitment, 20, True, review.history) == outcome


@pytest.mark.parametrize(
    ("values", "conclusions", "utility"),
    [
        ({"a": True, "b": False, "d": False, "e": True}, ("base", "apart"), 3),
        ({"a": True, "b": True, "d": False, "e": False}, ("left",), 5),
        ({"a": True, "b": False, "d": True, "e": False}, ("left", "right"), 7),
        ({"a": False, "b": True, "d": True, "e": True}, ("apart",), 3),
        ({"a": False, "b": True, "d": True, "e": False}, (), 0),
    ],
)
def test_an_antichain_s_utility_is_the_greatest(
    values: dict[str, bool], conclusions: tuple[str, ...], utility: int
) -> None:
    review = reviewed(**values)
    for atom in values:
        review.check(atom)
    outcome = review.close()
    assert (outcome.conclusions, outcome.utility) == (conclusions, utility)


def test_a_report_of_any_authorized_conclusion_is_judged_by_itself() -> None:
    """Whether one is authorized does not depend on those listed before it."""
    review = reviewed(a=False)
    review.check("e")
    review.check("a")
    assert review.authorized == ("apart",)
    for name in ("base", "left", "right"):
        assert review.emit(name).kind is AnswerKind.UNAUTHORIZED
    assert review.emit("apart").kind is AnswerKind.ACCEPTED
    assert review.outcome.conclusions == ("apart",)


def test_hold_compares_with_the_greatest_that_is_authorized() -> None:
    review = reviewed()
    for atom in "ad":
        review.check(atom)
    # Right is worth most: that left and apart are open holds nothing back.
    assert review.guidance is None or not review.guidance.hold
    assert review.stop().kind is AnswerKind.ENDED
    assert (review.outcome.conclusions, review.spent) == (("right",), 2)
    review = reviewed()
    for atom in "ab":
        review.check(atom)
    assert review.guidance is not None
    assert (review.guidance.conclusion, review.guidance.hold) == ("right", True)
    assert review.emit("left").kind is AnswerKind.HELD


def test_the_accepted_conclusion_is_stated_though_others_are_maximal() -> None:
    review = reviewed()
    for atom in "ade":
        review.check(atom)
    assert review.emit("apart").kind is AnswerKind.ACCEPTED
    outcome = review.outcome
    assert (outcome.conclusions, outcome.utility) == (("apart",), 3)
    assert outcome.authorized == ("base", "right", "apart")
    assert denote(render(outcome)) == {"apart", "base", "right"}


def test_completion_goes_for_the_greatest_utility() -> None:
    source = Source({"d": False, "b": False})
    outcome = Review(branches(), source, budget=20).close(complete=True)
    # a and d for right; then b for left, then e, which opposes the other route of left.
    assert source.asked == ["a", "d", "b", "e"]
    assert (outcome.conclusions, outcome.utility) == (("base", "apart"), 3)


def test_constraints_and_judgements_on_branches() -> None:
    review = Review(branches("!d e"), Source({}), budget=20)
    review.check("a")
    review.check("d")
    # d implies e: apart holds, and the second route of left does not.
    assert review.authorized == ("base", "right", "apart")
    text = Check("notes", ("named", "severe"), 1, CheckKind.TEXT)
    commitment = judged(
        text=text,
        conclusions=CONCLUSIONS,
        order=(("base", "left"), ("base", "right")),
        routes={
            "base": [["a"]],
            "left": [["a", "named"]],
            "right": [["a", "!severe"]],
            "apart": [["!named"]],
        },
    )
    review = opened(commitment)
    review.check("a")
    review.check("notes")
    review.request(AttestRequest("named", True, QUOTE))
    assert review.authorized == ("base", "left")
    assert review.guidance is not None
    assert (review.guidance.conclusion, review.guidance.attest) == ("right", ("severe",))
    assert (review.guidance.cost, review.guidance.checks) == (1, ())
    review.retract("named", MODEL)
    review.request(AttestRequest("named", False, QUOTE))
    review.request(AttestRequest("severe", False, QUOTE))
    outcome = review.close()
    assert (outcome.conclusions, outcome.utility) == (("right", "apart"), 7)
    assert replay(commitment, 20, True, review.history) == outcome
