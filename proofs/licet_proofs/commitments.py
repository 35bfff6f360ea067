"""What is committed: valid programs alone, under a hash that tells any two of them apart.

Statement. A program is committed exactly when it is well formed, no route of a conclusion contains
another, every route of a stronger conclusion contains one of each weaker comparable one, and each
atom has a check (premise T1). The hash covers everything but the budget and the priors; the order
of conclusions and routes counts, that of object keys does not.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from licet import (
    Atom,
    Check,
    CheckKind,
    Conclusion,
    InvalidInput,
    Literal,
    Program,
    Route,
    Specification,
    canonical_text,
    commit,
    faults,
)

from .expect import SAMPLED, expect
from .generators import Item, Shape, drafts, listed_anyhow
from .generators_uncertain import uncertain_drafts
from .independent import rational

Draft: TypeAlias = tuple[Specification, Program]
Change: TypeAlias = Callable[[Specification, Program], Draft]


@SAMPLED
@given(drafts())
def a_sound_program_has_no_fault(draft: Draft) -> None:
    """A program that is minimal and order-coherent by construction is committed as it is.

    Source: PRIME, appendix A, "Program validation".
    """
    found = faults(*draft)
    expect(not found, found)
    commitment = commit(*draft)
    expect((commitment.specification, commitment.program) == draft, "something was changed")


# A chain of two or more conclusions over atoms of which none is named `fresh`.
CHAINS: Final = Shape(partial_orders=False)


def _routes(program: Program, index: int, *routes: Route) -> Program:
    """Replace the routes of one conclusion, by position; -1 is the strongest of a chain."""
    listed = list(program.routes)
    listed[index] = (listed[index][0], routes)
    return Program(tuple(listed))


def _first(program: Program, index: int) -> tuple[Route, ...]:
    return program.routes[index][1]


def _with_fresh(specification: Specification) -> Specification:
    return replace(
        specification,
        atoms=(*specification.atoms, Atom("fresh", "")),
        checks=(*specification.checks, Check("fresh", ("fresh",))),
    )


FRESH: Final = Literal("fresh")


def _grown(route: Route) -> Route:
    return Route((*route.literals, FRESH))


# What is spoiled, how, and the place that the fault must name; each is applied to a chain.
DEFECTS: Final[tuple[tuple[str, Change, str], ...]] = (
    (
        "a route that contains another",
        lambda s, p: (_with_fresh(s), _routes(p, -1, *_first(p, -1), _grown(_first(p, -1)[0]))),
        "routes.",
    ),
    (
        "a route listed twice",
        lambda s, p: (s, _routes(p, -1, *_first(p, -1), _first(p, -1)[0])),
        "routes.",
    ),
    (
        "a strongest conclusion whose route contains no weaker one",
        lambda s, p: (_topped(_with_fresh(s)), Program((*p.routes, ("top", (Route((FRESH,)),))))),
        "routes.top.0",
    ),
    ("an unknown atom", lambda s, p: (s, _routes(p, -1, Route((FRESH,)))), "routes."),
    ("a conclusion without routes", lambda s, p: (s, _routes(p, -1)), "routes."),
    ("a conclusion left out", lambda s, p: (s, Program(p.routes[1:])), "routes."),
    (
        "routes of an unknown conclusion",
        lambda s, p: (s, Program((*p.routes, ("nothing", _first(p, 0))))),
        "routes.nothing",
    ),
    (
        "an atom without a check",
        lambda s, p: (replace(s, atoms=(*s.atoms, Atom("fresh", ""))), p),
        "atoms.fresh",
    ),
    ("an atom twice", lambda s, p: (replace(s, atoms=(*s.atoms, s.atoms[0])), p), "atoms."),
    ("a check twice", lambda s, p: (replace(s, checks=(*s.checks, s.checks[0])), p), "checks."),
    (
        "a check of an unknown atom",
        lambda s, p: (replace(s, checks=(*s.checks, Check("more", ("fresh",)))), p),
        "checks.more",
    ),
    (
        "a conclusion twice",
        lambda s, p: (replace(s, conclusions=(*s.conclusions, s.conclusions[0])), p),
        "conclusions.",
    ),
    ("no conclusions", lambda s, p: (replace(s, conclusions=(), order=None), p), "conclusions"),
    (
        "a utility that does not grow",
        lambda s, p: (_topped(s, utility=min(rational(c.utility) for c in s.conclusions)), p),
        "conclusions.top",
    ),
    (
        "a cycle",
        lambda s, p: (replace(s, order=(*s.pairs, (p.routes[-1][0], p.routes[0][0]))), p),
        "order",
    ),
    (
        "constraints that nothing satisfies",
        lambda s, p: (_constrained(_with_fresh(s), (FRESH,), (Literal("fresh", False),)), p),
        "constraints",
    ),
    (
        "a constraint over an unknown atom",
        lambda s, p: (_constrained(s, (FRESH,)), p),
        "constraints.0",
    ),
    (
        "a route that the constraints exclude",
        lambda s, p: (_constrained(s, *_excluding(_first(p, 0)[0])), p),
        "routes.",
    ),
    (
        "an atom that is judged on a text and read from a field",
        lambda s, p: (_judged(_with_fresh(s)), p),
        "checks.judged.settles",
    ),
    (
        "an order over an unknown conclusion",
        lambda s, p: (replace(s, order=(*s.pairs, ("nothing", p.routes[0][0]))), p),
        "order",
    ),
)


def _constrained(specification: Specification, *clauses: tuple[Literal, ...]) -> Specification:
    return replace(specification, constraints=clauses)


def _excluding(route: Route) -> Iterator[tuple[Literal, ...]]:
    """Yield one clause: not all literals of a route."""
    yield tuple(Literal(literal.atom, not literal.positive) for literal in route.literals)


def _judged(specification: Specification) -> Specification:
    """Let a text read settle what another check settles."""
    judged = Check("judged", ("fresh",), kind=CheckKind.TEXT)
    return replace(specification, checks=(*specification.checks, judged))


def _topped(specification: Specification, utility: object = 10**6) -> Specification:
    """Put a conclusion above all others of a chain."""
    top = Conclusion("top", "", utility)  # type: ignore[arg-type]
    strongest = max(specification.conclusions, key=lambda c: rational(c.utility)).identifier
    return replace(
        specification,
        conclusions=(*specification.conclusions, top),
        order=(*specification.pairs, (strongest, "top")),
    )


@SAMPLED
@given(drafts(CHAINS), st.sampled_from(DEFECTS))
def an_unsound_program_is_refused(draft: Draft, defect: tuple[str, Change, str]) -> None:
    """A program with one defect is refused, and the first fault names its place.

    Source: PRIME, appendix A, "Program validation", premise T1.
    """
    name, change, place = defect
    specification, program = change(*draft)
    found = faults(specification, program)
    expect(bool(found), name, "has no fault")
    expect(found[0].place.startswith(place), name, "is said to be at", found[0].place)
    try:
        committed = commit(specification, program)
    except InvalidInput as refusal:
        expect(refusal.place == found[0].place, refusal, "is not", found[0])
    else:
        expect(False, name, "is committed as", committed.sha256)


def _conclusion(specification: Specification, **changes: object) -> Specification:
    first, *others = specification.conclusions
    changed = replace(first, **changes)  # type: ignore[arg-type]
    return replace(specification, conclusions=(changed, *others))


def _atom(specification: Specification, **changes: object) -> Specification:
    first, *others = specification.atoms
    return replace(specification, atoms=(replace(first, **changes), *others))  # type: ignore[arg-type]


def _check(specification: Specification, **changes: object) -> Specification:
    first, *others = specification.checks
    return replace(specification, checks=(replace(first, **changes), *others))  # type: ignore[arg-type]


def _located(
    specification: Specification, *candidates: str, exhausted: bool | None = None
) -> Specification:
    """Let a further check look for its atom in candidates."""
    located = Check("fresh", ("fresh",), candidates=candidates, exhausted=exhausted)
    fresh = _with_fresh(specification)
    return replace(fresh, checks=(*specification.checks, located))


def _flipped(program: Program) -> Program:
    """Turn the first literal of the first route into its negation."""
    route, *others = program.routes[0][1]
    literal, *kept = route.literals
    turned = Route((Literal(literal.atom, not literal.positive), *kept))
    return _routes(program, 0, turned, *others)


# Changes that mean something, each to be told from what it changes.
CHANGES: Final[tuple[tuple[str, Change], ...]] = (
    ("the request", lambda s, p: (replace(s, request=s.request + "."), p)),
    ("a sentence", lambda s, p: (_conclusion(s, sentence=s.conclusions[0].sentence + "."), p)),
    ("a utility", lambda s, p: (_conclusion(s, utility=rational(s.conclusions[0].utility) / 7), p)),
    ("a condition", lambda s, p: (_atom(s, sentence=s.atoms[0].sentence + "."), p)),
    ("a binding", lambda s, p: (_atom(s, binding=s.atoms[0].binding + "."), p)),
    ("a cost", lambda s, p: (_check(s, cost=rational(s.checks[0].cost) + 1), p)),
    ("a check's name", lambda s, p: (_check(s, identifier="renamed"), p)),
    ("a check's atoms", lambda s, p: (_check(_with_fresh(s), settles=("fresh",)), p)),
    ("an atom", lambda s, p: (_with_fresh(s), p)),
    ("a constraint", lambda s, p: (_constrained(_with_fresh(s), (FRESH,)), p)),
    ("a check's kind", lambda s, p: (_check(s, kind=CheckKind.TEXT), p)),
    ("a check's candidates", lambda s, p: (_located(s, "x"), p)),
    ("one more candidate", lambda s, p: (_located(s, "x", "y"), p)),
    ("the order of candidates", lambda s, p: (_located(s, "y", "x"), p)),
    ("what holds without any", lambda s, p: (_located(s, "x", exhausted=False), p)),
    ("a polarity", lambda s, p: (s, _flipped(p))),
    ("a route", lambda s, p: (s, _routes(p, 0, *_first(p, 0), Route((FRESH,))))),
    ("a longer route", lambda s, p: (s, _routes(p, 0, *map(_grown, _first(p, 0))))),
    ("the order of routes", lambda s, p: (s, _routes(p, 0, Route((FRESH,)), *_first(p, 0)))),
    ("the order of conclusions", lambda s, p: (replace(_topped(s), order=()), p)),
)


@SAMPLED
@given(drafts(), st.sampled_from(CHANGES))
def the_hash_tells_programs_apart(draft: Draft, change: tuple[str, Change]) -> None:
    """Whatever is changed that may matter, the hashed text is another one.

    Source: PRIME, section 3.1: the program is committed by its hash.
    """
    name, apply = change
    before, after = canonical_text(*draft), canonical_text(*apply(*draft))
    expect(before != after, name, "was changed without a trace in", after)
    others = [canonical_text(*other(*draft)) for _, other in CHANGES]
    expect(others.count(after) == 1, name, "gives the text of another change:", after)


@SAMPLED
@given(drafts() | uncertain_drafts(), st.data())
def the_hash_does_not_hang_on_the_order_of_keys(draft: Draft, data: st.DataObject) -> None:
    """Atoms, checks, a check's atoms, pairs of the order and constraints may be in any order.

    The hash is that of the canonical text, so that anybody can compute it again.

    Source: `licet.canonical_text`; decision 0006: the order of keys never matters.
    """
    specification, program = draft

    def shuffled(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(data.draw(listed_anyhow(items)))

    other = replace(
        specification,
        atoms=shuffled(specification.atoms),
        checks=shuffled([replace(c, settles=shuffled(c.settles)) for c in specification.checks]),
        order=shuffled(specification.pairs),
        constraints=shuffled([shuffled(clause) for clause in specification.constraints]),
    )
    sha256 = commit(*draft).sha256
    again = commit(other, Program(shuffled(program.routes))).sha256
    expect(sha256 == again, "another order of keys gives another hash")
    text = canonical_text(*draft).encode("ascii")
    expect(hashlib.sha256(text).hexdigest() == sha256, "the hash is not that of the text")


@SAMPLED
@given(drafts())
def the_order_that_settles_ties_is_hashed(draft: Draft) -> None:
    """Routes, and the literals of a route, listed in another order are another program.

    Source: `licet.canonical_text`; decision 0006, on ties.
    """
    specification, program = draft
    for index, (_, routes) in enumerate(program.routes):
        turned = [Route(route.literals[::-1]) for route in routes]
        for other in (routes[::-1], tuple(turned)):
            is_same = other == routes
            text = canonical_text(specification, _routes(program, index, *other))
            expect((text == canonical_text(*draft)) == is_same, other, "instead of", routes)


PROPERTIES: Final = (
    a_sound_program_has_no_fault,
    an_unsound_program_is_refused,
    the_hash_tells_programs_apart,
    the_hash_does_not_hang_on_the_order_of_keys,
    the_order_that_settles_ties_is_hashed,
)
