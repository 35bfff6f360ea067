"""Programs that a model, a person or a template proposes, each hashed before any record is read.

A proposer is any callable of a requirement and a seed. It is given neither a record nor an answer,
and what it returns is a document like any other: validated, held to the requirement, and committed.
Whatever it gets wrong becomes a refused proposal that says so; nothing of it is mended or guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from licet import Generator, InvalidInput, commit
from licet_bindings.checking import CheckReport, check_document, invalid_report
from licet_bindings.choosing.requirements import Requirement, departures
from licet_bindings.documents import (
    ReviewDocument,
    build_document,
    commit_document,
    parse_document,
    read_document,
)
from licet_bindings.errors import DocumentError, printable
from licet_bindings.trees import FilePath

_T = TypeVar("_T")

Proposer: TypeAlias = Callable[[Requirement, int], Mapping[str, object] | str]
"""Sees a requirement and a seed; gives a program's document, as Python values or as JSON text."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A program that somebody proposed, committed; or why it is none.

    Attributes:
        name: what messages call it.
        document: the program; None where it is refused.
        fault: why it is refused; None where it is not.

    Raises:
        InvalidInput: it has both or neither.
    """

    name: str
    document: ReviewDocument | None = None
    fault: DocumentError | None = None

    def __post_init__(self) -> None:
        """Refuse to be both a program and none."""
        if (self.document is None) is (self.fault is None):
            raise InvalidInput("proposal", "expected a program, or why there is none")

    @property
    def sha256(self) -> str | None:
        """The hash of the program; None where it is refused."""
        return None if self.document is None else commit_document(self.document).sha256

    @property
    def report(self) -> CheckReport:
        """What `licet check` says of it."""
        if self.document is not None:
            return check_document(self.document)
        assert self.fault is not None
        return invalid_report(self.fault)


def propose(
    requirement: Requirement, proposer: Proposer, seeds: Iterable[int]
) -> tuple[Proposal, ...]:
    """Return what a proposer proposes, one program for each seed.

    Args:
        requirement: all that the proposer sees, beside the seed.
        proposer: is called once for each seed. What it raises refuses that proposal alone.
        seeds: the randomness; a proposer that draws should draw from its seed only.

    Source: PRIME, section 3, "Commit", and appendix F, "Validation and freezing".

    >>> from licet import Conclusion
    >>> asked = Requirement("Say whether there is text.", (Conclusion("described", "It is.", 1),))
    >>> def template(requirement, seed):
    ...     return {
    ...         "licet": 1,
    ...         "conclusions": [{"id": "described", "says": "It is.", "utility": 1}],
    ...         "atoms": {"a": {"says": "some text", "field": "text", "test": "exists"}},
    ...         "routes": {"described": [["a"] if seed else ["b"]]},
    ...     }
    >>> refused, proposed = propose(asked, template, seeds=(0, 1))
    >>> refused.fault.problem
    "no atom is named 'b'"
    >>> len(proposed.sha256)
    64
    """
    return tuple(_proposed(requirement, proposer, seed) for seed in seeds)


def propose_routes(
    document: ReviewDocument, generator: Generator, seeds: Iterable[int]
) -> tuple[Proposal, ...]:
    """Return what a generator of routes proposes for a document's specification.

    Args:
        document: conclusions, order, atoms, checks and constraints, which are kept; its routes are
            not shown to the generator.
        generator: the core's G(S_x, r), called once for each seed by `licet.commit`.
        seeds: the randomness.

    Source: PRIME, Theorem 4.1 (i).
    """
    return tuple(_routed(document, generator, seed) for seed in seeds)


def proposals_read(paths: Iterable[FilePath]) -> tuple[Proposal, ...]:
    """Return the programs of files; one that cannot be taken is refused, and the others are not."""
    found = []
    for path in paths:
        try:
            document = read_document(path)
        except DocumentError as fault:
            found.append(Proposal(fault.document, fault=fault))
        else:
            found.append(Proposal(document.name, document))
    return tuple(found)


def _proposed(requirement: Requirement, proposer: Proposer, seed: int) -> Proposal:
    name = f"seed {seed}"
    try:
        # A copy: what a proposer does to it changes nothing of what it is held to.
        seen = _copied(requirement)
        document = _asked(lambda: _document(proposer(seen, seed), name), name)
        found = list(departures(requirement, document))
        if found:
            raise DocumentError.of(name, found)
    except DocumentError as fault:
        return Proposal(name, fault=fault)
    except InvalidInput as fault:
        return Proposal(name, fault=DocumentError(name, fault.place, fault.problem))
    return Proposal(name, document)


def _asked(call: Callable[[], _T], name: str) -> _T:
    """Return what a callable of the user's gives; what it raises is the document's fault.

    Raises:
        InvalidInput: it raised one.
        DocumentError: it raised anything else.
    """
    try:
        return call()
    except InvalidInput:
        raise
    except (Exception, SystemExit, GeneratorExit) as error:
        said = _said(error)
        raise DocumentError(name, "", f"the proposer failed: {printable(said)}") from error


def _said(error: BaseException) -> str:
    """Return what an exception says, which may be nothing, or raise itself."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _copied(requirement: Requirement) -> Requirement:
    conclusions = tuple(replace(conclusion) for conclusion in requirement.conclusions)
    return replace(requirement, conclusions=conclusions)


def _document(content: object, name: str) -> ReviewDocument:
    if isinstance(content, str):
        return parse_document(content, name=name)
    if isinstance(content, Mapping):
        return build_document(content, name)
    kind = type(content).__name__
    raise DocumentError(name, "", f"expected a document's text or its values, found {kind}")


def _routed(document: ReviewDocument, generator: Generator, seed: int) -> Proposal:
    name = f"seed {seed}"
    specification = document.specification
    try:
        program = _asked(lambda: commit(specification, generator, seed), name).program
        made = ReviewDocument(
            name,
            specification,
            program,
            document.budget,
            document.priors,
            document.bindings,
            document.standard,
        )
    except DocumentError as fault:
        return Proposal(name, fault=fault)
    except InvalidInput as fault:
        return Proposal(name, fault=DocumentError(name, fault.place, fault.problem))
    return Proposal(name, made)
