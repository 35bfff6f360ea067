"""Policies where texts are judged, fields are uncertain and constraints imply: all end, closed."""

from __future__ import annotations

from typing import Any

import pytest

from licet import (
    AnswerKind,
    AttestRequest,
    Check,
    CheckRequest,
    InvalidInput,
    RetractRequest,
    Review,
    StopRequest,
)
from licet_bindings.documents import build_document, commit_document
from licet_bindings.locating import TrueLocator, true_locator, true_places
from licet_bindings.policies import POLICIES, ceiling, guided, policy_named, run_policy
from licet_bindings.records.resolver import record_resolver
from licet_bindings.reviewing import review_record
from tests.bindings.evidence import PROGRAM, RECORD, changed
from tests.bindings.programs import Json, put

DOCUMENT = build_document(PROGRAM)
ATTESTED = (
    AttestRequest("package", True, "crash in libfoo"),
    AttestRequest("fixed", True, "version 1.2.3"),
)

SEARCHED = build_document(
    {
        "licet": 1,
        "conclusions": [
            {"id": "one", "says": "One is there.", "utility": 1},
            {"id": "both", "says": "Both are there.", "utility": 2},
        ],
        "atoms": {
            "a": {"says": "a is there", "fields": ["a1", "a2", "a3"], "test": "exists"},
            "b": {"says": "b is there", "fields": ["b1", "b2", "b3"], "test": "exists"},
        },
        "routes": {"one": [["a"]], "both": [["a", "b"]]},
        "budget": 10,
    }
)


def reads(policy: Json, record: dict[str, Any], **more: Json) -> tuple[list[str], tuple[str, ...]]:
    """Return the candidates that were asked for, and what is reported."""
    reviewed = review_record(SEARCHED, record, policy=policy, **more)
    asked = [e.event.candidate for e in reviewed.history if isinstance(e.event, CheckRequest)]
    return asked, reviewed.outcome.conclusions


def test_blind_enumeration_reads_candidates_as_listed() -> None:
    record = {"a3": 1, "b2": 1}
    expected = ["a1", "a2", "a3", "b1", "b2"], ("both",)
    assert reads("blind", record) == reads("ceiling", record) == expected
    assert review_record(SEARCHED, record, policy="blind").outcome.spent == 5
    # One charge each: with four calls the fifth read cannot be made.
    assert reads("blind", record, budget=4) == (["a1", "a2", "a3", "b1"], ("one",))


def test_a_true_locator_reads_where_it_is() -> None:
    record = {"a3": 1, "b2": 1}
    assert true_places(SEARCHED, record) == {"a": "a3", "b": "b2"}
    assert true_places(commit_document(SEARCHED), record) == {"a": "a3", "b": "b2"}
    assert reads("locator", record, budget=2) == (["a3", "b2"], ("both",))
    assert reads(TrueLocator({"a": "a3"}), record) == (["a3", "b1", "b2"], ("both",))


def test_a_locator_that_is_told_wrongly_goes_on_as_listed() -> None:
    wrong = TrueLocator({"a": "a2", "b": "b3"})
    assert reads(wrong, {"a3": 1, "b2": 1}) == (["a2", "a1", "a3", "b3", "b1", "b2"], ("both",))


def test_where_nothing_is_there_all_candidates_are_read() -> None:
    assert true_places(SEARCHED, {"a1": None, "b1": []}) == {"b": "b1"}
    for policy in ("blind", "locator", "guided"):
        # Exhausted, a is false, and b decides nothing any more.
        assert reads(policy, {})[0] == ["a1", "a2", "a3"]


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"a": "a4"}, "places.a: expected one of a1, a2, a3, found"),
        ({"c": "a1"}, "places.c: no atom of this name has candidate fields"),
        ({"a": ""}, "places.a: expected one of a1, a2, a3, found"),
    ],
)
def test_a_locator_is_told_candidates_only(places: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        reads(TrueLocator(places), {"a1": 1})


def test_the_locator_policy_is_made_for_a_record() -> None:
    with pytest.raises(InvalidInput, match="policy: the locator policy is made for a record"):
        policy_named("locator")
    assert isinstance(true_locator(DOCUMENT, RECORD), TrueLocator)


def test_an_agent_chooses_where_to_look_and_completion_does_the_rest() -> None:
    record = {"a3": 1, "b2": 1}
    review = Review(commit_document(SEARCHED), record_resolver(SEARCHED, record), budget=10)
    # It guesses that what is last in the list is right, once for each atom, and then gives up.
    assert review.check("a", "a3").values == (("a", True),)
    assert review.check("b", "b3").kind is AnswerKind.INCONCLUSIVE
    assert [review.stop().kind for _ in range(4)][-1] is AnswerKind.ENDED
    outcome = review.outcome
    # Completion reads b1 and then b2; b3 was read before and is not read again.
    assert outcome.conclusions == ("both",)
    assert outcome.spent == 4
    alone = Review(
        commit_document(SEARCHED), record_resolver(SEARCHED, record), budget=10, completion=False
    )
    alone.check("a", "a3")
    ends = [alone.stop().kind for _ in range(4)]
    assert ends == [AnswerKind.REMINDED] * 3 + [AnswerKind.ENDED]
    assert alone.outcome.conclusions == ("one",)


def test_the_better_guess_is_worth_more_under_a_tight_budget() -> None:
    record = {"a3": 1, "b3": 1}
    table = ((2, (), ("both",)), (4, ("one",), ("both",)), (6, ("both",), ("both",)))
    for budget, blind, told in table:
        assert reads("blind", record, budget=budget)[1] == blind
        assert reads("locator", record, budget=budget)[1] == told


def failing(broken: set[str]) -> Json:
    resolver = record_resolver(SEARCHED, {"a3": 1, "b1": 1})

    def resolve(check: Check) -> Json:
        if check.candidates[0] in broken:
            raise ConnectionError(check.candidates[0])
        return resolver(check)

    return resolve


def test_a_candidate_whose_read_fails_is_left_to_completion() -> None:
    review = Review(commit_document(SEARCHED), failing({"a2"}), budget=20)
    outcome = run_policy(review, ceiling)
    asked = [e.event.candidate for e in review.history if isinstance(e.event, CheckRequest)]
    assert asked == ["a1", "a2", "a3", "b1"]
    assert outcome.conclusions == ("both",)


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize("completion", [True, False])
def test_a_review_whose_candidates_all_fail_ends(name: str, completion: bool) -> None:
    places = {"a1", "a2", "a3", "b1", "b2", "b3"}
    review = Review(commit_document(SEARCHED), failing(places), budget=50, completion=completion)
    outcome = run_policy(review, policy_named(name))
    assert outcome.conclusions == ()
    # Each once by the policy and once by completion, at most.
    assert len(outcome.failures) <= 12


@pytest.mark.parametrize("name", [*sorted(POLICIES), "locator"])
def test_no_policy_reads_a_text_or_attests(name: str) -> None:
    reviewed = review_record(DOCUMENT, RECORD, policy=name)
    asked = {e.event.check for e in reviewed.history if isinstance(e.event, CheckRequest)}
    assert "text:details" not in asked
    assert not any(isinstance(e.event, AttestRequest) for e in reviewed.history)
    assert reviewed.outcome.conclusions == ("described",)


@pytest.mark.parametrize("name", [*sorted(POLICIES), "locator"])
def test_what_was_attested_before_counts(name: str) -> None:
    reviewed = review_record(DOCUMENT, RECORD, policy=name, statements=ATTESTED)
    assert reviewed.outcome.conclusions == ("classified",)


def test_a_policy_counts_what_the_constraints_imply() -> None:
    content = changed(put("routes", "described", value=[["details", "url"]]))
    for name in ("located", "classified"):
        content["routes"][name][0].insert(1, "url")
    reviewed = review_record(build_document(content), RECORD, statements=ATTESTED)
    asked = [e.event.check for e in reviewed.history if isinstance(e.event, CheckRequest)]
    # A URL implies the reference, so there is no call for it.
    assert asked == ["text:details", "details", "url", "cwe", "cwe"]
    assert reviewed.outcome.conclusions == ("classified",)


CONTRADICTED = build_document(
    changed(put("constraints", value=[["!url", "reference"], ["!package", "!details"]]))
    | {"routes": {"described": [["details"]], "located": [["details", "fixed"]]}}
    | {"conclusions": PROGRAM["conclusions"][:2]}
)


@pytest.mark.parametrize("name", [*sorted(POLICIES), "locator"])
def test_a_contradiction_authorizes_nothing_and_ends(name: str) -> None:
    reviewed = review_record(CONTRADICTED, RECORD, policy=name, statements=ATTESTED)
    outcome = reviewed.outcome
    if outcome.suspension is not None:
        assert outcome.authorized == outcome.conclusions == ()
        assert [each.atom for each in outcome.suspension.attestations] == ["package"]
    else:
        # Constraints imply that details is false: the policy has nothing to aim at.
        assert outcome.conclusions == ()


def test_an_attestation_that_was_retracted_is_no_target_any_more() -> None:
    retracted = (*ATTESTED, RetractRequest("fixed"))
    reviewed = review_record(DOCUMENT, RECORD, statements=retracted)
    assert reviewed.outcome.conclusions == ("described",)
    again = (*retracted, AttestRequest("fixed", True, "version 1.2.3"))
    assert review_record(DOCUMENT, RECORD, statements=again).outcome.conclusions == ("classified",)


def test_guided_stops_where_only_judgements_are_missing() -> None:
    review = Review(commit_document(DOCUMENT), record_resolver(DOCUMENT, RECORD), budget=20)
    review.check("details")
    assert review.guidance is not None
    assert review.guidance.attest == ("package", "fixed")
    assert guided(review) == StopRequest()
