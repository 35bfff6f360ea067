"""What a program is generated from, and generators that use everything they are given.

Of the inputs one is licet's: the specification alone. The others leak on purpose, so that it is
seen that the comparison of programs would notice.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeAlias

from licet import Program, Route, Specification
from licet.commitment import Ask, Generator
from licet_bindings.records.paths import lookup
from licet_proofs.theorem_4_1 import Curious

from .evidence import Evidence, Source, resolver_of, truths_of

View: TypeAlias = tuple[str, ...]
"""What a generator is told besides the specification, in lines."""


def nothing(source: Source, evidence: Evidence) -> View:
    """Tell nothing: the specification is all."""
    return ()


def described(source: Source, evidence: Evidence) -> View:
    """Tell each atom's description by an author who had the record open, and quotes from it."""
    lines = []
    for atom in source.document.specification.atoms:
        held = lookup(evidence.record, source.paths[atom.identifier])
        seen = f", here {held}" if isinstance(held, str | int | float) else ""
        lines.append(f"{atom.identifier}: {atom.sentence}{seen}")
    return tuple(lines)


def answered(source: Source, evidence: Evidence) -> View:
    """Tell the descriptions, the true values, and the conclusions that they support."""
    truths = truths_of(source, evidence)
    key = [
        name
        for name, routes in source.document.program.routes
        if any(_speaks_for(truths, route) for route in routes)
    ]
    values = (f"{atom} = {str(value).lower()}" for atom, value in sorted(truths.items()))
    return (*described(source, evidence), *values, *(f"supported: {name}" for name in key))


def held(source: Source, evidence: Evidence) -> View:
    """Tell the record itself, as a function does that was made where the record was open."""
    return (json.dumps(evidence.record),)


def _speaks_for(truths: Mapping[str, bool], route: Route) -> bool:
    return all(truths.get(literal.atom) is literal.positive for literal in route.literals)


def drawn(source: Source, view: View) -> Generator:
    """Return a generator that draws its program from all that it is told, every letter of it.

    The program is the authored one with routes, and literals within them, in another order: as
    valid, and another program.
    """

    def generate(specification: Specification, seed: int, ask: Ask) -> Program:
        # What a resolver that answers nothing returns is None, whatever its type says.
        replies = [_asked(ask, check.identifier) for check in specification.checks]
        told = json.dumps([list(view), seed, replies])
        random = Random(hashlib.sha256(told.encode()).digest())
        return Program(
            tuple(
                (
                    name,
                    tuple(_shuffled(random, route) for route in random.sample(routes, len(routes))),
                )
                for name, routes in source.document.program.routes
            )
        )

    return generate


def fitted(source: Source, view: View) -> Generator:
    """Return a generator that lists first the routes for which what it is told speaks."""

    def generate(specification: Specification, seed: int, ask: Ask) -> Program:
        told = {(atom, word) for line in view for atom, _, word in [line.partition(" = ")]}
        for check in specification.checks:
            values = _asked(ask, check.identifier) or {}
            told |= {(atom, str(value).lower()) for atom, value in values.items()}

        def against(route: Route) -> int:
            return sum((p.atom, str(p.positive).lower()) not in told for p in route.literals)

        listed = source.document.program.routes
        return Program(tuple((name, tuple(sorted(routes, key=against))) for name, routes in listed))

    return generate


def curious(source: Source, view: View) -> Curious:
    """Return a generator that asks check after check, each chosen by the last answer."""
    names = ("", "1", "2", "3", "4")
    rivals = [drawn(source, (*view, n))(source.document.specification, 0, _mute) for n in names]
    return Curious(rivals, rounds=8)


GENERATORS: Final[Mapping[str, Callable[[Source, View], Generator]]] = {
    "drawn from all it is told": drawn,
    "fitted to what it is told": fitted,
    "asking, adapting to answers": curious,
}


@dataclass(frozen=True, slots=True)
class Input:
    """What commitment is given.

    Attributes:
        name: of it, for the table.
        view: what is told besides the specification.
        answers: whether resolvers answer before the hash, as licet's never do.
    """

    name: str
    view: Callable[[Source, Evidence], View]
    answers: bool = False


PRODUCTION: Final = Input("Specification alone (production)", nothing)
LEAKY: Final = (
    Input("Plus each atom's description by an author who saw the record", described),
    Input("Plus the true values and the answer key", answered),
    Input("Specification, generator made where the record was open", held),
    Input("Specification, resolvers that answer before the hash", nothing, answers=True),
)


def given(generator: Generator, source: Source, evidence: Evidence, leaks: Input) -> Generator:
    """Return the generator as this input lets it run: with its own `ask`, or one that answers."""
    if not leaks.answers:
        return generator
    resolve = resolver_of(source, evidence)
    checks = {check.identifier: check for check in source.document.specification.checks}

    def answering(check: str) -> object:
        try:
            return resolve(checks[check])
        except ConnectionError:
            return None

    def generate(specification: Specification, seed: int, ask: Ask) -> Program:
        return generator(specification, seed, answering)  # type: ignore[arg-type]

    return generate


def _shuffled(random: Random, route: Route) -> Route:
    return replace(route, literals=tuple(random.sample(route.literals, len(route.literals))))


def _asked(ask: Ask, check: str) -> Mapping[str, bool] | None:
    question: Callable[[str], object] = ask
    answer = question(check)
    if not isinstance(answer, Mapping):
        return None
    return {atom: value for atom, value in answer.items() if isinstance(value, bool)}


def _mute(check: str) -> None:
    """Answer nothing."""
