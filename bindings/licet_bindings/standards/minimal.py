"""Minimal routes of a standard: all conjunctions of literals that suffice, and none too many.

Every answer is exact: it holds for all realizable states. What is too large is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from licet import InvalidInput, Literal, Program, Route
from licet_bindings.standards.encoding import Encoded
from licet_bindings.standards.standard import Formula, Standard, State, place_of, state_text

MAX_MINIMAL_ROUTES: Final = 500
"""Minimal routes of one standard, at most: as many as a document may have."""


class OrderViolation(NamedTuple):
    """A realizable state that justifies a stronger conclusion, and a weaker one not."""

    weaker: str
    stronger: str
    state: State

    @property
    def problem(self) -> str:
        """What a message says of the stronger conclusion's formula."""
        return (
            f"expected it to hold only where that of the weaker {self.weaker!r} does; it holds,"
            f" and that does not, {state_text(self.state)}"
        )


def minimal_routes(
    atoms: Iterable[str], formula: str | Formula, constraints: Iterable[Iterable[str]] = ()
) -> tuple[Route, ...]:
    """Return the minimal routes of one conclusion: all of them, fewest literals first.

    A route is minimal when it suffices on every realizable state on which it holds, and no longer
    does without any one of its literals. It holds on some realizable state. Literals stand in the
    order of `atoms`; so do routes of one length.

    Args:
        atoms: the atoms' names.
        formula: an expression, or a predicate on states. A predicate is asked about each
            realizable state, of which there are at most `MAX_STATES`.
        constraints: clauses, of each of which at least one literal holds.

    Raises:
        InvalidInput: something is malformed; or the formula holds on all realizable states, or on
            none.
        TooLarge: it cannot be decided exactly within the limits.

    Source: PRIME, appendix A, equation (6).

    >>> [str(route) for route in minimal_routes(["a", "b", "c"], "a and b or not a and c")]
    ['a & b', '!a & c', 'b & c']
    >>> routes = minimal_routes(["a", "b", "c"], "a and b or not a and c", [["!c", "a"]])
    >>> [str(route) for route in routes]
    ['a & b', 'b & c']
    """
    encoded = Encoded(Standard.of(atoms, {"": formula}, constraints))
    return _usable(encoded.minimal("", MAX_MINIMAL_ROUTES), "")


def minimal_program(standard: Standard, order: Iterable[tuple[str, str]] = ()) -> Program:
    """Return the program whose routes are the minimal routes of a standard.

    It is order-coherent: what suffices for a stronger conclusion suffices for a weaker one, and so
    contains one of its minimal routes.

    Args:
        standard: the standard.
        order: (weaker, stronger) pairs of its conclusions, such that their closure is the order.

    Raises:
        InvalidInput: as `minimal_routes`; or a stronger conclusion is justified on some realizable
            state on which a weaker one is not.
        TooLarge: it cannot be decided exactly within the limits.
    """
    encoded = Encoded(standard)
    for found in violations(encoded, order):
        raise InvalidInput(place_of(found.stronger), found.problem)
    routes: list[tuple[str, tuple[Route, ...]]] = []
    left = MAX_MINIMAL_ROUTES
    for conclusion in standard.formulas:
        minimal = _usable(encoded.minimal(conclusion, left), conclusion)
        left -= len(minimal)
        routes.append((conclusion, minimal))
    return Program(tuple(routes))


def order_violations(
    standard: Standard, order: Iterable[tuple[str, str]]
) -> tuple[OrderViolation, ...]:
    """Return the (weaker, stronger) pairs that a standard does not respect, each with a state.

    A pair of which the standard says nothing is passed over.

    Source: PRIME, appendix A: the intended standard respects the strength order.

    >>> standard = Standard.of(["a", "b"], {"weak": "a", "strong": "a or b"})
    >>> [violation.state for violation in order_violations(standard, [("weak", "strong")])]
    [{'a': False, 'b': True}]
    """
    return tuple(violations(Encoded(standard), order))


def violations(encoded: Encoded, order: Iterable[tuple[str, str]]) -> Iterable[OrderViolation]:
    """Yield what `order_violations` returns, of an encoded standard."""
    stated = encoded.standard.formulas
    for weaker, stronger in order:
        if weaker in stated and stronger in stated:
            state = encoded.state_outside(encoded.formula(stronger), encoded.formula(weaker))
            if state is not None:
                yield OrderViolation(weaker, stronger, state)


def _usable(minimal: tuple[tuple[Literal, ...], ...], conclusion: str) -> tuple[Route, ...]:
    """Return minimal routes as routes; a program takes neither none nor the empty one."""
    if not minimal:
        raise InvalidInput(
            place_of(conclusion), "it holds on no realizable state: no route suffices for it"
        )
    if minimal == ((),):
        raise InvalidInput(
            place_of(conclusion),
            "it holds on every realizable state: expected one that takes some check to establish",
        )
    return tuple(Route(literals) for literals in minimal)
