"""The suite of symbolic conditions: it confirms what holds, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import icontract
import pytest

import licet
import licet_proofs
from licet import definitions
from licet_proofs import confirm
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
    assert list(confirm.disagreements(confirm.conditions(), confirm.required())) == []
    assert len(confirm.required()) >= 16
    assert list(confirm.disagreements(["new"], ["gone"])) == [
        "gone: required, but no such condition is there",
        "new: a condition that required.json does not list; add it with its bounds",
    ]


def test_nothing_is_confirmed_without_contracts() -> None:
    done = run(["-O", "-m", "licet_proofs.confirm"], CORE.parent)
    assert done.returncode == 1
    assert "contracts are off" in done.stderr


def test_an_unknown_condition_fails() -> None:
    assert run(["-m", "licet_proofs.confirm", "--only", "nothing"], CORE.parent).returncode == 1


def test_what_runs_equals_the_definitions_in_every_small_case() -> None:
    assert sum(1 for _ in programs()) > 300
    assert the_decisions_are_those_of_the_definitions() > 50_000


# Each planted bug, and the condition that must no longer be confirmed.
PLANTED = {
    "conflict read as true": (
        "definitions.py",
        "((need == state) & (need != CONFLICT))",
        "((need == state) | ((need == TRUE) & (state == CONFLICT)))",
        "a_route_holds_when_its_literals_are_established",
    ),
    "a flipped polarity": (
        "definitions.py",
        "((need == state) & (need != CONFLICT))",
        "((need + state == 3) & (need != CONFLICT))",
        "the_residual_is_what_is_not_established",
    ),
    "a weaker conclusion's route for a stronger one": (
        "definitions.py",
        "any_of(own[weakest:])",
        "any_of(own[: weakest + 1])",
        "a_conclusion_is_authorized_when_a_route_at_or_above_it_holds",
    ),
    "unavailable evidence is targeted": (
        "definitions.py",
        "(state == UNKNOWN) & (withheld == 0))\n        for need",
        "(state == UNKNOWN))\n        for need",
        "a_route_is_targetable_when_all_it_lacks_is_open",
    ),
    "a shared check is paid for each atom": (
        "definitions.py",
        "price * any_of(m & (own == index)",
        "price * sum(m & (own == index)",
        "a_shared_check_is_paid_once",
    ),
    "the budget is not looked at": (
        "definitions.py",
        " & (price <= budget)",
        "",
        "the_target_fits_the_budget",
    ),
    "the last of equals": (
        "definitions.py",
        "(value < values[i])",
        "(value <= values[i])",
        "the_target_is_the_first_listed_of_the_cheapest",
    ),
    "hold at equality": (
        "definitions.py",
        "return target_conclusion > sum(auth)",
        "return target_conclusion >= sum(auth)",
        "a_report_is_held_when_something_stronger_is_reachable",
    ),
    "what runs ignores what is unavailable": (
        "decisions.py",
        "return ~(settled.true | settled.false | settled.conflict | settled.unavailable)",
        "return ~(settled.true | settled.false | settled.conflict)",
        confirm.ENUMERATED,
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_is_no_longer_confirmed(name: str, tmp_path: Path) -> None:
    file, sound, broken, condition = PLANTED[name]
    shutil.copytree(CORE, tmp_path / "licet")
    source = (tmp_path / "licet" / file).read_text()
    assert source.count(sound) == 1
    (tmp_path / "licet" / file).write_text(source.replace(sound, broken))
    done = run(["-m", "licet_proofs.confirm", "--only", condition], tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "NOT CONFIRMED" in done.stdout


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
