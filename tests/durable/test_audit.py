"""The audit replays every episode: what does not follow is named, whoever made the chain anew."""

from collections.abc import Callable

import pytest

from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.audited import AuditedEpisode, Stage
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.programs import program_bytes
from tests.durable.ledgers import Tampered, program, resolve, ticking
from tests.durable.tampering import (
    LEDGER,
    OUTCOME,
    RECORDED,
    SPENT,
    Json,
    audited,
    body,
    edited,
    event,
    first_of,
)


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


def forged(edit: Callable[[Json], None]) -> list[tuple[int | None, str]]:
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


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"certificate": None, "uncertified": None},
            "it has no certificate, and does not say why",
        ),
        ({"uncertified": "why not"}, "it has a certificate, and says why there is none"),
    ],
)
def test_there_is_a_certificate_or_a_reason(changes: Json, problem: str) -> None:
    found = forged(lambda content: content.update(changes))
    assert problem in [said for _, said in found]


def test_an_outcome_of_a_review_that_is_open_is_found() -> None:
    third = LEDGER.rows[LEDGER.where(lambda entry: entry.name == "third")].sequence
    end = LEDGER.rows[OUTCOME]._replace(sequence=43, episode=third, position=3)
    expected = (43, "an outcome, but the review is not over")
    assert first_of(audited(Tampered([*LEDGER.rows, end]).chained())) == expected
