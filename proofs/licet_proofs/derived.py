"""Closures of small ledgers by brute force, with derivations, and whether a derivation is right.

All assignments to the atoms are enumerated, so nothing here is shared with the core's search, nor
with the derivations that certificates are issued with.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Final, NamedTuple, TypeAlias

from licet.compiled import CompiledProgram
from licet.constraints import Clauses

Known: TypeAlias = frozenset[tuple[str, bool]]
"""The admitted values of atoms; of an atom that is in conflict both."""

CONTRADICTION: Final = ""


class Derived(NamedTuple):
    """What a certificate of a program with constraints states besides.

    Attributes:
        models: assignments that satisfy the constraints, as their true atoms.
        closures: for each of some ledgers the refutations of what is implied.
    """

    models: list[list[str]]
    closures: list[dict[str, list[str]]]


def derived(program: CompiledProgram, ledgers: Iterable[Known], random: Random) -> Derived:
    """Return assignments, and the closures of ledgers, at random among those that are right."""
    worlds = list(_worlds(len(program.atoms), program.clauses))
    random.shuffle(worlds)
    ledgers = list(ledgers)
    kept: list[int] = []
    wanted = [*_routes(program), *chain(*(_countermodels(program, known) for known in ledgers))]
    for true, false in wanted:
        if not any(_fits(world, true, false) for world in kept):
            kept += [world for world in worlds if _fits(world, true, false)][:1]
    kept += random.sample(worlds, min(random.choice((0, 0, 1)), len(worlds)))
    closures = [_closure(program, known, random) for known in ledgers]
    return Derived([_named(program, world) for world in kept], closures)


def are_right(program: CompiledProgram, stated: Derived, ledgers: Sequence[Known]) -> bool:
    """Return whether stated assignments satisfy what they must, and derivations show closures."""
    worlds = {}
    for world in _worlds(len(program.atoms), program.clauses):
        worlds[tuple(_named(program, world))] = world
    models = [worlds.get(tuple(model)) for model in stated.models]
    known_models = [model for model in models if model is not None]
    if len(known_models) < len(models) or len(stated.closures) != len(ledgers):
        return False
    wanted = [*_routes(program), *chain(*(_countermodels(program, known) for known in ledgers))]
    if not all(any(_fits(m, *literals) for m in known_models) for literals in wanted):
        return False
    return all(
        closure.keys() == _implied(program, known).keys()
        and all(
            _is_refuted(program, _implied(program, known)[literal], steps)
            for literal, steps in closure.items()
        )
        for closure, known in zip(stated.closures, ledgers, strict=True)
    )


def _routes(program: CompiledProgram) -> Iterator[tuple[int, int]]:
    yield from ((route.needs_true, route.needs_false) for own in program.routes for route in own)


@lru_cache(maxsize=64)
def _worlds(atoms: int, clauses: Clauses) -> tuple[int, ...]:
    return tuple(
        world
        for world in range(1 << atoms)
        if all(world & positive or ~world & negative for positive, negative in clauses)
    )


def _fits(world: int, true: int, false: int) -> bool:
    return not (true & ~world or false & world)


def _named(program: CompiledProgram, world: int) -> list[str]:
    return [atom for index, atom in enumerate(program.atoms) if world >> index & 1]


def _settled(program: CompiledProgram, known: Known) -> tuple[int, int]:
    """Return the atoms that are settled true, and those that are settled false."""
    bit = {atom: 1 << index for index, atom in enumerate(program.atoms)}
    single = [(atom, value) for atom, value in known if (atom, not value) not in known]
    return sum(bit[a] for a, v in single if v), sum(bit[a] for a, v in single if not v)


def _needed(program: CompiledProgram, known: Known) -> Iterator[tuple[str, int, int]]:
    """Yield the literals of routes that a ledger leaves open, each with what contradicts it."""
    true, false = _settled(program, known)
    in_conflict = {atom for atom, value in known if (atom, not value) in known}
    needs = list(_routes(program))
    for index, atom in enumerate(program.atoms):
        bit = 1 << index
        if atom not in in_conflict and not true & bit and any(t & bit for t, _ in needs):
            yield atom, true, false | bit
        if atom not in in_conflict and not false & bit and any(f & bit for _, f in needs):
            yield f"!{atom}", true | bit, false


def _implied(program: CompiledProgram, known: Known) -> dict[str, tuple[int, int]]:
    """Return what a closure must state, each literal with what is to be refuted."""
    worlds, settled = _worlds(len(program.atoms), program.clauses), _settled(program, known)
    if not any(_fits(world, *settled) for world in worlds):
        return {CONTRADICTION: settled}
    return {
        literal: (true, false)
        for literal, true, false in _needed(program, known)
        if not any(_fits(world, true, false) for world in worlds)
    }


def _countermodels(program: CompiledProgram, known: Known) -> Iterator[tuple[int, int]]:
    """Yield, for each literal that a closure does not imply, what an assignment shows it by."""
    implied = _implied(program, known)
    if CONTRADICTION not in implied:
        yield _settled(program, known)
        needed = _needed(program, known)
        yield from ((true, false) for literal, true, false in needed if literal not in implied)


def _closure(program: CompiledProgram, known: Known, random: Random) -> dict[str, list[str]]:
    found = {}
    for literal, (true, false) in _implied(program, known).items():
        order = list(range(len(program.atoms)))
        random.shuffle(order)
        steps = _tree(program.clauses, true, false, order)
        found[literal] = ["" if step is None else program.atoms[step] for step in steps]
    return found


def _tree(clauses: Clauses, true: int, false: int, order: list[int]) -> list[int | None]:
    """Return a refutation that splits on the atoms in an order, as far as they are open."""
    reached = propagated(clauses, true, false)
    if reached is None:
        return [None]
    true, false = reached
    atom = next(index for index in order if not (true | false) >> index & 1)
    return [
        atom,
        *_tree(clauses, true | 1 << atom, false, order),
        *_tree(clauses, true, false | 1 << atom, order),
    ]


def propagated(clauses: Clauses, true: int, false: int) -> tuple[int, int] | None:
    """Return what unit propagation reaches, None where it fails a clause."""
    before = None
    while before != (true, false):
        before = true, false
        for positive, negative in clauses:
            if positive & true or negative & false:
                continue
            positive_left, negative_left = positive & ~false, negative & ~true
            if not positive_left | negative_left:
                return None
            if (positive_left | negative_left).bit_count() == 1:
                true, false = true | positive_left, false | negative_left
    return true, false


def _is_refuted(program: CompiledProgram, literals: tuple[int, int], steps: list[str]) -> bool:
    """Return whether steps are a whole tree whose leaves fail, and whose inner nodes do not."""
    bit = {atom: 1 << index for index, atom in enumerate(program.atoms)}
    pending = [literals]
    for step in steps:
        if not pending:
            return False
        reached = propagated(program.clauses, *pending.pop())
        if (reached is None) != (step == CONTRADICTION):
            return False
        if reached is not None:
            # An atom that the program does not have is in no clause.
            atom = bit.get(step, 0)
            pending += (reached[0], reached[1] | atom), (reached[0] | atom, reached[1])
    return not pending
