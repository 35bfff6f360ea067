"""The desk without a transport: outages, limits, gates that are opened again."""

import threading
from collections.abc import Mapping
from pathlib import Path
from threading import Event

import pytest

from licet import Check, InvalidInput, Value
from licet_bindings.documents import build_document
from licet_bindings.durable.errors import LedgerError
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.gate.documents import build_candidate
from licet_bindings.loading import function_named
from licet_bindings.server.desk import Desk
from licet_bindings.server.limits import Limits, Runner
from licet_bindings.server.offers import GateOffer, NoRecord, ReviewOffer, records_source
from tests.bindings.commands import licet, write
from tests.server import checks
from tests.server.desks import desk, opened, opened_gate
from tests.server.documents import CANDIDATE, PROGRAM, RECORDS, written


def test_what_is_not_offered_is_not_opened() -> None:
    with desk() as it:
        assert it.reviews.open("one", "other", "full-1")["kind"] == "no_such_program"
        assert it.gates.open("one", "other", "good-1")["kind"] == "no_such_candidate"
        for name in ("", " full", "full ", "a\nb", "\ud800", "\x00"):
            assert it.reviews.open("one", "advisory", name)["kind"] == "no_such_record"
            assert it.gates.open("one", "order", name)["kind"] == "no_such_subject"
        with pytest.raises(InvalidInput, match="expected at least one"):
            Desk({})


def test_the_catalog_names_everything_but_no_value() -> None:
    with desk() as it:
        found = it.catalog()
    [program], [order] = found["programs"], found["candidates"]
    assert [c["id"] for c in program["conclusions"]] == ["described", "triage", "fixable"]
    assert {check["id"]: check["kind"] for check in program["checks"]}["text"] == "text"
    assert (order["verifiers"], order["acts"]) == (["ask_user"], True)


def test_too_many_reviews_are_refused_and_nothing_else_is() -> None:
    with desk(limits=Limits(open_of_a_client=2)) as it:
        handle = opened(it)
        opened(it)
        assert it.reviews.open("one", "advisory", "full-1")["kind"] == "too_many_open"
        assert it.reviews.check("one", handle, "details")["kind"] == "recorded"
        assert it.reviews.open("other", "advisory", "full-1")["kind"] == "opened"


def test_a_second_judge_confirms_attestations_or_they_are_not_admitted() -> None:
    for judge, kind in ((checks.agrees, "recorded"), (lambda c, t: False, "rejected")):
        with desk(judge=judge) as it:
            handle = opened(it)
            it.reviews.check("one", handle, "text")
            found = it.reviews.attest("one", handle, "fix", True, "Fixed in release 2.1")
            assert found["kind"] == kind


def test_a_judge_that_hangs_admits_nothing() -> None:
    def hangs(condition: str, text: str) -> bool:
        return Event().wait(5)

    with desk(judge=hangs, limits=Limits(call=0.1)) as it:
        handle = opened(it)
        it.reviews.check("one", handle, "text")
        found = it.reviews.attest("one", handle, "fix", True, "Fixed in release 2.1")
        assert found["kind"] == "failed"


def test_attestations_are_in_the_name_of_the_server() -> None:
    with desk() as it:
        handle = opened(it)
        it.reviews.check("one", handle, "text")
        it.reviews.attest("one", handle, "fix", True, "Fixed in release 2.1")
        retracted = it.reviews.retract("one", handle, "fix")
        assert retracted["kind"] == "retracted"


def test_calls_that_hang_take_no_more_places_than_there_are() -> None:
    let_go = Event()

    def hangs(check: Check, record: str) -> Mapping[str, Value]:
        let_go.wait(10)
        return dict.fromkeys(check.settles, True)

    with desk(run=hangs, limits=Limits(call=0.1, calls_at_once=2)) as it:
        before = threading.active_count()
        handles = [opened(it) for _ in range(6)]
        kinds = [it.reviews.check("one", handle, "details")["kind"] for handle in handles]
        assert kinds == ["failed"] * 6
        assert threading.active_count() <= before + 2
        assert it.reviews.open("one", "advisory", "full-1")["kind"] == "unavailable"
        let_go.set()


def test_places_are_free_again_after_calls_that_raise() -> None:
    runner = Runner(Limits(call=0.5, calls_at_once=1))

    def raises() -> bool:
        raise LookupError("a verifier")

    for _ in range(5):
        with pytest.raises(LookupError):
            runner.run("verifier", raises)
    assert runner.run("verifier", lambda: True)


class _Broken(SqliteStore):
    """A store whose file cannot be written any more."""

    def append(self, draft: object) -> None:  # type: ignore[override]
        raise LedgerError("reviews.licet", "the disk is full")


def test_what_the_ledger_does_not_take_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk(ledger=tmp_path / "reviews.licet") as it:
        review, gate = opened(it, "poor-1"), opened_gate(it)
        it.reviews.check("one", review, "details")
        monkeypatch.setattr(SqliteStore, "append", _Broken.append)
        answers = (
            it.reviews.conclude("one", review, "described"),
            it.reviews.check("one", review, "reviewed"),
            it.gates.decide("one", gate),
            it.gates.ask("one", gate, "ask_user"),
            it.gates.act("one", gate),
            it.reviews.open("one", "advisory", "full-1"),
            it.gates.open("one", "order", "good-2"),
        )
        assert [answer["kind"] for answer in answers] == ["unwritten"] * 7
        assert not any("disk" in str(answer) for answer in answers)


def test_reviews_that_are_idle_are_closed_and_their_ends_written(tmp_path: Path) -> None:
    path = tmp_path / "reviews.licet"
    with desk(ledger=path, limits=Limits(idle=0.05)) as it:
        handle = opened(it)
        it.reviews.check("one", handle, "details")
        Event().wait(0.1)
        assert it.reviews.standing("other", "x")["kind"] == "no_such_review"
        assert it.reviews.standing("one", handle)["kind"] == "no_such_review"
    audit = licet("audit", path, "--json")
    assert audit.exit_code == 0
    with SqliteStore.read(path) as store:
        assert [entry.kind.value for entry in store.entries()][-1] == "outcome"


def test_a_gate_goes_on_where_it_was_whoever_opens_it(tmp_path: Path) -> None:
    for ledger in (None, tmp_path / "reviews.licet"):
        with desk(ledger=ledger) as it:
            gate = opened_gate(it, "bad-1")
            assert opened_gate(it, "bad-1") == gate
            assert it.gates.ask("one", gate, "ask_user")["kind"] == "recorded"
            assert it.gates.open("other", "order", "bad-1")["kind"] == "busy"
            it.gates.close_client("one")
            again = opened_gate(it, "bad-1", "other")
            assert again != gate
            assert it.gates.ask("other", again, "ask_user")["kind"] == "refused"
            assert it.gates.act("other", again)["kind"] in ("abstain", "replan")


def test_a_gate_without_a_verifier_or_an_action_takes_none() -> None:
    with desk(ask=None, act=None) as it:
        gate = opened_gate(it)
        assert it.gates.ask("one", gate, "ask_user")["kind"] == "failed"
        assert it.gates.ask("one", gate, "other")["kind"] == "no_such_verifier"
        assert it.gates.act("one", gate)["kind"] == "no_action"
        assert it.catalog()["candidates"][0]["verifiers"] == []


def test_an_action_that_breaks_is_not_taken_again(tmp_path: Path) -> None:
    checks.TAKEN.clear()
    for restart in range(2):
        with desk(ledger=tmp_path / "reviews.licet") as it:
            gate = opened_gate(it, "good-breaks")
            it.gates.ask("one", gate, "ask_user")
            found = it.gates.act("one", gate)
            assert found["kind"] == ("used" if restart else "failed")
            assert checks.SECRET not in str(found)
            assert it.gates.act("one", gate)["kind"] == "used"
    assert checks.TAKEN == [("ship", "good-breaks")]


def test_an_action_is_taken_once_without_a_ledger_too() -> None:
    checks.TAKEN.clear()
    with desk() as it:
        for client in ("one", "other"):
            gate = opened_gate(it, "good-1", client)
            it.gates.ask(client, gate, "ask_user")
            found = it.gates.act(client, gate)["kind"]
            assert found == ("done" if client == "one" else "used")
            assert it.gates.act(client, gate)["kind"] == "used"
            assert it.gates.ask(client, gate, "ask_user")["kind"] == "used"
            assert it.gates.decide(client, gate)["kind"] == "used"
            it.gates.close_client(client)
    assert checks.TAKEN == [("ship", "good-1")]


def test_no_gate_has_the_name_of_another_or_of_a_mark(tmp_path: Path) -> None:
    with desk(ledger=tmp_path / "reviews.licet") as it:
        for subject in ("good-1", "good-1 taken", "(taken) order/good-1"):
            gate = opened_gate(it, subject)
            if subject.startswith("good"):
                it.gates.ask("one", gate, "ask_user")
                assert it.gates.act("one", gate)["kind"] == "done"
    for name in ("a/b", "(taken) a", "", "a b", "x" * 51):
        offer = GateOffer(build_candidate(CANDIDATE))
        with pytest.raises(InvalidInput, match="expected a name"):
            Desk({}, {name: offer})


def test_verifiers_are_asked_once_however_many_ask_for_them_at_once() -> None:
    asked = []

    def slow(verifier: str, subject: str) -> bool:
        asked.append(subject)
        Event().wait(0.1)
        return False

    with desk(ask=slow) as it:
        gate = opened_gate(it)
        kinds: list[str] = []
        threads = [
            threading.Thread(
                target=lambda: kinds.append(it.gates.ask("one", gate, "ask_user")["kind"])
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        Event().wait(0.03)
        kinds.append(it.gates.act("one", gate)["kind"])
        for thread in threads:
            thread.join()
    assert len(asked) == 1
    assert kinds[0] == "busy"
    assert set(kinds[1:]) <= {"recorded", "refused"}


def test_a_ledger_that_was_tampered_with_fails_the_audit(tmp_path: Path) -> None:
    path = tmp_path / "reviews.licet"
    with desk(ledger=path) as it:
        it.reviews.check("one", opened(it), "details")
    content = path.read_bytes()
    at = content.index(b"details")
    path.write_bytes(content[:at] + b"detail5" + content[at + 7 :])
    assert it.audits.audit()["kind"] == "fails"


def test_records_are_read_by_name_and_by_nothing_else(tmp_path: Path) -> None:
    _, _, folder = written(tmp_path)
    write(tmp_path / "outside.json", {"details": "no record of the folder"})
    (folder / "broken.json").write_text("{")
    source = records_source(build_document(PROGRAM), folder)
    assert source("full")(Check("details", ("details",))) == {"details": True}
    for name in ("../outside", "..", ".", "/etc/passwd", "x\0", "broken", "records/full", "none"):
        with pytest.raises(NoRecord):
            source(name)
    lines = tmp_path / "records.jsonl"
    lines.write_text("".join(f'{{"details": "{name}"}}\n' for name in RECORDS))
    source = records_source(build_document(PROGRAM), lines)
    assert source("2")(Check("details", ("details",))) == {"details": True}
    with pytest.raises(NoRecord):
        source("3")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("os.path", "expected module:function"),
        (":f", "expected module:function"),
        ("no.such.module:f", "cannot be imported"),
        ("os.path:nothing", "has no function"),
        ("os:sep", "has no function"),
    ],
)
def test_a_function_that_is_not_there_is_named(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem) as caught:
        function_named(text, "--resolver")
    assert caught.value.place == "--resolver"


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), True, "8"])
def test_limits_are_numbers_above_0(value: float) -> None:
    for name in ("idle", "call", "calls_at_once", "open_at_once"):
        with pytest.raises(InvalidInput, match=f"{name}.*above 0"):
            Limits(**{name: value})
    with pytest.raises(InvalidInput, match="a whole number"):
        Limits(calls_at_once=1.5)  # type: ignore[arg-type]


def test_the_command_names_what_is_wrong(tmp_path: Path) -> None:
    program, candidate, records = written(tmp_path)
    for arguments, problem in (
        ([program], "--records: expected either --records or --resolver"),
        ([program, program], "two documents are named"),
        ([program, f"--records=other={records}"], "no document is named"),
        ([program, "--resolver=os:sep"], "--resolver: module os has no function"),
        ([candidate, "--verifier=x"], "--verifier: expected module:function"),
        ([candidate, "--http", "--host=0.0.0.0"], "--host: expected an address of this machine"),
        ([candidate, "--idle=0"], "idle: expected a finite number above 0"),
        ([f"a b={candidate}"], "expected a name"),
        ([candidate, "--attester=a b"], "attester: expected an identifier"),
        ([tmp_path / "none.json"], "cannot be read"),
    ):
        found = licet("serve", *arguments)
        assert found.exit_code == 2, (arguments, found.output)
        assert problem in found.stderr


def test_a_review_of_a_document_can_go_on_without_the_server(tmp_path: Path) -> None:
    path = tmp_path / "reviews.licet"
    it = desk(ledger=path)
    found = it.reviews.open("one", "advisory", "full-1")
    it.reviews.check("one", found["review"], "details")
    # As if the process had died: nothing is closed.
    with DurableLedger.open(path) as ledger:
        review = ledger.resume(found["name"], lambda check: {"details": False})
        assert review.check("details").kind.value == "cached"
    it.close()


def test_a_program_needs_a_source() -> None:
    document = build_document(PROGRAM)
    assert ReviewOffer(document, lambda name: lambda check: {}).document is document
