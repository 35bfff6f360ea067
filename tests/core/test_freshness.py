"""What a check read expires when its source has changed, with all that rested on it."""

from collections.abc import Mapping

import pytest

from licet import (
    Answer,
    AnswerKind,
    AttestRequest,
    Certificate,
    Check,
    CheckKind,
    Expiration,
    Failed,
    Inconclusive,
    InvalidInput,
    Observation,
    Program,
    Read,
    RefreshRequest,
    Resolved,
    Review,
    State,
    Unavailable,
    commit,
    still_authorized,
)
from licet.episode import begin, request
from licet.messages import is_digest, plain, usable_answer
from tests.core.judged import NOTES, OTHER_QUOTE, PERSON, QUOTE, Source, judged
from tests.core.programs import specification
from tests.core.watched import NAMED, OTHER_NOTES, located, watched


def test_a_changed_digest_on_the_only_support_takes_the_conclusion_away() -> None:
    review, _ = watched()
    review.check("a")
    assert review.authorized == ("c1",)
    assert review.refresh("a", "v2") == Answer(AnswerKind.EXPIRED, "a")
    assert (review.authorized, review.state("a"), review.spent) == ((), State.UNKNOWN, 1)
    assert review.emit("c1").kind is AnswerKind.UNAUTHORIZED
    outcome = review.close()
    assert (outcome.conclusions, outcome.authorized) == ((), ())
    assert outcome.ledger.records == (
        Observation("a", True, "a", digest="v1"),
        Expiration("a", "v2"),
    )


def test_an_unchanged_digest_leaves_all_as_it_is() -> None:
    review, _ = watched()
    review.check("a")
    answer = review.refresh("a", "v1")
    assert (answer.kind, answer.subject, answer.charged) == (AnswerKind.UNCHANGED, "a", 0)
    assert review.authorized == ("c1",)
    assert review.check("a").kind is AnswerKind.CACHED
    assert review.close().ledger.records == (Observation("a", True, "a", digest="v1"),)


def test_a_check_that_named_no_digest_never_expires() -> None:
    review = Review(judged(), Source({}), budget=20)
    review.check("a")
    assert review.refresh("a", "v2").kind is AnswerKind.UNCHANGED
    assert review.authorized == ("c1",)


def test_a_check_that_did_not_run_has_nothing_to_expire() -> None:
    review, _ = watched()
    assert review.refresh("a", "v2").kind is AnswerKind.UNCHANGED
    assert review.history[-1].event == RefreshRequest("a", "v2")


def test_only_the_check_that_is_named_expires() -> None:
    review, _ = watched()
    review.check("a")
    review.check("notes")
    review.request(NAMED)
    review.refresh("notes", "v2")
    assert (review.authorized, review.state("a")) == (("c1",), State.TRUE)


def test_an_expired_check_runs_again_is_charged_and_counts_again() -> None:
    review, source = watched(a=False)
    review.check("a")
    source.answers["a"], source.digests["a"] = True, "v2"
    review.refresh("a", "v2")
    answer = review.check("a")
    assert (answer.kind, answer.charged) == (AnswerKind.RECORDED, 1)
    assert (review.state("a"), review.authorized) == (State.TRUE, ("c1",))
    assert review.refresh("a", "v2").kind is AnswerKind.UNCHANGED
    assert review.check("a").values == (("a", True),)
    assert review.refresh("a", "v1").kind is AnswerKind.EXPIRED
    assert source.asked == ["a", "a"]


def test_a_text_that_changed_takes_its_judgements_with_it() -> None:
    review, source = watched()
    review.check("a")
    review.check("notes")
    review.request(NAMED)
    review.attest("severe", False, OTHER_QUOTE, PERSON)
    assert review.authorized == ("c1", "c2", "c3")
    source.answers["notes"], source.digests["notes"] = OTHER_NOTES, "v2"
    assert review.refresh("notes", "v2").kind is AnswerKind.EXPIRED
    assert (review.authorized, review.state("named")) == (("c1",), State.UNKNOWN)
    # The old text is not there to be quoted; nor is the old judgement answered from the cache.
    rejected = review.request(NAMED)
    assert (rejected.kind, rejected.charged) == (AnswerKind.REJECTED, 1)
    assert review.check("notes").text == OTHER_NOTES
    assert review.attest("severe", False, OTHER_QUOTE, PERSON).kind is AnswerKind.REJECTED
    assert review.request(NAMED).kind is AnswerKind.RECORDED
    assert review.check("notes").text == OTHER_NOTES
    assert review.authorized == ("c1", "c2")


def test_what_an_old_text_lacked_may_be_in_the_new_one() -> None:
    review, source = watched(notes=OTHER_NOTES)
    review.check("notes")
    asked = AttestRequest("named", True, OTHER_QUOTE)
    assert review.request(asked).kind is AnswerKind.REJECTED
    source.answers["notes"], source.digests["notes"] = NOTES, "v2"
    review.refresh("notes", "v2")
    review.check("notes")
    assert review.request(asked).kind is AnswerKind.RECORDED


def test_a_field_check_that_expires_clears_no_judgement() -> None:
    review, _ = watched()
    review.check("a")
    odd = AttestRequest("a", True, QUOTE)
    assert review.request(odd).kind is AnswerKind.REJECTED
    review.refresh("a", "v2")
    assert review.request(odd).kind is AnswerKind.CACHED


def test_a_text_that_was_unavailable_can_be_read_once_it_is_there() -> None:
    review, source = watched(notes=Unavailable("nothing there"))
    review.check("notes")
    assert review.guidance is not None and review.guidance.conclusion == "c1"
    assert review.request(NAMED).reason == "its text is unavailable"
    source.answers["notes"], source.digests["notes"] = NOTES, "v2"
    review.refresh("notes", "v2")
    assert review.guidance.conclusion == "c3"
    assert "was not read in this review" in review.request(NAMED).reason
    review.check("notes")
    assert review.request(NAMED).kind is AnswerKind.RECORDED


def test_a_certificate_expires_and_its_routes_live_again() -> None:
    review, source = watched(a=Unavailable("null"))
    review.check("a")
    assert review.guidance is None
    source.answers["a"], source.digests["a"] = True, "v2"
    review.refresh("a", "v2")
    assert review.guidance is not None
    review.check("a")
    assert review.authorized == ("c1",)


@pytest.mark.parametrize("exhausted", [False, None])
def test_candidates_expire_together_and_are_read_again(exhausted: bool | None) -> None:
    missing = Unavailable("nothing there")
    review, source = watched(located(exhausted), **{"b@first": missing, "b@second": missing})
    assert review.check("b").kind is AnswerKind.INCONCLUSIVE
    # The second was read of a newer version, which is what the source has still.
    source.digests["b"] = "v2"
    assert review.check("b").kind is AnswerKind.RECORDED
    assert review.refresh("b", "v2").kind is AnswerKind.EXPIRED
    assert review.state("b") is State.UNKNOWN
    source.answers["b@first"] = True
    assert review.check("b").kind is AnswerKind.RECORDED
    assert (review.authorized, source.asked) == (("c1",), ["b"] * 3)
    reads = [type(r) for r in review.close().ledger.records]
    last = Observation if exhausted is False else Certificate
    assert reads == [Inconclusive, Inconclusive, last, Expiration, Observation]


def test_a_candidate_that_gave_nothing_is_not_answered_from_the_cache_once_it_expired() -> None:
    review, source = watched(located(), **{"b@first": Unavailable("nothing there")})
    review.check("b", "first")
    assert review.check("b", "first").kind is AnswerKind.CACHED
    source.answers["b@first"], source.digests["b"] = True, "v2"
    review.refresh("b", "v2")
    assert review.check("b", "first").kind is AnswerKind.RECORDED


def test_completion_runs_what_expired() -> None:
    review, source = watched(a=False)
    review.check("a")
    source.answers["a"], source.digests["a"] = True, "v2"
    review.refresh("a", "v2")
    while not review.over:
        review.stop()
    assert (review.outcome.conclusions, review.outcome.spent) == (("c1",), 2)


def test_an_agent_cannot_refresh() -> None:
    review, _ = watched()
    review.check("a")
    answer = review.request(RefreshRequest("a", "v2"))
    assert (answer.kind, answer.charged) == (AnswerKind.UNRECOGNIZED, 1)
    assert review.turn([RefreshRequest("a", "v2")]).kind is AnswerKind.UNRECOGNIZED
    assert review.authorized == ("c1",)
    assert not isinstance(plain(RefreshRequest("a", "v2")), RefreshRequest)


def test_a_review_that_is_over_is_not_refreshed() -> None:
    review, _ = watched()
    review.check("a")
    review.close()
    assert review.refresh("a", "v2").kind is AnswerKind.ENDED
    assert review.outcome.authorized == ("c1",)


def test_a_resolver_cannot_refresh_from_within() -> None:
    kinds: list[AnswerKind] = []

    def resolver(check: Check) -> Mapping[str, bool]:
        kinds.append(review.refresh("a", "v2").kind)
        return {"a": True}

    review = Review(judged(), resolver, budget=20)
    review.check("a")
    assert kinds == [AnswerKind.BUSY]


@pytest.mark.parametrize("digest", ["", " ", "two words", "x" * 201, "ä", "a\n", None, b"v2", 2])
def test_what_is_no_digest_is_refused(digest: object) -> None:
    review, source = watched()
    source.digests["a"] = digest
    answer = review.check("a")
    assert (answer.kind, answer.charged) == (AnswerKind.FAILED, 1)
    assert "expected a digest" in answer.reason
    with pytest.raises(InvalidInput, match="digest: expected a digest"):
        review.refresh("a", digest)  # type: ignore[arg-type]
    assert not is_digest(digest)
    with pytest.raises(InvalidInput, match="digest"):
        still_authorized(review.close(), {"a": digest})  # type: ignore[dict-item]


@pytest.mark.parametrize("digest", ["0", "sha256:" + "0f" * 32, "W/abc==", "x" * 200])
def test_what_is_a_digest_is_taken(digest: str) -> None:
    review, source = watched()
    source.digests["a"] = digest
    review.check("a")
    assert review.refresh("a", digest).kind is AnswerKind.UNCHANGED
    assert review.refresh("a", "v2").kind is AnswerKind.EXPIRED


def test_a_check_that_the_program_does_not_have_is_refused() -> None:
    review, _ = watched()
    for name in ("named", "zzz", "", None, 3):
        with pytest.raises(InvalidInput, match="check: no check is named"):
            review.refresh(name, "v2")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="no check is named 'zzz'"):
        still_authorized(review.close(), {"zzz": "v2"})


def test_the_pure_function_takes_no_refresh_of_what_is_not_there() -> None:
    episode = begin(judged(), 5)
    for asked in (RefreshRequest("zzz", "v2"), RefreshRequest("a", "")):
        assert request(episode, asked).answer.kind is AnswerKind.UNRECOGNIZED


def test_only_a_digest_itself_passes_with_an_answer() -> None:
    class Sly(str):
        """Not what it claims to be."""

    check, text = Check("a", ("a",)), Check("t", ("x",), kind=CheckKind.TEXT)
    assert isinstance(usable_answer(check, Resolved((("a", True),), Sly("v1"))), Failed)
    assert isinstance(usable_answer(text, Read(NOTES, Sly("v1"))), Failed)
    assert usable_answer(text, Read(NOTES, "v1")) == Read(NOTES, "v1")
    assert usable_answer(check, Resolved((("a", True),), "v1")).digest == "v1"  # type: ignore[union-attr]


def test_a_refresh_may_resolve_a_conflict_and_authorize_more() -> None:
    shared = Check("other", ("a",))
    made = specification(
        "a", Check("a", ("a",)), shared, conclusions=judged().specification.conclusions[:1]
    )
    review, source = watched(commit(made, Program.of({"c1": [["a"]]})))
    source.answers["other"] = False
    review.check("a")
    review.check("other")
    assert (review.state("a"), review.authorized) == (State.CONFLICT, ())
    review.refresh("other", "v2")
    assert (review.state("a"), review.authorized) == (State.TRUE, ("c1",))
    assert still_authorized(review.close(), {"a": "v2"}) == ()
