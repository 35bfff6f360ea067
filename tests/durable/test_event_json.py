"""Events as JSON: whatever a review or a gate takes comes back as it was."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from licet import (
    Answer,
    AnswerKind,
    Attester,
    AttesterKind,
    AttestRequest,
    CheckRequest,
    CloseRequest,
    Entry,
    Event,
    Failed,
    Gate,
    GateEntry,
    GateEvent,
    InvalidInput,
    Judged,
    Number,
    Observed,
    OtherRequest,
    Read,
    RefreshRequest,
    ReportRequest,
    Resolved,
    RetractRequest,
    StopRequest,
    Unavailable,
)
from licet.policies import greedy_policy
from licet_bindings.durable.codecs import NUMBER, fraction_of, fraction_text
from licet_bindings.durable.errors import Damaged
from licet_bindings.durable.event_json import (
    EntryReader,
    entry_bytes,
    gate_event_bytes,
    gate_event_of,
)
from licet_bindings.strict import Misplaced
from licet_proofs.certified import random_review
from licet_proofs.certified_programs import random_commitment
from licet_proofs.gate_generators import answers, budgets, candidates

# Any code point, with halves of surrogate pairs, whole pairs of halves, and what escapes them.
texts = st.text(st.characters()) | st.lists(
    st.sampled_from(("\ud83d", "\ude00", "\N{GRINNING FACE}", "\\", "ud83d", "u005c", '"', "\0")),
    max_size=6,
).map("".join)
attesters = st.builds(
    Attester, st.sampled_from(("agent", "ann")), st.sampled_from(tuple(AttesterKind))
)
values = st.lists(st.tuples(texts, st.booleans() | st.builds(Unavailable, texts)), max_size=3).map(
    tuple
)
fractions = st.fractions() | st.builds(
    Fraction, st.integers(-(10**4_002), 10**4_002), st.integers(1, 10**4_001)
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(CheckRequest, texts, texts),
    st.builds(AttestRequest, texts, st.booleans(), texts, attesters),
    st.builds(RetractRequest, texts, attesters),
    st.builds(RefreshRequest, texts, texts),
    st.builds(ReportRequest, texts),
    st.just(StopRequest()),
    st.builds(CloseRequest, st.booleans()),
    st.builds(OtherRequest, texts),
    st.builds(Resolved, values, texts),
    st.builds(Read, texts, texts),
    st.builds(Judged, st.booleans()),
    st.builds(Failed, texts),
)
entries = st.builds(
    Entry,
    events,
    st.builds(
        Answer,
        st.sampled_from(tuple(AnswerKind)),
        texts,
        fractions,
        values,
        texts,
        texts,
    ),
)


@given(entries)
@example(Entry(Read("a crash in libfoo"), Answer(AnswerKind.RECORDED, text="a crash in libfoo")))
@example(Entry(Read("a"), Answer(AnswerKind.FAILED)))
@example(Entry(OtherRequest("\ud83d\ude00"), Answer(AnswerKind.BUSY)))
def test_a_line_of_a_review_comes_back_as_it_was(entry: Entry) -> None:
    body, reader = entry_bytes(entry), EntryReader()
    if entry.answer.kind is AnswerKind.CACHED:  # What it repeats was read before.
        text, subject = entry.answer.text, entry.answer.subject
        reader.read(entry_bytes(Entry(Read(text), Answer(AnswerKind.RECORDED, subject))))
    again = reader.read(body)
    assert again == entry
    assert repr(again) == repr(entry)
    assert body.isascii()


@given(entries, entries)
def test_different_lines_have_different_bytes(one: Entry, other: Entry) -> None:
    assume(AnswerKind.CACHED not in (one.answer.kind, other.answer.kind))
    assert (entry_bytes(one) == entry_bytes(other)) == (one == other)


@pytest.mark.parametrize("seed", range(40))
def test_the_history_of_a_review_comes_back_as_it_was(seed: int) -> None:
    random = Random(seed)
    reader = EntryReader()
    for entry in random_review(random_commitment(random), random).history:
        assert reader.read(entry_bytes(entry)) == entry


def test_a_text_that_is_asked_for_again_is_not_written_again() -> None:
    read = Entry(Read("a crash"), Answer(AnswerKind.RECORDED, "notes", text="a crash"))
    again = Entry(CheckRequest("notes"), Answer(AnswerKind.CACHED, "notes", text="a crash"))
    assert b"a crash" not in entry_bytes(again)
    reader = EntryReader()
    assert [reader.read(entry_bytes(each)) for each in (read, again)] == [read, again]
    with pytest.raises(Damaged, match="entry 3"):
        EntryReader().read(entry_bytes(again), "entry 3")


def test_a_text_that_was_read_is_written_once() -> None:
    text = "a crash in libfoo " * 100
    body = entry_bytes(Entry(Read(text), Answer(AnswerKind.RECORDED, "text", text=text)))
    assert body.count(b"libfoo") == 100


def gate_events(candidate_budget_answers: tuple[object, ...]) -> list[GateEvent]:
    candidate, budget, given = candidate_budget_answers
    written: list[GateEvent] = []

    class Journal:
        def record(self, position: int, event: GateEvent) -> None:
            assert position == len(written)
            written.append(event)

    gate = Gate(candidate, budget=budget, policy=greedy_policy, journal=Journal())  # type: ignore[arg-type]
    names = [verifier.identifier for verifier in candidate.verifiers]  # type: ignore[attr-defined]
    gate.decide()
    for place, refutes in given if names else ():  # type: ignore[attr-defined]
        name = names[place % len(names)]
        gate.observe(name, refutes)
        gate.fail(name)
        gate.decide()
    gate.replan(candidate)  # type: ignore[arg-type]
    gate.decide()
    return written


@given(st.tuples(candidates(), budgets, answers).map(gate_events))
def test_what_happens_at_a_gate_comes_back_as_it_was(written: list[GateEvent]) -> None:
    for event in written:
        again = gate_event_of(gate_event_bytes(event))
        assert again == event
        assert type(again) is type(event)


@given(
    st.builds(
        GateEntry,
        st.integers(0, 5),
        texts,
        st.none() | st.booleans(),
        st.sampled_from(tuple(Observed)),
    )
)
def test_a_report_comes_back_as_it_was(entry: GateEntry) -> None:
    assert gate_event_of(gate_event_bytes(entry)) == entry


numbers: st.SearchStrategy[Number] = st.one_of(
    st.integers(),
    st.floats(allow_nan=False),
    st.decimals(allow_nan=False),
    fractions,
)


@given(numbers)
def test_a_number_keeps_its_type(number: Number) -> None:
    again = NUMBER.read(NUMBER.write(number))
    assert (type(again), repr(again)) == (type(number), repr(number))


@given(fractions)
def test_a_fraction_has_one_text(value: Fraction) -> None:
    assert fraction_of(fraction_text(value)) == value


@pytest.mark.parametrize(
    "text",
    ["2/4", "1/0", "3/1", "01", "+1", "1e3", "0.5", " 1", "1\n", "-0", "0x1/0x2", "0x1/0x0", "٣"],
)
def test_another_text_is_no_fraction(text: str) -> None:
    with pytest.raises(Misplaced, match="lowest terms"):
        fraction_of(text)


GOOD = entry_bytes(Entry(Judged(True), Answer(AnswerKind.RECORDED, "text", Fraction(1, 2))))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"a":NaN}',
        b"\xff",
        GOOD + b"\n",
        GOOD.replace(b'":', b'": ', 1),
        GOOD.replace(b'"1/2"', b'"2/4"'),
        GOOD.replace(b'"1/2"', b"0.5"),
        GOOD.replace(b'"kind":"recorded",', b""),
        GOOD.replace(b'"kind"', b'"kind":"run","kind"'),
        GOOD.replace(b'"recorded"', b'"recorded!"'),
        GOOD.replace(b"true", b"1"),
        GOOD.replace(b'"judged"', b'"believed"'),
        GOOD.replace(b'"subject":"text"', b'"subject":"\\ud800"'),
        GOOD.replace(b'"subject":"text"', b'"subject":{"escaped":"text"}'),
        GOOD.replace(b'"subject":"text"', b'"subject":"t\\u0065xt"'),
    ],
)
def test_what_is_not_written_so_is_not_read(body: bytes) -> None:
    assert body != GOOD
    with pytest.raises(Damaged, match=r"^entry 7"):
        EntryReader().read(body, "entry 7")


def test_what_could_not_come_back_is_not_written() -> None:
    with pytest.raises(InvalidInput, match=r"entry\.event\.judged\.value: expected true or false"):
        entry_bytes(Entry(Judged(1), Answer(AnswerKind.RECORDED)))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"entry\.event: expected one of check, attest"):
        entry_bytes(Entry("stop", Answer(AnswerKind.RECORDED)))  # type: ignore[arg-type]


@given(candidates())
def test_a_number_of_another_type_is_another_candidate(candidate: object) -> None:
    loss = replace(candidate.loss, abstain=Decimal("1.5"))  # type: ignore[attr-defined]
    other = replace(candidate, loss=loss)  # type: ignore[type-var]
    again = gate_event_of(gate_event_bytes(other))  # type: ignore[arg-type]
    assert again == other
