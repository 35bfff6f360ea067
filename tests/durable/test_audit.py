"""The audit of a ledger finds each kind of tampering, and names the first entry that fails."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeAlias

import pytest

from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.audited import Audit, AuditedEpisode, Stage
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.entries import Draft, Head, Kind, LedgerEntry
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.programs import program_bytes
from tests.durable.ledgers import Tampered, filled, program, publish, resolve, ship, ticking

Json: TypeAlias = Any

LEDGER = filled()


def audited(ledger: Tampered, pinned: Head | None = None) -> Audit:
    return Auditor(ledger, "ledger", pinned=pinned).audit()


def first_of(audit: Audit) -> tuple[int | None, str]:
    """The first finding, which names the entry."""
    assert not audit.holds
    assert audit.findings == tuple(
        sorted(audit.findings, key=lambda f: (f.sequence is None, f.sequence or 0))
    )
    return audit.findings[0].sequence, audit.findings[0].problem


def body(entry: LedgerEntry) -> Json:
    return json.loads(entry.body)


def edited(index: int, edit: Callable[[Any], None]) -> Tampered:
    """The ledger with the content of one entry edited, and that entry's digest made anew."""
    content = body(LEDGER.rows[index])
    edit(content)
    assert canonical_bytes(content) != LEDGER.rows[index].body
    return LEDGER.changed(index, body=canonical_bytes(content))


def event(name: str, kind: str, nth: int = 0) -> int:
    """The index of the nth event of an episode whose answer is of this kind."""
    opening = LEDGER.rows[LEDGER.where(lambda e: e.name == name)].sequence
    found = [
        index
        for index, entry in enumerate(LEDGER.rows)
        if entry.episode == opening
        and entry.kind is Kind.EVENT
        and body(entry).get("answer", {}).get("kind") == kind
    ]
    return found[nth]


OUTCOME = LEDGER.where(lambda entry: entry.kind is Kind.OUTCOME)
SPENT = body(LEDGER.rows[OUTCOME])["outcome"]["spent"]
RECORDED = event("first", "recorded")


def test_a_ledger_that_nobody_touched_holds() -> None:
    audit = audited(LEDGER)
    assert audit.holds
    assert (audit.entries, audit.reviews, audit.gates, audit.replayed) == (42, 3, 2, 5)
    assert audit.head == LEDGER.head()
    assert [note.problem for note in audit.notes] == ["the review is open"]


def test_a_changed_byte_is_found_in_every_field_of_every_entry() -> None:
    for index, entry in enumerate(LEDGER.rows):
        for field in ("time", "body", "digest", "previous"):
            rows, value = list(LEDGER.rows), getattr(entry, field)
            flipped = (
                f"3{value[1:]}" if isinstance(value, str) else bytes([value[0] ^ 1]) + value[1:]
            )
            rows[index] = entry._replace(**{field: flipped})
            sequence, _ = first_of(audited(Tampered(rows)))
            # A digest that is not that of the content is the entry's own fault.
            assert sequence == entry.sequence, field


def test_a_changed_body_with_its_own_digest_breaks_the_link_behind_it() -> None:
    after = LEDGER.rows[RECORDED + 1]
    reworded = edited(RECORDED, lambda content: content["answer"].update(reason="because"))
    sequence, problem = first_of(audited(reworded))
    assert sequence == after.sequence
    assert problem.startswith(f"its link is not the digest of entry {after.sequence - 1}")


def test_a_changed_value_is_named_though_every_digest_was_made_anew() -> None:
    def untrue(content: Json) -> None:
        content["event"]["resolved"]["values"][0][1] = False

    sequence, problem = first_of(audited(edited(RECORDED, untrue).chained()))
    assert sequence == LEDGER.rows[RECORDED].sequence
    assert problem.startswith("the answer's values is")


@pytest.mark.parametrize(
    ("kind", "other"),
    [("unauthorized", "accepted"), ("held", "accepted"), ("rejected", "recorded")],
)
def test_a_changed_answer_in_a_chain_that_was_made_anew_is_named(kind: str, other: str) -> None:
    index = event("first", kind)
    audit = audited(edited(index, lambda content: content["answer"].update(kind=other)).chained())
    expected = f'the answer\'s kind is "{kind}", and "{other}" was written'
    assert first_of(audit) == (LEDGER.rows[index].sequence, expected)


def test_a_charge_that_was_lowered_is_named() -> None:
    index = event("first", "run")
    audit = audited(edited(index, lambda content: content["answer"].update(charged="0")).chained())
    assert first_of(audit)[0] == LEDGER.rows[index].sequence


def test_a_removed_entry_is_named_by_the_one_behind_it() -> None:
    index = event("first", "unauthorized")
    rows = LEDGER.rows[:index] + LEDGER.rows[index + 1 :]
    after = LEDGER.rows[index + 1].sequence
    problem = f"entries {after - 1} to {after - 1} are missing before it"
    assert first_of(audited(Tampered(rows))) == (after, problem)


def test_a_removed_entry_leaves_a_gap_in_its_episode_though_the_chain_was_made_anew() -> None:
    index = event("first", "unauthorized")
    rows = LEDGER.rows[:index]
    rows += [entry._replace(sequence=entry.sequence - 1) for entry in LEDGER.rows[index + 1 :]]
    sequence, problem = first_of(audited(Tampered(rows).chained()))
    assert (sequence, problem) == (index + 1, "expected position 1 of episode 2, found 2")


def test_an_entry_removed_with_its_position_is_found_by_the_replay() -> None:
    index = event("first", "run")
    rows = LEDGER.rows[:index]
    for entry in LEDGER.rows[index + 1 : OUTCOME + 1]:
        moved = entry._replace(sequence=entry.sequence - 1, position=entry.position - 1)
        rows.append(moved)
    sequence, problem = first_of(audited(Tampered(rows).chained()))
    assert sequence == index + 1
    assert problem == "expected a request, found a resolver's answer"


def test_entries_that_change_places_are_found() -> None:
    rows = list(LEDGER.rows)
    one, other = rows[4], rows[5]
    rows[4] = other._replace(sequence=one.sequence)
    rows[5] = one._replace(sequence=other.sequence)
    assert first_of(audited(Tampered(rows)))[0] == one.sequence
    sequence, problem = first_of(audited(Tampered(rows).chained()))
    assert sequence == one.sequence
    assert problem == f"expected position {one.position} of episode 2, found {other.position}"


def test_an_entry_that_is_there_twice_is_found() -> None:
    index = event("first", "held")
    rows = [*LEDGER.rows[: index + 1], LEDGER.rows[index]]
    rows += LEDGER.rows[index + 1 :]
    again = [entry._replace(sequence=number) for number, entry in enumerate(rows, 1)]
    # Without moved openings: the first review's entries alone.
    sequence, problem = first_of(audited(Tampered(again[: OUTCOME + 2]).chained()))
    assert sequence == index + 2
    assert problem == f"expected position {index} of episode 2, found {index - 1}"


def test_an_entry_that_is_there_twice_at_positions_of_their_own_is_found_by_the_replay() -> None:
    rows = list(LEDGER.rows[: OUTCOME + 1])
    last = rows[-1]
    rows.append(last._replace(sequence=last.sequence + 1, position=last.position + 1))
    expected = (last.sequence + 1, "the outcome was written before")
    assert first_of(audited(Tampered(rows).chained())) == expected


def test_a_changed_time_is_found_and_one_that_goes_back_is_noted() -> None:
    entry = LEDGER.rows[RECORDED]
    rows = list(LEDGER.rows)
    rows[RECORDED] = entry._replace(time="2025-11-30T12:00:00.000000Z")
    problem = "its digest is not that of its content: it was changed"
    assert first_of(audited(Tampered(rows))) == (entry.sequence, problem)
    again = audited(Tampered(rows).chained())
    assert again.holds
    assert entry.sequence in [note.sequence for note in again.notes]
    rows[RECORDED] = entry._replace(time="yesterday")
    sequence, problem = first_of(audited(Tampered(rows).chained()))
    assert (sequence, problem) == (
        entry.sequence,
        "expected a time of RFC 3339 in UTC, found yesterday",
    )


def forged(edit: Callable[[Any], None]) -> list[tuple[int | None, str]]:
    """What is found of the ledger with an outcome forged, in a chain that was made anew."""
    audit = audited(edited(OUTCOME, edit).chained())
    assert not audit.holds
    assert {finding.sequence for finding in audit.findings} == {LEDGER.rows[OUTCOME].sequence}
    return [(finding.sequence, finding.problem) for finding in audit.findings]


def test_a_forged_outcome_is_found() -> None:
    found = forged(lambda content: content["outcome"].update(spent="3"))
    expected = f'of the outcome, spent is "{SPENT}", and "3" was written'
    assert [problem for _, problem in found] == [expected]


def test_an_added_conclusion_is_found_in_the_outcome_and_in_the_certificate() -> None:
    found = forged(lambda content: content["outcome"]["conclusions"].append("linked"))
    assert found[0][1].startswith("of the outcome, conclusions is ")

    def both(content: Json) -> None:
        content["outcome"]["conclusions"].append("linked")
        content["certificate"]["conclusions"].append("linked")

    problems = [problem for _, problem in forged(both)]
    assert any("the independent checker refuses its certificate" in each for each in problems)
    assert "of the certificate, conclusions is not what follows" in problems


def test_a_changed_certificate_is_found() -> None:
    def cheaper(content: Json) -> None:
        content["certificate"]["budget"] = "19"

    # It follows from its own events, but is not this review's.
    problems = [problem for _, problem in forged(cheaper)]
    assert problems == ["of the certificate, budget is not what follows"]

    def another_program(content: Json) -> None:
        text = program_bytes(program("May it be withdrawn?")).decode()
        content["certificate"]["program"] = text

    assert any("was not asked for" in problem for _, problem in forged(another_program))

    def derived(content: Json) -> None:
        content["certificate"]["closures"][-1] = {"reference": ["x"]}

    problems = [problem for _, problem in forged(derived)]
    assert len(problems) == 1
    assert problems[0].startswith("the independent checker refuses its certificate: closures")


def test_a_certificate_that_was_taken_out_is_missed() -> None:
    def taken_out(content: Json) -> None:
        content["certificate"], content["uncertified"] = None, "it was too long"

    problems = [problem for _, problem in forged(taken_out)]
    assert problems == ["it has no certificate, and there is one of this review"]


def test_something_else_than_a_certificate_is_none() -> None:
    problems = [problem for _, problem in forged(lambda content: content.update(certificate=[1]))]
    assert problems == ["certificate: expected a certificate, found [1]"]


def test_a_changed_program_is_found_by_its_hash() -> None:
    other = program_bytes(program(says="It is safe."))
    changed = LEDGER.changed(0, body=other).chained()
    sequence, problem = first_of(audited(changed))
    assert sequence == 1
    assert problem.startswith("the program's hash is")


def test_a_changed_program_under_its_own_hash_is_none_of_the_reviews() -> None:
    other = program(says="It is safe.")
    changed = LEDGER.changed(0, body=program_bytes(other), name=other.sha256).chained()
    audit = audited(changed)
    sequence, problem = first_of(audit)
    assert sequence == 2
    assert problem == f"no valid program {program().sha256} stands before it"
    assert len(audit.findings) == 3  # each review's


def test_a_program_that_cannot_be_committed_to_is_found_though_its_hash_is_right() -> None:
    store = MemoryStore()
    text = b'{"licet":1}'
    draft = Draft(None, 0, Kind.PROGRAM, "2026-11-30T12:00:00Z", text, sha256(text).hexdigest())
    store.append(draft)
    sequence, problem = first_of(Auditor(store, "ledger").audit())
    assert sequence == 1
    assert problem.startswith("it is no program that can be committed to")


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


def test_a_cut_end_is_shown_by_a_head_that_was_noted() -> None:
    cut = Tampered(LEDGER.rows[:-2])
    assert audited(cut).holds
    sequence, problem = first_of(audited(cut, pinned=LEDGER.head()))
    assert sequence is None
    assert problem == "entry 42 was there once: the end is cut off, the ledger ends at entry 40"
    assert audited(LEDGER, pinned=cut.head()).holds


def test_a_ledger_that_was_written_anew_is_shown_by_a_head_that_was_noted() -> None:
    store = MemoryStore()
    with DurableLedger(store, clock=ticking()) as ledger:
        publish(ledger.review(program(), resolve, name="other", budget=20, record="GHSA-1"))
    noted = Head(5, LEDGER.rows[4].digest)
    assert Auditor(store, "ledger").audit().holds
    sequence, problem = first_of(Auditor(store, "ledger", pinned=noted).audit())
    assert sequence == 5
    assert problem.startswith("its digest is not the one that was noted elsewhere")


def test_a_resumed_review_whose_call_was_running_has_a_failed_call() -> None:
    def cut_off() -> Tampered:
        store = MemoryStore()
        ledger = DurableLedger(store, clock=ticking())
        ledger.review(program(), resolve, name="cut", budget=20).check("details")
        whole = list(store.entries())
        again = MemoryStore()
        for entry in whole[:-1]:
            episode = None if entry.position == 0 else entry.episode
            again.append(
                Draft(episode, entry.position, entry.kind, entry.time, entry.body, entry.name)
            )
        DurableLedger(again, clock=ticking()).resume("cut", resolve)
        return Tampered(list(again.entries()))

    ledger = cut_off()
    audit = audited(ledger)
    assert audit.holds
    assert [note.problem for note in audit.notes] == [
        "its time, 2026-11-30T12:00:00.000000Z, lies before that of an earlier entry",
        "it was resumed",
        "the review is open",
    ]
    index = ledger.where(lambda e: e.kind is Kind.EVENT and "failed" in body(e)["event"])
    said = canonical_bytes(
        {
            "answer": {**body(ledger.rows[index])["answer"], "kind": "recorded"}
            | {"values": [["details", True]], "reason": ""},
            "event": {"resolved": {"values": [["details", True]]}},
        }
    )
    sequence, problem = first_of(audited(ledger.changed(index, body=said).chained()))
    assert sequence == ledger.rows[index].sequence
    assert problem == "the call that was cut off has failed, and this says otherwise"


def test_an_outcome_that_was_not_written_is_noted() -> None:
    cut = Tampered(LEDGER.rows[:OUTCOME])
    told: list[AuditedEpisode] = []
    audit = Auditor(cut, "ledger").audit(told=told.append)
    assert audit.holds
    assert [note.problem for note in audit.notes] == [
        "the review is over, and its outcome was not written"
    ]
    assert [episode.stage for episode in told] == [Stage.UNCONCLUDED]


def test_one_episode_is_replayed_alone_and_the_chain_as_a_whole() -> None:
    told: list[AuditedEpisode] = []
    audit = Auditor(LEDGER, "ledger").audit("second", told.append)
    assert (audit.replayed, audit.reviews) == (1, 3)
    assert [episode.name for episode in told] == ["second"]
    broken = edited(RECORDED, lambda content: content["answer"].update(reason="because"))
    assert not Auditor(broken, "ledger").audit("second").holds
    with pytest.raises(LedgerError, match="there is no review or gate 'fourth'"):
        Auditor(LEDGER, "ledger").audit("fourth")


def test_what_is_independent_is_found_too_and_counted_beyond_a_limit() -> None:
    rows = [entry._replace(digest=bytes(32)) for entry in LEDGER.rows]
    audit = audited(Tampered(rows))
    assert len(audit.findings) == 83  # each digest, and each link but the first
    many = Tampered([e._replace(time="never", digest=bytes(32)) for e in LEDGER.rows])
    audit = audited(many)
    assert (len(audit.findings), audit.left_out) == (100, 25)


def test_an_entry_of_no_episode_and_one_before_the_first_are_found() -> None:
    stray = LEDGER.rows[-1]._replace(sequence=43, episode=77, position=1)
    rows = [*LEDGER.rows, stray]
    sequence, problem = first_of(audited(Tampered(rows).chained()))
    assert (sequence, problem) == (43, "it belongs to an episode that was not opened, 77")
    before = LEDGER.rows[0]._replace(sequence=-5)
    assert first_of(audited(Tampered([before, *LEDGER.rows])))[0] == -5


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
