"""The least cost of checks that settle some atoms, on the paper's names: a second search.

The kernel searches a weighted set cover up to a number of choices. Here nothing is cut off: for
each set of atoms that is left, the cheapest way is kept. That takes as many ways as there are such
sets, so that only few contested atoms, which several checks settle, are taken.
"""

from collections.abc import Collection
from fractions import Fraction
from math import lcm
from typing import Final, TypeAlias

from ..independent import Paper

SLOW_COVER: Final = 10
"""Of more contested atoms than this no least cost is looked for."""

KEPT: Final = 100_000
"""Ways that are kept, at most."""

Way: TypeAlias = tuple[int, int, tuple[int, ...]]
"""The cost in units, how many checks, and the checks by position: less is better."""


class Covers:
    """The cheapest checks of one program for any few atoms."""

    def __init__(self, paper: Paper) -> None:
        """Take a program's call classes and costs."""
        self.names = tuple(sorted(paper.settles))
        atoms = sorted({atom for settled in paper.settles.values() for atom in settled})
        self.bit = {atom: 1 << place for place, atom in enumerate(atoms)}
        self.unit = lcm(*(paper.cost[name].denominator for name in self.names))
        self.cost = [int(paper.cost[name] * self.unit) for name in self.names]
        self.settles = [sum(self.bit[atom] for atom in paper.settles[name]) for name in self.names]
        self.settled_by: dict[int, tuple[int, ...]] = {
            bit: tuple(c for c, settled in enumerate(self.settles) if settled & bit)
            for bit in self.bit.values()
        }
        self._ways: dict[int, Way] = {}
        self.tried = 0
        """How many checks were tried, in all searches together."""

    def forget(self) -> None:
        """Forget what was found, so that what a search costs does not depend on those before."""
        self._ways.clear()

    def least(self, atoms: Collection[str]) -> tuple[Fraction, tuple[str, ...]] | None:
        """Return the cheapest checks that settle some atoms, or None where these are too many.

        Of equally cheap sets the smallest is taken, then the first by identifiers.
        """
        left = sum(self.bit[atom] for atom in atoms)
        forced: list[int] = []
        for atom in atoms:
            only = self.settled_by[self.bit[atom]]
            if len(only) == 1 and only[0] not in forced:
                forced.append(only[0])
        for check in forced:
            left &= ~self.settles[check]
        if left.bit_count() > SLOW_COVER:
            return None
        if len(self._ways) > KEPT:
            self._ways.clear()
        cost, _, chosen = self._cheapest(left)
        checks = sorted({*forced, *chosen})
        total = cost + sum(self.cost[check] for check in forced)
        return Fraction(total, self.unit), tuple(self.names[check] for check in checks)

    def _cheapest(self, left: int) -> Way:
        if not left:
            return 0, 0, ()
        known = self._ways.get(left)
        if known is None:
            known = min(self._with(check, left) for check in self.settled_by[left & -left])
            self._ways[left] = known
        return known

    def _with(self, check: int, left: int) -> Way:
        self.tried += 1
        cost, count, checks = self._cheapest(left & ~self.settles[check])
        return cost + self.cost[check], count + 1, tuple(sorted((check, *checks)))
