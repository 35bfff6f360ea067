"""Authorization and targets over many ledgers, and the encoding, against the core: bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from licet import Check, InvalidInput
from licet.compiled import CompiledProgram
from licet.decisions import Settled, authorized, checks_in_order, hold, maximal, target
from licet_kernels.review.encoding import decode, encode
from licet_kernels.review.ledgers import (
    authorized_many,
    held_many,
    ledgers_of,
    maximal_many,
    targets_many,
)
from licet_proofs.generators import Case, case_from, cases, large_cases


@st.composite
def ledgers(draw: st.DrawFn, program: CompiledProgram) -> Settled:
    """Any ledger: each atom unknown, true, false or in conflict, and unavailable or not."""
    every = (1 << len(program.atoms)) - 1
    ones, zeros, gone = (draw(st.integers(0, every)) for _ in range(3))
    if draw(st.booleans()):  # hardly anything in conflict or unavailable
        zeros, gone = (
            zeros & ~ones,
            gone & draw(st.integers(0, every)) & draw(st.integers(0, every)),
        )
    return Settled(ones & ~zeros, zeros & ~ones, ones & zeros, gone)


def agree(case: Case, drawn: list[tuple[Settled, int, int]]) -> None:
    program = case.commitment.compiled
    arrays = encode(program)
    many = ledgers_of(settled for settled, _, _ in drawn)
    auth = authorized_many(arrays, many)
    top = maximal_many(arrays, auth)
    budgets, runnable = [left for _, left, _ in drawn], [checks for _, _, checks in drawn]
    aims = targets_many(arrays, many, budgets, np.array(runnable, np.uint64))
    held = held_many(arrays, aims, auth)
    for i, (settled, left, checks) in enumerate(drawn):
        allowed = authorized(program, settled)
        assert int(auth[i]) == allowed
        assert int(top[i]) == maximal(program, allowed)
        aim = target(program, settled, left, checks)
        assert bool(held[i]) == hold(program, aim, allowed)
        if aim is None:
            assert aims.conclusion[i] == -1
            continue
        assert (aims.conclusion[i], aims.route[i]) == (aim.conclusion, aim.route)
        found = (int(aims.checks[i]), int(aims.cost[i]), bool(aims.least[i]))
        assert found == tuple(aim.cover)
        first = next(iter(checks_in_order(program, aim, settled)), -1)
        assert aims.first[i] == first


def states(case: Case) -> st.SearchStrategy[list[tuple[Settled, int, int]]]:
    program = case.commitment.compiled
    most = sum(call.cost for call in program.calls)
    everything = program.all_checks
    runnable = st.one_of(st.just(everything), st.integers(0, everything))
    one = st.tuples(ledgers(program), st.integers(0, most + 1), runnable)
    return st.lists(one, min_size=1, max_size=12)


@given(st.data())
@settings(max_examples=150)
def test_decisions_of_many_ledgers_are_those_of_the_core(data: st.DataObject) -> None:
    case = data.draw(cases())
    agree(case, data.draw(states(case)))


@given(st.data())
@settings(max_examples=40)
def test_decisions_on_forty_atoms_are_those_of_the_core(data: st.DataObject) -> None:
    case = data.draw(st.booleans().flatmap(large_cases))
    program = case.commitment.compiled
    drawn = data.draw(states(case))
    sparse = [
        (Settled(z.true & z.unavailable, z.false & ~z.unavailable, 0, 0), left, checks)
        for z, left, checks in drawn
    ]
    agree(case, [*drawn, *sparse, (Settled(), 10**6, program.all_checks)])


def test_a_cover_beyond_the_limit_of_its_search_is_the_core_s() -> None:
    """Every pair of 14 atoms is a call of its own cost, so the search gives up."""
    atoms = [f"a{number:02}" for number in range(14)]
    pairs = tuple(
        Check(f"{a}-{b}", (a, b), 1 + (i * 7 + j * 5) % 4)
        for i, a in enumerate(atoms)
        for j, b in enumerate(atoms)
        if i < j and (i + j) % 2
    )
    case = case_from({"c1": [atoms]}, atoms, pairs)
    program = case.commitment.compiled
    aim = target(program, Settled(), 40, program.all_checks)
    assert aim is not None
    assert not aim.cover.least
    agree(case, [(Settled(), left, program.all_checks) for left in (0, 7, 12, 20, 40)])


@given(cases())
def test_a_program_is_its_own_decoded_encoding(case: Case) -> None:
    assert decode(encode(case.commitment.compiled)) == case.commitment.compiled


@given(large_cases(overlapping=True))
@settings(max_examples=20)
def test_arrays_are_those_of_their_decoded_program(case: Case) -> None:
    arrays = encode(case.commitment.compiled)
    again = encode(decode(arrays))
    for part, other in zip(arrays[:3], again[:3], strict=True):
        for one, two in zip(part, other, strict=True):
            assert one.dtype == two.dtype
            assert np.array_equal(one, two)
    assert arrays.names == again.names


def test_sixty_four_atoms_are_encoded_and_no_more() -> None:
    atoms = [f"a{number:02}" for number in range(64)]
    case = case_from({"c1": [atoms]}, atoms)
    full = Settled(true=2**64 - 1)
    agree(case, [(full, 0, 0), (Settled(true=2**63), 63, case.commitment.compiled.all_checks)])
    more = [*atoms, "b"]
    with pytest.raises(InvalidInput, match="atoms: expected at most 64 for the kernels, found 65"):
        encode(case_from({"c1": [more]}, more).commitment.compiled)


def test_costs_that_floats_cannot_hold_are_refused() -> None:
    case = case_from({"c1": [["a"]]}, "a", (Check("a", ("a",), 2**53 + 1),))
    with pytest.raises(InvalidInput, match=r"checks: expected costs of at most 2\^53 units"):
        encode(case.commitment.compiled)
