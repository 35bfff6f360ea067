"""A ledger that was changed or forged is not gone on with."""

import pytest

from licet import (
    InvalidInput,
)
from licet_bindings.durable.entries import Kind, digest_of
from licet_bindings.durable.errors import Damaged
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_proofs.gate_scripts import DOUBTED
from tests.core.programs import chain_of_three
from tests.durable.scripts import kinds, resolver


class TestDamage:
    """What is not what its digest says, or does not replay, is not gone on with."""

    @pytest.fixture
    def written(self, ledger: DurableLedger, store: MemoryStore) -> MemoryStore:
        review = ledger.review(chain_of_three(), resolver, name="r", budget=9)
        review.check("a")
        review.emit("c3")
        gate = ledger.gate(DOUBTED, name="g", budget=4)
        gate.verify("ask", lambda: False)
        gate.decide()
        return store

    @pytest.mark.parametrize("sequence", range(1, 9))
    def test_an_entry_that_was_changed(
        self, ledger: DurableLedger, written: MemoryStore, sequence: int
    ) -> None:
        entry = written._entries[sequence - 1]
        written._entries[sequence - 1] = entry._replace(time="2026-11-30T13:00:00.000000Z")
        with pytest.raises(Damaged, match=f"entry {sequence}: its digest"):
            for resume in (lambda: ledger.resume("r", resolver), lambda: ledger.resume_gate("g")):
                resume()

    @pytest.mark.parametrize(
        ("sequence", "old", "new"),
        [
            (1, b'"licet":1', b'"licet":2'),
            (2, b'"budget":"9"', b'"budget":"0"'),
            (2, b'"name":"r"', b'"name":"s"'),
            (2, b'"program_sha256":"', b'"program_sha256":"0'),
            (4, b'"value":', b'"value":0'),
            (4, b"true", b"false"),
            (5, b'"unauthorized"', b'"accepted"'),
            (6, b'"policy":"two-step"', b'"policy":"own"'),
            (7, b'"ask"', b'"look"'),
            (8, b'"recorded"', b'"refused"'),
            (8, b"{", b"{ "),
        ],
    )
    def test_an_entry_that_was_forged_with_its_digest(
        self, ledger: DurableLedger, written: MemoryStore, sequence: int, old: bytes, new: bytes
    ) -> None:
        """Its own digest then fits; what it says does not."""
        entry = written._entries[sequence - 1]
        forged = entry._replace(body=entry.body.replace(old, new, 1))
        if forged == entry:
            forged = entry._replace(body=entry.body[:-1])
        written._entries[sequence - 1] = forged._replace(digest=digest_of(forged))
        count = len(kinds(written))
        with pytest.raises((Damaged, InvalidInput)):
            for resume in (lambda: ledger.resume("r", resolver), lambda: ledger.resume_gate("g")):
                resume()
        resumed = kinds(written)[count:]
        assert resumed in ([], [Kind.RESUMED]), "the other one may be gone on with"

    def test_a_program_that_was_forged_with_its_digest_opens_no_review(
        self, ledger: DurableLedger, written: MemoryStore
    ) -> None:
        entry = written._entries[0]
        forged = entry._replace(body=entry.body.replace(b'"licet":1', b'"licet":2'))
        written._entries[0] = forged._replace(digest=digest_of(forged))
        with pytest.raises(Damaged, match="expected its canonical text"):
            ledger.review(chain_of_three(), resolver, name="s", budget=9)
        assert kinds(written)[-1] is Kind.EVENT

    def test_an_entry_that_is_missing(self, ledger: DurableLedger, written: MemoryStore) -> None:
        del written._entries[2]
        with pytest.raises(Damaged, match="expected position 1"):
            ledger.resume("r", resolver)
