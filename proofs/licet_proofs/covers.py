"""The estimated cost is the least: the search for covers against every set of checks."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from licet import Check, Number, covers
from licet.compiled import bits
from licet.covers import Cover, cover

from .expect import SAMPLED, expect
from .generators import ATOMS, Case, case_from
from .independent import cheapest_cover, cheapest_cover_of_all

TIES: Final[st.SearchStrategy[Number]] = st.sampled_from([1, 2, 0, Fraction(1, 2)])
"""Few costs, so that many covers cost the same."""

SPREAD: Final[st.SearchStrategy[Number]] = st.integers(1, 12)
"""Many costs, so that the cover that looks cheapest at first often is not."""


class Demand(NamedTuple):
    """Atoms to settle, and the checks that may be run; most settle several, and they overlap."""

    case: Case
    atoms: frozenset[str]
    runnable: frozenset[str]


@st.composite
def demands(draw: st.DrawFn, least: int = 1, costs: st.SearchStrategy[Number] = TIES) -> Demand:
    """Draw `least` to six atoms, and from `least` to eight checks of any classes."""
    atoms = ATOMS[: draw(st.integers(least, len(ATOMS)))]
    classes = st.integers(1, 2 ** len(atoms) - 1)
    checks = [
        Check(f"k{number}", _members(atoms, draw(classes)), draw(costs))
        for number in range(draw(st.integers(least, 8)))
    ]
    case = case_from({"ready": [list(atoms)]}, atoms, tuple(checks))
    kept = _members(atoms, draw(st.integers(0, 2 ** len(atoms) - 1)))
    wanted = frozenset(atoms) - frozenset(kept if least == 1 else ())
    idle = draw(st.sets(st.sampled_from(sorted(case.paper.settles)), max_size=1))
    return Demand(case, wanted, frozenset(case.paper.settles) - idle)


def _members(atoms: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(atom for bit, atom in enumerate(atoms) if mask >> bit & 1)


def _found(demand: Demand) -> Cover | None:
    program = demand.case.commitment.compiled
    atoms = sum(1 << program.atoms.index(atom) for atom in demand.atoms)
    runnable = sum(1 << program.checks.index(check) for check in demand.runnable)
    return cover(program, atoms, runnable)


def _names(demand: Demand, found: Cover) -> tuple[Fraction, tuple[str, ...]]:
    program = demand.case.commitment.compiled
    checks = tuple(program.checks[check] for check in bits(found.checks))
    return Fraction(found.cost, program.unit), checks


@SAMPLED
@given(demands())
def the_estimated_cost_is_the_least(demand: Demand) -> None:
    """The cover is the cheapest of all sets of runnable checks, and the first of equals.

    Of equally cheap sets it is one of the smallest, and of these the first by identifiers.

    Source: PRIME, section 3.3: a check that settles several literals counts once;
    decision 0006, on ties.
    """
    paper = demand.case.paper
    best = cheapest_cover_of_all(paper, demand.atoms, demand.runnable)
    expect(cheapest_cover(paper, demand.atoms, demand.runnable) == best, f"the best is {best}")
    found = _found(demand)
    expect((found and _names(demand, found)) == best, f"the best is {best}, not {found}")
    expect(found is None or found.least, f"{found} is not called the least")


@SAMPLED
@given(demands(6, SPREAD), st.integers(1, 4))
def a_bounded_search_does_not_claim_the_least(demand: Demand, choices: int) -> None:
    """When the search is cut short, what it finds is a cover, and called the least only if it is.

    With a choice for every atom it finds one wherever there is one, which costs at most what every
    check that settles a missing atom costs, so Theorem 4.3's bound still suffices.

    Source: decision 0006, on the estimated cost; PRIME, Theorem 4.3.
    """
    paper = demand.case.paper
    with patch.object(covers, "COVER_CHOICES", choices):
        found = _found(demand)
    best = cheapest_cover_of_all(paper, demand.atoms, demand.runnable)
    expect(found is None or best is not None, "the best is none, found is", found)
    if found is None or best is None:
        may_miss = best is None or choices < len(demand.atoms)
        expect(may_miss, "the best is", best, "found is none, with", choices, "choices")
        return
    cost, checks = _names(demand, found)
    settled = frozenset[str]().union(*(paper.settles[check] for check in checks))
    expect(demand.atoms <= settled and set(checks) <= demand.runnable, f"{checks} are no cover")
    expect(cost == sum(paper.cost[check] for check in checks), f"{checks} do not cost {cost}")
    expect(not found.least or cost == best[0], f"{found} is called the least, not {best}")
    all_of_use = [c for c in demand.runnable if paper.settles[c] & demand.atoms]
    expect(cost <= sum(paper.cost[check] for check in all_of_use), f"{checks} cost {cost}")


PROPERTIES: Final = (
    the_estimated_cost_is_the_least,
    a_bounded_search_does_not_claim_the_least,
)
