"""Attestations and retractions: what is admitted, what it costs, what a repeat says, and who."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from licet import (
    Answer,
    AnswerKind,
    Attestation,
    Attester,
    AttestRequest,
    Check,
    CheckKind,
    CheckRequest,
    Ending,
    InvalidInput,
    OtherRequest,
    Read,
    Retraction,
    RetractRequest,
    Review,
    TextRead,
)
from licet.attestations import (
    QUOTE_LENGTH,
    text_check,
    why_rejected,
)
from licet.episode import begin, request, resolve
from licet.messages import AGENT, QUOTE_LIMIT, plain
from tests.core.judged import MODEL, NOTES, OTHER_QUOTE, PERSON, QUOTE, TEXT, Source, judged, opened

ONE = Fraction(1)
UNREAD = "its text was not read in this review; run check notes first"
NAMED = AttestRequest("named", True, QUOTE, MODEL)


def read(**settings: object) -> Review:
    """A review in which the notes were read."""
    review = opened(**settings)  # type: ignore[arg-type]
    review.check("notes")
    return review


def test_an_admitted_judgement_is_recorded_and_settles_its_atom() -> None:
    review = read()
    answer = review.request(AttestRequest("named", True, QUOTE))
    assert answer == Answer(AnswerKind.RECORDED, "named", ONE, (("named", True),))
    assert (review.spent, review.state("named").value) == (3, "true")
    review.request(AttestRequest("severe", False, OTHER_QUOTE))
    review.check("a")
    assert review.authorized == ("c1", "c2", "c3")
    outcome = review.close()
    assert outcome.ledger.records[:3] == (
        TextRead("notes", NOTES),
        Attestation("named", True, QUOTE, MODEL),
        Attestation("severe", False, OTHER_QUOTE, MODEL),
    )


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (AttestRequest("a", True, QUOTE), "the atom is not judged on a text; run its check"),
        (AttestRequest("named", True, "libfoo"), "expected a quote of at least 8 characters"),
        (AttestRequest("named", True, ""), "expected a quote of at least 8 characters"),
        (AttestRequest("named", True, "  libfoo   "), "expected a quote of at least 8 characters"),
        (AttestRequest("named", True, "Libfoo 1.2"), "the quote is no verbatim part of the text"),
        (AttestRequest("named", True, f"{NOTES} "), "the quote is no verbatim part of the text"),
    ],
)
def test_a_rejected_judgement_is_charged_says_why_and_leaves_the_ledger(
    asked: AttestRequest, reason: str
) -> None:
    review = read()
    answer = review.request(asked)
    assert answer == Answer(AnswerKind.REJECTED, asked.atom, ONE, reason=reason)
    assert (review.spent, review.state(asked.atom).value) == (3, "unknown")
    assert review.close().ledger.records == (TextRead("notes", NOTES),)


def test_a_quote_of_eight_characters_is_long_enough() -> None:
    assert QUOTE_LENGTH == 8
    for quote, kind in (("ibfoo 1.2"[1:], "recorded"), ("foo 1.2", "rejected")):
        assert read().request(AttestRequest("named", True, quote)).kind.value == kind
    # Blanks around it do not count towards the length, but are part of what is looked for.
    assert read().request(AttestRequest("named", True, " libfoo 1.2 ")).kind is AnswerKind.RECORDED
    assert why_rejected(TEXT, "two  words", "two words") != ""


def test_a_text_that_was_not_read_rejects_and_reading_it_opens_the_way() -> None:
    review = opened()
    asked = AttestRequest("named", True, QUOTE)
    assert review.request(asked) == Answer(AnswerKind.REJECTED, "named", ONE, reason=UNREAD)
    # The same again is free, for as long as the text is not read.
    assert review.request(asked) == Answer(AnswerKind.CACHED, "named", reason=UNREAD)
    assert review.spent == 1
    review.check("notes")
    assert review.request(asked).kind is AnswerKind.RECORDED
    assert review.spent == 4
    # A text of another check that was read does not do.
    more = Check("more", ("e",), 1, CheckKind.TEXT)
    review = opened(judged(shared=(more,), atoms="a named severe e"))
    review.check("more")
    assert review.request(asked).reason == UNREAD


def test_a_repeat_says_what_became_of_it_and_is_free() -> None:
    review = read()
    review.request(NAMED)
    spent = review.spent
    assert review.request(NAMED) == Answer(AnswerKind.CACHED, "named", values=(("named", True),))
    rejected = AttestRequest("named", False, "no such quote")
    reason = "the quote is no verbatim part of the text"
    review.request(rejected)
    assert review.request(rejected) == Answer(AnswerKind.CACHED, "named", reason=reason)
    assert review.spent == spent + 1


@pytest.mark.parametrize(
    "other",
    [
        AttestRequest("severe", True, QUOTE),
        AttestRequest("named", False, QUOTE),
        AttestRequest("named", True, OTHER_QUOTE),
    ],
)
def test_what_differs_in_atom_value_or_quote_is_no_repeat(other: AttestRequest) -> None:
    review = read()
    review.request(NAMED)
    assert review.request(other).charged == 1
    assert len(review.close().ledger.admitted) == 2


def test_what_another_attester_says_is_no_repeat() -> None:
    review = read()
    review.request(NAMED)
    answer = review.attest("named", True, QUOTE, PERSON)
    assert (answer.kind, answer.charged) == (AnswerKind.RECORDED, 1)
    assert [value.attester for value in review.close().ledger.admitted] == [MODEL, PERSON]  # type: ignore[union-attr]


def test_disagreeing_judgements_are_a_conflict_that_authorizes_nothing() -> None:
    review = read()
    review.check("a")
    review.request(NAMED)
    assert review.authorized == ("c1", "c2")
    review.attest("named", False, OTHER_QUOTE, PERSON)
    assert (review.state("named").value, review.authorized) == ("conflict", ("c1",))
    assert review.retract("named", PERSON) == Answer(AnswerKind.RETRACTED, "named")
    assert (review.state("named").value, review.authorized) == ("true", ("c1", "c2"))
    review.retract("named")
    assert (review.state("named").value, review.authorized) == ("unknown", ("c1",))


def test_a_retraction_is_free_recorded_and_clears_the_repeat() -> None:
    review = read()
    review.request(NAMED)
    review.request(AttestRequest("severe", False, QUOTE))
    spent = review.spent
    assert review.request(RetractRequest("named")) == Answer(AnswerKind.RETRACTED, "named")
    assert review.spent == spent
    # What it withdrew is new again; what it did not is a repeat still.
    assert review.request(AttestRequest("severe", False, QUOTE)).kind is AnswerKind.CACHED
    again = review.request(NAMED)
    assert (again.kind, again.charged) == (AnswerKind.RECORDED, 1)
    records = review.close().ledger.records
    assert [type(record) for record in records] == [
        TextRead,
        Attestation,
        Attestation,
        Retraction,
        Attestation,
    ]
    assert records[3] == Retraction("named", MODEL)


def test_a_retraction_clears_no_rejection_and_nobody_else_s_judgement() -> None:
    review = read()
    rejected = AttestRequest("named", True, "no such quote")
    review.request(rejected)
    review.attest("named", True, QUOTE, PERSON)
    review.request(NAMED)
    review.retract("named")
    assert review.request(rejected).kind is AnswerKind.CACHED
    assert review.attest("named", True, QUOTE, PERSON).kind is AnswerKind.CACHED
    assert review.state("named").value == "true"


def test_all_that_one_attester_said_of_an_atom_is_retracted_together() -> None:
    review = read()
    review.request(NAMED)
    review.request(AttestRequest("named", False, OTHER_QUOTE))
    assert review.state("named").value == "conflict"
    review.request(RetractRequest("named"))
    assert (review.state("named").value, review.close().ledger.admitted) == ("unknown", ())


def test_an_agent_retracts_its_own_only_and_the_caller_anybody_s() -> None:
    review = read()
    review.attest("named", True, QUOTE, PERSON)
    spent = review.spent
    answer = review.request(RetractRequest("named", PERSON))
    assert (answer.kind, review.state("named").value) == (AnswerKind.UNRECOGNIZED, "true")
    assert review.spent == spent + 1
    assert review.retract("named", PERSON).kind is AnswerKind.RETRACTED


def test_what_a_check_established_is_not_retracted() -> None:
    review = opened()
    review.check("a")
    for asked in (RetractRequest("a"), RetractRequest("named"), RetractRequest("zzz")):
        assert review.request(asked).kind is AnswerKind.UNRECOGNIZED
    assert review.authorized == ("c1",)


def test_a_retraction_is_taken_with_no_budget_to_spare() -> None:
    text = Check("notes", ("named", "severe"), 0, CheckKind.TEXT)
    review = opened(judged(text=text), budget=1.5, completion=False)
    review.check("notes")
    review.request(NAMED)
    assert review.remaining == Fraction(1, 2)
    assert review.request(RetractRequest("named")).kind is AnswerKind.RETRACTED
    assert not review.over
    assert review.request(AttestRequest("named", False, QUOTE)).kind is AnswerKind.ENDED
    assert review.outcome.ending is Ending.UNAFFORDABLE


def test_a_judgement_that_spends_the_budget_counts_and_ends_checking() -> None:
    review = opened(
        judged(
            routes={"c1": [["named"]], "c2": [["named", "a"]], "c3": [["named", "a", "severe"]]}
        ),
        budget=3,
    )
    review.check("notes")
    answer = review.request(NAMED)
    assert (answer.kind, answer.charged) == (AnswerKind.RECORDED, 1)
    assert (review.outcome.ending, review.outcome.conclusions) == (Ending.BUDGET, ("c1",))
    for asked in (NAMED, RetractRequest("named"), AttestRequest("severe", True, QUOTE)):
        assert review.request(asked).kind is AnswerKind.ENDED
    assert review.retract("named").kind is AnswerKind.ENDED
    assert review.attest("named", False, QUOTE).kind is AnswerKind.ENDED
    assert review.outcome.conclusions == ("c1",)


def test_attestations_cost_whole_calls_where_units_are_smaller() -> None:
    text = Check("notes", ("named", "severe"), Fraction(1, 3), CheckKind.TEXT)
    review = opened(judged(text=text), budget=2)
    review.check("notes")
    assert review.request(AttestRequest("named", True, "no such quote")).charged == 1
    assert review.spent == Fraction(4, 3)
    assert review.request(NAMED).kind is AnswerKind.ENDED


def test_an_agent_s_judgement_is_in_its_own_name_whatever_name_it_gives() -> None:
    review = read()
    review.request(AttestRequest("named", True, QUOTE, PERSON))
    (value,) = review.close().ledger.admitted
    assert value == Attestation("named", True, QUOTE, MODEL)
    unnamed = Review(judged(), Source(), budget=9)
    unnamed.check("notes")
    unnamed.request(AttestRequest("named", True, QUOTE, PERSON))
    unnamed.attest("severe", True, QUOTE)
    assert [v.attester for v in unnamed.close().ledger.admitted] == [AGENT, AGENT]  # type: ignore[union-attr]
    assert Attester("agent") == AGENT


class Sly(AttestRequest):
    """A request of a type of its own."""


class Name(str):
    """A text of a type of its own."""


class Somebody(Attester):
    """An attester of a type of its own."""


@pytest.mark.parametrize(
    "asked",
    [
        Sly("named", True, QUOTE),
        AttestRequest(Name("named"), True, QUOTE),
        AttestRequest("named", 1, QUOTE),  # type: ignore[arg-type]
        AttestRequest("named", None, QUOTE),  # type: ignore[arg-type]
        AttestRequest("named", True, Name(QUOTE)),
        AttestRequest("named", True, QUOTE.encode()),  # type: ignore[arg-type]
        AttestRequest("named", True, "x" * (QUOTE_LIMIT + 1)),
        AttestRequest("zzz", True, QUOTE),
    ],
)
def test_a_request_of_odd_types_or_of_no_atom_is_refused_and_charged_once(
    asked: AttestRequest,
) -> None:
    review = read()
    for spent in (3, 3):
        assert review.request(asked).kind is AnswerKind.UNRECOGNIZED
        assert review.spent == spent
    assert review.close().ledger.admitted == ()


def test_a_request_is_made_of_exact_types_anew() -> None:
    assert plain(AttestRequest("named", True, QUOTE, PERSON), MODEL) == NAMED
    longest = AttestRequest("named", True, "x" * QUOTE_LIMIT)
    assert plain(longest) == longest
    assert plain(RetractRequest("named", PERSON), MODEL) == RetractRequest("named", MODEL)
    for odd in (RetractRequest(3), RetractRequest(Name("a"))):  # type: ignore[arg-type]
        assert type(plain(odd)) is OtherRequest
    state = resolve(request(begin(judged(), 9), CheckRequest("notes")).episode, Read(NOTES)).episode
    for asked in (
        AttestRequest("named", 1, QUOTE),  # type: ignore[arg-type]
        AttestRequest("named", True, QUOTE, Somebody("x")),
        AttestRequest("named", True, QUOTE, None),  # type: ignore[arg-type]
        RetractRequest("named", Somebody("agent")),
    ):
        assert request(state, asked).answer.kind is AnswerKind.UNRECOGNIZED


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.attest("named", 1, QUOTE), "attest: expected atom, value and quote, found"),
        (lambda r: r.attest(3, True, QUOTE), "attest: expected atom, value and quote, found"),
        (lambda r: r.attest("named", True, None), "attest: expected atom, value and quote, found"),
        (lambda r: r.attest("named", True, QUOTE, "ann"), "attester: expected an Attester, found"),
        (lambda r: r.attest("named", True, QUOTE, Somebody("x")), "attester: expected an Attester"),
        (lambda r: r.retract(3), "atom: expected an atom's name, found 3"),
        (lambda r: r.retract("named", "ann"), "attester: expected an Attester, found 'ann'"),
        (lambda r: opened(attester="ann"), "attester: expected an Attester, found 'ann'"),
        (lambda r: opened(judge=3), "judge: expected a function, found 3"),
    ],
)
def test_the_caller_s_mistakes_are_told_and_free(
    call: Callable[[Review], object], message: str
) -> None:
    review = read()
    with pytest.raises(InvalidInput) as found:
        call(review)
    assert str(found.value).startswith(message)
    assert review.spent == 2


def test_the_check_that_reads_an_atom_s_text() -> None:
    more = Check("more", ("e", "f"), 1, CheckKind.TEXT)
    state = begin(judged(shared=(more,), atoms="a named severe e f"), 9)
    assert text_check(state, "named") == text_check(state, "severe") == TEXT
    assert text_check(state, "f") == more
    assert text_check(state, "a") is None
    assert text_check(state, "zzz") is None
