"""From premises to candidates: supports, refusals, verifiers, and what the gate makes of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import Candidate, Claim, FailureMode, Gate, InvalidInput, Loss, Premise
from licet.beliefs import compile_candidate, loss
from licet_bindings.gate.documents import CandidateDocument
from licet_bindings.premises.candidates import candidate_from, candidate_tree
from licet_bindings.premises.criticality import MAX_BESIDE, critical_claims, notions_of
from licet_bindings.premises.memories import Memories, build_memories
from tests.premises.worlds import ALL, contracts, fault, found, memories


def made(remembered: Memories = ALL, **options: Any) -> CandidateDocument:  # noqa: ANN401
    by = contracts()
    return candidate_from(found(remembered=remembered, **options), by, remembered)


def several(*entries: tuple[object, float]) -> Memories:
    """Several memories of the number, beside the others."""
    rest = memories(cellular=True, wifi=True, consent=True)
    numbers = {
        f"n{index}": {"target": "number", "value": value, "error": error}
        for index, (value, error) in enumerate(entries)
    }
    others = {name: dict(entry.tree) for name, entry in rest.entries.items()}
    return build_memories({"licet": 1, "memories": {**numbers, **others}})


@pytest.mark.parametrize(
    ("entries", "memory", "contradicts", "violation"),
    [
        ([("X", 0.2)], "n0", False, "0.2"),
        ([("X", 0.2), ("X", 0.1)], "n1", False, "0.1"),
        ([("Y", 0.2)], "n0", True, "0.8"),
        ([("X", 0.2), ("Y", 0.9)], "n0", False, "0.2"),
        ([("X", 0.05), ("Y", 0.3)], "n1", True, "0.7"),
        ([("X", 0.5), ("Y", 0.5)], "n0", False, "0.5"),
        # A value that is no text is no such number.
        ([(5, 0.2), ("X", 0.3)], "n0", True, "0.8"),
    ],
)
def test_a_premise_rests_on_the_side_that_violates_it_more_likely(
    entries: list[tuple[object, float]], memory: str, contradicts: bool, violation: str
) -> None:
    support = found(remembered=several(*entries)).premises[0].support
    assert support.memory is not None
    assert (support.memory.identifier, support.contradicts) == (memory, contradicts)
    assert support.violation == Fraction(violation)


def test_the_premise_of_a_contradicting_memory_is_violated_when_that_is_right() -> None:
    candidate = made(several(("Y", 0.2))).candidate
    assert candidate.premises[0] == Premise("to", "n0", contradicts=True)
    decision = Gate(candidate, budget=0).decide()
    assert decision.kind.value == "abstain"


def test_a_joint_premise_asks_for_no_new_plan_alone() -> None:
    known = memories(number="X", cellular=(False, 0.01), wifi=True, consent=(True, 0.01))
    by_name = {premise.identifier: premise for premise in made(known).candidate.premises}
    assert not by_name["cellular_on"].required and not by_name["wifi_on"].required
    assert by_name["to"].required and by_name["allowed"].required
    assert Gate(made(known).candidate, budget=0).decide().kind.value != "replan"


def test_what_is_not_remembered_needs_a_stated_probability() -> None:
    known = memories(number="X", cellular=True, wifi=True)
    result = found(remembered=known)
    assert result.unremembered == ("allowed",)
    by = contracts()
    message = fault(lambda: candidate_from(result, by, known))
    assert message.startswith("memories: no memory of consent tells whether allowed holds")
    stated = contracts(lambda content: content.update(unremembered=0.25))
    result = found(remembered=known, by=stated)
    claims = {c.identifier: c.error for c in candidate_from(result, stated, known).candidate.claims}
    assert claims["unremembered/1"] == Fraction(1, 4)


def test_what_a_condition_cannot_be_told_of_counts_as_not_remembered() -> None:
    def counted(content: dict[str, Any]) -> None:
        allowed = content["tools"]["send"]["preconditions"]["allowed"]
        allowed.update(test="at_least", value=3)

    result = found(remembered=ALL, by=contracts(counted))
    assert result.unremembered == ("allowed",)


def test_no_candidate_where_a_step_breaks_a_premise() -> None:
    result = found(("set_wifi", {"on": False}))
    message = fault(lambda: candidate_from(result, contracts(), ALL))
    assert message == "prefix: step 1 before it, set_wifi, sets wifi so that wifi_on fails"


def test_no_candidate_of_what_commits_nothing_or_rests_on_nothing() -> None:
    by = contracts()
    idle = found(tool="look", arguments={})
    assert "commits nothing" in fault(lambda: candidate_from(idle, by, ALL))
    alone = found(tool="charge", arguments={})
    assert "nothing is known" in fault(lambda: candidate_from(alone, by, ALL))


def test_verifiers_cover_memories_and_what_else_they_tell_of_is_a_claim() -> None:
    candidate = made().candidate
    covers = {verifier.identifier: verifier.covers for verifier in candidate.verifiers}
    assert covers == {
        "ask": ("of_number", "of_weather"),
        "read": ("of_cellular", "of_wifi"),
        "look_up": ("of_number",),
    }
    assert {claim.identifier for claim in candidate.claims} >= {"of_weather"}
    # One that tells of no premise is left out.
    only = made(tool="set_wifi", arguments={"on": True}).candidate
    assert only.verifiers == ()


def test_numbers_are_those_of_the_documents() -> None:
    def odd(content: dict[str, Any]) -> None:
        content["tools"]["send"]["failure_modes"][0]["impact"] = 0.1
        content["budget"] = 2.5

    by = contracts(odd)
    known = memories(number=("X", 0.123456), cellular=True, wifi=True, consent=True)
    tree = candidate_tree(found(remembered=known, by=by), by, known)
    document = candidate_from(found(remembered=known, by=by), by, known)
    assert document.candidate.failure_modes[0].impact == Fraction(1, 10)
    assert document.candidate.claims[0].error == Fraction(123456, 10**6)
    assert document.budget == Fraction(5, 2)
    assert tree["loss"] == by.tree["loss"]


def test_a_draw_and_words_for_people_go_to_the_claim() -> None:
    stated = {"value": True, "error": 0.1, "draw": "settings", "says": "it is on", "source": "tool"}
    known = {
        "of_number": {"target": "number", "value": "X", "error": 0.1},
        "of_cellular": {"target": "cellular", **stated},
        "of_wifi": {"target": "wifi", **stated},
        "of_consent": {"target": "consent", "value": True, "error": 0.1},
    }
    candidate = made(build_memories({"licet": 1, "memories": known})).candidate
    drawn = [claim for claim in candidate.claims if claim.draw == "settings"]
    assert [claim.sentence for claim in drawn] == ["it is on"] * 2


def test_the_three_notions_nest() -> None:
    result = found()
    notions = notions_of(result, ALL, made().candidate)
    assert set(notions.relevant) == set(ALL.entries)
    assert set(notions.action_supporting) == {"of_number", "of_cellular", "of_wifi", "of_consent"}
    assert set(notions.critical) <= set(notions.action_supporting) < set(notions.relevant)


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    names = "abcd"[: draw(st.integers(1, 4))]
    premises = [
        Premise(f"p{index}", draw(st.sampled_from(names)), contradicts=draw(st.booleans()))
        for index in range(draw(st.integers(1, 5)))
    ]
    listed = [premise.identifier for premise in premises]
    modes = [
        FailureMode(
            draw(st.lists(st.sampled_from(listed), min_size=1, max_size=3, unique=True)),  # type: ignore[arg-type]
            draw(st.integers(0, 3)),
            draw(st.sampled_from(["", "g", "h"])),
        )
        for _ in range(draw(st.integers(1, 5)))
    ]
    claims = tuple(Claim(name, Fraction(1, 3)) for name in names)
    return Candidate("act", claims, tuple(premises), tuple(modes), (), Loss(1, 0))


@given(candidates(), st.integers(0, 2))
def test_critical_is_what_changes_the_loss_in_some_state(
    candidate: Candidate, material: int
) -> None:
    """Against all states, one by one."""
    model, names = compile_candidate(candidate), [claim.identifier for claim in candidate.claims]
    changes = {
        (index, z): abs(loss(model, z | 1 << index) - loss(model, z & ~(1 << index)))
        for index, z in product(range(len(names)), range(1 << len(names)))
    }
    expected = {names[index] for (index, _), change in changes.items() if change > material}
    assert set(critical_claims(candidate, material=material)) == expected
    for z in range(1 << len(names)):
        wrong = {name for index, name in enumerate(names) if z >> index & 1}
        here = {names[index] for index in range(len(names)) if changes[index, z] > material}
        assert set(critical_claims(candidate, material=material, wrong=wrong)) == here


def test_what_is_too_large_or_unknown_is_refused() -> None:
    names = [f"c{number}" for number in range(MAX_BESIDE + 2)]
    candidate = Candidate(
        "act",
        tuple(Claim(name, 0, draw="one") for name in names),
        tuple(Premise(name, name) for name in names),
        (FailureMode(tuple(names), 1),),
        (),
        Loss(1, 0),
    )
    with pytest.raises(InvalidInput, match="decides with 17 others"):
        critical_claims(candidate)
    with pytest.raises(InvalidInput, match="no claim is named 'd'"):
        critical_claims(candidate, wrong={"d"})
