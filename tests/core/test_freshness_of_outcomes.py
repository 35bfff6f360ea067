"""What is said of what expired: outcomes judged again, reports, replays, and any ledger."""

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    AnswerKind,
    Attestation,
    AttestRequest,
    Certificate,
    Check,
    CheckRequest,
    Expiration,
    Inconclusive,
    Ledger,
    Observation,
    Program,
    RefreshRequest,
    Retraction,
    Review,
    State,
    StopRequest,
    TextRead,
    Unavailable,
    commit,
    denote,
    render,
    replay,
    still_authorized,
)
from licet.compiled import bits
from licet.decisions import authorized
from licet.ledger import Record, expires, settle
from tests.core.judged import MODEL, NOTES, PERSON, QUOTE, judged
from tests.core.programs import specification
from tests.core.watched import NAMED, watched


def test_an_old_outcome_is_judged_again() -> None:
    review, _ = watched()
    review.check("a")
    review.check("notes")
    review.request(NAMED)
    outcome = review.close()
    assert still_authorized(outcome, {}) == outcome.authorized == ("c1", "c2")
    assert still_authorized(outcome, {"a": "v1", "notes": "v1"}) == ("c1", "c2")
    assert still_authorized(outcome, {"notes": "v2"}) == ("c1",)
    assert still_authorized(outcome, {"notes": "v2", "a": "v2"}) == ()
    assert outcome.authorized == ("c1", "c2")


def test_what_was_not_authorized_then_is_not_still_authorized() -> None:
    shared = Check("other", ("a",))
    made = specification(
        "a", Check("a", ("a",)), shared, conclusions=judged().specification.conclusions[:1]
    )
    review, source = watched(commit(made, Program.of({"c1": [["a"]]})))
    source.answers["other"] = False
    review.check("a")
    review.check("other")
    assert still_authorized(review.close(), {"other": "v2"}) == ()


def test_a_report_says_that_something_expired() -> None:
    review, _ = watched()
    review.check("a")
    review.refresh("a", "v2")
    text = render(review.close())
    assert "  check a: its source changed; all that rested on it before has expired\n" in text
    assert "(c1) is not authorized" in text
    assert "missing: a" in text
    assert denote(text) == frozenset()


def test_a_certificate_that_expired_blocks_nothing_in_a_report() -> None:
    review, _ = watched(a=Unavailable("null"))
    review.check("a")
    review.refresh("a", "v2")
    text = render(review.close())
    assert "unavailable" not in text
    assert "missing: a" in text


def test_a_review_with_refreshes_replays_and_goes_on_where_it_was_cut() -> None:
    review, source = watched()
    review.check("notes")
    review.request(NAMED)
    source.digests["notes"] = "v2"
    review.refresh("notes", "v2")
    review.refresh("notes", "v2")
    review.check("notes")
    review.check("a")
    for length in range(len(review.history) + 1):
        cut = review.history[:length]
        refreshed = any(isinstance(entry.event, RefreshRequest) for entry in cut)
        source.digests["notes"] = "v2" if refreshed else "v1"
        again = Review(judged(), source, budget=30, attester=MODEL, history=cut)
        if len(again.history) > length:  # a call was running, and is a failed one
            assert again.history[-1].answer.kind is AnswerKind.FAILED
            continue
        for entry in review.history[length:]:
            match entry.event:
                case RefreshRequest(check, digest):
                    source.digests[check] = digest
                    assert again.refresh(check, digest) == entry.answer
                case CheckRequest() | AttestRequest() | StopRequest():
                    again.request(entry.event)
        assert again.authorized == review.authorized
    outcome = review.close()
    assert replay(judged(), 30, True, review.history) == outcome


ATOMS = judged().compiled.atoms
CHECKS = {"a": ("a",), "notes": ("named", "severe")}
DIGESTS = st.sampled_from(["", "v1", "v2"])
RECORDS: st.SearchStrategy[Record] = st.one_of(
    st.builds(Observation, st.just("a"), st.booleans(), st.just("a"), st.just(""), DIGESTS),
    st.builds(Certificate, st.just("a"), st.just("a"), st.just("null"), DIGESTS),
    st.builds(Inconclusive, st.just("a"), st.just("a"), st.just("x"), st.just("null"), DIGESTS),
    st.builds(TextRead, st.just("notes"), st.just(NOTES), DIGESTS),
    st.builds(
        Attestation,
        st.sampled_from(["named", "severe"]),
        st.booleans(),
        st.just(QUOTE),
        st.sampled_from([MODEL, PERSON]),
    ),
    st.builds(Retraction, st.sampled_from(["named", "severe"]), st.sampled_from([MODEL, PERSON])),
    st.sampled_from([Expiration("a", "v2"), Expiration("notes", "v2", ("named", "severe"))]),
)


def without_expired(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """What is left of a ledger, said another way: cut at each check's last expiration."""
    last = {r.check: i for i, r in enumerate(records) if isinstance(r, Expiration)}
    kept: list[Record] = []
    for place, record in enumerate(records):
        if isinstance(record, Expiration):
            continue
        judges = isinstance(record, Attestation)
        check = "notes" if judges or isinstance(record, Retraction) else record.check  # type: ignore[union-attr]
        if place > last.get(check, -1):
            kept.append(record)
    return tuple(kept)


@given(st.lists(RECORDS, max_size=12).map(tuple))
def test_a_ledger_says_what_it_says_without_what_expired(records: tuple[Record, ...]) -> None:
    program = judged().compiled
    ledger, left = Ledger(records), Ledger(without_expired(records))
    assert ledger.admitted == left.admitted
    assert ledger.standing == left.standing
    assert {a: ledger.state(a) for a in ATOMS} == {a: left.state(a) for a in ATOMS}
    settled = settle(program, ledger)
    assert settled == settle(program, left)
    assert settle(program, ledger, attested=False) == settle(program, left, attested=False)
    assert authorized(program, settled) == authorized(program, settle(program, left))


STEPS = st.one_of(
    st.tuples(st.sampled_from(["check", "expire", "same"]), st.sampled_from(["a", "notes"])),
    st.tuples(st.just("attest"), st.sampled_from(["named", "severe"])),
)


@given(st.lists(STEPS, max_size=14), st.data())
def test_whatever_a_review_went_through_what_is_stale_authorizes_nothing(
    steps: list[tuple[str, str]], data: st.DataObject
) -> None:
    review, source = watched(budget=100)
    version = {"a": 1, "notes": 1}
    for what, name in steps:
        before = review.authorized
        match what:
            case "check":
                source.answers[name] = NOTES if name == "notes" else data.draw(st.booleans())
                source.digests[name] = f"v{version[name]}"
                review.check(name)
            case "attest":
                review.request(AttestRequest(name, data.draw(st.booleans()), QUOTE))
            case "same":
                review.refresh(name, f"v{version[name]}")
                assert review.authorized == before
            case "expire":
                version[name] += 1
                review.refresh(name, f"v{version[name]}")
                assert all(review.state(atom) is State.UNKNOWN for atom in CHECKS[name])
    outcome = review.close()
    program, records = outcome.commitment.compiled, outcome.ledger.records
    left = Ledger(without_expired(records))
    mask = authorized(program, settle(program, left))
    assert outcome.authorized == tuple(program.conclusions[i] for i in bits(mask))
    # All that is left was read of the newest version.
    for record in outcome.ledger.standing:
        if isinstance(record, Observation | TextRead):
            assert record.digest == f"v{version[record.check]}"
    gone = still_authorized(outcome, dict.fromkeys(CHECKS, "v0"))
    assert gone == ()
    assert replay(judged(), 100, True, review.history) == outcome


def test_an_expiration_takes_out_what_its_check_gave_and_what_was_judged_on_it() -> None:
    expired = Expiration("k", "v2", ("x",))
    assert expires(expired, Observation("b", True, "k"))
    assert not expires(expired, Observation("x", True, "other"))
    assert expires(expired, Attestation("x", True, QUOTE, MODEL))
    assert not expires(expired, Attestation("y", True, QUOTE, MODEL))
