"""Which programs are committed: every small program, judged by what the paper asks of one.

A program is valid when every conclusion has a route, no route of a conclusion contains or repeats
another, and every route of a stronger conclusion contains a route of each weaker comparable one
(PRIME, appendix A, "Program validation"; premise T1). Nothing is sampled.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from licet import Atom, Conclusion, Program, Specification, faults, own_checks

from .enumerated import Disagreement
from .enumerated_decisions import NAMES, Routes, all_programs, route_of

Order: TypeAlias = tuple[tuple[str, str], ...]

CHAIN: Final[Order] = (("c0", "c1"), ("c1", "c2"))
DIAMOND: Final[Order] = (("c0", "c2"), ("c1", "c2"))
"""Two conclusions that are not comparable, and one above both."""

BELOW: Final[Mapping[Order, Mapping[int, tuple[int, ...]]]] = {
    CHAIN[:1]: {1: (0,)},
    CHAIN: {1: (0,), 2: (0, 1)},
    DIAMOND: {2: (0, 1)},
}
"""For each conclusion those that are weaker, written out."""


def is_valid(listed: tuple[Routes, ...], order: Order) -> bool:
    """Return whether the paper commits a program, given as routes of needs."""
    routes = [
        [frozenset((i, need) for i, need in enumerate(needs) if need) for needs in own]
        for own in listed
    ]
    minimal = all(
        own and not any(p <= q for i, p in enumerate(own) for j, q in enumerate(own) if i != j)
        for own in routes
    )
    coherent = all(
        any(p <= q for p in routes[weaker])
        for stronger, below in BELOW[order].items()
        for weaker in below
        for q in routes[stronger]
    )
    return minimal and coherent


def _spaces() -> Iterator[tuple[int, int, Order, Iterator[tuple[Routes, ...]]]]:
    """Yield numbers of atoms and conclusions, an order, and every program of them."""
    yield 2, 2, CHAIN[:1], all_programs(2, 2, 2)
    for order in (CHAIN, DIAMOND):
        yield 2, 3, order, all_programs(2, 3, 1)
        yield 3, 3, order, all_programs(3, 3, 1)


def every_small_program_is_judged_as_the_paper_does() -> int:
    """Chains and a diamond of up to 3 conclusions, up to 3 atoms, every listing of routes."""
    judged = 0
    for atoms, conclusions, order, programs in _spaces():
        named = tuple(Atom(name, "") for name in NAMES[:atoms])
        specification = Specification(
            tuple(Conclusion(f"c{n}", "", n + 1) for n in range(conclusions)),
            named,
            own_checks(named),
            order,
        )
        for listed in programs:
            routes = ((f"c{n}", tuple(map(route_of, own))) for n, own in enumerate(listed))
            found = faults(specification, Program(tuple(routes)))
            if (not found) != is_valid(listed, order):
                raise Disagreement(f"{listed} in the order {order}: {found}")
            judged += 1
    return judged
