"""A requirement: what a proposer of programs sees, and what each of its programs must keep to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from licet import Conclusion, Fault, InvalidInput, Literal, Specification
from licet.validation import closure_of_order
from licet_bindings.documents import ReviewDocument
from licet_bindings.errors import printable
from licet_bindings.records.field_tests import AtomTest, CandidateTests
from licet_bindings.records.paths import Path, PathError, parse_path, path_text

Clauses = tuple[tuple[Literal, ...], ...]


@dataclass(frozen=True, slots=True)
class Requirement:
    """What is asked of a program, in words and in what is fixed beforehand.

    Nothing in it comes from a record: it is all that a proposer may see, beside the seed.

    Attributes:
        text: the requirement as it was published, or as somebody wrote it down.
        conclusions: what may be reported, with sentences and utilities; a program keeps them.
        fields: for each field that an atom may read, its path and what it holds; empty admits any.
        order: (weaker, stronger) pairs; None is the chain as listed. A program keeps it.
        constraints: clauses, each with a literal that always holds. They come from outside, so a
            program has these and no others.

    Raises:
        InvalidInput: a path is malformed or comes twice, or there is no conclusion.

    Source: PRIME, appendix F, the inputs of the protocolized workflow; premise T2.
    """

    text: str
    conclusions: tuple[Conclusion, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    order: tuple[tuple[str, str], ...] | None = None
    constraints: Clauses = ()

    def __post_init__(self) -> None:
        """Fix the fields, and refuse what no program could keep to."""
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))
        object.__setattr__(self, "conclusions", tuple(self.conclusions))
        if not self.conclusions:
            raise InvalidInput("conclusions", "expected at least one, found none")
        paths = [_parsed(path) for path in self.fields]
        for position, path in enumerate(paths):
            if path in paths[:position]:
                raise InvalidInput("fields", f"expected {path_text(path)!r} once, found it twice")

    @classmethod
    def of(cls, document: ReviewDocument, text: str, fields: Mapping[str, str]) -> Self:
        """Return the requirement that has a document's conclusions, order and constraints."""
        specification = document.specification
        return cls(
            text, specification.conclusions, fields, specification.order, specification.constraints
        )


def departures(requirement: Requirement, document: ReviewDocument) -> Iterator[Fault]:
    """Yield where a program does not keep to a requirement, in the order of the document."""
    specification = document.specification
    if specification.conclusions != requirement.conclusions:
        yield Fault("conclusions", _differing(requirement.conclusions, specification.conclusions))
    elif _order(specification) != _order(_asked(requirement, specification)):
        yield Fault("order", "expected the requirement's order of the conclusions")
    if requirement.fields:
        admitted = {_parsed(path) for path in requirement.fields}
        for atom, test in document.bindings.items():
            for path in _paths(test):
                if path not in admitted:
                    yield Fault(
                        f"atoms.{atom}",
                        f"expected a field that the requirement lists, found"
                        f" {printable(path_text(path))!r}",
                    )
    if _clauses(specification.constraints) != _clauses(requirement.constraints):
        yield Fault("constraints", "expected the requirement's constraints and no others")


def _parsed(path: str) -> Path:
    try:
        return parse_path(path)
    except PathError as error:
        raise InvalidInput("fields", str(error)) from None


def _paths(test: AtomTest) -> Iterator[Path]:
    if isinstance(test, CandidateTests):
        yield from (path for _, path in test.fields)
    else:
        yield test.path


def _differing(asked: tuple[Conclusion, ...], found: tuple[Conclusion, ...]) -> str:
    names = ", ".join(conclusion.identifier for conclusion in asked)
    if [c.identifier for c in asked] != [c.identifier for c in found]:
        return f"expected the requirement's, {names}, in this order"
    pairs = zip(asked, found, strict=True)
    first = next(wanted.identifier for wanted, stated in pairs if wanted != stated)
    return f"expected the requirement's sentence and utility of {first!r}"


def _asked(requirement: Requirement, like: Specification) -> Specification:
    return Specification(requirement.conclusions, like.atoms, like.checks, requirement.order)


def _order(specification: Specification) -> frozenset[tuple[str, str]]:
    return frozenset(closure_of_order(specification.pairs))


def _clauses(clauses: Clauses) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(map(str, clause)) for clause in clauses)
