"""The outcome of a review, read from a ledger that is opened for reading alone."""

from pathlib import Path

import pytest

from licet import Commitment, InvalidInput, still_authorized
from licet_bindings.documents import ReviewDocument, build_document
from licet_bindings.durable.errors import Damaged, LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.outcomes import review_end_bytes, review_end_of
from licet_bindings.durable.reviews import ReviewJournal
from licet_bindings.records.digests import changed_since, digests_of
from licet_bindings.records.resolver import record_resolver
from licet_bindings.records.values import Json

OLD: dict[str, Json] = {"details": "a crash"}


@pytest.fixture
def document() -> ReviewDocument:
    return build_document(
        {
            "licet": 1,
            "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
            "atoms": {"details": {"says": "it has details", "field": "details", "test": "exists"}},
            "routes": {"described": [["details"]]},
            "budget": 5,
        }
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.licet"


def ended(path: Path, document: ReviewDocument, name: str = "r", sourced: bool = True) -> None:
    resolver = record_resolver(document, OLD, sourced=sourced)
    with DurableLedger.open(path) as ledger:
        review = ledger.review(document, resolver, name=name)
        review.check("details")
        review.emit("described")


def test_what_a_stored_outcome_still_authorizes(path: Path, document: ReviewDocument) -> None:
    ended(path, document)
    before = path.read_bytes()
    with DurableLedger.read(path) as ledger:
        assert ledger.reviews() == ("r",)
        outcome = ledger.outcome("r")
    assert path.read_bytes() == before
    assert outcome.conclusions == outcome.authorized == ("described",)
    same: dict[str, Json] = {**OLD, "seen": 1}
    other: dict[str, Json] = {"details": "a fault"}
    assert still_authorized(outcome, digests_of(outcome.commitment, same)) == ("described",)
    assert still_authorized(outcome, digests_of(outcome.commitment, other)) == ()
    assert changed_since(outcome, same) == ()
    assert changed_since(outcome, other) == ("details",)


def test_what_named_no_digest_never_changes(path: Path, document: ReviewDocument) -> None:
    ended(path, document, sourced=False)
    with DurableLedger.read(path) as ledger:
        assert changed_since(ledger.outcome("r"), {"details": "a fault"}) == ()


def test_the_outcome_of_a_review_with_a_second_judge(path: Path, document: ReviewDocument) -> None:
    with DurableLedger.open(path) as ledger:
        review = ledger.review(
            document, record_resolver(document, OLD), name="r", judge=lambda says, text: True
        )
        review.check("details")
        told = review.close()
    with DurableLedger.read(path) as ledger:
        assert ledger.outcome("r").conclusions == told.conclusions


def test_there_is_no_outcome_of_what_is_open_or_not_there(
    path: Path, document: ReviewDocument
) -> None:
    with DurableLedger.open(path) as ledger:
        ledger.review(document, record_resolver(document, OLD), name="r").check("details")
        with pytest.raises(InvalidInput, match=r'^name: review "r" has not ended; resume it$'):
            ledger.outcome("r")
        with pytest.raises(InvalidInput, match=r'^name: no review is named "s"$'):
            ledger.outcome("s")


def test_an_end_that_was_not_written_follows_all_the_same(
    path: Path, document: ReviewDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReviewJournal, "conclude", lambda self, outcome, history: None)
    ended(path, document)
    with DurableLedger.read(path) as ledger:
        assert ledger.outcome("r").conclusions == ("described",)


def test_another_outcome_than_the_one_that_follows(
    path: Path, document: ReviewDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    def otherwise(body: bytes, place: str) -> object:
        end = review_end_of(body, place)
        assert review_end_bytes(end) == body
        return end._replace(outcome=end.outcome._replace(conclusions=()))

    ended(path, document)
    monkeypatch.setattr("licet_bindings.durable.reviews.review_end_of", otherwise)
    with (
        DurableLedger.read(path) as ledger,
        pytest.raises(Damaged, match=r"^entry 2: another outcome is written"),
    ):
        ledger.outcome("r")


def test_nothing_is_written_to_what_is_open_for_reading(
    path: Path, document: ReviewDocument
) -> None:
    ended(path, document)
    resolver = record_resolver(document, OLD)
    with DurableLedger.read(path) as ledger, pytest.raises(LedgerError):
        ledger.review(document, resolver, name="s")
    with DurableLedger.read(path) as ledger:
        assert isinstance(ledger.outcome("r").commitment, Commitment)
        assert ledger.reviews() == ("r",)
