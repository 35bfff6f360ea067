"""An interrupt wherever one can come: what is there afterwards is whole, and can be used."""

import dis
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from licet import Observed
from licet_bindings.durable import gates, sqlite_store
from licet_bindings.durable.contents import Contents, Line
from licet_bindings.durable.entries import Draft, Kind
from licet_bindings.durable.errors import Uncertain
from licet_bindings.durable.gates import DurableGate
from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore
from tests.durable.ledgers import ship

_CHECKED = {dis.opmap[name] for name in ("RESUME", "CALL", "CALL_FUNCTION_EX")}
"""Behind which instructions Python looks for signals (and behind each turn of a loop)."""


def interrupted(act: Callable[[], object], at: int, *files: str | None) -> BaseException | None:
    """Interrupt an act behind the `at`-th such instruction in these files; return what it raised.

    It is returned with its frames, as an `except` block has it.
    """
    seen, before = [0], dict[FrameType, int]()

    def trace(frame: FrameType, event: str, _: object) -> object:
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if before.get(frame) in _CHECKED:
                seen[0] += 1
                if seen[0] == at:
                    raise KeyboardInterrupt
            before[frame] = frame.f_code.co_code[frame.f_lasti]
        return trace

    traced = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        act()
    except KeyboardInterrupt as error:
        return error
    finally:
        sys.settrace(traced)
    return None


def draft(name: str) -> Draft:
    return Draft(None, 0, Kind.GATE, "2026-11-30T12:00:00Z", b"{}", name)


class TestAStore:
    @pytest.mark.parametrize("call", ["append", "opening"])
    def test_it_is_held_by_no_call_that_was_interrupted(self, tmp_path: Path, call: str) -> None:
        files = sqlite_store.__file__, sys.modules["contextlib"].__file__
        at = 0
        error: BaseException | None = KeyboardInterrupt()
        while error is not None:
            at += 1
            path = tmp_path / f"{at}.licet"
            with SqliteStore.open(path, timeout=0) as store, SqliteStore.open(path) as other:
                other.append(draft("before"))

                def act(store: SqliteStore = store) -> object:
                    return store.append(draft("a")) if call == "append" else store.opening("a")

                error = interrupted(act, at, *files)
                assert not store._lock.locked(), (at, error)
                SqliteStore.open(path, timeout=0).close()  # Which needs the ledger for a moment.
                try:
                    there = store.opening("a"), store.opening("before")
                except Uncertain:
                    continue
                assert there == (other.opening("a"), other.opening("before"))
        assert at > 10

    def test_contents_that_were_cut_off_are_read_anew(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def cut_off(self: Contents, line: Line) -> None:
            self._add_opening(line)
            raise KeyboardInterrupt

        with SqliteStore.open(tmp_path / "a.licet") as store:
            SqliteStore.open(tmp_path / "a.licet").append(draft("a"))
            with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
                patch.setattr(Contents, "add", cut_off)
                store.opening("a")
            assert store.opening("a") is not None


def test_a_gate_is_not_left_with_a_verifier_that_nobody_asks(tmp_path: Path) -> None:
    error: BaseException | None = KeyboardInterrupt()
    at = 0
    with DurableLedger.open(tmp_path / "a.licet") as ledger:
        while error is not None:
            at += 1
            gate = ledger.gate(ship(), name=f"{at}", budget=4)

            def act(gate: DurableGate = gate) -> object:
                return gate.verify("ask_user", lambda: False)

            error = interrupted(act, at, gates.__file__)
            assert gate._flights == {}, at
            if len(ledger.resume_gate(f"{at}").history) == 0:
                assert ledger.resume_gate(f"{at}").verify("ask_user", bool) is Observed.RECORDED
    assert at > 10
