"""The constraints, programs and ledgers on which a closure is timed."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from licet import Atom, Check, Commitment, Conclusion, Literal, Program, Specification, commit
from licet.compiled import CompiledProgram
from licet.constraints import Clause, Clauses, closure
from licet.decisions import Settled
from licet.ledger import close

ATOMS: Final = 60
CLAUSES: Final = 200
CONCLUSIONS: Final = ("described", "ready", "complete")
SHAPES: Final = {"3 literals": (3,), "2 to 4 literals": (2, 2, 3, 3, 4)}
"""How long clauses are: one of these each, as often as it stands here."""

KINDS: Final = {"empty": 0, "15 known": 15, "30 known": 30, "45 known": 45}
"""The kinds of ledger, and how many atoms are known in each, at least."""

# Of 20 routes, those of each conclusion, and the literals that each adds to one of the weaker.
_ROUTES: Final = ((8, 3), (7, 2), (5, 3))


@dataclass(frozen=True, slots=True)
class Position:
    """Where a review stands when it decides.

    Attributes:
        kind: one of `KINDS`.
        said: what the ledger says itself.
        models: the assignments that the closure before the last check left, and the program's.
        runnable: mask of the checks that have not answered.
        budget: what is left, in units: enough for everything.
    """

    kind: str
    said: Settled
    models: tuple[int, ...]
    runnable: int
    budget: int


def clauses_of(random: Random, lengths: tuple[int, ...], truth: int) -> Clauses:
    """Return 200 clauses over 60 atoms that the truth satisfies; each literal is either as often.

    Those that it does not satisfy are left out, and others drawn.
    """
    drawn: list[Clause] = []
    while len(drawn) < CLAUSES:
        atoms = random.sample(range(ATOMS), random.choice(lengths))
        positive = sum(1 << atom for atom in atoms if random.random() < 0.5)
        negative = sum(1 << atom for atom in atoms) & ~positive
        if truth & positive or ~truth & negative:
            drawn.append(Clause(positive, negative))
    return tuple(drawn)


def worlds_of(clauses: Clauses) -> tuple[int, ...]:
    """Return assignments that satisfy the clauses, and that share no literal without need."""
    return closure(clauses, (1 << ATOMS) - 1, 0, 0).models


def committed(seed: int, shape: str) -> Commitment:
    """Return a program of 3 conclusions, 20 routes, 60 atoms and 200 clauses, of shared checks."""
    random = Random(f"{seed}/{shape}")
    names = [f"a{number:02}" for number in range(ATOMS)]
    clauses = clauses_of(random, SHAPES[shape], random.getrandbits(ATOMS))
    specification = Specification(
        tuple(Conclusion(name, name, 100 * n) for n, name in enumerate(CONCLUSIONS, start=1)),
        tuple(Atom(name, name) for name in names),
        tuple(_checks(random, names)),
        constraints=tuple(_listed(clause, names) for clause in clauses),
    )
    return commit(specification, _program(random, names, worlds_of(clauses)))


def _listed(clause: Clause, names: list[str]) -> tuple[Literal, ...]:
    return tuple(
        Literal(name, bool(clause.positive >> i & 1))
        for i, name in enumerate(names)
        if (clause.positive | clause.negative) >> i & 1
    )


def _checks(random: Random, names: list[str]) -> Iterator[Check]:
    """Deal the atoms to calls of 1 to 4."""
    left = random.sample(names, len(names))
    while left:
        size = random.randint(1, 4)
        yield Check(f"call{len(left):02}", tuple(left[:size]))
        del left[:size]


def _program(random: Random, names: list[str], worlds: tuple[int, ...]) -> Program:
    """Return routes that can be true: each is so in one of the worlds."""
    routes: dict[str, list[list[str]]] = {}
    weaker = [(world, frozenset[int]()) for world in worlds]
    for conclusion, (count, added) in zip(CONCLUSIONS, _ROUTES, strict=True):
        own: list[tuple[int, frozenset[int]]] = []
        while len(own) < count:
            world, base = weaker[len(own) % len(weaker)]
            free = [atom for atom in range(ATOMS) if atom not in base]
            own.append((world, base | set(random.sample(free, added))))
        weaker = own
        routes[conclusion] = [
            [names[atom] if world >> atom & 1 else f"!{names[atom]}" for atom in sorted(route)]
            for world, route in own
        ]
    return Program.of(routes)


def positions(program: CompiledProgram, seed: int, of_a_kind: int) -> tuple[Position, ...]:
    """Return the empty ledger and `of_a_kind` of each other kind, each from a review of its own.

    Checks answer in random order, all as it is in one of the worlds, until enough atoms are known.
    The closure was computed after each of them, and left assignments to the next.
    """
    random = Random(seed)
    worlds = worlds_of(program.clauses)
    return tuple(
        _position(random, program, kind, random.choice(worlds))
        for kind in KINDS
        for _ in range(of_a_kind if KINDS[kind] else 1)
    )


def _position(random: Random, program: CompiledProgram, kind: str, world: int) -> Position:
    said, models, answered = Settled(), program.models, 0
    for check in random.sample(range(len(program.calls)), len(program.calls)):
        if (said.true | said.false).bit_count() >= KINDS[kind]:
            break
        if answered:
            models = (*close(program, said, models).models, *program.models)
        atoms = program.calls[check].atoms
        said = said._replace(true=said.true | atoms & world, false=said.false | atoms & ~world)
        answered |= 1 << check
    everything = sum(call.cost for call in program.calls)
    return Position(kind, said, models, program.all_checks & ~answered, everything)
