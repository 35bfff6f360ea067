"""The PRIME paper's definitions, written anew on names and sets, to hold the kernel against.

Nothing here shares code or data with the kernel's decisions: a ledger is a sequence of what was
recorded, a route a set of literals, and every function is the paper's formula, read slowly. A
property that asked the kernel whether the kernel is right would be worthless.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

from licet import CheckKind, Number, Program, Specification

Requirement: TypeAlias = tuple[str, bool]
"""A literal: an atom, and the value that it must have."""

Conjunction: TypeAlias = frozenset[Requirement]
"""A route: all of its literals."""

Assignment: TypeAlias = Mapping[str, bool]
"""omega: the true value of every atom."""


class Evidence(NamedTuple):
    """One record: what a check said of an atom; None certifies that it can say nothing."""

    atom: str
    value: bool | None
    check: str
    candidate: str = ""


Evidences: TypeAlias = Sequence[Evidence]


@dataclass(frozen=True, slots=True)
class Paper:
    """A specification and a program, as the paper's sets and functions.

    Attributes:
        conclusions: C, as listed.
        utility: U.
        at_or_below: for each d, every c with c at or below d.
        routes: P, as listed.
        listed: for each route its atoms as listed, which is the order in which they are checked.
        settles: for each check its call class.
        cost: for each check its cost, in calls.
        clauses: Phi: of each at least one literal holds.
        texts: the checks that read a text, on which what they settle is judged, one call each.
        candidates: for each check the places where it may look; none of a known place.
        exhausted: what holds when no candidate establishes anything; None for nothing.
        condition: for each atom its sentence.
    """

    conclusions: tuple[str, ...]
    utility: Mapping[str, Fraction]
    at_or_below: Mapping[str, frozenset[str]]
    routes: Mapping[str, tuple[Conjunction, ...]]
    listed: Mapping[str, tuple[tuple[str, ...], ...]]
    settles: Mapping[str, frozenset[str]]
    cost: Mapping[str, Fraction]
    clauses: tuple[Conjunction, ...] = ()
    texts: frozenset[str] = frozenset()
    candidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exhausted: Mapping[str, bool | None] = field(default_factory=dict)
    condition: Mapping[str, str] = field(default_factory=dict)


class Aim(NamedTuple):
    """(c*, p*) of Equation (4): the conclusion, its route by position, and the cheapest checks."""

    conclusion: str
    route: int
    cost: Fraction
    checks: tuple[str, ...]


def rational(number: Number) -> Fraction:
    """Return the number that its shortest decimal form names."""
    return Fraction(str(number))


def read(specification: Specification, program: Program) -> Paper:
    """Return what the objects say, as sets and functions."""
    names = tuple(c.identifier for c in specification.conclusions)
    pairs = specification.order
    below = {name: {name} for name in names}
    for _ in names:  # as many rounds as the longest chain can need
        for weaker, stronger in pairwise(names) if pairs is None else pairs:
            below[stronger] |= below[weaker]
    return Paper(
        conclusions=names,
        utility={c.identifier: rational(c.utility) for c in specification.conclusions},
        at_or_below={name: frozenset(weaker) for name, weaker in below.items()},
        routes={
            name: tuple(
                frozenset((literal.atom, literal.positive) for literal in route.literals)
                for route in program.of_conclusion(name)
            )
            for name in names
        },
        listed={
            name: tuple(
                tuple(literal.atom for literal in route.literals)
                for route in program.of_conclusion(name)
            )
            for name in names
        },
        settles={check.identifier: frozenset(check.settles) for check in specification.checks},
        cost={check.identifier: rational(check.cost) for check in specification.checks},
        clauses=tuple(
            frozenset((literal.atom, literal.positive) for literal in clause)
            for clause in specification.constraints
        ),
        texts=frozenset(c.identifier for c in specification.checks if c.kind is CheckKind.TEXT),
        candidates={check.identifier: check.candidates for check in specification.checks},
        exhausted={check.identifier: check.exhausted for check in specification.checks},
        condition={atom.identifier: atom.sentence for atom in specification.atoms},
    )


def values(ledger: Evidences, atom: str) -> frozenset[bool]:
    """Return the admitted values of an atom: none is unknown, both are a conflict (D1)."""
    return frozenset(e.value for e in ledger if e.atom == atom and e.value is not None)


def established(ledger: Evidences) -> Conjunction:
    """Return L(z), the literals that every admitted value of their atom supports (D1)."""
    both = {(evidence.atom, value) for evidence in ledger for value in (True, False)}
    return frozenset((atom, value) for atom, value in both if values(ledger, atom) == {value})


def withheld(ledger: Evidences) -> frozenset[str]:
    """Return the atoms that a terminal read certified unavailable."""
    return frozenset(evidence.atom for evidence in ledger if evidence.value is None)


def authorized(paper: Paper, ledger: Evidences) -> frozenset[str]:
    """Return Auth(z), Equation (1): some route of something at or above holds."""
    known = established(ledger)
    holding = [d for d in paper.conclusions if any(p <= known for p in paper.routes[d])]
    return frozenset(c for d in holding for c in paper.at_or_below[d])


def maximal(paper: Paper, conclusions: Collection[str]) -> frozenset[str]:
    """Return the elements with nothing of `conclusions` strictly above them (D2)."""
    return frozenset(
        c for c in conclusions if not any(c in paper.at_or_below[d] and c != d for d in conclusions)
    )


def residual(route: Conjunction, ledger: Evidences) -> Conjunction:
    """Return R(p, z), Equation (3): the literals that are not established."""
    return route - established(ledger)


def is_open(atom: str, ledger: Evidences) -> bool:
    """Return whether a check can still establish something of the atom."""
    return not values(ledger, atom) and atom not in withheld(ledger)


def is_live(route: Conjunction, ledger: Evidences) -> bool:
    """Return whether checks could settle the residual: every literal of it is open."""
    return all(is_open(atom, ledger) for atom, _ in residual(route, ledger))


def cheapest_cover(
    paper: Paper, atoms: Collection[str], runnable: Collection[str], read: Collection[str] = ()
) -> tuple[Fraction, tuple[str, ...]] | None:
    """Return the cheapest runnable checks that settle `atoms` with their cost, or None.

    A check counts once, however many of the atoms it settles; what is judged on a text costs a call
    more for each atom, and a text that was `read` nothing besides. Of equally cheap sets the
    smallest is taken, then the first by identifiers.

    For each set of atoms that the checks looked at so far can settle, the best way is kept; each
    further check is added to every one of them.
    """
    goal = frozenset(atoms)
    best: dict[frozenset[str], tuple[Fraction, int, tuple[str, ...]]] = {
        frozenset(): (Fraction(0), 0, ())
    }
    for check in sorted(runnable):
        for covered, (cost, count, checks) in list(best.items()):
            settled = paper.settles[check] & goal
            more = covered | settled
            price = Fraction(0) if check in read else paper.cost[check]
            judged = Fraction(len(settled) if check in paper.texts else 0)
            way = (cost + price + judged, count + 1, (*checks, check))
            if more != covered and (more not in best or way < best[more]):
                best[more] = way
    if goal not in best:
        return None
    cost, _, checks = best[goal]
    return cost, checks


def cheapest_cover_of_all(
    paper: Paper, atoms: Collection[str], runnable: Collection[str]
) -> tuple[Fraction, tuple[str, ...]] | None:
    """Return the same, by looking at every set of runnable checks; for few checks only."""
    ways = [
        (sum((paper.cost[check] for check in checks), Fraction(0)), size, checks)
        for size in range(len(runnable) + 1)
        for checks in combinations(sorted(runnable), size)
        if frozenset(atoms) <= frozenset[str]().union(*(paper.settles[c] for c in checks))
    ]
    if not ways:
        return None
    cost, _, checks = min(ways)
    return cost, checks


def cheapest_route(
    paper: Paper,
    ledger: Evidences,
    budget: Fraction,
    runnable: Collection[str],
    conclusion: str,
    read: Collection[str] = (),
) -> Aim | None:
    """Return a conclusion's cheapest live route within the budget; of equals the first listed."""
    aims = []
    for position, route in enumerate(paper.routes[conclusion]):
        if is_live(route, ledger):
            cover = cheapest_cover(paper, {a for a, _ in residual(route, ledger)}, runnable, read)
            if cover is not None and cover[0] <= budget:
                aims.append(Aim(conclusion, position, *cover))
    return min(aims, key=lambda aim: (aim.cost, aim.route), default=None)


def target(
    paper: Paper,
    ledger: Evidences,
    budget: Fraction,
    runnable: Collection[str],
    read: Collection[str] = (),
) -> Aim | None:
    """Return (c*, p*), Equation (4): of the reachable conclusions that of greatest utility."""
    aims = [cheapest_route(paper, ledger, budget, runnable, c, read) for c in paper.conclusions]
    reachable = [aim for aim in aims if aim is not None]
    # `max` gives the first of equals, and the conclusions are as listed.
    return max(reachable, key=lambda aim: paper.utility[aim.conclusion], default=None)


def checks_in_order(paper: Paper, aim: Aim, ledger: Evidences) -> tuple[str, ...]:
    """Return the checks that settle a target's residual, as its route lists the atoms.

    Of several for one atom the first by identifier.
    """
    order: list[str] = []
    lacking = {atom for atom, _ in residual(paper.routes[aim.conclusion][aim.route], ledger)}
    for atom in paper.listed[aim.conclusion][aim.route]:
        if atom in lacking:
            order += [check for check in sorted(aim.checks) if atom in paper.settles[check]]
    return tuple(dict.fromkeys(order))


def hold(paper: Paper, aim: Aim | None, allowed: Collection[str]) -> bool:
    """Return mu: the target's utility exceeds that of everything authorized and of abstention."""
    abstention = Fraction(0)
    best = max([abstention, *(paper.utility[c] for c in allowed)])
    return aim is not None and paper.utility[aim.conclusion] > best


def supported(paper: Paper, truth: Assignment) -> frozenset[str]:
    """Return what a correct program's standard supports: f*(c, omega) = 1."""
    return authorized(paper, full_ledger(truth))


def full_ledger(truth: Assignment) -> Evidences:
    """Return the truthful ledger that settles every atom."""
    return tuple(Evidence(atom, value, "") for atom, value in truth.items())


def strongest_supported(paper: Paper, truth: Assignment) -> str | None:
    """Return c-dagger on a chain: the strongest supported conclusion, or None."""
    return max(supported(paper, truth), key=lambda c: len(paper.at_or_below[c]), default=None)


def decisive_atoms(paper: Paper, strongest: str | None) -> frozenset[str]:
    """Return E-dagger: the atoms on the routes of c-dagger and of all above it, else on all."""
    above = [c for c in paper.conclusions if strongest is None or strongest in paper.at_or_below[c]]
    return frozenset(atom for c in above for route in paper.routes[c] for atom, _ in route)


def sufficient_budget(paper: Paper, ledger: Evidences, atoms: Collection[str]) -> Fraction:
    """Return N(z): what all call classes cost that hold an atom of E-dagger unknown at z."""
    unknown = {atom for atom in atoms if not values(ledger, atom)}
    return sum(
        (paper.cost[check] for check, settled in paper.settles.items() if settled & unknown),
        Fraction(0),
    )
