"""What the hash of a document's program covers: everything but key order, budget and priors."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_bindings.documents import build_document, commit_document, parse_document
from licet_bindings.records.field_tests import FieldTest, committed_tests
from licet_bindings.records.paths import parse_path
from licet_bindings.records.predicates import make_predicate
from tests.bindings.programs import ADVISORY, Alter, Json, altered, append, drop, put


def sha256(content: dict[str, Any]) -> str:
    return commit_document(build_document(content)).sha256


BASE = sha256(ADVISORY)


def shuffled(value: Json, draw: st.DataObject) -> Json:
    """Return the same JSON value with the keys of every object in another order."""
    if isinstance(value, list):
        return [shuffled(item, draw) for item in value]
    if isinstance(value, dict):
        keys = draw.draw(st.permutations(list(value)))
        return {key: shuffled(value[key], draw) for key in keys}
    return value


@given(st.data())
def test_the_order_of_keys_does_not_count(data: st.DataObject) -> None:
    assert sha256(shuffled(ADVISORY, data)) == BASE


@given(st.data())
def test_the_order_of_keys_does_not_change_a_review(data: st.DataObject) -> None:
    from licet_bindings.reviewing import review_record
    from tests.bindings.programs import RECORD

    budget = data.draw(st.integers(0, 10))
    policy = data.draw(st.sampled_from(["guided", "ceiling", "random"]))
    turned = build_document(shuffled(ADVISORY, data))
    one = review_record(build_document(ADVISORY), RECORD, budget=budget, policy=policy)
    other = review_record(turned, RECORD, budget=budget, policy=policy)
    assert one.outcome.conclusions == other.outcome.conclusions
    assert one.outcome.ledger == other.outcome.ledger
    assert one.outcome.spent == other.outcome.spent


@given(
    st.integers(0, 10**6) | st.decimals(0, 1000, places=3),
    st.dictionaries(
        st.sampled_from(list(ADVISORY["atoms"])), st.fractions(0, 1, max_denominator=1000)
    ),
)
def test_budget_and_priors_do_not_count(budget: object, priors: dict[str, float]) -> None:
    def alter(content: dict[str, Any]) -> None:
        content["budget"] = budget
        for name, prior in priors.items():
            content["atoms"][name]["prior"] = float(prior)

    document = build_document(altered(alter))
    assert commit_document(document).sha256 == BASE
    assert dict(document.priors).keys() >= priors.keys()
    assert sha256(altered(drop("budget"))) == BASE


SAME: list[Alter] = [
    put("conclusions", 2, "utility", value=100.0),
    put("checks", "first_reference", "cost", value=1.0),
    drop("checks", "first_reference", "cost"),
    put("checks", "first_reference", "settles", value=["url", "advisory"]),
    put("atoms", "url", "field", value="/references/0/url"),
    put("order", value=[["described", "ready"], ["ready", "complete"]]),
    drop("constraints"),
    drop("order"),
    put("checks", "details", value={"settles": ["details"]}),
]


@pytest.mark.parametrize("alter", SAME, ids=range(len(SAME)))
def test_another_way_to_write_the_same_does_not_count(alter: Alter) -> None:
    assert sha256(altered(alter)) == BASE


def test_numbers_that_are_equal_are_hashed_alike_and_others_are_not() -> None:
    def tested(number: str) -> str:
        text = json.dumps(ADVISORY).replace('"value": "ADVISORY"', f'"value": [{number}]')
        return commit_document(parse_document(text)).sha256

    assert tested("1") == tested("1.0") == tested("10e-1")
    assert tested("0") == tested("0.0") == tested("-0.0") == tested("-0")
    assert tested("9007199254740993") != tested("9007199254740992") == tested("9007199254740992.0")
    assert len({tested("1"), tested("true"), tested('"1"'), tested("[1]"), tested("1.5")}) == 5


def _swap(content: list[Any], first: int, second: int) -> None:
    content[first], content[second] = content[second], content[first]


OTHER: dict[str, Alter] = {
    "request": put("request", value="Is it?"),
    "identifier": lambda c: json_replace(c, "described", "told"),
    "sentence of a conclusion": put("conclusions", 0, "says", value="It has one."),
    "utility": put("conclusions", 0, "utility", value=33.4),
    "utility, slightly": put("conclusions", 2, "utility", value=100.00000001),
    "atom's name": lambda c: json_replace(c, "cwe", "weakness"),
    "atom's sentence": put("atoms", "cwe", "says", value="a weakness exists"),
    "field": put("atoms", "url", "field", value="references.1.url"),
    "field, by a dot": put("atoms", "url", "field", value="/references.0.url"),
    "test": put("atoms", "url", "test", value="absent"),
    "value": put("atoms", "advisory", "value", value="advisory"),
    "value of another kind": put("atoms", "reviewed", "value", value=1),
    "date format": put("atoms", "recent", "date_format", value="%Y-%m-%d"),
    "further atom": put("atoms", "more", value=ADVISORY["atoms"]["url"]),
    "polarity": put("routes", "complete", 0, 4, value="withdrawn"),
    "further literal": append("routes", "complete", 0, value="url"),
    "further route": append("routes", "ready", value=["details", "cwe"]),
    "order of routes": lambda c: _swap(c["routes"]["ready"], 0, 1),
    "order of literals": lambda c: _swap(c["routes"]["complete"][0], 1, 2),
    "cost": put("checks", "first_reference", "cost", value=1.5),
    "check's name": lambda c: json_replace(c, "first_reference", "first_link"),
    "call classes": drop("checks", "first_reference"),
    "further check": put("checks", "more", value={"settles": ["url", "cwe"]}),
    "strength order": put("order", value=[["described", "ready"], ["described", "complete"]]),
}


def json_replace(content: dict[str, Any], old: str, new: str) -> None:
    """Rename an identifier wherever it stands."""
    text = json.dumps(content).replace(f'"{old}"', f'"{new}"')
    content.clear()
    content.update(json.loads(text))


@pytest.mark.parametrize("change", OTHER)
def test_any_other_change_counts(change: str) -> None:
    content = copy.deepcopy(ADVISORY)
    OTHER[change](content)
    assert sha256(content) != BASE


VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
).filter(lambda value: "\\ud" not in json.dumps(value))


@given(
    st.lists(st.text(min_size=1).filter(lambda s: "\\ud" not in json.dumps(s)), min_size=1),
    VALUES,
    st.sampled_from(["equals", "differs"]),
)
def test_a_binding_reads_back_as_the_test_that_it_states(
    segments: list[str], value: Json, test: str
) -> None:
    written = FieldTest(tuple(segments), make_predicate(test, value))
    again = FieldTest.from_binding(written.binding)
    assert again == written
    assert again.binding == written.binding


@given(VALUES, VALUES)
def test_bindings_are_equal_exactly_when_the_tests_are(one: Json, other: Json) -> None:
    first = FieldTest(("a",), make_predicate("equals", one))
    second = FieldTest(("a",), make_predicate("equals", other))
    assert (first.binding == second.binding) == (first == second)


def test_a_commitment_alone_gives_the_tests() -> None:
    document = build_document(ADVISORY)
    assert dict(committed_tests(commit_document(document))) == dict(document.bindings)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"field": [1], "test": "exists"}', "null"])
def test_what_is_no_binding_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"binding|Expecting"):
        FieldTest.from_binding(text)


def test_paths_that_differ_in_form_alone_are_one() -> None:
    exists = make_predicate("exists")
    dotted, pointer = FieldTest(parse_path("a.0"), exists), FieldTest(parse_path("/a/0"), exists)
    assert dotted.binding == pointer.binding
