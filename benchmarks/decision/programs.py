"""The programs and ledgers on which a decision is timed."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from licet import Atom, Check, Commitment, Conclusion, Program, Specification, commit
from licet.compiled import CompiledProgram
from licet.decisions import Settled

CONCLUSIONS: Final = ("described", "ready", "complete")
ATOMS: Final = 40

# The share of the routes that each conclusion has, and the literals that each adds to a route of
# the weaker one. Of 20 routes, 8, 7 and 5, of 3, 5 and 8 literals.
_SHARES: Final = (0.4, 0.35, 0.25)
_ADDED: Final = (3, 2, 3)

_Literals: TypeAlias = frozenset[str]

KINDS: Final = {"empty": 0, "half known": ATOMS // 2, "nearly complete": ATOMS - 4}
"""The kinds of ledger, and how many atoms are known in each, at least."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a review stands when it decides: the ledger, and what may still be run.

    Attributes:
        kind: one of `KINDS`.
        settled: the ledger.
        runnable: mask of the checks that have not answered.
        budget: what is left, in units: enough for everything, so that no route is too dear.
    """

    kind: str
    settled: Settled
    runnable: int
    budget: int


def committed(seed: int, routes: int = 20, overlapping: int = 0) -> Commitment:
    """Return a program of 3 conclusions, `routes` routes and 40 atoms in shared call classes.

    Args:
        seed: what it is drawn from.
        routes: over all conclusions, at least 5. Every atom is in one where there are 20 or more.
        overlapping: calls of 2 to 4 atoms beside the disjoint classes of 1 to 4 atoms.
    """
    random = Random(f"{seed}/{routes}/{overlapping}")
    names = tuple(f"a{number:02}" for number in range(ATOMS))
    specification = Specification(
        tuple(Conclusion(name, name, 100 * n) for n, name in enumerate(CONCLUSIONS, start=1)),
        tuple(Atom(name, name) for name in names),
        _checks(random, names, overlapping),
    )
    listed: dict[str, list[_Literals]] = {}
    drawn = _literals(random, names)
    weaker: list[_Literals] = [frozenset()]
    for name, count, added in zip(CONCLUSIONS, _counts(routes), _ADDED, strict=True):
        weaker = listed[name] = _routes(weaker, count, added, drawn)
    program = Program.of({name: map(sorted, own) for name, own in listed.items()})
    return commit(specification, program)


def positions(program: CompiledProgram, seed: int, of_a_kind: int) -> tuple[Position, ...]:
    """Return the empty ledger and `of_a_kind` of each other kind.

    Checks answer in random order until enough atoms are known. In every second ledger the truth
    is such that a route of the strongest conclusion can be established; of the atoms, 1 in 20
    conflicts and 1 in 20 is unavailable otherwise.
    """
    random = Random(seed)
    return tuple(
        _position(random, program, kind, known, number % 2 == 0)
        for kind, known in KINDS.items()
        for number in range(of_a_kind if known else 1)
    )


def _counts(routes: int) -> tuple[int, int, int]:
    weakest, middle = round(_SHARES[0] * routes), round(_SHARES[1] * routes)
    return weakest, middle, routes - weakest - middle


def _literals(random: Random, names: tuple[str, ...]) -> Iterator[str]:
    """Deal every atom once, as a literal, before any is dealt again; three in four positive."""
    while True:
        for name in random.sample(names, len(names)):
            yield name if random.random() < 0.75 else f"!{name}"


def _routes(
    weaker: list[_Literals], count: int, added: int, drawn: Iterator[str]
) -> list[_Literals]:
    """Return minimal routes, each a route of the weaker conclusion and `added` literals more."""
    routes: list[_Literals] = []
    while len(routes) < count:
        route = set(weaker[len(routes) % len(weaker)])
        whole = len(route) + added
        while len(route) < whole:
            literal = next(drawn)
            if literal.strip("!") not in {known.strip("!") for known in route}:
                route.add(literal)
        if not any(route <= other or other <= route for other in routes):
            routes.append(frozenset(route))
    return routes


def _checks(random: Random, names: tuple[str, ...], overlapping: int) -> tuple[Check, ...]:
    left = random.sample(names, len(names))
    checks: list[Check] = []
    while left:
        size = random.randint(1, 4)
        checks.append(Check(f"call{len(checks)}", tuple(left[:size])))
        del left[:size]
    for number in range(overlapping):
        settles = tuple(random.sample(names, random.randint(2, 4)))
        checks.append(Check(f"overlapping{number}", settles, random.choice((1, 2))))
    return tuple(checks)


def _position(
    random: Random, program: CompiledProgram, kind: str, known: int, provable: bool
) -> Position:
    wanted = random.choice(program.routes[-1]) if provable else None
    answered = read = 0
    for check in random.sample(range(len(program.calls)), len(program.calls)):
        if read.bit_count() < known:
            answered |= 1 << check
            read |= program.calls[check].atoms
    masks = dict.fromkeys(("true", "false", "conflict", "unavailable"), 0)
    for atom in range(len(program.atoms)):
        if read >> atom & 1:
            masks[_state(random, atom, wanted and (wanted.needs_true, wanted.needs_false))] |= (
                1 << atom
            )
    everything = sum(call.cost for call in program.calls)
    runnable = ~answered & ((1 << len(program.calls)) - 1)
    return Position(kind, Settled(**masks), runnable, everything)


def _state(random: Random, atom: int, wanted: tuple[int, int] | None) -> str:
    chance = random.random()
    if wanted and (wanted[0] | wanted[1]) >> atom & 1:
        return "true" if wanted[0] >> atom & 1 else "false"
    if chance < 0.05:
        return "conflict"
    if chance < 0.1:
        return "unavailable"
    return "true" if random.random() < 0.75 else "false"
