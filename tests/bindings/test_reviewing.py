"""Records reviewed under documents: the kinds of failure of the field, end to end."""

from __future__ import annotations

import copy
import itertools
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Check,
    InvalidInput,
    Ledger,
    Observation,
    Review,
    State,
    StopRequest,
    denote,
    render,
    replay,
)
from licet.compiled import bits
from licet.decisions import authorized
from licet.ledger import settle
from licet_bindings.documents import ReviewDocument, build_document, commit_document
from licet_bindings.records.reading import ReadRecord, UnreadableRecord
from licet_bindings.records.resolver import bounded, record_resolver
from licet_bindings.reviewing import (
    budget_of,
    cost_of_all_checks,
    review_record,
    review_records,
)
from tests.bindings.programs import ADVISORY, RECORD, Json, altered, drop, put

DOCUMENT = build_document(ADVISORY)


def without(*path: str | int) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    drop(*path)(record)
    return record


def test_a_record_is_reviewed() -> None:
    reviewed = review_record(DOCUMENT, RECORD)
    assert reviewed.outcome.conclusions == ("complete",)
    assert reviewed.outcome.spent == 6
    assert denote(render(reviewed.outcome)) == {"described", "ready", "complete"}
    events = [entry.event for entry in reviewed.history]
    again = replay(commit_document(DOCUMENT), 20, True, events)
    assert again.conclusions == ("complete",)


def test_a_commitment_is_reviewed_as_its_document_is() -> None:
    one = review_record(DOCUMENT, RECORD, budget=4)
    other = review_record(commit_document(DOCUMENT), RECORD, budget=4)
    assert one.history == other.history


@pytest.mark.parametrize(
    ("record", "conclusion"),
    [
        (RECORD, "complete"),
        ({**RECORD, "withdrawn": "2021-01-01"}, "ready"),
        ({**RECORD, "published": "2018"}, "ready"),
        ({**RECORD, "published": "soon"}, "ready"),
        (without("published"), "ready"),
        (without("database_specific", "cwe_ids"), "ready"),
        (without("database_specific"), "described"),
        ({**without("database_specific"), "references": [{"type": "ADVISORY", "url": 1}]}, "ready"),
        ({"details": " "}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("policy", ["guided", "ceiling", "random", "in-order"])
def test_every_policy_finds_what_a_record_supports(
    record: dict[str, Any], conclusion: str | None, policy: str
) -> None:
    outcome = review_record(DOCUMENT, record, policy=policy).outcome
    assert outcome.conclusions == (() if conclusion is None else (conclusion,))


def test_the_budget_is_the_callers_then_the_documents_then_the_cost_of_all_checks() -> None:
    unlimited = build_document(altered(drop("budget")))
    assert review_record(DOCUMENT, RECORD, budget=3).outcome.budget == 3
    assert review_record(DOCUMENT, RECORD).outcome.budget == 20
    assert review_record(unlimited, RECORD).outcome.budget == 7
    assert budget_of(unlimited) == cost_of_all_checks(commit_document(DOCUMENT)) == 7
    assert review_record(DOCUMENT, RECORD, budget=0).outcome.conclusions == ()


@pytest.mark.parametrize("budget", [-1, float("nan"), float("inf"), "5", True])
def test_a_budget_that_is_none_is_refused(budget: Json) -> None:
    with pytest.raises(InvalidInput, match="budget: expected a"):
        review_record(DOCUMENT, RECORD, budget=budget)


def test_an_argument_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match="policy: expected one of"):
        review_record(DOCUMENT, RECORD, policy="clever")
    with pytest.raises(InvalidInput, match="record: expected a JSON object"):
        review_record(DOCUMENT, [])  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="completion"):
        review_record(DOCUMENT, RECORD, completion="yes")  # type: ignore[arg-type]


def test_one_bad_record_does_not_stop_the_others() -> None:
    records: list[ReadRecord | UnreadableRecord] = [
        ReadRecord("a", RECORD),
        UnreadableRecord("b", "", "expected a JSON object, found a list"),
        ReadRecord("c", {}),
    ]
    found = list(review_records(DOCUMENT, records))
    assert [review.name for review in found] == ["a", "b", "c"]
    assert [isinstance(review.result, UnreadableRecord) for review in found] == [False, True, False]


def raises(check: Check) -> Json:
    raise ConnectionError("no network")


def hangs(check: Check) -> Json:
    Barrier(2).wait(0.5)


BROKEN: dict[str, Any] = {
    "raises": raises,
    "hangs": bounded(hangs, 0.01),
    "returns None": lambda check: None,
    "returns True": lambda check: True,
    "lacks a key": lambda check: {},
    "has one key more": lambda check: {**dict.fromkeys(check.settles, True), "more": True},
    "answers with 1": lambda check: dict.fromkeys(check.settles, 1),
    "answers with text": lambda check: dict.fromkeys(check.settles, "true"),
    "answers with None": lambda check: dict.fromkeys(check.settles),
    "answers with NaN": lambda check: dict.fromkeys(check.settles, float("nan")),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_check_establishes_nothing_and_is_charged(how: str) -> None:
    review = Review(commit_document(DOCUMENT), BROKEN[how], budget=3, completion=False)
    answer = review.check("first_reference")
    assert answer.kind is AnswerKind.FAILED
    assert answer.reason
    assert answer.charged == 1
    assert review.state("advisory") is review.state("url") is State.UNKNOWN
    assert review.emit("ready").kind is AnswerKind.UNAUTHORIZED
    assert review.close().conclusions == ()


def test_an_outage_is_told_apart_from_a_refusal() -> None:
    # A read that establishes nothing is an answer and ends the matter; a failure may be retried.
    outage = Review(commit_document(DOCUMENT), raises, budget=3)
    assert outage.check("reviewed").kind is AnswerKind.FAILED
    refusal = Review(commit_document(DOCUMENT), record_resolver(DOCUMENT, {}), budget=3)
    assert refusal.check("reviewed").kind is AnswerKind.RECORDED
    assert refusal.check("reviewed").kind is AnswerKind.CACHED


def test_two_threads_that_ask_for_the_same_check_run_it_once() -> None:
    threads = 8
    ran = []
    resolver = record_resolver(DOCUMENT, RECORD)

    def counting(check: Check) -> Json:
        ran.append(check.identifier)
        return resolver(check)

    review = Review(commit_document(DOCUMENT), counting, budget=5)
    barrier = Barrier(threads)

    def ask(_: int) -> AnswerKind:
        barrier.wait()
        return review.check("details").kind

    with ThreadPoolExecutor(threads) as pool:
        kinds = list(pool.map(ask, range(threads)))
    assert ran == ["details"]
    assert review.spent == 1
    assert sorted(kind.value for kind in kinds) == ["cached"] * (threads - 1) + ["recorded"]


def test_a_document_serves_many_threads() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: review_record(DOCUMENT, RECORD).outcome, range(50)))
    assert {outcome.conclusions for outcome in found} == {("complete",)}


LEDGERS = st.dictionaries(st.sampled_from(list(ADVISORY["atoms"])), st.booleans())


def auth(document: ReviewDocument, values: dict[str, bool]) -> set[str]:
    program = commit_document(document).compiled
    ledger = Ledger(tuple(Observation(atom, value, atom) for atom, value in values.items()))
    return {program.conclusions[i] for i in bits(authorized(program, settle(program, ledger)))}


def permuted(draw: st.DataObject) -> dict[str, Any]:
    """Return the program of the tests with routes, checks, atoms and literals in another order."""
    content = copy.deepcopy(ADVISORY)
    for name, routes in content["routes"].items():
        shuffled = draw.draw(st.permutations(routes))
        content["routes"][name] = [draw.draw(st.permutations(route)) for route in shuffled]
    for key in ("routes", "atoms", "checks"):
        content[key] = dict(draw.draw(st.permutations(list(content[key].items()))))
    pairs = [["described", "ready"], ["ready", "complete"]]
    content["order"] = draw.draw(st.permutations(pairs))
    content["conclusions"] = draw.draw(st.permutations(content["conclusions"]))
    return content


@given(st.data(), LEDGERS)
def test_the_order_of_routes_checks_and_atoms_does_not_change_what_is_authorized(
    data: st.DataObject, values: dict[str, bool]
) -> None:
    assert auth(build_document(permuted(data)), values) == auth(DOCUMENT, values)


@given(LEDGERS, st.data())
def test_deleting_an_observation_never_authorizes_more(
    values: dict[str, bool], data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(list(values) or [""])))
    fewer = {atom: value for atom, value in values.items() if atom in kept}
    assert auth(DOCUMENT, fewer) <= auth(DOCUMENT, values)


def one_atom(**content: object) -> ReviewDocument:
    atom = {"says": "the field passes", "field": "a", **content}
    return build_document(
        {
            "licet": 1,
            "conclusions": [{"id": "passes", "says": "It passes.", "utility": 1}],
            "atoms": {"a": atom},
            "routes": {"passes": [["a"]]},
        }
    )


@pytest.mark.parametrize(
    ("test", "value", "field", "state"),
    [
        ("at_least", 0.1, 0.1, State.TRUE),
        ("at_least", 1, 1.0, State.TRUE),
        ("at_most", 0, -0.0, State.TRUE),
        ("equals", 0, -0.0, State.TRUE),
        ("at_least", 0.30000000000000004, 0.3, State.FALSE),
        ("at_least", 9007199254740993, 9007199254740992.0, State.FALSE),
        ("at_least", 1, True, State.UNKNOWN),
        ("at_least", 1, "1", State.UNKNOWN),
        ("equals", True, 1, State.FALSE),
        ("equals", "true", True, State.FALSE),
        ("on_or_after", "2019-01-15", "2019-01", State.UNKNOWN),
        ("on_or_after", "2019-01-01", "2019-01", State.TRUE),
        ("on_or_before", "2019-01-15", "2019-01-15T23:59:59Z", State.TRUE),
    ],
)
def test_exact_ties_and_kinds_of_value(test: str, value: Json, field: Json, state: State) -> None:
    outcome = review_record(one_atom(test=test, value=value), {"a": field}).outcome
    assert outcome.state("a") is state
    assert (outcome.conclusions == ("passes",)) is (state is State.TRUE)


@pytest.mark.parametrize("prior", [0, 1, 0.0, 1.0])
def test_certain_priors_are_taken_and_change_nothing(prior: float) -> None:
    document = one_atom(test="exists", prior=prior)
    assert document.priors == {"a": Fraction(prior)}
    assert review_record(document, {}).outcome.conclusions == ()
    assert review_record(document, {"a": 1}).outcome.conclusions == ("passes",)


def test_completion_runs_what_a_policy_left() -> None:
    results = {}
    for completion, budget in itertools.product((True, False), (3, 20)):
        stops = review_record(
            DOCUMENT,
            RECORD,
            budget=budget,
            completion=completion,
            policy=lambda review: StopRequest(),
        )
        results[completion, budget] = stops.outcome.conclusions
    assert results == {
        (True, 3): ("described",),
        (True, 20): ("complete",),
        (False, 3): (),
        (False, 20): (),
    }


def test_a_failure_of_the_resolver_is_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from licet_bindings import reviewing

    resolver = record_resolver(DOCUMENT, RECORD)

    def failing(check: Check) -> Json:
        if check.identifier == "severity":
            raise ConnectionError("no network")
        return resolver(check) if check.identifier != "details" else {"details": 1}

    monkeypatch.setattr(reviewing, "record_resolver", lambda source, record, sourced: failing)
    for policy in ("guided", "ceiling", lambda review: StopRequest()):
        reviewed = review_record(DOCUMENT, RECORD, policy=policy)
        assert {failure.check for failure in reviewed.outcome.failures} >= {"details"}
        for failure in reviewed.outcome.failures:
            expected = {"severity": "no network", "details": "no truth value for 'details': int"}
            assert expected[failure.check] in failure.reason
        assert reviewed.outcome.conclusions == ()


def test_a_program_over_a_partial_order_reports_all_maximal_conclusions() -> None:
    content = altered(put("order", value=[["described", "ready"], ["described", "complete"]]))
    outcome = review_record(build_document(content), RECORD, policy="in-order").outcome
    assert outcome.conclusions == ("ready", "complete")
