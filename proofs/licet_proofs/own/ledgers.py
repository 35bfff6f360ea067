"""One pass over the ledgers of a program: the kernel's decisions against a reading of their own.

A ledger gives each atom that some route needs one of three states: unknown, true, false. Where call
classes are disjoint, an unknown atom whose check has settled another atom is certified unavailable,
for that check has answered; an atom that no check has touched is open. Left out are conflicts
and reads that failed, which certify an atom unavailable that nothing has settled: they establish
nothing, so that both authorize what unknown atoms do.

Up to `LEDGER_LIMIT` all ledgers are gone through, 3 for one atom, 9 for two; above it, and where
the routes have many literals, a sample is. After `SECONDS` a pass stops where it is, and says so.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from inspect import unwrap
from itertools import islice, product
from math import prod
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from licet import Commitment, InvariantViolation, covers, decisions
from licet.compiled import CompiledProgram, bits, calls_of
from licet.covers import COVER_CHOICES
from licet.decisions import Settled

from ..independent import Evidence, Paper, read
from .covers import Covers

LEDGER_LIMIT: Final = 60_000
"""More ledgers than this are sampled: 3 ** 10 is 59,049."""

SAMPLE: Final = 10_000
"""Ledgers in a sample, at most; fewer of a program with many literals."""

LEAST_SAMPLE: Final = 200
WORK: Final = 2_000_000
"""What all ledgers of a sample may cost together, in literals that are looked at."""

TAKEN_AWAY: Final = 16
"""Observations that are taken away from one ledger of a sample, at most."""

ENUMERATE_WORK: Final = 10_000_000
"""What all ledgers may cost together where every one is gone through, in literals."""

SECONDS: Final = 15.0
"""A pass, and the reviews of Theorem 4.3, stop after this time."""

TARGET_WORK: Final = 40_000_000
"""What one search for the target may cost, in checks that are tried: of a program where it may cost
more, no target is asked for."""

READ_WORK: Final = 2_000_000
"""What the second reading of one ledger's target may cost, in the same; beyond, it says nothing."""

States: TypeAlias = tuple[int, ...]
"""For each atom: 0 unknown, 1 true, 2 false."""

# The decisions without their contracts, which restate them: here they are checked from outside.
_authorized = unwrap(decisions.authorized)
_target = unwrap(decisions.target)
_hold = unwrap(decisions.hold)
_cover = unwrap(covers.cover)
_target_of = unwrap(decisions.target_of)


class Price(NamedTuple):
    """Checks that settle some atoms, what they cost, and whether that is known to be the least."""

    cost: Fraction
    checks: tuple[str, ...]
    least: bool


@dataclass(slots=True)
class Seen:
    """What a pass over the ledgers saw: how many, and the first that is not as it should be.

    Attributes:
        ledgers: how many there were.
        enumerated: whether they were all, and not a sample.
        unsound: a ledger on which the kernel authorizes other conclusions than Equation (1).
        aimless: a ledger on which the target or the hold indicator is not that of Equation (4).
        withdrawn: a ledger on which one more observation takes a conclusion away.
        stopped: whether the time was over before all were gone through.
        unread: on how many the target could not be read a second time, for its size.
        cut: on how many the kernel's search, which stops after so many choices, found no checks
            within the budget where there are some; this is documented, and no fault.
        first_cut: the first of these.
    """

    ledgers: int = 0
    enumerated: bool = True
    stopped: bool = False
    unread: int = 0
    cut: int = 0
    first_cut: str = ""
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
        self.covers = Covers(self.paper)
        self._place = {atom: place for place, atom in enumerate(self.program.atoms)}
        self.aims = self.target_work <= TARGET_WORK
        self.check_of = {
            atom: check for check, settles in self.paper.settles.items() for atom in settles
        }

    @property
    def count(self) -> int:
        """How many ledgers there are."""
        return int(3 ** len(self.atoms))

    @property
    def target_work(self) -> int:
        """What a search for the cheapest route of one conclusion may cost, at most."""
        return max(
            sum(self.search_work(p.needs_true | p.needs_false) for p in routes)
            for routes in self.program.routes
        )

    def search_work(self, atoms: int) -> int:
        """What a search for the cheapest checks of some atoms may cost, in checks tried."""
        settled_by = self.program.settled_by
        choices = [len(settled_by[atom]) for atom in bits(atoms) if len(settled_by[atom]) > 1]
        return min(COVER_CHOICES, prod(choices)) * max(choices, default=0)

    @cached_property
    def seen(self) -> Seen:
        """What the pass over the ledgers saw."""
        all_of_them = self.count <= min(self.limit, ENUMERATE_WORK // self.literals)
        seen = Seen(enumerated=all_of_them)
        planned = self.count if all_of_them else self.sample
        end = monotonic() + SECONDS
        for states in self._all() if all_of_them else islice(self._some(), planned):
            seen.ledgers += 1
            self._compare(states, seen)
            if monotonic() > end:
                break
        seen.stopped = seen.ledgers < planned
        return seen

    @property
    def sample(self) -> int:
        """How many ledgers a sample has."""
        return max(LEAST_SAMPLE, min(SAMPLE, WORK // self.literals))

    @property
    def covered(self) -> str:
        """What was gone through, in words."""
        seen, of = self.seen, f"of 3^{len(self.atoms)} ledgers"
        stopped = f", stopped after {SECONDS:g} s" if seen.stopped else ""
        if not seen.enumerated:
            return f"sampled: {seen.ledgers:,} {of}{stopped}"
        if stopped:
            return f"the first {seen.ledgers:,} {of}{stopped}"
        return f"every ledger without conflicts and failed reads enumerated: {seen.ledgers:,}"

    def _all(self) -> Iterator[States]:
        return product(range(3), repeat=len(self.atoms))

    def _some(self) -> Iterator[States]:
        """Yield the same sample every time: around the routes, so that decisions change."""
        draw = random.Random(0)
        place = {atom: index for index, atom in enumerate(self.atoms)}
        routes = [route for routes in self.program.routes for route in routes]
        for number in range(self.sample):
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
        if self.aims and not seen.aimless:
            seen.aimless = self._aim_fault(settled, auth, evidence, seen)
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

    def _aim_fault(
        self, settled: Settled, auth: int, evidence: Sequence[Evidence], seen: Seen
    ) -> str:
        """Return how target or hold are not those of Equation (4) on a ledger, or nothing."""
        units = int(self.budget * self.program.unit)
        aim = _target(self.program, settled, units, self.program.all_checks)
        found = None if aim is None else self.program.conclusions[aim.conclusion]
        utility, value = self.paper.utility, {e.atom: e.value for e in evidence}
        unread = cut = False
        work = 0
        for conclusion in sorted(self.paper.conclusions, key=lambda c: -utility[c]):
            reachable, cut_off, cost = self._reachable(
                conclusion, value, READ_WORK - work, conclusion == found
            )
            work += cost
            if conclusion == found:
                unread |= reachable is None
                if reachable is False:
                    return f"{shown(evidence)}: the target {found} is not within the budget"
                break
            if reachable and not cut_off:
                return f"{shown(evidence)}: the target is {found}, not {conclusion}"
            unread |= reachable is None
            cut |= cut_off
        seen.unread += unread
        if cut:
            seen.cut += 1
            seen.first_cut = seen.first_cut or shown(evidence)
        held = _hold(self.program, aim, auth)
        allowed = [utility[c] for c in self.read(evidence)]
        must = found is not None and utility[found] > max(allowed, default=Fraction(0))
        return "" if held == must else f"{shown(evidence)}: hold is {held}, not {must}"

    def _reachable(
        self, conclusion: str, value: Mapping[str, bool | None], most: int, is_target: bool
    ) -> tuple[bool | None, bool, int]:
        """Return whether a conclusion has a live route within the budget, None where unknown.

        Second: whether it has, but of every such route the kernel's search is cut off before it
        finds that; never of the kernel's own target. Third: what the search has cost; it costs
        little more than `most`.
        """
        unknown, cut_off, work = False, False, 0
        for route in self.paper.routes[conclusion]:
            lacking = {atom for atom, wanted in route if value.get(atom) is not wanted}
            if any(atom in value for atom in lacking):  # the contrary, or certified unavailable
                continue
            if work > most:
                unknown = True
                break
            price, cost = self.price(lacking)
            work += cost
            if price.cost > self.budget:
                unknown |= not price.least
                continue
            if is_target or self.disjoint or self._is_found(lacking):
                return True, False, work
            work += self.search_work(self._mask(lacking))
            cut_off = True
        return True if cut_off else None if unknown else False, cut_off, work

    def _is_found(self, atoms: Collection[str]) -> bool:
        """Return whether the kernel's search must find checks of atoms within the budget.

        A search that is bound by the budget looks at no more than one that is not: what this one
        finds, or ends without, the other does.
        """
        found = _cover(self.program, self._mask(atoms), self.program.all_checks)
        return found is not None and (
            found.least or calls_of(self.program, found.cost) <= self.budget
        )

    def is_targeted(self, conclusion: str, place: int) -> bool:
        """Return whether the kernel, on the empty ledger, finds checks for a conclusion.

        Asked of one with checks for this route that are within the budget.
        """
        if self.disjoint or self._is_found(self.atoms_of(conclusion, place)):
            return True
        units = int(self.budget * self.program.unit)
        index = self.program.conclusions.index(conclusion)
        everything = self.program.all_checks
        return self.aims and (
            _target_of(self.program, Settled(), units, everything, index) is not None
        )

    def atoms_of(self, conclusion: str, place: int) -> frozenset[str]:
        """Return the atoms of a conclusion's route."""
        return frozenset(atom for atom, _ in self.paper.routes[conclusion][place])

    def _mask(self, atoms: Collection[str]) -> int:
        return sum(1 << self._place[atom] for atom in atoms)

    def price(self, atoms: Collection[str]) -> tuple[Price, int]:
        """Return checks that settle some atoms: the cheapest, where the atoms are few enough.

        Where call classes overlap and the atoms are many, it is the kernel's own finding.

        Second: what the search may have cost, in checks tried.
        """
        if self.disjoint:
            checks = sorted({self.check_of[atom] for atom in atoms})
            cost = sum((self.paper.cost[check] for check in checks), Fraction(0))
            return Price(cost, tuple(checks), True), 0
        tried = self.covers.tried
        least = self.covers.least(atoms)
        if least is not None:
            return Price(*least, True), self.covers.tried - tried
        mask, program = self._mask(atoms), self.program
        found = _cover(program, mask, program.all_checks)
        if found is None:  # all checks may run, and each atom has one
            raise InvariantViolation(f"no checks settle {', '.join(sorted(atoms))}")
        named = tuple(program.checks[check] for check in bits(found.checks))
        price = Price(calls_of(program, found.cost), named, found.least)
        return price, self.search_work(mask)


def shown(evidence: Iterable[Evidence]) -> str:
    """Return a ledger in one line.

    >>> shown([Evidence("details", True, ""), Evidence("reviewed", False, "")])
    'details, !reviewed'
    """
    words = {True: "", False: "!", None: "?"}
    return ", ".join(f"{words[e.value]}{e.atom}" for e in evidence) or "the empty ledger"
