"""Where a program's routes and a standard differ, with a state that shows it.

A program may be right in two ways. Its routes may hold on exactly the states that the standard
justifies; then it never says more than the standard once everything is known. And they may be the
minimal routes; only then it also says as much as what is known so far allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from licet import InvalidInput, Literal, Program, Route
from licet_bindings.standards.diagrams import Node
from licet_bindings.standards.encoding import Encoded
from licet_bindings.standards.minimal import MAX_MINIMAL_ROUTES
from licet_bindings.standards.standard import Standard, State, TooLarge, state_text


class Verdict(Enum):
    """What the routes of a conclusion are to its standard.

    MINIMAL: they are its minimal routes. EQUIVALENT: they hold on the same realizable states, and
    are not the minimal ones, or that was too large to tell. DIFFERENT: there is a realizable state
    on which they differ. UNDECIDED: it would take more than is allowed to tell.
    """

    MINIMAL = "minimal"
    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Difference:
    """A realizable state on which a program and a standard differ.

    Attributes:
        conclusion: the conclusion.
        state: the atoms that matter, with their values.
        justified: what the standard says; the program says the opposite.
        route: the program's route that holds there, None where none does.
    """

    conclusion: str
    state: State
    justified: bool
    route: Route | None

    @property
    def problem(self) -> str:
        """What a message says of it."""
        where = state_text(self.state)
        if self.route is None:
            return f"the standard justifies it and no route holds, {where}"
        return f"the route {self.route} holds and the standard does not justify it, {where}"


@dataclass(frozen=True, slots=True)
class NotMinimal:
    """A route of a program that is none of the minimal ones: its position, and why it is none."""

    position: int
    route: Route
    problem: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The routes of one conclusion beside its standard.

    Attributes:
        conclusion: the conclusion.
        verdict: what they are to it.
        difference: where they differ, if they do.
        missing: minimal routes that the program lacks.
        not_minimal: its routes that are not minimal.
        reason: why something was not decided, if it was not.
    """

    conclusion: str
    verdict: Verdict
    difference: Difference | None = None
    missing: tuple[Route, ...] = ()
    not_minimal: tuple[NotMinimal, ...] = ()
    reason: str = ""


def comparisons(program: Program, standard: Standard) -> tuple[Comparison, ...]:
    """Return for each conclusion of a standard how a program's routes compare with it.

    Raises:
        InvalidInput: a route names an atom that the standard has not, no state satisfies the
            constraints, or a predicate fails.

    >>> standard = Standard.of(["a", "b", "c"], {"ready": "a and b or not a and c"})
    >>> (found,) = comparisons(Program.of({"ready": [["a", "b"], ["!a", "c"]]}), standard)
    >>> found.verdict.value, [str(route) for route in found.missing]
    ('equivalent', ['b & c'])
    """
    return tuple(_comparisons(program, standard))


def differences(program: Program, standard: Standard) -> tuple[Difference, ...]:
    """Return where the round trip fails: of each conclusion that differs, a state that shows it.

    There is none when the routes of each conclusion that the standard states hold on exactly the
    realizable states that justify it.

    Raises:
        InvalidInput: as `comparisons`.
        TooLarge: it cannot be decided exactly within the limits.

    >>> standard = Standard.of(["a", "b"], {"ready": "a and b"})
    >>> (found,) = differences(Program.of({"ready": [["a"]]}), standard)
    >>> str(found.route), dict(found.state), found.justified
    ('a', {'a': True, 'b': False}, False)
    """
    encoded = _encoded(program, standard)
    found = (
        _difference(encoded, conclusion, program.of_conclusion(conclusion))
        for conclusion in standard.formulas
    )
    return tuple(difference for difference in found if difference is not None)


def _comparisons(program: Program, standard: Standard) -> Iterator[Comparison]:
    try:
        encoded = _encoded(program, standard)
    except TooLarge as fault:
        for conclusion in standard.formulas:
            yield Comparison(conclusion, Verdict.UNDECIDED, reason=fault.problem)
        return
    for conclusion in standard.formulas:
        try:
            yield _comparison(encoded, conclusion, program.of_conclusion(conclusion))
        except TooLarge as fault:
            yield Comparison(conclusion, Verdict.UNDECIDED, reason=fault.problem)


def _encoded(program: Program, standard: Standard) -> Encoded:
    named = [
        (conclusion, position, route)
        for conclusion, routes in program.routes
        for position, route in enumerate(routes)
        if conclusion in standard.formulas
    ]
    known = set(standard.atoms)
    for conclusion, position, route in named:
        for literal in route.literals:
            if literal.atom not in known:
                raise InvalidInput(
                    f"routes.{conclusion}.{position}", f"no atom is named {literal.atom!r}"
                )
    return Encoded(standard, [route for _, _, route in named])


def _comparison(encoded: Encoded, conclusion: str, routes: tuple[Route, ...]) -> Comparison:
    difference = _difference(encoded, conclusion, routes)
    verdict = Verdict.EQUIVALENT if difference is None else Verdict.DIFFERENT
    try:
        minimal = {
            frozenset(literals): literals
            for literals in encoded.minimal(conclusion, MAX_MINIMAL_ROUTES)
        }
        function = encoded.formula(conclusion)
        return Comparison(
            conclusion,
            Verdict.MINIMAL
            if minimal.keys() == {frozenset(route.literals) for route in routes}
            else verdict,
            difference,
            tuple(_missing(minimal, routes)),
            tuple(
                NotMinimal(position, route, _not_minimal(encoded, route, function))
                for position, route in enumerate(routes)
                if frozenset(route.literals) not in minimal
            ),
        )
    except TooLarge as fault:
        return Comparison(conclusion, verdict, difference, reason=fault.problem)


def _missing(
    minimal: Mapping[frozenset[Literal], tuple[Literal, ...]], routes: tuple[Route, ...]
) -> Iterator[Route]:
    own = {frozenset(route.literals) for route in routes}
    for key, literals in minimal.items():
        # The empty one is no route: nothing can be reported without a check.
        if key and key not in own:
            yield Route(literals)


def _difference(encoded: Encoded, conclusion: str, routes: tuple[Route, ...]) -> Difference | None:
    justified, held = encoded.formula(conclusion), encoded.routes(routes)
    state = encoded.state_outside(held, justified)
    if state is not None:
        holding = next(
            route
            for route in routes
            if all(state[literal.atom] == literal.positive for literal in route.literals)
        )
        return Difference(conclusion, state, False, holding)
    state = encoded.state_outside(justified, held)
    return None if state is None else Difference(conclusion, state, True, None)


def _not_minimal(encoded: Encoded, route: Route, function: Node) -> str:
    """Return why a route is not minimal."""
    held = encoded.conjunction(route.literals)
    if encoded.state_within(held) is None:
        return "it holds on no realizable state"
    state = encoded.state_outside(held, function)
    if state is not None:
        return f"it does not suffice {state_text(state)}"
    spare = next(
        literal
        for literal in route.literals
        if encoded.state_outside(
            encoded.conjunction(other for other in route.literals if other != literal), function
        )
        is None
    )
    return f"it suffices without {spare}"
