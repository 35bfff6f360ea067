"""Checks of one's own review program: each is shown to find what is planted."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from licet import Check
from licet.decisions import Settled, authorized
from licet_proofs.generators import Case, cases
from licet_proofs.own import ledgers, programs
from licet_proofs.own.findings import Word, has_fault
from licet_proofs.own.programs import OwnProgram, program_checks
from tests.proofs_own.programs import ROUTES, faults, findings, own


def test_a_sound_program_has_no_fault() -> None:
    found = findings(own(ROUTES, 3))
    assert not has_fault(found.values())
    assert {name for name, each in found.items() if each.word is Word.ADVICE} == set()
    assert found["reachable triage"].details["checks"] == ["details", "reviewed"]
    assert found["sufficient budget"].details == {"sufficient_budget": 3.0}
    assert found["theorem 4.3"].covered == "every truth assignment enumerated: 8"
    assert found["auth"].covered == "every ledger without conflicts and failed reads enumerated: 27"


def test_what_the_budget_never_reaches_is_a_fault() -> None:
    assert set(faults(own(ROUTES, 1))) == {"reachable triage"}
    assert faults(own(ROUTES, 2)) == {}
    assert findings(own(ROUTES, 2))["sufficient budget"].word is Word.ADVICE


def test_a_shared_check_makes_a_conclusion_cheaper() -> None:
    shared = (Check("both", ("details", "reviewed"), 1),)
    found = findings(own(ROUTES, 2, shared=shared))
    assert found["reachable triage"].details == {
        "route": ["details", "reviewed"],
        "checks": ["both"],
        "cost": 1.0,
    }


def test_a_route_that_wants_contrary_answers_of_one_test_is_a_fault() -> None:
    routes = {"ready": [["details"]], "done": [["details", "seen", "!shown"]]}
    program = own(routes, bindings={"seen": "the same", "shown": "the same"})
    assert set(faults(program)) == {"route done.0", "reachable done"}
    assert "seen and !shown" in faults(program)["route done.0"]


def test_a_route_that_a_stronger_conclusion_has_too_is_not_needed() -> None:
    found = findings(own({"weak": [["a"], ["b"]], "strong": [["a"], ["b", "c"]]}))
    assert found["route weak.0"].word is Word.ADVICE
    assert found["route weak.0"].details == {"stronger": "strong"}
    assert found["route weak.1"].word is Word.HOLDS
    assert found["route strong.0"].word is Word.HOLDS


def test_no_budget_suffices_where_conclusions_are_not_comparable() -> None:
    found = findings(own({"one": [["a"]], "other": [["b"]]}, order=()))
    assert found["sufficient budget"].word is Word.ADVICE
    assert found["sufficient budget"].details == {"sufficient_budget": None}
    assert found["theorem 4.3"].word is Word.ADVICE
    assert not has_fault(found.values())


@pytest.mark.slow
def test_above_the_limit_ledgers_are_sampled_and_it_says_so() -> None:
    found = findings(own(ROUTES, 3, limit=26))
    assert found["auth"].covered == "sampled: 10,000 of 3^3 ledgers"
    assert not has_fault(found.values())


@pytest.mark.slow
def test_many_atoms_are_sampled() -> None:
    names = [f"a{n}" for n in range(14)]
    found = findings(own({"all": [names], "more": [[*names, "b"]]}))
    assert found["theorem 4.3"].covered == "sampled: 512 of 2^15 truth assignments"
    assert not has_fault(found.values())


@pytest.mark.parametrize(
    ("name", "bug", "fault"),
    [
        ("_authorized", lambda program, settled: 3, "auth"),
        ("_authorized", lambda program, settled: 3 * (not settled.true), "monotone"),
        ("_target", lambda program, settled, budget, runnable: None, "target and hold"),
        ("_hold", lambda program, aim, auth: True, "target and hold"),
    ],
)
def test_a_bug_of_the_kernel_on_the_program_is_a_fault(
    name: str, bug: object, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledgers, name, bug)
    assert fault in faults(own(ROUTES, 3))


def test_a_failure_of_theorem_4_3_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "needed_budget", lambda own: Fraction(2))
    assert set(faults(own(ROUTES, 3))) == {"theorem 4.3"}


def test_a_wrong_observation_is_told_with_an_example() -> None:
    found = findings(own(ROUTES, 3))
    old = found["observation old"]
    assert old.word is Word.TOLD
    assert old.details == {
        "example": ["details", "old"],
        "observed": "!old",
        "unsupported": ["triage"],
    }


def flips(case: Case, name: str) -> bool:
    """Whether some ledger, looked at one by one, changes Auth when the atom is turned."""
    program = case.commitment.compiled
    bit = 1 << program.atoms.index(name)
    for states in product(range(3), repeat=len(program.atoms)):
        true = sum(1 << i for i, state in enumerate(states) if state == 1)
        false = sum(1 << i for i, state in enumerate(states) if state == 2)
        if true & bit:
            turned = Settled(true ^ bit, false | bit)
            if authorized(program, Settled(true, false)) != authorized(program, turned):
                return True
    return False


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(cases())
def test_what_is_told_of_observations_is_so_on_every_ledger(case: Case) -> None:
    for check in program_checks(OwnProgram(case.commitment)):
        kind, _, name = check.name.partition(" ")
        if kind == "observation":
            assert (check.run().word is Word.TOLD) == flips(case, name)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(cases())
def test_on_any_valid_program_the_kernel_is_sound(case: Case) -> None:
    found = findings(OwnProgram(case.commitment, limit=300))
    for name in ("auth", "target and hold", "monotone", "theorem 4.3"):
        assert found[name].word is not Word.FAULT, found[name]
