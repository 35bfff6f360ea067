"""Actions are begun once, whatever happens beside; and what is said of them is what is known."""

import os
import threading
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from licet import Check, InvalidInput, Value
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.gate.documents import build_candidate
from licet_bindings.server.deeds import SAID, Deed, Deeds
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import Limits
from licet_bindings.server.offers import GateOffer
from tests.server import checks
from tests.server.desks import desk, opened, opened_gate
from tests.server.documents import CANDIDATE

Alter = Callable[[dict[str, Any]], object]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    checks.TAKEN.clear()
    return tmp_path / "gates.licet"


def offering(ledger: Path | None, alter: Alter = lambda c: None, name: str = "order") -> Desk:
    content: dict[str, Any] = deepcopy(CANDIDATE)
    alter(content)
    offer = GateOffer(build_candidate(content), checks.ask, checks.act)
    return Desk({}, {name: offer}, limits=Limits(call=2), ledger=ledger)


def acted(it: Desk, subject: str = "good-1", client: str = "one") -> str:
    gate = opened_gate(it, subject, client)
    it.gates.ask(client, gate, "ask_user")
    return it.gates.act(client, gate)["kind"]


def test_what_was_taken_is_not_said_to_proceed_whoever_asks_and_after_a_restart(
    ledger: Path,
) -> None:
    with offering(ledger) as it:
        assert acted(it) == "done"
        it.gates.close_client("one")
        for client in ("one", "other"):
            gate = opened_gate(it, "good-1", client)
            answer = it.gates.decide(client, gate)
            assert (answer["kind"], answer["reason"]) == ("used", SAID[Deed.DONE])
            it.gates.close_client(client)
    with offering(ledger) as it:
        gate = opened_gate(it)
        for answer in (it.gates.decide("one", gate), it.gates.act("one", gate)):
            assert (answer["kind"], answer["reason"]) == ("used", SAID[Deed.DONE])
    assert checks.TAKEN == [("ship", "good-1")]


def test_an_action_has_one_gate_whatever_its_document_is_called(ledger: Path) -> None:
    offer = GateOffer(build_candidate(CANDIDATE), checks.ask, checks.act)
    with pytest.raises(InvalidInput, match="order and order2 are both about the action ship"):
        Desk({}, {"order": offer, "order2": offer})
    with offering(ledger) as it:
        gate = opened_gate(it, "bad-1")
        assert it.gates.ask("one", gate, "ask_user")["kind"] == "recorded"
        assert acted(it, "good-1") == "done"
    with offering(ledger, name="renamed") as it:
        gate = it.gates.open("one", "renamed", "bad-1")["gate"]
        assert it.gates.ask("one", gate, "ask_user")["kind"] == "refused"
        gate = it.gates.open("one", "renamed", "good-1")["gate"]
        assert it.gates.decide("one", gate)["kind"] == "used"


ALTERED: list[Alter] = [
    lambda c: c["verifiers"]["ask_user"].update(reliability=0.51),
    lambda c: c["claims"]["address"].update(says="the address is Y"),
    lambda c: c["failure_modes"][0].update(impact=9),
    lambda c: c.update(budget=3),
]


@pytest.mark.parametrize("alter", ALTERED)
def test_what_was_asked_under_another_candidate_counts_for_nothing(
    alter: Alter, ledger: Path
) -> None:
    with offering(ledger) as it:
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        assert it.gates.decide("one", gate)["kind"] == "proceed"
    with offering(ledger, alter) as it:
        gate = opened_gate(it)
        assert it.gates.decide("one", gate)["kind"] != "proceed"
        assert it.gates.act("one", gate)["kind"] != "done"
    # As it was it goes on as it was.
    with offering(ledger) as it:
        assert it.gates.act("one", opened_gate(it))["kind"] == "done"
    with offering(ledger, alter) as it:
        assert it.gates.act("one", opened_gate(it))["kind"] == "used"
    assert checks.TAKEN == [("ship", "good-1")]


def test_evidence_for_one_action_is_none_for_another(ledger: Path) -> None:
    with offering(ledger) as it:
        assert it.gates.ask("one", opened_gate(it), "ask_user")["kind"] == "recorded"
    with offering(ledger, lambda c: c.update(action="refund")) as it:
        assert it.gates.act("one", opened_gate(it))["kind"] == "verify"


def test_an_action_that_was_only_begun_is_not_said_to_be_taken(ledger: Path) -> None:
    with offering(ledger) as it:
        it.gates.ask("one", opened_gate(it), "ask_user")
    with DurableLedger.open(ledger) as kept:  # What a process leaves that is killed here.
        assert Deeds(kept).begin(build_candidate(CANDIDATE), "good-1")
        assert not Deeds(kept).begin(build_candidate(CANDIDATE), "good-1")
    with offering(ledger) as it:
        gate = opened_gate(it)
        for answer in (it.gates.decide("one", gate), it.gates.act("one", gate)):
            assert (answer["kind"], answer["reason"]) == ("used", SAID[Deed.BEGUN])
        assert "may or may not" in SAID[Deed.BEGUN]
    assert checks.TAKEN == []


def fails(*anything: object) -> None:
    raise LedgerError("gates.licet", "the disk is full")


def test_where_the_mark_is_not_written_nothing_is_taken_and_nothing_said_to_be(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with offering(ledger) as it:
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        with monkeypatch.context() as patched:
            patched.setattr(Deeds, "begin", fails)
            assert it.gates.act("one", gate)["kind"] == "unwritten"
        assert checks.TAKEN == []
        again = opened_gate(it)
        assert again != gate
        assert it.gates.act("one", again)["kind"] == "done"
    assert checks.TAKEN == [("ship", "good-1")]


def test_a_gate_whose_ledger_failed_goes_on_when_it_is_opened_again(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with offering(ledger) as it:
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "append", fails)
            assert it.gates.decide("one", gate)["kind"] == "unwritten"
        assert it.gates.decide("one", gate)["kind"] == "unwritten"
        assert it.gates.decide("one", opened_gate(it))["kind"] == "proceed"


def test_where_there_is_no_place_the_action_is_not_begun(ledger: Path) -> None:
    let_go, asked = Event(), Event()

    def hangs(check: Check, record: str) -> Mapping[str, Value]:
        asked.set()
        let_go.wait(10)
        return dict.fromkeys(check.settles, True)

    with desk(run=hangs, limits=Limits(call=0.2, calls_at_once=1), ledger=ledger) as it:
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        it.reviews.check("one", opened(it), "details")
        assert asked.is_set()
        answer = it.gates.act("one", gate)
        assert (answer["kind"], "was not begun" in answer["reason"]) == ("busy", True)
        let_go.set()
        while (answer := it.gates.act("one", gate))["kind"] == "busy":
            Event().wait(0.02)
        assert answer["kind"] == "done"


def test_while_an_action_runs_nobody_else_has_its_gate(ledger: Path) -> None:
    let_go, begun = Event(), Event()

    def slow(action: str, subject: str) -> str:
        begun.set()
        let_go.wait(5)
        return checks.act(action, subject)

    for path in (None, ledger):
        let_go.clear(), begun.clear()  # type: ignore[func-returns-value]
        with desk(act=slow, ledger=path, limits=Limits(call=6)) as it:
            gate = opened_gate(it)
            it.gates.ask("one", gate, "ask_user")
            acting = threading.Thread(target=it.gates.act, args=("one", gate))
            acting.start()
            begun.wait(5)
            assert it.gates.decide("one", gate)["kind"] == "busy"
            it.gates.close_client("one")
            assert it.gates.open("other", "order", "good-1")["kind"] == "busy"
            let_go.set()
            acting.join()
            other = opened_gate(it, "good-1", "other")
            assert it.gates.decide("other", other)["reason"] == SAID[Deed.DONE]


EXITS = [SystemExit, KeyboardInterrupt, GeneratorExit]


@pytest.mark.parametrize("kind", EXITS)
def test_a_function_that_would_end_the_process_only_fails(kind: type[BaseException]) -> None:
    def raises(*anything: object) -> Any:  # noqa: ANN401
        raise kind

    class Answer(dict[str, bool]):
        def items(self) -> Any:  # noqa: ANN401
            raise kind

    with desk(run=raises, ask=raises, limits=Limits(call=2, calls_at_once=1)) as it:
        assert it.reviews.check("one", opened(it), "details")["kind"] == "failed"
        assert it.gates.ask("one", opened_gate(it), "ask_user")["kind"] == "failed"
    with desk(run=lambda check, record: Answer(), act=raises, judge=raises) as it:
        assert it.reviews.check("one", opened(it), "details")["kind"] == "failed"
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        assert it.gates.act("one", gate)["kind"] == "failed"
        assert it.gates.act("one", gate)["reason"] == SAID[Deed.BEGUN]


class _Speechless:
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (_Speechless(), "(a _Speechless without a text)"),
        (10**5000, "(a int without a text)"),
        (os.fsdecode(b"sent \xff"), "sent ?"),
        (None, "None"),
    ],
    ids=["speechless", "long", "surrogate", "none"],
)
def test_what_an_action_returns_is_told_in_some_way(result: object, shown: str) -> None:
    with desk(act=lambda action, subject: result) as it:  # type: ignore[arg-type, return-value]
        gate = opened_gate(it)
        it.gates.ask("one", gate, "ask_user")
        answer = it.gates.act("one", gate)
        assert (answer["kind"], answer["result"]) == ("done", shown)


def test_what_is_over_makes_place() -> None:
    with desk(limits=Limits(open_of_a_client=2)) as it:
        over, still = opened(it), opened(it)
        assert it.reviews.open("one", "advisory", "full-1")["kind"] == "too_many_open"
        ends = [it.reviews.stop("one", over)["kind"] for _ in range(4)]
        assert ends[-1] == "ended"
        assert opened(it)
        assert it.reviews.standing("one", over)["kind"] == "no_such_review"
        assert it.reviews.standing("one", still)["kind"] == "standing"
        assert acted(it, "good-1") == "done"
        assert acted(it, "good-2") == "done"
        assert acted(it, "good-3") == "done"


def test_a_review_and_a_gate_take_so_many_requests_and_no_more() -> None:
    with desk(limits=Limits(requests=5)) as it:
        review, gate = opened(it), opened_gate(it)
        claimed = [it.reviews.conclude("one", review, "x" * 9)["kind"] for _ in range(8)]
        assert claimed[4:] != claimed[:4] and set(claimed[5:]) == {"too_many_requests"}
        decided = [it.gates.decide("one", gate)["kind"] for _ in range(8)]
        assert decided[:5] == ["verify"] * 5
        assert set(decided[5:]) == {"too_many_requests"}
        assert it.gates.act("one", gate)["kind"] == "too_many_requests"


def test_a_server_without_a_ledger_keeps_so_many_subjects_in_mind() -> None:
    with desk(limits=Limits(subjects=2)) as it:
        for subject in ("good-1", "good-2"):
            assert acted(it, subject) == "done"
            it.gates.close_client("one")
        answer = it.gates.open("one", "order", "good-3")
        assert (answer["kind"], "started again" in answer["reason"]) == ("too_many_open", True)
        assert it.gates.open("one", "order", "good-1")["kind"] == "opened"
