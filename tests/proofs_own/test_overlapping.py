"""Call classes that overlap: what the kernel's search leaves open is no fault, and no proof."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from licet import Check
from licet_proofs.generators import Case, cases
from licet_proofs.independent import cheapest_cover, read
from licet_proofs.own import completion, ledgers, programs
from licet_proofs.own.covers import Covers
from licet_proofs.own.findings import Finding, Word
from licet_proofs.own.programs import OwnProgram, program_checks
from tests.proofs_own.programs import faults, own

SMALL = (Check("both", ("a", "b"), 1), Check("other", ("b", "c"), 1))


def hard(atoms: int, budget: int) -> OwnProgram:
    """Two checks settle all; the kernel's search stops among 140 worse ones before it sees that."""
    a = [f"a{n:02}" for n in range(atoms)]
    shared = [Check("o1", tuple(a[:5]), 1), Check("o2", tuple(a[5:]), 1)]
    for n in range(70):
        shared.append(Check(f"d{n:02}", (*a[0:3], *a[5:8]), 1))
        shared.append(Check(f"e{n:02}", (a[3], a[8], *a[10:]), 1))
    shared.append(Check("f", (a[4], a[9]), 1))
    return own({"c": [a]}, budget, shared=tuple(shared), limit=3**atoms)


def finding(program: OwnProgram, name: str) -> Finding:
    return next(check.run() for check in program_checks(program) if check.name == name)


@pytest.fixture
def the_empty_ledger_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledgers, "SECONDS", 0)


def test_the_least_cost_is_told_though_the_kernels_search_does_not_find_it() -> None:
    found = finding(hard(10, 2), "reachable c")
    assert found.word is Word.ADVICE
    assert (found.details["checks"], found.details["cost"]) == (["o1", "o2"], 2)
    assert "stops after 4,096 choices and finds none within the budget" in found.says
    assert finding(hard(10, 3), "reachable c").word is Word.HOLDS


def test_a_budget_below_the_least_cost_is_a_fault() -> None:
    found = finding(hard(10, 1), "reachable c")
    assert found.word is Word.FAULT
    assert found.says.startswith("not within the budget of 1: at best by")
    assert found.says.endswith("at a cost of 2")


def test_a_cost_that_is_not_proven_the_least_is_no_fault() -> None:
    found = finding(hard(11, 2), "reachable c")
    assert found.word is Word.ADVICE
    assert "not checked to the end" in found.says
    assert found.says.endswith("at a cost of 3, not proven the least")
    assert found.details["least"] is False


def test_routes_that_are_not_looked_at_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "SEARCH_WORK", 0)
    twice = (*SMALL, Check("again", ("a", "b", "c"), 5))
    program = own({"one": [["a", "b"], ["b", "c"], ["a", "c"]]}, 1, shared=twice)
    found = finding(program, "reachable one")
    assert found.word is Word.HOLDS
    assert "not proven the least; 2 of 3 routes are not looked at" in found.says
    found = finding(own({"one": [["a", "c"], ["b"]]}, 1, shared=twice), "reachable one")
    assert found.word is Word.ADVICE


@pytest.mark.usefixtures("the_empty_ledger_alone")
def test_a_target_that_the_search_is_cut_off_before_is_no_fault() -> None:
    found = finding(hard(10, 2), "target and hold")
    assert found.word is Word.ADVICE
    assert (
        "on 1 of the ledgers, such as the empty ledger, the search for checks stops" in found.says
    )
    assert found.covered == "the first 1 of 3^10 ledgers, stopped after 0 s"
    assert finding(hard(10, 3), "target and hold").word is Word.HOLDS


@pytest.mark.usefixtures("the_empty_ledger_alone")
def test_a_target_that_cannot_be_read_anew_is_not_said_to_hold() -> None:
    found = finding(hard(11, 2), "target and hold")
    assert found.word is Word.ADVICE
    assert "on 1 of the ledgers the target is not checked" in found.says


def test_a_missed_target_is_a_fault_where_the_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    program = own({"one": [["a", "b"]], "two": [["a", "b", "c"]]}, 2, shared=SMALL)
    assert faults(program) == {}
    monkeypatch.setattr(ledgers, "_target", lambda program, settled, budget, runnable: None)
    assert faults(program) == {"target and hold": "the empty ledger: the target is None, not two"}


def test_a_target_beyond_the_budget_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    target = ledgers._target
    monkeypatch.setattr(ledgers, "_target", lambda p, settled, budget, c: target(p, settled, 9, c))
    program = own({"one": [["a", "b"]], "two": [["a", "b", "c"]]}, 1, shared=SMALL)
    assert "the target two is not within the budget" in faults(program)["target and hold"]


def test_what_takes_too_long_is_not_checked_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    program = own({"one": [["a", "b", "c"]]}, 2, shared=SMALL)
    monkeypatch.setattr(completion, "SECONDS", -1)
    assert "a single review takes more than" in finding(program, "theorem 4.3").says
    monkeypatch.setattr(ledgers, "TARGET_WORK", 0)
    for name in ("theorem 4.3", "target and hold"):
        found = finding(program, name)
        assert found.word is Word.ADVICE
        assert found.says.startswith("not checked: call classes overlap")


def test_reviews_stop_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(1000))
    monkeypatch.setattr(completion, "monotonic", lambda: next(times))
    found = finding(own({"one": [["a"]], "two": [["a", "b"]]}), "theorem 4.3")
    assert found.word is Word.HOLDS
    assert found.covered == "every truth assignment enumerated: 4"
    monkeypatch.setattr(completion, "SECONDS", 3)
    found = finding(own({"one": [["a"]], "two": [["a", "b"]]}), "theorem 4.3")
    assert found.covered == "the first 2 of 2^2 truth assignments, stopped after 3 s"


def test_many_literals_are_sampled_even_of_few_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledgers, "ENUMERATE_WORK", 27)
    monkeypatch.setattr(ledgers, "SAMPLE", 200)
    found = finding(own({"one": [["a", "b", "c"]]}), "auth")
    assert found.covered == "sampled: 200 of 3^3 ledgers"


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(cases())
def test_the_second_search_finds_the_cheapest_checks(case: Case) -> None:
    paper = read(case.commitment.specification, case.commitment.program)
    covers = Covers(paper)
    for routes in paper.routes.values():
        for route in routes:
            atoms = {atom for atom, _ in route}
            assert covers.least(atoms) == cheapest_cover(paper, atoms, paper.settles)


def test_the_second_search_takes_the_fewest_then_the_first_of_equally_cheap_checks() -> None:
    shared = (Check("z", ("a", "b"), 2), Check("y", ("a", "b"), 2), Check("x", ("b", "c"), 1))
    program = own({"one": [["a", "b", "c"]]}, shared=shared).commitment
    paper = read(program.specification, program.program)
    covers = Covers(paper)
    assert covers.least({"a", "b"}) == (2, ("y",))
    assert covers.least({"a", "b", "c"}) == (3, ("x", "y"))
    for atoms in ({"a"}, {"a", "b"}, {"b", "c"}, {"a", "b", "c"}):
        assert covers.least(atoms) == cheapest_cover(paper, atoms, paper.settles)
