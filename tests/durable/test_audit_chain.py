"""The audit follows the chain: entries changed, removed, moved, added or doubled are named."""

from hashlib import sha256

import pytest

from licet_bindings.durable.audit import Auditor
from licet_bindings.durable.canonical_json import canonical_bytes
from licet_bindings.durable.chain import Chain
from licet_bindings.durable.entries import Draft, Head, Kind, LedgerEntry
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.programs import program_bytes
from tests.durable.ledgers import Tampered, program, publish, resolve, ticking
from tests.durable.tampering import (
    LEDGER,
    OUTCOME,
    RECORDED,
    audited,
    body,
    edited,
    event,
    first_of,
)


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
            is_text = isinstance(value, str)
            flipped = f"3{value[1:]}" if is_text else bytes([value[0] ^ 1]) + value[1:]
            rows[index] = entry._replace(**{field: flipped})
            chain = Chain()
            found = [finding for row in rows for finding in chain.take(row)]
            # A digest that is not that of the content is the entry's own fault.
            assert found[0].sequence == entry.sequence, field


def test_a_changed_body_with_its_own_digest_breaks_the_link_behind_it() -> None:
    after = LEDGER.rows[RECORDED + 1]
    reworded = edited(RECORDED, lambda content: content["answer"].update(reason="because"))
    sequence, problem = first_of(audited(reworded))
    assert sequence == after.sequence
    assert problem.startswith(f"its link is not the digest of entry {after.sequence - 1}")


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


def test_a_name_that_is_taken_and_one_where_none_belongs_are_found() -> None:
    second = LEDGER.where(lambda entry: entry.name == "second")
    opened = body(LEDGER.rows[second]) | {"name": "first"}
    again = LEDGER.changed(second, name="first", body=canonical_bytes(opened)).chained()
    expected = (LEDGER.rows[second].sequence, "entry 2 has the name first already")
    assert first_of(audited(again)) == expected
    named = LEDGER.changed(RECORDED, name="x").chained()
    assert first_of(audited(named)) == (LEDGER.rows[RECORDED].sequence, "expected no name, found x")


@pytest.mark.parametrize("fields", [{"episode": 1}, {"position": 3}])
def test_an_opening_that_opens_no_episode_of_its_own_is_found(fields: dict[str, int]) -> None:
    second = LEDGER.where(lambda entry: entry.name == "second")
    problem = "a review has position 0 of an episode of its own, not this one"
    changed = LEDGER.changed(second, **fields).chained()
    assert first_of(audited(changed)) == (LEDGER.rows[second].sequence, problem)


def test_a_store_that_does_not_find_episodes_is_read_entry_by_entry() -> None:
    class Lost(Tampered):
        def episode(self, opening: int) -> tuple[LedgerEntry, ...]:
            return super().episode(opening)[:-1]

    assert audited(Lost(LEDGER.rows)) == audited(LEDGER)


def test_a_program_that_was_written_after_its_review_is_none() -> None:
    store = MemoryStore()
    for entry in (LEDGER.rows[1], LEDGER.rows[0]):
        store.append(Draft(None, 0, entry.kind, entry.time, entry.body, entry.name))
    sequence, problem = first_of(Auditor(store, "ledger").audit())
    assert (sequence, problem) == (1, f"no valid program {program().sha256} stands before it")
