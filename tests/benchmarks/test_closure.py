"""The closure benchmark times what it says, and solvers give the same closure."""

import json
from pathlib import Path

import pytest

from benchmarks.closure import measure, peers
from benchmarks.closure.measure import Setup, compare_closures, decide
from benchmarks.closure.peers import PEERS, Z3, CryptoMiniSat, Literals, installed
from benchmarks.closure.programs import ATOMS, CLAUSES, KINDS, SHAPES, committed, positions
from benchmarks.closure.run import MISSING, closure
from benchmarks.report import as_json, as_markdown, machine
from licet.constraints import Clause, satisfies
from licet.ledger import close

EACH = pytest.mark.parametrize("shape", SHAPES)


@EACH
def test_programs_have_60_atoms_and_200_clauses(shape: str) -> None:
    program = committed(0, shape).compiled
    assert (len(program.atoms), ATOMS) == (60, 60)
    assert (len(program.clauses), CLAUSES) == (200, 200)
    assert sum(map(len, program.routes)) == 20
    lengths = {(c.positive | c.negative).bit_count() for c in program.clauses}
    assert lengths == set(SHAPES[shape])
    assert max(call.atoms.bit_count() for call in program.calls) > 1


@EACH
def test_ledgers_are_as_full_as_they_are_called_and_agree_with_the_clauses(shape: str) -> None:
    program = committed(0, shape).compiled
    found = positions(program, 0, 4)
    assert [position.kind for position in found[:2]] == ["empty", "15 known"]
    assert len(found) == 13
    for position in found:
        said = position.said
        known = said.true | said.false
        assert KINDS[position.kind] <= known.bit_count() <= KINDS[position.kind] + 3
        assert not close(program, said, ()).settled.suspended
        assert position.models
        assert all(satisfies(program.clauses, model) for model in position.models)
        answered = [c for i, c in enumerate(program.calls) if not position.runnable >> i & 1]
        assert sum(call.atoms for call in answered) == known


@EACH
def test_every_peer_gives_the_same_closure(shape: str) -> None:
    assert installed() == tuple(PEERS)
    counts = compare_closures(Setup(shape, programs=2, ledgers=2))
    assert counts.total() == 2 * (1 + 3 * 2)
    assert counts["implied literals"] > 5


@pytest.mark.parametrize("peer", [CryptoMiniSat, Z3])
def test_a_peer_sees_what_follows_and_what_contradicts(peer: type[CryptoMiniSat | Z3]) -> None:
    # a0 implies a1, and a1 implies not a2.
    solver = peer((Clause(2, 1), Clause(0, 6)))
    assert solver.closure((1, 0)) == (3, 4)
    assert solver.closure((4, 0)) == (4, 3)
    assert solver.closure((0, 0)) == (0, 0)
    assert solver.closure((1 | 1 << 59, 1 << 58)) == (3 | 1 << 59, 4 | 1 << 58)
    assert solver.closure((5, 0)) is None


def test_a_difference_from_a_peer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(CryptoMiniSat):
        def closure(self, settled: Literals) -> Literals | None:
            return settled

    monkeypatch.setitem(peers.PEERS, "pycryptosat", Wrong)
    with pytest.raises(AssertionError, match="that of pycryptosat"):
        compare_closures(Setup("3 literals", programs=1, ledgers=1))


def test_a_difference_within_a_review_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = measure.close_anew
    monkeypatch.setattr(
        measure, "close_anew", lambda program, at: sound(program, at)._replace(true=0)
    )
    with pytest.raises(AssertionError, match="in a review"):
        compare_closures(Setup("3 literals", programs=1, ledgers=1))


def test_a_decision_on_the_empty_ledger_aims_at_the_strongest() -> None:
    program = committed(0, "3 literals").compiled
    [empty, *_] = positions(program, 0, 1)
    _, aim = decide(program, empty)
    assert aim is not None
    assert program.conclusions[aim.conclusion] == "complete"


@pytest.mark.slow
def test_a_small_run_reports_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    result = closure(rounds=1, programs=1, ledgers=1)
    figures = json.loads(as_json(result, machine()))["figures"]
    for shape in SHAPES:
        assert figures["microseconds"][shape].keys() == KINDS.keys()
        for series in figures["microseconds"][shape].values():
            assert len(series) == 8
            for spread in series.values():
                assert 0 < spread["least"] <= spread["median"] <= spread["worst_ledger"]
        for ratios in figures["solver_over_licet"][shape].values():
            assert len(ratios) == 6
            assert all(ratio > 0 for ratio in ratios.values())
    text = as_markdown(result, machine())
    assert "pycryptosat" in text
    for content in (text, as_json(result, machine())):
        assert str(Path.home()) not in content
        assert str(Path(__file__).parents[2]) not in content


@pytest.mark.slow
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.closure import run

    monkeypatch.setattr(run, "installed", lambda: ())
    monkeypatch.setattr(run, "_measure", lambda setups, rounds: _without_peers(setups))
    result = closure(rounds=1, programs=1, ledgers=1)
    assert result.settings["pycryptosat"] == result.settings["z3-solver"] == MISSING
    rows = {row[0]: row[1:] for row in result.tables[0].rows}
    assert rows["pycryptosat"] == (MISSING,) * len(KINDS)


def _without_peers(setups: dict[str, Setup]) -> tuple[dict[str, dict[str, int]], object]:
    from benchmarks.timing import Reading

    series = [
        f"{what}, {contracts}"
        for what in (measure.SCRATCH, measure.CARRIED, measure.CHOICE, measure.DECISION)
        for contracts in ("contracts off", "contracts on")
    ]
    readings = [Reading(name, kind, "one", 1.0) for name in series for kind in KINDS]
    return {shape: {} for shape in setups}, dict.fromkeys(setups, readings)
