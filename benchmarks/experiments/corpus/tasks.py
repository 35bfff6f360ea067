"""What a corpus holds: families of requirements, and tasks that apply one to a record.

A task is three things: a review program as a licet document, the record that its checks read, and
the reference, which says what the record supports. Agents see the first and ask the second through
a resolver; the third is for the scorer alone.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from licet import Resolver, exact
from licet_bindings.documents import ReviewDocument, build_document
from licet_bindings.records.resolver import record_resolver

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Formula: TypeAlias = "str | tuple[str, tuple[Formula, ...]]"
"""An atom; or `("all", parts)`, `("any", parts)`, `("not", (part,))`."""

UTILITIES: Final = ("33.3", "66.7", "100")
"""Utilities of the three conclusions, weakest first (PRIME, section 6)."""

ABSTAIN: Final = None
"""The strongest conclusion where the record supports none."""


class Domain(Enum):
    """Where the records are from."""

    ADVISORIES = "advisories"
    TRIALS = "trials"
    RECALLS = "recalls"
    FILINGS = "filings"


class Structure(Enum):
    """Nested: successive conclusions extend one route. Branching: one has two alternatives."""

    NESTED = "nested"
    BRANCHING = "branching"


class Split(Enum):
    """Parts and variants of the corpus; development and validation share no family with others."""

    BALANCED = "balanced"
    NATURAL = "natural"
    DEVELOPMENT = "development"
    VALIDATION = "validation"
    LOCATOR = "locator"
    TEXT = "text"


class FailureKind(Enum):
    """How a requirement is made to fail (PRIME, appendix C)."""

    OTHER_RECORD = "other record"
    THRESHOLD = "threshold"
    YEAR_EARLIER = "year earlier"
    SYNTHETIC = "synthetic"
    WITHHELD = "withheld"


class Failure(NamedTuple):
    """An atom whose requirement the task was built to fail, and how."""

    atom: str
    kind: FailureKind


@dataclass(frozen=True, slots=True)
class AtomSpec:
    """A condition on one field of a record.

    Attributes:
        identifier: of the atom.
        says: the condition, as a clause.
        field: the path of the field; for a text atom that of the text.
        test: the word of the test; empty for an atom that is judged on a text.
        value: what the test compares with; None where it takes nothing.
        date_format: how the record writes its dates; empty for ISO 8601.
    """

    identifier: str
    says: str
    field: str
    test: str
    value: Json = None
    date_format: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """A request, three graded conclusions, their routes, and the conditions that these combine.

    Attributes:
        identifier: of the family.
        domain: where its records are from.
        structure: of its routes.
        request: what is asked.
        conclusions: identifier and sentence, weakest first.
        atoms: the conditions as the family states them, before a task makes one fail.
        routes: for each conclusion its routes, each a tuple of literals.
        standard: for each conclusion when it is justified. Stated apart from the routes: the
            reference follows the standard, and a test holds the routes to it.
    """

    identifier: str
    domain: Domain
    structure: Structure
    request: str
    conclusions: tuple[tuple[str, str], ...]
    atoms: tuple[AtomSpec, ...]
    routes: Mapping[str, tuple[tuple[str, ...], ...]]
    standard: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class Reference:
    """What the record supports: computed from record and standard, never from routes or a ledger.

    Attributes:
        values: for each atom whether the record meets it; None where it establishes nothing (the
            evidence was withheld, or is missing or unreadable).
        supported: the conclusions that the standard justifies, weakest first.
    """

    values: Mapping[str, bool | None]
    supported: tuple[str, ...]

    @property
    def strongest(self) -> str | None:
        """The strongest supported conclusion; None if the record supports none."""
        return self.supported[-1] if self.supported else ABSTAIN

    @property
    def answerable(self) -> bool:
        """Whether the record supports some conclusion."""
        return bool(self.supported)


class Budgets(NamedTuple):
    """The four budgets of the paper, in calls.

    `cheapest` is the cost of the cheapest route to the strongest conclusion before checking
    (b_min); then one call more, twice as many, and 20.
    """

    cheapest: int
    one_more: int
    twice: int
    full: int = 20


@dataclass(frozen=True, eq=False)
class Task:
    """One review to be made.

    Attributes:
        identifier: of the task, the same in each corpus of one seed and size.
        family: the identifier of its family.
        domain: where its record is from.
        split: the part or variant of the corpus that it belongs to.
        structure: of its routes.
        record_name: which record it was built on.
        document: the review program, as `build_document` takes it. Not to be changed.
        record: what the checks read, with the withheld fields left out. Not to be changed.
        reference: what the record supports.
        failures: the requirements that were made to fail.
        budgets: the four budgets of the paper.
        sufficient: N(z0), the distinct checks that settle the atoms of the strongest supported
            conclusion and of all stronger ones (PRIME, section 4); None where Theorem 4.3's
            premises are not met: an atom among these cannot be settled, its place is uncertain, or
            it is judged on a text.
        origin: of a copy of another task with uncertain locations, that task; empty otherwise.
        true_fields: for each atom of such a copy the candidate that holds its evidence.
        quotes: for each atom that is judged on a text a verbatim span that bears on it.
    """

    identifier: str
    family: str
    domain: Domain
    split: Split
    structure: Structure
    record_name: str
    document: Mapping[str, Json]
    record: Mapping[str, Json]
    reference: Reference
    failures: tuple[Failure, ...]
    budgets: Budgets
    sufficient: int | None
    origin: str = ""
    true_fields: Mapping[str, str] = field(default_factory=dict)
    quotes: Mapping[str, str] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, object]:
        """Leave the committed program out of what goes to another process: it is built anew."""
        return {name: value for name, value in vars(self).items() if name != "review_document"}

    @cached_property
    def review_document(self) -> ReviewDocument:
        """The review program, validated and committed; built once."""
        return build_document(self.document, self.identifier)

    def resolver(self) -> Resolver:
        """Return what runs the program's checks on the record."""
        return record_resolver(self.review_document, copy.deepcopy(dict(self.record)))

    def quote(self, atom: str) -> str:
        """Return a verbatim span of the text that a text atom is judged on.

        Raises:
            KeyError: the atom is judged on no text.
        """
        return self.quotes[atom]

    @property
    def conclusions(self) -> tuple[str, ...]:
        """The conclusions, weakest first."""
        return tuple(each.identifier for each in self.review_document.specification.conclusions)

    @property
    def utilities(self) -> Mapping[str, Fraction]:
        """The utility of each conclusion."""
        return {
            each.identifier: exact(each.utility, each.identifier)
            for each in self.review_document.specification.conclusions
        }

    @property
    def ceiling(self) -> Fraction:
        """The utility of full information: that of the strongest supported conclusion, or 0."""
        strongest = self.reference.strongest
        return Fraction(0) if strongest is None else self.utilities[strongest]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Families and tasks that one seed and size gave.

    Attributes:
        seed: of all draws.
        families: in order of their identifiers.
        tasks: in order of their splits, then of their identifiers.
    """

    seed: int
    families: tuple[Family, ...]
    tasks: tuple[Task, ...]

    def of(self, split: Split) -> tuple[Task, ...]:
        """Return the tasks of a part or variant."""
        return tuple(task for task in self.tasks if task.split is split)

    def lines(self) -> Iterator[str]:
        """Yield each family and each task as one line of JSON, keys sorted."""
        for family in self.families:
            yield _line(family)
        for task in self.tasks:
            yield _line(task)

    @cached_property
    def sha256(self) -> str:
        """The hash of all lines: equal for corpora that are equal byte for byte."""
        digest = hashlib.sha256()
        for line in self.lines():
            digest.update(line.encode() + b"\n")
        return digest.hexdigest()


def _line(item: Family | Task) -> str:
    names = item.__dataclass_fields__
    content = {name: _plain(getattr(item, name)) for name in names}
    return json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> object:
    """Return a value as `json.dumps` takes it, sets and mappings in a fixed order."""
    match value:
        case Enum():
            return value.value
        case AtomSpec() | Reference():
            return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
    return value
