"""Checks of one's own gate candidate: the flips are those of Proposition 1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier
from licet.regimes import verification_interval
from licet_proofs.own import candidates
from licet_proofs.own.candidates import OwnCandidate, candidate_checks, read_anew
from licet_proofs.own.findings import Finding, Word
from licet_proofs.own.stretches import UNIT_GRID, path_of

ONE_MEMORY = Candidate(
    "ship",
    (Claim("address", 0.28),),
    (Premise("deliverable", "address"),),
    (FailureMode(("deliverable",), 8, "g"),),
    (Verifier.symmetric("ask_user", 1, ("address",), 0.95),),
    Loss(abstain=1, price=0.1),
)


def findings(candidate: Candidate, budget: int = 4) -> dict[str, Finding]:
    checks = candidate_checks(OwnCandidate(candidate, Fraction(budget)))
    return {check.name: check.run() for check in checks}


def test_the_consequence_flips_at_the_thresholds_of_proposition_1() -> None:
    found = findings(ONE_MEMORY)["consequence"]
    interval = verification_interval(
        Fraction(28, 100), Fraction(1), Fraction(95, 100), Fraction(1, 10)
    )
    assert interval is not None
    assert interval.high is not None
    first, second = found.details["flips"]  # type: ignore[misc, union-attr]
    assert (first["from"], first["to"]) == ("proceed", "verify with ask_user")  # type: ignore[index]
    assert (second["from"], second["to"]) == ("verify with ask_user", "abstain")  # type: ignore[index]
    for flip, threshold in ((first, interval.low), (second, interval.high)):
        low, high = flip["between"]  # type: ignore[index, misc]
        assert low <= float(threshold / 8) <= high  # type: ignore[operator]
        assert high - low < 1e-5  # type: ignore[operator]


def test_every_number_is_moved_and_the_stretch_that_holds_is_told() -> None:
    found = findings(ONE_MEMORY)
    assert list(found) == ["decision", "consequence", "error address", "reliability ask_user"]
    assert found["decision"].word is Word.HOLDS
    assert found["decision"].details == {"decision": "verify with ask_user"}
    for name in ("consequence", "error address", "reliability ask_user"):
        holds = found[name].details["holds"]
        assert holds["decision"] == "verify with ask_user"  # type: ignore[index, call-overload]
        assert holds["low"] <= found[name].details["present"] <= holds["high"]  # type: ignore[index, operator, call-overload]


def test_a_number_near_a_flip_is_worth_a_look() -> None:
    near = replace(ONE_MEMORY, failure_modes=(FailureMode(("deliverable",), 40, "g"),))
    found = findings(near)["consequence"]
    assert found.word is Word.ADVICE
    assert "near a flip" in found.says
    assert findings(ONE_MEMORY)["consequence"].word is Word.TOLD


def test_unequal_rates_are_moved_one_by_one_and_what_is_not_available_is_not() -> None:
    verifiers = (
        Verifier("ask_user", 1, ("address",), 0.95, 0.8),
        Verifier("auditor", 1, ("address",), 1, 1, available=False),
    )
    names = list(findings(replace(ONE_MEMORY, verifiers=verifiers)))
    assert names[3:] == ["sensitivity ask_user", "specificity ask_user"]


def test_a_decision_that_is_not_the_papers_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "read_anew", lambda candidate, budget: "proceed")
    found = findings(ONE_MEMORY)["decision"]
    assert found.word is Word.FAULT
    assert "the paper says proceed" in found.says


def test_the_reading_is_anew() -> None:
    assert read_anew(ONE_MEMORY, Fraction(4)) == "verify with ask_user"
    assert read_anew(ONE_MEMORY, Fraction(0)) == "abstain"


def test_what_is_too_large_for_the_second_reading_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "READ_LIMIT", 1)
    found = findings(ONE_MEMORY)["decision"]
    assert found.word is Word.ADVICE
    assert "not checked: 2 hidden states, 1 verifiers that can be asked are too many" in found.says


def many(verifiers: int) -> Candidate:
    """A candidate whose first decision looks at many pairs of verifiers: none pays alone."""
    asked = (Verifier.symmetric(f"v{n}", 1, ("address",), 0.6) for n in range(verifiers))
    return replace(ONE_MEMORY, verifiers=tuple(asked))


@pytest.mark.parametrize(
    ("verifiers", "read", "decision"),
    [
        (33, 2 * 33**2, "abstain; the paper's definitions"),
        (33, 2 * 33**2 - 1, "abstain; not checked: 2 hidden states, 33 verifiers"),
        (1000, candidates.READ_WORK, "not checked: with 2 hidden states, 1,000 verifiers"),
    ],
)
def test_many_verifiers_end_soon_and_what_is_left_out_is_told(
    verifiers: int, read: int, decision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "READ_WORK", read)
    found = findings(many(verifiers))
    assert list(found) == ["decision", "consequence"]
    assert found["decision"].says.startswith(decision)
    assert (found["decision"].word is Word.HOLDS) == ("paper" in decision)
    assert found["consequence"].word is Word.ADVICE
    assert "not checked: no number is moved" in found["consequence"].says


def test_verifiers_that_cannot_be_asked_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOVE_LIMIT", 2)
    verifiers = (
        *ONE_MEMORY.verifiers,
        Verifier("auditor", 1, ("address",), 1, 1, available=False),
        Verifier("court", 9, ("address",), 1, 1),
    )
    assert "error address" in findings(replace(ONE_MEMORY, verifiers=verifiers))


@pytest.mark.parametrize("threshold", [Fraction(1, 3), Fraction(1, 2), Fraction(999, 1000)])
def test_a_flip_is_enclosed(threshold: Fraction) -> None:
    path = path_of(lambda x: x < threshold, Fraction(1, 7), UNIT_GRID)
    (flip,) = path.flips
    assert flip.low < threshold <= flip.high
    assert flip.high - flip.low <= Fraction(1, 32 * 2**20)
    assert path.holds.decided is True


def test_a_decision_that_never_changes_has_one_stretch() -> None:
    path = path_of(lambda x: "proceed", Fraction(1, 7), UNIT_GRID)
    assert path.flips == ()
    assert path.holds == path.stretches[0] == ("proceed", 0, 1)


def test_several_flips_between_two_neighbours_of_the_grid_are_told_apart() -> None:
    path = path_of(
        lambda x: "low" if x < 1.01 else "mid" if x < 1.02 else "high", Fraction(2), [Fraction(1)]
    )
    assert [s.decided for s in path.stretches] == ["low", "mid", "high"]
    assert path.holds.decided == "high"


def test_a_narrow_stretch_is_not_told_of_the_present_number() -> None:
    """Checking pays between 3.43 and 4.14 alone; the grid steps from 3.2 to 4.3."""
    narrow = replace(
        ONE_MEMORY,
        failure_modes=(FailureMode(("deliverable",), 4.3, "g"),),
        verifiers=(Verifier.symmetric("ask_user", 1, ("address",), 0.8),),
        loss=Loss(abstain=1, price=0.4),
    )
    found = findings(narrow)
    assert found["decision"].details["decision"] == "abstain"
    assert found["consequence"].details["holds"]["decision"] == "abstain"  # type: ignore[index, call-overload]
    says = found["consequence"].says
    assert says.index("abstain from") < says.index("proceed from") < says.index("verify with")
