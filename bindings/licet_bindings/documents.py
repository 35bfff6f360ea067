"""Review programs as documents: JSON, TOML or YAML in, committed objects of the kernel out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from os import fspath
from types import MappingProxyType

from pydantic import ValidationError

from licet import (
    Atom,
    Commitment,
    Conclusion,
    Fault,
    InvalidInput,
    Literal,
    Program,
    Route,
    Specification,
    commit,
    faults,
)
from licet_bindings.atoms import atom_test
from licet_bindings.calls import registered_checks, unfit_checks
from licet_bindings.errors import DocumentError, dotted
from licet_bindings.faults import DocumentShape, Location, document_error
from licet_bindings.kinds import Kind, refuse_other_kind
from licet_bindings.models import (
    CheckModel,
    ConclusionModel,
    FieldAtomModel,
    FieldsAtomModel,
    ProgramModel,
    TextAtomModel,
    keys_of,
)
from licet_bindings.records.field_tests import AtomTest
from licet_bindings.standards.standard import Standard
from licet_bindings.standards.stated import stated_program, stated_standard
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import Syntax
from licet_bindings.trees import FilePath, parse_tree, read_tree, tree_of

MAX_CONCLUSIONS = 50
"""Conclusions in one program, at most; validation compares each with each."""

MAX_ROUTES = 500
"""Routes in one program, at most; validation compares each with each."""

MAX_ATOMS = 1_000
"""Atoms in one program, at most."""

MAX_CONSTRAINTS = 500
"""Clauses in the constraints of one program, at most; each route is tried with all of them."""


def _keys_at(location: Location) -> Iterable[str]:
    match location:
        case ():
            return keys_of(ProgramModel)
        case ("conclusions", _):
            return keys_of(ConclusionModel)
        case ("checks", _):
            return keys_of(CheckModel)
    kinds: dict[str, type[TextAtomModel | FieldsAtomModel | FieldAtomModel]] = {
        "text": TextAtomModel,
        "fields": FieldsAtomModel,
    }
    # Behind an atom's name pydantic names its kind.
    return keys_of(kinds.get(str(location[-1]), FieldAtomModel))


_SHAPE = DocumentShape(
    _keys_at,
    # Where in a location pydantic names the branch of a union that it took.
    MappingProxyType({"atoms": 2, "order": 1}),
    MappingProxyType({"atoms": ("field", "fields", "text")}),
)


@dataclass(frozen=True, slots=True)
class ReviewDocument:
    """A review program as a document states it, validated and committed.

    Attributes:
        name: the document's name, for messages.
        specification: conclusions, order, atoms, checks, constraints, request.
        program: the routes.
        budget: the calls that a review has unless the caller says otherwise; None if not stated.
        priors: for each atom that states one, the probability that it is true.
        bindings: for each atom the test that its resolver makes, or the text that it reads.
        standard: when each conclusion is justified, if it is stated; the hash covers the routes
            alone, and a review follows them alone.
        computed: whether the routes are the standard's minimal ones because none were stated.
    """

    name: str
    specification: Specification
    program: Program
    budget: Fraction | None = None
    priors: Mapping[str, Fraction] = field(default_factory=dict)
    bindings: Mapping[str, AtomTest] = field(default_factory=dict)
    standard: Standard | None = None
    computed: bool = False
    _commitment: Commitment = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Fix the mappings, and commit: what cannot be committed cannot be a document.

        The tests must be those that the atoms' bindings state, for these are what the hash covers.
        """
        object.__setattr__(self, "priors", MappingProxyType(dict(self.priors)))
        object.__setattr__(self, "bindings", MappingProxyType(dict(self.bindings)))
        for atom in self.specification.atoms:
            test = self.bindings.get(atom.identifier)
            if test is None or test.binding != atom.binding:
                problem = f"expected the test that its binding states, {atom.binding!r}"
                raise DocumentError(self.name, f"atoms.{atom.identifier}", problem)
        found = list(unfit_checks(self.specification, self.bindings)) or [
            Fault(_listed_place(fault.place, self.specification), fault.problem)
            for fault in faults(self.specification, self.program)
        ]
        if found:
            raise DocumentError.of(self.name, found)
        try:
            committed = commit(self.specification, self.program)
        except InvalidInput as fault:
            raise DocumentError(self.name, fault.place, fault.problem) from None
        object.__setattr__(self, "_commitment", committed)


def commit_document(document: ReviewDocument) -> Commitment:
    """Return the commitment of a document's program: what a `Review` is opened with."""
    return document._commitment


def read_document(path: FilePath) -> ReviewDocument:
    """Read a review program from a file; its suffix says whether it is JSON, TOML or YAML.

    Raises:
        DocumentError: the file cannot be read, or what it holds is no valid program. The message
            names the file, the place in it, and what was expected there.
    """
    return document_of(read_tree(path), fspath(path))


def parse_document(
    text: str | bytes, syntax: Syntax = Syntax.JSON, name: str = "program"
) -> ReviewDocument:
    """Read a review program from a text.

    Args:
        text: the document; bytes are UTF-8.
        syntax: how it is written.
        name: what messages call it.

    Raises:
        DocumentError: it is no valid program.
    """
    return document_of(parse_tree(text, syntax, name), name)


def build_document(content: Mapping[str, object], name: str = "program") -> ReviewDocument:
    """Make a review program of Python values: what `json.loads` would give, or a TOML reader.

    Raises:
        DocumentError: it is no valid program.
    """
    return document_of(tree_of(content, name), name)


def document_of(tree: object, name: str) -> ReviewDocument:
    """Make a review program of a strict tree.

    Raises:
        DocumentError: it is no valid program.
    """
    refuse_other_kind(tree, name, Kind.PROGRAM)
    try:
        model = ProgramModel.model_validate(tree)
        _check_size(model)
        bindings = {atom: atom_test(atom, shape) for atom, shape in model.atoms.items()}
        specification = _specification(model, bindings)
        standard = _standard(model)
        computed = "routes" not in model.model_fields_set
        program = stated_program(None if computed else model.routes, standard, specification)
    except ValidationError as error:
        raise document_error(name, error, tree, _SHAPE) from None
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    except InvalidInput as fault:
        raise DocumentError(name, fault.place, fault.problem) from None
    return ReviewDocument(
        name,
        specification,
        program,
        model.budget,
        {atom: shape.prior for atom, shape in model.atoms.items() if shape.prior is not None},
        bindings,
        standard,
        computed,
    )


def _standard(model: ProgramModel) -> Standard | None:
    conclusions = [conclusion.id for conclusion in model.conclusions]
    return stated_standard(model.standard, conclusions, model.atoms, model.constraints)


def _check_size(model: ProgramModel) -> None:
    routes = sum(len(listed) for listed in model.routes.values())
    for place, count, limit in (
        ("conclusions", len(model.conclusions), MAX_CONCLUSIONS),
        ("atoms", len(model.atoms), MAX_ATOMS),
        ("routes", routes, MAX_ROUTES),
        ("constraints", len(model.constraints), MAX_CONSTRAINTS),
    ):
        if count > limit:
            raise Misplaced(f"expected at most {limit:,} in one program, found {count:,}", (place,))


def _specification(model: ProgramModel, tests: Mapping[str, AtomTest]) -> Specification:
    atoms = tuple(
        Atom(atom, shape.says, tests[atom].binding) for atom, shape in model.atoms.items()
    )
    order = (
        None
        if isinstance(model.order, str)
        else tuple((weaker, stronger) for weaker, stronger in model.order)
    )
    return Specification(
        tuple(Conclusion(shape.id, shape.says, shape.utility) for shape in model.conclusions),
        atoms,
        registered_checks(model.checks, tests, atoms),
        order,
        model.request,
        tuple(_clause(position, texts) for position, texts in enumerate(model.constraints)),
    )


def _clause(position: int, texts: list[str]) -> tuple[Literal, ...]:
    try:
        return Route.of(*texts).literals
    except InvalidInput as fault:
        raise Misplaced(fault.problem, ("constraints", position)) from None


def _listed_place(place: str, specification: Specification) -> str:
    """Return a place of the kernel's as the document's: conclusions stand in a list there."""
    head, _, rest = place.partition(".")
    if head != "conclusions" or not rest:
        return place
    # From the end: of a name that comes twice, the second is the fault.
    for position, conclusion in reversed(list(enumerate(specification.conclusions))):
        name = conclusion.identifier
        if rest == name or rest.startswith(f"{name}."):
            return f"conclusions.{position}{rest.removeprefix(name)}"
    return place
