"""Authorization and targets over many ledgers against the core where the search is hard; limits.

Generated programs and ledgers, and the encoding, are properties: `licet_proofs.kernels_review`.
"""

from __future__ import annotations

import pytest

from licet import Check, InvalidInput
from licet.decisions import Settled, target
from licet_kernels.review.encoding import encode
from licet_proofs.generators import Case, case_from
from licet_proofs.kernels_review_agree import compare_decisions
from licet_proofs.review_problems import Moment


def hard_case(singles: bool) -> Case:
    """Half of the pairs of 14 atoms are calls, so that searches give up.

    Their costs differ; or each costs as much as the two calls of its atoms, so that covers of one
    cost have different numbers of checks.
    """
    atoms = [f"a{number:02}" for number in range(14)]
    pairs = tuple(
        Check(f"{a}-{b}", (a, b), 2 if singles else 1 + (i * 7 + j * 5) % 4)
        for i, a in enumerate(atoms)
        for j, b in enumerate(atoms)
        if i < j and (i + j) % 2
    )
    alone = tuple(Check(f"{'z' if i % 2 else ''}{a}", (a,)) for i, a in enumerate(atoms))
    routes = [atoms[:3], atoms[3:7], atoms[7:]] if singles else [atoms]
    return case_from({"c1": routes}, atoms, pairs + (alone if singles else ()))


def hard_ledgers(case: Case) -> list[Moment]:
    return [
        Moment(Settled(), left, case.commitment.compiled.all_checks) for left in (0, 7, 12, 20, 40)
    ]


HARD_CASES = [hard_case(singles=False), hard_case(singles=True)]

# A call of the cover settles `a` too, which is known: `b` is the first that is missing.
SHARED = case_from({"c1": [["a", "b", "c"]]}, "abc", (Check("k", ("a", "c")), Check("l", ("b",))))
SHARED_LEDGERS = [Moment(Settled(true=0b001), 2, 0b11)]

# `b` needs the call that settles `a` too, so that no call is looked for that settles `a`.
BOTH = case_from({"c1": [["a", "b"]]}, "ab", (Check("k", ("a", "b"), 2), Check("a", ("a",))))
BOTH_LEDGERS = [Moment(Settled(), left, 0b11) for left in range(4)]


def test_a_cover_beyond_the_limit_of_its_search_is_the_core_s() -> None:
    program = HARD_CASES[0].commitment.compiled
    aim = target(program, Settled(), 40, program.all_checks)
    assert aim is not None
    assert not aim.cover.least
    for case in HARD_CASES:
        compare_decisions(case, hard_ledgers(case))


def test_the_first_check_is_that_of_the_first_missing_atom() -> None:
    compare_decisions(SHARED, SHARED_LEDGERS)


def test_a_call_that_is_needed_anyway_covers_what_it_settles() -> None:
    compare_decisions(BOTH, BOTH_LEDGERS)


def test_sixty_four_atoms_are_encoded_and_no_more() -> None:
    atoms = [f"a{number:02}" for number in range(64)]
    case = case_from({"c1": [atoms]}, atoms)
    full = Settled(true=2**64 - 1)
    high = Settled(true=2**63)
    everything = case.commitment.compiled.all_checks
    compare_decisions(case, [Moment(full, 0, 0), Moment(high, 63, everything)])
    more = [*atoms, "b"]
    with pytest.raises(InvalidInput, match="atoms: expected at most 64 for the kernels, found 65"):
        encode(case_from({"c1": [more]}, more).commitment.compiled)


def test_costs_that_floats_cannot_hold_are_refused() -> None:
    case = case_from({"c1": [["a"]]}, "a", (Check("a", ("a",), 2**53 + 1),))
    with pytest.raises(InvalidInput, match=r"checks: expected costs of at most 2\^53 units"):
        encode(case.commitment.compiled)
