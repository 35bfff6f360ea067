"""What a review is about: literals, routes, conclusions, atoms, checks (PRIME, section 2).

Everything here is plain, frozen data that anybody may build. Each object checks what can be seen
in it alone; `validation` checks how they fit together. Parts are of exact types: an object of a
subclass could answer validation, hashing and compilation differently.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final, Self

from icontract import ensure

from .errors import InvalidInput
from .rationals import Number, non_negative, positive

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}")


@ensure(lambda value, result: result == value)
def identifier(value: str, place: str) -> str:
    """Return `value` if it can name a conclusion, an atom or a check, else raise `InvalidInput`.

    Identifiers are 1 to 100 characters: ASCII letters, digits and `_.:/-`, of which the first is a
    letter, a digit or `_`. They need no quoting anywhere, so a rendered report cannot be forged
    through one.
    """
    if type(value) is not str or not _IDENTIFIER.fullmatch(value):
        raise InvalidInput(
            place,
            "expected an identifier (1 to 100 ASCII letters, digits and _.:/- that begin with a"
            f" letter, a digit or _), found {value!r}",
        )
    return value


def _sentence(value: str, place: str) -> None:
    if type(value) is not str:
        raise InvalidInput(place, f"expected text, found {value!r}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        # Two texts, one with surrogate pairs, would have one canonical text and so one hash.
        raise InvalidInput(place, "expected text without surrogates")


def _repeated(names: Iterable[str]) -> str | None:
    """Return the first name that comes twice, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation: `atom` holds when `positive`, else `atom` is false."""

    atom: str
    positive: bool = True

    def __post_init__(self) -> None:
        """Refuse what names no atom."""
        identifier(self.atom, "literal")
        if type(self.positive) is not bool:
            raise InvalidInput(f"literal {self.atom}", "expected a truth value as polarity")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `name` or `!name`.

        >>> Literal.parse("!withdrawn")
        Literal(atom='withdrawn', positive=False)
        """
        if not isinstance(text, str):
            raise InvalidInput("literal", f"expected an atom's name or !name, found {text!r}")
        return cls(text.removeprefix("!"), not text.startswith("!"))

    def __str__(self) -> str:
        """Return the literal as a document writes it."""
        return self.atom if self.positive else f"!{self.atom}"


@dataclass(frozen=True, slots=True)
class Route:
    """A conjunction of literals that suffices for a conclusion (PRIME, section 2, requirements)."""

    literals: tuple[Literal, ...]

    def __post_init__(self) -> None:
        """Refuse the empty conjunction and one that names an atom twice."""
        if type(self.literals) is not tuple or not all(
            type(literal) is Literal for literal in self.literals
        ):
            raise InvalidInput("route", f"expected a tuple of literals, found {self.literals!r}")
        if not self.literals:
            raise InvalidInput("route", "expected at least one literal; an empty route proves all")
        twice = _repeated(literal.atom for literal in self.literals)
        if twice is not None:
            raise InvalidInput("route", f"expected each atom once, found {twice!r} twice")

    @classmethod
    def of(cls, *literals: str) -> Self:
        """Build a route from literals as text.

        >>> str(Route.of("details", "!withdrawn"))
        'details & !withdrawn'
        """
        return cls(tuple(Literal.parse(literal) for literal in literals))

    def __str__(self) -> str:
        """Return the literals joined by `&`."""
        return " & ".join(str(literal) for literal in self.literals)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Something a review may report: its identifier, its sentence, its utility above 0."""

    identifier: str
    sentence: str
    utility: Number

    def __post_init__(self) -> None:
        """Refuse an identifier, sentence or utility that cannot be one."""
        identifier(self.identifier, "conclusion")
        _sentence(self.sentence, f"conclusion {self.identifier}")
        utility = positive(self.utility, f"conclusion {self.identifier}: utility")
        object.__setattr__(self, "utility", utility)


@dataclass(frozen=True, slots=True)
class Atom:
    """A yes/no condition with a stable identifier.

    `binding` says what its resolver does (which field is read, which test is made) in the
    resolver's own words; the kernel does not read it, and the commitment's hash covers it.
    """

    identifier: str
    sentence: str
    binding: str = ""

    def __post_init__(self) -> None:
        """Refuse an identifier or texts that cannot be one."""
        identifier(self.identifier, "atom")
        _sentence(self.sentence, f"atom {self.identifier}")
        _sentence(self.binding, f"atom {self.identifier}: binding")


class CheckKind(Enum):
    """What a registered call does: read fields, or read a text on which its atoms are judged."""

    FIELD = "field"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Check:
    """A registered call that settles one or more atoms (a call class) and its cost, in calls.

    Attributes:
        identifier: its name.
        settles: the atoms. Those of a text read are judged on the text by attestations, each of
            which costs one call more.
        cost: calls for each read.
        kind: a field read or a text read.
        candidates: where the one atom's evidence may be, in the order in which completion reads it,
            one charge each; none where the place is known.
        exhausted: the atom's value when no candidate establishes one; None certifies that its
            evidence is unavailable.
    """

    identifier: str
    settles: tuple[str, ...]
    cost: Number = 1
    kind: CheckKind = CheckKind.FIELD
    candidates: tuple[str, ...] = ()
    exhausted: bool | None = None

    def __post_init__(self) -> None:
        """Refuse a call that settles nothing, settles an atom twice, or has a negative cost."""
        identifier(self.identifier, "check")
        place = f"check {self.identifier}"
        if type(self.settles) is not tuple or not self.settles:
            raise InvalidInput(place, "expected a tuple of at least one atom that it settles")
        for atom in self.settles:
            identifier(atom, f"{place}: settles")
        twice = _repeated(self.settles)
        if twice is not None:
            raise InvalidInput(f"{place}: settles", f"expected each atom once, found {twice!r}")
        object.__setattr__(self, "cost", non_negative(self.cost, f"{place}: cost"))
        if type(self.kind) is not CheckKind:
            raise InvalidInput(f"{place}: kind", f"expected a CheckKind, found {self.kind!r}")
        self._require_candidates(place)

    def _require_candidates(self, place: str) -> None:
        if type(self.candidates) is not tuple:
            raise InvalidInput(f"{place}: candidates", "expected a tuple of texts")
        for candidate in self.candidates:
            _sentence(candidate, f"{place}: candidates")
        twice = "" if "" in self.candidates else _repeated(self.candidates)
        if twice is not None:
            raise InvalidInput(f"{place}: candidates", f"expected each place once, found {twice!r}")
        if self.candidates and (self.kind is not CheckKind.FIELD or len(self.settles) > 1):
            problem = "expected them only where fields are read for a single atom"
            raise InvalidInput(f"{place}: candidates", problem)
        if self.exhausted is not None and not (self.candidates and type(self.exhausted) is bool):
            problem = "expected a truth value, and only with candidates"
            raise InvalidInput(f"{place}: exhausted", problem)


class AttesterKind(Enum):
    """What attests: a model or a person."""

    MODEL = "model"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Attester:
    """Who judged: a name, which is an identifier, and whether it is a model or a person."""

    name: str
    kind: AttesterKind = AttesterKind.MODEL

    def __post_init__(self) -> None:
        """Refuse a name or a kind that cannot be one."""
        identifier(self.name, "attester")
        if type(self.kind) is not AttesterKind:
            raise InvalidInput(f"attester {self.name}", "expected an AttesterKind as kind")


@dataclass(frozen=True, slots=True)
class Specification:
    """All that commitment may see: S_x of the paper, and never a value of a record.

    Attributes:
        conclusions: as listed; in a chain, weakest first.
        atoms: the conditions.
        checks: the registered calls; `own_checks` makes one for each atom that is in none.
        order: (weaker, stronger) pairs whose transitive closure is the strength order; None is the
            chain of the conclusions as listed.
        request: what is asked, for people.
        constraints: Phi as clauses, supplied from outside and frozen with the program (T2): of each
            clause at least one literal holds in every record.
    """

    conclusions: tuple[Conclusion, ...]
    atoms: tuple[Atom, ...]
    checks: tuple[Check, ...]
    order: tuple[tuple[str, str], ...] | None = None
    request: str = ""
    constraints: tuple[tuple[Literal, ...], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is not made of conclusions, atoms, checks, pairs and clauses."""
        for place, items, kind in (
            ("conclusions", self.conclusions, Conclusion),
            ("atoms", self.atoms, Atom),
            ("checks", self.checks, Check),
        ):
            if type(items) is not tuple or not all(type(item) is kind for item in items):
                raise InvalidInput(place, f"expected a tuple of {kind.__name__}, found {items!r}")
        _sentence(self.request, "request")
        if self.order is not None and not (
            type(self.order) is tuple and all(_is_pair(pair) for pair in self.order)
        ):
            raise InvalidInput("order", f"expected (weaker, stronger) pairs, found {self.order!r}")
        if type(self.constraints) is not tuple:
            raise InvalidInput("constraints", f"expected clauses, found {self.constraints!r}")
        for position, clause in enumerate(self.constraints):
            try:
                Route(clause)  # a clause is as well formed as a route: literals, each atom once
            except InvalidInput:
                problem = f"expected a tuple of literals, each atom once, found {clause!r}"
                raise InvalidInput(f"constraints.{position}", problem) from None

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The (weaker, stronger) pairs that generate the order; of a chain, the neighbours."""
        if self.order is not None:
            return self.order
        names = tuple(conclusion.identifier for conclusion in self.conclusions)
        return tuple(pairwise(names))


@dataclass(frozen=True, slots=True)
class Program:
    """A review program P: for each conclusion its routes, in the order that settles ties."""

    routes: tuple[tuple[str, tuple[Route, ...]], ...]

    def __post_init__(self) -> None:
        """Refuse what is not a tuple of (conclusion, routes), and a conclusion named twice."""
        if type(self.routes) is not tuple or not all(_is_pair(entry) for entry in self.routes):
            raise InvalidInput("routes", f"expected (conclusion, routes), found {self.routes!r}")
        named: set[str] = set()
        for conclusion, routes in self.routes:
            identifier(conclusion, "routes")
            if conclusion in named:
                raise InvalidInput(f"routes.{conclusion}", "expected each conclusion once")
            named.add(conclusion)
            if type(routes) is not tuple or not all(type(p) is Route for p in routes):
                raise InvalidInput(f"routes.{conclusion}", f"expected routes, found {routes!r}")

    @classmethod
    def of(cls, routes: Mapping[str, Iterable[Iterable[str]]]) -> Self:
        """Build a program from literals as text.

        >>> program = Program.of({"described": [["details"]]})
        >>> str(program.of_conclusion("described")[0])
        'details'

        Raises:
            InvalidInput: a malformed route, named by its place (`routes.described.0`).
        """
        if not isinstance(routes, Mapping):
            raise InvalidInput(
                "routes", f"expected conclusions with their routes, found {routes!r}"
            )
        return cls(
            tuple(
                (
                    conclusion,
                    tuple(
                        _route(literals, f"routes.{conclusion}.{position}")
                        for position, literals in enumerate(listed)
                    ),
                )
                for conclusion, listed in routes.items()
            )
        )

    def of_conclusion(self, conclusion: str) -> tuple[Route, ...]:
        """Return P(c): the routes listed for `conclusion`, none if it is not named."""
        return next((routes for name, routes in self.routes if name == conclusion), ())


def _is_pair(entry: object) -> bool:
    return type(entry) is tuple and len(entry) == 2


def _route(literals: Iterable[str], place: str) -> Route:
    if isinstance(literals, str):
        raise InvalidInput(place, f"expected a list of literals, found the text {literals!r}")
    try:
        return Route.of(*literals)
    except InvalidInput as fault:
        raise InvalidInput(place, fault.problem) from None


@ensure(
    lambda atoms, result: {a for c in result for a in c.settles} >= {a.identifier for a in atoms}
)
def own_checks(atoms: tuple[Atom, ...], shared: tuple[Check, ...] = ()) -> tuple[Check, ...]:
    """Return `shared` and, for each atom that none of them settles, a call of its own of cost 1."""
    settled = {atom for check in shared for atom in check.settles}
    return shared + tuple(
        Check(atom.identifier, (atom.identifier,))
        for atom in atoms
        if atom.identifier not in settled
    )
