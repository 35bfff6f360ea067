"""Evidence that is judged, withdrawn, disputed, located or implied: definition D1 on sets.

A ledger is a sequence of records. What it establishes under the constraints is found by looking at
every assignment, and given as a plain ledger again, which `independent` reads.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from licet import Attester

from .independent import Assignment, Conjunction, Evidence, Evidences, Paper, Requirement


class Said(NamedTuple):
    """An admitted judgement of an atom."""

    atom: str
    value: bool
    quote: str
    attester: Attester


class Withdrawn(NamedTuple):
    """What one attester takes back: all that it said of an atom before."""

    atom: str
    attester: Attester


class TextOf(NamedTuple):
    """A text that a check read."""

    check: str
    text: str


class Blank(NamedTuple):
    """A candidate in which a check found nothing."""

    atom: str
    check: str
    candidate: str


class Expired(NamedTuple):
    """A source that has changed: what its check gave before, and what was judged on it, is gone."""

    check: str
    digest: str
    judged: tuple[str, ...] = ()


Entry: TypeAlias = Evidence | Said | Withdrawn | TextOf | Blank | Expired
Entries: TypeAlias = Sequence[Entry]


def remaining(ledger: Entries) -> tuple[Evidence | Said, ...]:
    """Return the values and certificates that nobody took back and that are fresh, in order."""
    return tuple(_remaining(ledger))


def _remaining(ledger: Entries) -> Iterator[Evidence | Said]:
    for place, entry in enumerate(ledger):
        gone = [later for later in ledger[place:] if isinstance(later, Expired)]
        if isinstance(entry, Evidence):
            if entry.check not in {each.check for each in gone}:
                yield entry
        elif isinstance(entry, Said):
            taken_back = Withdrawn(entry.atom, entry.attester)
            stale = any(entry.atom in each.judged for each in gone)
            if not stale and taken_back not in ledger[place:]:
                yield entry


def values_of(ledger: Entries, atom: str) -> frozenset[bool]:
    """Return the values of an atom that nobody took back: none, one, or both (D1)."""
    left = (entry for entry in remaining(ledger) if entry.atom == atom)
    return frozenset(entry.value for entry in left if entry.value is not None)


def atoms_of(paper: Paper) -> tuple[str, ...]:
    """Return every atom, sorted."""
    return tuple(sorted(frozenset[str]().union(*paper.settles.values())))


def recorded(paper: Paper, ledger: Entries) -> Conjunction:
    """Return L(z): the literals that every value left of their atom supports."""
    seen = {atom: values_of(ledger, atom) for atom in atoms_of(paper)}
    return frozenset((atom, next(iter(v))) for atom, v in seen.items() if len(v) == 1)


def allows(paper: Paper, world: Assignment) -> bool:
    """Return whether a world satisfies Phi."""
    return all(any(world[atom] is value for atom, value in clause) for clause in paper.clauses)


def worlds(paper: Paper, known: Conjunction) -> list[dict[str, bool]]:
    """Return every assignment that satisfies Phi and has the known literals."""
    atoms = atoms_of(paper)
    every = (dict(zip(atoms, v, strict=True)) for v in product((False, True), repeat=len(atoms)))
    agreeing = (world for world in every if all(world[atom] is value for atom, value in known))
    return [world for world in agreeing if allows(paper, world)]


def implied(paper: Paper, ledger: Entries) -> Conjunction | None:
    """Return Cl(z), or None for bottom: what holds in every world that the ledger leaves (D1)."""
    known = recorded(paper, ledger)
    left = worlds(paper, known)
    if not left:
        return None
    literals: set[Requirement] = set()
    for atom in atoms_of(paper):
        seen = {world[atom] for world in left}
        if len(seen) == 1 and len(values_of(ledger, atom)) < 2:
            literals.add((atom, seen.pop()))
    return frozenset(literals)


def closed(paper: Paper, ledger: Entries) -> Evidences:
    """Return the closure as a plain ledger: its literals, both values of what is in conflict.

    Of bottom nothing is established, and nothing can be.
    """
    literals = implied(paper, ledger)
    if literals is None:
        return tuple(Evidence(atom, None, "") for atom in atoms_of(paper))
    plain = [Evidence(atom, value, "") for atom, value in sorted(literals)]
    for atom in atoms_of(paper):
        if len(values_of(ledger, atom)) == 2:
            plain += [Evidence(atom, True, ""), Evidence(atom, False, "")]
    return (*plain, *(e for e in remaining(ledger) if isinstance(e, Evidence) and e.value is None))
