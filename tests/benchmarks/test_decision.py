"""The decision benchmark times what it says, and Cedar gives the same verdict."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.decision.cedar import cedar_twin, context_of, policy_text
from benchmarks.decision.measure import Setup, compare_verdicts, decide
from benchmarks.decision.programs import ATOMS, KINDS, committed, positions
from benchmarks.decision.run import SERIES, decision
from benchmarks.plot import plot_decision
from benchmarks.report import as_json, as_markdown, machine, save
from licet.compiled import CompiledProgram

SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("overlapping", [0, 5])
def test_programs_have_3_conclusions_20_routes_and_40_atoms(seed: int, overlapping: int) -> None:
    commitment = committed(seed, overlapping=overlapping)
    program = commitment.compiled
    assert len(program.conclusions) == 3
    assert sum(map(len, program.routes)) == 20
    assert len(program.atoms) == ATOMS == 40
    in_routes = 0
    for route in (route for routes in program.routes for route in routes):
        in_routes |= route.needs_true | route.needs_false
    assert in_routes.bit_count() == 40
    settled_together = [call.atoms.bit_count() for call in program.calls]
    assert max(settled_together) > 1
    assert (sum(settled_together) > 40) == bool(overlapping)


@pytest.mark.parametrize("seed", SEEDS)
def test_ledgers_are_as_full_as_they_are_called(seed: int) -> None:
    program = committed(seed).compiled
    found = positions(program, seed, 6)
    assert [position.kind for position in found[:2]] == ["empty", "half known"]
    assert len(found) == 13
    for position in found:
        settled = position.settled
        known = settled.true | settled.false | settled.conflict | settled.unavailable
        assert KINDS[position.kind] <= known.bit_count() <= KINDS[position.kind] + 3
        assert known == _answered(program, position.runnable)


def _answered(program: CompiledProgram, runnable: int) -> int:
    atoms = 0
    for index, call in enumerate(program.calls):
        if not runnable >> index & 1:
            atoms |= call.atoms
    return atoms


def test_cedar_gives_the_same_verdict_on_every_ledger() -> None:
    for setup in (Setup(), Setup(overlapping=5), Setup(routes=80, programs=2)):
        verdicts = compare_verdicts(setup)
        assert verdicts.total() == setup.programs * (1 + 2 * setup.ledgers)
        # From nothing to everything, or the comparison would say little.
        assert {"0 authorized", "1 authorized", "3 authorized"} <= verdicts.keys()


def test_a_difference_from_cedar_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks.decision import measure

    monkeypatch.setattr(measure, "context_of", lambda commitment, position: "{}")
    with pytest.raises(AssertionError, match="licet authorizes"):
        compare_verdicts(Setup(programs=2))


def test_every_route_is_one_policy() -> None:
    commitment = committed(0)
    text = policy_text(commitment)
    assert text.count("permit (") == len(text.split(";")) - 1 == 20
    assert len(cedar_twin(commitment).policies) == 20
    [empty, *_] = positions(commitment.compiled, 0, 1)
    assert context_of(commitment, empty) == "{}"


def test_a_decision_on_the_empty_ledger_targets_the_strongest() -> None:
    commitment = committed(0)
    [empty, *_] = positions(commitment.compiled, 0, 1)
    authorized, target = decide(commitment, empty)
    assert authorized == 0
    assert target is not None
    assert commitment.compiled.conclusions[target.conclusion] == "complete"


@pytest.mark.slow
def test_a_small_run_reports_and_draws_everything(tmp_path: Path) -> None:
    result = decision(rounds=2, setup=Setup(programs=1, ledgers=2), routes=(5, 20))
    shared = json.loads(as_json(result, machine()))["figures"]["shared"]
    assert shared.keys() == KINDS.keys()
    for series in shared.values():
        assert tuple(series) == SERIES
        for spread in series.values():
            least, median, worst, greatest = spread.values()
            assert 0 < least <= median <= worst <= greatest
    save(result, machine(), tmp_path)
    plot_decision(result, tmp_path / "decision.svg")
    assert ElementTree.parse(tmp_path / "decision.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "decision.json").read_text("utf-8").startswith("{")
    text = as_markdown(result, machine())
    assert "| ledger |" in text
    # Nothing of the machine but its class.
    for content in (text, as_json(result, machine())):
        assert str(Path.home()) not in content
        assert str(Path(__file__).parents[2]) not in content
