"""The suite of symbolic conditions: it confirms what holds, and nothing else."""

import inspect
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import icontract
import pytest

import licet
import licet_proofs
from licet import definitions
from licet_proofs import confirm, symbolic_contracts
from licet_proofs.enumerated import (
    Disagreement,
    programs,
    the_decisions_are_those_of_the_definitions,
)

pytestmark = pytest.mark.slow

MODULE = "tests.proofs_symbolic.unsound"
CORE = Path(licet.__file__).parent
PROOFS = Path(licet_proofs.__file__).parent


@pytest.mark.parametrize(
    "name", ["false_for_large_values", "never_reached", "unbounded", "without_contracts"]
)
def test_what_is_not_covered_or_not_so_is_not_confirmed(name: str) -> None:
    verdict = confirm.examine(MODULE, name, "", limit=5.0)
    assert not verdict.confirmed
    assert verdict.detail


def test_a_condition_is_not_confirmed_by_a_broken_promise_of_what_it_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @icontract.ensure(lambda target_conclusion, auth, result: result == 0)
    def broken(target_conclusion: int, auth: tuple[int, ...]) -> int:
        return 1

    monkeypatch.setattr(definitions, "hold", broken)
    name = "a_report_is_held_when_something_stronger_is_reachable"
    assert not confirm.examine("licet_proofs.symbolic_target", name, "").confirmed
    assert definitions.hold is broken


def test_a_condition_is_confirmed() -> None:
    name = "the_residual_is_what_is_not_established"
    verdict = confirm.examine("licet_proofs.symbolic_authorization", name, "")
    assert (verdict.confirmed, verdict.detail) == (True, "")
    assert verdict.covered > 1


def test_the_list_and_the_conditions_are_the_same() -> None:
    found, listed = confirm.conditions(), confirm.required()
    assert list(confirm.disagreements(found, listed)) == []
    # The list only grows: raise this with it.
    assert len(listed) >= 66
    new, gone = "the_target_is_reachable", "no_episode_states_what_its_ledger_does_not_support"
    assert list(confirm.disagreements(found | {"new": found[new]}, listed | {"gone": ""})) == [
        "gone: required, but no such condition is there",
        "new: a condition that required.json does not list; add it with its bounds",
    ]
    del found[gone]
    assert list(confirm.disagreements(found, listed)) == [
        f"{gone}: required, but no such condition is there"
    ]


def test_a_condition_that_shrinks_under_its_listing_is_seen() -> None:
    found, listed = confirm.conditions(), confirm.required()
    small = found["the_target_with_shared_checks_is_reachable"]
    assert list(confirm.disagreements(found | {"the_target_is_reachable": small}, listed)) == [
        "the_target_is_reachable: bounds 4/3/2, where required.json says:"
        " any program of 8/4/3, any budget"
    ]


def test_an_enumeration_that_shrinks_under_its_listing_is_not_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "auth_is_as_defined"
    bounds = confirm.required()[name]
    assert confirm.enumerate_cases(name, bounds).confirmed
    monkeypatch.setattr(
        "licet_proofs.enumerated_decisions.all_states", lambda atoms: product(range(2), repeat=2)
    )
    verdict = confirm.enumerate_cases(name, bounds)
    assert not verdict.confirmed
    assert verdict.detail.startswith("21,316 cases, where required.json says: every program")


def test_the_contracts_that_are_examined_are_those_of_the_core() -> None:
    assert symbolic_contracts.CONTRACTS.keys() == {
        name
        for name, function in vars(definitions).items()
        if inspect.isfunction(function) and hasattr(function, "__postconditions__")
    } | {"satisfied", "holds", "residual", "targetable", "residual_cost"}
    for name in symbolic_contracts.CONTRACTS:
        assert symbolic_contracts.CONTRACTS[name]
        assert f"{name}_keeps_its_contracts" in confirm.required()


def test_nothing_is_confirmed_without_contracts() -> None:
    done = run(["-O", "-m", "licet_proofs.confirm"], CORE.parent)
    assert done.returncode == 1
    assert "contracts are off" in done.stderr


def test_an_unknown_condition_fails() -> None:
    assert run(["-m", "licet_proofs.confirm", "--only", "nothing"], CORE.parent).returncode == 1


def test_what_runs_equals_the_definitions_in_every_small_case() -> None:
    assert sum(1 for _ in programs()) > 300
    assert the_decisions_are_those_of_the_definitions() > 50_000


def run(arguments: list[str], core: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(core), str(PROOFS.parent)])
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_enumeration_objects_to_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("licet_proofs.enumerated.hold", lambda *given: True)
    with pytest.raises(Disagreement, match="hold"):
        the_decisions_are_those_of_the_definitions()
