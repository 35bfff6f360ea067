"""Why the closure of a ledger is what it is (D1), in steps that unit propagation alone can follow.

A certificate says of each literal that a route needs whether the constraints and the settled
literals imply it. That they do is shown by a refutation of its negation; that they do not, by an
assignment in which it fails. What is searched for here the checker of certificates verifies without
a search. Where a refutation is not found within the limit there is none, never a wrong one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from icontract import ensure, require

from licet import InvalidInput
from licet.compiled import CompiledProgram, bits
from licet.constraints import Clause, Clauses, Consistency, closure, find_model, satisfies
from licet.decisions import Settled

STEPS: Final = 20_000
"""Steps of one refutation, at most."""

Steps: TypeAlias = list[str]
"""A tree: an atom, the steps where it is true, those where it is false; "" where a clause fails."""

NOTHING: Final = ""
"""Stands for the literal that no assignment satisfies: that it is implied is a contradiction."""


class NoCertificate(InvalidInput):
    """An outcome whose closure is not derived within the limits; others may have a certificate."""


class Derivations:
    """Derivations for the ledgers of one review, which share their assignments.

    >>> from licet import Atom, Conclusion, Literal, Program, Specification, commit, own_checks
    >>> atoms = (Atom("url", "it has a URL"), Atom("reference", "it has a reference"))
    >>> linked = Conclusion("linked", "It is linked.", 100)
    >>> constraint = (Literal("url", False), Literal("reference"))
    >>> specification = Specification(
    ...     (linked,), atoms, own_checks(atoms), constraints=(constraint,)
    ... )
    >>> program = commit(specification, Program.of({"linked": [["reference"]]})).compiled
    >>> derivations = Derivations(program)
    >>> derivations.of(Settled(true=0b10))  # the URL is there
    {'reference': ['']}
    >>> derivations.of(Settled())
    {}
    >>> derivations.models
    [['reference'], ['reference', 'url'], []]
    """

    def __init__(self, program: CompiledProgram) -> None:
        """Find assignments that satisfy the constraints, and among them each route."""
        self._program = program
        self._atoms = (1 << len(program.atoms)) - 1
        self._models: list[int] = []
        for route in (route for routes in program.routes for route in routes):
            if not any(self._agree(m, route.needs_true, route.needs_false) for m in self._models):
                units = _units(route.needs_true, route.needs_false)
                self._add(_model((*program.clauses, *units)))

    @property
    def models(self) -> list[list[str]]:
        """The assignments so far, each as the atoms that are true in it."""
        return [[self._program.atoms[index] for index in bits(model)] for model in self._models]

    def of(self, settled: Settled) -> dict[str, Steps]:
        """Return refutations of the negations of what is implied; further assignments are kept.

        The key is the implied literal of a route; where the ledger contradicts the constraints, the
        only one is `NOTHING`.

        Args:
            settled: what the ledger says itself, without its closure.

        Raises:
            InvalidInput: the search for a derivation reached its limit.
        """
        true, false, conflict, _, _ = settled
        clauses = self._program.clauses
        found = closure(clauses, self._atoms, true, false, conflict, self._models)
        if found.consistency is Consistency.UNDECIDED:
            raise NoCertificate("certificate", "expected constraints that can be decided")
        if found.consistency is Consistency.CONTRADICTED:
            return {NOTHING: self._refutation(true, false)}
        if not any(self._agree(model, true, false) for model in self._models):
            self._add(found.models[0])
        implied = {}
        for literal, atom, positive in self._needed(true, false, conflict):
            opposite = (true, false | atom) if positive else (true | atom, false)
            if (found.true if positive else found.false) & atom:
                implied[literal] = self._refutation(*opposite)
            elif not any(self._agree(model, *opposite) for model in self._models):
                self._add(self._counterexample(found.models, *opposite, atom))
        return implied

    def _needed(self, true: int, false: int, conflict: int) -> Iterator[tuple[str, int, bool]]:
        """Yield the literals of routes that a ledger does not settle, with atom and polarity."""
        needs = [route for routes in self._program.routes for route in routes]
        for index, name in enumerate(self._program.atoms):
            atom = 1 << index
            if not (true | conflict) & atom and any(p.needs_true & atom for p in needs):
                yield name, atom, True
            if not (false | conflict) & atom and any(p.needs_false & atom for p in needs):
                yield f"!{name}", atom, False

    @ensure(lambda self, models, true, false, result: self._agree(result, true, false))
    def _counterexample(self, models: Iterable[int], true: int, false: int, atom: int) -> int:
        """Return an assignment in which an atom is as it is not implied to be."""
        clauses = self._program.clauses
        for model in models:
            for changed in (model, model ^ atom):
                if self._agree(changed, true, false) and satisfies(clauses, changed):
                    return changed
        return _model((*clauses, *_units(true, false)))

    def _agree(self, model: int, true: int, false: int) -> bool:
        return not (true & ~model or false & model)

    @require(lambda self, model: satisfies(self._program.clauses, model))
    def _add(self, model: int) -> None:
        self._models.append(model & self._atoms)

    def _refutation(self, true: int, false: int) -> Steps:
        steps = refutation(self._program.clauses, true, false)
        return [NOTHING if index is None else self._program.atoms[index] for index in steps]


def _model(clauses: Clauses) -> int:
    try:
        found = find_model(clauses)
    except OverflowError as fault:
        raise NoCertificate("certificate", f"constraints: {fault}") from None
    if found is None:
        raise NoCertificate("certificate", "expected constraints that can be satisfied, found none")
    return found


def _units(true: int, false: int) -> Iterator[Clause]:
    yield from (Clause(1 << index, 0) for index in bits(true))
    yield from (Clause(0, 1 << index) for index in bits(false))


def refutation(clauses: Clauses, true: int, false: int) -> tuple[int | None, ...]:
    """Return a tree that shows that some literals contradict the clauses.

    An atom's index stands for it, followed by the tree where it is true and the one where it is
    false; None is where unit propagation alone fails a clause.

    Args:
        clauses: the clauses.
        true: atoms that are true.
        false: atoms that are false.

    Raises:
        InvalidInput: they do not contradict, or the tree would have more than `STEPS` steps.
    """
    steps: list[int | None] = []
    pending = [(list(clauses), true, false)]
    while pending:
        if len(steps) + len(pending) > STEPS:
            raise NoCertificate("certificate", f"expected derivations of at most {STEPS:,} steps")
        reached = _propagated(*pending.pop())
        if reached is None:
            steps.append(None)
            continue
        left, true, false = reached
        if not left:
            raise NoCertificate("certificate", "expected literals that contradict the constraints")
        atom = _chosen(left)
        steps.append(atom.bit_length() - 1)
        pending += (left, true, false | atom), (left, true | atom, false)
    return tuple(steps)


def _propagated(
    clauses: list[Clause], true: int, false: int
) -> tuple[list[Clause], int, int] | None:
    """Return the clauses that unit propagation leaves open, and what it reaches; None if it fails.

    The literals that fail are left out of the clauses.
    """
    while True:
        reached, left = (true, false), []
        for clause in clauses:
            if clause.positive & true or clause.negative & false:
                continue
            still = Clause(clause.positive & ~false, clause.negative & ~true)
            atoms = still.positive | still.negative
            if not atoms:
                return None
            if atoms & (atoms - 1):
                left.append(still)
            else:
                true |= still.positive
                false |= still.negative
        clauses = left
        if reached == (true, false):
            return left, true, false


def _chosen(clauses: list[Clause]) -> int:
    """Return the atom that is in most of the shortest clauses; of equals the first."""
    shortest = min((p | n).bit_count() for p, n in clauses)
    counts = Counter(
        index for p, n in clauses if (p | n).bit_count() == shortest for index in bits(p | n)
    )
    most = max(counts.values())
    return 1 << min(index for index, count in counts.items() if count == most)
