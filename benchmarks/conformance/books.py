"""An independent bookkeeper of one review: its own ledger, closure, Auth and hold, by definition.

It is told what resolvers and judges answered and what was asked, decides itself what of it counts,
and shares no code with the kernel's ledger, closure or decisions. Closures are found by looking at
every assignment that satisfies the constraints.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from licet import Attester, AttestRequest, Check, Unavailable

from ..adversary.cases import PlainRoute
from .problems import PlainCheck, Problem

Literals: TypeAlias = frozenset[tuple[str, bool]]
Source: TypeAlias = str | Attester
"""Who gave a value: a check by its name, or an attester."""


class Said(NamedTuple):
    """A value of an atom that was admitted, who gave it, and the quote of an attester."""

    atom: str
    value: bool
    source: Source
    quote: str = ""


@dataclass(slots=True)
class Books:
    """What was established in one review, and what that authorizes.

    Attributes:
        problem: the program.
        budget: calls at first.
        verified: whether a second judge confirms attestations.
        spent: calls by count.
        said: admitted values that were not withdrawn.
        ever: all that were admitted.
        certified: atoms whose evidence is unavailable.
        texts: what was read, by check.
        answered: checks whose answers are final.
        visited: candidates that established nothing.
        known: attestations with an answer that is kept, and whether they were admitted.
        judgement: what the second judge answered last.
        judged_on: the condition and the text that it was shown for the present request.
        withdrawn: atoms of which something was retracted.
        reminders: how many were given.
    """

    problem: Problem
    budget: Fraction
    verified: bool = False
    spent: Fraction = Fraction(0)
    said: list[Said] = field(default_factory=list)
    ever: list[Said] = field(default_factory=list)
    certified: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    visited: set[tuple[str, str]] = field(default_factory=set)
    known: dict[tuple[AttestRequest, bool], bool] = field(default_factory=dict)
    judgement: object = None
    judged_on: tuple[str, str] | None = None
    withdrawn: set[str] = field(default_factory=set)
    reminders: int = 0

    @property
    def left(self) -> Fraction:
        """Calls that are left."""
        return self.budget - self.spent

    def sees_call(self, check: Check, given: object) -> None:
        """Put down a call of a resolver, and what it answered; an exception where it raised."""
        name, plain = check.identifier, self.problem.checks[check.identifier]
        self.spent += plain.cost
        if plain.text:
            self._sees_text(name, plain, given)
            return
        if not isinstance(given, dict) or set(given) != set(plain.settles):
            return
        if not all(isinstance(value, bool | Unavailable) for value in given.values()):
            return
        if plain.candidates:
            self._sees_candidate(name, plain, check.candidates[0], given[plain.settles[0]])
            return
        self.answered.add(name)
        for atom, value in given.items():
            self._admit(atom, None if isinstance(value, Unavailable) else value, name)

    def _sees_text(self, name: str, plain: PlainCheck, given: object) -> None:
        if isinstance(given, str):
            self.texts[name] = given
            self.answered.add(name)
        elif isinstance(given, Unavailable):
            self.certified.update(plain.settles)
            self.answered.add(name)

    def _sees_candidate(self, name: str, plain: PlainCheck, place: str, value: object) -> None:
        [atom] = plain.settles
        if isinstance(value, bool):
            self.answered.add(name)
            self._admit(atom, value, name)
            return
        self.visited.add((name, place))
        if all((name, other) in self.visited for other in plain.candidates):
            self.answered.add(name)
            self._admit(atom, plain.exhausted, name)

    def _admit(self, atom: str, value: bool | None, source: Source, quote: str = "") -> None:
        if value is None:
            self.certified.add(atom)
            return
        self.said.append(Said(atom, value, source, quote))
        self.ever.append(self.said[-1])

    def is_repeat(self, asked: AttestRequest) -> bool:
        """Return whether an attestation is answered from what is known, at no cost."""
        return (asked, self._was_read(asked.atom)) in self.known

    def sees_attestation(self, asked: AttestRequest) -> None:
        """Put down an attestation that was paid, and admit it if it may be."""
        self.spent += 1
        self.judged_on = None
        key = (asked, self._was_read(asked.atom))
        admitted = self._text_of(asked) is not None
        if admitted and self.verified:
            if type(self.judgement) is not bool:
                return
            admitted = self.judgement is asked.value
        self.known[key] = admitted
        if admitted:
            self._admit(asked.atom, asked.value, asked.attester, asked.quote)

    def to_be_judged(self, asked: AttestRequest) -> tuple[str, str] | None:
        """Return the condition and the text that the second judge is to be shown, if it is."""
        text = self._text_of(asked)
        if text is None or not self.verified:
            return None
        atoms = self.problem.commitment.specification.atoms
        [condition] = [atom.sentence for atom in atoms if atom.identifier == asked.atom]
        return condition, text

    def _was_read(self, atom: str) -> bool:
        return self.problem.read_by(atom) in self.texts

    def _text_of(self, asked: AttestRequest) -> str | None:
        """Return the text that an attestation quotes, None where it may not be admitted."""
        read = self.problem.read_by(asked.atom)
        text = self.texts.get(read) if read else None
        if text is None or len(asked.quote.strip()) < 8 or asked.quote not in text:
            return None
        return text

    def withdraws(self, atom: str, attester: Attester) -> bool:
        """Return whether there is something that this attester can withdraw."""
        return any((one.atom, one.source) == (atom, attester) for one in self.said)

    def sees_retraction(self, atom: str, attester: Attester) -> None:
        """Take out what an attester attested of an atom."""
        self.withdrawn.add(atom)
        self.said = [one for one in self.said if (one.atom, one.source) != (atom, attester)]
        self.known = {
            (asked, read): admitted
            for (asked, read), admitted in self.known.items()
            if not (admitted and (asked.atom, asked.attester) == (atom, attester))
        }

    def values(self, atom: str) -> set[bool]:
        """Return the admitted values of an atom: none is unknown, two are a conflict."""
        return {one.value for one in self.said if one.atom == atom}

    def conflicting(self) -> set[str]:
        """Return K(z)."""
        return {atom for atom in self.problem.atoms if len(self.values(atom)) == 2}

    def closure(self) -> Literals | None:
        """Return Cl(z) of what was admitted and not withdrawn, None for bottom."""
        return closure(self.problem, self.said)

    def judgements_contradict(self) -> bool:
        """Return whether, of a ledger at bottom, what the checks said is not enough for that."""
        checked = [one for one in self.said if isinstance(one.source, str)]
        return closure(self.problem, checked) is not None

    def authorized(self) -> frozenset[str]:
        """Return Auth(z), Equation (1)."""
        return authorized(self.problem, self.closure())

    def fails_open(self) -> frozenset[str]:
        """Return what would be authorized if conflicts, and contradictions, were overlooked."""
        problem = self.problem
        loose = {(one.atom, one.value) for one in self.said}
        kept = [one for one in self.said if one.atom not in self.conflicting()]
        loose |= closure(problem, kept) or frozenset()
        return authorized(problem, frozenset(loose))

    def unwithdrawn(self) -> frozenset[str]:
        """Return what would be authorized if nothing had been withdrawn."""
        return authorized(self.problem, closure(self.problem, self.ever))

    def holds(self) -> bool:
        """Return mu: a conclusion of more utility than all authorized ones is within reach."""
        known = self.closure()
        if known is None:
            return False
        problem = self.problem
        best = max((problem.utility[c] for c in self.authorized()), default=Fraction(0))
        better = (c for c in problem.conclusions if problem.utility[c] > best)
        return any(self._in_reach(route, known) for c in better for route in problem.routes[c])

    def _in_reach(self, route: PlainRoute, known: Literals) -> bool:
        lacking = {atom for atom, _ in route - known}
        if not all(self._is_open(atom, known) for atom in lacking):
            return False
        cost = self._cheapest(frozenset(lacking))
        return cost is not None and cost <= self.left

    def _is_open(self, atom: str, known: Literals) -> bool:
        implied = any(other == atom for other, _ in known)
        return not self.values(atom) and not implied and atom not in self.certified

    def _cheapest(self, atoms: frozenset[str]) -> Fraction | None:
        """Return what the cheapest calls cost that settle the atoms, None where none do."""
        if not atoms:
            return Fraction(0)
        first = min(atoms)
        costs = []
        for name, check in self.problem.checks.items():
            if first in check.settles and (name not in self.answered or name in self.texts):
                rest = self._cheapest(atoms - set(check.settles))
                if rest is not None:
                    judged = len(atoms & set(check.settles)) if check.text else 0
                    costs.append(rest + judged + (0 if name in self.texts else check.cost))
        return min(costs, default=None)


def closure(problem: Problem, said: list[Said]) -> Literals | None:
    """Return Cl(z) of (D1): what holds in every world that agrees with the settled literals.

    None is bottom: there is no such world. Atoms with two values settle nothing, and none of their
    literals is in the closure.
    """
    values: dict[str, set[bool]] = {}
    for one in said:
        values.setdefault(one.atom, set()).add(one.value)
    settled = {(atom, *both) for atom, both in values.items() if len(both) == 1}
    worlds = [world for world in problem.worlds if settled <= world]
    if not worlds:
        return None
    everywhere = frozenset.intersection(*worlds)
    return frozenset((atom, v) for atom, v in everywhere if len(values.get(atom, ())) != 2)


def authorized(problem: Problem, known: Literals | None) -> frozenset[str]:
    """Return Auth of a closure: a route of the conclusion, or of a stronger one, is within it."""
    if known is None:
        return frozenset()
    own = {c for c in problem.conclusions if any(route <= known for route in problem.routes[c])}
    return frozenset(c for c in problem.conclusions if problem.at_or_above[c] & own)
