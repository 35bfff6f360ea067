"""Evidence whose place is uncertain, and texts that are read: order, charges, and what is left."""

from __future__ import annotations

from fractions import Fraction

import icontract
import pytest

from licet import (
    Answer,
    AnswerKind,
    AttestRequest,
    Certificate,
    Check,
    CheckKind,
    CheckRequest,
    Commitment,
    Failed,
    Inconclusive,
    InvariantViolation,
    Observation,
    Program,
    Read,
    Resolved,
    Review,
    TextRead,
    Unavailable,
    commit,
    replay,
)
from licet.completion import after_attempt, first_candidate
from licet.episode import EXHAUSTED, begin, first_unread, request, resolve
from licet.messages import READ_LIMIT
from licet.outcome import Failure
from licet.state import Reading, pending_check, runnable, text_read
from tests.core.judged import NOTES, QUOTE, TEXT, Source, judged, opened
from tests.core.programs import specification

ONE = Fraction(1)
GONE = Unavailable("nothing there")
FAULT = OSError("down")
PLACES = ("first", "second", "third")


def placed(exhausted: bool | None = None, cost: int = 1) -> Commitment:
    """c1 by a, c2 by a and b, c3 by a, b and not d; b is at one of three places."""
    check = Check("b", ("b",), cost, candidates=PLACES, exhausted=exhausted)
    return commit(
        specification("a b d", check),
        Program.of({"c1": [["a"]], "c2": [["a", "b"]], "c3": [["a", "b", "!d"]]}),
    )


def reviewed(
    *answers: object, budget: float = 20, exhausted: bool | None = None
) -> tuple[Review, Source]:
    """A review of `placed`, and its resolver; at each place what is given, at last true."""
    source = Source({f"b@{name}": answer for name, answer in zip(PLACES, answers, strict=False)})
    return Review(placed(exhausted), source, budget=budget), source


def test_candidates_are_read_in_order_one_charge_each() -> None:
    review, source = reviewed(GONE, Unavailable("null"), True)
    assert review.check("b") == Answer(
        AnswerKind.INCONCLUSIVE, "b", ONE, (("b", GONE),), "nothing there"
    )
    assert (review.spent, review.state("b").value) == (1, "unknown")
    assert review.check("b").reason == "null"
    assert review.check("b") == Answer(AnswerKind.RECORDED, "b", ONE, (("b", True),))
    assert source.asked == ["b@first", "b@second", "b@third"]
    assert (review.spent, review.state("b").value) == (3, "true")
    assert review.close().ledger.records == (
        Inconclusive("b", "b", "first", "nothing there"),
        Inconclusive("b", "b", "second", "null"),
        Observation("b", True, "b", "third"),
    )
    assert replay(review.commitment, 20, True, review.history) == review.outcome


def test_the_first_that_establishes_a_value_decides() -> None:
    review, source = reviewed(False)
    assert review.check("b").values == (("b", False),)
    for repeat in (review.check("b"), review.check("b", "second"), review.check("b", "first")):
        assert repeat == Answer(AnswerKind.CACHED, "b", values=(("b", False),))
    assert (source.asked, review.spent) == (["b@first"], 1)


def test_a_place_may_be_chosen() -> None:
    review, source = reviewed(GONE, True, GONE)
    assert review.check("b", "third").kind is AnswerKind.INCONCLUSIVE
    assert review.check("b", "third") == Answer(
        AnswerKind.CACHED, "b", values=(("b", GONE),), reason="nothing there"
    )
    assert review.check("b").kind is AnswerKind.INCONCLUSIVE
    assert review.check("b").values == (("b", True),)
    assert source.asked == ["b@third", "b@first", "b@second"]
    (_, _, record) = review.close().ledger.records
    assert record == Observation("b", True, "b", "second")


@pytest.mark.parametrize(
    "asked",
    [
        CheckRequest("b", "fourth"),
        CheckRequest("a", "first"),
        CheckRequest("b", "b"),
        CheckRequest("b", 3),  # type: ignore[arg-type]
    ],
)
def test_a_place_that_the_check_does_not_have_is_not_recognized(asked: CheckRequest) -> None:
    review, source = reviewed()
    for _ in range(2):
        assert review.request(asked).kind is AnswerKind.UNRECOGNIZED
        assert (review.spent, source.asked) == (1, [])


@pytest.mark.parametrize(
    ("exhausted", "state", "value"),
    [
        (True, "true", True),
        (False, "false", False),
        (None, "unknown", Unavailable(EXHAUSTED)),
    ],
)
def test_when_no_place_establishes_anything_the_value_that_is_set_holds(
    exhausted: bool | None, state: str, value: bool | Unavailable
) -> None:
    review, _ = reviewed(GONE, GONE, GONE, exhausted=exhausted)
    for name in ("second", "third"):
        review.check("b", name)
    assert review.check("b", "first") == Answer(AnswerKind.RECORDED, "b", ONE, (("b", value),))
    assert review.state("b").value == state
    assert review.check("b", "second") == Answer(AnswerKind.CACHED, "b", values=(("b", value),))
    review.check("a")
    assert review.authorized == (("c1", "c2") if exhausted else ("c1",))
    outcome = review.close()
    inconclusive = [
        Inconclusive("b", "b", p, "nothing there") for p in ("second", "third", "first")
    ]
    last = (
        Certificate("b", "b", "none of the candidates establishes it")
        if exhausted is None
        else Observation("b", exhausted, "b")
    )
    assert outcome.ledger.records[:4] == (*inconclusive, last)
    (first, *_) = outcome.unresolved
    assert (first.conclusion, bool(first.blocked)) == (("c3", False) if exhausted else ("c2", True))


def test_a_read_that_fails_is_charged_and_may_be_tried_again() -> None:
    review, source = reviewed([FAULT, GONE], True)
    failed = review.check("b")
    assert (failed.kind, failed.charged) == (AnswerKind.FAILED, 1)
    assert review.check("b").kind is AnswerKind.INCONCLUSIVE
    assert review.check("b").kind is AnswerKind.RECORDED
    assert source.asked == ["b@first", "b@first", "b@second"]
    assert review.spent == 3


def test_completion_tries_each_place_once_in_order() -> None:
    review, source = reviewed(GONE, FAULT, True)
    outcome = review.close(complete=True)
    assert source.asked == ["a", "b@first", "b@second", "b@third", "d"]
    assert (outcome.conclusions, outcome.spent) == (("c2",), 5)
    assert outcome.failures == (Failure("b", "the resolver raised OSError('down')"),)
    assert replay(review.commitment, 20, True, review.history) == outcome


def test_completion_passes_over_what_was_read_and_repeats_what_failed_before() -> None:
    review, source = reviewed([FAULT, GONE], GONE, FAULT)
    review.check("b")
    review.check("b", "second")
    outcome = review.close(complete=True)
    assert source.asked == ["b@first", "b@second", "a", "b@first", "b@third"]
    # The last failed in completion, which does not try it again: b stays open.
    assert (outcome.conclusions, outcome.spent) == (("c1",), 5)
    assert [u.conclusion for u in outcome.unresolved] == ["c2", "c3"]
    assert [str(p) for p in outcome.unresolved[0].missing] == ["b"]
    assert outcome.state("b").value == "unknown"


def test_completion_ends_when_every_place_has_failed() -> None:
    review, source = reviewed(FAULT, FAULT, FAULT)
    outcome = review.close(complete=True)
    assert source.asked == ["a", "b@first", "b@second", "b@third"]
    assert (outcome.conclusions, len(outcome.failures)) == (("c1",), 3)


def test_completion_ends_with_the_budget_between_places() -> None:
    review, source = reviewed(GONE, GONE, True, budget=3)
    outcome = review.close(complete=True)
    assert (source.asked, outcome.spent) == (["a", "b@first", "b@second"], 3)
    assert outcome.conclusions == ("c1",)


def test_completion_that_exhausts_the_places_goes_on() -> None:
    review, source = reviewed(GONE, GONE, GONE, exhausted=True)
    source.answers = {**source.answers, "d": False}
    outcome = review.close(complete=True)
    assert source.asked == ["a", "b@first", "b@second", "b@third", "d"]
    assert outcome.conclusions == ("c3",)


def test_the_resolver_is_handed_the_one_place_to_read() -> None:
    seen: list[Check] = []

    def resolver(check: Check) -> dict[str, bool]:
        seen.append(check)
        return dict.fromkeys(check.settles, True)

    review = Review(placed(False), resolver, budget=9)
    review.check("b", "second")
    review.check("a")
    assert seen == [
        Check("b", ("b",), candidates=("second",), exhausted=False),
        Check("a", ("a",)),
    ]


def test_the_estimated_cost_of_a_check_with_places_is_that_of_one_read() -> None:
    review, _ = reviewed(GONE)
    assert review.guidance is not None
    assert review.guidance.cost == 3
    review.check("b")
    assert review.guidance is not None
    assert (review.guidance.cost, review.guidance.checks) == (3, ("a", "b", "d"))


def test_the_state_of_reads() -> None:
    state = begin(placed(), 9)
    b = 1
    assert (first_unread(state, b), first_candidate(state, b), first_unread(state, 0)) == (
        0,
        0,
        None,
    )
    running, answer = request(state, CheckRequest("b", "second"))
    assert answer == Answer(AnswerKind.RUN, "b", ONE)
    assert (running.pending, running.candidate) == (b, 1)
    assert pending_check(running).candidates == ("second",)
    done = resolve(running, Resolved((("b", GONE),))).episode
    assert (done.read, done.answered, runnable(done)) == ({Reading(b, 1)}, 0, 0b111)
    assert (first_unread(done, b), first_candidate(done, b)) == (0, 0)
    # Of one that failed, nothing is kept.
    failed = resolve(running, Failed("down")).episode
    assert (failed.read, failed.attempted) == (frozenset(), frozenset())
    marked = after_attempt(running)
    assert (marked.attempted, marked.tried) == ({Reading(b, 1)}, 0)
    assert first_candidate(marked, b) == 0
    single = request(state, CheckRequest("a")).episode
    assert after_attempt(single).tried == 0b001
    for refused, message in (
        (lambda: after_attempt(state), "completion runs no check"),
        (lambda: pending_check(state), "no check is running"),
    ):
        # With contracts it may be the contract that objects.
        with pytest.raises((InvariantViolation, icontract.ViolationError)) as found:
            refused()
        if isinstance(found.value, InvariantViolation):
            assert str(found.value) == message


# Texts.


def test_a_text_read_is_charged_once_and_its_repeat_shows_it() -> None:
    review = opened()
    assert review.check("notes") == Answer(AnswerKind.RECORDED, "notes", Fraction(2), text=NOTES)
    assert review.check("named") == Answer(AnswerKind.CACHED, "notes", text=NOTES)
    assert review.spent == 2
    assert [review.state(atom).value for atom in ("named", "severe")] == ["unknown", "unknown"]
    assert review.close().ledger.records == (TextRead("notes", NOTES),)


def test_a_text_that_is_not_there_certifies_its_atoms_unavailable() -> None:
    review = opened(notes=GONE)
    values = (("named", GONE), ("severe", GONE))
    assert review.check("notes") == Answer(AnswerKind.RECORDED, "notes", Fraction(2), values)
    assert review.check("notes") == Answer(AnswerKind.CACHED, "notes", values=values)
    assert review.guidance is not None
    assert review.guidance.conclusion == "c1"
    answer = review.request(AttestRequest("named", True, QUOTE))
    assert answer.kind is AnswerKind.REJECTED
    outcome = review.close(complete=True)
    assert outcome.conclusions == ("c1",)
    assert outcome.ledger.records[:2] == (
        Certificate("named", "notes", "nothing there"),
        Certificate("severe", "notes", "nothing there"),
    )
    assert [str(p) for p in outcome.unresolved[1].blocked] == ["named", "!severe"]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (FAULT, "the resolver raised OSError('down')"),
        (3, "expected a text, found int"),
        (b"bytes", "expected a text, found bytes"),
        (None, "expected a text, found NoneType"),
        ({"named": True, "severe": True}, "expected a text, found dict"),
        ("x" * (READ_LIMIT + 1), "expected a text of at most 10,000,000 characters"),
        (Unavailable(3), "no truth value for 'named': Unavailable"),  # type: ignore[arg-type]
    ],
)
def test_a_read_that_gives_no_text_is_charged_and_tried_again(given: object, reason: str) -> None:
    review = opened(notes=[given, NOTES])
    failed = review.check("notes")
    assert failed == Answer(AnswerKind.FAILED, "notes", Fraction(2), reason=reason)
    assert (review.state("named").value, review.close().ledger.records) == ("unknown", ())
    review = opened(notes=[given, NOTES])
    review.check("notes")
    assert review.check("notes").text == NOTES
    assert review.request(AttestRequest("named", True, QUOTE)).kind is AnswerKind.RECORDED
    assert review.spent == 5


def test_a_text_of_a_type_of_its_own_is_no_text() -> None:
    class Text(str):
        """A text that may say something else each time."""

    assert opened(notes=Text(NOTES)).check("notes").reason == "expected a text, found Text"


def test_an_empty_text_is_one_on_which_nothing_can_be_quoted() -> None:
    review = opened(notes="")
    assert review.check("notes").kind is AnswerKind.RECORDED
    assert review.check("notes").kind is AnswerKind.CACHED
    asked = AttestRequest("named", True, QUOTE)
    assert review.request(asked).reason == "the quote is no verbatim part of the text"


def test_values_for_a_text_and_a_text_for_values_establish_nothing() -> None:
    state = request(begin(judged(), 9), CheckRequest("notes")).episode
    given = Resolved((("named", True), ("severe", False)))
    assert resolve(state, given).answer.reason == (
        "expected the text, found truth values of what is judged on it"
    )
    mixed = Resolved((("named", GONE), ("severe", False)))
    assert resolve(state, mixed).answer.kind is AnswerKind.FAILED
    state = request(begin(judged(), 9), CheckRequest("a")).episode
    assert resolve(state, Read("yes")).answer.reason == "expected values, found a text"
    assert opened(a=Read("yes")).check("a").kind is AnswerKind.FAILED


def test_completion_reads_no_text() -> None:
    review = opened(a=True)
    assert review.guidance is not None
    assert (review.guidance.conclusion, review.guidance.checks) == ("c3", ("a", "notes"))
    outcome = review.close(complete=True)
    assert (outcome.conclusions, outcome.spent) == (("c1",), 1)
    # What was judged counts, and completion does the rest.
    review = opened()
    review.check("notes")
    review.request(AttestRequest("named", True, QUOTE))
    outcome = review.close(complete=True)
    assert (outcome.conclusions, outcome.spent) == (("c2",), 4)


def test_an_answer_stands_though_its_charge_spends_the_budget() -> None:
    review = opened(budget=2)
    assert review.check("notes") == Answer(AnswerKind.RECORDED, "notes", Fraction(2), text=NOTES)
    assert review.over
    review, _ = reviewed(GONE, budget=1)
    assert review.check("b").kind is AnswerKind.INCONCLUSIVE
    assert review.over


def test_the_text_of_each_check() -> None:
    more = Check("more", ("e",), 1, CheckKind.TEXT)
    state = begin(judged(shared=(more,), atoms="a named severe e"), 9)
    for name, text in (("more", "other"), ("notes", NOTES)):
        assert text_read(state, name) is None
        state = resolve(request(state, CheckRequest(name)).episode, Read(text)).episode
        assert text_read(state, name) == text
    assert pending_check(request(state, CheckRequest("a")).episode).identifier == "a"
    assert TEXT.kind is CheckKind.TEXT
