"""The audit decides every gate anew, and lets no verifier be asked that could not be."""

import json

import pytest

from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from tests.durable.ledgers import Tampered, ship, ticking
from tests.durable.tampering import LEDGER, OUTCOME, Json, audited, body, edited, first_of


def test_a_forged_decision_is_named() -> None:
    index = LEDGER.where(lambda e: e.kind is Kind.EVENT and "decision" in body(e))

    def proceed(content: Json) -> None:
        content["decision"].update(kind="proceed", verifier=None)

    sequence, problem = first_of(audited(edited(index, proceed).chained()))
    assert sequence == LEDGER.rows[index].sequence
    assert problem == 'the decision\'s kind is "verify", and "proceed" was written'


def test_a_policy_of_the_callers_own_cannot_be_made_to_proceed() -> None:
    own = LEDGER.rows[LEDGER.where(lambda e: e.name == "own")].sequence
    index = LEDGER.where(lambda e: e.episode == own and e.position == 1)

    def proceed(content: Json) -> None:
        assert content["decision"]["kind"] == "abstain"
        content["decision"].update(kind="proceed", admissible=True)

    sequence, _ = first_of(audited(edited(index, proceed).chained()))
    assert sequence == LEDGER.rows[index].sequence

    def unknown(content: Json) -> None:
        content["decision"].update(kind="verify", verifier="nobody")

    sequence, problem = first_of(audited(edited(index, unknown).chained()))
    assert sequence == LEDGER.rows[index].sequence
    assert "a verifier that can be asked and paid" in problem


def test_a_report_that_was_turned_round_changes_the_decision_behind_it() -> None:
    index = LEDGER.where(lambda e: e.kind is Kind.EVENT and "report" in body(e))
    audit = audited(edited(index, lambda c: c["report"].update(refutes=True)).chained())
    assert first_of(audit)[0] == LEDGER.rows[index + 1].sequence


def test_a_verifier_that_was_asked_has_its_report() -> None:
    index = LEDGER.where(lambda e: e.kind is Kind.ASKED)

    def other(content: Json) -> None:
        content["verifier"] = "look_up"

    sequence, problem = first_of(audited(edited(index, other).chained()))
    assert sequence == LEDGER.rows[index + 1].sequence
    assert problem == "expected the report of look_up, which was asked"
    cut = Tampered(LEDGER.rows[: index + 1])
    audit = audited(cut)
    assert audit.holds
    assert "ask_user was being asked, and there is no report of it" in [
        note.problem for note in audit.notes
    ]


def test_a_gate_and_a_review_do_not_take_each_others_entries() -> None:
    ship_gate = LEDGER.where(lambda e: e.name == "ship")
    end = LEDGER.rows[OUTCOME]
    moved = end._replace(sequence=43, episode=LEDGER.rows[ship_gate].sequence, position=5)
    sequence, problem = first_of(audited(Tampered([*LEDGER.rows, moved]).chained()))
    assert (sequence, problem) == (43, "expected an entry of a gate, found one of outcome")


@pytest.mark.parametrize("policy", ["two-step", "greedy", "static", "stop", "cost-aware"])
def test_a_gate_is_decided_anew_under_its_named_policy(policy: str) -> None:
    store = MemoryStore()
    gate = DurableLedger(store, clock=ticking()).gate(ship(), name="ship", budget=4, policy=policy)
    for _ in range(3):
        asked = gate.decide().verifier
        if asked is None:
            break
        gate.observe(asked, False)
    ledger = Tampered(list(store.entries()))
    assert audited(ledger).holds
    opened = body(ledger.rows[0])
    opened["policy"] = "always-verify" if policy == "stop" else "stop"
    other = audited(ledger.changed(0, body=canonical_bytes(opened)).chained())
    decided = body(ledger.rows[1])["decision"]["kind"]
    assert other.holds == (decided != "verify" and policy != "stop")


def asked_again(*between: str) -> Tampered:
    """A gate whose verifiers were asked, one of them by somebody who writes what none may."""
    store = MemoryStore()
    gate = DurableLedger(store, clock=ticking()).gate(ship(), name="ship", budget=4)
    if between:
        gate.verify(between[0], lambda: False)
    for verifier in ("look_up", *between[1:]):
        count = len(list(store.entries()))
        asking = canonical_bytes({"verifier": verifier})
        store.append(Draft(1, count, Kind.ASKED, "2026-11-30T13:00:00Z", asking))
    return Tampered(list(store.entries()))


def test_a_verifier_that_has_no_use_left_cannot_be_asked() -> None:
    assert audited(asked_again()).holds
    ledger = asked_again("look_up")
    expected = (ledger.head().sequence, "look_up could not be asked and paid")
    assert first_of(audited(ledger)) == expected


def test_a_verifier_is_asked_once_before_its_report() -> None:
    ledger = asked_again("ask_user", "look_up")
    problem = "look_up was asked before, and there is no report of it"
    assert first_of(audited(ledger)) == (ledger.head().sequence, problem)


def test_a_verifier_that_was_cut_off_has_failed() -> None:
    store = MemoryStore()
    for entry in asked_again().rows:
        episode = None if entry.position == 0 else 1
        store.append(Draft(episode, entry.position, entry.kind, entry.time, entry.body, entry.name))
    DurableLedger(store, clock=ticking()).resume_gate("ship")
    ledger = Tampered(list(store.entries()))
    assert [entry.kind for entry in ledger.rows[-2:]] == [Kind.RESUMED, Kind.EVENT]
    assert audited(ledger).holds
    report = json.loads(ledger.rows[-1].body)
    report["report"].update(refutes=False, observed="recorded")
    changed = ledger.changed(len(ledger.rows) - 1, body=canonical_bytes(report)).chained()
    problem = "the verifier that was cut off has failed, and this is an answer"
    assert first_of(audited(changed)) == (ledger.head().sequence, problem)
