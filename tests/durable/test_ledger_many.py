"""Many at once on one ledger, and verifiers that a gate runs."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest

from licet import (
    AnswerKind,
    Check,
    CheckRequest,
    Commitment,
    GateEntry,
    InvalidInput,
    LicetError,
    Observed,
    Value,
)
from licet_bindings.durable.entries import Kind
from licet_bindings.durable.errors import Taken
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.memory_store import MemoryStore
from licet_bindings.durable.sqlite_store import SqliteStore
from licet_bindings.gate.documents import build_candidate
from licet_proofs.gate_scripts import DOUBTED, SAFE
from tests.durable.scripts import kinds, resolver

ROOT = Path(__file__).parent.parent.parent


class TestThreads:
    """The same request from two of them: one execution, one charge, one record."""

    @staticmethod
    def together(act: Callable[[], object], count: int = 2) -> list[object]:
        barrier, results = Barrier(count), list[object]()

        def run() -> None:
            barrier.wait(10)
            try:
                results.append(act())
            except LicetError as error:
                results.append(type(error))

        threads = [Thread(target=run, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(results) == count
        return results

    def test_the_same_check(self, tmp_path: Path, commitment: Commitment) -> None:
        ran: list[str] = []

        def counts(check: Check) -> Mapping[str, Value]:
            ran.append(check.identifier)
            return resolver(check)

        with DurableLedger.open(tmp_path / "ledger") as ledger:
            review = ledger.review(commitment, counts, name="r", budget=9)
            answers = self.together(lambda: review.request(CheckRequest("a")).kind)
            again = ledger.resume("r", resolver)
        assert set(answers) == {AnswerKind.RECORDED, AnswerKind.CACHED}
        assert ran == ["a"]
        assert review.spent == again.spent == 1
        assert len(review.history) == len(again.history) == 3

    def test_the_same_verifier(self, ledger: DurableLedger, store: MemoryStore) -> None:
        """It may be asked twice, but is not by those who ask at once."""
        entered, leave, ran = Event(), Event(), list[bool]()

        def refutes() -> bool:
            ran.append(False)
            entered.set()
            assert leave.wait(10)
            return False

        gate = ledger.gate(DOUBTED, name="g", budget=4)
        results: list[Observed] = []
        first = Thread(target=lambda: results.append(gate.verify("ask", refutes)))
        first.start()
        assert entered.wait(10)
        second = Thread(target=lambda: results.append(gate.verify("ask", refutes)))
        second.start()
        waiting = gate._flights["ask"].observed._condition._waiters  # type: ignore[attr-defined]
        for _ in range(5_000):
            if waiting:
                break
            second.join(0.001)
        leave.set()
        first.join(10)
        second.join(10)
        assert results == [Observed.RECORDED] * 2
        assert ran == [False]
        assert gate.remaining == 3
        assert kinds(store) == [Kind.GATE, Kind.ASKED, Kind.EVENT]
        assert gate.verify("ask", lambda: False) is Observed.RECORDED

    def test_the_same_name(self, tmp_path: Path, commitment: Commitment) -> None:
        with DurableLedger.open(tmp_path / "ledger") as ledger:
            results = self.together(
                lambda: type(ledger.review(commitment, resolver, name="r", budget=9)), 4
            )
        assert sorted(map(str, results)).count(str(Taken)) == 3

    def test_the_same_review_resumed(self, tmp_path: Path, commitment: Commitment) -> None:
        with DurableLedger.open(tmp_path / "ledger") as ledger:
            ledger.review(commitment, resolver, name="r", budget=9).check("a")
            reviews = self.together(lambda: ledger.resume("r", resolver))
            able = []
            for review in reviews:
                with suppress(LicetError, AttributeError):  # The error of the other's resume.
                    able.append(review.check("b"))  # type: ignore[attr-defined]
        assert len(able) == 1


class TestVerifiers:
    """Whatever one does, it is charged once."""

    @pytest.mark.parametrize("answer", [None, 1, "no", 0.0])
    def test_no_answer_is_a_failed_one(self, ledger: DurableLedger, answer: object) -> None:
        gate = ledger.gate(DOUBTED, name="g", budget=4)
        assert gate.verify("ask", lambda: answer) is Observed.FAILED  # type: ignore[arg-type, return-value]
        assert gate.remaining == 3

    def test_one_that_cannot_be_paid_is_not_run(
        self, ledger: DurableLedger, store: MemoryStore
    ) -> None:
        def never() -> bool:
            raise AssertionError

        gate = ledger.gate(DOUBTED, name="g", budget=0)
        assert gate.verify("ask", never) is Observed.REFUSED
        assert kinds(store) == [Kind.GATE, Kind.EVENT]

    def test_one_that_is_not_there(self, ledger: DurableLedger, store: MemoryStore) -> None:
        gate = ledger.gate(DOUBTED, name="g", budget=4)
        for name in ("nobody", 7, ["ask"]):
            with pytest.raises(InvalidInput, match=r"^verifier: no verifier"):
                gate.verify(name, lambda: True)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match=r"^refutes: "):
            gate.verify("ask", True)  # type: ignore[arg-type]
        assert kinds(store) == [Kind.GATE]

    @pytest.mark.parametrize(
        "ask",
        [
            lambda gate: gate.decide(),
            lambda gate: gate.verify("ask", lambda: False),
            lambda gate: gate.verify("look", lambda: False),
            lambda gate: gate.observe("ask", False),
        ],
    )
    def test_one_that_asks_its_own_gate(
        self, ledger: DurableLedger, ask: Callable[[DurableGate], object]
    ) -> None:
        refused: list[str] = []

        def refutes() -> bool:
            with pytest.raises(InvalidInput, match="within its own"):
                ask(gate)
            refused.append("ask")
            return False

        gate = ledger.gate(DOUBTED, name="g", budget=4)
        assert gate.verify("ask", refutes) is Observed.RECORDED
        assert refused == ["ask"]
        assert gate.remaining == 3

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
    def test_one_that_is_interrupted_is_charged_once(
        self, ledger: DurableLedger, store: MemoryStore, error: type[BaseException]
    ) -> None:
        def interrupted() -> bool:
            raise error

        gate = ledger.gate(DOUBTED, name="g", budget=4)
        with pytest.raises(error):
            gate.verify("ask", interrupted)
        for _ in range(2):
            gate.decide()
            assert gate.remaining == 3
        assert kinds(store) == [Kind.GATE, Kind.ASKED, *[Kind.EVENT] * 3]
        assert ledger.resume_gate("g").remaining == 3

    def test_a_report_that_is_interrupted_once_it_is_written_is_charged_once(
        self, ledger: DurableLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate = ledger.gate(DOUBTED, name="g", budget=4)
        observe = gate._gate.observe

        def interrupted(verifier: str, refutes: bool) -> Observed:
            observe(verifier, refutes)
            raise KeyboardInterrupt

        monkeypatch.setattr(gate._gate, "observe", interrupted)
        with pytest.raises(KeyboardInterrupt):
            gate.verify("ask", lambda: False)
        monkeypatch.undo()
        gate.decide()
        assert gate.history == (GateEntry(0, "ask", False, Observed.RECORDED),)

    def test_an_answer_that_was_not_reported_is(
        self, ledger: DurableLedger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate = ledger.gate(DOUBTED, name="g", budget=4)

        def interrupted(verifier: str, refutes: bool) -> Observed:
            raise KeyboardInterrupt

        monkeypatch.setattr(gate._gate, "observe", interrupted)
        with pytest.raises(KeyboardInterrupt):
            gate.verify("ask", lambda: True)
        monkeypatch.undo()
        gate.decide()
        assert gate.history == (GateEntry(0, "ask", True, Observed.RECORDED),)

    def test_the_budget_of_a_document(self, ledger: DurableLedger) -> None:
        document = build_candidate(
            {
                "licet": 1,
                "action": "ship_order",
                "claims": {"address": {"error": 0.28}},
                "premises": {"deliverable": {"claim": "address"}},
                "failure_modes": [{"premises": ["deliverable"], "impact": 10}],
                "loss": {"abstain": 1, "price": 0.1},
                "budget": 7,
            }
        )
        gate = ledger.gate(document, name="g")
        assert gate.remaining == 7
        gate.replan(SAFE)
        assert gate.candidates == (document.candidate, SAFE)


@pytest.fixture
def racers(tmp_path: Path) -> Iterator[Callable[[str], list[str]]]:
    """Give what lets processes open a review of one name at once, and says what came of it."""
    processes: list[subprocess.Popen[str]] = []
    path = os.pathsep.join([str(ROOT), *sys.path])

    def race(name: str, count: int = 3) -> list[str]:
        for _ in range(count):
            command = [sys.executable, "-m", "tests.durable.racing", str(tmp_path / "ledger"), name]
            processes.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=ROOT,
                    env={**os.environ, "PYTHONPATH": path},
                )
            )
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        return [process.communicate(timeout=60)[0].strip() for process in processes]

    yield race
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_of_processes_that_open_one_name_one_does(
    racers: Callable[[str], list[str]], tmp_path: Path
) -> None:
    assert sorted(racers("r")) == ["opened", "taken", "taken"]
    with SqliteStore.read(tmp_path / "ledger") as store:
        assert [entry.kind for entry in store.entries()] == [Kind.PROGRAM, Kind.REVIEW]
