"""What an extractor proposes: what is taken, what is refused, and how it fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.premises.candidates import candidate_from
from licet_bindings.premises.contracts import Mode
from licet_bindings.premises.extracting import MAX_PROPOSALS
from licet_bindings.premises.filtering import CounterfactualFilter
from licet_bindings.premises.finding import FoundPremises, Origin
from tests.premises.worlds import ALL, contracts, fault, found, modes, names

RULES = ["to", "cellular_on", "wifi_on", "allowed"]
WEATHER = {"name": "dry", "memory": "of_weather", "dependency": "transitive"}


def proposing(*proposals: object, **options: Any) -> FoundPremises:  # noqa: ANN401
    return found(extractor=lambda action, contracts, memories: list(proposals), **options)


REFUSED: list[tuple[object, str]] = [
    ("weather", "expected an object, found"),
    (None, "expected an object"),
    ({"name": "a"}, "dependency: expected this key"),
    ({**WEATHER, "name": "a b"}, "name: expected an identifier"),
    ({**WEATHER, "dependency": "vague"}, "dependency: expected 'direct', 'transitive' or 'joint'"),
    ({**WEATHER, "impact": 0}, "impact: unknown key"),
    ({**WEATHER, "memory": None}, "memory: expected"),
    ({**WEATHER, "memory": "of_weathre"}, "memory: no memory is named 'of_weathre'; did you mean"),
    ({**WEATHER, "verifier": "asks"}, "verifier: no verifier is named 'asks'; did you mean ask?"),
    ({**WEATHER, "target": "moon"}, "target: no target is named 'moon'"),
    ({"name": "a", "dependency": "direct"}, "expected a memory, a verifier or a public target"),
    (
        {"name": "a", "dependency": "direct", "verifier": "ask"},
        "what it names leave open which target it is",
    ),
    ({**WEATHER, "target": "wifi"}, "what it names are about different targets"),
    ({**WEATHER, "value": "rain"}, "test: expected a test"),
    ({**WEATHER, "test": "equal", "value": 1}, "test: expected"),
    ({**WEATHER, "test": "at_least", "value": "a"}, "value: "),
    ({**WEATHER, "test": "equals", "value": float("nan")}, "value: "),
    ({**WEATHER, "dependency": "joint"}, "beside: expected names for a joint premise"),
    ({**WEATHER, "beside": ["to"]}, "beside: expected names for a joint premise, and for no other"),
    ({**WEATHER, "dependency": "joint", "beside": ["no"]}, "beside: expected names of other prem"),
    ({**WEATHER, "dependency": "joint", "beside": ["dry"]}, "beside: expected names of other prem"),
    ({**WEATHER, "name": "to"}, "another premise has this name"),
]


@pytest.mark.parametrize(("proposal", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_is_refused_is_kept_with_its_reason_and_the_rest_is_taken(
    proposal: object, reason: str
) -> None:
    other = {"name": "other", "target": "router", "dependency": "transitive"}
    result = proposing(proposal, other)
    [refused] = result.refused
    assert refused.reason.startswith(reason)
    assert names(result) == [*RULES, "other"]
    assert not result.failure


def test_a_proposal_grounds_to_a_memory_a_verifier_or_a_target() -> None:
    by_verifier = {"name": "v", "verifier": "look_up", "dependency": "direct", "test": "exists"}
    by_target = {"name": "t", "target": "router", "dependency": "transitive"}
    result = proposing(WEATHER, by_verifier, by_target)
    targets = {each.name: each.condition.target for each in result.premises[len(RULES) :]}
    assert targets == {"dry": "weather", "v": "number", "t": "router"}
    assert {"dry"} in modes(result) and {"v"} in modes(result) and {"t"} in modes(result)


def test_what_the_rules_found_too_is_theirs() -> None:
    same = {"name": "connected", "target": "cellular", "dependency": "direct"}
    result = proposing({**same, "test": "equals", "value": True})
    assert names(result) == RULES
    assert result.premises[1].origins == (Origin.RULES, Origin.EXTRACTOR)
    assert result.premises[1].dependency.value == "joint"
    assert modes(result) == modes(found())
    # Another thing asked of the same target is another premise.
    assert names(proposing({**same, "test": "differs", "value": 3})) == [*RULES, "connected"]


def test_joint_premises_may_name_each_other_and_what_was_merged() -> None:
    joint = {"dependency": "joint"}
    one = {**joint, "name": "one", "memory": "of_weather", "beside": ["two"]}
    two = {**joint, "name": "two", "memory": "of_router", "beside": ["one"]}
    assert modes(proposing(one, two))[3:] == [{"one", "two"}]
    merged = {"name": "two", "target": "consent", "dependency": "transitive"}
    assert modes(proposing(one, merged))[3:] == [{"one", "allowed"}]
    # Where the other is refused, so is what only matters together with it.
    result = proposing(one, {**two, "beside": ["nobody"]})
    assert [refused.proposal for refused in result.refused] == ["two", "one"]
    assert names(result) == RULES


def test_what_matters_alone_is_no_joint_premise_whoever_says_so_too() -> None:
    joint = {"name": "one", "memory": "of_weather", "dependency": "joint", "beside": ["to"]}
    for proposals in ((joint, WEATHER), (WEATHER, joint)):
        result = proposing(*proposals)
        assert names(result) == [*RULES, "dry"]
        assert modes(result)[3:] == [{"dry"}]


def test_a_proposed_premise_costs_what_the_contracts_say_or_the_worst() -> None:
    assert proposing(WEATHER).modes[-1].impact == 10
    by = contracts(lambda content: content.update(proposed={"impact": 2, "group": "odd"}))
    assert proposing(WEATHER, by=by).modes[-1] == Mode(("dry",), Fraction(2), "odd")


def raising(*anything: object) -> list[object]:
    raise SystemError("no model")


def endless(*anything: object) -> Iterator[object]:
    while True:
        yield WEATHER


def hanging(*anything: object) -> list[object]:
    threading.Event().wait(5)
    return [WEATHER]


FAILING = {
    "raises": (raising, "the extractor failed: SystemError('no model')"),
    "hangs": (hanging, "the extractor failed: TimeoutError("),
    "never ends": (endless, f"the extractor failed: it proposed more than {MAX_PROPOSALS}"),
    "gives text": (lambda *anything: "dry", "the extractor failed: InvalidInput("),
    "gives one": (lambda *anything: WEATHER, "the extractor failed: InvalidInput("),
    "gives nothing": (lambda *anything: None, "the extractor failed: TypeError("),
}


@pytest.mark.parametrize(("extractor", "failure"), FAILING.values(), ids=FAILING)
def test_an_extractor_that_fails_takes_nothing_away_and_makes_no_candidate(
    extractor: Any,  # noqa: ANN401
    failure: str,
) -> None:
    result = found(extractor=extractor, seconds=0.2)
    assert result.failure.startswith(failure)
    assert names(result)[: len(RULES)] == RULES
    by = contracts()
    assert "premises may be missing" in fault(lambda: candidate_from(result, by, ALL))
    made = candidate_from(result, by, ALL, without_extractor=True)
    assert len(made.candidate.premises) >= len(RULES)


def test_an_extractor_sees_what_is_public_and_what_was_retrieved() -> None:
    seen: list[object] = []
    found(extractor=lambda *given: seen.extend(given) or [])
    assert [type(each).__name__ for each in seen] == ["PlannedAction", "Contracts", "Memories"]


KEYS = ("name", "memory", "verifier", "target", "test", "value", "dependency", "beside", "says")
WORDS = ("dry", "to", "of_weather", "ask", "look_up", "cellular", "equals", "joint", "direct", "")
LEARNED = CounterfactualFilter(1, {("send", "weather"): 1, ("send", "cellular"): 1})


@given(
    st.lists(
        st.one_of(
            st.dictionaries(
                st.sampled_from(KEYS),
                st.one_of(
                    st.sampled_from(WORDS), st.lists(st.sampled_from(WORDS), max_size=2), st.none()
                ),
            ),
            st.recursive(st.none() | st.floats() | st.text(max_size=3), st.lists, max_leaves=3),
        ),
        max_size=6,
    ),
    st.sampled_from([None, LEARNED]),
)
def test_whatever_is_proposed_the_rules_stand(
    proposals: list[object], learned: CounterfactualFilter | None
) -> None:
    result = proposing(*proposals, filter=learned)
    alone = found()
    assert names(result)[: len(RULES)] == RULES
    assert result.modes[: len(alone.modes)] == alone.modes
    assert not result.failure
    known = set(names(result))
    assert all(set(mode.names) <= known for mode in result.modes)
    assert known == {name for mode in result.modes for name in mode.names}
    assert candidate_from(result, contracts(), ALL).candidate.premises
