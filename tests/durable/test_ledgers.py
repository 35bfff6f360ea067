"""The durable ledger: who may go on, what is written when, and what is refused."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest

from licet import (
    AnswerKind,
    Atom,
    Check,
    Commitment,
    Conclusion,
    GateEntry,
    InvalidInput,
    Observed,
    Program,
    Review,
    Specification,
    Unwritten,
    Value,
    commit,
)
from licet.policies import greedy_policy
from licet_bindings.documents import build_document
from licet_bindings.durable.entries import Draft, Kind, LedgerEntry
from licet_bindings.durable.episodes import EpisodeWriter
from licet_bindings.durable.errors import Damaged, LedgerError, Taken
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.reviews import ReviewJournal, review_opening_of
from licet_proofs.gate_scripts import DOUBTED
from tests.core.programs import chain_of_three
from tests.durable.scripts import NOON, first_entries, kinds, resolver


class TestWhoGoesOn:
    """One owner at a time."""

    def test_a_former_owner_of_a_review_is_refused(
        self, ledger: DurableLedger, commitment: Commitment
    ) -> None:
        former = ledger.review(commitment, resolver, name="r", budget=9)
        former.check("a")
        present = ledger.resume("r", resolver)
        with pytest.raises(Taken, match="continued elsewhere"):
            former.check("b")
        with pytest.raises(Unwritten):
            former.emit("c1")
        assert present.check("b").kind is AnswerKind.RECORDED
        assert present.spent == 2

    def test_an_answer_of_a_former_owner_is_not_believed(
        self, ledger: DurableLedger, commitment: Commitment
    ) -> None:
        """It was resumed while the resolver ran: charged once, and its value unknown."""

        def resumed_meanwhile(check: Check) -> Mapping[str, Value]:
            resumed.append(ledger.resume("r", resolver))
            return {check.identifier: True}

        resumed: list[object] = []
        former = ledger.review(commitment, resumed_meanwhile, name="r", budget=9)
        with pytest.raises(Taken):
            former.check("a")
        present = ledger.resume("r", resolver)
        assert present.spent == 1
        assert present.authorized == ()

    def test_a_former_owner_of_a_gate_is_refused(self, ledger: DurableLedger) -> None:
        former = ledger.gate(DOUBTED, name="g", budget=4)
        present = ledger.resume_gate("g")
        with pytest.raises(Taken):
            former.decide()
        with pytest.raises(Unwritten):
            former.verify("ask", lambda: True)
        assert present.decide().verifier == "look"

    def test_a_verifier_of_a_former_owner_is_not_believed(self, ledger: DurableLedger) -> None:
        def refutes() -> bool:
            ledger.resume_gate("g")
            return True

        former = ledger.gate(DOUBTED, name="g", budget=4)
        with pytest.raises(Taken):
            former.verify("ask", refutes)
        present = ledger.resume_gate("g")
        assert present.remaining == 3
        assert present.history == (GateEntry(0, "ask", None, Observed.FAILED),)

    def test_a_name_is_given_once(self, ledger: DurableLedger, commitment: Commitment) -> None:
        ledger.review(commitment, resolver, name="a name", budget=9)
        with pytest.raises(Taken, match="'a name' already"):
            ledger.review(commitment, resolver, name="a name", budget=9)
        with pytest.raises(Taken, match="'a name' already"):
            ledger.gate(DOUBTED, name="a name")

    def test_a_call_that_may_have_begun_on_opening_is_not_made_again(self) -> None:
        """With a check that costs nothing, completion runs it before there is any event."""
        atoms = (Atom("a", "it holds"),)
        conclusions = (Conclusion("c", "It is so.", 1),)
        free = Specification(conclusions, atoms, (Check("a", ("a",), 0),))
        commitment, store, ran = (
            commit(free, Program.of({"c": [["a"]]})),
            MemoryStore(),
            list[str](),
        )

        def counts(check: Check) -> Mapping[str, Value]:
            ran.append(check.identifier)
            return resolver(check)

        first = DurableLedger(store).review(commitment, counts, name="r", budget=0)
        assert first.outcome.conclusions == ("c",)
        cut = first_entries(store, 2)
        again = DurableLedger(cut).resume("r", counts)
        assert again.outcome.conclusions == ()
        assert ran == ["a"]
        assert kinds(cut)[2:] == [Kind.RESUMED, Kind.EVENT, Kind.OUTCOME]

    def test_a_review_that_is_over_is_opened_as_it_ended(
        self, ledger: DurableLedger, store: MemoryStore, commitment: Commitment
    ) -> None:
        outcome = ledger.review(commitment, resolver, name="r", budget=9).close(complete=True)
        before = kinds(store)
        again = ledger.resume("r", resolver)
        assert (again.outcome.conclusions, again.outcome.spent) == (
            outcome.conclusions,
            outcome.spent,
        )
        assert kinds(store) == before
        assert again.check("a").kind is AnswerKind.ENDED
        assert kinds(store) == [*before, Kind.RESUMED, Kind.EVENT]


class TestWhatIsWritten:
    """Before the answer, and once."""

    def test_a_program_is_written_once(
        self, ledger: DurableLedger, store: MemoryStore, commitment: Commitment
    ) -> None:
        for name in "abc":
            ledger.review(commitment, resolver, name=name, budget=9)
        assert kinds(store) == [Kind.PROGRAM, *[Kind.REVIEW] * 3]

    def test_a_program_that_somebody_else_writes_at_this_moment(
        self, commitment: Commitment
    ) -> None:
        class Raced(MemoryStore):
            def append(self, draft: Draft) -> LedgerEntry:
                if draft.kind is Kind.PROGRAM:
                    super().append(draft)
                return super().append(draft)

        raced = Raced()
        DurableLedger(raced).review(commitment, resolver, name="r", budget=9)
        assert kinds(raced) == [Kind.PROGRAM, Kind.REVIEW]

    def test_an_entry_is_written_before_the_resolver_runs(
        self, ledger: DurableLedger, store: MemoryStore, commitment: Commitment
    ) -> None:
        seen: list[list[Kind]] = []

        def looks(check: Check) -> Mapping[str, Value]:
            seen.append(kinds(store))
            return resolver(check)

        ledger.review(commitment, looks, name="r", budget=9).check("a")
        assert seen == [[Kind.PROGRAM, Kind.REVIEW, Kind.EVENT]]

    def test_that_a_verifier_is_asked_is_written_before_it_is(
        self, ledger: DurableLedger, store: MemoryStore
    ) -> None:
        seen: list[list[Kind]] = []

        def refutes() -> bool:
            seen.append(kinds(store))
            return False

        ledger.gate(DOUBTED, name="g").verify("ask", refutes)
        assert seen == [[Kind.GATE, Kind.ASKED]]

    def test_an_outcome_is_written_once(
        self, ledger: DurableLedger, store: MemoryStore, commitment: Commitment
    ) -> None:
        ledger.review(commitment, resolver, name="r", budget=9)
        writer = EpisodeWriter.reopen(store, lambda: NOON, store.episode(2))
        journal = ReviewJournal(writer, review_opening_of(store.episode(2)[0]))
        plain = Review(commitment, resolver, budget=9)
        outcome = plain.close()
        journal.record(0, plain.history[0])
        journal.conclude(outcome, plain.history)
        journal.conclude(outcome, plain.history)
        assert kinds(store)[2:] == [Kind.RESUMED, Kind.EVENT, Kind.OUTCOME]
        other = Review(commitment, resolver, budget=8).close()
        with pytest.raises(Damaged, match="another outcome"):
            journal.conclude(other, plain.history)
        with pytest.raises(LedgerError, match="expected event 1"):
            journal.record(2, plain.history[0])

    def test_a_document_says_its_budget_and_program(
        self, ledger: DurableLedger, store: MemoryStore
    ) -> None:
        document = build_document(
            {
                "licet": 1,
                "conclusions": [{"id": "described", "says": "It is described.", "utility": 1}],
                "atoms": {"text": {"says": "it has a text", "field": "text", "test": "exists"}},
                "routes": {"described": [["text"]]},
                "budget": 2.5,
            }
        )
        ledger.review(document, lambda check: {"text": True}, name="r", record="a.json")
        opening = review_opening_of(next(store.entries(1)))
        assert (opening.budget, opening.record) == (Fraction(5, 2), "a.json")
        assert ledger.resume("r", resolver).check("text").kind is AnswerKind.RECORDED

    def test_the_head_is_that_of_the_last_entry(
        self, ledger: DurableLedger, store: MemoryStore
    ) -> None:
        ledger.gate(DOUBTED, name="g").decide()
        *_, last = store.entries()
        assert ledger.head == (2, last.digest)


class TestClocks:
    """Time is the caller's."""

    def test_a_time_is_written_in_utc(self, store: MemoryStore) -> None:
        east = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
        DurableLedger(store, clock=lambda: east).gate(DOUBTED, name="g")
        assert next(store.entries()).time == "2026-11-30T12:00:00.000000Z"

    @pytest.mark.parametrize(
        "clock",
        [
            lambda: 1 / 0,
            lambda: NOON.replace(tzinfo=None),
            lambda: "noon",
            lambda: datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
        ],
    )
    def test_without_a_time_nothing_is_written(
        self, store: MemoryStore, commitment: Commitment, clock: Callable[[], datetime]
    ) -> None:
        broken = DurableLedger(store, clock=clock)
        with pytest.raises(LedgerError, match=r"^clock: expected a time"):
            broken.review(commitment, resolver, name="r", budget=9)
        with pytest.raises(LedgerError, match=r"^clock: expected a time"):
            broken.gate(DOUBTED, name="g")
        assert kinds(store) == []

    def test_a_clock_that_fails_later(self, store: MemoryStore, commitment: Commitment) -> None:
        times = iter([NOON, NOON])
        review = DurableLedger(store, clock=lambda: next(times)).review(
            commitment, resolver, name="r", budget=9
        )
        review.emit("c1")
        with pytest.raises(LedgerError, match=r"clock.*StopIteration"):
            review.check("a")
        assert kinds(store) == [Kind.PROGRAM, Kind.REVIEW, Kind.EVENT]


class TestWhatIsRefused:
    """And then nothing is written."""

    @pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, 7, "\ud800"])
    def test_a_name(self, ledger: DurableLedger, store: MemoryStore, name: str) -> None:
        for act in (
            lambda: ledger.review(chain_of_three(), resolver, name=name, budget=9),
            lambda: ledger.gate(DOUBTED, name=name),
            lambda: ledger.resume(name, resolver),
            lambda: ledger.resume_gate(name),
        ):
            with pytest.raises(InvalidInput, match=r"^name: "):
                act()
        assert kinds(store) == []

    @pytest.mark.parametrize(
        ("wrong", "place"),
        [
            ({"budget": -1}, "budget"),
            ({"budget": float("nan")}, "budget"),
            ({"completion": 1}, "completion"),
            ({"attester": "ann"}, "attester"),
            ({"judge": "ann"}, "judge"),
            ({"record": 7}, "review.record"),
        ],
    )
    def test_a_setting_of_a_review(
        self, ledger: DurableLedger, store: MemoryStore, wrong: Mapping[str, object], place: str
    ) -> None:
        settings = {"budget": 9, **wrong}
        with pytest.raises(InvalidInput, match=f"^{place}: "):
            ledger.review(chain_of_three(), resolver, name="r", **settings)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match=r"^resolver: "):
            ledger.review(chain_of_three(), "resolver", name="r")  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match=r"^source: "):
            ledger.review("program", resolver, name="r")  # type: ignore[arg-type]
        assert kinds(store) == []

    @pytest.mark.parametrize(
        ("wrong", "place"),
        [
            ({"budget": -1}, "budget"),
            ({"policy": "wise"}, "policy"),
            ({"policy": "never"}, "policy"),
            ({"policy": 7}, "policy"),
            ({"observation": "exact"}, "observation"),
        ],
    )
    def test_a_setting_of_a_gate(
        self, ledger: DurableLedger, store: MemoryStore, wrong: Mapping[str, object], place: str
    ) -> None:
        with pytest.raises(InvalidInput, match=f"^{place}: "):
            ledger.gate(DOUBTED, name="g", **wrong)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match=r"^candidate: "):
            ledger.gate("ship", name="g")  # type: ignore[arg-type]
        assert kinds(store) == []

    def test_what_is_not_there(self, ledger: DurableLedger) -> None:
        with pytest.raises(InvalidInput, match='no review is named "r"'):
            ledger.resume("r", resolver)
        ledger.gate(DOUBTED, name="g")
        with pytest.raises(InvalidInput, match='"g" is a gate, not a review'):
            ledger.resume("g", resolver)

    def test_another_judge_than_at_first(
        self, ledger: DurableLedger, store: MemoryStore, commitment: Commitment
    ) -> None:
        ledger.review(commitment, resolver, name="r", budget=9)
        ledger.review(commitment, resolver, name="v", budget=9, judge=lambda says, text: True)
        with pytest.raises(InvalidInput, match="expected no second judge"):
            ledger.resume("r", resolver, judge=lambda says, text: True)
        with pytest.raises(InvalidInput, match="expected the second judge"):
            ledger.resume("v", resolver)
        assert Kind.RESUMED not in kinds(store)

    def test_another_policy_than_at_first(self, ledger: DurableLedger, store: MemoryStore) -> None:
        ledger.gate(DOUBTED, name="g", policy="greedy")
        ledger.gate(DOUBTED, name="o", policy=greedy_policy)
        with pytest.raises(InvalidInput, match="expected none beside greedy"):
            ledger.resume_gate("g", policy=greedy_policy)
        with pytest.raises(InvalidInput, match="expected the policy that"):
            ledger.resume_gate("o")
        assert Kind.RESUMED not in kinds(store)
        assert ledger.resume_gate("o", policy=greedy_policy).decide().verifier == "look"

    def test_what_was_closed_writes_no_more(self, tmp_path: Path, commitment: Commitment) -> None:
        with DurableLedger.open(tmp_path / "ledger") as ledger:
            review = ledger.review(commitment, resolver, name="r", budget=9)
        with pytest.raises(LedgerError, match="closed"):
            review.check("a")
        with pytest.raises(Unwritten):
            review.close()
