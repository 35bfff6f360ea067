"""One pass over the ledgers of a program: the kernel's decisions against a reading of their own.

A ledger gives each atom that some route needs one of three states: unknown, true, false. Where call
classes are disjoint, an unknown atom whose check has settled another atom is certified unavailable,
for that check has answered; an atom that no check has touched is open. Conflicts are left out: they
authorize what unknown atoms do, which is confirmed for every program.

Up to `LEDGER_LIMIT` all ledgers are gone through, 3 for one atom, 9 for two; above it a sample is.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from inspect import unwrap
from itertools import product
from typing import Final, TypeAlias

from licet import Commitment, decisions
from licet.compiled import CompiledProgram, bits, calls_of
from licet.decisions import Settled

from ..independent import Conjunction, Evidence, Paper, cheapest_cover, read

LEDGER_LIMIT: Final = 60_000
"""More ledgers than this are sampled: 3 ** 10 is 59,049."""

SAMPLE: Final = 10_000
"""Ledgers in a sample, at most; fewer of a program with many literals."""

LEAST_SAMPLE: Final = 200
WORK: Final = 2_000_000
"""What all ledgers of a sample may cost together, in literals that are looked at."""

TAKEN_AWAY: Final = 16
"""Observations that are taken away from one ledger of a sample, at most."""

SLOW_COVER: Final = 10
"""Where call classes overlap, the cost of up to so many atoms is found by a second search."""

States: TypeAlias = tuple[int, ...]
"""For each atom: 0 unknown, 1 true, 2 false."""

# The decisions without their contracts, which restate them: here they are checked from outside.
_authorized = unwrap(decisions.authorized)
_target = unwrap(decisions.target)
_hold = unwrap(decisions.hold)


@dataclass(slots=True)
class Seen:
    """What a pass over the ledgers saw: how many, and the first that is not as it should be.

    Attributes:
        ledgers: how many there were.
        enumerated: whether they were all, and not a sample.
        unsound: a ledger on which the kernel authorizes other conclusions than Equation (1).
        aimless: a ledger on which the target or the hold indicator is not that of Equation (4).
        withdrawn: a ledger on which one more observation takes a conclusion away.
    """

    ledgers: int = 0
    enumerated: bool = True
    unsound: str = ""
    aimless: str = ""
    withdrawn: str = ""


class Ledgers:
    """The ledgers of one committed program, gone through when first asked for."""

    def __init__(self, commitment: Commitment, budget: Fraction, limit: int = LEDGER_LIMIT) -> None:
        """Take a program, what is left to spend, and up to how many ledgers are enumerated."""
        self.program: CompiledProgram = commitment.compiled
        self.paper: Paper = read(commitment.specification, commitment.program)
        self.budget = budget
        self.limit = limit
        needed = 0
        for routes in self.program.routes:
            for route in routes:
                needed |= route.needs_true | route.needs_false
        self.atoms: tuple[int, ...] = bits(needed)
        self.disjoint = all(len(checks) == 1 for checks in self.program.settled_by)
        self.literals = sum(len(r.order) for routes in self.program.routes for r in routes)
        self.check_of = {
            atom: check for check, settles in self.paper.settles.items() for atom in settles
        }

    @property
    def count(self) -> int:
        """How many ledgers there are."""
        return int(3 ** len(self.atoms))

    @cached_property
    def seen(self) -> Seen:
        """What the pass over the ledgers saw."""
        seen = Seen(enumerated=self.count <= self.limit)
        for states in self._all() if seen.enumerated else self._some():
            seen.ledgers += 1
            self._compare(states, seen)
        return seen

    @property
    def covered(self) -> str:
        """What was gone through, in words."""
        if self.seen.enumerated:
            return f"every ledger enumerated: {self.seen.ledgers:,}"
        return f"sampled: {self.seen.ledgers:,} of 3^{len(self.atoms)} ledgers"

    def _all(self) -> Iterator[States]:
        return product(range(3), repeat=len(self.atoms))

    def _some(self) -> Iterator[States]:
        """Yield the same sample every time: around the routes, so that decisions change."""
        draw = random.Random(0)
        place = {atom: index for index, atom in enumerate(self.atoms)}
        routes = [route for routes in self.program.routes for route in routes]
        for number in range(max(LEAST_SAMPLE, min(SAMPLE, WORK // self.literals))):
            states = [draw.choice((0, 0, 1, 2)) for _ in self.atoms]
            route = routes[number % len(routes)]
            for atom in route.order:
                states[place[atom]] = 1 if route.needs_true >> atom & 1 else 2
            if draw.random() < 0.5:
                states[place[draw.choice(route.order)]] = draw.randrange(3)
            yield tuple(states)

    def _masks(self, states: States) -> Settled:
        true = sum(1 << atom for atom, s in zip(self.atoms, states, strict=True) if s == 1)
        false = sum(1 << atom for atom, s in zip(self.atoms, states, strict=True) if s == 2)
        unavailable = 0
        if self.disjoint:
            for call in self.program.calls:
                if call.atoms & (true | false):
                    unavailable |= call.atoms & ~(true | false)
        return Settled(true, false, 0, unavailable)

    def _evidence(self, settled: Settled) -> list[Evidence]:
        names = self.program.atoms
        values = ((settled.true, True), (settled.false, False), (settled.unavailable, None))
        return [Evidence(names[i], value, "") for mask, value in values for i in bits(mask)]

    def _named(self, mask: int) -> frozenset[str]:
        return frozenset(self.program.conclusions[c] for c in bits(mask))

    def _compare(self, states: States, seen: Seen) -> None:
        settled = self._masks(states)
        auth = _authorized(self.program, settled)
        evidence = self._evidence(settled)
        expected = self.read(evidence)
        if not seen.unsound and self._named(auth) != expected:
            found = ", ".join(sorted(self._named(auth))) or "nothing"
            seen.unsound = f"{shown(evidence)}: {found}, not {', '.join(sorted(expected))}"
        if not seen.aimless:
            seen.aimless = self._aim_fault(settled, auth, evidence)
        if not seen.withdrawn:
            seen.withdrawn = self._withdrawal(states, auth, evidence)

    def read(self, evidence: Iterable[Evidence]) -> frozenset[str]:
        """Return what Equation (1) authorizes, on a ledger with one value for each atom."""
        known = {(e.atom, e.value) for e in evidence}
        holding = [
            c for c in self.paper.conclusions if any(p <= known for p in self.paper.routes[c])
        ]
        return frozenset(c for d in holding for c in self.paper.at_or_below[d])

    def _withdrawal(self, states: States, auth: int, evidence: Sequence[Evidence]) -> str:
        """Return an observation of a ledger without which more is authorized, or nothing."""
        settled = [place for place, state in enumerate(states) if state]
        for place in settled if self.count <= self.limit else settled[:TAKEN_AWAY]:
            fewer = (*states[:place], 0, *states[place + 1 :])
            if _authorized(self.program, self._masks(fewer)) & ~auth:
                atom = self.program.atoms[self.atoms[place]]
                return f"{shown(evidence)}: without {atom} more is authorized"
        return ""

    def _aim_fault(self, settled: Settled, auth: int, evidence: Sequence[Evidence]) -> str:
        """Return how target or hold are not those of Equation (4) on a ledger, or nothing."""
        units = int(self.budget * self.program.unit)
        aim = _target(self.program, settled, units, self.program.all_checks)
        best = self._best_reachable(evidence)
        found = None if aim is None else self.program.conclusions[aim.conclusion]
        if found != best:
            return f"{shown(evidence)}: the target is {found}, not {best}"
        held = _hold(self.program, aim, auth)
        utility = self.paper.utility
        allowed = [utility[c] for c in self.read(evidence)]
        must = best is not None and utility[best] > max(allowed, default=Fraction(0))
        return "" if held == must else f"{shown(evidence)}: hold is {held}, not {must}"

    def _best_reachable(self, evidence: Sequence[Evidence]) -> str | None:
        """Return the conclusion of greatest utility with a live route that can be paid."""
        value = {e.atom: e.value for e in evidence}
        best: str | None = None
        for conclusion in self.paper.conclusions:
            if best is not None and self.paper.utility[conclusion] <= self.paper.utility[best]:
                continue
            if any(self._is_reachable(route, value) for route in self.paper.routes[conclusion]):
                best = conclusion
        return best

    def _is_reachable(self, route: Conjunction, value: Mapping[str, bool | None]) -> bool:
        lacking = {atom for atom, wanted in route if value.get(atom) is not wanted}
        if any(atom in value for atom in lacking):  # the contrary, or certified unavailable
            return False
        return self.price(lacking) <= self.budget

    def price(self, atoms: Collection[str]) -> Fraction:
        """Return the least cost of checks that settle some atoms.

        Where call classes overlap and the atoms are many, it is the kernel's own.
        """
        if self.disjoint:
            checks = {self.check_of[atom] for atom in atoms}
            return sum((self.paper.cost[check] for check in checks), Fraction(0))
        if len(atoms) <= SLOW_COVER:
            slow = cheapest_cover(self.paper, atoms, self.paper.settles)
            return self.budget + 1 if slow is None else slow[0]
        mask = sum(1 << self.program.atoms.index(atom) for atom in atoms)
        found = decisions.cover(self.program, mask, self.program.all_checks)
        return self.budget + 1 if found is None else calls_of(self.program, found.cost)


def shown(evidence: Iterable[Evidence]) -> str:
    """Return a ledger in one line.

    >>> shown([Evidence("details", True, ""), Evidence("reviewed", False, "")])
    'details, !reviewed'
    """
    words = {True: "", False: "!", None: "?"}
    return ", ".join(f"{words[e.value]}{e.atom}" for e in evidence) or "the empty ledger"
