"""Targets, statuses and orders of checks against brute force, on small programs."""

from itertools import islice, product

import icontract
import pytest

from licet import (
    InvariantViolation,
    covers,
)
from licet.covers import Cover, cover
from licet.decisions import (
    LiteralStatus,
    Settled,
    Target,
    authorized,
    checks_in_order,
    hold,
    holds,
    literal_status,
    maximal,
    residual,
    target,
    target_of,
    targetable,
)
from licet_proofs.enumerated import compare, programs
from tests.mutants.covering import ATOMS, PROGRAM, best_cover, compiled


def test_the_budget_is_the_last_cost_that_fits() -> None:
    for states in product(range(3), repeat=ATOMS):
        true, false = (sum((state == one) << i for i, state in enumerate(states)) for one in (1, 2))
        settled = Settled(true, false)
        for budget in range(8):
            assert target(PROGRAM, settled, budget, 255) == expected_target(settled, budget, None)
            for conclusion in range(3):
                found = target_of(PROGRAM, settled, budget, 255, conclusion)
                assert found == expected_target(settled, budget, conclusion)


def expected_target(settled: Settled, budget: int, only: int | None) -> Target | None:
    blocked = settled.true | settled.false | settled.conflict | settled.unavailable
    for conclusion in (0, 1, 2) if only is None else (only,):
        best: Target | None = None
        for index, route in enumerate(PROGRAM.routes[conclusion]):
            missing = (route.needs_true & ~settled.true) | (route.needs_false & ~settled.false)
            assert residual(route, settled) == missing
            assert holds(route, settled) == (missing == 0)
            assert targetable(route, settled) == (not missing & blocked)
            found = best_cover(PROGRAM, missing, 255) if not missing & blocked else None
            price = budget if best is None else best.cover.cost - 1
            if found is not None and found.cost <= price:
                best = Target(conclusion, index, found)
        if best is not None:
            return best
    return None


def test_auth_and_its_maximal_elements() -> None:
    x, y, z = 1, 2, 4
    everything = Settled(true=0b1111)
    assert authorized(PROGRAM, everything) == x | y
    assert maximal(PROGRAM, x | y) == x
    assert maximal(PROGRAM, y | z) == y | z
    assert maximal(PROGRAM, x | y | z) == x | z
    assert maximal(PROGRAM, 0) == 0
    assert authorized(PROGRAM, Settled(true=0b1100)) == y
    assert authorized(PROGRAM, Settled(true=0b0100, false=0b0011)) == y | z
    assert authorized(PROGRAM, Settled(conflict=0b1111)) == 0


def test_hold_compares_with_everything_authorized() -> None:
    aims = [Target(conclusion, 0, Cover(0, 0, True)) for conclusion in range(3)]
    assert [hold(PROGRAM, aim, 0) for aim in aims] == [True, True, True]
    assert [hold(PROGRAM, aim, 0b010) for aim in aims] == [True, False, False]
    assert [hold(PROGRAM, aim, 0b110) for aim in aims] == [True, False, False]
    assert [hold(PROGRAM, aim, 0b011) for aim in aims] == [False, False, False]
    assert [hold(PROGRAM, aim, 0b101) for aim in aims] == [False, False, False]
    assert hold(PROGRAM, None, 0) is False


def test_checks_are_run_in_the_order_of_the_route() -> None:
    names = PROGRAM.checks

    def order(*chosen: str) -> list[str]:
        checks = sum(1 << names.index(name) for name in chosen)
        aim = Target(0, 0, Cover(checks, 0, True))
        return [names[check] for check in checks_in_order(PROGRAM, aim, Settled())]

    assert order("k0", "k2", "k5") == ["k5", "k0", "k2"]
    assert order("k1", "k6") == ["k6", "k1"]
    assert order("k0", "k1", "k6") == ["k6", "k0", "k1"]
    aim = Target(0, 0, Cover(1 << 1 | 1 << 3, 0, True))
    assert checks_in_order(PROGRAM, aim, Settled(true=0b1001)) == (3, 1)


def test_the_status_of_each_literal() -> None:
    status = {
        "true": Settled(true=0b10),
        "false": Settled(false=0b10),
        "conflict": Settled(conflict=0b10, unavailable=0b10),
        "unavailable": Settled(unavailable=0b10),
        "unknown": Settled(true=0b1101),
    }
    found = {
        name: tuple(literal_status(PROGRAM, settled, 0, 1, sign) for sign in (True, False))
        for name, settled in status.items()
    }
    assert found == {
        "true": (LiteralStatus.SATISFIED, LiteralStatus.IMPOSSIBLE),
        "false": (LiteralStatus.IMPOSSIBLE, LiteralStatus.SATISFIED),
        "conflict": (LiteralStatus.REPAIRABLE,) * 2,
        "unavailable": (LiteralStatus.IMPOSSIBLE,) * 2,
        "unknown": (LiteralStatus.OPEN,) * 2,
    }
    # k1, k2, k4 and k7 settle b.
    assert literal_status(PROGRAM, Settled(), 0b10110, 1, True) is LiteralStatus.OPEN
    with pytest.raises(InvariantViolation) as violation:
        literal_status(PROGRAM, Settled(), 0b10010110, 1, True)
    assert str(violation.value) == "no status applies to a literal of atom 'b'"


def test_an_atom_that_is_not_there_has_no_status() -> None:
    with pytest.raises((icontract.ViolationError, IndexError)):
        literal_status(PROGRAM, Settled(), 0, 4, True)


def test_masks_decide_as_the_definitions_do_on_some_programs() -> None:
    for small in islice(programs(), 0, None, 60):
        for ledger in product(range(4), repeat=2):
            for unavailable in product((0, 1), repeat=2):
                assert compare(small, ledger, unavailable)


def test_an_atom_with_one_check_takes_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "COVER_CHOICES", 0)
    program = compiled(("p", "ab", 5), ("q", "c", 1), ("r", "d", 2))
    assert cover(program, 0b1111, 0b111) == Cover(0b111, 8, True)
    assert cover(program, 0b1111, 0b101) is None


def test_only_what_has_several_checks_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "COVER_CHOICES", 1)
    program = compiled(("p", "ab", 5), ("q", "c", 1), ("s", "d", 1), ("t", "d", 1))
    assert cover(program, 0b1111, 0b1111) == Cover(0b111, 7, False)
